// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tlm/statistics.h"

namespace ringmesh::hw {

struct PsbStats {
    Counter stores, stalls, inbound_full, blocks, partial_writes, written, reordered, responses;
    Counter loads, reads, barriers, dma_orders, dma_blocks, interrupts;
    Distribution round_trip;     ///< request made -> buffer's response taken
    Distribution response_time;  ///< request written to the responder's memory bus -> response taken by the requester
};

}  // namespace ringmesh::hw
