// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "tests/hw/host/host_bridge_bench.h"
#include "tests/support/cases.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(host_bridge)

BOOST_DATA_TEST_CASE(a_posted_write_asks_for_pci_a_crossing_after_it_was_issued,
                     data::make({0_ns, 187_ns}) * data::make({0_ns, 10_ns, 3_us}), crossing, later)
{
    BridgeBench bench({crossing, 60_ns, 4});
    bench.post_at(1_us, 0x5000, pattern(13), 1_us + later);
    bench.run();
    BOOST_TEST_REQUIRE(bench.pci.writes.size() == 1u);
    BOOST_TEST(bench.pci.writes[0].asked == 1_us + later + crossing);
    BOOST_TEST(bench.pci.writes[0].address == 0x5000u);
    BOOST_TEST((bench.pci.writes[0].bytes == pattern(13)));
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_CASE(posted_writes_follow_one_another_as_fast_as_the_bus_takes_them)
{
    BridgeBench bench;
    for (std::uint64_t i = 0; i < 4; ++i) bench.post_at(1_us, i, pattern(4, i), 1_us);
    bench.run();
    BOOST_TEST_REQUIRE(bench.pci.writes.size() == 4u);
    for (std::size_t i = 0; i < 4; ++i) {
        BOOST_TEST(bench.pci.writes[i].asked ==
                   1_us + bench.params.crossing + bench.pci.write_takes * static_cast<std::int64_t>(i));
        BOOST_TEST((bench.pci.writes[i].bytes == pattern(4, i)));
    }
    bench.simulation.require_drained();
}

BOOST_DATA_TEST_CASE(a_retried_write_is_repeated_after_the_gap_and_before_later_ones, data::make({0_ns, 60_ns, 1_us}),
                     gap)
{
    BridgeBench bench({187_ns, gap, 4});
    bench.pci.write_answers = {false, false, true};
    bench.post_at(1_us, 0x10, pattern(4), 1_us);
    bench.post_at(1_us, 0x20, pattern(4), 1_us);
    bench.run();
    const auto& writes = bench.pci.writes;
    BOOST_TEST_REQUIRE(writes.size() == 4u);
    for (std::size_t i = 0; i < 2; ++i) {
        BOOST_TEST(writes[i + 1].address == 0x10u);
        BOOST_TEST(writes[i + 1].asked == writes[i].answered + gap);
    }
    BOOST_TEST(writes[3].address == 0x20u);
    BOOST_TEST(writes[3].asked == writes[2].answered);
}

BOOST_DATA_TEST_CASE(it_is_full_at_its_bound_of_posted_writes, data::make({1, 2, 8}), slots)
{
    BridgeBench bench({187_ns, 60_ns, static_cast<std::size_t>(slots)});
    bench.timetable.at(1_us, [&bench, slots] {
        for (int i = 0; i < slots; ++i) {
            BOOST_TEST(!bench.bridge.full());
            bench.bridge.post(0, pattern(4), now());
        }
        BOOST_TEST(bench.bridge.full());
    });
    bench.run();
    BOOST_TEST(!bench.bridge.full());
    // The processor is notified of the first write that left only: after it the buffer was no longer full.
    BOOST_TEST_REQUIRE(bench.room.size() == 1u);
    BOOST_TEST(bench.room[0] == bench.pci.writes.at(0).answered);
}

BOOST_AUTO_TEST_CASE(a_retry_makes_no_room)
{
    BridgeBench bench({187_ns, 60_ns, 1});
    bench.pci.write_answers = {false, false, true};
    bench.post_at(1_us, 0, pattern(4), 1_us);
    bench.run();
    BOOST_TEST_REQUIRE(bench.room.size() == 1u);
    BOOST_TEST(bench.room[0] == bench.pci.writes.at(2).answered);
}

BOOST_DATA_TEST_CASE(a_write_from_pci_is_in_memory_after_the_crossing_and_not_before,
                     data::make({0_ns, 187_ns, 1_us}) * data::make({1, 16, 64}), crossing, size)
{
    BridgeBench bench({crossing, 60_ns, 4});
    const auto bytes = pattern(static_cast<std::size_t>(size));
    bench.pci.store_at(1_us, 0x1233, bytes);
    const Duration there = 1_us + bench.pci.data_after + crossing;
    std::vector<std::byte> before(bytes.size()), after(bytes.size());
    bench.timetable.at(there - 1_ps, [&] { bench.memory.read(0x1233, before); });
    bench.run();
    bench.memory.read(0x1233, after);
    BOOST_TEST((before == std::vector<std::byte>(bytes.size())));
    BOOST_TEST((after == bytes));
    BOOST_TEST_REQUIRE(bench.changes.size() == 1u);
    BOOST_TEST(bench.changes[0].time == there);
    BOOST_TEST(bench.changes[0].address == 0x1233u);
    BOOST_TEST(bench.changes[0].size == bytes.size());
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_CASE(writes_from_pci_to_a_full_buffer_are_retried)
{
    constexpr std::size_t kPlaces = 2;
    BridgeBench bench({187_ns, 60_ns, 4, kPlaces});
    const Duration turn = bench.pci.data_after + 1_ns;  // one after the other, as on a bus, and all within a crossing
    for (std::size_t i = 0; i <= kPlaces; ++i) {
        bench.pci.store_at(1_us + turn * static_cast<std::int64_t>(i), 64 * i, pattern(1, i));
    }
    bench.pci.store_at(2_us, 64 * 9, pattern(1, 9));
    bench.run();
    BOOST_TEST(std::count_if(bench.pci.stores.begin(), bench.pci.stores.end(),
                             [](const PciProbe::Store& store) { return !store.taken; }) == 1);
    BOOST_TEST(bench.pci.stores.back().taken);
    BOOST_TEST(bench.changes.size() == kPlaces + 1);
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_CASE(writes_from_pci_keep_their_order)
{
    BridgeBench bench({187_ns, 60_ns, 4, 64});
    for (std::uint64_t i = 0; i < 50; ++i) {
        bench.pci.store_at(1_us + 10_ns * static_cast<std::int64_t>(i), 0, pattern(1, i));
    }
    bench.run();
    for (const PciProbe::Store& store : bench.pci.stores) BOOST_TEST(store.taken);
    BOOST_TEST(bench.changes.size() == 50u);
    std::vector<std::byte> last(1);
    bench.memory.read(0, last);
    BOOST_TEST((last == pattern(1, 49)));
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_CASE(a_full_posted_buffer_lets_writes_from_pci_in)
{
    BridgeBench bench({187_ns, 60_ns, 1});
    bench.pci.write_takes = 100_us;
    bench.post_at(1_us, 0, pattern(4), 1_us);
    bench.pci.store_at(2_us, 64, pattern(4));
    bench.run();
    BOOST_TEST_REQUIRE(bench.changes.size() == 1u);
    BOOST_TEST(bench.changes[0].time == 2_us + bench.pci.data_after + bench.params.crossing);
}

namespace {

hw::HostBridge::Config with(Duration crossing, Duration memory_access = 100_ns)
{
    return {.crossing = 111_ns,
            .retry_gap = 60_ns,
            .posted_writes = 4,
            .memory_access = memory_access,
            .read_crossing = crossing};
}

}  // namespace

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
    BOOST_TEST(bench.loads.at(0).ready == all[5].answered + bench.params.read_crossing);
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
    BOOST_TEST(bench.loads[0].ready == reads[2].answered + bench.params.read_crossing);
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
               2_us + bench.pci.data_after + bench.params.read_crossing + bench.params.memory_access);
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
               behind + bench.params.read_crossing + bench.params.memory_access + bench.pci.data_after);
    BOOST_TEST((bench.pci.loads[0].bytes == pattern(16, static_cast<std::uint64_t>(writes) - 1)));
    BOOST_TEST(bench.changes.size() == static_cast<std::size_t>(writes));
    for (const auto& change : bench.changes) BOOST_TEST(change.time <= behind);
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
