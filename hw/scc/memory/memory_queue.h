// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hw/scc/memory/dram.h"
#include "tlm/mesh/packet.h"

namespace ringmesh::hw {

/// A request not yet issued to the DRAM.
struct WaitingRequest {
    mesh::Packet* packet = nullptr;
    Dram::Request request;
    std::int64_t ready = 0;   ///< cycle from which the DRAM may begin
    std::int64_t passed = 0;  ///< younger requests served before it
};

/// The waiting requests of a memory controller in order of arrival; its policy selects the next. Two requests for one
/// row are never reordered, so that a read sees earlier writes.
class MemoryQueue {
public:
    MemoryQueue(MemoryOrder order, std::int64_t patience) : order_(order), patience_(patience) {}

    bool empty() const { return waiting_.empty(); }
    std::size_t size() const { return waiting_.size(); }
    void push(const WaitingRequest& waiting) { waiting_.push_back(waiting); }
    /// Removes and returns the next one. @pre not empty
    WaitingRequest pop(const Dram& dram);
    /// Whether the time of pop() matters, because later requests may be served first.
    bool reorders() const { return order_->reorders; }

private:
    MemoryOrder order_;
    std::int64_t patience_;
    std::vector<WaitingRequest> waiting_;
};

}  // namespace ringmesh::hw
