// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/core/cache.h"

#include <algorithm>
#include <list>
#include <map>
#include <vector>

#include "hw/scc/core/cache.h"
#include "tests/support/cases.h"
#include "tests/support/policies.h"
#include "tlm/error.h"

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(scc_cache)

namespace {

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

namespace {

constexpr int kAccesses = 200'000;

/// A simple reference cache: each set has a few ways with their times of last use.
class Reference {
public:
    Reference(std::uint32_t sets, unsigned ways, CacheReplacement policy) : ways_(ways), policy_(policy), sets_(sets) {}

    struct Place {
        bool used = false;
        std::uint32_t line = 0;
        bool dirty = false;
        bool message_buffer = false;
        LineBytes bytes{};
    };
    Place* find(std::uint32_t address)
    {
        for (Place& place : set_of(address).places) {
            if (place.used && place.line == address / kCacheLine) return &place;
        }
        return nullptr;
    }
    void touch(std::uint32_t address)
    {
        Set& set = set_of(address);
        const auto way = static_cast<unsigned>(find(address) - set.places.data());
        set.uses.remove(way);
        set.uses.push_back(way);
    }
    std::optional<CacheLine> fill(std::uint32_t address, const LineBytes& bytes, bool message_buffer)
    {
        Set& set = set_of(address);
        unsigned way = 0;
        while (way < ways_ && set.places[way].used) ++way;
        if (way == ways_) way = victim(set);
        Place& place = set.places[way];
        std::optional<CacheLine> gone;
        if (place.used && place.dirty) gone = CacheLine{place.line * kCacheLine, place.bytes};
        place = {true, address / kCacheLine, false, message_buffer, bytes};
        touch(address);
        return gone;
    }
    void invalidate_message_buffers()
    {
        for (Set& set : sets_) {
            for (Place& place : set.places) place.used &= !place.message_buffer;
        }
    }

private:
    struct Set {
        std::vector<Place> places;
        std::list<unsigned> uses;  // the last one is the latest
    };
    Set& set_of(std::uint32_t address)
    {
        Set& set = sets_[address / kCacheLine % sets_.size()];
        set.places.resize(ways_);
        return set;
    }
    /// Pseudo-LRU by definition: at each level, the half that does not contain the latest use.
    unsigned victim(const Set& set) const
    {
        if (policy_ == "lru") return set.uses.front();
        unsigned low = 0, count = ways_;
        while (count > 1) {
            count /= 2;
            const auto latest = std::find_if(set.uses.rbegin(), set.uses.rend(),
                                             [&](unsigned way) { return way >= low && way < low + 2 * count; });
            if (latest != set.uses.rend() && *latest < low + count) low += count;
        }
        return low;
    }

