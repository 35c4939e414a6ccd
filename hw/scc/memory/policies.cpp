// SPDX-License-Identifier: Apache-2.0
/// The tables of the memory's policies.
#include "hw/scc/memory/order/fcfs.h"
#include "hw/scc/memory/order/row_hit_first.h"
#include "hw/scc/memory/partial_write/masked.h"
#include "hw/scc/memory/partial_write/read_modify_write.h"

namespace ringmesh::hw {

std::span<const MemoryOrderPolicy> MemoryOrderPolicy::table()
{
    return policy_rows<MemoryOrderPolicy, memory_order::Fcfs, memory_order::RowHitFirst>();
}

std::span<const PartialWritePolicy> PartialWritePolicy::table()
{
    return policy_rows<PartialWritePolicy, partial_write::Masked, partial_write::ReadModifyWrite>();
}

}  // namespace ringmesh::hw
