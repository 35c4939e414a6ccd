// SPDX-License-Identifier: Apache-2.0
/// RCCE and iRCCE on the whole chip: its caches, write-combine buffers, tiles and mesh.
#include <memory>
#include <string>

#include "tests/platforms/scc/scc_bench.h"
#include "tests/support/cases.h"
#include "tests/workloads/fakes/fake_machine.h"
#include "tests/workloads/libraries/rcce/printing.h"
#include "tests/workloads/libraries/rcce/scripts.h"
#include "tlm/simulation/random.h"
#include "workloads/libraries/rcce/rcce_library.h"
#include "workloads/programs/barrier.h"
#include "workloads/programs/point_to_point.h"

BOOST_TEST_DONT_PRINT_LOG_VALUE(ringmesh::hw::MeshDetail)

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using namespace ringmesh::workloads;
using namespace ringmesh::workloads::rcce;

const auto kDetails = data::make({hw::MeshDetail::kPath, hw::MeshDetail::kFlit});

/// A program's results on the chip of the platform's defaults.
Results results_of(RankProgram& program)
{
    SccBench bench;
    program.start(bench.chip);
    bench.run();
    program.check();
    return program.results();
}

/// A ping-pong as the thesis measured it.
Results ping_pong(const std::string& sizes, const std::string& to, const LibraryOptions& options = {})
{
    PointToPointOptions exchange = as_measured(Measured::kThesis, Exchange::kPingPong);
    exchange.sizes = sizes;
    exchange.to = to;
    PointToPoint program(Exchange::kPingPong, std::make_unique<RcceLibrary>(RcceLibrary::Requests::kNone, options),
                         exchange);
    return results_of(program);
}

}  // namespace

namespace ringmesh::test::rcce_on_scc_test {  // outside it, `system` is a function of the C library

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(rcce_on_scc)

// Messages in an order common to all cores, at odd addresses, each side randomly blocking or not.
BOOST_DATA_TEST_CASE(any_mixture_of_blocking_and_not_delivers_on_the_chip,
                     kDetails* data::make({Copies::kPlain, Copies::kPrefetching, Copies::kPipelined}), detail, copies)
{
    SccBench bench(SccBench::with(detail));
    const LibraryOptions options{.copies = copies, .ircce_copies = copies};
    RcceScripts scripts(bench.chip, 48, options);
    Random random = bench.simulation.random_for("mixture");
    constexpr std::uint32_t kMessages = 60;
    for (std::uint32_t i = 0; i < kMessages; ++i) {
        const auto from = static_cast<unsigned>(random.below(48));
        const auto to = static_cast<unsigned>((from + 1 + random.below(47)) % 48);
        const auto size = 1 + static_cast<std::uint32_t>(random.below(i % 8 == 0 ? 20'000 : 300));
        const auto message = scripts.message(size, from, to, static_cast<std::uint32_t>(random.below(8)));
        const bool send_blocking = random.below(2) == 0;
        const bool receive_blocking = random.below(2) == 0;
        if (send_blocking) scripts.wait_all(from);
        if (receive_blocking) scripts.wait_all(to);
        scripts.send(message, send_blocking);
        scripts.receive(message, receive_blocking);
    }
    for (unsigned core = 0; core < 48; ++core) scripts.wait_all(core);
    scripts.run();
    for (std::uint32_t message = 0; message < kMessages; ++message) BOOST_TEST(scripts.right(message));
}

// Cores 1, 2, 37, 10 and 47 are 0, 1, 3, 5 and 8 links from core 0 [004 3.2].
BOOST_AUTO_TEST_CASE(a_round_trip_takes_longer_the_farther_the_partner_at_every_size)
{
    const auto results = ping_pong("32,256,1024,4096,8192", "1,2,37,10,47");
    BOOST_TEST_REQUIRE(results.rows.size() == 25u);
    for (std::size_t row = 1; row < 25; ++row) {
        if (row % 5 == 0) continue;
        BOOST_TEST(cell<std::int64_t>(results, row, "hops") > cell<std::int64_t>(results, row - 1, "hops"));
        BOOST_TEST(cell<double>(results, row, "round_trip_min_cycles") >
                   cell<double>(results, row - 1, "round_trip_min_cycles"));
    }
}

BOOST_DATA_TEST_CASE(exceeding_the_payload_shows_as_a_step,
                     data::make({Version::k1_1, Version::k1_0_13}) ^
                         data::make({"7968,8000,8032,8064", "4960,4992,5024,5056"}),
                     version, sizes)
{
    const auto results = ping_pong(sizes, "47", {.version = version});
    const auto took = [&](std::size_t row) { return cell<double>(results, row, "round_trip_min_cycles"); };
    const double before = (took(2) - took(0)) / 2;
    BOOST_TEST(took(3) - took(2) > 2 * before);
}

BOOST_AUTO_TEST_CASE(a_barrier_of_more_cores_takes_longer)
{
    BarrierProgram program(std::make_unique<RcceLibrary>(RcceLibrary::Requests::kNone), {.repetitions = 3});
    const auto results = results_of(program);
    for (std::size_t row = 1; row < results.rows.size(); ++row) {
        BOOST_TEST(cell<double>(results, row, "min_cycles") > cell<double>(results, row - 1, "min_cycles"));
    }
}

BOOST_AUTO_TEST_CASE(locks_are_taken_and_released_on_the_chip)
{
    SccBench bench;
    const auto libraries = make_rcce(bench.chip, 48, {});
    Locked locked;
    for (const unsigned core : {0u, 13u, 47u}) {
        bench.chip.processor(core).run(visit_locked(*libraries[core], 7, 3, locked), "lock");
    }
    bench.run();
    BOOST_TEST(locked.stays.size() == 3u * 3u);
    BOOST_TEST(locked.one_at_a_time());
}

BOOST_AUTO_TEST_CASE(a_receive_without_a_send_names_both_ends_on_the_chip)
{
    SccBench bench;
    RcceScripts scripts(bench.chip, 48, {});
    scripts.receive(scripts.message(64, 5, 3), true);
    const std::string message = scripts.stuck();
    BOOST_TEST(
        message.find("core3.rcce: recv of 64 bytes from core 5 waits for core 5's sent flag; 0 bytes are here") !=
            std::string::npos,
        message);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::test::rcce_on_scc_test
