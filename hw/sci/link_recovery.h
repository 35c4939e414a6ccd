// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <queue>
#include <span>
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
    kSlow,
    kLostGo,
};
inline constexpr std::array<FaultWord, 10> kLinkFaults{{
    {"lose-packet", "a request or response vanishes on the cable to the next node"},
    {"lose-echo", "an echo vanishes on that cable"},
    {"corrupt-header", "a symbol of a header is wrong: no node takes the packet, or one whose CRC check discards it"},
    {"corrupt-data", "a symbol of a request or response is wrong: its target discards it, without an echo"},
    {"corrupt-echo", "a symbol of an echo is wrong: its target discards it"},
    {"cut",
     "the cable to the next node is open: everything on it vanishes; since packet and echo go once round the ring "
     "together, an error may name any two nodes of it",
     FaultSpan::kTime},
    {"stop", "the link controller stops: it takes, passes and sends nothing", FaultSpan::kTime},
    {"full", "its receive queues are full: every packet for it is refused with a busy echo"},
    {"slow", "all that leaves it comes later by its bypass delay, as if it took twice as long"},
    {"lost-go", "idle symbols lose their go bits on the cable to the next node; with link.flow_control=go-bits"},
}};
/// Without go bits none can be lost.
constexpr std::span<const FaultWord> link_faults(bool go_bits)
{
    return std::span(kLinkFaults).first(go_bits ? kLinkFaults.size() : kLinkFaults.size() - 1);
}

/// A bit for each of them, as BlockFaults::words().
constexpr std::uint32_t bits(std::initializer_list<LinkFault> faults)
{
    std::uint32_t all = 0;
    for (const LinkFault fault : faults) all |= 1U << static_cast<unsigned>(fault);
    return all;
}

class LinkController;

/// When echoes of packets under way are overdue, of all link controllers of a run: one event of the kernel serves them.
struct EchoWatch {
    struct Due {
        Duration at;
        LinkController* sender;
        bool operator>(const Due& other) const { return at > other.at; }
    };
    Wakeup* wakeup = nullptr;  ///< of the link controller that was built first, which looks
    std::priority_queue<Due, std::vector<Due>, std::greater<>> due;  ///< at most one of each, its oldest packet's
};

/// What a link controller does about faults, its own and those of others: made only if a run has any. An echo time-out
/// sends a packet again; its target remembers what it has answered, so that each packet counts once, and that a lost
/// busy echo leaves no promise of a place over. SCI leaves repair to the sender; that a link controller sends again by
/// itself and its target recognises the packet is assumed (docs/reference/faults.md). Plain logic but for the wake-up.
class LinkRecovery {
public:
    static FaultVictim victim(const sci::Packet& packet)
    {
        const sci::Class kind = sci::is_echo(packet.command) ? packet.echo_of : sci::class_of(packet.command);
        return {packet.id, kind == sci::Class::kRequest ? Leg::kRequest : Leg::kResponse};
    }

    LinkRecovery(const std::string& block, Simulation& simulation, const RecoveryParams& params, bool go_bits)
        : params_(params), faults_(simulation.faults().of(block, link_faults(go_bits)))
    {}

    bool strikes(LinkFault fault, Duration at, std::int64_t symbols = 0, FaultVictim victim = {})
    {
        return faults_ != nullptr && faults_->strike(static_cast<std::size_t>(fault), at, symbols, victim);
    }
    /// What may leave a link controller before the faults that spoil it, of packets or of echoes, have to be asked.
    class Calm {
    public:
        bool passes(Duration at, std::int64_t symbols)
        {
            if (at >= left_.until || left_.packets < 1 || left_.symbols < symbols) return false;
            --left_.packets;
            left_.symbols -= symbols;
            return true;
        }

    private:
        friend class LinkRecovery;
        FaultCalm left_ = FaultCalm::none();
        FaultCalm set_ = FaultCalm::none();
    };
    /// Before they are asked, and after. Words that are asked elsewhere, too, are always asked.
    void begin_asking(Calm& calm, bool echo)
    {
        if (calm.set_.packets < 0) return;
        faults_->pass(calm.set_.packets - calm.left_.packets, calm.set_.symbols - calm.left_.symbols, spoiling(echo));
        calm.left_ = calm.set_ = FaultCalm::none();
    }
    void end_asking(Calm& calm, bool echo, Duration at)
    {
        if ((words() & bits({LinkFault::kCut, LinkFault::kStop})) != 0) return;
        calm.left_ = calm.set_ = faults_->calm(at, spoiling(echo));
    }
    /// When a fault that has just struck ends. @pre it has
    Duration ends(LinkFault fault, Duration at) const { return faults_->ends(static_cast<std::size_t>(fault), at); }
    /// A bit for each that this link controller can suffer.
    std::uint32_t words() const { return faults_ == nullptr ? 0 : faults_->words(); }

