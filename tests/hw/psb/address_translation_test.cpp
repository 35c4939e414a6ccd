// SPDX-License-Identifier: Apache-2.0
#include "hw/psb/address_translation.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <set>
#include <vector>

#include "tests/hw/printing.h"
#include "tlm/random.h"

namespace {

namespace data = boost::unit_test::data;
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
BOOST_DATA_TEST_CASE(blocks_stay_blocks, kPages, page)
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

BOOST_AUTO_TEST_CASE(different_maps_never_share_a_page)
{
    AddressTranslation att(with(4_KiB, 4096));
    Random random(2);
    std::set<std::uint64_t> pages;
    for (sci::NodeId node = 0; node < 200; ++node) {
        const std::uint64_t offset = random.below(100'000);
        const std::uint64_t size = 1 + random.below(20'000);
        const auto window = att.map(node, offset, size);
        BOOST_TEST_REQUIRE(window.has_value());
        for (std::uint64_t page = *window / 4096; page <= (*window + size - 1) / 4096; ++page) {
            BOOST_TEST(pages.insert(page).second);
            BOOST_TEST(att.translate(page * 4096)->node == node);
        }
    }
}

BOOST_AUTO_TEST_CASE(what_was_not_mapped_is_not_translated)
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

BOOST_AUTO_TEST_CASE(a_map_that_fails_takes_no_entry)
{
    AddressTranslation att(with(4_KiB, 2));
    BOOST_TEST(!att.map(1, 0, 3 * 4096).has_value());
    BOOST_TEST(att.map(1, 0, 2 * 4096).has_value());
    BOOST_TEST(!att.map(1, 0, 1).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
