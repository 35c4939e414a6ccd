// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "hw/psb/policies/stream_assignment.h"
#include "tlm/parameters/parameters.h"
#include "tlm/sci/packet.h"
#include "tlm/units/units.h"

namespace ringmesh::hw {

/// Why parameters of hardware that only programs on a host use have no effect, and the cure.
inline constexpr std::string_view kNoPrograms =
    "packet sources stand in place of the hosts; choose a workload that runs programs";

struct PsbParams {
    std::int64_t stream_buffers = 8;
    StreamAssignment stream_assignment = "by-address";
    Bytes stream_bytes = 64_B;
    Bytes transaction_bytes = 64_B;
    Duration crossing = 187_ns;
    Cycles stream_open = 0_cycles;
    Duration flush_timeout = 5_us;
    std::int64_t inbound_slots = 8;
    Bytes att_page = Bytes(512 * 1024);
    std::int64_t att_entries = 16384;
    bool read_prefetch = false;
    Duration dma_startup = 10_us;
    Bytes dma_burst = 64_B;
    std::int64_t dma_buffers = 8;

    void visit(ParameterVisitor& visitor);
    /// The request command with transaction_bytes.
    sci::Command largest_request() const;
};

}  // namespace ringmesh::hw
