// SPDX-License-Identifier: Apache-2.0
/// The controller goes by what LinkTiming says: when it asks for the B-Link, and when it sends what comes from there.
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/hw/sci/link_bench.h"

namespace {

namespace data = boost::unit_test::data;
using namespace ringmesh;
using namespace ringmesh::test;
using hw::Switching;
using sci::Command;

hw::LinkController::Config with(Switching switching, int mhz)
{
    auto config = LinkBench::config();
    config.chip.switching = switching;
    config.blink = hw::BLinkParams{.clock = Frequency::hertz(std::int64_t{1'000'000} * mhz)};
    return config;
}

hw::LinkTiming timing_of(const hw::LinkController::Config& config)
{
    return {config.link, config.cable, config.chip, config.blink};
}

const auto kAll = data::make(all_policies<hw::SwitchingPolicy>()) * data::make({25, 50, 100});

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(link_controller)

BOOST_DATA_TEST_CASE(a_stripped_packet_asks_for_the_b_link_exactly_when_it_may, kAll, switching, mhz)
{
    LinkBench bench(with(switching, mhz));
    const auto timing = timing_of(bench.params);
    Duration head = 1_us;
    for (const Command command : kSendCommands) {
        bench.ring.send_at(head, make_packet(command, LinkBench::kMe));
        head += 1_us;
    }
    bench.run();
    BOOST_TEST_REQUIRE(bench.chip.requests.size() == kSendCommands.size());
    for (std::size_t i = 0; i < kSendCommands.size(); ++i) {
        const Duration came = 1_us * static_cast<std::int64_t>(i + 1);
        BOOST_TEST(bench.chip.requests[i].time == came + timing.to_blink[sci::index(kSendCommands[i])]);
        BOOST_TEST(bench.chip.arrived[i].begin == bench.chip.requests[i].time);
    }
    bench.simulation.require_drained();
}

BOOST_DATA_TEST_CASE(a_packet_from_the_b_link_leaves_exactly_when_it_may, kAll, switching, mhz)
{
    LinkBench bench(with(switching, mhz));
    const auto timing = timing_of(bench.params);
    const hw::BLinkParams& blink = *bench.params.blink;
    bench.ring.echo_after = 200_ns;
    for (const Command command : kSendCommands) {
        const std::size_t sent = bench.ring.seen.size();
        const Duration transfer = (blink.header + blink.data(command) + blink.trailer) * Clock(blink.clock);
        const Duration granted = now() + 1_us;
        bench.chip.sending_takes = transfer;
        bench.chip.send_at(granted, make_packet(command, LinkBench::kOther));
        bench.simulation.run_until(granted + 2_us);
        BOOST_TEST_REQUIRE(bench.ring.seen.size() == sent + 1);
        BOOST_TEST(bench.start(sent) == granted + timing.from_blink(command, transfer));
    }
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
