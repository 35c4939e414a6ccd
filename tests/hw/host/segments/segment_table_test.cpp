// SPDX-License-Identifier: Apache-2.0
#include "hw/host/segments/segment_table.h"

#include <vector>

#include "tests/platforms/configuration/user_error.h"
#include "tests/support/cases.h"
#include "tlm/error.h"
#include "tlm/simulation/random.h"

namespace {

using namespace ringmesh;
using hw::SegmentTable;
using test::error_of;

constexpr unsigned kMe = 4;
constexpr unsigned kOther = 9;
constexpr std::uint64_t kMemory = 1 << 20;
constexpr std::uint64_t kRoom = kMemory - SegmentTable::kFirst;

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(segment_table)

BOOST_AUTO_TEST_CASE(segments_are_adjacent_on_block_boundaries)
{
    SegmentTable table(kMe, kMemory, 1000);
    Random random(1);
    std::uint64_t next = SegmentTable::kFirst;
    for (SegmentId id = 0; id < 100; ++id) {
        const std::uint64_t size = 1 + random.below(5000);
        const std::uint64_t address = id % 3 == 0 ? table.allocate(size) : table.create(id, size);
        BOOST_TEST(address == next);
        next = (address + size + 127) / 128 * 128;
    }
}

BOOST_DATA_TEST_CASE(a_byte_belongs_to_the_segment_that_has_it, data::make({1u, 127u, 128u, 129u, 1000u}), size)
{
    SegmentTable table(kMe, kMemory, 3);
    table.allocate(100);
    const std::uint64_t first = table.create(7, size);
    const std::uint64_t second = table.create(3, size);
    BOOST_TEST(table.find_range(first - 1, 1) == nullptr);
    for (const std::uint64_t begin : {first, second}) {
        const SegmentId id = begin == first ? 7 : 3;
        BOOST_TEST(table.find(id)->address == begin);
        for (const std::uint64_t at : {0u, size / 2, size - 1}) {
            BOOST_TEST_REQUIRE(table.find_range(begin + at, size - at) != nullptr);
            BOOST_TEST(table.find_range(begin + at, size - at)->id == id);
            BOOST_TEST(table.find_range(begin + at, size - at + 1) == nullptr);
        }
        BOOST_TEST((begin + size == second || table.find_range(begin + size, 0) == nullptr));
    }
    BOOST_TEST(table.find(5) == nullptr);
    BOOST_TEST(table.find_range(~std::uint64_t{0}, 1) == nullptr);
    BOOST_TEST(table.find_range(first, ~std::uint64_t{0}) == nullptr);
}

BOOST_AUTO_TEST_CASE(all_memory_but_the_lowest_can_be_allocated_and_no_more)
{
    SegmentTable table(kMe, kMemory, 3);
    BOOST_TEST(error_of([&] { table.create(1, kRoom + 1); }) ==
               "node 4 has 983040 bytes of memory left, too few for segment 1 of 983041; make it smaller or raise "
               "host.memory, 1048576 bytes");
    BOOST_TEST(table.create(1, kRoom - 128) == SegmentTable::kFirst);
    BOOST_TEST(error_of([&] { table.allocate(129); }) ==
               "node 4 has 128 bytes of memory left, too few for a buffer of 129; make it smaller or raise "
               "host.memory, 1048576 bytes");
    BOOST_TEST(error_of([&] { table.allocate(~std::uint64_t{0}); }).starts_with("node 4 has 128 bytes"));
    BOOST_TEST(table.allocate(128) == kMemory - 128);
    BOOST_TEST(error_of([&] { table.create(2, 1); }).starts_with("node 4 has 0 bytes of memory left"));
}

BOOST_AUTO_TEST_CASE(a_segment_that_cannot_be_made_is_refused_and_takes_nothing)
{
    SegmentTable table(kMe, kMemory, 2);
    const std::uint64_t first = table.create(6, 100);
    BOOST_TEST(error_of([&] { table.create(6, 10); }) ==
               "node 4 has a segment 6 already, of 100 bytes; choose another number");
    BOOST_TEST(error_of([&] { table.create(7, 0); }) ==
               "node 4 cannot create segment 7 with 0 bytes; give it at least 1");
    BOOST_TEST(table.create(8, 10) == first + 128);
    BOOST_TEST(error_of([&] { table.create(9, 10); }) ==
               "node 4 cannot create segment 9: it has 2 already; use fewer or raise host.segments");
    BOOST_TEST(table.allocate(10) == first + 256);
}

BOOST_AUTO_TEST_CASE(exports_are_of_segments_that_exist_and_end_once)
{
    SegmentTable table(kMe, kMemory, 2);
    BOOST_TEST(error_of([&] { table.export_segment(2); }) ==
               "node 4 cannot export segment 2, which it does not have; create it first");
    BOOST_TEST(error_of([&] { table.withdraw(2); }) ==
               "node 4 cannot withdraw segment 2, which it does not have; create it first");
    table.create(2, 64);
    BOOST_TEST(error_of([&] { table.withdraw(2); }) ==
               "node 4 cannot withdraw segment 2, which is not exported; export it first");
    BOOST_TEST(!table.find(2)->exported);
    table.export_segment(2);
    BOOST_TEST(table.find(2)->exported);
    table.withdraw(2);
    BOOST_TEST(!table.find(2)->exported);
    BOOST_CHECK_NO_THROW(table.export_segment(2));
}

BOOST_AUTO_TEST_CASE(requests_may_touch_the_blocks_of_exported_segments_and_nothing_else)
{
    SegmentTable table(kMe, kMemory, 8);
    BOOST_TEST(
        error_of([&] { table.require_exported(kOther, 0x20000, 64); }) ==
        "node 9 accesses 64 bytes at address 0x20000 of node 4, which has no segment there; map what it exports");
    const std::uint64_t shared = table.create(0, 100);  // a block of 128
    const std::uint64_t hidden = table.create(1, 128);
    const std::uint64_t last = table.create(2, 128);
    table.export_segment(0);
    table.export_segment(2);
    const auto admitted = [&](std::uint64_t address, std::uint64_t size) {
        return error_of([&] { table.require_exported(kOther, address, size); }) == "no error";
    };
    // Each after a hit and after a miss of the remembered range
    for (const std::uint64_t before : {shared, last}) {
        const auto after = [&](std::uint64_t address, std::uint64_t size) {
            BOOST_TEST(admitted(before, 1));
            return admitted(address, size);
        };
        BOOST_TEST(after(shared, 128));
        BOOST_TEST(after(shared + 64, 64));
        BOOST_TEST(after(shared + 127, 1));
        BOOST_TEST(!after(shared + 127, 2));
        BOOST_TEST(!after(shared + 128, 1));
        BOOST_TEST(!after(shared - 1, 2));
        BOOST_TEST(!after(hidden, 128));
        BOOST_TEST(after(last, 128));
        BOOST_TEST(!after(last + 128, 1));
        BOOST_TEST(!after(last, ~std::uint64_t{0}));
    }
    BOOST_TEST(error_of([&] { table.require_exported(kOther, hidden + 16, 16); }) ==
               "node 9 accesses 16 bytes at address 0x10090 of node 4, in segment 1, which is not exported any more; "
               "unmap it everywhere before it is withdrawn");
    BOOST_TEST(error_of([&] { table.require_exported(kOther, last + 128, 4); }) ==
               "node 9 accesses 4 bytes at address 0x10180 of node 4, in no segment; the nearest below is segment 2, "
               "128 bytes at 0x10100; map what it exports");
}

BOOST_AUTO_TEST_CASE(a_withdrawn_segment_is_refused_although_it_was_used_last)
{
    SegmentTable table(kMe, kMemory, 8);
    const std::uint64_t address = table.create(5, 64);
    table.export_segment(5);
    BOOST_CHECK_NO_THROW(table.require_exported(kOther, address, 64));
    table.withdraw(5);
    BOOST_CHECK_THROW(table.require_exported(kOther, address, 64), UserError);
    table.export_segment(5);
    BOOST_CHECK_NO_THROW(table.require_exported(kOther, address, 64));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
