// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw/sci/params.h"
#include "tlm/fault.h"
#include "tlm/ring_buffer.h"
#include "tlm/sci/packet.h"
#include "tlm/simulation.h"
#include "tlm/wakeup.h"

namespace ringmesh::hw {

/// What can happen to a link controller and the cable that leaves it.
enum class LinkFault : std::uint8_t {
    kLosePacket,
    kLoseEcho,
    kCorruptHeader,
    kCorruptData,
    kCorruptEcho,
    kCut,
    kStop,
    kFull,
};
inline constexpr std::array<FaultWord, 8> kLinkFaults{{
    {"lose-packet", "a request or response vanishes on the cable to the next node"},
    {"lose-echo", "an echo vanishes on that cable"},
    {"corrupt-header", "a symbol of a header is wrong: no node takes the packet, or one whose CRC check discards it"},
    {"corrupt-data", "a symbol of a request or response is wrong: its target discards it, without an echo"},
    {"corrupt-echo", "a symbol of an echo is wrong: its target discards it"},
    {"cut", "the cable to the next node is open: everything on it vanishes"},
    {"stop", "the link controller stops: it takes, passes and sends nothing"},
    {"full", "its receive queues are full: every packet for it is refused with a busy echo"},
}};

/// What a link controller does about faults, its own and those of others: made only if a run has any. An echo time-out
/// sends a packet again; its target remembers which packets it has accepted, so that each counts once, and which it has
/// promised a place, so that a lost busy echo leaves no promise over. SCI leaves repair to the sender; that a link
/// controller sends again by itself and its target recognises the packet is assumed (docs/faults.md). Plain logic but
/// for the wake-up.
class LinkRecovery {
public:
    LinkRecovery(const std::string& block, Simulation& simulation, const RecoveryParams& params)
        : params_(params), faults_(simulation.faults().of(block, kLinkFaults))
    {}

    bool strikes(LinkFault fault, Duration at, std::int64_t symbols = 0)
    {
        return faults_ != nullptr && faults_->strike(static_cast<std::size_t>(fault), at, symbols);
    }

    /// A packet that is sent at a time, for the n-th time from its slot.
    struct Flight {
        Duration deadline;
        sci::Class kind = sci::Class::kRequest;
        std::uint16_t slot = 0;
        std::uint32_t sends = 0;
        std::uint64_t id = 0;
        Duration sent;
    };
    /// @pre times never fall
    void sent(Flight flight)
    {
        flight.deadline = flight.sent + params_.echo_timeout;
        if (flights_.empty()) wakeup.at(flight.deadline);
        flights_.push_back(flight);
    }
    /// The first whose time is over and that still has no echo. One wake-up serves all that had theirs meanwhile.
    /// @param flies whether it has none
    template <class Flies>
    std::optional<Flight> expired(Duration time, const Flies& flies)
    {
        while (!flights_.empty() && !flies(flights_.front())) flights_.pop_front();
        if (flights_.empty()) return {};
        if (flights_.front().deadline <= time) return flights_.pop_front();
        wakeup.at(flights_.front().deadline);
        return {};
    }
    bool gives_up(std::uint32_t tries) const { return tries >= params_.tries; }

    /// A packet that is sent again comes to its target. @return the echo it had if it was accepted, or promised a place
    std::optional<sci::EchoStatus> earlier(const sci::Packet& packet) const
    {
        const std::uint64_t wanted = key(packet);
        for (std::size_t i = 0; i < known_.size(); ++i) {
            const Known& each = known_[(next_ + known_.size() - 1 - i) % known_.size()];  // the latest first
            if (each.key == wanted) return each.status;
        }
        return {};
    }
    /// The answer to a packet.
    void answered(const sci::Packet& packet, sci::EchoStatus status)
    {
        if (known_.size() < kRemembered) {
            known_.push_back({key(packet), status});
        } else {
            known_[next_] = {key(packet), status};
        }
        next_ = (next_ + 1) % kRemembered;
    }

    Wakeup wakeup{"echo_timeout"};
    Counter lost, corrupted, timeouts, duplicates, given_up, late_echoes, dropped;
    const Counter* struck() const { return faults_ == nullptr ? nullptr : &faults_->struck(); }

private:
    /// Answers; more than a sender gets from one node within its tries, and looked through for what comes again alone.
    static constexpr std::size_t kRemembered = 4096;

    struct Known {
        std::uint64_t key = 0;
        sci::EchoStatus status = sci::EchoStatus::kDone;
    };

    static std::uint64_t key(const sci::Packet& packet)
    {
        const std::uint64_t number = packet.id * 0x9e3779b97f4a7c15ULL;
        return number ^ (std::uint64_t{packet.made} << 20) ^ (std::uint64_t{packet.sender} << 2) ^
               sci::index(sci::class_of(packet.command));
    }

    const RecoveryParams params_;
    std::unique_ptr<BlockFaults> faults_;
    RingBuffer<Flight> flights_;
    std::vector<Known> known_;
    std::size_t next_ = 0;  // of known_, where the next answer goes
};

}  // namespace ringmesh::hw
