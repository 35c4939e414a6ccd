// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "tlm/units/units.h"

/// Traffic of packet sources on any network. Sources are numbered from 0 to the number of nodes less one.
namespace ringmesh {

/// One packet for a source to offer.
struct Injection {
    Duration at = Duration::never();  ///< when; never() ends this source
    std::uint32_t to = 0;             ///< number of the destination
    std::uint32_t size = 0;           ///< flits of a mesh, bytes of a hypercube; SCI's are those of its command
    std::uint8_t kind = 0;            ///< in the network's own numbers: SCI command, message class of a mesh
    std::uint8_t stream = 0;          ///< set by the source: which of its models made it
};

/// A packet offered by a source.
struct OfferedPacket {
    std::uint32_t source = 0;
    std::uint32_t target = 0;
    Duration born;           ///< Injection::at
    std::uint32_t size = 0;  ///< Injection::size
};

/// Generates the packets of the sources, and is notified of their delivery. Called in the order of simulated time.
class TrafficModel {
public:
    /// Of a model beside the workload, its own name.
    static constexpr std::string_view kOfWorkload = "workload";

    virtual ~TrafficModel() = default;
    /// Whose packets these are, for logs.
    virtual std::string_view stream_name() const { return kOfWorkload; }
    /// The next packet of this source after the one it offered last.
    virtual Injection next(unsigned source) = 0;
    /// Asked when a source is resumed that waits for the time of a packet: whether this one is taken back, because
    /// there is an earlier one now.
    virtual bool takes_back(unsigned /*source*/, const Injection& /*packet*/) { return false; }
    /// It has been delivered completely.
    virtual void delivered(const OfferedPacket& packet, Duration at) = 0;
    /// Its response has returned to its source; only for packets with responses.
    virtual void answered(const OfferedPacket& packet, Duration at) = 0;
    /// It was dropped at a full source queue.
    virtual void dropped(unsigned source, Duration born) = 0;
};

}  // namespace ringmesh
