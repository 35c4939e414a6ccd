// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tlm/units.h"

/// What packet sources offer to a network, whichever it is. Sources are numbered from 0 to the number of nodes less
/// one.
namespace ringmesh {

/// One packet that a source is to offer.
struct Injection {
    Duration at = Duration::never();  ///< when; never() ends this source
    std::uint32_t to = 0;             ///< number of the source that it goes to
    std::uint32_t size = 0;           ///< flits of a mesh, bytes of a hypercube; SCI's are those of its command
    std::uint8_t kind = 0;            ///< in the network's own numbers: SCI command, message class of a mesh
};

/// A packet that a source offered.
struct OfferedPacket {
    std::uint32_t source = 0;
    std::uint32_t target = 0;
    Duration born;  ///< Injection::at
};

/// Decides what packet sources offer, and hears of what becomes of it. Called in the order of simulated time.
class TrafficModel {
public:
    virtual ~TrafficModel() = default;
    /// The next packet of this source after the one it offered last.
    virtual Injection next(unsigned source) = 0;
    /// It has reached its target whole.
    virtual void delivered(const OfferedPacket& packet, Duration at) = 0;
    /// Its response has come back to its source; called only for packets that want one.
    virtual void answered(const OfferedPacket& packet, Duration at) = 0;
    /// It found its source's queue full and is never sent.
    virtual void dropped(unsigned source, Duration born) = 0;
};

}  // namespace ringmesh
