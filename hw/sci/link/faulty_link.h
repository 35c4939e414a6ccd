// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <systemc>

#include "hw/sci/link/link_faults.h"
#include "hw/sci/link/link_timing.h"
#include "tlm/sci/link.h"
#include "tlm/simulation/simulation.h"
#include "tlm/statistics/component.h"

namespace ringmesh::hw {

/// Faults on the way from one link controller to the next. It is inserted between their sockets if either of them can
/// have a fault that acts there.
///
///     sender's link_out --> cut, stopped, lost? --> corrupted? --> go bits lost? --> slow? --> receiver stopped?
///                       |                                                                  --> receiver's link_in
///                       +--> as many as no fault strikes, before the one that it may strike --^
///
/// What the link controllers do about it: LinkRecovery.
class FaultyLink final : public sc_core::sc_module {
public:
    ::tlm::tlm_target_socket<sci::kLinkWidth, sci::LinkProtocol> in{"in"};
    sci::LinkInitiator<FaultyLink> out{"out"};

    /// A link controller at one end.
    struct End {
        const Component& chip;  ///< named in records of what happens to a packet
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
    static bool strike_packets_alone(const LinkFaults& sender, const LinkFaults& receiver);

    /// How many packets of how many symbols may still leave unasked.
    class Allowance {
    public:
        constexpr Allowance() = default;
        Allowance(std::int64_t packets, std::int64_t symbols)
            : left_(static_cast<std::uint64_t>(std::clamp<std::int64_t>(packets, 0, kMost)) << kBits |
                    static_cast<std::uint64_t>(std::clamp<std::int64_t>(symbols, 0, kMost)))
        {}
        std::int64_t packets() const { return static_cast<std::int64_t>(left_ >> kBits); }
        std::int64_t symbols() const { return static_cast<std::int64_t>(left_ & kMost); }
        /// Whether it is enough for one more, and that has left.
        bool take(sci::Command command)
        {
            const std::uint64_t left = left_ - (std::uint64_t{1} << kBits | kSymbols[sci::index(command)]);
            if ((left & kBelowZero) != 0) return false;
            left_ = left;
            return true;
        }

    private:
        static constexpr unsigned kBits = 32;
        static constexpr std::uint64_t kMost = INT32_MAX;
        static constexpr std::uint64_t kBelowZero = std::uint64_t{1} << 63 | std::uint64_t{1} << 31;
        static constexpr auto kSymbols = [] {
            std::array<std::uint8_t, sci::kCommands> symbols{};
            for (std::size_t i = 0; i < symbols.size(); ++i) {
                symbols[i] = static_cast<std::uint8_t>(sci::symbols(static_cast<sci::Command>(i)));
            }
            return symbols;
        }();
        std::uint64_t left_ = 0;  // packets in the upper half, symbols in the lower
    };

    /// The way past the faults, for nearly all if these seldom strike. What each packet looks at lies in one line of
    /// the cache.
    class alignas(64) FastPath final : public ::tlm::tlm_fw_transport_if<sci::LinkProtocol> {
    public:
        FastPath(FaultyLink& link, bool is_open) : open(is_open), link_(link) {}
        ::tlm::tlm_sync_enum nb_transport_fw(sci::Packet& packet, sci::LinkPhase& phase,
                                             sc_core::sc_time& delay) override;
        void b_transport(sci::Packet& packet, sc_core::sc_time& delay) override
        {
            link_.out->b_transport(packet, delay);
        }
        bool get_direct_mem_ptr(sci::Packet& packet, ::tlm::tlm_dmi& region) override
        {
            return link_.out->get_direct_mem_ptr(packet, region);
        }
        unsigned transport_dbg(sci::Packet& packet) override { return link_.out->transport_dbg(packet); }

        sci::LinkInlet* receiver = nullptr;
        std::array<Allowance, 2> left;  ///< of packets and of echoes, whatever the time is

        const bool open;  ///< faults strike packets and echoes alone

    private:
        FaultyLink& link_;
    };

    /// What may leave before the faults that strike packets, or those that strike echoes, have to be asked.
    class Calm {
    public:
        /// @param fast_path what is left of it at any time; null: it is asked for each
        Calm(LinkFaults& faults, std::uint32_t words, Allowance* fast_path)
            : faults_(faults), words_(words), fast_path_(fast_path)
        {}
        /// Whether it leaves without a strike, at a time at which that can matter.
        bool passes(Duration at, sci::Command command) { return at < until_ && left_.take(command); }
        /// Around asking the faults.
        void begin_asking();
        void end_asking(Duration at);

    private:
        LinkFaults& faults_;
        std::uint32_t words_;
        Allowance* fast_path_;
        Allowance set_;
        Allowance left_;
        Duration until_;
    };

    ::tlm::tlm_sync_enum carry(sci::Packet& packet, sci::LinkPhase phase, const sc_core::sc_time& delay);
    void carry_packet(sci::Packet& packet, Duration start, Duration time);
    void carry_go(Duration start, Duration time);
    bool is_lost(sci::Packet& packet, Duration start);
    void corrupt(sci::Packet& packet, Duration start);
    void lose(sci::Packet& packet, Duration start, Duration time);
    bool loses_go(Duration at, Duration time);
    Duration late_start(const sci::Packet& packet, Duration start);
    void deliver(sci::Packet& packet, sci::LinkPhase phase, Duration start, Duration time);
    Duration length(const sci::Packet& packet) const { return timing_->length[sci::index(packet.command)]; }
    void end_of_elaboration() override { fast_path_.receiver = out.operator->(); }

    FastPath fast_path_;
    std::array<Calm, 2> calm_;  // of packets and of echoes
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
