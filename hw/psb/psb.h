// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <systemc>
#include <vector>

#include "hw/pci/pci_card.h"
#include "hw/psb/address_translation.h"
#include "hw/psb/dma_engine.h"
#include "hw/psb/params.h"
#include "hw/psb/read_buffer.h"
#include "hw/psb/registers.h"
#include "hw/psb/response_watch.h"
#include "hw/psb/stream_buffers.h"
#include "hw/sci/blink/blink_port.h"
#include "hw/sci/routing/routing.h"
#include "tlm/pci/pci.h"
#include "tlm/pools/payload_pool.h"
#include "tlm/pools/ring_buffer.h"
#include "tlm/sci/blink.h"
#include "tlm/simulation/simulation.h"
#include "tlm/statistics/component.h"
#include "tlm/time/wakeup.h"

/// PSB: the card's chip between PCI bus and B-Link, with stream buffers, address translation and DMA engine.
namespace ringmesh::hw {

/// Counts the requests that a later request of the same source has overtaken.
class Overtaken {
public:
    /// @param made as sci::Packet::made
    void note(sci::NodeId source, std::uint32_t made)
    {
        if (source >= newest_.size()) newest_.resize(std::size_t{source} + 1);
        if (static_cast<std::int32_t>(made - newest_[source]) < 0) {  // the count may wrap around
            ++count_;
        } else {
            newest_[source] = made;
        }
    }
    const Counter& count() const { return count_; }

private:
    std::vector<std::uint32_t> newest_;  // per source: the latest so far
    Counter count_;
};

struct PsbStats {
    Counter stores, stalls, blocks, partial_writes, written, responses;
    Counter loads, reads, barriers, dma_orders, dma_blocks, interrupts;
    Overtaken reordered;
    DurationMean round_trip;     ///< from creation of the request to its response in the buffer
    DurationMean response_time;  ///< from the write on the responder's PCI bus to the response at the requester
};

/// PSB: the PCI-to-SCI bridge of the card.
///
///     from_pci --> ATT, stream buffers, read buffer --> requests --+--> to_blink
///     to_pci <---> inbound queue <------- from_blink               |
///       |             +-----------------> responses ---------------+
///       +--------> DMA engine ----------> requests
///
/// Timing: each packet takes `crossing` between the B-Link and the PCI side in either direction, and a store that opens
/// a stream buffer `stream_open` of wait states on PCI. Nothing else here takes time. The response to a request leaves
/// when its bytes are written or read over PCI. Requests from the network are served one at a time, each in one burst,
/// as long as there is room for their responses (as many slots as for requests). Loads of remote memory and store
/// barriers are delayed transactions: retried on PCI until they complete, after all stores before them. A store to the
/// doorbell is an interrupt instead of a write. If the run has faults, a request without a response ends after a
/// time-out: its buffer is free again, and a load has all bits set (ResponseWatch). Not modelled: error responses,
/// other registers.
class Psb final : public sc_core::sc_module, public PciCard, public Component {
public:
    pci::Target<Psb> from_pci{"from_pci"};
    pci::Initiator<Psb> to_pci{"to_pci"};
    BLinkInlet<Psb> from_blink{"from_blink", *this};
    BLinkOutlet<Psb> to_blink{"to_blink", *this};

    struct Config {
        sci::NodeId node = 0;
        PciSlot slot;
        Duration crossing;     ///< see Psb; PsbParams::crossing
        Duration retry_gap;    ///< delay before a retried transaction is repeated
        Duration stream_open;  ///< PCI wait states of a store that opens a stream buffer
        PsbParams chip;
        RecoveryParams recovery = {};
    };

    /// @param card selects the link controller for a packet
    Psb(const sc_core::sc_module_name& name, Simulation& simulation, const Config& config,
        std::shared_ptr<const CardRouting> card);

    void plug_in(PciBus& bus, std::size_t slot) override;
    Properties properties() const override;
    RegisterStore dma_order(const DmaCopy& copy) override;
    std::optional<std::uint64_t> map(unsigned node, std::uint64_t offset, std::uint64_t size) override;
    std::string no_room(std::uint64_t offset, std::uint64_t size) const override;
    void unmap(std::uint64_t offset, std::uint64_t size) override { att_.unmap(offset, size); }
    unsigned look_at_failures() override;
    std::uint64_t failures(unsigned node) const override
    {
        return watch_ == nullptr ? 0 : watch_->failed(static_cast<sci::NodeId>(node));
    }
    bool let_go(std::uint64_t begin, std::uint64_t end) override;
    /// For tests: what map() and unmap() change.
    AddressTranslation& translation() { return att_; }

