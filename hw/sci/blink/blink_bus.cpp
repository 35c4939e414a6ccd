// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/blink/blink_bus.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tlm/error.h"
#include "tlm/sci/journey.h"
#include "tlm/time/require_now.h"

namespace ringmesh::hw {

using sci::Class;

BLinkBus::BLinkBus(const sc_core::sc_module_name& module_name, Simulation& simulation, const BLinkParams& params,
                   std::vector<std::string> chips)
    : sc_module(module_name),
      from_chip("from_chip", chips.size()),
      to_chip("to_chip", chips.size()),
      simulation_(simulation),
      params_(params),
      clock_(params.clock),
      arbitration_(params.arbitration * clock_),
      chips_(std::move(chips)),
      ports_(chips_.size())
{
    for (std::size_t i = 0; i < ports_.size(); ++i) {
        from_chip[i].register_nb_transport_fw(this, &BLinkBus::from, static_cast<int>(i));
        to_chip[i].register_nb_transport_bw(this, &BLinkBus::note_reservation, static_cast<int>(i));
    }
    simulation.add(*this);
}

::tlm::tlm_sync_enum BLinkBus::from(int port, blink::Transfer& transfer, blink::Phase& phase, sc_core::sc_time& delay)
{
    require_now(delay);
    if (phase == blink::Phase::kData) {
        carry(static_cast<std::size_t>(port), transfer, delay);
        return ::tlm::TLM_COMPLETED;
    }
    ports_[static_cast<std::size_t>(port)].requests[sci::index(transfer.kind)] = {true, transfer.to,
                                                                                  now() + arbitration_, now()};
    wakeup_.at(std::max(now(), free_at_) + arbitration_);
    return ::tlm::TLM_ACCEPTED;
}

/// A chip has reserved room for one packet of a class: an arbitration assigns it.
::tlm::tlm_sync_enum BLinkBus::note_reservation(int port, blink::Transfer& transfer, blink::Phase&,
                                                sc_core::sc_time& delay)
{
    require_now(delay);
    const std::size_t kind = sci::index(transfer.kind);
    ports_[static_cast<std::size_t>(port)].reservations[kind] = Reservation::kReserved;
    for (Port& sender : ports_) {
        Request& request = sender.requests[kind];
        if (request.waiting && request.to == port) request.ready = now() + arbitration_;
    }
    wakeup_.at(next_arbitration());
    return ::tlm::TLM_COMPLETED;
}

void BLinkBus::arbitrate()
{
    wakeup_.taken(now());
    if (now() >= free_at_ + arbitration_) grant_next();
    wakeup_.at(next_arbitration());
}

/// Grants the bus to the next port in turn that has a packet whose receiver has room.
void BLinkBus::grant_next()
{
    for (std::size_t i = 1; i <= ports_.size(); ++i) {
        const std::size_t port = (last_granted_ + i) % ports_.size();
        if (try_grant(port, Class::kResponse) || try_grant(port, Class::kRequest)) return;
    }
}

bool BLinkBus::try_grant(std::size_t port, Class kind)
{
    Request& request = ports_[port].requests[sci::index(kind)];
    if (!request.waiting || request.ready > now() || !reserves(request.to, kind)) return false;
    grant_ = Grant{port, kind, request};
    request.waiting = false;
    last_granted_ = port;
    ports_[request.to].reservations[sci::index(kind)] = Reservation::kUnknown;
    blink::Transfer transfer{nullptr, kind, request.to};
    blink::Phase phase = blink::Phase::kGrant;
    sc_core::sc_time delay;
    from_chip[port]->nb_transport_bw(transfer, phase, delay);
    if (grant_) throw ModelError(fmt::format("{}: {} was granted the bus and sent nothing", name(), chips_[port]));
    return true;
}

bool BLinkBus::reserves(std::size_t port, Class kind)
{
    Reservation& reservation = ports_.at(port).reservations[sci::index(kind)];
    if (reservation == Reservation::kUnknown) {
        blink::Transfer transfer{nullptr, kind, static_cast<std::uint8_t>(port)};
        blink::Phase phase = blink::Phase::kRequest;
        sc_core::sc_time delay;
        const bool granted = to_chip[port]->nb_transport_fw(transfer, phase, delay) == ::tlm::TLM_COMPLETED;
        reservation = granted ? Reservation::kReserved : Reservation::kAsked;
        if (!granted) ++waits_for_room_;
    }
    return reservation == Reservation::kReserved;
}

void BLinkBus::carry(std::size_t port, blink::Transfer& transfer, sc_core::sc_time& delay)
{
    if (!grant_ || grant_->port != port || grant_->kind != transfer.kind) {
        throw ModelError(fmt::format("{}: {} sends without a grant", name(), chips_[port]));
    }
    const Request request = std::exchange(grant_, std::nullopt)->request;
    const Duration start = now();
    const Duration span = params_.transfer_time(transfer.packet->command);
    const Duration reserved = std::clamp(request.ready - arbitration_, request.asked, start - arbitration_);
    sci::report_wait(simulation_, *this, "no room in the receiver", *transfer.packet, request.asked, reserved);
    sci::report_wait(simulation_, *this, "bus taken", *transfer.packet, reserved, start - arbitration_, carried_);
    carried_ = transfer.packet->id;
    free_at_ = start + span;
    sci::report(simulation_, *this, "B-Link arbitration", *transfer.packet, start - arbitration_, start);
    sci::report(simulation_, *this, "B-Link transfer", *transfer.packet, start, free_at_);
    busy_.add(span);
    ++transfers_;
    owner_.busy(start, free_at_, chips_[port], transfer.packet->id);
    packet_.wait(start - arbitration_ - request.asked);
    packet_.busy(start, free_at_, sci::word(transfer.packet->command), transfer.packet->id,
                 {.bytes = sci::link_bytes(transfer.packet->command)});
    delay = to_kernel(span);
    blink::Phase phase = blink::Phase::kData;
    to_chip[request.to]->nb_transport_fw(transfer, phase, delay);
    delay = to_kernel(span);  // the sender's buffer is free when the last byte has left
}

/// Earliest grant of the next packet; receivers without room tell of a reservation later.
Duration BLinkBus::next_arbitration() const
{
    Duration next = Duration::never();
    for (const Port& port : ports_) {
        for (std::size_t kind = 0; kind < sci::kClasses; ++kind) {
            const Request& request = port.requests[kind];
            if (!request.waiting || ports_[request.to].reservations[kind] == Reservation::kAsked) continue;
            next = std::min(next, std::max(request.ready, free_at_ + arbitration_));
        }
    }
    return next;
}

Duration BLinkBus::busy_time() const
{
    const Duration carried = busy_.total() + arbitration_ * static_cast<std::int64_t>(transfers_.count());
    const Duration next = next_arbitration();
    if (next == Duration::never()) return carried;
    return carried + std::clamp(now() + arbitration_ - next, Duration::zero(), arbitration_);
}

std::string BLinkBus::pending() const
{
    PendingText text;
    for (std::size_t i = 0; i < ports_.size(); ++i) {
        for (const Class kind : {Class::kRequest, Class::kResponse}) {
            if (!ports_[i].requests[sci::index(kind)].waiting) continue;
            text.add(fmt::format("port {} waits to send a {}", i, kind == Class::kRequest ? "request" : "response"));
        }
    }
    return text.text();
}

void BLinkBus::statistics(StatisticsVisitor& visitor) const
{
    visitor.counter("transfers", transfers_, "packets", "packets carried between the chips of the card");
    visitor.counter("waits_for_room", waits_for_room_, "packets", "packets that waited for room in the receiver");
    visitor.time("busy", busy_, "time during which the bus carried packets, arbitration not included");
}

void BLinkBus::places(PlaceVisitor& visitor) const { visitor.busy("packet", "bus", packet_); }

void BLinkBus::trace(sc_core::sc_trace_file* file) const
{
    trace_signal(file, owner_, std::string(name()) + ".owner",
                 {"the chip that sends over the card's bus", "psb, lc2 or lc2_0, lc2_1, ...", SignalPlace::kWayOut});
    trace_signal(file, packet_, std::string(name()) + ".packet",
                 {"what it sends", "request, response", SignalPlace::kWayOut});
}

}  // namespace ringmesh::hw
