// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hw/scc/memory/dram.h"
#include "tlm/mesh/packet.h"

namespace ringmesh::hw {

/// Requests of a memory controller that have not been given to the DRAM, in the order in which they came, and which of
/// them is next. With kRowHitFirst the first that finds its row open goes before older ones, unless the oldest has been
/// passed `patience` times. Two requests for one row never change places, so what is written is what a later read
/// finds.
class MemoryQueue {
public:
    struct Waiting {
        mesh::Packet* packet = nullptr;
        Dram::Request request;
        std::int64_t ready = 0;  ///< cycle from which the DRAM may begin
        std::int64_t passed = 0;
    };

    MemoryQueue(MemoryOrder order, std::int64_t patience) : order_(order), patience_(patience) {}

    bool empty() const { return waiting_.empty(); }
    std::size_t size() const { return waiting_.size(); }
    void push(const Waiting& waiting) { waiting_.push_back(waiting); }
    /// Takes out the next one. @pre not empty
    Waiting pop(const Dram& dram);
    /// Whether it matters when pop() is called: later ones may come and go first.
    bool reorders() const { return order_ == MemoryOrder::kRowHitFirst; }

private:
    std::size_t choose(const Dram& dram) const;

    MemoryOrder order_;
    std::int64_t patience_;
    std::vector<Waiting> waiting_;
};

}  // namespace ringmesh::hw
