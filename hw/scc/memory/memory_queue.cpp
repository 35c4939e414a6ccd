// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/memory/memory_queue.h"

namespace ringmesh::hw {

WaitingRequest MemoryQueue::pop(const Dram& dram)
{
    const std::size_t chosen = order_->choose(waiting_, dram, patience_);
    const WaitingRequest next = waiting_[chosen];
    for (std::size_t i = 0; i < chosen; ++i) ++waiting_[i].passed;
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(chosen));
    return next;
}

}  // namespace ringmesh::hw
