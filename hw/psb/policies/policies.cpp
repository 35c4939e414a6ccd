// SPDX-License-Identifier: Apache-2.0
/// The tables of the card's policies.
#include "hw/psb/policies/stream_assignment/any_free.h"
#include "hw/psb/policies/stream_assignment/by_address.h"

namespace ringmesh::hw {

std::span<const StreamAssignmentPolicy> StreamAssignmentPolicy::table()
{
    return policy_rows<StreamAssignmentPolicy, stream_assignment::ByAddress, stream_assignment::AnyFree>();
}

}  // namespace ringmesh::hw
