// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/link_controller/link_controller.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tlm/error.h"

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
      flow_(config.link.flow_control),
      seen_(*this, simulation, *timing_),
      simulation_(simulation),
      packets_(simulation.pool<sci::PacketPool>()),
      send_queues_{SendQueue(config.chip.send_slots, config.chip.first_phase),
                   SendQueue(config.chip.send_slots, config.chip.first_phase)},
      receive_queues_{ReceiveQueue(config.chip.receive_slots, config.chip.admission),
                      ReceiveQueue(config.chip.receive_slots, config.chip.admission)}
{
    const std::int64_t needed = config.chip.least_bypass_capacity(config.link, config.longest);
    if (config.chip.bypass_capacity < needed) {
        throw UserError(
            fmt::format("{}: bypass_capacity = {} symbols cannot hold what arrives while the longest packet and "
                        "its idle symbols leave; give it at least {}",
                        name(), config.chip.bypass_capacity, needed));
    }
    link_in.register_nb_transport_fw(this, &LinkController::arrive);
    link_out.register_nb_transport_bw(this, &LinkController::go_lost);
    if (!simulation.faults().empty()) {
        const bool go_bits = config.link.flow_control->starts_before_passing;
        recovery_ =
            std::make_unique<LinkRecovery>(name(), simulation, config.recovery, go_bits,
                                           wakes<&LinkController::restore_go>(simulation.calendar(), *this),
                                           wakes<&LinkController::send_lost_again>(simulation.calendar(), *this));
    }
    simulation.add(*this);
}

void LinkController::end_of_elaboration() { next_node_ = link_out.operator->(); }

::tlm::tlm_sync_enum LinkController::arrive(Packet& packet, sci::LinkPhase& phase, sc_core::sc_time& delay)
{
    const Duration time = now();
    const Duration head = time + from_kernel(delay);
    if (phase == sci::LinkPhase::kGo) {
        // Queued behind the packet being received: go bits released by this packet can come round the ring at once
        if (arrivals_.empty() && !receiving_ && tail_echo_.packet == nullptr) {
            const Duration told = packet.born_ps == 0 ? time : Duration::picoseconds(packet.born_ps);
            receive_go(head, std::max(told, taken_));
        } else {
            arrivals_.push_back({nullptr, head});
        }
        return ::tlm::TLM_COMPLETED;
    }
    arrivals_.push_back({&packet, head});
    arrival_wakeup_.at(head, time);
    return ::tlm::TLM_COMPLETED;
}

void LinkController::take_arrivals()
{
    const Duration time = now();
    arrival_wakeup_.taken(time);
    taken_ = time;
    send_tail_echo(time);
    while (tail_echo_.packet == nullptr && !arrivals_.empty() &&
           (arrivals_.front().packet == nullptr || arrivals_.front().head <= time)) {
        const Arrival arrival = arrivals_.pop_front();
        if (arrival.packet != nullptr) {
            receiving_ = true;
            receive(*arrival.packet, time);
            receiving_ = false;
        } else {
            receive_go(arrival.head, time);
        }
    }
    if (tail_echo_.packet != nullptr) {
        arrival_wakeup_.at(tail_echo_.head, time);
    } else if (!arrivals_.empty()) {
        arrival_wakeup_.at(arrivals_.front().head, time);
    }
}

/// The symbols of a stripped packet arrive whose place its echo takes.
void LinkController::send_tail_echo(Duration time)
{
    if (tail_echo_.packet == nullptr || tail_echo_.head > time) return;
    receiving_ = true;
    pass(*std::exchange(tail_echo_.packet, nullptr), time + timing_->bypass, time);
    receiving_ = false;
}

void LinkController::receive(Packet& packet, Duration time)
{
    if (scrubber_ && scrub(packet, time)) return;
    if (!routing_->strips(packet.target)) {
        ++seen_.stats.forwarded;
        pass(packet, time + timing_->bypass, time);
    } else if (sci::is_echo(packet.command)) {
        const Duration known = time + timing_->decode + length(packet) - timing_->symbol;
        echoes_.push_back({&packet, known});
        echo_wakeup_.at(known, time);
        receive_idles(packet, time);
    } else {
        strip(packet, time);
    }
}

/// A packet that passes the ring's scrubber a second time has no target on this ring. @return true if it was discarded
bool LinkController::scrub(Packet& packet, Duration time)
{
    if (routing_->strips(packet.target)) return false;
    if (!packet.old) {
        packet.old = true;
        return false;
    }
    seen_.scrubs(packet);
    receive_idles(packet, time);
    packets_.release(packet);
    return true;
}

