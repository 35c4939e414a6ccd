// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/core/page_table.h"

#include <set>

#include "tests/support/cases.h"
#include "tlm/error.h"

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(scc_page_table)

namespace {

using namespace ringmesh;
using namespace ringmesh::hw;

constexpr std::uint32_t kPage = PageTable::kPage;

PageTable table(PagePlacement placement, std::int64_t pages = 64, std::uint64_t seed = 1)
{
    return {5, Bytes(pages * kPage), placement, Random(seed)};
}

}  // namespace

BOOST_AUTO_TEST_CASE(contiguous_pages_lie_behind_each_other_from_physical_address_0)
{
    auto pages = table(PagePlacement("contiguous"));
    const auto first = pages.allocate(3 * kPage, PageKind::kCached);
    const auto second = pages.allocate(1, PageKind::kUncached);
    for (std::uint32_t i = 0; i < 3 * kPage; i += 1000) BOOST_TEST(pages.translate(first + i).address == i);
    BOOST_TEST(pages.translate(second + 7).address == 3 * kPage + 7);
    BOOST_TEST((pages.translate(first).kind == PageKind::kCached));
    BOOST_TEST((pages.translate(second).kind == PageKind::kUncached));
}

BOOST_DATA_TEST_CASE(every_page_is_allocated_once, data::make({0, 1}), random)
{
    auto pages = table(random != 0 ? PagePlacement("random") : PagePlacement("contiguous"));
    std::set<std::uint32_t> places;
    for (int i = 0; i < 16; ++i) {
        const auto address = pages.allocate(4 * kPage, PageKind::kCached);
        for (std::uint32_t page = 0; page < 4; ++page) places.insert(pages.translate(address + page * kPage).address);
    }
    BOOST_TEST(places.size() == 64u);
    BOOST_TEST(*places.begin() == 0u);
    BOOST_TEST(*places.rbegin() == 63 * kPage);
    BOOST_CHECK_EXCEPTION(pages.allocate(1, PageKind::kCached), UserError, [](const UserError& error) {
        return std::string(error.what()) ==
               "core 5: 1 bytes of private memory are requested, and 0 are free; raise the core's `memory`";
    });
}

BOOST_AUTO_TEST_CASE(random_pages_depend_on_the_seed_alone)
{
    const auto places = [](std::uint64_t seed) {
        auto pages = table(PagePlacement("random"), 4096, seed);
        const auto address = pages.allocate(32 * kPage, PageKind::kCached);
        std::vector<std::uint32_t> found;
        for (std::uint32_t i = 0; i < 32; ++i) found.push_back(pages.translate(address + i * kPage).address);
        return found;
    };
    BOOST_TEST(places(1) == places(1), boost::test_tools::per_element());
    BOOST_TEST((places(1) != places(2)));
}

BOOST_AUTO_TEST_CASE(addresses_past_the_allocated_pages_are_not_mapped)
{
    auto pages = table(PagePlacement("contiguous"));
    const auto address = pages.allocate(kPage, PageKind::kCached);
    pages.allocate(kPage, PageKind::kCached);
    BOOST_CHECK_NO_THROW(pages.translate(address + kPage - 1));
    BOOST_CHECK_EXCEPTION(pages.translate(address + kPage), UserError, [](const UserError& error) {
        return std::string(error.what()) ==
               "core 5: address 0x10001000 is not mapped; use what allocate(), message_buffer() and test_and_set() "
               "return, and stay within it";
    });
    BOOST_CHECK_EXCEPTION(pages.translate(std::uint64_t{1} << 32), UserError, [](const UserError& error) {
        return std::string(error.what()) == "core 5: address 0x100000000 has more than 32 bits";
    });
    // An error leaves no trace.
    BOOST_CHECK_THROW(pages.translate(0), UserError);
    BOOST_TEST(pages.translate(address).address == 0u);
}

BOOST_AUTO_TEST_CASE(mapped_pages_translate_to_their_targets)
{
    auto pages = table(PagePlacement("contiguous"));
    pages.map(0xC000'0000, 0xC100'0000, 2 * kPage, PageKind::kMessageBuffer);
    const auto place = pages.translate(0xC000'1234);
    BOOST_TEST(place.address == 0xC100'1234u);
    BOOST_TEST((place.kind == PageKind::kMessageBuffer));
    BOOST_CHECK_THROW(pages.translate(0xC000'2000), UserError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
