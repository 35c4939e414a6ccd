// SPDX-License-Identifier: Apache-2.0
/// Reads through the host bridge: the processor's to PCI, and PCI's of memory.
#include <algorithm>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <vector>

#include "tests/hw/host/host_bridge_bench.h"

namespace {

namespace data = boost::unit_test::data;
using namespace ringmesh;
using namespace ringmesh::test;

hw::HostBridge::Config with(Duration crossing, Duration memory_access = 100_ns)
{
    return {.crossing = crossing, .retry_gap = 60_ns, .posted_writes = 4, .memory_access = memory_access};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(host_bridge)

BOOST_DATA_TEST_CASE(a_read_takes_a_crossing_out_and_one_back,
                     data::make({0_ns, 187_ns}) * data::make({0_ns, 3_us}) * data::make({1, 8}), crossing, later, size)
{
    BridgeBench bench(with(crossing));
    bench.read_at(1_us, 0x5003, static_cast<std::size_t>(size), 1_us + later);
    bench.run();
    BOOST_TEST_REQUIRE(bench.pci.writes.size() == 1u);
    BOOST_TEST(bench.pci.writes[0].read);
    BOOST_TEST(bench.pci.writes[0].asked == 1_us + later + crossing);
    BOOST_TEST_REQUIRE(bench.loads.size() == 1u);
    BOOST_TEST(bench.loads[0].ready == 1_us + later + crossing + bench.pci.write_takes + crossing);
    BOOST_TEST((bench.loads[0].bytes == pci_memory(0x5003, static_cast<std::size_t>(size))));
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_CASE(a_read_waits_behind_the_posted_writes)
{
    BridgeBench bench;
    for (std::uint64_t i = 0; i < 3; ++i) bench.post_at(1_us, 4 * i, pattern(4, i), 1_us);
    bench.read_at(1_us, 0x100, 4, 1_us);
    bench.pci.write_answers = {false, true, false, true, true, true};
    bench.run();
    const auto& all = bench.pci.writes;
    BOOST_TEST_REQUIRE(all.size() == 6u);  // two of them come twice
    for (std::size_t i = 0; i < 5; ++i) BOOST_TEST(!all[i].read);
    BOOST_TEST(all[5].read);
    BOOST_TEST(all[5].asked == all[4].answered);
    BOOST_TEST(bench.loads.at(0).ready == all[5].answered + bench.params.crossing);
}

BOOST_DATA_TEST_CASE(a_retried_read_is_repeated_after_the_gap, data::make({0_ns, 60_ns, 1_us}), gap)
{
    BridgeBench bench({187_ns, gap, 4});
    bench.pci.write_answers = {false, false, true};
    bench.read_at(1_us, 0x10, 4, 1_us);
    bench.run();
    const auto& reads = bench.pci.writes;
    BOOST_TEST_REQUIRE(reads.size() == 3u);
    for (std::size_t i = 0; i < 2; ++i) BOOST_TEST(reads[i + 1].asked == reads[i].answered + gap);
    BOOST_TEST_REQUIRE(bench.loads.size() == 1u);
    BOOST_TEST(bench.loads[0].ready == reads[2].answered + bench.params.crossing);
}

/// Two nodes that load from each other: each bridge has a read of its own outstanding and is read meanwhile.
BOOST_AUTO_TEST_CASE(reads_cross_both_ways)
{
    BridgeBench bench(with(187_ns));
    bench.pci.write_answers = std::deque<bool>(50, false);
    bench.memory.write(0x2000, pattern(64));
    bench.read_at(1_us, 0x10, 4, 1_us);
    bench.pci.load_at(2_us, 0x2000, 64);
    bench.run();
    BOOST_TEST_REQUIRE(bench.pci.loads.size() == 1u);
    BOOST_TEST(bench.pci.loads[0].data_phase ==
               2_us + bench.pci.data_after + bench.params.crossing + bench.params.memory_access);
    BOOST_TEST((bench.pci.loads[0].bytes == pattern(64)));
    BOOST_TEST_REQUIRE(bench.loads.size() == 1u);
    BOOST_TEST(bench.loads[0].ready > bench.pci.loads[0].data_phase);
    bench.simulation.require_drained();
}

BOOST_DATA_TEST_CASE(a_read_from_pci_takes_a_crossing_and_the_memory_on_the_bus,
                     data::make({0_ns, 187_ns}) * data::make({0_ns, 100_ns}) * data::make({1, 16, 64}), crossing,
                     access, size)
{
    BridgeBench bench(with(crossing, access));
    const auto bytes = pattern(static_cast<std::size_t>(size));
    bench.memory.write(0x1233, bytes);
    bench.pci.load_at(1_us, 0x1233, bytes.size());
    bench.run();
    BOOST_TEST_REQUIRE(bench.pci.loads.size() == 1u);
    BOOST_TEST(bench.pci.loads[0].data_phase == 1_us + bench.pci.data_after + crossing + access);
    BOOST_TEST((bench.pci.loads[0].bytes == bytes));
}

/// And before the read's own time begins all of them are in memory.
BOOST_DATA_TEST_CASE(a_read_from_pci_sees_the_writes_before_it_and_waits_for_the_last_one,
                     data::make({1_ns, 50_ns, 187_ns, 500_ns}) * data::make({1, 3}), after, writes)
{
    BridgeBench bench(with(187_ns));
    const Duration turn = bench.pci.data_after + 1_ns;
    for (int i = 0; i < writes; ++i) {
        bench.pci.store_at(1_us + turn * i, 0x3000, pattern(16, static_cast<std::uint64_t>(i)));
    }
    const Duration last = 1_us + turn * (writes - 1) + bench.pci.data_after;
    const Duration read = last + after;
    bench.pci.load_at(read, 0x3000, 16);
    bench.run();
    BOOST_TEST_REQUIRE(bench.pci.loads.size() == 1u);
    const Duration behind = std::max(last + bench.params.crossing, read);
    BOOST_TEST(bench.pci.loads[0].data_phase ==
               behind + bench.params.crossing + bench.params.memory_access + bench.pci.data_after);
    BOOST_TEST((bench.pci.loads[0].bytes == pattern(16, static_cast<std::uint64_t>(writes) - 1)));
    BOOST_TEST(bench.changes.size() == static_cast<std::size_t>(writes));
    for (const auto& change : bench.changes) BOOST_TEST(change.time <= behind);
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
