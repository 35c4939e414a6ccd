// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <systemc>

#include "hw/sci/link/link_timing.h"
#include "hw/sci/link_controller/receive_queue.h"
#include "tlm/sci/journey.h"
#include "tlm/sci/packet.h"
#include "tlm/simulation/simulation.h"
#include "tlm/statistics/activity.h"
#include "tlm/statistics/component.h"

namespace ringmesh::hw {

struct LinkControllerStats {
    Counter forwarded, sent, stripped, refused, echoes, retries, scrubbed;
    BusyTime link_busy, go_wait;
    Duration longest_bypass_wait;
};

/// Observes a link controller: it counts, and informs waveforms, journeys and logs. It decides nothing, and nothing
/// flows back from it to the controller.
class LinkObserver {
public:
    /// @tparam Chip a module and Component, which outlives this
    template <class Chip>
    LinkObserver(const Chip& chip, const Simulation& simulation, const LinkTiming& timing)
        : timing_(timing), simulation_(simulation), module_(chip), chip_(chip)
    {}

    LinkControllerStats stats;

    /// The output is taken. @param start when the head leaves, which may lie ahead
    void launches(const sci::Packet& packet, Duration start)
    {
        const Duration length = timing_.length[sci::index(packet.command)];
        launched_ = packet.id;
        stats.link_busy.add(length);
        link_activity_.busy(start, start + length, sci::word(packet), packet.id,
                            {.bytes = sci::link_bytes(packet.command)});
        sci::report(simulation_, chip_, "cable", packet, start, start + timing_.propagation, StageKind::kPropagation);
    }
    void passes(const sci::Packet& packet, Duration time, Duration earliest)
    {
        sci::report(simulation_, chip_, "bypass", packet, time, earliest, StageKind::kForwarding);
    }
    /// What a passing packet waits in the bypass FIFO.
    void bypass_wait(Duration wait)
    {
        if (wait == bypass_wait_) return;  // nearly always: both zero
        bypass_wait_ = wait;
        bypass_symbols_ = static_cast<std::uint32_t>(wait.ps() / timing_.symbol.ps());
        stats.longest_bypass_wait = std::max(stats.longest_bypass_wait, wait);
    }
    void passes_late(const sci::Packet& packet, Duration earliest, Duration start)
    {
        bypass_wait(start - earliest);
        link_activity_.wait(start - earliest);
        sci::report_wait(simulation_, chip_, "output taken", packet, earliest, start, launched_);
    }
    void scrubs(const sci::Packet& packet);
    void discards(const sci::Packet& packet, Duration time);

    /// A stripped packet is accepted. @param ready for the B-Link
    void accepts(const sci::Packet& packet, Duration time, Duration ready);
    void refuses(const ReceiveQueue& queue);
    /// Why a busy echo, for its receiver: the packet at the head of the full queue; 0: none, or nobody asks.
    std::uint64_t cause_of_refusal(const ReceiveQueue& queue, Duration time) const
    {
        return simulation_.journey() == nullptr ? 0 : queue.head_if_full(time);
    }

    /// A busy echo. @param again when its packet may be sent again
    void is_refused(const sci::Packet& echo, Duration again);
    void waits_for_echo(const sci::Packet& packet, Duration sent, Duration time)
    {
        simulation_.report_wait(chip_, "echo time-out", packet.id, sent, time, 0, sci::leg_of(packet));
    }
    /// An own packet that could be sent since then has no go bit.
    void lacks_go(Duration since) { lacks_go_since_ = std::min(lacks_go_since_, since); }
    /// @param free when the output was, since the packet was eligible @param stopped_behind LinkFlow::stopped_behind()
    void sends(const sci::Packet& packet, Duration eligible, Duration free, Duration start,
               std::uint64_t stopped_behind);

    void comes_from_blink(const sci::Packet& packet, Duration time, Duration eligible);
    /// The first packet of a queue is ready for the B-Link.
    void asks_for_blink(const ReceiveQueue& queue, sci::Class kind, Duration time);

    const Activity& link_activity() const { return link_activity_; }
    void trace(sc_core::sc_trace_file* file, const std::string& prefix) const;

private:
    const LinkTiming& timing_;
    const Simulation& simulation_;
    Activity link_activity_;
    std::uint64_t launched_ = 0;  // the packet that took the output last
    Duration bypass_wait_;        // of the packet that passed last
    const sc_core::sc_module& module_;
    const Component& chip_;
    Duration lacks_go_since_ = Duration::never();
    std::array<std::uint64_t, sci::kClasses> asked_{};  // of each class: the packet that asked for the B-Link last
    Shown<std::uint32_t> bypass_symbols_;               // bypass_wait_ in symbols
};

}  // namespace ringmesh::hw
