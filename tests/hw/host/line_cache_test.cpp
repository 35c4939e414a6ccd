// SPDX-License-Identifier: Apache-2.0
#include "hw/host/line_cache.h"
#include "tests/support/cases.h"

namespace {

using ringmesh::hw::LineCache;
using namespace ringmesh;

constexpr std::uint64_t kCacheSets = 4;  // of four lines of 32 bytes each
LineCache small_cache() { return {Bytes(512), 32_B}; }

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(line_cache)

BOOST_AUTO_TEST_CASE(a_line_is_there_from_its_first_use_on)
{
    LineCache cache = small_cache();
    BOOST_TEST(!cache.use(0));
    BOOST_TEST(cache.use(0));
    BOOST_TEST(cache.use(31));
    BOOST_TEST(!cache.use(32));
}

BOOST_AUTO_TEST_CASE(a_write_from_pci_takes_the_lines_it_touches_and_no_others)
{
    LineCache cache = small_cache();
    for (std::uint64_t line = 0; line < 4; ++line) cache.use(32 * line);
    cache.written(63, 2);
    BOOST_TEST(cache.use(0));
    BOOST_TEST(!cache.use(32));
    BOOST_TEST(!cache.use(64));
    BOOST_TEST(cache.use(96));
    cache.written(0, 0);
    BOOST_TEST(cache.use(0));
}

BOOST_AUTO_TEST_CASE(the_line_of_a_set_that_was_used_least_recently_goes)
{
    LineCache cache = small_cache();
    const auto line = [](std::uint64_t number) { return number * kCacheSets * 32; };
    for (std::uint64_t number = 0; number < 4; ++number) cache.use(line(number));
    BOOST_TEST(cache.use(line(0)));
    BOOST_TEST(!cache.use(line(4)));  // in place of line 1
    BOOST_TEST(cache.use(line(0)));
    BOOST_TEST(!cache.use(line(1)));
}

BOOST_AUTO_TEST_CASE(a_cache_of_no_size_holds_nothing)
{
    LineCache cache(Bytes(0), 32_B);
    for (int i = 0; i < 2; ++i) BOOST_TEST(!cache.use(0));
    cache.written(0, 64);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
