// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "hw/scc/core/cache.h"

namespace ringmesh::hw {

/// A core's two caches. Plain logic: the core passes the time and transfers the lines.
///
/// A fill from memory goes into both; a store goes to the first level that holds its line, or past both. Not inclusive:
/// a line evicted from L2 may stay in L1. A dirty line evicted from L1 is written to L2 if that holds it, otherwise to
/// memory, because writes do not allocate.
class CoreCaches {
public:
    CoreCaches(const CacheParams& first, const CacheParams& second, Random random)
        : l1("l1", first, random), l2("l2", second, Random(random.next()))
    {}

    /// Dirty lines evicted by a fill, in the order in which they must be written.
    struct Leaving {
        std::optional<CacheLine> from_l2;
        std::optional<CacheLine> from_l1;
    };

    /// A line has arrived from memory. @pre neither cache holds it
    Leaving fill(std::uint32_t address, const LineBytes& bytes)
    {
        Leaving leaving;
        leaving.from_l2 = l2.fill(address, bytes);
        leaving.from_l1 = past_l2(l1.fill(address, bytes));
        return leaving;
    }
    /// A line of a message-passing buffer has arrived. @pre L1 does not hold it @return an evicted dirty line
    std::optional<CacheLine> fill_message_buffer(std::uint32_t address, const LineBytes& bytes)
    {
        return past_l2(l1.fill(address, bytes, true));
    }
    /// Copies a line from L2 into L1. @pre only L2 holds it @return an evicted dirty line
    std::optional<CacheLine> promote(std::uint32_t address)
    {
        LineBytes bytes;
        l2.read(line_of(address), bytes);
        return past_l2(l1.fill(address, bytes));
    }
    /// Whether promote() would evict a dirty line to memory.
    bool promotion_writes(std::uint32_t address) const
    {
        const auto victim = l1.dirty_victim(address);
        return victim && !l2.holds(*victim);
    }

    Cache l1;
    Cache l2;

private:
    std::optional<CacheLine> past_l2(std::optional<CacheLine> victim)
    {
        if (victim && l2.write(victim->address, victim->bytes)) victim.reset();
        return victim;
    }
};

}  // namespace ringmesh::hw
