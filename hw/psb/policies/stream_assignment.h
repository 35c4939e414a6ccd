// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "tlm/parameters/policy.h"

namespace ringmesh::hw {

/// The assignment of blocks of the address space to stream buffers.
struct StreamAssignmentPolicy : PolicyName {
    static constexpr std::size_t kMostBuffers = 64;

    /// The buffer for a block; none: the store is retried.
    /// @param block number of the block @param free a bit for each free buffer, at least one @param buffers number of
    /// buffers
    std::optional<std::uint16_t> (*find)(std::uint64_t block, std::uint64_t free, std::size_t buffers);

    static constexpr PolicyKindName kKind{"stream-assignment", "hw/psb/policies/stream_assignment"};
    static std::span<const StreamAssignmentPolicy> table();
    template <class Policy>
    static constexpr StreamAssignmentPolicy of()
    {
        return {Policy::kPolicy, &Policy::find};
    }
};

using StreamAssignment = PolicyChoice<StreamAssignmentPolicy>;

}  // namespace ringmesh::hw
