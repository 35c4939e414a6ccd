// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <systemc>
#include <vector>

#include "hw/sci/link_controller/link_controller.h"
#include "tests/hw/printing.h"
#include "tests/hw/sci/blink/blink_chip.h"
#include "tests/hw/sci/packets.h"
#include "tests/hw/timetable.h"
#include "tests/support/policies.h"
#include "tlm/simulation/simulation.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh::test {

/// The rest of the ring: sends packets into one link and records the heads that leave the other.
class LinkEnd final : public sc_core::sc_module {
public:
    sci::LinkInitiator<LinkEnd> out{"out"};
    sci::LinkTarget<LinkEnd> in{"in"};

    struct Head {
        Duration time;
        sci::Packet packet;
    };

    LinkEnd(const sc_core::sc_module_name& name, Simulation& simulation)
        : sc_module(name), simulation_(simulation), timetable_("timetable")
    {
        in.register_nb_transport_fw(this, &LinkEnd::receive);
        out.register_nb_transport_bw(this, &LinkEnd::lost_go);
    }

    /// The packet's head arrives at this time; annotated one propagation before.
    void send_at(Duration time, const sci::Packet& packet)
    {
        constexpr Duration kPropagation = 7_ns;
        const Duration announced = std::max(now(), time - kPropagation);
        timetable_.at(announced, [this, time, packet] {
            sci::Packet& copy = simulation_.pool<sci::PacketPool>().acquire();
            copy = packet;
            sci::LinkPhase phase = sci::LinkPhase::kHead;
            sc_core::sc_time delay = to_kernel(time - now());
            out->nb_transport_fw(copy, phase, delay);
        });
    }

    /// The idle symbols that arrive carry go bits from this time on.
    void go_at(Duration time)
    {
        timetable_.at(time, [this] {
            sci::Packet nothing;
            sci::LinkPhase phase = sci::LinkPhase::kGo;
            sc_core::sc_time delay;
            out->nb_transport_fw(nothing, phase, delay);
        });
    }

    /// If set, every request and response of this sender is answered with an echo whose head returns this much later:
    /// with the next of `echo_statuses`, or done when they are used up.
    std::optional<Duration> echo_after;
    sci::NodeId echo_to = 0;
    std::deque<sci::EchoStatus> echo_statuses;

    std::vector<Head> seen;
    std::vector<Duration> go_bits;   ///< when we were told that idle symbols carry go bits again
    std::vector<Duration> go_again;  ///< when the link before us keeps go bits again that it lost

private:
    ::tlm::tlm_sync_enum lost_go(sci::Packet&, sci::LinkPhase&, sc_core::sc_time& delay)
    {
        go_again.push_back(now() + from_kernel(delay));
        return ::tlm::TLM_COMPLETED;
    }
    ::tlm::tlm_sync_enum receive(sci::Packet& packet, sci::LinkPhase& phase, sc_core::sc_time& delay)
    {
        const Duration head = now() + from_kernel(delay);
        if (phase == sci::LinkPhase::kGo) {
            go_bits.push_back(head);
            return ::tlm::TLM_COMPLETED;
        }
        seen.push_back({head, packet});
        if (echo_after && packet.sender == echo_to && !sci::is_echo(packet.command)) {
            auto status = sci::EchoStatus::kDone;
            if (!echo_statuses.empty()) {
                status = echo_statuses.front();
                echo_statuses.pop_front();
            }
            send_at(head + *echo_after, make_echo(status, packet));
        }
        simulation_.pool<sci::PacketPool>().release(packet);
        return ::tlm::TLM_COMPLETED;
    }

    Simulation& simulation_;
    Timetable timetable_;
};

/// One link controller between a probe on its ring side and a probe on its B-Link side.
struct LinkBench {
    static constexpr sci::NodeId kMe = 5;
    static constexpr sci::NodeId kOther = 6;

    explicit LinkBench(const hw::LinkController::Config& wanted = config(hw::FlowControl("go-bits")))
        : params(wanted),
          ring("ring", simulation),
          chip("chip", simulation),
          lc2("lc2", simulation, wanted, std::make_unique<hw::RingRouting>(kMe, kHostPort))
    {
        ring.out.bind(lc2.link_in);
        lc2.link_out.bind(ring.in);
        chip.out.bind(lc2.from_blink);
        lc2.to_blink.bind(chip.in);
        ring.echo_to = kMe;
    }

    static hw::LinkController::Config config(hw::FlowControl flow_control = "go-bits")
    {
        hw::LinkController::Config config{.node = kMe};
        config.link.flow_control = flow_control;
        return config;
    }

    Duration symbol() const { return params.link.symbol_time; }
    Duration bypass() const { return symbol() * params.chip.bypass.count(); }
    /// From a stripped packet's head to the last symbols, whose place its echo may take.
    Duration tail(sci::Command command) const { return symbol() * (sci::symbols(command) - sci::kEchoSymbols); }
    static hw::LinkController::Config echo_in_the_tail()
    {
        auto tail = config();
        tail.chip.echo_place = hw::EchoPlace::kTail;
        return tail;
    }
    Duration propagation() const { return params.cable.propagation(); }
    /// How long a packet occupies the outgoing link.
    Duration link_time(sci::Command command) const
    {
        return symbol() * (sci::symbols(command) + params.link.idle_symbols);
    }
    /// When the head of the n-th packet seen left the link controller.
    Duration start(std::size_t n) const { return ring.seen.at(n).time - propagation(); }
    /// When a packet whose head came in at `head` asks for the B-Link.
    Duration at_blink(Duration head, sci::Command command) const
    {
        return head + params.chip.decode + symbol() * (sci::symbols(command) - 1) + params.chip.in_fifo_to_blink;
    }

    /// A packet of each command comes from the ring, the n-th at n microseconds.
    std::vector<sci::Packet> send_each_command(sci::NodeId target)
    {
        std::vector<sci::Packet> sent;
        for (const sci::Command command : kSendCommands) {
            sent.push_back(make_packet(command, target, sent.size() + 1));
            ring.send_at(1_us * static_cast<std::int64_t>(sent.size()), sent.back());
        }
        return sent;
    }

    void run() { simulation.run(); }

    static constexpr std::uint8_t kHostPort = 3;
    hw::LinkController::Config params;
    Simulation simulation{1};
    LinkEnd ring;
    BLinkChip chip;
    hw::LinkController lc2;
};

}  // namespace ringmesh::test
