// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/link_controller.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

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
      flow_(config.link.flow_control),
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
    SC_METHOD(step);
    sensitive << arrival_wakeup_.event() << echo_wakeup_.event() << send_wakeup_.event() << blink_wakeup_.event();
    if (!simulation.faults().empty()) {
        const bool go_bits = config.link.flow_control->starts_before_passing;
        recovery_ = std::make_unique<LinkRecovery>(name(), simulation, config.recovery, go_bits);
        fault_words_ = recovery_->words();
        recovery_->watch = &simulation.shared<EchoWatch>();
        if (recovery_->watch->wakeup == nullptr) recovery_->watch->wakeup = &recovery_->wakeup;
        sensitive << recovery_->wakeup.event() << recovery_->go_wakeup.event();
    }
    dont_initialize();
    simulation.add(*this);
}

void LinkController::end_of_elaboration() { next_node_ = link_out.operator->(); }

::tlm::tlm_sync_enum LinkController::arrive(Packet& packet, sci::LinkPhase& phase, sc_core::sc_time& delay)
{
    const Duration time = now();
    const Duration head = time + from_kernel(delay);
    if ((fault_words_ & bits({LinkFault::kStop})) != 0 &&
        recovery_->strikes(LinkFault::kStop, head, 0,
                           phase == sci::LinkPhase::kGo ? FaultVictim{} : LinkRecovery::victim(packet))) [[unlikely]] {
        if (phase != sci::LinkPhase::kGo) {
            ++recovery_->dropped;
            packets_.release(packet);
        }
        return ::tlm::TLM_COMPLETED;
    }
    if (phase == sci::LinkPhase::kGo) {
        // Queued behind the packet being received: go bits released by this packet can come round the ring at once
        if (arrivals_.empty() && !receiving_ && tail_echo_.packet == nullptr) {
            receive_go(head, time);
        } else {
            arrivals_.push_back({nullptr, head});
        }
        return ::tlm::TLM_COMPLETED;
    }
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
    if (recovery_ != nullptr) {
        if (recovery_->wakeup.taken(time)) find_all_lost(time);
        if (recovery_->go_wakeup.taken(time)) restore_go(time);
    }
    if (send_wakeup_.taken(time)) send_own(time);
}

