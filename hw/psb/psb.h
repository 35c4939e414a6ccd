// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <systemc>

#include "hw/psb/address_translation.h"
#include "hw/psb/params.h"
#include "hw/psb/stream_buffers.h"
#include "hw/sci/routing.h"
#include "tlm/component.h"
#include "tlm/pci/pci.h"
#include "tlm/ring_buffer.h"
#include "tlm/sci/blink.h"
#include "tlm/simulation.h"
#include "tlm/wakeup.h"

namespace ringmesh::hw {

struct PsbStats {
    Counter stores, stalls, inbound_full, blocks, partial_writes, written, responses;
    Distribution round_trip;     ///< request made -> buffer's response taken
    Distribution response_time;  ///< request written to the responder's memory bus -> response taken by the requester
};

/// PSB: the PCI-to-SCI bridge of the card.
///
///     from_pci --> ATT, stream buffers --> requests --+--> to_blink
///     to_pci <---- inbound queue <---- from_blink     |
///                        +------------> responses ----+
///
/// Timing: each packet, request or response, takes `crossing` between the B-Link and the PCI side or back; nothing else
/// costs time here. A request's response leaves when its bytes are written over PCI. Requests from the network are
/// written one after the other, as long as there is room for their responses, as many as for requests.
/// Not modelled: reads (remote loads), read prefetch, DMA engine, interrupts, error responses.
class Psb final : public sc_core::sc_module, public Component {
public:
    pci::Target<Psb> from_pci{"from_pci"};
    pci::Initiator<Psb> to_pci{"to_pci"};
    blink::Target<Psb> from_blink{"from_blink"};
    blink::Initiator<Psb> to_blink{"to_blink"};

    struct Config {
        sci::NodeId node = 0;
        std::uint64_t window = 0;  ///< PCI address of the card's window
        Duration crossing;         ///< see above; HostParams::crossing
        Duration retry_gap;        ///< how long to stay off the PCI bus after a retry
        PsbParams chip;
    };

    SC_HAS_PROCESS(Psb);
    /// @param card which link controller gets a packet
    Psb(const sc_core::sc_module_name& name, Simulation& simulation, const Config& config,
        std::shared_ptr<const CardRouting> card);

    /// What the driver does when software maps a remote segment.
    AddressTranslation& translation() { return att_; }

    void trace(sc_core::sc_trace_file* file) const override;
    std::string component_name() const override { return name(); }
    void statistics(StatisticsVisitor& visitor) const override;
    std::string pending() const override;
    const PsbStats& stats() const { return stats_; }

private:
    using Payload = ::tlm::tlm_generic_payload;
    struct Waiting {
        sci::Packet* packet = nullptr;
        Duration ready;
    };

    ::tlm::tlm_sync_enum pci_target(Payload& payload, pci::Phase& phase, sc_core::sc_time& delay);
    ::tlm::tlm_sync_enum pci_answer(Payload& payload, pci::Phase& phase, sc_core::sc_time& delay);
    ::tlm::tlm_sync_enum blink_target(blink::Transfer& transfer, blink::Phase& phase, sc_core::sc_time& delay);
    ::tlm::tlm_sync_enum blink_granted(blink::Transfer& transfer, blink::Phase& phase, sc_core::sc_time& delay);

    void step();
    void send_requests(Duration time);
    sci::Packet& make_request(const StreamTransaction& transaction, Duration time);
    void offer(sci::Class kind, Duration time);
    void hand_over(sci::Class kind);
    blink::Transfer transfer_of(sci::Packet& packet, sci::Class kind) const;
    Duration next_write() const;
    void write_inbound(Duration time);
    void finish_inbound();
    void take_responses(Duration time);

    RingBuffer<Waiting>& outbound(sci::Class kind) { return outbound_[sci::index(kind)]; }

    Simulation& simulation_;
    const Config config_;
    std::shared_ptr<const CardRouting> card_;
    AddressTranslation att_;
    StreamBuffers streams_;

    Wakeup wakeup_{"wakeup"};
    std::array<RingBuffer<Waiting>, sci::kClasses> outbound_;  // to the B-Link
    std::array<bool, sci::kClasses> asked_blink_{};
    RingBuffer<Waiting> inbound_;    // requests to be written over PCI
    RingBuffer<Waiting> responses_;  // on their way to their stream buffer
    std::uint32_t promised_ = 0;     // inbound slots set aside for packets on the B-Link
    bool grant_owed_ = false;

    Payload* write_ = nullptr;  // the one inbound write on PCI
    Duration write_not_before_;

    PsbStats stats_;
    std::uint32_t inbound_fill_ = 0;
};

}  // namespace ringmesh::hw
