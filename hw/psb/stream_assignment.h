// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "tlm/policy.h"

namespace ringmesh::hw {

/// How a block of the address space, as long as a stream buffer, finds its buffer.
struct StreamAssignmentPolicy : PolicyName {
    static constexpr std::size_t kMostBuffers = 64;

    /// The buffer that takes a block; none: the store has to be retried.
    /// @param block number of the block @param free a bit for each buffer that is free, at least one @param buffers how
    /// many there are
    std::optional<std::uint16_t> (*find)(std::uint64_t block, std::uint64_t free, std::size_t buffers);

    static constexpr PolicyKindName kKind{"stream-assignment", "hw/psb/stream_assignment"};
    static std::span<const StreamAssignmentPolicy> table();
    template <class Policy>
    static constexpr StreamAssignmentPolicy of()
    {
        return {Policy::kPolicy, &Policy::find};
    }
};

using StreamAssignment = PolicyChoice<StreamAssignmentPolicy>;

}  // namespace ringmesh::hw
