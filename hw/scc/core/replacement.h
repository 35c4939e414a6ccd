// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "tlm/policy.h"
#include "tlm/random.h"

namespace ringmesh::hw {

/// The memory of a cache's replacement policy.
class Replacement {
public:
    virtual ~Replacement() = default;
    /// A line was read, written or filled.
    virtual void used(std::uint32_t set, unsigned way) = 0;
    /// The way whose line has to go; stays the same until `used` or `filled` is called.
    virtual unsigned victim(std::uint32_t set) const = 0;
    /// A line has taken this way.
    virtual void filled(std::uint32_t set, unsigned way) { used(set, way); }
};

/// Which line of a full set has to go.
struct ReplacementPolicy : PolicyName {
    /// @pre sets and ways are at least 1 @throws UserError if the policy does not work with as many ways
    std::unique_ptr<Replacement> (*make)(std::uint32_t sets, unsigned ways, Random random);

    static constexpr PolicyKindName kKind{"cache-replacement", "hw/scc/core/replacement"};
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
