// SPDX-License-Identifier: Apache-2.0
#include "hw/psb/psb.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "tlm/activity.h"
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
      streams_(config.chip),
      reads_(config.chip.read_prefetch),
      dma_(config.chip)
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
    access_memory(time);

    wakeup_.at(streams_.timeout());
    if (!responses_.empty()) wakeup_.at(responses_.front().ready);
    for (const auto& queue : outbound_) {
        if (!queue.empty() && queue.front().ready > time) wakeup_.at(queue.front().ready);
    }
    wakeup_.at(next_access());
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
    if (kind == Class::kResponse) wakeup_.at(next_access());
}

bool Psb::let_go(std::uint64_t begin, std::uint64_t end)
{
    reads_.drop();
    return !streams_.holds(begin - config_.window, end - config_.window);
}

/// A request for memory that its node does not share ends the run: hardware would write it, or answer with an error.
void Psb::admit(const Packet& request)
{
    if (!config_.admit || is_doorbell(request)) return;
    const Selected bytes = selected_bytes(request);
    try {
        config_.admit(request.source, request.offset + bytes.first, bytes.count);
    } catch (...) {
        simulation_.fail(std::current_exception());
    }
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
        admit(*transfer.packet);
        stats_.reordered.note(transfer.packet->source, transfer.packet->id);
        inbound_.push_back({transfer.packet, ready});
        ++inbound_fill_;
    }
    wakeup_.at(ready);
    return ::tlm::TLM_COMPLETED;
}

void Psb::take_responses(Duration time)
{
    while (!responses_.empty() && responses_.front().ready <= time) {
        Packet& response = *responses_.pop_front().packet;
        ++stats_.responses;
        stats_.round_trip.add(time - Duration::picoseconds(response.born_ps));
        stats_.response_time.add(time - Duration::picoseconds(response.written_ps));
        take(response);
        RINGMESH_LOG(*this, spdlog::level::debug, "takes response {}", response.id);
        simulation_.packets.release(response);
    }
}

/// To the one that made its request.
void Psb::take(const Packet& response)
{
    if (response.tag == kReadTag) {
        const auto first = response.command == sci::Command::kResponse16
                               ? static_cast<std::size_t>(std::countr_zero(response.selected))
                               : 0;
        reads_.fill(std::span(response.data).subspan(first));
    } else if (response.tag >= kDmaTag) {
        dma_.respond(static_cast<std::uint16_t>(response.tag - kDmaTag));
    } else {
        streams_.respond(response.tag);
    }
}

std::string Psb::pending() const
{
    std::string text;
    const auto add = [&text](std::size_t count, std::string_view what) {
        if (count != 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
    };
    add(streams_.in_use(), "stream buffers in use");
    add(reads_.waiting() ? 1 : 0, "load waits for its response");
    add(dma_.idle() ? 0 : 1, "order of the DMA engine is not done");
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
    visitor.counter("blocks", stats_.blocks, "packets",
                    "whole blocks sent as one request each, of 64 bytes or psb.transaction_bytes");
    visitor.counter("partial_writes", stats_.partial_writes, "packets", "16-byte requests of partly filled blocks");
    visitor.counter("loads", stats_.loads, "transactions", "loads of remote memory that had their bytes");
    visitor.counter("reads", stats_.reads, "packets", "read requests sent for them");
    visitor.counter("barriers", stats_.barriers, "transactions", "store barriers that were answered");
    visitor.counter("dma_orders", stats_.dma_orders, "orders", "copies that the DMA engine was told to make");
    visitor.counter("dma_blocks", stats_.dma_blocks, "packets", "64-byte requests that it made");
    visitor.counter("interrupts", stats_.interrupts, "interrupts", "stores to the doorbell");
    visitor.counter("written", stats_.written, "packets", "requests from the network done in memory");
    visitor.counter("reordered", stats_.reordered.count(), "packets",
                    "requests from the network that came behind a later one of their source");
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
    trace_word(file, reads_.word(), prefix + ".load");
    trace_word(file, dma_.word(), prefix + ".dma");
}

}  // namespace ringmesh::hw
