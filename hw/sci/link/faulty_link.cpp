// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/link/faulty_link.h"

#include <algorithm>
#include <utility>

#include "tlm/sci/journey.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh::hw {

using sci::LinkPhase;
using sci::Packet;

namespace {

constexpr std::uint32_t kStrikeAll = bits({LinkFault::kCut, LinkFault::kStop});
constexpr std::uint32_t kStrikePackets =
    bits({LinkFault::kLosePacket, LinkFault::kCorruptHeader, LinkFault::kCorruptData});
constexpr std::uint32_t kStrikeEchoes = bits({LinkFault::kLoseEcho, LinkFault::kCorruptEcho});

}  // namespace

bool FaultyLink::strike_packets_alone(const LinkFaults& sender, const LinkFaults& receiver)
{
    return (sender.words() & ~(kInside | kStrikePackets | kStrikeEchoes)) == 0 &&
           (receiver.words() & bits({LinkFault::kStop})) == 0;
}

FaultyLink::FaultyLink(const sc_core::sc_module_name& module_name, Simulation& simulation, Config config,
                       const End& sender, const End& receiver)
    : sc_module(module_name),
      fast_path_(*this, strike_packets_alone(sender.faults, receiver.faults)),
      calm_{Calm(sender.faults, kStrikePackets, fast_path_.open ? &fast_path_.left[0] : nullptr),
            Calm(sender.faults, kStrikeEchoes, fast_path_.open ? &fast_path_.left[1] : nullptr)},
      simulation_(simulation),
      packets_(simulation.pool<sci::PacketPool>()),
      timing_(std::move(config.timing)),
      echo_timeout_(config.echo_timeout),
      sender_(sender.chip),
      faults_(sender.faults),
      receiver_faults_(receiver.faults)
{
    in.bind(fast_path_);
}

::tlm::tlm_sync_enum FaultyLink::FastPath::nb_transport_fw(Packet& packet, LinkPhase& phase, sc_core::sc_time& delay)
{
    const bool passes =
        phase == LinkPhase::kGo ? open : left[sci::is_echo(packet.command) ? 1 : 0].take(packet.command);
    if (passes) [[likely]]
        return receiver->nb_transport_fw(packet, phase, delay);
    return link_.carry(packet, phase, delay);
}

::tlm::tlm_sync_enum FaultyLink::carry(Packet& packet, LinkPhase phase, const sc_core::sc_time& delay)
{
    const Duration time = now();
    const Duration start = time + from_kernel(delay) - timing_->propagation;  // it leaves the sender
    if (phase == LinkPhase::kGo) {
        carry_go(start, time);
    } else {
        carry_packet(packet, start, time);
    }
    return ::tlm::TLM_COMPLETED;
}

void FaultyLink::carry_packet(Packet& packet, Duration start, Duration time)
{
    Calm& calm = calm_[sci::is_echo(packet.command) ? 1 : 0];
    if (!calm.passes(start, packet.command)) {
        calm.begin_asking();
        const bool lost = is_lost(packet, start);
        if (!lost) corrupt(packet, start);
        calm.end_asking(start);
        if (lost) return lose(packet, start, time);
    }
    if (!packet.stop) packet.stop = loses_go(start + length(packet), time);
    deliver(packet, LinkPhase::kHead, late_start(packet, start), time);
}

/// The idle symbols behind the last packet carry go bits from then on.
void FaultyLink::carry_go(Duration start, Duration time)
{
    start = std::max(start, late_until_);
    no_packet_.born_ps = time.ps();
    if (!loses_go(start, time)) deliver(no_packet_, LinkPhase::kGo, start, time);
}

/// Nothing of the packet arrives.
bool FaultyLink::is_lost(Packet& packet, Duration start)
{
    const LinkFault lose = sci::is_echo(packet.command) ? LinkFault::kLoseEcho : LinkFault::kLosePacket;
    for (const LinkFault fault : {LinkFault::kCut, LinkFault::kStop, lose}) {
        if (faults_.strikes(fault, start, sci::symbols(packet.command), LinkFaults::victim(packet))) return true;
    }
    return false;
}

