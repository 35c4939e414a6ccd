// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/sci/packet.h"
#include "tlm/units.h"

namespace ringmesh::hw {

/// The packets of one class that a link controller puts on its ring. A packet keeps its slot until a done echo; what
/// travels is a copy. A busy echo sends it back to the end of the queue with the phase that the echo grants.
class SendQueue {
public:
    explicit SendQueue(std::int64_t slots) : slots_(static_cast<std::size_t>(slots)) {}

    /// Sets one free slot aside for a packet that comes over the B-Link. @return false if all are taken
    bool reserve();
    /// Fills a reserved slot. @param eligible when the packet has come through the output FIFO
    void enter(sci::Packet& packet, Duration eligible);

    /// When the first waiting packet may go; never() if none waits.
    Duration next_eligible() const { return next_eligible_; }
    /// The packet whose turn it is; it now waits for its echo. @pre next_eligible() has come
    sci::Packet& send();

    /// A done echo: the packet leaves the queue. @return the packet, for its owner to release
    sci::Packet& done(std::uint16_t slot);
    /// A busy echo: the packet is to go again at `eligible`.
    void busy(std::uint16_t slot, sci::EchoStatus status, Duration eligible);

    std::uint32_t flying() const { return flying_; }
    /// For waveforms: slots in use or set aside.
    const std::uint32_t& fill() const { return fill_; }

private:
    struct Slot {
        sci::Packet* packet = nullptr;
        Duration eligible;
        std::uint64_t order = 0;  // first in first out among packets of the same eligibility
        bool flying = false;
    };

    void find_next();

    std::vector<Slot> slots_;
    std::uint32_t fill_ = 0;
    std::uint32_t waiting_ = 0;
    std::uint32_t flying_ = 0;
    std::uint64_t last_order_ = 0;
    std::size_t next_ = 0;
    Duration next_eligible_ = Duration::never();
};

}  // namespace ringmesh::hw
