// SPDX-License-Identifier: Apache-2.0
#include "hw/psb/psb.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "tlm/error.h"
#include "tlm/log.h"
#include "tlm/sci/journey.h"

/// The PSB as a master on PCI: requests from the network, and the DMA engine's reads.
namespace ringmesh::hw {

using sci::Class;
using sci::Packet;

Psb::Selected Psb::selected_bytes(const Packet& packet)
{
    const bool selects = packet.command == sci::Command::kWrite16 || packet.command == sci::Command::kRead16;
    if (!selects) return {0, packet.command == sci::Command::kWrite128 ? sci::kLargestBytes : sci::kBlockBytes};
    return {static_cast<std::size_t>(std::countr_zero(packet.selected)),
            static_cast<std::size_t>(std::popcount(packet.selected))};
}

/// When the first request from the network may go to the PCI bus; never() if its response would find no room.
Duration Psb::inbound_ready() const
{
    const std::size_t responses = outbound_[sci::index(Class::kResponse)].size();
    const bool room = responses < static_cast<std::size_t>(config_.chip.inbound_slots);
    return inbound_.empty() || !room ? Duration::never() : inbound_.front().ready;
}

Duration Psb::dma_ready() const
{
    return dma_.wants_status() || dma_.next_read() ? dma_not_before_ : Duration::never();
}

/// When something may go to the PCI bus; never() while something is there.
Duration Psb::next_access() const
{
    if (access_ != nullptr) return Duration::never();
    const Duration ready = std::min(inbound_ready(), dma_ready());
    return ready == Duration::never() ? ready : std::max(ready, access_not_before_);
}

/// Requests from the network and the DMA engine take turns.
void Psb::access_memory(Duration time)
{
    while (access_ == nullptr && inbound_ready() <= time && is_doorbell(*inbound_.front().packet)) ring();
    if (next_access() > time) return;
    const bool both = inbound_ready() <= time && dma_ready() <= time;
    dma_on_bus_ = both ? !dma_on_bus_ : dma_ready() <= time;
    access_ = dma_on_bus_ ? &dma_access() : &inbound_access();
    pci::Phase phase = pci::Phase::kRequest;
    sc_core::sc_time delay;
    to_pci->nb_transport_fw(*access_, phase, delay);
}

Psb::Payload& Psb::inbound_access()
{
    const Packet& packet = *inbound_.front().packet;
    const Selected bytes = selected_bytes(packet);
    const std::uint64_t address = packet.offset + bytes.first;
    if (!sci::is_write(packet.command)) return simulation_.payloads.acquire_read(address, bytes.count, packet.id);
    return simulation_.payloads.acquire_write(address, {packet.data.data() + bytes.first, bytes.count}, packet.id);
}

Psb::Payload& Psb::dma_access()
{
    if (const auto read = dma_.next_read()) return simulation_.payloads.acquire_read(read->address, read->size);
    const std::uint32_t& status = dma_.order().status;
    return simulation_.payloads.acquire_write(dma_.order().status_address, std::as_bytes(std::span(&status, 1)));
}

::tlm::tlm_sync_enum Psb::pci_answer(Payload& payload, pci::Phase& phase, sc_core::sc_time&)
{
    access_ = nullptr;
    if (phase == pci::Phase::kRetry) {
        access_not_before_ = now() + config_.retry_gap;
    } else if (!dma_on_bus_) {
        finish_inbound(payload);
    } else if (payload.is_read()) {
        dma_.filled(bytes_of(payload));
        send_requests(now());
    } else {
        dma_.finish();
    }
    payload.release();
    wakeup_.at(next_access());
    return ::tlm::TLM_COMPLETED;
}

bool Psb::is_doorbell(const Packet& packet) { return packet.offset >= sci::kDoorbellOffset; }

/// A store to the doorbell goes no further: it becomes an interrupt.
void Psb::ring()
{
    if (!sci::is_write(inbound_.front().packet->command)) {
        throw ModelError(fmt::format("{}: a load from the doorbell, which can only be stored to", name()));
    }
    ++stats_.interrupts;
    config_.interrupt();
    answer_first(*inbound_.front().packet, sci::Command::kResponse0);
}

/// The request's bytes are written or read: it turns into its response.
void Psb::finish_inbound(Payload& payload)
{
    Packet& packet = *inbound_.front().packet;
    ++stats_.written;
    RINGMESH_LOG(*this, spdlog::level::debug, "has done request {}", packet.id);
    if (sci::is_write(packet.command)) {
        answer_first(packet, sci::Command::kResponse0);
        return;
    }
    put_data(packet, bytes_of(payload));
    answer_first(packet,
                 packet.command == sci::Command::kRead64 ? sci::Command::kResponse64 : sci::Command::kResponse16);
}

void Psb::answer_first(Packet& packet, sci::Command response)
{
    inbound_.pop_front();
    --inbound_fill_;
    if (sci::wants_response(packet.command)) {
        packet.command = response;
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

}  // namespace ringmesh::hw
