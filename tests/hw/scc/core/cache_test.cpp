// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/core/cache.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/policies.h"
#include "tlm/error.h"

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(scc_cache)

namespace {

namespace data = boost::unit_test::data;
using namespace ringmesh;
using namespace ringmesh::hw;

constexpr std::uint32_t kSets = 8;

CacheParams of_ways(std::int64_t ways, CacheReplacement policy = "pseudo-lru")
{
    return {.size = Bytes(kSets * kCacheLine * ways), .ways = ways, .replacement = policy};
}

/// The n-th line of set 3.
constexpr std::uint32_t line(std::uint32_t n) { return (n * kSets + 3) * kCacheLine; }

LineBytes bytes_of_line(std::uint32_t address)
{
    LineBytes bytes;
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(address / kCacheLine * 7 + i);
    return bytes;
}

struct Filled : Cache {
    explicit Filled(const CacheParams& params) : Cache("cache", params, Random(1))
    {
        for (std::uint32_t n = 0; n < params.ways; ++n) fill(line(n), bytes_of_line(line(n)));
    }
    void use(std::uint32_t n)
    {
        std::byte byte;
        read(line(n), {&byte, 1});
    }
    /// Fills one more line. @return the number of the evicted one
    std::uint32_t driven_out(std::uint32_t extra, std::uint32_t ways)
    {
        fill(line(extra), bytes_of_line(line(extra)));
        std::uint32_t gone = ~0U;
        for (std::uint32_t n = 0; n < ways; ++n) {
            if (!holds(line(n)) && gone == ~0U) gone = n;
        }
        return gone;
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE(the_pseudo_lru_victim_of_four_ways_is_the_older_half_of_the_half_not_used_last)
{
    // After uses of 0 1 2 3 the root points to {0, 1}, whose node points to 0.
    BOOST_TEST(Filled(of_ways(4)).driven_out(4, 4) == 0u);
    Filled again(of_ways(4));
    again.use(0);  // root: {2, 3}, whose node still points to 2
    BOOST_TEST(again.driven_out(4, 4) == 2u);
    Filled last(of_ways(4));
    last.use(0);
    last.use(2);  // root: {0, 1}, whose node points to 1; true LRU would take 1, too
    BOOST_TEST(last.driven_out(4, 4) == 1u);
    Filled other(of_ways(4));
    for (const std::uint32_t n : {1U, 2U, 0U}) other.use(n);  // root: {2, 3}, node points to 3
    BOOST_TEST(other.driven_out(4, 4) == 3u);
    Filled pseudo(of_ways(4));
    for (const std::uint32_t n : {0U, 3U, 1U, 2U, 1U}) pseudo.use(n);  // LRU would take 0; the tree points to 3
    BOOST_TEST(pseudo.driven_out(4, 4) == 3u);
}

BOOST_DATA_TEST_CASE(the_lru_victim_is_the_line_not_used_for_longest, data::make({1, 2, 3, 4, 5}), ways)
{
    const auto count = static_cast<std::uint32_t>(ways);
    for (std::uint32_t spared = 0; spared < count; ++spared) {
        Filled cache(of_ways(ways, CacheReplacement("lru")));
        for (std::uint32_t n = 0; n < count; ++n) {
            if (n != spared) cache.use(n);
        }
        BOOST_TEST(cache.driven_out(count, count) == spared);
    }
}

BOOST_DATA_TEST_CASE(the_victim_is_known_before_the_fill, data::make(test::all_policies<ReplacementPolicy>()), policy)
{
    constexpr std::uint32_t kWays = 4;
    Filled cache(of_ways(kWays, policy));
    const std::byte one{1};
    for (std::uint32_t n = 0; n < kWays; ++n) cache.write(line(n), {&one, 1});
    for (std::uint32_t n = kWays; n < 100; ++n) {
        const auto expected = cache.dirty_victim(line(n));
        BOOST_TEST_REQUIRE(expected.has_value());
        BOOST_TEST(cache.dirty_victim(line(n)).value() == *expected);
        const auto victim = cache.fill(line(n), bytes_of_line(line(n)));
        BOOST_TEST_REQUIRE(victim.has_value());
        BOOST_TEST(victim->address == *expected);
        cache.write(line(n), {&one, 1});
    }
}

BOOST_AUTO_TEST_CASE(a_write_that_misses_changes_nothing)
{
    Cache cache("cache", of_ways(4), Random(1));
    const std::byte one{1};
    BOOST_TEST(!cache.write(line(0), {&one, 1}));
    BOOST_TEST(!cache.holds(line(0)));
}

BOOST_AUTO_TEST_CASE(a_dirty_victim_is_written_back_and_a_clean_one_is_dropped)
{
    Filled cache(of_ways(1));
    BOOST_TEST(!cache.fill(line(1), bytes_of_line(line(1))).has_value());
    const std::array<std::byte, 2> written{std::byte{0xAB}, std::byte{0xCD}};
    BOOST_TEST(cache.write(line(1) + 30, written));
    const auto victim = cache.fill(line(2), bytes_of_line(line(2)));
    BOOST_TEST_REQUIRE(victim.has_value());
    BOOST_TEST(victim->address == line(1));
    auto expected = bytes_of_line(line(1));
    expected[30] = written[0];
    expected[31] = written[1];
    BOOST_TEST((victim->bytes == expected));
    BOOST_TEST(!cache.fill(line(3), bytes_of_line(line(3))).has_value());
}

BOOST_AUTO_TEST_CASE(cl1invmb_drops_the_lines_of_message_buffers_and_no_others)
{
    Cache cache("cache", of_ways(4), Random(1));
    cache.fill(line(0), bytes_of_line(line(0)));
    cache.fill(line(1), bytes_of_line(line(1)), true);
    const std::byte one{1};
    cache.write(line(1), {&one, 1});
    for (int round = 0; round < 2; ++round) {
        cache.invalidate_message_buffers();
        BOOST_TEST(cache.holds(line(0)));
        BOOST_TEST(!cache.holds(line(1)));
        // Its way is empty: the next fills evict nothing, and its stores were written through.
        for (std::uint32_t n = 1; n < 4; ++n)
            BOOST_TEST(!cache.fill(line(n), bytes_of_line(line(n)), true).has_value());
        for (std::uint32_t n = 0; n < 4; ++n) BOOST_TEST(cache.holds(line(n)));
    }
}

BOOST_AUTO_TEST_CASE(peeks_and_pokes_do_not_count_as_uses)
{
    Filled cache(of_ways(2, CacheReplacement("lru")));
    std::byte byte{};
    BOOST_TEST(cache.peek(line(0), {&byte, 1}));
    BOOST_TEST((byte == bytes_of_line(line(0))[0]));
    byte = std::byte{0x77};
    BOOST_TEST(cache.poke(line(0), {&byte, 1}));
    BOOST_TEST(cache.driven_out(2, 2) == 0u);
    BOOST_TEST(!cache.dirty_victim(line(3)).has_value());
}

BOOST_DATA_TEST_CASE(sizes_that_make_no_power_of_two_of_sets_are_refused, data::make({96, 100, 65}), size)
{
    const CacheParams params{.size = Bytes(size), .ways = size == 96 ? 1 : 2};
    BOOST_CHECK_THROW(Cache("l1", params, Random(1)), UserError);
}

BOOST_AUTO_TEST_CASE(pseudo_lru_needs_a_power_of_two_of_ways)
{
    BOOST_CHECK_THROW(Cache("l1", of_ways(3), Random(1)), UserError);
    BOOST_CHECK_NO_THROW(Cache("l1", of_ways(3, CacheReplacement("lru")), Random(1)));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
