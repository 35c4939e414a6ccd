// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw/sci/policies/admission.h"
#include "tlm/pools/ring_buffer.h"
#include "tlm/sci/packet.h"
#include "tlm/statistics/use.h"
#include "tlm/units/units.h"

namespace ringmesh::hw {

/// The packets of one class that a link controller has taken from the ring and that wait for the B-Link: bounded, first
/// in first out; its policy says which of competing senders enters.
class ReceiveQueue {
public:
    ReceiveQueue(std::int64_t slots, Admission admission)
        : admission_(admission), slots_(static_cast<std::uint32_t>(slots))
    {}

    /// The echo for a packet that asks to enter now. kDone: enter() must follow.
    sci::EchoStatus admit(sci::Phase phase, Duration now);
    /// Nobody will come for a place promised by this echo.
    void withdraw(sci::EchoStatus promise) { reservations_.end(promise == sci::EchoStatus::kBusyA ? 0 : 1); }
    /// @param ready when the packet is whole and has come through the input FIFO
    void enter(sci::Packet& packet, Duration ready);

    bool empty() const { return waiting_.empty(); }
    Duration front_ready() const { return waiting_.empty() ? Duration::never() : waiting_.front().ready; }
    sci::Packet& front() const { return *waiting_.front().packet; }
    /// Number of the packet at the head of the full queue, or on its way out of it; 0 if a slot is free.
    std::uint64_t head_if_full(Duration now) const;
    /// The packet that left last; 0: none has.
    std::uint64_t left() const { return left_; }
    /// The first packet, which has this number, was handed to the B-Link, so it is no longer this queue's to read; its
    /// slot is free again when the last byte has left.
    void leave(std::uint64_t packet, Duration last_byte);

    /// Slots in use at the last change.
    const Level& fill() const { return fill_; }
    std::size_t slots() const { return slots_; }

private:
    std::size_t used(Duration now) const { return waiting_.size() + (now < leaving_until_ ? 1 : 0); }

    struct Entry {
        sci::Packet* packet = nullptr;
        Duration ready;
    };

    RingBuffer<Entry> waiting_;
    Admission admission_;
    Reservations reservations_;
    std::uint64_t left_ = 0;
    Duration leaving_until_;  // one packet at a time leaves; its slot counts until then
    std::uint32_t slots_;
    Level fill_;
};

}  // namespace ringmesh::hw
