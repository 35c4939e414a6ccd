// SPDX-License-Identifier: Apache-2.0
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <list>
#include <map>
#include <vector>

#include "hw/scc/core/cache.h"

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(scc_cache_property)

namespace {

namespace data = boost::unit_test::data;
using namespace ringmesh;
using namespace ringmesh::hw;

constexpr int kAccesses = 1'000'000;

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

BOOST_DATA_TEST_CASE(a_million_random_accesses_agree_with_a_reference, data::make({1, 2, 4, 8}) * data::make({0, 1}),
                     ways, which)
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
    for (int i = 0; i < kAccesses / 8 && agree; ++i) {
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
    BOOST_TEST(hits > kAccesses / 32);
    BOOST_TEST(write_backs > kAccesses / 1000);
}

BOOST_AUTO_TEST_CASE(a_core_reads_what_it_wrote_through_both_levels_over_a_million_random_accesses)
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
