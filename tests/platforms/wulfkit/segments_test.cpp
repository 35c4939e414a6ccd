// SPDX-License-Identifier: Apache-2.0
/// Shared segments on a ring of PCs: what they carry, and what is refused, word for word.
#include <algorithm>
#include <vector>

#include "tests/platforms/configuration/user_error.h"
#include "tests/platforms/wulfkit/ring_bench.h"
#include "tests/support/cases.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using platforms::WulfkitParams;

/// Longer than any store needs to arrive, its flush time-out included.
constexpr Duration kLong = 100_us;
constexpr SegmentId kId = 7;
constexpr std::uint64_t kSize = 4000;

/// Node 0 exports a segment of kSize bytes to the others.
struct SegmentBench : RingBench {
    explicit SegmentBench(const WulfkitParams& wanted = RingBench::nodes(3)) : RingBench(wanted)
    {
        address = of(0).create_segment(kId, kSize);
        of(0).export_segment(kId);
    }
    SegmentDriver& of(unsigned rank) { return machine.processor(rank).segments(); }
    PcProcessor& cpu(unsigned rank) { return machine.processor(rank); }
    std::uint64_t att_left(unsigned rank) { return machine.host(rank).psb().translation().entries_left(); }
    /// The error that ends a run of node 1's program.
    std::string error_of_run(Task<> program)
    {
        cpu(1).run(std::move(program), "program");
        return error_of([this] { simulation.run(); });
    }
    std::vector<std::byte> segment() const { return read(0, address, kSize); }
    std::vector<std::byte> read(unsigned rank, std::uint64_t from, std::size_t size) const
    {
        std::vector<std::byte> bytes(size);
        const_cast<SegmentBench*>(this)->machine.processor(rank).peek(from, bytes);
        return bytes;
    }

    std::uint64_t address = 0;
};

Task<> store(PcProcessor& cpu, std::uint64_t address, const std::vector<std::byte>& bytes)
{
    const StoreRequest request{StoreKind::kMmx, address, bytes.data(), static_cast<std::uint32_t>(bytes.size())};
    co_await cpu.store(request);
}

}  // namespace

