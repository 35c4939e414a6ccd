// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tlm/sci/packet.h"
#include "tlm/units.h"

namespace ringmesh {

/// One packet that a source is to offer to the network.
struct Injection {
    Duration at = Duration::never();  ///< when; never() ends this source
    sci::NodeId to = 0;
    sci::Command command = sci::Command::kWrite64;
};

/// Decides what packet sources offer, and hears of what becomes of it. Called in the order of simulated time. Sources
/// are numbered from 0 to the number of nodes less one.
class TrafficModel {
public:
    virtual ~TrafficModel() = default;
    /// The next packet of this source after the one it offered last.
    virtual Injection next(sci::NodeId source) = 0;
    /// A request has reached its target whole. Its `source` offered it, its `born_ps` is Injection::at.
    virtual void delivered(const sci::Packet& packet, Duration at) = 0;
    /// Its response has come back; called only for commands that want one. Its `target` offered the request, its
    /// `source` took it, its `born_ps` is that of the request.
    virtual void answered(const sci::Packet& response, Duration at) = 0;
    /// A request found its source's queue full and is never sent.
    virtual void dropped(sci::NodeId source, Duration born) = 0;
};

}  // namespace ringmesh
