// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/memory/memory_queue.h"

namespace ringmesh::hw {

std::size_t MemoryQueue::choose(const Dram& dram) const
{
    if (order_ == MemoryOrder::kFcfs || waiting_.front().passed >= patience_) return 0;
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
        if (dram.row_state(waiting_[i].request.offset) == RowState::kHit) return i;
    }
    return 0;
}

MemoryQueue::Waiting MemoryQueue::pop(const Dram& dram)
{
    const std::size_t chosen = choose(dram);
    const Waiting next = waiting_[chosen];
    for (std::size_t i = 0; i < chosen; ++i) ++waiting_[i].passed;
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(chosen));
    return next;
}

}  // namespace ringmesh::hw