namespace ringmesh::test::segments_test {  // outside it, `system` is a function of the C library

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(segments)

BOOST_DATA_TEST_CASE(bytes_stored_to_a_mapping_arrive_at_its_place_in_the_segment,
                     data::make({0u, 1u, 64u, 1000u, 3700u}), offset)
{
    SegmentBench bench;
    const auto bytes = message(300, offset);
    const RemoteSegment segment = bench.of(1).import_segment(0, kId);
    BOOST_TEST(segment.size == kSize);
    const std::uint64_t window = bench.of(1).map_segment(segment, offset, 300);
    bench.cpu(1).run(store(bench.cpu(1), window, bytes), "store");
    bench.simulation.run();
    bench.simulation.require_drained();
    std::vector<std::byte> expected(kSize);
    std::copy(bytes.begin(), bytes.end(), expected.begin() + offset);
    BOOST_TEST((bench.segment() == expected));
}

BOOST_AUTO_TEST_CASE(only_exported_segments_of_other_nodes_are_imported)
{
    SegmentBench bench;
    bench.of(2).create_segment(1, 64);
    const auto error = [&](unsigned rank, SegmentId id) {
        return error_of([&] { bench.of(1).import_segment(rank, id); });
    };
    BOOST_TEST(error(3, kId) ==
               "node 1 cannot import segment 7 of node 3, which does not exist; choose another from 0 to 2");
    BOOST_TEST(error(1, kId) != "no error");
    BOOST_TEST(
        error(0, 8) ==
        "node 1 cannot import segment 8 of node 0, which has none of this number; create and export it there first");
    BOOST_TEST(error(2, 1) ==
               "node 1 cannot import segment 1 of node 2, which does not export it; export it there first");
    BOOST_TEST(error_of([&] { bench.of(1).map_doorbell(3); }) ==
               "node 1 cannot map the doorbell of node 3, which does not exist; choose another from 0 to 2");
}

BOOST_AUTO_TEST_CASE(a_mapping_lies_inside_its_segment)
{
    SegmentBench bench;
    const RemoteSegment segment = bench.of(1).import_segment(0, kId);
    const auto error = [&](std::uint64_t offset, std::uint64_t size) {
        return error_of([&] { bench.of(1).map_segment(segment, offset, size); });
    };
    BOOST_TEST(error(3900, 101) ==
               "node 1 cannot map 101 bytes from offset 3900 of segment 7 of node 0, which has 4000 bytes; map a part "
               "of these");
    BOOST_TEST(error(3900, 100) == "no error");
    BOOST_TEST(error(0, kSize + 1) != "no error");
    BOOST_TEST(error(0, kSize) == "no error");
    BOOST_TEST(error(kSize, 0) != "no error");
    BOOST_TEST(error(~std::uint64_t{0}, 2) != "no error");
    // Also with a forged handle, and after the owner's withdrawal
    BOOST_TEST(error_of([&] { bench.of(1).map_segment({0, kId, 1 << 20}, kSize, 1); }) != "no error");
    bench.of(0).withdraw_segment(kId);
    BOOST_TEST(error(0, 64) ==
               "node 1 cannot map segment 7 of node 0, which does not export it; export it there first");
}

BOOST_AUTO_TEST_CASE(entries_of_the_att_are_exhausted_and_freed)
{
    WulfkitParams params = RingBench::nodes(3);
    params.psb.att_entries = 4;
    SegmentBench bench(params);
    const auto page = static_cast<std::uint64_t>(params.psb.att_page.count());
    bench.of(2).create_segment(1, 8 * page);
    bench.of(2).export_segment(1);
    const RemoteSegment large = bench.of(1).import_segment(2, 1);
    const std::uint64_t small = bench.of(1).import_and_map(0, kId);
    const auto three = [&] { return bench.of(1).map_segment(large, 0, 3 * page - bench.address % page); };
    const std::uint64_t window = three();
    BOOST_TEST(bench.att_left(1) == 0u);
    BOOST_TEST(error_of([&] { bench.of(1).map_segment(large, 4 * page, 64); }) ==
               "node 1 cannot map 64 bytes of segment 1 of node 2: that takes 1 entries of the address translation "
               "table in a row, and of 4 are 0 left; unmap something, or raise psb.att_entries or psb.att_page");
    bench.of(1).unmap_segment(small);
    BOOST_TEST(bench.of(1).map_segment(large, 4 * page - bench.address % page, 64) / page == small / page);
    bench.of(1).unmap_segment(window);
    BOOST_TEST(bench.att_left(1) == 3u);
    BOOST_TEST(three() == window);
}

BOOST_AUTO_TEST_CASE(only_mapped_addresses_can_be_unmapped_and_only_once)
{
    SegmentBench bench;
    const std::uint64_t window = bench.of(1).import_and_map(0, kId);
    const auto error = [&](std::uint64_t address) { return error_of([&] { bench.of(1).unmap_segment(address); }); };
    BOOST_TEST(error(window + 1) ==
               "node 1 cannot unmap address 0x10000010001, where no mapping begins; give the address that map_segment "
               "returned");
    BOOST_TEST(error(0) != "no error");
    BOOST_TEST(error(window) == "no error");
    BOOST_TEST(error(window) != "no error");
}

BOOST_AUTO_TEST_CASE(an_access_where_nothing_was_ever_mapped_ends_the_run)
{
    SegmentBench bench;
    BOOST_TEST(
        bench.error_of_run(store(bench.cpu(1), hw::Host::kWindow + 0x40, message(8, 1))) ==
        "node 1 accesses 8 bytes at address 0x10000000040, where nothing is mapped; import and map a segment first");
    BOOST_TEST(bench.sum("node1.psb", "stores") == 0);
}

BOOST_DATA_TEST_CASE(an_access_that_leaves_its_mapping_ends_the_run, data::make({3992u, 3993u, 3999u, 4000u}), offset)
{
    SegmentBench bench;
    const std::uint64_t window = bench.of(1).import_and_map(0, kId);
    const std::string error = bench.error_of_run(store(bench.cpu(1), window + offset, message(8, 1)));
    BOOST_TEST((error == "no error") == (offset + 8 <= kSize));
    if (offset == 3993) {
        BOOST_TEST(error ==
                   "node 1 accesses 8 bytes at address 0x10000010f99, which are not all mapped; the nearest are 4000 "
                   "bytes at 0x10000010000 from offset 0 of segment 7 of node 0; stay inside or map more");
    }
    if (offset == 4000) {
        BOOST_TEST(error ==
                   "node 1 accesses 8 bytes at address 0x10000010fa0, which are not mapped; the nearest are 4000 bytes "
                   "at 0x10000010000 from offset 0 of segment 7 of node 0; stay inside or map more");
    }
}

/// Two mappings of one segment, with pages between their ends: the nearer one is named.
BOOST_DATA_TEST_CASE(the_mapping_that_is_nearest_is_named, data::make({100, 200, 400'000}), behind_first)
{
    SegmentBench bench;
    const RemoteSegment segment = bench.of(1).import_segment(0, kId);
    const std::uint64_t first = bench.of(1).map_segment(segment, 0, 64);
    const std::uint64_t second = bench.of(1).map_segment(segment, 64, 64);
    const std::uint64_t address = first + 64 + static_cast<std::uint64_t>(behind_first);
    const bool second_is_nearer = second - address < address - (first + 64);
    const std::string error = bench.error_of_run(store(bench.cpu(1), address, message(8, 1)));
    const std::string named = error.substr(error.find("from offset"), 14);
    BOOST_TEST(named == (second_is_nearer ? "from offset 64" : "from offset 0 "));
    BOOST_TEST(second_is_nearer == (behind_first == 400'000));
}

Task<> load(PcProcessor& cpu, std::uint64_t address, std::vector<std::byte>& bytes)
{
    const LoadRequest request{address, bytes.data(), static_cast<std::uint32_t>(bytes.size()), 4};
    co_await cpu.load(request);
}

Task<> copy(PcProcessor& cpu, std::uint64_t to, std::uint32_t size)
{
    const DmaRequest request{0x1000, to, size};
    co_await cpu.dma(request);
}

BOOST_DATA_TEST_CASE(loads_and_dma_stay_inside_a_mapping_too, data::make({0, 4}), too_far)
{
    SegmentBench bench;
    const std::uint64_t window = bench.of(1).map_segment(bench.of(1).import_segment(0, kId), 0, 128);
    std::vector<std::byte> bytes(8);
    const auto behind = static_cast<std::uint64_t>(too_far);
    bench.cpu(2).run(copy(bench.cpu(2), bench.of(2).import_and_map(0, kId), 128), "copy");
    const std::string error = bench.error_of_run(load(bench.cpu(1), window + 120 + behind, bytes));
    BOOST_TEST((error == "no error") == (behind == 0));
    if (behind != 0)
        BOOST_TEST(error.starts_with("node 1 accesses 8 bytes at address 0x1000001007c, which are not all"));
}

BOOST_AUTO_TEST_CASE(a_dma_order_past_a_mapping_is_refused)
{
    SegmentBench bench;
    const std::uint64_t window = bench.of(1).map_segment(bench.of(1).import_segment(0, kId), 0, 128);
    BOOST_TEST(bench.error_of_run(copy(bench.cpu(1), window + 64, 128))
                   .starts_with("node 1 accesses 128 bytes at address 0x10000010040, which are not all mapped"));
}

Task<> load_remap_load(PcProcessor& cpu, std::uint64_t window, RemoteSegment other, std::vector<std::byte>& bytes)
{
    const LoadRequest first{window, bytes.data(), 4, 4};
    co_await cpu.load(first);
    cpu.segments().unmap_segment(window);
    const std::uint64_t again = cpu.segments().map_segment(other, 0, 64);
    BOOST_TEST(again == window);
    const LoadRequest second{again + 4, bytes.data() + 4, 4, 4};
    co_await cpu.load(second);
}

/// The other segment gets the same address in the window.
BOOST_AUTO_TEST_CASE(prefetched_bytes_are_invalidated_with_their_mapping)
{
    WulfkitParams params = RingBench::nodes(3);
    params.psb.read_prefetch = true;
    SegmentBench bench(params);
    const std::uint64_t other = bench.of(2).create_segment(3, 64);
    bench.of(2).export_segment(3);
    bench.cpu(0).poke(bench.address, message(64, 1));
    bench.cpu(2).poke(other, message(64, 2));
    const std::uint64_t window = bench.of(1).import_and_map(0, kId);
    std::vector<std::byte> bytes(8);
    BOOST_TEST(bench.error_of_run(load_remap_load(bench.cpu(1), window, bench.of(1).import_segment(2, 3), bytes)) ==
               "no error");
    auto expected = message(8, 1);
    const auto second = message(8, 2);
    std::copy(second.begin() + 4, second.end(), expected.begin() + 4);
    BOOST_TEST((bytes == expected));
}

Task<> store_unmap_store(PcProcessor& cpu, std::uint64_t window, Duration pause, const std::vector<std::byte>& bytes)
{
    const StoreRequest request{StoreKind::kMmx, window + 16, bytes.data(), static_cast<std::uint32_t>(bytes.size())};
    co_await cpu.store(request);
    co_await cpu.compute(pause);
    cpu.segments().unmap_segment(window);
    co_await cpu.store(request);
}

BOOST_AUTO_TEST_CASE(an_access_after_unmapping_ends_the_run)
{
    SegmentBench bench;
    const auto bytes = message(8, 3);
    const std::uint64_t window = bench.of(1).import_and_map(0, kId);
    BOOST_TEST(bench.error_of_run(store_unmap_store(bench.cpu(1), window, kLong, bytes)) ==
               "node 1 accesses 8 bytes at address 0x10000010010, where segment 7 of node 0 was mapped until it was "
               "unmapped; map it again");
    BOOST_TEST(now() >= kLong);
    BOOST_TEST((bench.read(0, bench.address + 16, 8) == bytes));
}

/// In the bridge, and gathered in a stream buffer until its time-out.
BOOST_DATA_TEST_CASE(a_mapping_that_has_stores_under_way_is_not_unmapped, data::make({0_ns, 1_us, 4_us}), pause)
{
    SegmentBench bench;
    const std::uint64_t window = bench.of(1).import_and_map(0, kId);
    BOOST_TEST(bench.error_of_run(store_unmap_store(bench.cpu(1), window, pause, message(8, 3))) ==
               "node 1 unmaps segment 7 of node 0 from address 0x10000010000 while stores to it have not left the "
               "card; wait for a barrier first");
}

Task<> withdraw_at(PcProcessor& cpu, Duration time)
{
    co_await cpu.compute(time);
    cpu.segments().withdraw_segment(kId);
}

BOOST_DATA_TEST_CASE(requests_that_arrive_after_the_withdrawal_end_the_run, data::make({0_ns, 1_us, kLong}), withdrawn)
{
    SegmentBench bench;
    const std::uint64_t window = bench.of(1).import_and_map(0, kId);
    bench.cpu(0).run(withdraw_at(bench.cpu(0), withdrawn), "owner");
    const auto bytes = message(64, 3);
    const std::string error = bench.error_of_run(store(bench.cpu(1), window + 128, bytes));
    const auto found = bench.read(0, bench.address + 128, 64);
    if (withdrawn == kLong) {
        BOOST_TEST(error == "no error");
        BOOST_TEST((found == bytes));
    } else {
        BOOST_TEST(error ==
                   "node 1 accesses 64 bytes at address 0x10080 of node 0, in segment 7, which is not exported any "
                   "more; unmap it everywhere before it is withdrawn");
        BOOST_TEST((found == std::vector<std::byte>(64)));
    }
}

BOOST_DATA_TEST_CASE(a_doorbell_is_a_page_far_above_memory, data::make({0u, 2u}), rank)
{
    SegmentBench bench;
    const std::uint64_t before = bench.att_left(1);
    const std::uint64_t bell = bench.of(1).map_doorbell(rank);
    const auto where = bench.machine.host(1).psb().translation().translate(bell - hw::Host::kWindow);
    const sci::Address wanted{static_cast<sci::NodeId>(rank), sci::kDoorbellOffset};
    BOOST_TEST((where == wanted));
    BOOST_TEST(bench.att_left(1) == before - 1);
    auto& driver = bench.machine.host(1).pc.driver;
    BOOST_CHECK_NO_THROW(driver.check(bell, sci::kDoorbellBytes));
    BOOST_TEST(error_of([&] { driver.check(bell + 4, 4); }) ==
               "node 1 accesses 4 bytes at address 0x10000000004, which are not mapped; the nearest are 4 bytes at "
               "0x10000000000 from offset 0 of the doorbell of node " +
                   std::to_string(rank) + "; stay inside or map more");
    bench.of(1).unmap_segment(bell);
    BOOST_TEST(bench.att_left(1) == before);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::test::segments_test
