// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <systemc>

#include "hw/sci/link_faults.h"
#include "hw/sci/link_timing.h"
#include "tlm/component.h"
#include "tlm/sci/link.h"
#include "tlm/simulation.h"

namespace ringmesh::hw {

/// What faults do on the way from one link controller to the next; spliced between their sockets if either can suffer
/// one that shows there.
///
///     sender's link_out --> cut, stopped, lost? --> corrupted? --> go bits lost? --> slow? --> receiver stopped?
///                                                                                          --> receiver's link_in
///
/// What the link controllers do about it: LinkRecovery.
class FaultyLink final : public sc_core::sc_module {
public:
    sci::LinkTarget<FaultyLink> in{"in"};
    sci::LinkInitiator<FaultyLink> out{"out"};

    /// A link controller at one end.
    struct End {
        const Component& chip;  ///< for those who look
        LinkFaults& faults;
    };
    struct Config {
        std::shared_ptr<const LinkTiming> timing;  ///< the sender's
        Duration echo_timeout;                     ///< after which the sender sends again what is lost
    };
    /// Whether such a link is needed.
    static bool shows(const LinkFaults& sender, const LinkFaults& receiver)
    {
        return (sender.words() & ~kInside) != 0 || (receiver.words() & bits({LinkFault::kStop})) != 0;
    }

    FaultyLink(const sc_core::sc_module_name& name, Simulation& simulation, Config config, const End& sender,
               const End& receiver);

private:
    static constexpr std::uint32_t kInside = bits({LinkFault::kFull});  ///< a chip, where it does not show

    /// What may leave before the faults that strike packets, or those that strike echoes, have to be asked.
    class Calm {
    public:
        Calm(LinkFaults& faults, std::uint32_t words) : faults_(faults), words_(words) {}
        /// Whether it leaves without a strike.
        bool passes(Duration at, std::int64_t symbols) { return at < left_.until && take(symbols); }
        /// The same whatever the time is; true only if it does not matter.
        bool passes(std::int64_t symbols) { return left_.until == Duration::never() && take(symbols); }
        /// Around asking the faults.
        void begin_asking();
        void end_asking(Duration at);

    private:
        bool take(std::int64_t symbols)
        {
            if (left_.packets < 1 || left_.symbols < symbols) return false;
            --left_.packets;
            left_.symbols -= symbols;
            return true;
        }

        LinkFaults& faults_;
        std::uint32_t words_;
        FaultCalm left_ = FaultCalm::none();
        FaultCalm set_ = FaultCalm::none();
    };

    ::tlm::tlm_sync_enum carry(sci::Packet& packet, sci::LinkPhase& phase, sc_core::sc_time& delay);
    void carry_packet(sci::Packet& packet, Duration start, Duration time);
    void carry_go(Duration start, Duration time);
    bool is_lost(sci::Packet& packet, Duration start);
    void corrupt(sci::Packet& packet, Duration start);
    void lose(sci::Packet& packet, Duration start, Duration time);
    bool loses_go(Duration at, Duration time);
    Duration late_start(const sci::Packet& packet, Duration start);
    void deliver(sci::Packet& packet, sci::LinkPhase phase, Duration start, Duration time);
    Calm& calm_of(const sci::Packet& packet) { return calm_[sci::is_echo(packet.command) ? 1 : 0]; }
    Duration length(const sci::Packet& packet) const { return timing_->length[sci::index(packet.command)]; }
    void end_of_elaboration() override { receiver_ = out.operator->(); }

    ::tlm::tlm_fw_transport_if<sci::LinkProtocol>* receiver_ = nullptr;
    std::array<Calm, 2> calm_;  // of packets and of echoes
    bool strikes_packets_alone_;
    Simulation& simulation_;
    sci::PacketPool& packets_;
    const std::shared_ptr<const LinkTiming> timing_;
    const Duration echo_timeout_;
    const Component& sender_;
    LinkFaults& faults_;  // the sender's and the cable's
    LinkFaults& receiver_faults_;
    Duration late_until_;    // when a slow sender has sent the last packet and its idle symbols
    sci::Packet no_packet_;  // for calls that tell of go bits
};

}  // namespace ringmesh::hw