/// A packet was stripped: its place and the idle symbols behind it form one gap.
void LinkController::receive_idles(const Packet& packet, Duration time)
{
    if (!packet.stop && flow_.go_from() <= time) return;
    send_go(flow_.receive_idles(packet.stop, time + timing_->bypass + length(packet), packet.id), time);
    send_wakeup_.at(next_send(), time);
}

/// Processed ahead of its time, which is safe: a node without go bits starts no packet before then.
/// @param told when this was known, but not before the last arrival was taken: the present, unless another process has
/// told it
void LinkController::receive_go(Duration head, Duration told)
{
    const Duration passes = head + timing_->bypass;
    if (output_free_ <= told) send_go(flow_.fifo_empty(output_free_, passes), told);
    note_lack_of_go(passes);
    send_go(flow_.receive_go(passes), told);
    send_wakeup_.at(next_send());
}

void LinkController::send_go(Duration from, Duration time)
{
    if (from == Duration::never()) return;
    const Duration at = std::max({from, output_free_, time});
    no_packet_.born_ps = time.ps();
    sci::LinkPhase phase = sci::LinkPhase::kGo;
    sc_core::sc_time delay = to_kernel(at + timing_->propagation - now());
    next_node_->nb_transport_fw(no_packet_, phase, delay);
}

/// Sends on a packet from link_in, or an echo in its place. @param earliest when its head can leave
void LinkController::pass(Packet& packet, Duration earliest, Duration time)
{
    seen_.passes(packet, time, earliest);
    if (output_free_ > earliest || own_eligible_ != Duration::never() || packet.stop || !flow_.unrestricted()) {
        pass_on_a_busy_ring(packet, earliest, time);
        return;
    }
    seen_.bypass_wait(Duration::zero());
    launch(packet, earliest, time);
}

/// Called when the packet has to wait, or others wait for it or for go bits.
void LinkController::pass_on_a_busy_ring(Packet& packet, Duration earliest, Duration time)
{
    if (output_free_ <= earliest) send_before(earliest, time);
    const Duration start = std::max(earliest, output_free_);
    if (start - earliest > timing_->bypass_bound) {
        throw ModelError(fmt::format("{}: the bypass FIFO overflows with {} symbols", name(),
                                     (start - earliest).ps() / timing_->symbol.ps()));
    }
    seen_.passes_late(packet, earliest, start);
    packet.stop = flow_.pass(packet.stop, start > earliest, earliest + length(packet), packet.id);
    launch(packet, start, time);
    if (own_eligible_ != Duration::never() || flow_.recovering()) send_wakeup_.at(next_send(), time);
}

/// The bypass FIFO is empty when a packet arrives: an own packet that is ready in time may start first.
void LinkController::send_before(Duration earliest, Duration time)
{
    if (flow_.recovering()) send_go(flow_.fifo_empty(output_free_, std::max(output_free_, time)), time);
    if (own_eligible_ >= std::min(earliest, time + timing_->own_goes_before) || !flow_.policy().starts_before_passing)
        return;
    if (flow_.go_from() <= earliest) {
        start_own(std::max({own_eligible_, output_free_, time, flow_.go_from()}), time, earliest);
    } else {
        note_lack_of_go(earliest);
    }
}

/// Strips a packet, accepted or refused, and sends its echo in its place.
void LinkController::strip(Packet& packet, Duration time)
{
    const Class kind = sci::class_of(packet.command);
    const std::size_t command = sci::index(packet.command);
    ReceiveQueue& queue = receive_queue(kind);
    const LinkRecovery::Answer answer = recovery_ != nullptr ? recovery_->admit(packet, queue, time)
                                                             : LinkRecovery::Answer{queue.admit(packet.phase, time)};
    if (answer.fate == LinkRecovery::Fate::kDiscarded) [[unlikely]]
        return discard(packet, time);
    Packet& echo = make_echo(packet, answer.status, time);
    if (answer.fate == LinkRecovery::Fate::kKnown) {
        packets_.release(packet);
    } else if (answer.status == sci::EchoStatus::kDone) {
        simulation_.accepted();
        const Duration ready =
            time + (packet.target == node_ ? timing_->to_blink[command] : timing_->transit_to_blink(packet.command));
        seen_.accepts(packet, time, ready);
        queue.enter(packet, ready);
        blink_wakeup_.at(ready, time);
    } else {
        simulation_.refused();
        seen_.refuses(queue);
        echo.offset = seen_.cause_of_refusal(queue, time);
        packets_.release(packet);  // the sender still has the original
    }
    send_echo(echo, timing_->echo_behind[command], time);
}

