// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/sci/packet.h"
#include "tlm/statistics/use.h"
#include "tlm/units/units.h"

namespace ringmesh::hw {

/// The packets of one class that a link controller sends. A packet keeps its slot until a done echo; a copy travels.
/// After a busy echo it goes to the end of the queue, with the phase granted by the echo.
class SendQueue {
public:
    /// @param first phase of each packet's first try
    SendQueue(std::int64_t slots, sci::Phase first) : slots_(static_cast<std::size_t>(slots)), first_(first) {}

    /// Reserves a free slot for a packet from the B-Link. @return false if none is free
    bool reserve();
    /// Fills a reserved slot. @param eligible when the packet has passed the output FIFO
    void enter(sci::Packet& packet, Duration eligible);

    /// When the first waiting packet may be sent; never() if none waits.
    Duration next_eligible() const { return next_eligible_; }
    /// The packet whose turn it is; it now waits for its echo. @pre next_eligible() has come
    sci::Packet& send(Duration start);

    /// A done echo: the packet leaves the queue. @return the packet, for its owner to release
    sci::Packet& done(std::uint16_t slot);
    /// When the packet of this slot was sent that waits for its echo; never() if none does.
    Duration sent(std::uint16_t slot) const { return slots_[slot].flying ? slots_[slot].sent : Duration::never(); }
    const sci::Packet& packet(std::uint16_t slot) const { return *slots_[slot].packet; }
    /// Whether an echo is for what this slot holds and has sent.
    bool awaits(const sci::Packet& echo) const
    {
        if (echo.slot >= slots_.size() || !slots_[echo.slot].flying) return false;
        const sci::Packet& packet = *slots_[echo.slot].packet;
        return packet.id == echo.id && packet.made == echo.made && packet.tag == echo.tag;
    }
    /// No echo came: it is sent again from `eligible` on. @return how often it was sent without an echo
    std::uint32_t lost(std::uint16_t slot, Duration eligible);
    /// It is given up. @pre it does not fly @return the packet, for its owner to release
    sci::Packet& take_back(std::uint16_t slot);
    /// A busy echo: the packet is retried from `eligible` on.
    void busy(std::uint16_t slot, sci::EchoStatus status, Duration eligible);

    std::uint32_t flying() const { return flying_; }
    /// Slots in use or reserved.
    const Level& fill() const { return fill_; }
    std::uint16_t slots() const { return static_cast<std::uint16_t>(slots_.size()); }

private:
    struct Slot {
        sci::Packet* packet = nullptr;
        Duration eligible;
        std::uint64_t order = 0;  // first in first out among packets of the same eligibility
        Duration sent;
        bool flying = false;
        std::uint32_t lost = 0;  // times that this packet was sent and had no echo
    };

    void find_next();

    std::vector<Slot> slots_;
    sci::Phase first_;
    Level fill_;
    std::uint32_t waiting_ = 0;
    std::uint32_t flying_ = 0;
    std::uint64_t last_order_ = 0;
    std::size_t next_ = 0;
    Duration next_eligible_ = Duration::never();
};

}  // namespace ringmesh::hw
