// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <systemc>

#include "hw/sci/blink/blink_port.h"
#include "hw/sci/link/link_timing.h"
#include "hw/sci/link_controller/link_observer.h"
#include "hw/sci/link_controller/link_recovery.h"
#include "hw/sci/link_controller/receive_queue.h"
#include "hw/sci/link_controller/send_queue.h"
#include "hw/sci/params.h"
#include "hw/sci/policies/flow_control.h"
#include "hw/sci/routing/routing.h"
#include "tlm/pools/ring_buffer.h"
#include "tlm/sci/blink.h"
#include "tlm/sci/link.h"
#include "tlm/simulation/simulation.h"
#include "tlm/statistics/component.h"
#include "tlm/time/wakeup.h"

namespace ringmesh::hw {

/// LC-2: connects one node's B-Link to an SCI ringlet.
///
///     link_in --> decode --> stripper --> bypass FIFO ----------+--> link_out
///                   |           |    from_blink --> send queues -+
///              (scrubber)       +--> receive queues --> to_blink
///
/// Timing: one event per packet and link, when its head arrives. A passing packet leaves `bypass` link clocks later, or
/// when the output is free. An own packet starts when the bypass FIFO is empty and the node holds a go bit
/// (FlowControlPolicy): in a gap, or before the next passing packet, which then waits, if it is ready before that one
/// leaves (or arrives: OwnBeforePassing) and known of when it arrives, as all are but retries. Releasing saved go bits
/// takes an event of its own if no packet passes; other nodes forward them without one unless a packet waits for them.
/// The echo leaves when the address is decoded, and a gap follows it; or it takes the place of the packet's last
/// symbols, with an event of its own, and the gap goes before it. A stripped packet requests the B-Link when it has
/// passed the input FIFO completely (earlier with cut-through, see LinkTiming); an echo takes effect when its last
/// symbol is decoded. What it does about faults: LinkRecovery; what is seen of it: LinkObserver. Responses are sent
/// before requests. Without flow control an own packet waits for an open gap. Not modelled: ringlet initialisation,
/// high and low priority of go bits.
class LinkController final : public sc_core::sc_module, public Component {
public:
    sci::LinkTarget<LinkController> link_in{"link_in"};
    sci::LinkInitiator<LinkController> link_out{"link_out"};
    BLinkInlet<LinkController> from_blink{"from_blink", *this};
    BLinkOutlet<LinkController> to_blink{"to_blink", *this};

    struct Config {
        sci::NodeId node = 0;
        bool scrubber = false;  ///< one per ring
        LinkParams link;
        CableParams cable;  ///< of the link that leaves here
        LinkControllerParams chip;
        RecoveryParams recovery;
        /// The bus behind this chip, which bounds cut-through. None: it takes no time.
        std::optional<BLinkParams> blink;
        sci::Command longest = sci::Command::kWrite64;  ///< the longest packet on this network
    };

    /// @param timing of these parameters, shared between controllers; created here if null
    LinkController(const sc_core::sc_module_name& name, Simulation& simulation, const Config& config,
                   std::unique_ptr<Routing> routing, std::shared_ptr<const LinkTiming> timing = nullptr);

    void trace(sc_core::sc_trace_file* file) const override;
    std::string component_name() const override { return name(); }
    void statistics(StatisticsVisitor& visitor) const override;
    void places(PlaceVisitor& visitor) const override;
    std::string pending() const override;
    const LinkControllerStats& stats() const { return seen_.stats; }
    const std::shared_ptr<const LinkTiming>& timing() const { return timing_; }
    /// Null if the run has no faults.
    LinkFaults* faults() { return recovery_ == nullptr ? nullptr : &recovery_->faults; }
    std::uint64_t packet_hops() const;
    /// Link time of all packets and their idle symbols scheduled up to output_free().
    Duration link_time_taken() const;
    Duration output_free() const { return output_free_; }
    /// Pending wake-ups.
    unsigned armed_wakeups() const;

private:
    struct Arrival {
        sci::Packet* packet = nullptr;  // none: go bits
        Duration head;
    };
    ::tlm::tlm_sync_enum arrive(sci::Packet& packet, sci::LinkPhase& phase, sc_core::sc_time& delay);
    ::tlm::tlm_sync_enum go_lost(sci::Packet& packet, sci::LinkPhase& phase, sc_core::sc_time& delay);

