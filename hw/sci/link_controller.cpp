// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/link_controller.h"

#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"
#include "tlm/log.h"
#include "tlm/sci/journey.h"

namespace ringmesh::hw {

using sci::Class;
using sci::Packet;

LinkController::LinkController(const sc_core::sc_module_name& module_name, Simulation& simulation, const Config& config,
                               std::unique_ptr<Routing> routing, std::shared_ptr<const LinkTiming> timing)
    : sc_module(module_name),
      timing_(timing ? std::move(timing)
                     : std::make_shared<LinkTiming>(config.link, config.cable, config.chip, config.blink)),
      routing_(std::move(routing)),
      node_(config.node),
      scrubber_(config.scrubber),
      simulation_(simulation),
      send_queues_{SendQueue(config.chip.send_slots), SendQueue(config.chip.send_slots)},
      receive_queues_{ReceiveQueue(config.chip.receive_slots), ReceiveQueue(config.chip.receive_slots)}
{
    const std::int64_t needed = config.chip.least_bypass_capacity(config.link);
    if (config.chip.bypass_capacity < needed) {
        throw UserError(
            fmt::format("{}: bypass_capacity = {} symbols cannot hold what arrives while the longest packet and "
                        "its idle symbols leave; give it at least {}",
                        name(), config.chip.bypass_capacity, needed));
    }
    link_in.register_nb_transport_fw(this, &LinkController::arrive);
    from_blink.register_nb_transport_fw(this, &LinkController::take_from_blink);
    to_blink.register_nb_transport_bw(this, &LinkController::granted);
    SC_METHOD(step);
    sensitive << arrival_wakeup_.event() << echo_wakeup_.event() << send_wakeup_.event() << blink_wakeup_.event();
    dont_initialize();
    simulation.add(*this);
}

void LinkController::end_of_elaboration() { next_node_ = link_out.operator->(); }

::tlm::tlm_sync_enum LinkController::arrive(Packet& packet, sci::LinkPhase&, sc_core::sc_time& delay)
{
    const Duration time = now();
    const Duration head = time + from_kernel(delay);
    arrivals_.push_back({&packet, head});
    arrival_wakeup_.at(head, time);
    return ::tlm::TLM_COMPLETED;
}

void LinkController::step()
{
    const Duration time = now();
    if (arrival_wakeup_.taken(time)) take_arrivals(time);
    if (echo_wakeup_.taken(time)) take_echoes(time);
    if (blink_wakeup_.taken(time)) {
        for (const Class kind : {Class::kResponse, Class::kRequest}) offer_to_blink(kind, time);
    }
    if (send_wakeup_.taken(time)) send_own(time);
}

void LinkController::take_arrivals(Duration time)
{
    while (!arrivals_.empty() && arrivals_.front().head <= time) {
        const Arrival arrival = arrivals_.pop_front();
        receive(*arrival.packet, time);
    }
    if (!arrivals_.empty()) arrival_wakeup_.at(arrivals_.front().head, time);
}

void LinkController::receive(Packet& packet, Duration time)
{
    if (scrubber_ && scrub(packet)) return;
    if (!routing_->strips(packet.target)) {
        ++stats_.forwarded;
        pass(packet, time);
    } else if (sci::is_echo(packet.command)) {
        const Duration known = time + timing_->decode + length(packet) - timing_->symbol;
        echoes_.push_back({&packet, known});
        echo_wakeup_.at(known, time);
    } else {
        strip(packet, time);
    }
}

/// A packet that comes by the ring's scrubber a second time belongs to nobody. @return true if it was discarded
bool LinkController::scrub(Packet& packet)
{
    if (routing_->strips(packet.target)) return false;
    if (!packet.old) {
        packet.old = true;
        return false;
    }
    ++stats_.scrubbed;
    RINGMESH_LOG(*this, spdlog::level::warn, "scrubs packet {} for node {}, which is not on this ring", packet.id,
                 packet.target);
    simulation_.packets.release(packet);
    return true;
}

/// Sends what came in on link_in out again: the bypass FIFO.
void LinkController::pass(Packet& packet, Duration time)
{
    const Duration earliest = time + timing_->bypass;
    const Duration start = std::max(earliest, output_free_);
    note_bypass_wait(start - earliest);
    sci::report(simulation_, *this, "bypass", packet, time, earliest, StageKind::kForwarding);
    launch(packet, start, time);
}

void LinkController::note_bypass_wait(Duration wait)
{
    if (wait == bypass_wait_) return;  // nearly always zero, as the last one was
    bypass_wait_ = wait;
    bypass_symbols_ = static_cast<std::uint32_t>(wait.ps() / timing_->symbol.ps());
    stats_.longest_bypass_wait = std::max(stats_.longest_bypass_wait, wait);
    if (wait > timing_->bypass_bound) {
        throw ModelError(fmt::format("{}: the bypass FIFO overflows with {} symbols", name(), bypass_symbols_));
    }
}

/// Takes a packet off the ring, or refuses it, and puts its echo in its place.
void LinkController::strip(Packet& packet, Duration time)
{
    const Class kind = sci::class_of(packet.command);
    const sci::EchoStatus status = receive_queue(kind).admit(packet.phase, time);

    Packet& echo = simulation_.packets.acquire();
    echo.command = sci::Command::kEcho;
    echo.status = status;
    echo.echo_of = kind;
    echo.old = false;
    echo.target = packet.sender;
    echo.sender = node_;
    echo.slot = packet.slot;
    echo.id = packet.id;
    ++stats_.echoes;

    if (status == sci::EchoStatus::kDone) {
        ++stats_.stripped;
        simulation_.accepted();
        const Duration ready = time + timing_->to_blink[sci::index(packet.command)];
        const Duration decoded = time + timing_->decode;
        const Duration enough = ready - timing_->in_fifo;
        sci::report(simulation_, *this, "decode", packet, time, decoded);
        sci::report(simulation_, *this, "rest of the packet", packet, decoded, enough);
        sci::report(simulation_, *this, "input FIFO", packet, enough, ready);
        receive_queue(kind).enter(packet, ready);
        blink_wakeup_.at(ready, time);
        RINGMESH_LOG(*this, spdlog::level::debug, "strips {} {} of node {}", sci::word(packet.command), packet.id,
                     packet.sender);
    } else {
        ++stats_.refused;
        simulation_.refused();
        simulation_.packets.release(packet);  // the sender still has the original
    }
    pass(echo, time);
}

void LinkController::take_echoes(Duration time)
{
    while (!echoes_.empty() && echoes_.front().head <= time) take_echo(*echoes_.pop_front().packet, time);
    if (!echoes_.empty()) echo_wakeup_.at(echoes_.front().head, time);
}

/// An echo has been read: the packet it answers leaves its send slot, or is to go again.
void LinkController::take_echo(Packet& echo, Duration time)
{
    SendQueue& queue = send_queue(echo.echo_of);
    if (echo.status == sci::EchoStatus::kDone) {
        simulation_.packets.release(queue.done(echo.slot));
        free_send_slot(echo.echo_of);
    } else {
        ++stats_.retries;
        queue.busy(echo.slot, echo.status, time + timing_->retry);
        send_wakeup_.at(next_send(), time);
    }
    simulation_.packets.release(echo);
}

void LinkController::free_send_slot(Class kind)
{
    if (!grant_owed_[sci::index(kind)] || !send_queue(kind).reserve()) return;
    grant_owed_[sci::index(kind)] = false;
    blink::Transfer transfer{nullptr, kind, 0};
    blink::Phase phase = blink::Phase::kGrant;
    sc_core::sc_time delay;
    from_blink->nb_transport_bw(transfer, phase, delay);
}

Duration LinkController::next_send() const
{
    const Duration eligible = std::min(send_queues_[0].next_eligible(), send_queues_[1].next_eligible());
    return eligible == Duration::never() ? eligible : std::max(eligible, output_free_);
}

/// Starts one of the node's own packets if its turn has come; the queue keeps the original.
void LinkController::send_own(Duration time)
{
    if (next_send() > time) {
        send_wakeup_.at(next_send(), time);
        return;
    }
    const bool response = send_queue(Class::kResponse).next_eligible() <= time;
    Packet& packet = sci::clone(simulation_.packets, send_queue(response ? Class::kResponse : Class::kRequest).send());
    packet.sender = node_;
    packet.old = false;
    ++stats_.sent;
    RINGMESH_LOG(*this, spdlog::level::debug, "sends {} {} to node {}", sci::word(packet.command), packet.id,
                 packet.target);
    launch(packet, time, time);
    send_wakeup_.at(next_send(), time);
}

/// Puts a packet on the outgoing link from `start` on, and tells the other end when its head will be there.
void LinkController::launch(Packet& packet, Duration start, Duration time)
{
    const Duration end = start + length(packet);
    output_free_ = end + timing_->idle_gap;
    stats_.link_busy.add(length(packet));
    link_activity_.busy(start, end, sci::word(packet), packet.id);
    sci::report(simulation_, *this, "cable", packet, start, start + timing_->propagation, StageKind::kPropagation);
    sci::LinkPhase phase = sci::LinkPhase::kHead;
    sc_core::sc_time delay = to_kernel(start - time + timing_->propagation);
    next_node_->nb_transport_fw(packet, phase, delay);
}

/// The B-Link brings a packet for the ring, or asks whether there is room for one.
::tlm::tlm_sync_enum LinkController::take_from_blink(blink::Transfer& transfer, blink::Phase& phase,
                                                     sc_core::sc_time& delay)
{
    if (phase == blink::Phase::kRequest) {
        if (send_queue(transfer.kind).reserve()) return ::tlm::TLM_COMPLETED;
        grant_owed_[sci::index(transfer.kind)] = true;
        ++stats_.send_full;
        return ::tlm::TLM_ACCEPTED;
    }
    const Duration time = now();
    const Duration eligible = time + timing_->from_blink(transfer.packet->command, from_kernel(delay));
    send_queue(transfer.kind).enter(*transfer.packet, eligible);
    const Duration enough = eligible - timing_->out_fifo;
    if (timing_->cut_through_send) {
        sci::report(simulation_, *this, "head over the B-Link", *transfer.packet, time, enough);
    }
    sci::report(simulation_, *this, "output FIFO", *transfer.packet, enough, eligible);
    send_wakeup_.at(next_send(), time);
    return ::tlm::TLM_COMPLETED;
}

void LinkController::offer_to_blink(Class kind, Duration time)
{
    bool& asked = asked_blink_[sci::index(kind)];
    while (!asked && receive_queue(kind).front_ready() <= time) {
        Packet& packet = receive_queue(kind).front();
        blink::Transfer transfer{&packet, kind, routing_->blink_port(packet.target, kind)};
        blink::Phase phase = blink::Phase::kRequest;
        sc_core::sc_time delay;
        asked = to_blink->nb_transport_fw(transfer, phase, delay) != ::tlm::TLM_COMPLETED;
        if (!asked) hand_over(kind);
    }
    if (!asked) blink_wakeup_.at(receive_queue(kind).front_ready(), time);
}

::tlm::tlm_sync_enum LinkController::granted(blink::Transfer& transfer, blink::Phase&, sc_core::sc_time&)
{
    asked_blink_[sci::index(transfer.kind)] = false;
    hand_over(transfer.kind);
    blink_wakeup_.at(receive_queue(transfer.kind).front_ready());
    return ::tlm::TLM_COMPLETED;
}

void LinkController::hand_over(Class kind)
{
    Packet& packet = receive_queue(kind).front();
    blink::Transfer transfer{&packet, kind, routing_->blink_port(packet.target, kind)};
    blink::Phase phase = blink::Phase::kData;
    sc_core::sc_time delay;
    to_blink->nb_transport_fw(transfer, phase, delay);
    receive_queue(kind).leave(now() + from_kernel(delay));
}

std::uint64_t LinkController::packet_hops() const
{
    return stats_.forwarded.count() + stats_.sent.count() + stats_.echoes.count();
}

unsigned LinkController::armed_wakeups() const
{
    return static_cast<unsigned>(arrival_wakeup_.armed()) + static_cast<unsigned>(echo_wakeup_.armed()) +
           static_cast<unsigned>(send_wakeup_.armed()) + static_cast<unsigned>(blink_wakeup_.armed());
}

std::string LinkController::pending() const
{
    std::string text;
    const auto add = [&text](std::size_t count, std::string_view what) {
        if (count != 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
    };
    add(arrivals_.size(), "packets on the incoming link");
    add(echoes_.size(), "echoes to be read");
    add(send_queues_[0].fill(), "requests in the send queue");
    add(send_queues_[1].fill(), "responses in the send queue");
    add(receive_queues_[0].fill(), "requests wait for the B-Link");
    add(receive_queues_[1].fill(), "responses wait for the B-Link");
    return text;
}

void LinkController::statistics(StatisticsVisitor& visitor) const
{
    visitor.counter("forwarded", stats_.forwarded, "packets", "passed on through the bypass FIFO");
    visitor.counter("sent", stats_.sent, "packets", "own packets put on the ring, retries included");
    visitor.counter("stripped", stats_.stripped, "packets", "taken off the ring for this node");
    visitor.counter("refused", stats_.refused, "packets", "answered with a busy echo");
    visitor.counter("echoes", stats_.echoes, "packets", "echoes put in the place of stripped or refused packets");
    visitor.counter("retries", stats_.retries, "packets", "own packets that a busy echo sent back to the queue");
    visitor.counter("send_full", stats_.send_full, "packets", "packets on the B-Link that had to wait for a send slot");
    visitor.counter("scrubbed", stats_.scrubbed, "packets", "discarded because nobody on this ring took them");
    visitor.time("link_busy", stats_.link_busy, "time during which link_out carried packets");
    visitor.value("longest_bypass_wait", stats_.longest_bypass_wait.ns(), "ns",
                  "longest wait of a passing packet for an own one");
}

void LinkController::trace(sc_core::sc_trace_file* file) const
{
    const std::string prefix = name();
    sc_trace(file, link_activity_, prefix + ".link_out");
    sc_core::sc_trace(file, bypass_symbols_, prefix + ".bypass_wait");
    sc_core::sc_trace(file, send_queues_[0].fill(), prefix + ".send_requests");
    sc_core::sc_trace(file, send_queues_[1].fill(), prefix + ".send_responses");
    sc_core::sc_trace(file, receive_queues_[0].fill(), prefix + ".requests_for_blink");
    sc_core::sc_trace(file, receive_queues_[1].fill(), prefix + ".responses_for_blink");
}

}  // namespace ringmesh::hw
