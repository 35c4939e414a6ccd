// SPDX-License-Identifier: Apache-2.0
/// PCs with two processors, which share host bridge, card and memory.
#include <memory>

#include "platforms/configuration.h"
#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/platforms/configuration/user_error.h"
#include "tests/platforms/wulfkit/ring_bench.h"
#include "tests/support/cases.h"
#include "workloads/libraries/deck/deck_library.h"
#include "workloads/libraries/mpi/mpi_library.h"
#include "workloads/programs/rounds.h"

namespace ringmesh::test::two_processors_test {
namespace {

using namespace workloads;

enum class Software : std::uint8_t { kDeck, kMpi };

platforms::WulfkitParams dual(unsigned pcs)
{
    platforms::WulfkitParams params = RingBench::nodes(pcs);
    params.host.processors = 2;
    return params;
}

/// The times of rounds of messages by size, every byte checked.
std::vector<double> rounds(const platforms::WulfkitParams& params, Software software, RoundPattern pattern,
                           const std::string& map, const std::string& ranks)
{
    RingBench bench(params);
    std::unique_ptr<Library> library;
    if (software == Software::kDeck) {
        library = std::make_unique<deck::DeckLibrary>();
    } else {
        library = std::make_unique<mpi::MpiLibrary>("MPI", mpi::Options{});
    }
    RoundsProgram program(pattern, std::move(library), {.sizes = "4,1000,40000", .repetitions = 2});
    platforms::read_assignments({"map=" + map, "ranks=" + ranks}, "--workload",
                                [&](ParameterVisitor& visitor) { program.visit(visitor); });
    program.start(bench.machine);
    bench.simulation.run();
    bench.simulation.require_drained();
    program.check();
    std::vector<double> times;
    const Results results = program.results();
    for (const auto& row : results.rows) times.push_back(std::get<double>(row.at(2)));
    return times;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(two_processors)

BOOST_DATA_TEST_CASE(all_send_to_all_others_also_on_their_own_pc, data::make({0, 1}), software)
{
    BOOST_TEST(rounds(dual(3), Software(software), RoundPattern::kAllToAll, "linear", "all").size() == 3u);
}

/// Two pairs that send to each other, on four PCs or on the processors of two. Short messages then wait for the other
/// processor's now and then; of long ones PCI carries twice as much.
BOOST_DATA_TEST_CASE(two_processors_share_pci_and_stream_buffers, data::make({"linear", "pairs"}) * data::make({0, 1}),
                     map, software)
{
    TemporaryFolder folder;
    folder.write("pairs", "0\n1\n4\n5\n");
    const auto ns = rounds(dual(4), Software(software), RoundPattern::kExchange, map, "4");
    const bool shares = std::string(map) == "pairs";
    // On PCs of their own
    const double shortest = software == 0 ? 10e3 : 16.5e3;
    const double longest = software == 0 ? 780e3 : 890e3;
    BOOST_TEST(ns.front() > shortest * (shares ? 1.1 : 0.95));
    BOOST_TEST(ns.front() < shortest * (shares ? 1.5 : 1.05));
    BOOST_TEST(ns.back() > longest * (shares ? 1.8 : 0.95));
    BOOST_TEST(ns.back() < longest * (shares ? 2.2 : 1.05));
}

BOOST_AUTO_TEST_CASE(a_segment_of_the_own_pc_is_local_memory)
{
    RingBench bench(dual(2));
    SegmentDriver& first = bench.machine.processor(0).segments();
    SegmentDriver& second = bench.machine.processor(2).segments();
    const std::uint64_t address = second.create_segment(7, 256);
    second.export_segment(7);
    BOOST_TEST(first.import_and_map(2, 7) == address);
    BOOST_TEST(first.create_segment(7, 256) != address);
    BOOST_TEST(bench.machine.processor(1).segments().import_and_map(2, 7) >= hw::Host::kWindow);
    BOOST_TEST(error_of([&] { first.map_doorbell(2); }).starts_with("node 0 cannot map the doorbell of node 2"));
    BOOST_TEST(bench.machine.processors() == 4u);
    BOOST_TEST(bench.machine.hops(0, 2) == 0u);
    BOOST_TEST(bench.machine.hops(2, 3) == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::test::two_processors_test