Packet& LinkController::make_echo(const Packet& packet, sci::EchoStatus status, Duration time)
{
    Packet& echo = packets_.acquire();
    echo.command = sci::Command::kEcho;
    echo.status = status;
    echo.echo_of = sci::class_of(packet.command);
    echo.stop = packet.stop;
    echo.target = packet.sender;
    echo.sender = node_;
    echo.source = node_;
    echo.slot = packet.slot;
    echo.tag = packet.tag;
    echo.made = packet.made;
    echo.id = packet.id;
    echo.born_ps = time.ps();
    echo.written_ps = time.ps();
    ++seen_.stats.echoes;
    return echo;
}

/// @param behind from the stripped packet's head, which arrives, to the echo's place; zero: behind the decode
void LinkController::send_echo(Packet& echo, Duration behind, Duration time)
{
    if (behind > Duration::zero()) {
        tail_echo_ = {&echo, time + behind};
        return;
    }
    // Packets on their way through the bypass FIFO stay before it, which is no wait
    const Duration passed = std::min(output_free_, time + timing_->bypass);
    pass(echo, std::max(time + timing_->decode, passed), time);
}

void LinkController::take_echoes()
{
    const Duration time = now();
    echo_wakeup_.taken(time);
    while (!echoes_.empty() && echoes_.front().head <= time) take_echo(*echoes_.pop_front().packet, time);
    if (!echoes_.empty()) echo_wakeup_.at(echoes_.front().head, time);
}

/// An echo has been decoded: its send packet is done, or is retried.
void LinkController::take_echo(Packet& echo, Duration time)
{
    SendQueue& queue = send_queue(echo.echo_of);
    if (recovery_ != nullptr && !recovery_->accepts_echo(echo, queue)) {
        packets_.release(echo);
        return;
    }
    if (echo.status == sci::EchoStatus::kDone) {
        packets_.release(queue.done(echo.slot));
        from_blink.freed(echo.echo_of);
    } else {
        const Duration again = time + timing_->retry;
        seen_.is_refused(echo, again);
        queue.busy(echo.slot, echo.status, again);
        note_own();
        note_lack_of_known_go();
        send_wakeup_.at(next_send(), time);
    }
    packets_.release(echo);
}

/// The send queues have changed.
void LinkController::note_own()
{
    own_eligible_ = std::min(send_queues_[0].next_eligible(), send_queues_[1].next_eligible());
}

/// The first own packet, if eligible by then with a free output, waits for a go bit until `until` or longer.
void LinkController::note_lack_of_go(Duration until)
{
    const Duration since = std::max(own_eligible_, output_free_);
    if (since < until && flow_.first_go() > since) seen_.lacks_go(since);
}

/// The same of an own packet that has become known after the go bit for which it waits.
void LinkController::note_lack_of_known_go()
{
    if (flow_.first_go() != Duration::never()) note_lack_of_go(flow_.first_go());
}

/// When to act without an arrival: an own packet may start, or saved go bits are released.
Duration LinkController::next_send() const
{
    if (flow_.recovering()) return std::max(flow_.saved_go_from(), output_free_);
    return std::max({own_eligible_, output_free_, flow_.go_from()});
}

void LinkController::send_own()
{
    const Duration time = now();
    send_wakeup_.taken(time);
    if (output_free_ <= time) send_go(flow_.fifo_empty(output_free_, time), time);
    if (next_send() <= time) start_own(time, time);
    send_wakeup_.at(next_send(), time);
}

/// Starts one of the node's own packets; the queue keeps the original.
/// @param next_head when the head of an arrived packet would leave
void LinkController::start_own(Duration start, Duration time, Duration next_head)
{
    const bool response = send_queue(Class::kResponse).next_eligible() <= start;
    SendQueue& queue = send_queue(response ? Class::kResponse : Class::kRequest);
    const Duration eligible = queue.next_eligible();
    Packet& packet = sci::clone(packets_, queue.send(start));
    note_own();
    const Duration free = std::clamp(output_free_, eligible, std::max(eligible, start));
    seen_.sends(packet, eligible, free, start, flow_.stopped_behind());
    packet.sender = node_;
    packet.old = false;
    packet.bad = false;
    const Duration behind = start + length(packet);
    packet.stop = flow_.start_own(behind + timing_->idle_gap > next_head, behind, packet.id);
    launch(packet, start, time);
    if (recovery_ != nullptr) recovery_->await_echoes(send_queues_, time);
}