    void trace(sc_core::sc_trace_file* file) const override;
    std::string component_name() const override { return name(); }
    void statistics(StatisticsVisitor& visitor) const override;
    void places(PlaceVisitor& visitor) const override;
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

    friend BLinkInlet<Psb>;
    friend BLinkOutlet<Psb>;
    bool reserve(sci::Class kind);
    void take_from_blink(sci::Packet& packet, sci::Class kind, Duration delay);
    blink::Transfer blink_front(sci::Class kind);
    void blink_took(sci::Class kind, std::uint64_t packet, Duration delay);
    void blink_granted(sci::Class kind);

    static constexpr std::uint16_t kDmaTag = 0x4000;   // first tag of the DMA engine
    static constexpr std::uint16_t kReadTag = 0x8000;  // tag of the load

    void step();

    Refusal refusal(std::uint64_t address, bool read) const;
    bool begin_store(std::uint64_t address);
    void store(std::uint64_t address, const Payload& payload);
    bool begin_load(std::uint64_t address, const Payload& payload);
    bool begin_barrier();
    bool stores_answered();
    void flush();
    void write_register(std::uint64_t address, const Payload& payload);
    void send_requests(Duration time);
    std::uint64_t number_of(const StreamTransaction& transaction, Duration time);
    sci::Packet& make_request(sci::Command command, std::uint64_t address, std::size_t size, Duration time,
                              std::uint64_t number);
    void send(sci::Packet& packet, Duration time);

    void admit(const sci::Packet& request);
    void take_responses(Duration time);
    void take(const sci::Packet& response);
    void find_failed(Duration time);
    void fail(const ResponseWatch::Request& request, Duration time);

    /// The data bytes selected by a packet.
    struct Selected {
        std::size_t first;
        std::size_t count;
    };
    static Selected selected_bytes(const sci::Packet& packet);
    static void put_data(sci::Packet& packet, std::span<const std::byte> bytes);
    static bool is_doorbell(const sci::Packet& packet);
    Duration inbound_ready() const;
    Duration dma_ready() const;
    Duration next_access() const;
    void access_memory(Duration time);
    Payload& inbound_access();
    Payload& dma_access();
    void ring();
    void finish_inbound(Payload& payload);
    void answer_first(sci::Packet& packet, sci::Command response);

    RingBuffer<Waiting>& outbound(sci::Class kind) { return outbound_[sci::index(kind)]; }

    Simulation& simulation_;
    PacketNumbers ids_{simulation_.packet_numbers()};
    sci::PacketPool& packets_;
    PayloadPool& payloads_;
    const Config config_;
    std::shared_ptr<const CardRouting> card_;
    AddressTranslation att_;
    StreamBuffers streams_;
    ReadBuffer reads_;
    DmaEngine dma_;
    DmaCopy ordered_;  // the driver's copy of what the register is given
    DmaRegisterBytes dma_register_{};
    Duration dma_not_before_;

    Wakeup wakeup_{wakes<&Psb::step>(simulation_.calendar(), *this)};
    std::unique_ptr<ResponseWatch> watch_;                     // null if the run has no faults
    std::array<RingBuffer<Waiting>, sci::kClasses> outbound_;  // to the B-Link
    RingBuffer<Waiting> inbound_;                              // requests to be served over PCI
    RingBuffer<Waiting> responses_;                            // in flight to the requesting unit
    std::uint32_t promised_ = 0;                               // inbound slots reserved for packets on the B-Link

    std::uint32_t made_ = 0;           // requests
    std::uint64_t newest_number_ = 0;  // of the packets of stream buffers
    std::vector<std::uint64_t> sent_;  // of each stream buffer: its last packet
    std::uint64_t dma_number_ = 0;     // of the block that the DMA engine fills
    std::uint64_t dma_cause_ = 0;      // what let it go on: its order, a block's response

    std::uint64_t asked_ = 0;  // the inbound packet that asked for the PCI bus last

    Payload* access_ = nullptr;  // the card's one transaction on PCI
    bool dma_on_bus_ = false;    // access_ is the DMA engine's
    Duration access_not_before_;

    PsbStats stats_;
    Level inbound_fill_;
};

}  // namespace ringmesh::hw
