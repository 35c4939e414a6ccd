// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hw/sci/link/link_faults.h"
#include "hw/sci/link_controller/receive_queue.h"
#include "hw/sci/link_controller/send_queue.h"
#include "hw/sci/params.h"
#include "tlm/sci/packet.h"
#include "tlm/simulation/simulation.h"
#include "tlm/statistics/statistics.h"
#include "tlm/time/wakeup.h"

namespace ringmesh::hw {

/// What a link controller does about faults, its own and those of others: made only if a run has any. An echo time-out
/// sends a packet again; its target remembers what it has answered, so that each packet counts once, and that a lost
/// busy echo leaves no promise of a slot over. SCI leaves repair to the sender; that a link controller sends again by
/// itself and its target recognises the packet is assumed (docs/reference/machines/faults.md).
///
/// The link controller asks at two places of its pipeline: admit() for what it strips, accepts_echo() for what comes
/// back. It wakes by go_wakeup and echo_wakeup, and calls await_echoes() when it has sent an own packet.
class LinkRecovery final {
public:
    LinkRecovery(const std::string& block, Simulation& simulation, const RecoveryParams& params, bool go_bits,
                 const WokenMethod& restore_go, const WokenMethod& send_lost_again)
        : faults(block, simulation.faults(), go_bits),
          go_wakeup(restore_go),
          echo_wakeup(send_lost_again),
          params_(params)
    {}

    LinkFaults faults;
    Wakeup go_wakeup;    ///< the cable to the next node takes go bits again
    Wakeup echo_wakeup;  ///< an echo may be overdue

    /// As a target: the answer to a packet.
    enum class Fate : std::uint8_t {
        kAnswered,   ///< by an echo with the status
        kKnown,      ///< the same, but the packet has been accepted before
        kDiscarded,  ///< its CRC is wrong: no echo
    };
    struct Answer {
        sci::EchoStatus status = sci::EchoStatus::kDone;
        Fate fate = Fate::kAnswered;
    };
    Answer admit(sci::Packet& packet, ReceiveQueue& queue, Duration time);

    /// As a sender: whether an echo is whole and awaited by its packet in this queue; if not it counts for nothing.
    bool accepts_echo(const sci::Packet& echo, const SendQueue& queue)
    {
        if (!echo.bad && queue.awaits(echo)) return true;
        ++(echo.bad ? crc_errors_ : late_echoes_);
        return false;
    }
    /// Wakes when the first of the packets that wait has no echo in time. One time-out serves all that are sent before
    /// it is due.
    void await_echoes(std::span<const SendQueue> queues, Duration present);
    /// Whether what this slot has sent should have its echo by now.
    bool overdue(const SendQueue& queue, std::uint16_t slot, Duration time) const
    {
        return queue.sent(slot) != Duration::never() && queue.sent(slot) + params_.echo_timeout <= time;
    }
    /// A packet has no echo. @param tries so far @return whether it is sent no more
    bool gives_up(std::uint32_t tries);
    /// Whether a packet is given up without a message: software repairs, or this link controller has stopped.
    bool gives_up_silently(Duration time) { return params_.tries == 0 || faults.strikes(LinkFault::kStop, time); }

    void statistics(StatisticsVisitor& visitor) const;

    /// A target's memory of its answers: the echo that a packet which is sent again had; none if it never came.
    std::optional<sci::EchoStatus> earlier(const sci::Packet& packet);
    void answered(const sci::Packet& packet, sci::EchoStatus status, Duration time);
    /// Whether a packet comes for a slot that it was promised.
    bool keeps_promise(const sci::Packet& packet) { return promise_to(packet) != promises_.end(); }
    /// A promise whose sender has given its packet up: it would have come again long ago. It is no promise any more.
    std::optional<sci::EchoStatus> broken_promise(sci::Class kind, Duration time);

private:
    /// A slot in a receive queue for which a sender was told to come again.
    struct Promise {
        std::uint64_t key = 0;
        sci::NodeId sender = 0;
        sci::Class kind = sci::Class::kRequest;
        sci::EchoStatus status = sci::EchoStatus::kBusyA;
        Duration at;
    };
    [[gnu::always_inline]] std::uint64_t& last_answer(const sci::Packet& packet);
    [[gnu::cold]] void make_row(const sci::Packet& packet, std::size_t place);
    [[gnu::cold]] bool comes_again(sci::Packet& packet, std::uint64_t last);
    void note(const sci::Packet& packet, sci::EchoStatus status, std::uint64_t& last, Duration time);
    std::vector<Promise>::iterator promise_to(const sci::Packet& packet);
    void note_promise(const sci::Packet& packet, sci::EchoStatus status, Duration time);

    const RecoveryParams params_;
    std::size_t places_ = 0;           // in a row: the slots of both classes
    std::vector<std::uint16_t> rows_;  // by sender: the number of its row, from 1
    std::vector<std::uint64_t> answers_;
    std::vector<Promise> promises_;
    Counter crc_errors_, echo_timeouts_, duplicates_, late_echoes_, given_up_;
};

}  // namespace ringmesh::hw
