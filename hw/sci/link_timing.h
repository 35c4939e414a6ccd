// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "hw/sci/params.h"
#include "tlm/sci/packet.h"

namespace ringmesh::hw {

/// The durations that a link controller works with, computed once from the parameters. Controllers with the same
/// parameters share one, which keeps it in the host's cache.
struct LinkTiming {
    Duration symbol;
    Duration idle_gap;     ///< kept between two packets
    Duration propagation;  ///< through the cable
    Duration bypass;
    Duration bypass_bound;  ///< longest wait that the bypass FIFO's capacity covers
    Duration decode;
    Duration in_fifo;
    Duration out_fifo;
    Duration retry;
    std::array<Duration, sci::kCommands> length{};  ///< of each command's packet on the link

    LinkTiming(const LinkParams& link, const CableParams& cable, const LinkControllerParams& chip);
};

}  // namespace ringmesh::hw
