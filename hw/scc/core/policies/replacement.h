// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "tlm/parameters/policy.h"
#include "tlm/simulation/random.h"

namespace ringmesh::hw {

/// The state of a cache's replacement policy.
class Replacement {
public:
    virtual ~Replacement() = default;
    /// A line was read, written or filled, for the first time since another was.
    virtual void used(std::uint32_t set, unsigned way) = 0;
    /// The way to evict; stays the same until `used` or `filled` is called.
    virtual unsigned victim(std::uint32_t set) const = 0;
    /// A line was filled into this way.
    virtual void filled(std::uint32_t set, unsigned way) { used(set, way); }
};

/// Which line of a full set is evicted.
struct ReplacementPolicy : PolicyName {
    /// @pre sets and ways are at least 1 @throws UserError if the policy does not support this number of ways
    std::unique_ptr<Replacement> (*make)(std::uint32_t sets, unsigned ways, Random random);

    static constexpr PolicyKindName kKind{"cache-replacement", "hw/scc/core/policies/replacement"};
    static std::span<const ReplacementPolicy> table();
    template <class Policy>
    static constexpr ReplacementPolicy of()
    {
        return {Policy::kPolicy, [](std::uint32_t sets, unsigned ways, Random random) -> std::unique_ptr<Replacement> {
                    return std::make_unique<Policy>(sets, ways, random);
                }};
    }
};

using CacheReplacement = PolicyChoice<ReplacementPolicy>;

}  // namespace ringmesh::hw
