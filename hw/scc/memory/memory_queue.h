// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hw/scc/memory/dram.h"
#include "tlm/mesh/packet.h"

namespace ringmesh::hw {

/// A request that has not been given to the DRAM.
struct WaitingRequest {
    mesh::Packet* packet = nullptr;
    Dram::Request request;
    std::int64_t ready = 0;   ///< cycle from which the DRAM may begin
    std::int64_t passed = 0;  ///< younger ones that went before it
};

/// The requests that wait in a memory controller, in the order in which they came, and which of them is next, by its
/// policy. Two requests for one row never change places, so what is written is what a later read finds.
class MemoryQueue {
public:
    MemoryQueue(MemoryOrder order, std::int64_t patience) : order_(order), patience_(patience) {}

    bool empty() const { return waiting_.empty(); }
    std::size_t size() const { return waiting_.size(); }
    void push(const WaitingRequest& waiting) { waiting_.push_back(waiting); }
    /// Takes out the next one. @pre not empty
    WaitingRequest pop(const Dram& dram);
    /// Whether it matters when pop() is called: later ones may come and go first.
    bool reorders() const { return order_->reorders; }

private:
    MemoryOrder order_;
    std::int64_t patience_;
    std::vector<WaitingRequest> waiting_;
};

}  // namespace ringmesh::hw
