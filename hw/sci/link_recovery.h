// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw/sci/params.h"
#include "tlm/fault.h"
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

/// A bit for each of them, as BlockFaults::words().
constexpr std::uint32_t bits(std::initializer_list<LinkFault> faults)
{
    std::uint32_t all = 0;
    for (const LinkFault fault : faults) all |= 1U << static_cast<unsigned>(fault);
    return all;
}

/// What a link controller does about faults, its own and those of others: made only if a run has any. An echo time-out
/// sends a packet again; its target remembers what it has answered, so that each packet counts once, and that a lost
/// busy echo leaves no promise of a place over. SCI leaves repair to the sender; that a link controller sends again by
/// itself and its target recognises the packet is assumed (docs/faults.md). Plain logic but for the wake-up.
class LinkRecovery {
public:
    LinkRecovery(const std::string& block, Simulation& simulation, const RecoveryParams& params)
        : params_(params), faults_(simulation.faults().of(block, kLinkFaults))
    {}

    bool strikes(LinkFault fault, Duration at, std::int64_t symbols = 0)
    {
        return faults_ != nullptr && faults_->strike(static_cast<std::size_t>(fault), at, symbols);
    }
    /// A bit for each that this link controller can suffer.
    std::uint32_t words() const { return faults_ == nullptr ? 0 : faults_->words(); }

    Duration echo_timeout() const { return params_.echo_timeout; }
    /// A packet is sent. One wake-up serves all that have their echo in time.
    void sent(Duration at, Duration present)
    {
        if (!wakeup.armed()) wakeup.at(at + params_.echo_timeout, present);
    }
    bool gives_up(std::uint32_t tries) const { return tries >= params_.tries; }

    /// A packet that is sent again comes to its target. @return the echo it had, unless it never came
    std::optional<sci::EchoStatus> earlier(const sci::Packet& packet)
    {
        const std::uint64_t last = last_answer(packet);
        if ((last & ~kStatus) != key(packet)) return {};
        return static_cast<sci::EchoStatus>(last & kStatus);
    }
    /// The answer to a packet.
    void answered(const sci::Packet& packet, sci::EchoStatus status)
    {
        last_answer(packet) = key(packet) | static_cast<std::uint64_t>(status);
    }

    Wakeup wakeup{"echo_timeout"};
    Counter lost, corrupted, timeouts, duplicates, given_up, late_echoes, dropped;
    const Counter* struck() const { return faults_ == nullptr ? nullptr : &faults_->struck(); }

private:
    static constexpr std::uint64_t kStatus = 3;  // its bits in an answer; the others are the packet's key

    static std::uint64_t key(const sci::Packet& packet)
    {
        return (packet.id * 0x9e3779b97f4a7c15ULL ^ std::uint64_t{packet.made} << 20) & ~kStatus;
    }
    /// The last answer to what came from this packet's slot. A sender gives a slot to another packet when the one in it
    /// has its done echo or is given up, and packets of a ring do not overtake each other: so what comes again from a
    /// slot is what came from it last, or has never come.
    std::uint64_t& last_answer(const sci::Packet& packet)
    {
        if (packet.sender >= rows_.size()) rows_.resize(packet.sender + std::size_t{1});
        std::uint16_t& row = rows_[packet.sender];
        if (row == 0) {
            answers_.emplace_back();
            row = static_cast<std::uint16_t>(answers_.size());
        }
        std::vector<std::uint64_t>& of_sender = answers_[row - std::size_t{1}];
        const std::size_t at = std::size_t{packet.slot} * sci::kClasses + sci::index(sci::class_of(packet.command));
        if (at >= of_sender.size()) of_sender.resize(at + 1);
        return of_sender[at];
    }

    const RecoveryParams params_;
    std::unique_ptr<BlockFaults> faults_;
    std::vector<std::uint16_t> rows_;  // by sender: the number of its row, from 1
    std::vector<std::vector<std::uint64_t>> answers_;
};

}  // namespace ringmesh::hw