/// Sends a packet on the outgoing link from `start` on, and annotates the arrival of its head at the next node.
void LinkController::launch(Packet& packet, Duration start, Duration time)
{
    output_free_ = start + length(packet) + timing_->idle_gap;
    seen_.launches(packet, start);
    sci::LinkPhase phase = sci::LinkPhase::kHead;
    sc_core::sc_time delay = to_kernel(start - time + timing_->propagation);
    next_node_->nb_transport_fw(packet, phase, delay);
}

/// The link loses go bits until so much later. @pre the run has faults
::tlm::tlm_sync_enum LinkController::go_lost(Packet&, sci::LinkPhase&, sc_core::sc_time& delay)
{
    const Duration time = now();
    recovery_->go_wakeup.at(time + from_kernel(delay), time);
    return ::tlm::TLM_COMPLETED;
}

/// Its CRC is wrong: no echo answers it. (That of an echo is checked when it is read.)
void LinkController::discard(Packet& packet, Duration time)
{
    seen_.discards(packet, time);
    receive_idles(packet, time);
    packets_.release(packet);
}

/// Those whose echoes have not come in time.
void LinkController::send_lost_again()
{
    const Duration time = now();
    recovery_->echo_wakeup.taken(time);
    for (SendQueue& queue : send_queues_) {
        for (std::uint16_t slot = 0; slot < queue.slots(); ++slot) {
            if (recovery_->overdue(queue, slot, time)) send_again(queue, slot, time);
        }
    }
    note_own();
    send_wakeup_.at(next_send(), time);
    recovery_->await_echoes(send_queues_, time);
}

/// Go bits come again behind those that were lost. A node that has begun to keep them keeps this one as well: else a
/// ring on which every node has sent behind a lost go bit would have none left.
void LinkController::restore_go()
{
    const Duration time = now();
    recovery_->go_wakeup.taken(time);
    if (flow_.sends_go()) {
        send_go(time, time);
    } else {
        send_go(flow_.receive_go(time), time);
        send_wakeup_.at(next_send(), time);
    }
}

/// A packet that has no echo goes out again, or is given up.
void LinkController::send_again(SendQueue& queue, std::uint16_t slot, Duration time)
{
    seen_.waits_for_echo(queue.packet(slot), queue.sent(slot), time);
    const std::uint32_t lost = queue.lost(slot, time);
    if (!recovery_->gives_up(lost)) return;
    Packet& packet = queue.take_back(slot);
    const bool silent = recovery_->gives_up_silently(time);
    if (!silent || !simulation_.responses_watched()) {
        simulation_.lost(fmt::format("{}: {} {} for node {} was sent {} time{} and had no echo; given up at {:.3f} us",
                                     name(), sci::word(packet.command), packet.id, packet.target, lost,
                                     lost == 1 ? "" : "s", time.us()));
    }
    const Class kind = sci::class_of(packet.command);
    packets_.release(packet);
    from_blink.freed(kind);
}

/// The B-Link delivers a packet for the ring.
void LinkController::take_from_blink(Packet& packet, Class kind, Duration delay)
{
    const Duration time = now();
    const Duration eligible = time + (packet.source == node_ ? timing_->from_blink(packet.command, delay)
                                                             : timing_->transit_from_blink(packet.command, delay));
    send_queue(kind).enter(packet, eligible);
    note_own();
    note_lack_of_known_go();
    seen_.comes_from_blink(packet, time, eligible);
    send_wakeup_.at(next_send(), time);
}

void LinkController::offer_both_to_blink()
{
    const Duration time = now();
    blink_wakeup_.taken(time);
    for (const Class kind : {Class::kResponse, Class::kRequest}) offer_to_blink(kind, time);
}

void LinkController::offer_to_blink(Class kind, Duration time)
{
    to_blink.offer(kind);
    if (!to_blink.waits(kind)) blink_wakeup_.at(receive_queue(kind).front_ready(), time);
}

blink::Transfer LinkController::blink_front(Class kind)
{
    ReceiveQueue& queue = receive_queue(kind);
    if (queue.front_ready() > now()) return {};
    Packet& packet = queue.front();
    seen_.asks_for_blink(queue, kind, now());
    return {&packet, kind, routing_->blink_port(packet.target, kind)};
}

std::uint64_t LinkController::packet_hops() const
{
    return seen_.stats.forwarded.count() + seen_.stats.sent.count() + seen_.stats.echoes.count();
}

