// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "hw/psb/params.h"
#include "tlm/duration.h"
#include "tlm/sci/packet.h"

namespace ringmesh::hw {

/// What a PSB is told about itself and its host.
struct PsbConfig {
    sci::NodeId node = 0;
    std::uint64_t window = 0;                 ///< PCI address of the card's window
    Duration crossing;                        ///< see Psb; HostParams::crossing
    Duration retry_gap;                       ///< how long to stay off the PCI bus after a retry
    Duration stream_open;                     ///< PCI wait states of a store that opens a stream buffer
    std::function<void()> interrupt = [] {};  ///< the line to the processor
    PsbParams chip;
    /// Throws if a request from node `from` may not touch these bytes of the host's memory. None: all may.
    std::function<void(sci::NodeId from, std::uint64_t offset, std::uint64_t size)> admit;
};

}  // namespace ringmesh::hw
