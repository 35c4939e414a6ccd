// SPDX-License-Identifier: Apache-2.0
#include "hw/psb/psb.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "tlm/error.h"
#include "tlm/log.h"
#include "tlm/sci/journey.h"

namespace ringmesh::hw {

using sci::Class;
using sci::Packet;

Psb::Psb(const sc_core::sc_module_name& module_name, Simulation& simulation, const Config& config,
         std::shared_ptr<const CardRouting> card)
    : sc_module(module_name),
      simulation_(simulation),
      config_(config),
      card_(std::move(card)),
      att_(config.chip),
      streams_(config.chip)
{
    from_pci.register_nb_transport_fw(this, &Psb::pci_target);
    to_pci.register_nb_transport_bw(this, &Psb::pci_answer);
    from_blink.register_nb_transport_fw(this, &Psb::blink_target);
    to_blink.register_nb_transport_bw(this, &Psb::blink_granted);
    SC_METHOD(step);
    sensitive << wakeup_.event();
    dont_initialize();
    simulation.add(*this);
}

void Psb::step()
{
    const Duration time = now();
    wakeup_.taken(time);
    if (streams_.timeout() <= time) streams_.flush();
    take_responses(time);
    send_requests(time);
    for (const Class kind : {Class::kResponse, Class::kRequest}) offer(kind, time);
    write_inbound(time);

    wakeup_.at(streams_.timeout());
    if (!responses_.empty()) wakeup_.at(responses_.front().ready);
    for (const auto& queue : outbound_) {
        if (!queue.empty() && queue.front().ready > time) wakeup_.at(queue.front().ready);
    }
    wakeup_.at(next_write());
}

/// A store of the host: into a stream buffer, or a retry when none can take it.
::tlm::tlm_sync_enum Psb::pci_target(Payload& payload, pci::Phase& phase, sc_core::sc_time&)
{
    const std::uint64_t address = payload.get_address() - config_.window;
    if (phase == pci::Phase::kAddress) {
        const bool taken = streams_.open(address);
        wakeup_.at(now());  // a flush may have made a transaction
        if (taken) return ::tlm::TLM_COMPLETED;
        ++stats_.stalls;
        return ::tlm::TLM_UPDATED;
    }
    const auto* bytes = reinterpret_cast<const std::byte*>(payload.get_data_ptr());
    streams_.store(address, {bytes, payload.get_data_length()}, now());
    ++stats_.stores;
    send_requests(now());
    wakeup_.at(streams_.timeout());
    return ::tlm::TLM_COMPLETED;
}

/// Turns what the stream buffers want to send into packets, which come to the B-Link a crossing later.
void Psb::send_requests(Duration time)
{
    while (const auto transaction = streams_.next_transaction()) {
        Packet& packet = make_request(*transaction, time);
        sci::report(simulation_, *this, "PSB", packet, time, time + config_.crossing);
        outbound(Class::kRequest).push_back({&packet, time + config_.crossing});
    }
    if (!outbound(Class::kRequest).empty() && !asked_blink_[sci::index(Class::kRequest)]) {
        wakeup_.at(outbound(Class::kRequest).front().ready);
    }
}

Packet& Psb::make_request(const StreamTransaction& transaction, Duration time)
{
    const auto where = att_.translate(transaction.address);
    if (!where)
        throw ModelError(
            fmt::format("{}: a store to window offset {:#x}, which is not mapped", name(), transaction.address));
    const bool full = transaction.size == sci::kBlockBytes;
    const std::uint64_t grain = full ? sci::kBlockBytes : sci::kSubBlockBytes;
    const std::uint64_t first = where->offset % grain;

    Packet& packet = simulation_.packets.acquire();
    packet.command = full ? sci::Command::kWrite64 : sci::Command::kWrite16;
    packet.old = false;
    packet.target = where->node;
    packet.source = config_.node;
    packet.tag = transaction.buffer;
    packet.offset = where->offset - first;
    packet.selected = static_cast<std::uint16_t>(full ? 0xFFFF : ((1U << transaction.size) - 1U) << first);
    packet.id = simulation_.next_packet_id();
    packet.born_ps = time.ps();
    std::copy_n(transaction.data, transaction.size, packet.data.begin() + static_cast<std::ptrdiff_t>(first));
    ++(full ? stats_.blocks : stats_.partial_writes);
    RINGMESH_LOG(*this, spdlog::level::debug, "makes request {}: {} bytes for node {}, offset {:#x}", packet.id,
                 transaction.size, packet.target, where->offset);
    return packet;
}

void Psb::offer(Class kind, Duration time)
{
    bool& asked = asked_blink_[sci::index(kind)];
    auto& queue = outbound(kind);
    while (!asked && !queue.empty() && queue.front().ready <= time) {
        blink::Transfer transfer = transfer_of(*queue.front().packet, kind);
        blink::Phase phase = blink::Phase::kRequest;
        sc_core::sc_time delay;
        asked = to_blink->nb_transport_fw(transfer, phase, delay) != ::tlm::TLM_COMPLETED;
        if (!asked) hand_over(kind);
    }
}

::tlm::tlm_sync_enum Psb::blink_granted(blink::Transfer& transfer, blink::Phase&, sc_core::sc_time&)
{
    asked_blink_[sci::index(transfer.kind)] = false;
    hand_over(transfer.kind);
    if (!outbound(transfer.kind).empty()) wakeup_.at(outbound(transfer.kind).front().ready);
    return ::tlm::TLM_COMPLETED;
}

blink::Transfer Psb::transfer_of(Packet& packet, Class kind) const
{
    return {&packet, kind, card_->port(packet.target, kind)};
}

void Psb::hand_over(Class kind)
{
    blink::Transfer transfer = transfer_of(*outbound(kind).pop_front().packet, kind);
    blink::Phase phase = blink::Phase::kData;
    sc_core::sc_time delay;
    to_blink->nb_transport_fw(transfer, phase, delay);
    if (kind == Class::kResponse) wakeup_.at(next_write());
}

/// The B-Link brings a packet from the network, or asks whether there is room for a request. A response always has a
/// stream buffer waiting for it.
::tlm::tlm_sync_enum Psb::blink_target(blink::Transfer& transfer, blink::Phase& phase, sc_core::sc_time& delay)
{
    if (phase == blink::Phase::kRequest) {
        if (transfer.kind == Class::kResponse) return ::tlm::TLM_COMPLETED;
        if (inbound_.size() + promised_ >= static_cast<std::size_t>(config_.chip.inbound_slots)) {
            grant_owed_ = true;
            ++stats_.inbound_full;
            return ::tlm::TLM_ACCEPTED;
        }
        ++promised_;
        return ::tlm::TLM_COMPLETED;
    }
    const Duration ready = now() + from_kernel(delay) + config_.crossing;
    sci::report(simulation_, *this, "PSB", *transfer.packet, ready - config_.crossing, ready);
    if (transfer.kind == Class::kResponse) {
        responses_.push_back({transfer.packet, ready});
    } else {
        --promised_;
        inbound_.push_back({transfer.packet, ready});
        ++inbound_fill_;
    }
    wakeup_.at(ready);
    return ::tlm::TLM_COMPLETED;
}

/// When the first request from the network may go to the PCI bus; never() while another one is written, or its response
/// would find no room.
Duration Psb::next_write() const
{
    const std::size_t responses = outbound_[sci::index(Class::kResponse)].size();
    const bool room = responses < static_cast<std::size_t>(config_.chip.inbound_slots);
    if (write_ != nullptr || inbound_.empty() || !room) return Duration::never();
    return std::max(inbound_.front().ready, write_not_before_);
}

/// Writes the first request from the network to the host's memory.
void Psb::write_inbound(Duration time)
{
    if (next_write() > time) return;
    Packet& packet = *inbound_.front().packet;
    const bool full = packet.command != sci::Command::kWrite16;
    const auto first = full ? 0 : std::countr_zero(packet.selected);
    const auto count = full ? static_cast<int>(sci::kBlockBytes) : std::popcount(packet.selected);
    write_ =
        &simulation_.payloads.acquire_write(packet.offset + static_cast<std::uint64_t>(first),
                                            {packet.data.data() + first, static_cast<std::size_t>(count)}, packet.id);
    pci::Phase phase = pci::Phase::kRequest;
    sc_core::sc_time delay;
    to_pci->nb_transport_fw(*write_, phase, delay);
}

::tlm::tlm_sync_enum Psb::pci_answer(Payload&, pci::Phase& phase, sc_core::sc_time&)
{
    std::exchange(write_, nullptr)->release();
    if (phase == pci::Phase::kRetry) {
        write_not_before_ = now() + config_.retry_gap;
    } else {
        finish_inbound();
    }
    wakeup_.at(next_write());
    return ::tlm::TLM_COMPLETED;
}

/// The request's bytes are written: it turns into its response.
void Psb::finish_inbound()
{
    Packet& packet = *inbound_.pop_front().packet;
    --inbound_fill_;
    ++stats_.written;
    RINGMESH_LOG(*this, spdlog::level::debug, "has written request {} to memory", packet.id);
    if (sci::wants_response(packet.command)) {
        packet.command = sci::Command::kResponse0;
        packet.target = packet.source;
        packet.written_ps = now().ps();
        sci::report(simulation_, *this, "PSB", packet, now(), now() + config_.crossing);
        outbound(Class::kResponse).push_back({&packet, now() + config_.crossing});
        wakeup_.at(now() + config_.crossing);
    } else {
        simulation_.packets.release(packet);
    }
    if (!grant_owed_) return;
    grant_owed_ = false;
    ++promised_;
    blink::Transfer room{nullptr, Class::kRequest, 0};
    blink::Phase phase = blink::Phase::kGrant;
    sc_core::sc_time delay;
    from_blink->nb_transport_bw(room, phase, delay);
}

void Psb::take_responses(Duration time)
{
    while (!responses_.empty() && responses_.front().ready <= time) {
        Packet& response = *responses_.pop_front().packet;
        ++stats_.responses;
        stats_.round_trip.add(time - Duration::picoseconds(response.born_ps));
        stats_.response_time.add(time - Duration::picoseconds(response.written_ps));
        streams_.respond(response.tag);
        RINGMESH_LOG(*this, spdlog::level::debug, "takes response {}", response.id);
        simulation_.packets.release(response);
    }
}

std::string Psb::pending() const
{
    std::string text;
    const auto add = [&text](std::size_t count, std::string_view what) {
        if (count != 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
    };
    add(streams_.in_use(), "stream buffers in use");
    add(outbound_[0].size(), "requests wait for the B-Link");
    add(outbound_[1].size(), "responses wait for the B-Link");
    add(inbound_.size(), "requests wait for the PCI bus");
    add(responses_.size(), "responses on their way to a stream buffer");
    return text;
}

void Psb::statistics(StatisticsVisitor& visitor) const
{
    visitor.counter("stores", stats_.stores, "transactions", "PCI writes taken into stream buffers");
    visitor.counter("stalls", stats_.stalls, "transactions", "PCI writes retried because no stream buffer was free");
    visitor.counter("inbound_full", stats_.inbound_full, "packets",
                    "requests that waited on the B-Link for a place here");
    visitor.counter("blocks", stats_.blocks, "packets", "full blocks sent as 64-byte requests");
    visitor.counter("partial_writes", stats_.partial_writes, "packets", "16-byte requests of partly filled blocks");
    visitor.counter("written", stats_.written, "packets", "requests from the network written to memory");
    visitor.counter("responses", stats_.responses, "packets", "responses that came back");
    visitor.value("round_trip_mean", stats_.round_trip.mean_ns(), "ns",
                  "from a request leaving its stream buffer to its response there");
    visitor.value("response_mean", stats_.response_time.mean_ns(), "ns",
                  "from the write to the responder's memory to the response in the requester's stream buffer");
}

void Psb::trace(sc_core::sc_trace_file* file) const
{
    const std::string prefix = name();
    sc_core::sc_trace(file, streams_.in_use(), prefix + ".stream_buffers");
    sc_core::sc_trace(file, inbound_fill_, prefix + ".inbound");
}

}  // namespace ringmesh::hw
