// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/sci/packet.h"
#include "tlm/statistics.h"

namespace ringmesh::hw {

/// Counts requests overtaken by a later one of their source. Packet ids rise in order of creation.
class Overtaken {
public:
    void note(sci::NodeId source, std::uint64_t id)
    {
        if (source >= newest_.size()) newest_.resize(std::size_t{source} + 1);
        if (id < newest_[source]) {
            ++count_;
        } else {
            newest_[source] = id;
        }
    }
    const Counter& count() const { return count_; }

private:
    std::vector<std::uint64_t> newest_;  // per source: the highest id so far
    Counter count_;
};

struct PsbStats {
    Counter stores, stalls, inbound_full, blocks, partial_writes, written, responses;
    Counter loads, reads, barriers, dma_orders, dma_blocks, interrupts;
    Overtaken reordered;
    Distribution round_trip;     ///< from creation of the request to its response in the buffer
    Distribution response_time;  ///< from the write on the responder's PCI bus to the response at the requester
};

}  // namespace ringmesh::hw
