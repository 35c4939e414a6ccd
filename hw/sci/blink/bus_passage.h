// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/sci/params.h"
#include "tlm/sci/packet.h"

namespace ringmesh::hw {

/// A packet that crosses from a link to the B-Link or back: the delays with which neither underruns. A bus as fast as
/// the link follows the head; a faster bus waits for the tail, and behind a slower bus the next ring's link waits.
class BusPassage {
public:
    BusPassage(const BLinkParams& blink, sci::Command command, Duration symbol)
        : blink_(blink), command_(command), symbol_(symbol)
    {}

    /// From its head to its last symbol.
    Duration whole() const { return symbol_ * (sci::symbols(command_) - 1); }
    /// From its head to its bus request such that the bus does not underrun on the link: no bus cycle begins before its
    /// last symbol has arrived.
    Duration bus_follows_link() const;
    /// From the start of its transfer to the output FIFO such that the link does not underrun on the bus: no symbol
    /// leaves before its bus cycle has ended. The whole header is needed first.
    Duration link_follows_bus() const;

private:
    const BLinkParams& blink_;
    sci::Command command_;
    Duration symbol_;
};

}  // namespace ringmesh::hw
