// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include "hw/sci/params.h"
#include "tlm/sci/packet.h"

namespace ringmesh::hw {

/// The durations of a link controller, computed once from the parameters. Controllers with the same parameters share
/// one object, for the host's cache.
///
/// The switching policy decides when a packet requests the B-Link and when it may leave on the next ring; decode, input
/// FIFO and output FIFO come on top.
struct LinkTiming {
    Duration symbol;
    Duration idle_gap;     ///< kept between two packets
    Duration propagation;  ///< through the cable
    Duration bypass;
    Duration bypass_bound;  ///< longest wait that the bypass FIFO's capacity covers
    /// From the arrival of a passing head, while an own packet that is ready may go before it.
    Duration own_goes_before;
    Duration decode;
    Duration in_fifo;
    Duration out_fifo;
    Duration retry;
    std::array<Duration, sci::kCommands> length{};  ///< of each command's packet on the link
    /// From a packet's head to the first symbol whose place its echo takes; zero: it leaves behind the decode.
    std::array<Duration, sci::kCommands> echo_behind{};
    std::array<Duration, sci::kCommands> to_blink{};      ///< from a packet's head to its request for the B-Link
    bool cut_through_send = false;                        ///< a packet may leave before the end of its transfer
    std::array<Duration, sci::kCommands> behind_blink{};  ///< then: from the start of its transfer to the link
    /// Of packets between two links, `lc2.transit_share`: none if they take the same time as the card's own.
    std::optional<double> transit_share;
    Duration arbitration;  ///< of the B-Link, which a transit shortens before it begins

    /// @param blink the bus behind the controllers; none if it takes no time
    LinkTiming(const LinkParams& link, const CableParams& cable, const LinkControllerParams& chip,
               const std::optional<BLinkParams>& blink);

    /// From the start of a B-Link transfer that takes `transfer` to the time when its packet may leave on the link.
    Duration from_blink(sci::Command command, Duration transfer) const;
    /// As `to_blink` and from_blink(), of a packet between two links.
    Duration transit_to_blink(sci::Command command) const;
    Duration transit_from_blink(sci::Command command, Duration transfer) const;
};

}  // namespace ringmesh::hw
