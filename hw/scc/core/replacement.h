// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "tlm/names.h"
#include "tlm/random.h"

namespace ringmesh::hw {

/// Which line of a full set has to go.
enum class ReplacementPolicy : std::uint8_t {
    kPseudoLru,  ///< a binary tree over the ways, each node pointing away from the half that was used last
    kLru,        ///< the line that was used longest ago
    kRandom,     ///< any, drawn by the run's seed
};

inline constexpr NameTable<ReplacementPolicy, 3> kReplacementPolicies{{{{"pseudo-lru", ReplacementPolicy::kPseudoLru},
                                                                        {"lru", ReplacementPolicy::kLru},
                                                                        {"random", ReplacementPolicy::kRandom}}}};

/// The memory of a cache's replacement policy.
class Replacement {
public:
    virtual ~Replacement() = default;
    /// A line was read, written or filled.
    virtual void used(std::uint32_t set, unsigned way) = 0;
    /// Who has to go; stays the same until `used` or `filled` is called.
    virtual unsigned victim(std::uint32_t set) const = 0;
    /// A line has taken this way.
    virtual void filled(std::uint32_t set, unsigned way) { used(set, way); }
};

/// @pre sets and ways are at least 1; for pseudo-LRU the ways are a power of two up to 32
std::unique_ptr<Replacement> make_replacement(ReplacementPolicy policy, std::uint32_t sets, unsigned ways,
                                              Random random);

}  // namespace ringmesh::hw
