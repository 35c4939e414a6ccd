// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/link_controller/link_observer.h"

#include <string_view>
#include <utility>

#include "tlm/simulation/log.h"

namespace ringmesh::hw {

void LinkObserver::scrubs(const sci::Packet& packet)
{
    ++stats.scrubbed;
    // Of one whose header a fault has corrupted there is no cause to warn
    if (packet.bad) return;
    RINGMESH_LOG(module_, spdlog::level::warn, "scrubs packet {} for node {}, which is not on this ring", packet.id,
                 packet.target);
}

void LinkObserver::discards(const sci::Packet& packet, Duration time)
{
    sci::report(simulation_, chip_, "CRC error", packet, time, time + timing_.length[sci::index(packet.command)]);
}

void LinkObserver::accepts(const sci::Packet& packet, Duration time, Duration ready)
{
    ++stats.stripped;
    const Duration decoded = time + timing_.decode;
    const Duration enough = std::max(decoded, ready - timing_.in_fifo);
    sci::report(simulation_, chip_, "decode", packet, time, decoded);
    sci::report(simulation_, chip_, "rest of the packet", packet, decoded, enough);
    sci::report(simulation_, chip_, "input FIFO", packet, enough, ready);
    RINGMESH_LOG(module_, spdlog::level::debug, "strips {} {} of node {}", sci::word(packet.command), packet.id,
                 packet.sender);
}

void LinkObserver::refuses(const ReceiveQueue& queue)
{
    ++stats.refused;
    queue.fill().refuse();
}

void LinkObserver::is_refused(const sci::Packet& echo, Duration again)
{
    ++stats.retries;
    const Leg leg = echo.echo_of == sci::Class::kRequest ? Leg::kRequest : Leg::kResponse;
    const std::string_view why = echo.offset != 0 ? "refused, receive queue full" : "refused, others go first";
    simulation_.report_wait(chip_, why, echo.id, Duration::picoseconds(echo.written_ps), again, echo.offset, leg);
}

void LinkObserver::sends(const sci::Packet& packet, Duration eligible, Duration free, Duration start,
                         std::uint64_t stopped_behind)
{
    ++stats.sent;
    sci::report_wait(simulation_, chip_, "output taken", packet, eligible, free, launched_);
    sci::report_wait(simulation_, chip_, "no go bit", packet, free, start, stopped_behind);
    link_activity_.wait(start - eligible);
    simulation_.report_injection(packet.id, sci::leg_of(packet), start);
    if (lacks_go_since_ != Duration::never()) stats.go_wait.add(start - lacks_go_since_);
    lacks_go_since_ = Duration::never();
    RINGMESH_LOG(module_, spdlog::level::debug, "sends {} {} to node {}", sci::word(packet.command), packet.id,
                 packet.target);
}

void LinkObserver::comes_from_blink(const sci::Packet& packet, Duration time, Duration eligible)
{
    const Duration enough = std::max(time, eligible - timing_.out_fifo);
    if (timing_.cut_through_send || timing_.transit_share)
        sci::report(simulation_, chip_, "head over the B-Link", packet, time, enough);
    sci::report(simulation_, chip_, "output FIFO", packet, enough, eligible);
}

void LinkObserver::asks_for_blink(const ReceiveQueue& queue, sci::Class kind, Duration time)
{
    if (simulation_.journey() == nullptr) return;
    const sci::Packet& packet = queue.front();
    if (std::exchange(asked_[sci::index(kind)], packet.id) == packet.id) return;
    sci::report_wait(simulation_, chip_, "behind others", packet, queue.front_ready(), time, queue.left());
}

void LinkObserver::trace(sc_core::sc_trace_file* file, const std::string& prefix) const
{
    trace_signal(file, link_activity_, prefix + ".link_out",
                 {"the packet on the cable to the next node of the ring, own or passing; a request or response that "
                  "was refused with a busy echo is sent again",
                  "request, response, echo, busy_echo, request_again, response_again", SignalPlace::kLink});
    trace_signal(
        file, bypass_symbols_, prefix + ".bypass_wait",
        {"what passing packets wait in the bypass FIFO while an own packet is sent", "symbols", SignalPlace::kNetwork});
}

}  // namespace ringmesh::hw
