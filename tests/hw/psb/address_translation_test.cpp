// SPDX-License-Identifier: Apache-2.0
#include "hw/psb/address_translation.h"

#include <algorithm>
#include <set>
#include <vector>

#include "tests/hw/printing.h"
#include "tests/support/cases.h"
#include "tlm/error.h"
#include "tlm/simulation/random.h"

namespace {

using namespace ringmesh;
using hw::AddressTranslation;
using hw::PsbParams;

PsbParams with(Bytes page, std::int64_t entries)
{
    PsbParams params;
    params.att_page = page;
    params.att_entries = entries;
    return params;
}

const auto kPages = data::make({std::int64_t{4096}, std::int64_t{512 * 1024}, std::int64_t{16 * 1024 * 1024}});

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(address_translation)

BOOST_DATA_TEST_CASE(every_byte_of_a_mapped_range_is_where_it_was_mapped_from,
                     kPages* data::make({0, 1, 63, 4095, 4096, 5000}), page, offset)
{
    AddressTranslation att(with(Bytes(page), 1000));
    BOOST_TEST_REQUIRE(att.map(9, 77, 1).has_value());  // something else before it
    const auto first = static_cast<std::uint64_t>(offset) + 3 * static_cast<std::uint64_t>(page);
    for (const std::uint64_t size : {1u, 64u, 4096u, 10'000u}) {
        const auto window = att.map(4, first, size);
        BOOST_TEST_REQUIRE(window.has_value());
        for (std::uint64_t i = 0; i < size; i += i % 61 + 1) {
            const auto where = att.translate(*window + i);
            BOOST_TEST_REQUIRE(where.has_value());
            BOOST_TEST(where->node == 4u);
            BOOST_TEST(where->offset == first + i);
        }
    }
}

/// Stream buffers of the window are blocks of the target's memory.
BOOST_DATA_TEST_CASE(blocks_are_not_split_by_translation, kPages, page)
{
    AddressTranslation att(with(Bytes(page), 1000));
    for (const std::uint64_t offset : {0u, 64u, 12'345u, 999'999u}) {
        const auto window = att.map(1, offset, 100);
        BOOST_TEST_REQUIRE(window.has_value());
        BOOST_TEST(*window % sci::kBlockBytes == offset % sci::kBlockBytes);
    }
}

BOOST_AUTO_TEST_CASE(an_address_uses_all_of_its_48_bits)
{
    AddressTranslation att(with(4_KiB, 4));
    const std::uint64_t last = (std::uint64_t{1} << 48) - 1;
    const auto window = att.map(0xFFFF, last, 1);
    BOOST_TEST_REQUIRE(window.has_value());
    BOOST_TEST(att.translate(*window)->node == 0xFFFF);
    BOOST_TEST(att.translate(*window)->offset == last);
}

BOOST_AUTO_TEST_CASE(unmapped_addresses_are_not_translated)
{
    AddressTranslation att(with(4_KiB, 16));
    BOOST_TEST(!att.translate(0).has_value());
    const auto window = att.map(1, 0, 4096);
    BOOST_TEST_REQUIRE(window.has_value());
    BOOST_TEST(att.translate(*window + 4095).has_value());
    BOOST_TEST(!att.translate(*window + 4096).has_value());
}

BOOST_DATA_TEST_CASE(a_map_takes_an_entry_per_page_that_it_touches, data::make({1, 2, 16}), entries)
{
    const auto pages = static_cast<std::uint64_t>(entries);
    BOOST_TEST(AddressTranslation(with(4_KiB, entries)).map(1, 0, pages * 4096).has_value());
    BOOST_TEST(AddressTranslation(with(4_KiB, entries)).map(1, 4095, (pages - 1) * 4096 + 1).has_value());
    BOOST_TEST(!AddressTranslation(with(4_KiB, entries)).map(1, 4095, (pages - 1) * 4096 + 2).has_value());
    BOOST_TEST(!AddressTranslation(with(4_KiB, entries)).map(1, 0, pages * 4096 + 1).has_value());
}

BOOST_AUTO_TEST_CASE(an_offset_of_more_than_48_bits_is_refused)
{
    AddressTranslation att(with(4_KiB, 4));
    BOOST_CHECK_THROW(att.map(1, sci::kOffsetEnd, 1), ModelError);
    BOOST_CHECK_THROW(att.map(1, sci::kOffsetEnd - 1, 2), ModelError);
    BOOST_CHECK_THROW(att.map(1, ~std::uint64_t{0}, 2), ModelError);
    BOOST_TEST(att.entries_left() == 4u);
    BOOST_CHECK_NO_THROW(att.map(1, sci::kOffsetEnd - 2, 2));
}

BOOST_DATA_TEST_CASE(an_address_is_packed_into_16_and_48_bits, data::make({0u, 1u, 0x8000u, 0xFFFFu}), node)
{
    for (const std::uint64_t offset :
         {std::uint64_t{0}, std::uint64_t{64}, sci::kDoorbellOffset, sci::kOffsetEnd - 1}) {
        const sci::Address address{static_cast<sci::NodeId>(node), offset};
        BOOST_TEST(address.packed() == node * sci::kOffsetEnd + offset);
        BOOST_TEST((sci::Address::unpacked(address.packed()) == address));
    }
    BOOST_CHECK_THROW((sci::Address{static_cast<sci::NodeId>(node), sci::kOffsetEnd}.packed()), ModelError);
}

BOOST_DATA_TEST_CASE(unmapping_a_page_leaves_its_neighbours_mapped, data::make({1, 2, 3}), pages)
{
    AddressTranslation att(with(4_KiB, 16));
    const auto size = static_cast<std::uint64_t>(pages) * 4096;
    const auto before = att.map(1, 0, 1);
    const auto window = att.map(2, 8192, size);
    const auto behind = att.map(3, 0, 1);
    BOOST_TEST_REQUIRE((before && window && behind));
    att.unmap(*window, size);
    for (std::uint64_t i = 0; i < size; i += 1024) BOOST_TEST(!att.translate(*window + i).has_value());
    BOOST_TEST(att.translate(*before)->node == 1u);
    BOOST_TEST(att.translate(*behind)->node == 3u);
    BOOST_TEST(att.entries_left() == 14u);
    BOOST_CHECK_THROW(att.unmap(*window, size), ModelError);
}

/// Freed entries form one run again, in whatever order they were freed.
BOOST_DATA_TEST_CASE(entries_and_window_are_used_again, data::xrange(24), order)
{
    constexpr std::uint64_t kPage = 4096;
    AddressTranslation att(with(Bytes(kPage), 8));
    std::vector<std::uint64_t> windows;
    for (unsigned i = 0; i < 4; ++i) windows.push_back(att.map(1, 100, 2 * kPage - 100).value());
    BOOST_TEST(!att.map(1, 0, 1).has_value());
    std::vector<int> turns{0, 1, 2, 3};
    for (int i = 0; i < order; ++i) std::next_permutation(turns.begin(), turns.end());
    std::uint64_t lowest = 4;
    for (const int turn : turns) {
        att.unmap(windows[static_cast<std::size_t>(turn)], 2 * kPage - 100);
        lowest = std::min(lowest, static_cast<std::uint64_t>(turn));
        BOOST_TEST(att.map(2, 0, 2 * kPage).value() == lowest * 2 * kPage);
        att.unmap(lowest * 2 * kPage, 2 * kPage);
    }
    BOOST_TEST(att.entries_left() == 8u);
    BOOST_TEST(att.map(3, 0, 8 * kPage).value() == 0u);
}

BOOST_AUTO_TEST_CASE(a_map_needs_consecutive_entries)
{
    AddressTranslation att(with(4_KiB, 4));
    std::vector<std::uint64_t> windows;
    for (unsigned i = 0; i < 4; ++i) windows.push_back(att.map(1, 0, 4096).value());
    att.unmap(windows[0], 4096);
    att.unmap(windows[2], 4096);
    BOOST_TEST(att.entries_left() == 2u);
    BOOST_TEST(!att.map(1, 0, 4097).has_value());
    BOOST_TEST(att.map(1, 0, 4096).value() == windows[0]);
}

/// Maps and unmaps at random; existing maps are translated, and none overlap.
BOOST_AUTO_TEST_CASE(random_maps_never_overlap)
{
    struct Live {
        std::uint64_t window, offset, size;
        sci::NodeId node;
    };
    AddressTranslation att(with(4_KiB, 64));
    Random random(11);
    std::vector<Live> all;
    std::uint64_t refused = 0;
    for (unsigned step = 0; step < 20'000; ++step) {
        if (!all.empty() && random.below(100) < 48) {
            const auto i = static_cast<std::ptrdiff_t>(random.below(all.size()));
            att.unmap(all[static_cast<std::size_t>(i)].window, all[static_cast<std::size_t>(i)].size);
            all.erase(all.begin() + i);
        } else {
            Live live{0, random.below(1'000'000), 1 + random.below(20'000), static_cast<sci::NodeId>(step)};
            const auto window = att.map(live.node, live.offset, live.size);
            live.window = window.value_or(0);
            if (window) {
                all.push_back(live);
            } else {
                ++refused;
            }
        }
        std::uint64_t used = 0;
        for (const Live& live : all) {
            used += att.entries_of(live.offset, live.size);
            for (const std::uint64_t at : {std::uint64_t{0}, live.size / 2, live.size - 1}) {
                const sci::Address wanted{live.node, live.offset + at};
                if (att.translate(live.window + at) != wanted) BOOST_ERROR("step " << step << ": lost a map");
            }
        }
        BOOST_TEST_REQUIRE(att.entries_left() == 64 - used);
    }
    BOOST_TEST(refused > 100u);
    BOOST_TEST(refused < 10'000u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
