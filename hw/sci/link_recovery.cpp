// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/link_recovery.h"

#include <algorithm>
#include <cstddef>

namespace ringmesh::hw {

using sci::EchoStatus;
using sci::Packet;

namespace {

constexpr std::uint64_t kStatusBits = 3;  // of an answer; the others are the packet's key

std::uint64_t key_of(const Packet& packet)
{
    return (packet.id * 0x9e3779b97f4a7c15ULL ^ std::uint64_t{packet.made} << 20) & ~kStatusBits;
}

bool is_promise(EchoStatus status) { return status == EchoStatus::kBusyA || status == EchoStatus::kBusyB; }

}  // namespace

LinkRecovery::Answer LinkRecovery::admit(Packet& packet, ReceiveQueue& queue, Duration time)
{
    const sci::Class kind = sci::class_of(packet.command);
    if (packet.again) {
        const auto before = earlier(packet);
        if (before == EchoStatus::kDone) {
            ++duplicates_;
            return {EchoStatus::kDone, true};
        }
        if (before == EchoStatus::kBusyA) packet.phase = sci::Phase::kRetryA;
        if (before == EchoStatus::kBusyB) packet.phase = sci::Phase::kRetryB;
    }
    const bool comes_again = packet.phase == sci::Phase::kRetryA || packet.phase == sci::Phase::kRetryB;
    if (comes_again && !keeps_promise(packet)) packet.phase = sci::Phase::kDoTry;
    if (faults.strikes(LinkFault::kFull, time, 0, LinkFaults::victim(packet))) return {EchoStatus::kBusyD, false};
    const EchoStatus status = queue.admit(packet.phase, time);
    answered(packet, status, time);
    if (status != EchoStatus::kDone) {
        while (const auto broken = broken_promise(kind, time)) queue.withdraw(*broken);
    }
    return {status, false};
}

bool LinkRecovery::gives_up(std::uint32_t tries)
{
    ++echo_timeouts_;
    if (tries < params_.tries) return false;
    ++given_up_;
    return true;
}

std::optional<EchoStatus> LinkRecovery::earlier(const Packet& packet)
{
    const std::uint64_t last = last_answer(packet);
    if ((last & ~kStatusBits) != key_of(packet)) return {};
    return static_cast<EchoStatus>(last & kStatusBits);
}

void LinkRecovery::answered(const Packet& packet, EchoStatus status, Duration time)
{
    last_answer(packet) = key_of(packet) | static_cast<std::uint64_t>(status);
    if (is_promise(status) || !promises_.empty()) note_promise(packet, status, time);
}

std::optional<EchoStatus> LinkRecovery::broken_promise(sci::Class kind, Duration time)
{
    const Duration last = params_.echo_timeout * (std::max<std::int64_t>(params_.tries, 1) + 1);
    const auto old = std::find_if(promises_.begin(), promises_.end(),
                                  [&](const Promise& each) { return each.kind == kind && each.at + last < time; });
    if (old == promises_.end()) return {};
    const EchoStatus status = old->status;
    promises_.erase(old);
    return status;
}

/// The last answer to what came from this packet's slot. A sender gives a slot to another packet when the one in it has
/// its done echo or is given up, and packets of a ring do not overtake each other: so what comes again from a slot is
/// what came from it last, or has never come.
std::uint64_t& LinkRecovery::last_answer(const Packet& packet)
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

std::vector<LinkRecovery::Promise>::iterator LinkRecovery::promise_to(const Packet& packet)
{
    return std::find_if(promises_.begin(), promises_.end(), [&](const Promise& each) {
        return each.key == key_of(packet) && each.sender == packet.sender && each.kind == sci::class_of(packet.command);
    });
}

/// A packet that is promised no slot has one, or none any more.
void LinkRecovery::note_promise(const Packet& packet, EchoStatus status, Duration time)
{
    const auto found = promise_to(packet);
    if (!is_promise(status)) {
        if (found != promises_.end()) promises_.erase(found);
    } else if (found != promises_.end()) {
        found->at = time;
    } else {
        promises_.push_back({key_of(packet), packet.sender, sci::class_of(packet.command), status, time});
    }
}

void LinkRecovery::statistics(StatisticsVisitor& visitor) const
{
    if (faults.struck() != nullptr) visitor.counter("faults", *faults.struck(), "times", "that a fault struck");
    visitor.counter("lost", faults.lost, "packets", "echoes included, that vanished on the cable to the next node");
    visitor.counter("dropped", faults.dropped, "packets", "that came while this node had stopped");
    visitor.counter("crc_errors", crc_errors, "packets", "echoes included, discarded here");
    visitor.counter("echo_timeouts", echo_timeouts_, "packets", "sent again, since no echo came");
    visitor.counter("duplicates", duplicates_, "packets", "that had been accepted before");
    visitor.counter("late_echoes", late_echoes_, "echoes", "for packets that wait for none");
    visitor.counter("lost_go", faults.lost_go, "times", "that go bits were lost on the cable to the next node");
    visitor.counter("given_up", given_up_, "packets", "after the last try");
}

}  // namespace ringmesh::hw
