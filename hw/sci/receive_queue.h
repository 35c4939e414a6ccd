// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "tlm/ring_buffer.h"
#include "tlm/sci/packet.h"
#include "tlm/units.h"

namespace ringmesh::hw {

/// Decides who may enter a receive queue when senders compete for it: the A/B ageing of SCI.
///
/// A first try that finds the queue full (or others waiting) is turned away with BUSY_D and comes back asking for a
/// reservation; it then belongs to the generation that is not being served, or to the one that is if nobody waits.
/// Only the served generation enters until it is used up, then the other one is served: nobody waits for ever.
class Admission {
public:
    sci::EchoStatus decide(sci::Phase phase, bool room);
    std::uint64_t waiting() const { return waiting_[0] + waiting_[1]; }

private:
    sci::EchoStatus reserve();
    sci::EchoStatus retry(unsigned generation, bool room);

    std::array<std::uint64_t, 2> waiting_{};  // reservations of generation A and B that have not entered yet
    unsigned served_ = 0;
};

/// The packets of one class that a link controller has taken from the ring and that wait for the B-Link: bounded, first
/// in first out, with admission by ageing.
class ReceiveQueue {
public:
    explicit ReceiveQueue(std::int64_t slots) : slots_(static_cast<std::uint32_t>(slots)) {}

    /// The echo for a packet that asks to enter now. kDone: enter() must follow.
    sci::EchoStatus admit(sci::Phase phase, Duration now);
    /// @param ready when the packet is whole and has come through the input FIFO
    void enter(sci::Packet& packet, Duration ready);

    bool empty() const { return waiting_.empty(); }
    Duration front_ready() const { return waiting_.empty() ? Duration::never() : waiting_.front().ready; }
    sci::Packet& front() const { return *waiting_.front().packet; }
    /// Hands the first packet to the B-Link; its slot is free again when the last byte has left.
    sci::Packet& leave(Duration last_byte);

    /// For waveforms: slots in use at the last change.
    const std::uint32_t& fill() const { return fill_; }

private:
    struct Entry {
        sci::Packet* packet = nullptr;
        Duration ready;
    };

    RingBuffer<Entry> waiting_;
    Admission admission_;
    Duration leaving_until_;  // one packet at a time leaves; its slot counts until then
    std::uint32_t slots_;
    std::uint32_t fill_ = 0;
};

}  // namespace ringmesh::hw
