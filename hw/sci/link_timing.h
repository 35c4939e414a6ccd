// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include "hw/sci/params.h"
#include "tlm/sci/packet.h"

namespace ringmesh::hw {

/// The durations that a link controller works with, computed once from the parameters. Controllers with the same
/// parameters share one, which keeps it in the host's cache.
///
/// Store and forward: a packet asks for the B-Link when its last symbol has come through decode and input FIFO, and may
/// leave on the next ring when its last byte has come over the B-Link and through the output FIFO.
///
/// Cut-through lets the packet go on earlier, but neither the bus nor the link may run dry: no cycle of the bus begins
/// before the last symbol that it carries has come through the input FIFO, and no symbol leaves before the cycle that
/// brings it is over and the output FIFO passed. A bus as fast as the link follows the head; a faster one has to wait
/// for the tail, and behind a slower one the next ring's link has to.
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
    std::array<Duration, sci::kCommands> length{};    ///< of each command's packet on the link
    std::array<Duration, sci::kCommands> to_blink{};  ///< from a packet's head to its request for the B-Link
    bool cut_through_send = false;
    std::array<Duration, sci::kCommands> behind_blink{};  ///< cut-through: from the start of a transfer to the link

    /// @param blink the bus behind the controllers; none if what stands there takes no time
    LinkTiming(const LinkParams& link, const CableParams& cable, const LinkControllerParams& chip,
               const std::optional<BLinkParams>& blink);

    /// From the start of a B-Link transfer that takes `transfer` to the time when its packet may leave on the link.
    Duration from_blink(sci::Command command, Duration transfer) const;
};

}  // namespace ringmesh::hw