/// Some of its symbols are wrong.
void FaultyLink::corrupt(Packet& packet, Duration start)
{
    constexpr sci::NodeId kNobody = 0xFFFF;
    const auto strikes = [&](LinkFault fault) {
        return faults_.strikes(fault, start, sci::symbols(packet.command), LinkFaults::victim(packet));
    };
    if (sci::is_echo(packet.command)) {
        if (strikes(LinkFault::kCorruptEcho)) packet.bad = true;
        return;
    }
    if (strikes(LinkFault::kCorruptHeader)) {
        packet.target = kNobody;
        packet.bad = true;
    }
    if (strikes(LinkFault::kCorruptData)) packet.bad = true;
}

/// The idle symbols behind it arrive all the same.
void FaultyLink::lose(Packet& packet, Duration start, Duration time)
{
    ++faults_.lost;
    simulation_.works_until(start + echo_timeout_);
    sci::report(simulation_, sender_, "lost on the cable", packet, start, start + length(packet));
    if (!packet.stop) carry_go(start + length(packet) + timing_->idle_gap, time);
    packets_.release(packet);
}

/// Whether the idle symbols that leave at a time lose their go bits. The sender hears when the next ones keep theirs,
/// those of the same gap if no packet follows.
bool FaultyLink::loses_go(Duration at, Duration time)
{
    if (!faults_.strikes(LinkFault::kLostGo, at, 1)) return false;
    ++faults_.lost_go;
    const Duration whole = std::max(faults_.ends(LinkFault::kLostGo, at), at + timing_->symbol);
    if (whole == Duration::never()) return true;
    LinkPhase phase = LinkPhase::kGo;
    sc_core::sc_time delay = to_kernel(whole - time);
    in->nb_transport_bw(no_packet_, phase, delay);
    return true;
}

/// When a slow sender sends a packet. When it is slow no more, packets come close behind the late ones until gaps
/// between them have let it catch up.
Duration FaultyLink::late_start(const Packet& packet, Duration start)
{
    if ((faults_.words() & bits({LinkFault::kSlow})) == 0) return start;
    const bool slow =
        faults_.strikes(LinkFault::kSlow, start, sci::symbols(packet.command), LinkFaults::victim(packet));
    const Duration late = std::max(slow ? start + timing_->bypass : start, late_until_);
    sci::report(simulation_, sender_, "slow output", packet, start, late, StageKind::kForwarding);
    late_until_ = late + length(packet) + timing_->idle_gap;
    return late;
}

/// At the receiver, unless it has stopped.
void FaultyLink::deliver(Packet& packet, LinkPhase phase, Duration start, Duration time)
{
    const bool go = phase == LinkPhase::kGo;
    const Duration head = start + timing_->propagation;
    if (receiver_faults_.strikes(LinkFault::kStop, head, 0, go ? FaultVictim{} : LinkFaults::victim(packet))) {
        if (go) return;
        ++receiver_faults_.dropped;
        packets_.release(packet);
        return;
    }
    sc_core::sc_time delay = to_kernel(head - time);
    fast_path_.receiver->nb_transport_fw(packet, phase, delay);
}

void FaultyLink::Calm::begin_asking()
{
    Allowance& left = fast_path_ != nullptr && until_ == Duration::never() ? *fast_path_ : left_;
    faults_.pass(set_.packets() - left.packets(), set_.symbols() - left.symbols(), words_);
    left = set_ = {};
    until_ = {};
}

/// Words that are asked elsewhere, too, are always asked.
void FaultyLink::Calm::end_asking(Duration at)
{
    if ((faults_.words() & kStrikeAll) != 0) return;
    const FaultCalm calm = faults_.calm(at, words_);
    set_ = {calm.packets, calm.symbols};
    until_ = calm.until;
    (fast_path_ != nullptr && until_ == Duration::never() ? *fast_path_ : left_) = set_;
}

}  // namespace ringmesh::hw