Duration LinkController::link_time_taken() const
{
    const std::uint64_t still_here = tail_echo_.packet != nullptr ? 1 : 0;  // counted when its packet was stripped
    return seen_.stats.link_busy.total() + timing_->idle_gap * static_cast<std::int64_t>(packet_hops() - still_here);
}

unsigned LinkController::armed_wakeups() const
{
    return static_cast<unsigned>(arrival_wakeup_.armed()) + static_cast<unsigned>(echo_wakeup_.armed()) +
           static_cast<unsigned>(send_wakeup_.armed()) + static_cast<unsigned>(blink_wakeup_.armed());
}

std::string LinkController::pending() const
{
    PendingText text;
    text.add(arrivals_.size(), "packets on the incoming link");
    text.add(echoes_.size(), "echoes to be read");
    text.add(send_queues_[0].fill(), "requests in the send queue");
    text.add(send_queues_[1].fill(), "responses in the send queue");
    text.add(receive_queues_[0].fill(), "requests wait for the B-Link");
    text.add(receive_queues_[1].fill(), "responses wait for the B-Link");
    return text.text();
}

void LinkController::statistics(StatisticsVisitor& visitor) const
{
    visitor.counter("forwarded", seen_.stats.forwarded, "packets", "passed on through the bypass FIFO");
    visitor.counter("sent", seen_.stats.sent, "packets", "own packets put on the ring, retries included");
    visitor.counter("stripped", seen_.stats.stripped, "packets", "taken off the ring for this node");
    visitor.counter("refused", seen_.stats.refused, "packets", "answered with a busy echo");
    visitor.counter("echoes", seen_.stats.echoes, "packets", "echoes sent for stripped or refused packets");
    visitor.counter("retries", seen_.stats.retries, "packets", "own packets returned to the send queue by a busy echo");
    visitor.counter("send_full", from_blink.delayed(), "packets", "packets on the B-Link that waited for a send slot");
    visitor.value("go_kept", static_cast<double>(flow_.recoveries()), "times",
                  "recoveries: go bits withheld until the bypass FIFO was empty");
    visitor.time("go_wait", seen_.stats.go_wait,
                 "time that the first own packet waited with a free output for a go bit");
    visitor.counter("scrubbed", seen_.stats.scrubbed, "packets", "discarded by the scrubber: no target on this ring");
    visitor.time("link_busy", seen_.stats.link_busy, "time during which link_out carried packets");
    visitor.value("longest_bypass_wait", seen_.stats.longest_bypass_wait.ns(), "ns",
                  "longest wait of a passing packet in the bypass FIFO");
    if (recovery_ != nullptr) recovery_->statistics(visitor);
}

void LinkController::places(PlaceVisitor& visitor) const
{
    visitor.busy("link_out", "link", seen_.link_activity());
    visitor.level("send_requests", "queue", send_queues_[0].fill(), send_queues_[0].slots());
    visitor.level("send_responses", "queue", send_queues_[1].fill(), send_queues_[1].slots());
    visitor.level("requests_for_blink", "queue", receive_queues_[0].fill(), receive_queues_[0].slots());
    visitor.level("responses_for_blink", "queue", receive_queues_[1].fill(), receive_queues_[1].slots());
}

void LinkController::trace(sc_core::sc_trace_file* file) const
{
    const std::string prefix = name();
    seen_.trace(file, prefix);
    trace_signal(file, flow_.shown(), prefix + ".go",
                 {"the go bit of the idle symbols sent behind the last packet: others may send, they may not, or "
                  "this node stopped them and recovers",
                  "go, stop, keep", SignalPlace::kNetwork});
    flow_.show(now());
    trace_signal(file, send_queues_[0].fill(), prefix + ".send_requests",
                 {"requests to be sent, or sent and without an echo", "packets", SignalPlace::kWayOut});
    trace_signal(file, send_queues_[1].fill(), prefix + ".send_responses",
                 {"responses to be sent, or sent and without an echo", "packets", SignalPlace::kWayOut});
    trace_signal(file, receive_queues_[0].fill(), prefix + ".requests_for_blink",
                 {"requests taken from the ring that wait for the card's bus", "packets", SignalPlace::kWayIn});
    trace_signal(file, receive_queues_[1].fill(), prefix + ".responses_for_blink",
                 {"responses taken from the ring that wait for the card's bus", "packets", SignalPlace::kWayIn});
}

}  // namespace ringmesh::hw