    unsigned ways_;
    CacheReplacement policy_;
    std::vector<Set> sets_;
};

struct Access {
    std::uint32_t address;
    std::uint32_t size;
    bool write;
};

/// Mostly near the last one, within a range somewhat larger than the cache.
Access choose(Random& random, std::uint32_t& near, std::uint32_t range)
{
    if (random.below(8) == 0) near = static_cast<std::uint32_t>(random.below(range));
    const std::uint32_t address = (near + static_cast<std::uint32_t>(random.below(256))) % range;
    const auto size = static_cast<std::uint32_t>(1 + random.below(kCacheLine - address % kCacheLine));
    return {address, size, random.below(3) == 0};
}

LineBytes some_line(Random& random)
{
    LineBytes bytes;
    for (auto& byte : bytes) byte = static_cast<std::byte>(random.next());
    return bytes;
}

}  // namespace

BOOST_DATA_TEST_CASE(random_accesses_agree_with_a_reference, data::make({1, 2, 4, 8}) * data::make({0, 1}), ways, which)
{
    const CacheReplacement policy = which == 0 ? "pseudo-lru" : "lru";
    constexpr std::uint32_t kSize = 8192;
    const auto sets = kSize / kCacheLine / static_cast<std::uint32_t>(ways);
    Cache cache("cache", {.size = Bytes(kSize), .ways = ways, .replacement = policy}, Random(1));
    Reference reference(sets, static_cast<unsigned>(ways), policy);
    Random random(static_cast<std::uint64_t>(ways * 2 + which));
    std::uint32_t near = 0;
    int hits = 0, write_backs = 0;
    bool agree = true;
    for (int i = 0; i < kAccesses / 4 && agree; ++i) {
        const Access access = choose(random, near, 4 * kSize);
        const bool message_buffer = access.address >= 3 * kSize;  // as pages have one kind
        if (random.below(1000) == 0) {
            cache.invalidate_message_buffers();
            reference.invalidate_message_buffers();
        }
        LineBytes bytes = some_line(random);
        auto* place = reference.find(access.address);
        const auto piece = std::span(bytes).first(access.size);
        bool hit = false;
        if (access.write) {
            hit = cache.write(access.address, piece);
            if (place != nullptr) {
                std::copy(piece.begin(), piece.end(), place->bytes.begin() + access.address % kCacheLine);
                place->dirty = !message_buffer;
            }
        } else {
            hit = cache.read(access.address, piece);
            agree = place == nullptr ||
                    std::equal(piece.begin(), piece.end(), place->bytes.begin() + access.address % kCacheLine);
        }
        agree = agree && hit == (place != nullptr);
        hits += hit;
        if (place != nullptr) reference.touch(access.address);
        if (hit || access.write) continue;
        const auto line = line_of(access.address);
        const auto expected = reference.fill(line, bytes, message_buffer);
        const auto victim = cache.fill(line, bytes, message_buffer);
        agree = agree && victim.has_value() == expected.has_value();
        if (agree && victim) {
            ++write_backs;
            agree = victim->address == expected->address && victim->bytes == expected->bytes;
        }
    }
    BOOST_TEST(agree);
    BOOST_TEST(hits > kAccesses / 16);
    BOOST_TEST(write_backs > kAccesses / 500);
}

BOOST_AUTO_TEST_CASE(a_core_reads_what_it_wrote_through_both_levels)
{
    constexpr std::uint32_t kL1 = 1024, kL2 = 8192, kRange = 4 * kL2;
    CoreCaches caches({.size = Bytes(kL1)}, {.size = Bytes(kL2)}, Random(1));
    std::vector<std::byte> memory(kRange), truth(kRange);
    Random random(7);
    std::uint32_t near = 0;
    int l1_hits = 0, l2_hits = 0, misses = 0;
    bool agree = true;
    const auto write_back = [&](const std::optional<CacheLine>& line) {
        if (line) std::copy(line->bytes.begin(), line->bytes.end(), memory.begin() + line->address);
    };
    for (int i = 0; i < kAccesses && agree; ++i) {
        const Access access = choose(random, near, kRange);
        std::array<std::byte, kCacheLine> buffer;
        const auto piece = std::span(buffer).first(access.size);
        const auto offset = static_cast<std::ptrdiff_t>(access.address);
        if (access.write) {
            const std::uint64_t seed = random.next();
            for (std::size_t b = 0; b < piece.size(); ++b) piece[b] = static_cast<std::byte>(seed >> b % 8);
            std::copy(piece.begin(), piece.end(), truth.begin() + offset);
            if (!caches.l1.write(access.address, piece) && !caches.l2.write(access.address, piece)) {
                std::copy(piece.begin(), piece.end(), memory.begin() + offset);
            }
            continue;
        }
        if (caches.l1.read(access.address, piece)) {
            ++l1_hits;
        } else {
            if (caches.l2.holds(access.address)) {
                ++l2_hits;
                const bool writes = caches.promotion_writes(access.address);
                const auto gone = caches.promote(access.address);
                agree = writes == gone.has_value();
                write_back(gone);
            } else {
                ++misses;
                LineBytes line;
                std::copy_n(memory.begin() + line_of(access.address), kCacheLine, line.begin());
                const auto leaving = caches.fill(line_of(access.address), line);
                write_back(leaving.from_l2);
                write_back(leaving.from_l1);
            }
            agree = agree && caches.l1.read(access.address, piece);
        }
        agree = agree && std::equal(piece.begin(), piece.end(), truth.begin() + offset);
    }
    BOOST_TEST(agree);
    BOOST_TEST(l1_hits > kAccesses / 10);
    BOOST_TEST(l2_hits > kAccesses / 100);
    BOOST_TEST(misses > kAccesses / 100);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