void LinkController::take_arrivals(Duration time)
{
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
    if (packet.bad && discard_bad(packet, time)) [[unlikely]]
        return;
    if (!routing_->strips(packet.target)) {
        ++stats_.forwarded;
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
    ++stats_.scrubbed;
    // Of one whose header a fault has corrupted there is no cause to warn
    if (!packet.bad) {
        RINGMESH_LOG(*this, spdlog::level::warn, "scrubs packet {} for node {}, which is not on this ring", packet.id,
                     packet.target);
    }
    receive_idles(packet, time);
    packets_.release(packet);
    return true;
}

/// A packet was stripped: its place and the idle symbols behind it form one gap.
void LinkController::receive_idles(const Packet& packet, Duration time)
{
    if (!packet.stop && flow_.go_from() <= time) return;
    const bool had_go = has_go();
    send_go(flow_.receive_idles(packet.stop, time + timing_->bypass + length(packet)), time);
    if (had_go) note_go(packet);
    send_wakeup_.at(next_send(), time);
}

/// Processed ahead of its time, which is safe: a node without go bits starts no packet before then.
void LinkController::receive_go(Duration head, Duration time)
{
    if (output_free_ <= time) send_go(flow_.fifo_empty(output_free_), time);
    note_go_wait(head + timing_->bypass);
    send_go(flow_.receive_go(head + timing_->bypass), time);
    send_wakeup_.at(next_send(), time);
}

void LinkController::send_go(Duration from, Duration time)
{
    if (from == Duration::never()) return;
    const Duration at = std::max({from, output_free_, time, late_until_});
    if ((fault_words_ & bits({LinkFault::kLostGo})) != 0 && loses_go(at, time)) [[unlikely]]
        return;
    sci::LinkPhase phase = sci::LinkPhase::kGo;
    sc_core::sc_time delay = to_kernel(at - time + timing_->propagation);
    next_node_->nb_transport_fw(no_packet_, phase, delay);
}

/// Sends on a packet from link_in, or an echo in its place. @param earliest when its head can leave
void LinkController::pass(Packet& packet, Duration earliest, Duration time)
{
    sci::report(simulation_, *this, "bypass", packet, time, earliest, StageKind::kForwarding);
    if (output_free_ > earliest || own_eligible_ != Duration::never() || packet.stop || !flow_.unrestricted()) {
        pass_on_a_busy_ring(packet, earliest, time);
        return;
    }
    note_bypass_wait(Duration::zero());
    launch(packet, earliest, time);
}

/// Called when the packet has to wait, or others wait for it or for go bits.
void LinkController::pass_on_a_busy_ring(Packet& packet, Duration earliest, Duration time)
{
    if (output_free_ <= earliest) send_before(earliest, time);
    const Duration start = std::max(earliest, output_free_);
    note_bypass_wait(start - earliest);
    link_activity_.wait(start - earliest);
    const bool had_go = has_go();
    packet.stop = flow_.pass(packet.stop, start > earliest, earliest + length(packet));
    if (had_go) note_go(packet);
    sci::report_wait(simulation_, *this, "output taken", packet, earliest, start, launched_);
    launch(packet, start, time);
    if (own_eligible_ != Duration::never() || flow_.recovering()) send_wakeup_.at(next_send(), time);
}

/// The bypass FIFO is empty when a packet arrives: an own packet that is ready in time may start first.
void LinkController::send_before(Duration earliest, Duration time)
{
    if (flow_.recovering()) send_go(flow_.fifo_empty(output_free_), time);
    if (own_eligible_ >= std::min(earliest, time + timing_->own_goes_before) || !flow_.policy().starts_before_passing)
        return;
    if (flow_.go_from() <= earliest) {
        start_own(std::max({own_eligible_, output_free_, time, flow_.go_from()}), time, earliest);
    } else {
        note_go_wait(earliest);
    }
}

void LinkController::note_bypass_wait(Duration wait)
{
    if (wait == bypass_wait_) return;  // nearly always: both zero
    bypass_wait_ = wait;
    bypass_symbols_ = static_cast<std::uint32_t>(wait.ps() / timing_->symbol.ps());
    stats_.longest_bypass_wait = std::max(stats_.longest_bypass_wait, wait);
    if (wait > timing_->bypass_bound) {
        throw ModelError(fmt::format("{}: the bypass FIFO overflows with {} symbols", name(), bypass_symbols_));
    }
}

/// Strips a packet, accepted or refused, and sends its echo in its place.
void LinkController::strip(Packet& packet, Duration time)
{
    const Class kind = sci::class_of(packet.command);
    const std::size_t command = sci::index(packet.command);
    bool duplicate = false;
    const sci::EchoStatus status = recovery_ == nullptr ? receive_queue(kind).admit(packet.phase, time)
                                                        : admit_with_faults(packet, time, duplicate);

    Packet& echo = packets_.acquire();
    echo.command = sci::Command::kEcho;
    echo.status = status;
    echo.echo_of = kind;
    echo.old = false;
    echo.stop = packet.stop;
    echo.target = packet.sender;
    echo.sender = node_;
    echo.slot = packet.slot;
    echo.tag = packet.tag;
    echo.made = packet.made;
    echo.bad = false;
    echo.id = packet.id;
    echo.written_ps = time.ps();
    ++stats_.echoes;

    if (duplicate) {
        ++recovery_->duplicates;
        packets_.release(packet);
    } else if (status == sci::EchoStatus::kDone) {
        ++stats_.stripped;
        simulation_.accepted();
        const Duration ready = time + timing_->to_blink[command];
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
        receive_queue(kind).fill().refuse();
        simulation_.refused();
        if (simulation_.journey() != nullptr) echo.offset = receive_queue(kind).head_if_full(time);
        packets_.release(packet);  // the sender still has the original
    }
    send_echo(echo, timing_->echo_behind[command], time);
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

void LinkController::take_echoes(Duration time)
{
    while (!echoes_.empty() && echoes_.front().head <= time) take_echo(*echoes_.pop_front().packet, time);
    if (!echoes_.empty()) echo_wakeup_.at(echoes_.front().head, time);
}

/// An echo has been decoded: its send packet is done, or is retried.
void LinkController::take_echo(Packet& echo, Duration time)
{
    SendQueue& queue = send_queue(echo.echo_of);
    if (recovery_ != nullptr && (echo.bad || !queue.awaits(echo))) [[unlikely]] {
        ++(echo.bad ? recovery_->corrupted : recovery_->late_echoes);
        packets_.release(echo);
        return;
    }
    if (echo.status == sci::EchoStatus::kDone) {
        packets_.release(queue.done(echo.slot));
        from_blink.freed(echo.echo_of);
    } else {
        ++stats_.retries;
        const Leg leg = echo.echo_of == Class::kRequest ? Leg::kRequest : Leg::kResponse;
        const std::string_view why = echo.offset != 0 ? "refused, receive queue full" : "refused, others go first";
        simulation_.report_wait(*this, why, echo.id, Duration::picoseconds(echo.written_ps), time + timing_->retry,
                                echo.offset, leg);
        queue.busy(echo.slot, echo.status, time + timing_->retry);
        note_own();
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
void LinkController::note_go_wait(Duration until)
{
    const Duration since = std::max(own_eligible_, output_free_);
    if (since < until && flow_.go_from() > since && !flow_.recovering()) go_missed_ = std::min(go_missed_, since);
}

/// A packet has passed, was stripped or sent, and before it this node had a go bit.
void LinkController::note_go(const Packet& packet)
{
    // In recovery the node waits until the FIFO is empty that filled behind its own packet
    if (!has_go()) stopped_behind_ = flow_.recovering() ? own_ : packet.id;
}

/// When to act without an arrival: an own packet may start, or saved go bits are released.
Duration LinkController::next_send() const
{
    if (flow_.recovering()) return std::max(flow_.saved_go_from(), output_free_);
    return std::max({own_eligible_, output_free_, flow_.go_from()});
}

void LinkController::send_own(Duration time)
{
    if (output_free_ <= time) send_go(flow_.fifo_empty(output_free_), time);
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
    sci::report_wait(simulation_, *this, "output taken", packet, eligible, free, launched_);
    sci::report_wait(simulation_, *this, "no go bit", packet, free, start, stopped_behind_);
    link_activity_.wait(start - eligible);
    if (recovery_ != nullptr) recovery_->sent(*this, start, time);
    packet.sender = node_;
    packet.old = false;
    packet.bad = false;
    packet.stop = flow_.start_own(start + length(packet) + timing_->idle_gap > next_head);
    own_ = packet.id;
    note_go(packet);
    ++stats_.sent;
    simulation_.report_injection(packet.id, sci::leg_of(packet), start);
    if (go_missed_ != Duration::never()) stats_.go_wait.add(start - go_missed_);
    go_missed_ = Duration::never();
    RINGMESH_LOG(*this, spdlog::level::debug, "sends {} {} to node {}", sci::word(packet.command), packet.id,
                 packet.target);
    launch(packet, start, time);
}

/// Sends a packet on the outgoing link from `start` on, and annotates the arrival of its head at the next node.
void LinkController::launch(Packet& packet, Duration start, Duration time)
{
    const Duration end = start + length(packet);
    output_free_ = end + timing_->idle_gap;
    launched_ = packet.id;
    stats_.link_busy.add(length(packet));
    link_activity_.busy(start, end, sci::word(packet), packet.id, {.bytes = sci::link_bytes(packet.command)});
    sci::report(simulation_, *this, "cable", packet, start, start + timing_->propagation, StageKind::kPropagation);
    constexpr std::uint32_t kOfEchoes =
        bits({LinkFault::kCut, LinkFault::kStop, LinkFault::kLoseEcho, LinkFault::kCorruptEcho});
    constexpr std::uint32_t kOfOthers = bits({LinkFault::kCut, LinkFault::kStop, LinkFault::kLosePacket,
                                              LinkFault::kCorruptHeader, LinkFault::kCorruptData});
    const bool echo = sci::is_echo(packet.command);
    if ((fault_words_ & (echo ? kOfEchoes : kOfOthers)) != 0 &&
        !calm_[echo ? 1 : 0].passes(start, sci::symbols(packet.command)) && spoil(packet, start, time)) [[unlikely]] {
        return;
    }
    if ((fault_words_ & bits({LinkFault::kLostGo})) != 0 && !packet.stop) packet.stop = loses_go(end, time);
    const bool slow = (fault_words_ & bits({LinkFault::kSlow})) != 0;
    const Duration leaves = slow ? late_head(packet, start) : start;
    sci::LinkPhase phase = sci::LinkPhase::kHead;
    sc_core::sc_time delay = to_kernel(leaves - time + timing_->propagation);
    next_node_->nb_transport_fw(packet, phase, delay);
}

/// What faults do to a packet on the cable. @return true if nothing of it arrives; its idle symbols do
bool LinkController::spoil(Packet& packet, Duration start, Duration time)
{
    const bool echo = sci::is_echo(packet.command);
    const std::int64_t symbols = sci::symbols(packet.command);
    const auto strikes = [&](LinkFault fault) {
        return recovery_->strikes(fault, start, symbols, LinkRecovery::victim(packet));
    };
    LinkRecovery::Calm& calm = calm_[echo ? 1 : 0];
    recovery_->begin_asking(calm, echo);
    const bool gone = strikes(LinkFault::kCut) || strikes(LinkFault::kStop) ||
                      strikes(echo ? LinkFault::kLoseEcho : LinkFault::kLosePacket);
    if (gone) {
        simulation_.works_until(start + recovery_->echo_timeout());  // it comes again then
        recovery_->end_asking(calm, echo, start);
        ++recovery_->lost;
        sci::report(simulation_, *this, "lost on the cable", packet, start, start + length(packet));
        if (!packet.stop) send_go(output_free_, time);
        packets_.release(packet);
        return true;
    }
    if (!echo && strikes(LinkFault::kCorruptHeader)) {
        constexpr sci::NodeId kNobody = 0xFFFF;
        packet.target = kNobody;
        packet.bad = true;
    }
    if (strikes(echo ? LinkFault::kCorruptEcho : LinkFault::kCorruptData)) packet.bad = true;
    recovery_->end_asking(calm, echo, start);
    return false;
}

/// When a slow output sends the head of a packet. When it is slow no more, packets come close behind the late ones
/// until gaps between them have let it catch up.
Duration LinkController::late_head(const Packet& packet, Duration start)
{
    const bool slow =
        recovery_->strikes(LinkFault::kSlow, start, sci::symbols(packet.command), LinkRecovery::victim(packet));
    const Duration head = std::max(slow ? start + timing_->bypass : start, late_until_);
    sci::report(simulation_, *this, "slow output", packet, start, head, StageKind::kForwarding);
    late_until_ = head + length(packet) + timing_->idle_gap;
    return head;
}

/// Whether the idle symbols that leave at a time lose their go bits. The next ones have them again, those of the gap
/// behind that fault if no packet follows.
bool LinkController::loses_go(Duration at, Duration time)
{
    if (!recovery_->strikes(LinkFault::kLostGo, at, 1)) return false;
    ++recovery_->lost_go;
    recovery_->go_wakeup.at(std::max(recovery_->ends(LinkFault::kLostGo, at), at + timing_->symbol), time);
    return true;
}

/// Go bits come again behind those that were lost. A node that has begun to keep them keeps this one as well: else a
/// ring on which every node has sent behind a lost go bit would have none left.
void LinkController::restore_go(Duration time)
{
    if (flow_.sends_go()) {
        send_go(time, time);
    } else {
        send_go(flow_.receive_go(time), time);
        send_wakeup_.at(next_send(), time);
    }
}

/// A request or response of which a symbol is wrong, at the node that takes it off the ring: no echo answers it.
/// @return false if it passes, or is an echo, which is looked at when it is read
bool LinkController::discard_bad(Packet& packet, Duration time)
{
    if (sci::is_echo(packet.command) || !routing_->strips(packet.target)) return false;
    ++recovery_->corrupted;
    sci::report(simulation_, *this, "CRC error", packet, time, time + length(packet));
    receive_idles(packet, time);
    packets_.release(packet);
    return true;
}

/// The echo of a packet if the run has faults. @param duplicate set if the packet was accepted before
sci::EchoStatus LinkController::admit_with_faults(Packet& packet, Duration time, bool& duplicate)
{
    if (packet.again) {
        const auto earlier = recovery_->earlier(packet);
        duplicate = earlier == sci::EchoStatus::kDone;
        if (duplicate) return sci::EchoStatus::kDone;
        if (earlier == sci::EchoStatus::kBusyA) packet.phase = sci::Phase::kRetryA;
        if (earlier == sci::EchoStatus::kBusyB) packet.phase = sci::Phase::kRetryB;
    }
    const bool comes_again = packet.phase == sci::Phase::kRetryA || packet.phase == sci::Phase::kRetryB;
    if (comes_again && !recovery_->keeps_promise(packet)) packet.phase = sci::Phase::kDoTry;
    if ((fault_words_ & bits({LinkFault::kFull})) != 0 &&
        recovery_->strikes(LinkFault::kFull, time, 0, LinkRecovery::victim(packet)))
        return sci::EchoStatus::kBusyD;
    ReceiveQueue& queue = receive_queue(sci::class_of(packet.command));
    const sci::EchoStatus status = queue.admit(packet.phase, time);
    recovery_->answered(packet, status, time);
    if (status != sci::EchoStatus::kDone) {
        while (const auto broken = recovery_->broken_promise(sci::class_of(packet.command), time)) {
            queue.withdraw(*broken);
        }
    }
    return status;
}

/// Time-outs of echoes, for all link controllers.
void LinkController::find_all_lost(Duration time)
{
    auto& due = recovery_->watch->due;
    while (!due.empty() && due.top().at <= time) {
        LinkController& sender = *due.top().sender;
        due.pop();
        const Duration next = sender.find_lost(time);
        sender.recovery_->watched = next != Duration::never();
        if (sender.recovery_->watched) due.push({next, &sender});
    }
    if (!due.empty()) recovery_->wakeup.at(due.top().at, time);
}

/// Packets whose echo has not come in time. @return when the next time-out is; never() if no packet waits for an echo
Duration LinkController::find_lost(Duration time)
{
    Duration next = Duration::never();
    bool again = false;
    for (SendQueue& queue : send_queues_) {
        for (std::uint16_t slot = 0; slot < queue.slots(); ++slot) {
            const Duration sent = queue.sent(slot);
            if (sent == Duration::never()) continue;
            const Duration due = sent + recovery_->echo_timeout();
            if (due <= time) {
                send_again(queue, slot, time);
                again = true;
            } else {
                next = std::min(next, due);
            }
        }
    }
    if (again) {
        note_own();
        send_wakeup_.at(next_send(), time);
    }
    return next;
}

/// A packet that has no echo goes out again, or is given up.
void LinkController::send_again(SendQueue& queue, std::uint16_t slot, Duration time)
{
    ++recovery_->timeouts;
    const Packet& late = queue.packet(slot);
    simulation_.report_wait(*this, "echo time-out", late.id, queue.sent(slot), time, 0, sci::leg_of(late));
    const std::uint32_t lost = queue.lost(slot, time);
    if (!recovery_->gives_up(lost)) return;
    ++recovery_->given_up;
    Packet& packet = queue.take_back(slot);
    // One that has stopped tells nothing
    const bool silent = recovery_->sends_once() || recovery_->strikes(LinkFault::kStop, time);
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
    const Duration eligible = time + timing_->from_blink(packet.command, delay);
    send_queue(kind).enter(packet, eligible);
    note_own();
    const Duration enough = eligible - timing_->out_fifo;
    if (timing_->cut_through_send) sci::report(simulation_, *this, "head over the B-Link", packet, time, enough);
    sci::report(simulation_, *this, "output FIFO", packet, enough, eligible);
    send_wakeup_.at(next_send(), time);
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
    if (simulation_.journey() != nullptr && std::exchange(asked_[sci::index(kind)], packet.id) != packet.id) {
        sci::report_wait(simulation_, *this, "behind others", packet, queue.front_ready(), now(), queue.left());
    }
    return {&packet, kind, routing_->blink_port(packet.target, kind)};
}

std::uint64_t LinkController::packet_hops() const
{
    return stats_.forwarded.count() + stats_.sent.count() + stats_.echoes.count();
}

Duration LinkController::link_time_taken() const
{
    const std::uint64_t still_here = tail_echo_.packet != nullptr ? 1 : 0;  // counted when its packet was stripped
    return stats_.link_busy.total() + timing_->idle_gap * static_cast<std::int64_t>(packet_hops() - still_here);
}

unsigned LinkController::armed_wakeups() const
{
    return static_cast<unsigned>(arrival_wakeup_.armed()) + static_cast<unsigned>(echo_wakeup_.armed()) +
           static_cast<unsigned>(send_wakeup_.armed()) + static_cast<unsigned>(blink_wakeup_.armed()) +
           static_cast<unsigned>(recovery_ != nullptr && recovery_->wakeup.armed());
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
    visitor.counter("forwarded", stats_.forwarded, "packets", "passed on through the bypass FIFO");
    visitor.counter("sent", stats_.sent, "packets", "own packets put on the ring, retries included");
    visitor.counter("stripped", stats_.stripped, "packets", "taken off the ring for this node");
    visitor.counter("refused", stats_.refused, "packets", "answered with a busy echo");
    visitor.counter("echoes", stats_.echoes, "packets", "echoes sent for stripped or refused packets");
    visitor.counter("retries", stats_.retries, "packets", "own packets returned to the send queue by a busy echo");
    visitor.counter("send_full", from_blink.delayed(), "packets", "packets on the B-Link that waited for a send slot");
    visitor.value("go_kept", static_cast<double>(flow_.recoveries()), "times",
                  "recoveries: go bits withheld until the bypass FIFO was empty");
    visitor.time("go_wait", stats_.go_wait, "time that the first own packet waited with a free output for a go bit");
    visitor.counter("scrubbed", stats_.scrubbed, "packets", "discarded by the scrubber: no target on this ring");
    visitor.time("link_busy", stats_.link_busy, "time during which link_out carried packets");
    visitor.value("longest_bypass_wait", stats_.longest_bypass_wait.ns(), "ns",
                  "longest wait of a passing packet in the bypass FIFO");
    if (recovery_ == nullptr) return;
    if (recovery_->struck() != nullptr) visitor.counter("faults", *recovery_->struck(), "times", "that a fault struck");
    visitor.counter("lost", recovery_->lost, "packets", "echoes included, that vanished on the cable to the next node");
    visitor.counter("dropped", recovery_->dropped, "packets", "that came while this node had stopped");
    visitor.counter("crc_errors", recovery_->corrupted, "packets", "echoes included, discarded here");
    visitor.counter("echo_timeouts", recovery_->timeouts, "packets", "sent again, since no echo came");
    visitor.counter("duplicates", recovery_->duplicates, "packets", "that had been accepted before");
    visitor.counter("late_echoes", recovery_->late_echoes, "echoes", "for packets that wait for none");
    visitor.counter("lost_go", recovery_->lost_go, "times", "that go bits were lost on the cable to the next node");
    visitor.counter("given_up", recovery_->given_up, "packets", "after the last try");
}

void LinkController::places(PlaceVisitor& visitor) const
{
    visitor.busy("link_out", "link", link_activity_);
    visitor.level("send_requests", "queue", send_queues_[0].fill(), send_queues_[0].slots());
    visitor.level("send_responses", "queue", send_queues_[1].fill(), send_queues_[1].slots());
    visitor.level("requests_for_blink", "queue", receive_queues_[0].fill(), receive_queues_[0].slots());
    visitor.level("responses_for_blink", "queue", receive_queues_[1].fill(), receive_queues_[1].slots());
}

void LinkController::trace(sc_core::sc_trace_file* file) const
{
    const std::string prefix = name();
    trace_signal(file, link_activity_, prefix + ".link_out",
                 {"the packet on the cable to the next node of the ring, own or passing; a request or response that "
                  "was refused with a busy echo is sent again",
                  "request, response, echo, busy_echo, request_again, response_again", SignalPlace::kLink});
    trace_signal(
        file, bypass_symbols_, prefix + ".bypass_wait",
        {"what passing packets wait in the bypass FIFO while an own packet is sent", "symbols", SignalPlace::kNetwork});
    trace_signal(file, flow_.word(), prefix + ".go",
                 {"the go bit of the idle symbols sent behind the last packet: others may send, they may not, or "
                  "this node stopped them and recovers",
                  "go, stop, keep", SignalPlace::kNetwork});
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