    // What wakes it, in the order of their turns
    void take_arrivals();
    void take_echoes();
    void offer_both_to_blink();
    void send_own();
    void restore_go();
    void send_lost_again();

    void receive(sci::Packet& packet, Duration time);
    bool scrub(sci::Packet& packet, Duration time);
    void receive_go(Duration head, Duration told);
    void receive_idles(const sci::Packet& packet, Duration time);
    void send_go(Duration from, Duration time);
    void send_tail_echo(Duration time);
    void pass(sci::Packet& packet, Duration earliest, Duration time);
    void pass_on_a_busy_ring(sci::Packet& packet, Duration earliest, Duration time);
    void send_before(Duration earliest, Duration time);
    void strip(sci::Packet& packet, Duration time);
    sci::Packet& make_echo(const sci::Packet& packet, sci::EchoStatus status, Duration time);
    void send_echo(sci::Packet& echo, Duration behind, Duration time);
    void take_echo(sci::Packet& echo, Duration time);
    void start_own(Duration start, Duration time, Duration next_head = Duration::never());
    void note_own();
    void note_lack_of_go(Duration until);
    void note_lack_of_known_go();
    void launch(sci::Packet& packet, Duration start, Duration time);
    void offer_to_blink(sci::Class kind, Duration time);
    [[gnu::cold]] void discard(sci::Packet& packet, Duration time);
    void send_again(SendQueue& queue, std::uint16_t slot, Duration time);

    friend BLinkInlet<LinkController>;
    friend BLinkOutlet<LinkController>;
    bool reserve(sci::Class kind) { return send_queue(kind).reserve(); }
    void take_from_blink(sci::Packet& packet, sci::Class kind, Duration delay);
    blink::Transfer blink_front(sci::Class kind);
    void blink_took(sci::Class kind, std::uint64_t packet, Duration delay)
    {
        receive_queue(kind).leave(packet, now() + delay);
    }
    void blink_granted(sci::Class kind) { blink_wakeup_.at(receive_queue(kind).front_ready()); }

    Duration next_send() const;
    Duration length(const sci::Packet& packet) const { return timing_->length[sci::index(packet.command)]; }

    SendQueue& send_queue(sci::Class kind) { return send_queues_[sci::index(kind)]; }
    ReceiveQueue& receive_queue(sci::Class kind) { return receive_queues_[sci::index(kind)]; }

    void end_of_elaboration() override;

    // Members used by every passing packet are adjacent, for the cache.
    sci::LinkInlet* next_node_ = nullptr;
    std::shared_ptr<const LinkTiming> timing_;
    std::unique_ptr<Routing> routing_;
    sci::NodeId node_;
    bool scrubber_;
    bool receiving_ = false;                     // a packet taken from arrivals_
    Duration output_free_;                       // when the last packet and its idle symbols have left
    Duration own_eligible_ = Duration::never();  // when the first own packet may go
    Duration taken_;                             // when it took arrivals last
    RingBuffer<Arrival> arrivals_;
    Arrival tail_echo_;  // of the packet that is being stripped; its head is that of its place
    LinkFlow flow_;
    LinkObserver seen_;
    Simulation& simulation_;
    Wakeup arrival_wakeup_{wakes<&LinkController::take_arrivals>(simulation_.calendar(), *this)};

    std::unique_ptr<LinkRecovery> recovery_;  // null if the run has no faults
    sci::PacketPool& packets_;
    RingBuffer<Arrival> echoes_;  // for this node, with the time at which they are read
    Wakeup echo_wakeup_{wakes<&LinkController::take_echoes>(simulation_.calendar(), *this)};
    Wakeup blink_wakeup_{wakes<&LinkController::offer_both_to_blink>(simulation_.calendar(), *this)};
    Wakeup send_wakeup_{wakes<&LinkController::send_own>(simulation_.calendar(), *this)};
    std::array<SendQueue, sci::kClasses> send_queues_;
    std::array<ReceiveQueue, sci::kClasses> receive_queues_;

    sci::Packet no_packet_;  // for calls that tell of go bits
};

}  // namespace ringmesh::hw
