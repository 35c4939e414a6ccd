// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/link_controller/link_recovery.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ringmesh::hw {

using sci::EchoStatus;
using sci::Packet;

namespace {

constexpr std::uint64_t kStatusBits = 3;  // of an answer; the others are the packet's key

std::uint64_t key_of(const Packet& packet)
{
    return (packet.id * 0x9e3779b97f4a7c15ULL ^ std::uint64_t{packet.made} << 20) & ~kStatusBits;
}

std::optional<EchoStatus> answer_in(std::uint64_t last, const Packet& packet)
{
    if ((last & ~kStatusBits) != key_of(packet)) return {};
    return static_cast<EchoStatus>(last & kStatusBits);
}

bool is_promise(EchoStatus status) { return status == EchoStatus::kBusyA || status == EchoStatus::kBusyB; }

}  // namespace

/// The last answer to what came from this packet's slot. A sender gives a slot to another packet when the one in it has
/// its done echo or is given up, and packets of a ring do not overtake each other: so what comes again from a slot is
/// what came from it last, or has never come.
inline std::uint64_t& LinkRecovery::last_answer(const Packet& packet)
{
    const std::size_t place = std::size_t{packet.slot} * sci::kClasses + sci::index(sci::class_of(packet.command));
    if (packet.sender >= rows_.size() || rows_[packet.sender] == 0 || place >= places_) make_row(packet, place);
    return answers_[(rows_[packet.sender] - std::size_t{1}) * places_ + place];
}

/// For a sender that is not known yet, and with this place.
void LinkRecovery::make_row(const Packet& packet, std::size_t place)
{
    if (place >= places_) {
        const std::size_t places = std::max(place + 1, 2 * places_);
        const std::size_t rows = places_ == 0 ? 0 : answers_.size() / places_;
        std::vector<std::uint64_t> wider(rows * places);
        for (std::size_t row = 0; row < rows; ++row) {
            std::copy_n(answers_.begin() + static_cast<std::ptrdiff_t>(row * places_), places_,
                        wider.begin() + static_cast<std::ptrdiff_t>(row * places));
        }
        answers_ = std::move(wider);
        places_ = places;
    }
    if (packet.sender >= rows_.size()) rows_.resize(packet.sender + std::size_t{1});
    if (rows_[packet.sender] != 0) return;
    answers_.resize(answers_.size() + places_);
    rows_[packet.sender] = static_cast<std::uint16_t>(answers_.size() / places_);
}

LinkRecovery::Answer LinkRecovery::admit(Packet& packet, ReceiveQueue& queue, Duration time)
{
    if (packet.bad) {
        ++crc_errors_;
        return {EchoStatus::kDone, Fate::kDiscarded};
    }
    std::uint64_t& last = last_answer(packet);
    if (packet.again && comes_again(packet, last)) {
        ++duplicates_;
        return {EchoStatus::kDone, Fate::kKnown};
    }
    const bool retried = packet.phase == sci::Phase::kRetryA || packet.phase == sci::Phase::kRetryB;
    if (retried && !keeps_promise(packet)) packet.phase = sci::Phase::kDoTry;
    if ((faults.words() & bits({LinkFault::kFull})) != 0 &&
        faults.strikes(LinkFault::kFull, time, 0, LinkFaults::victim(packet))) {
        return {EchoStatus::kBusyD};
    }
    const EchoStatus status = queue.admit(packet.phase, time);
    note(packet, status, last, time);
    if (status != EchoStatus::kDone) [[unlikely]] {
        while (const auto broken = broken_promise(sci::class_of(packet.command), time)) queue.withdraw(*broken);
    }
    return {status};
}

/// A packet that was promised a slot has its promise again. @return whether it has been accepted
bool LinkRecovery::comes_again(Packet& packet, std::uint64_t last)
{
    const auto before = answer_in(last, packet);
    if (before == EchoStatus::kBusyA) packet.phase = sci::Phase::kRetryA;
    if (before == EchoStatus::kBusyB) packet.phase = sci::Phase::kRetryB;
    return before == EchoStatus::kDone;
}

inline void LinkRecovery::note(const Packet& packet, EchoStatus status, std::uint64_t& last, Duration time)
{
    last = key_of(packet) | static_cast<std::uint64_t>(status);
    if (is_promise(status) || !promises_.empty()) [[unlikely]]
        note_promise(packet, status, time);
}

void LinkRecovery::await_echoes(std::span<const SendQueue> queues, Duration present)
{
    if (echo_wakeup.armed()) return;
    Duration first = Duration::never();
    for (const SendQueue& queue : queues) {
        if (queue.flying() == 0) continue;
        for (std::uint16_t slot = 0; slot < queue.slots(); ++slot) first = std::min(first, queue.sent(slot));
    }
    if (first != Duration::never()) echo_wakeup.at(first + params_.echo_timeout, present);
}

bool LinkRecovery::gives_up(std::uint32_t tries)
{
    ++echo_timeouts_;
    if (tries < params_.tries) return false;
    ++given_up_;
    return true;
}

std::optional<EchoStatus> LinkRecovery::earlier(const Packet& packet) { return answer_in(last_answer(packet), packet); }

void LinkRecovery::answered(const Packet& packet, EchoStatus status, Duration time)
{
    note(packet, status, last_answer(packet), time);
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
    visitor.counter("crc_errors", crc_errors_, "packets", "echoes included, discarded here");
    visitor.counter("echo_timeouts", echo_timeouts_, "packets", "sent again, since no echo came");
    visitor.counter("duplicates", duplicates_, "packets", "that had been accepted before");
    visitor.counter("late_echoes", late_echoes_, "echoes", "for packets that wait for none");
    visitor.counter("lost_go", faults.lost_go, "times", "that go bits were lost on the cable to the next node");
    visitor.counter("given_up", given_up_, "packets", "after the last try");
}

}  // namespace ringmesh::hw
