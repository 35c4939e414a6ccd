// SPDX-License-Identifier: Apache-2.0
#include "platforms/ncube/machine.h"

#include <bit>
#include <string>

#include "tests/support/cases.h"
#include "tests/workloads/fakes/fake_machine.h"
#include "tlm/time/kernel_time.h"
#include "workloads/traffic/traffic.h"

/// Packet sources on the channels of an NCUBE.
namespace {

using namespace ringmesh;
using platforms::BareCube;
using platforms::NcubeParams;
using test::cell;
using workloads::Results;
using workloads::Traffic;
using workloads::TrafficOptions;

struct Bench {
    Simulation simulation{1};
    BareCube machine;

    explicit Bench(int dimension) : machine(simulation, params(dimension)) {}
    static NcubeParams params(int dimension)
    {
        NcubeParams params;
        params.topology.dimension = dimension;
        return params;
    }
    /// Messages are conserved in each run.
    Results run(const TrafficOptions& options)
    {
        Traffic workload(options);
        const Results results = test::run_workload(workload, machine);
        simulation.require_drained();
        return results;
    }
    /// A byte takes 9 clocks of 7 MHz.
    static Duration transfer(int bytes) { return Cycles(9 * std::int64_t{bytes}) * Clock(7_MHz); }
};

const auto kClose = boost::test_tools::tolerance(1e-6);

/// Offers one message after the other to node 1.
class OneChannel final : public TrafficModel {
public:
    explicit OneChannel(unsigned messages, std::uint32_t size = 64) : messages_(messages), size_(size) {}
    Injection next(unsigned source) override
    {
        if (source != 0 || offered_ == messages_) return {};
        ++offered_;
        return {.at = Duration::zero(), .to = 1, .size = size_};
    }
    void delivered(const OfferedPacket& packet, Duration at) override
    {
        BOOST_TEST(packet.source == 0u);
        BOOST_TEST(packet.target == 1u);
        ++arrived;
        last = at;
    }
    void answered(const OfferedPacket&, Duration) override { BOOST_ERROR("a hypercube has no responses"); }
    void dropped(unsigned, Duration) override { ++lost; }

    unsigned arrived = 0, lost = 0;
    Duration last;

private:
    const unsigned messages_;
    const std::uint32_t size_;
    unsigned offered_ = 0;
};

}  // namespace

namespace ringmesh::test::bare_cube_test {  // outside it, `system` is a function of the C library

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(bare_cube)

// Stored and forwarded whole: a transfer for each dimension in which the numbers of the two nodes differ.
BOOST_DATA_TEST_CASE(an_unloaded_message_takes_a_transfer_for_each_hop, data::make({1, 3, 6}) * data::make({16, 1024}),
                     dimension, size)
{
    Bench bench(dimension);
    const Results results = bench.run(
        {.pattern = "one-to-all", .packet = {.size = std::to_string(size)}, .show = workloads::Show::kMessages});
    BOOST_TEST_REQUIRE(results.rows.size() == (1u << dimension) - 1);
    for (std::size_t row = 0; row < results.rows.size(); ++row) {
        const auto to = static_cast<unsigned>(cell<std::int64_t>(results, row, "to"));
        BOOST_TEST(cell<double>(results, row, "latency_ns") == Bench::transfer(size).ns() * std::popcount(to), kClose);
    }
}

BOOST_AUTO_TEST_CASE(a_saturated_channel_carries_its_whole_rate)
{
    constexpr unsigned kMessages = 500;
    Bench bench(2);
    OneChannel model(kMessages);
    bench.machine.start_traffic(model, {.size = 64});
    bench.simulation.run();
    bench.simulation.require_drained();
    BOOST_TEST(model.arrived == kMessages);
    BOOST_TEST(model.last.ns() == Bench::transfer(64).ns() * kMessages, kClose);
    BOOST_TEST(bench.machine.shared().at(0).busy.at(0).busy.ns() == model.last.ns(), kClose);
    BOOST_TEST(bench.machine.link_crossings() == kMessages);
}

BOOST_AUTO_TEST_CASE(messages_beyond_the_source_queue_are_dropped_and_counted)
{
    constexpr unsigned kMore = 7;
    // One leaves at once, so many wait
    constexpr unsigned kHeld = hw::CubePacketSource::kSourceQueue + 1;
    Bench bench(1);
    OneChannel model(kHeld + kMore, 16);
    bench.machine.start_traffic(model, {.size = 16});
    bench.simulation.run();
    BOOST_TEST(model.arrived == kHeld);
    BOOST_TEST(model.lost == kMore);
}

BOOST_DATA_TEST_CASE(each_pattern_is_delivered_once,
                     data::make({"uniform", "nearest-neighbour", "hot-spot", "transpose", "bit-complement"}), pattern)
{
    Bench bench(4);
    const Results results =
        bench.run({.pattern = pattern, .packet = {.size = "64"}, .load = "0.6", .duration = "100 ms"});
    BOOST_TEST(cell<std::int64_t>(results, 0, "delivered") > 500);
    BOOST_TEST(cell<std::int64_t>(results, 0, "dropped") == 0);
    BOOST_TEST(cell<double>(results, 0, "latency_mean_ns") >= cell<double>(results, 0, "zero_load_mean_ns"));
}

/// A load is the part of its time for which the busiest channel carries messages.
BOOST_DATA_TEST_CASE(the_busiest_channel_is_busy_for_the_part_that_was_asked_for,
                     data::make({"bit-complement", "transpose"}) * data::make({0.2, 0.5}), pattern, load)
{
    Bench bench(4);
    const Results results =
        bench.run({.pattern = pattern, .packet = {.size = "64"}, .load = std::to_string(load), .arrivals = "periodic"});
    BOOST_TEST(cell<double>(results, 0, "link_use_highest") == load, boost::test_tools::tolerance(0.03));
    BOOST_TEST(cell<double>(results, 0, "accepted_load") == load, boost::test_tools::tolerance(0.03));
}

// Every channel of a cube carries half of what each node sends: 2^(d-1) / (2^d - 1) messages for each one.
BOOST_DATA_TEST_CASE(uniform_messages_load_all_channels_alike, data::make({1, 3, 5}), dimension)
{
    Bench bench(dimension);
    const PacketForm form{.size = 64};
    const auto load = bench.machine.expected_load(form);
    load->alike_to_all_others(1);
    const double nodes = 1u << static_cast<unsigned>(dimension);
    BOOST_TEST(load->gap_at_full_load().ns() == Bench::transfer(64).ns() * nodes / 2 / (nodes - 1), kClose);
    BOOST_TEST(load->senders() == nodes);
}

BOOST_DATA_TEST_CASE(each_operation_ends, data::make({"all-to-all", "tree-multicast"}) * data::make({1, 4}), pattern,
                     window)
{
    Bench bench(4);
    const Results results = bench.run({.pattern = pattern, .packet = {.size = "64"}, .window = window});
    const int messages = std::string(pattern) == "all-to-all" ? 16 * 15 : 15;
    BOOST_TEST(cell<std::int64_t>(results, 0, "delivered") == messages);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::test::bare_cube_test
