// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "hw/scc/core/cache.h"

namespace ringmesh::hw {

/// A core's two caches. Plain logic: the core gives it time and carries its lines.
///
/// Bytes that come from memory go into both; a store goes to the first that holds its line, or past both. Neither
/// includes the other: a line that leaves L2 may stay in L1. A dirty line that leaves L1 is written into L2 if that
/// holds it, and otherwise to memory, because no write allocates.
class CoreCaches {
public:
    CoreCaches(const CacheParams& first, const CacheParams& second, Random random)
        : l1("l1", first, random), l2("l2", second, Random(random.next()))
    {}

    /// Lines for memory that a fill drives out, in the order in which they must be written.
    struct Leaving {
        std::optional<CacheLine> from_l2;
        std::optional<CacheLine> from_l1;
    };

    /// A line of memory has come. @pre neither cache holds it
    Leaving fill(std::uint32_t address, const LineBytes& bytes)
    {
        Leaving leaving;
        leaving.from_l2 = l2.fill(address, bytes);
        leaving.from_l1 = past_l2(l1.fill(address, bytes));
        return leaving;
    }
    /// A line of a message-passing buffer has come. @pre L1 does not hold it @return a line for memory
    std::optional<CacheLine> fill_message_buffer(std::uint32_t address, const LineBytes& bytes)
    {
        return past_l2(l1.fill(address, bytes, true));
    }
    /// Copies a line from L2 into L1. @pre only L2 holds it @return a line for memory
    std::optional<CacheLine> promote(std::uint32_t address)
    {
        LineBytes bytes;
        l2.read(line_of(address), bytes);
        return past_l2(l1.fill(address, bytes));
    }
    /// Whether promote() would drive out a line for memory.
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