    Duration echo_timeout() const { return params_.echo_timeout; }
    /// A packet is sent. One time-out serves all that have their echo before.
    void sent(LinkController& sender, Duration at, Duration present)
    {
        if (watched) return;
        watched = true;
        watch->due.push({at + params_.echo_timeout, &sender});
        watch->wakeup->at(at + params_.echo_timeout, present);
    }
    /// Software repairs.
    bool sends_once() const { return params_.tries == 0; }
    bool gives_up(std::uint32_t tries) const { return tries >= params_.tries; }

    /// A packet that is sent again comes to its target. @return the echo it had, unless it never came
    std::optional<sci::EchoStatus> earlier(const sci::Packet& packet)
    {
        const std::uint64_t last = last_answer(packet);
        if ((last & ~kStatus) != key(packet)) return {};
        return static_cast<sci::EchoStatus>(last & kStatus);
    }
    /// The answer to a packet.
    void answered(const sci::Packet& packet, sci::EchoStatus status, Duration time)
    {
        last_answer(packet) = key(packet) | static_cast<std::uint64_t>(status);
        const bool promised = status == sci::EchoStatus::kBusyA || status == sci::EchoStatus::kBusyB;
        if (promised || !promises_.empty()) note_promise(packet, promised ? status : sci::EchoStatus::kDone, time);
    }
    /// Whether a packet comes for a place that it was promised.
    bool keeps_promise(const sci::Packet& packet) { return promise_to(packet) != promises_.end(); }
    /// A promise whose sender has given its packet up: it would have come again long ago. It is no promise any more.
    std::optional<sci::EchoStatus> broken_promise(sci::Class kind, Duration time)
    {
        const Duration last = params_.echo_timeout * (std::max<std::int64_t>(params_.tries, 1) + 1);
        const auto old = std::find_if(promises_.begin(), promises_.end(),
                                      [&](const Promise& each) { return each.kind == kind && each.at + last < time; });
        if (old == promises_.end()) return {};
        const sci::EchoStatus status = old->status;
        promises_.erase(old);
        return status;
    }

    Wakeup wakeup{"echo_timeout"};
    EchoWatch* watch = nullptr;
    bool watched = false;  ///< a time-out is due
    Wakeup go_wakeup{"go_restored"};
    Counter lost, corrupted, timeouts, duplicates, given_up, late_echoes, dropped, lost_go;
    const Counter* struck() const { return faults_ == nullptr ? nullptr : &faults_->struck(); }

private:
    static constexpr std::uint32_t spoiling(bool echo)
    {
        return echo ? bits({LinkFault::kLoseEcho, LinkFault::kCorruptEcho})
                    : bits({LinkFault::kLosePacket, LinkFault::kCorruptHeader, LinkFault::kCorruptData});
    }

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

    /// A place in a receive queue for which a sender was told to come again.
    struct Promise {
        std::uint64_t key = 0;
        sci::NodeId sender = 0;
        sci::Class kind = sci::Class::kRequest;
        sci::EchoStatus status = sci::EchoStatus::kBusyA;
        Duration at;
    };
    std::vector<Promise>::iterator promise_to(const sci::Packet& packet)
    {
        return std::find_if(promises_.begin(), promises_.end(), [&](const Promise& each) {
            return each.key == key(packet) && each.sender == packet.sender &&
                   each.kind == sci::class_of(packet.command);
        });
    }
    /// @param status kDone: it has its place
    void note_promise(const sci::Packet& packet, sci::EchoStatus status, Duration time)
    {
        const auto found = promise_to(packet);
        if (status == sci::EchoStatus::kDone) {
            if (found != promises_.end()) promises_.erase(found);
        } else if (found != promises_.end()) {
            found->at = time;
        } else {
            promises_.push_back({key(packet), packet.sender, sci::class_of(packet.command), status, time});
        }
    }

    const RecoveryParams params_;
    std::unique_ptr<BlockFaults> faults_;
    std::vector<std::uint16_t> rows_;  // by sender: the number of its row, from 1
    std::vector<std::vector<std::uint64_t>> answers_;
    std::vector<Promise> promises_;
};

}  // namespace ringmesh::hw
