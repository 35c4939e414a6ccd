// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <systemc>
#include <vector>

#include "tests/hw/timetable.h"
#include "tlm/sci/blink.h"
#include "tlm/simulation/simulation.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh::test {

/// A chip at the other end of a B-Link, or of a chip's B-Link sockets: sends the given packets, grants or refuses room,
/// and records events with their times.
class BLinkChip final : public sc_core::sc_module {
public:
    blink::Initiator<BLinkChip> out{"out"};
    blink::Target<BLinkChip> in{"in"};

    struct Sending {
        Duration asked, granted;
        Duration gone;  ///< when its last byte has left, says the other side
        std::uint64_t id = 0;
    };
    struct Request {
        Duration time;
        sci::Class kind = sci::Class::kRequest;
        std::uint8_t to = 0;
    };
    struct Arrival {
        Duration begin, end;  ///< when the data came, and their last byte
        std::uint8_t to = 0;
        sci::Packet packet;
    };

    BLinkChip(const sc_core::sc_module_name& name, Simulation& simulation)
        : sc_module(name), simulation_(simulation), timetable_("timetable")
    {
        out.register_nb_transport_bw(this, &BLinkChip::granted);
        in.register_nb_transport_fw(this, &BLinkChip::receive);
    }

    /// Time from the first to the last byte of packets sent, as an annotated delay, and of packets received.
    Duration sending_takes, receiving_takes;
    /// What it does when it is granted the bus: asks for the next packet behind the one it sends, before it, or sends
    /// none.
    enum class OnGrant : std::uint8_t { kSends, kAsksAndSends, kNothing };
    OnGrant on_grant = OnGrant::kSends;
    /// Whether it has room for arriving packets.
    std::array<bool, sci::kClasses> has_room{true, true};

    void send_at(Duration time, const sci::Packet& packet, std::uint8_t to = 0)
    {
        timetable_.at(time, [this, packet, to] {
            const auto kind = sci::class_of(packet.command);
            queue(kind).push_back({packet, to, now()});
            ask(kind);
        });
    }
    /// Grants what was refused before. @param room_from_now_on whether it also has room for later packets
    void grant_at(Duration time, sci::Class kind, bool room_from_now_on = false)
    {
        timetable_.at(time, [this, kind, room_from_now_on] {
            has_room[sci::index(kind)] = room_from_now_on;
            if (owed_[sci::index(kind)]) grant(kind);
        });
    }
    bool owes(sci::Class kind) const { return owed_[sci::index(kind)]; }

    std::vector<Sending> sent;
    std::vector<Request> requests;  ///< all that asked for room here
    std::vector<Arrival> arrived;
    std::function<void(const Arrival&)> on_arrival = [](const Arrival&) {};

private:
    struct Waiting {
        sci::Packet packet;
        std::uint8_t to = 0;
        Duration asked;
    };

    std::deque<Waiting>& queue(sci::Class kind) { return queues_[sci::index(kind)]; }

    void ask(sci::Class kind)
    {
        bool& asked = asked_[sci::index(kind)];
        while (!asked && !queue(kind).empty()) {
            Waiting& first = queue(kind).front();
            blink::Transfer transfer{&first.packet, kind, first.to};
            blink::Phase phase = blink::Phase::kRequest;
            sc_core::sc_time delay;
            first.asked = now();
            asked = out->nb_transport_fw(transfer, phase, delay) != ::tlm::TLM_COMPLETED;
            if (!asked) send(kind);
        }
    }

    void send(sci::Class kind)
    {
        const Waiting first = queue(kind).front();
        queue(kind).pop_front();
        sci::Packet& packet = sci::clone(simulation_.pool<sci::PacketPool>(), first.packet);
        blink::Transfer transfer{&packet, kind, first.to};
        blink::Phase phase = blink::Phase::kData;
        sc_core::sc_time delay = to_kernel(sending_takes);
        out->nb_transport_fw(transfer, phase, delay);
        sent.push_back({first.asked, now(), now() + from_kernel(delay), first.packet.id});
    }

    ::tlm::tlm_sync_enum granted(blink::Transfer& transfer, blink::Phase&, sc_core::sc_time&)
    {
        if (on_grant == OnGrant::kNothing) return ::tlm::TLM_COMPLETED;
        asked_[sci::index(transfer.kind)] = false;
        if (on_grant == OnGrant::kAsksAndSends) {
            const Waiting first = queue(transfer.kind).front();
            queue(transfer.kind).pop_front();
            ask(transfer.kind);
            queue(transfer.kind).push_front(first);
        }
        send(transfer.kind);
        ask(transfer.kind);
        return ::tlm::TLM_COMPLETED;
    }

    ::tlm::tlm_sync_enum receive(blink::Transfer& transfer, blink::Phase& phase, sc_core::sc_time& delay)
    {
        if (phase == blink::Phase::kRequest) {
            requests.push_back({now(), transfer.kind, transfer.to});
            if (has_room[sci::index(transfer.kind)]) return ::tlm::TLM_COMPLETED;
            owed_[sci::index(transfer.kind)] = true;
            return ::tlm::TLM_ACCEPTED;
        }
        const Duration annotated = from_kernel(delay);
        delay = to_kernel(receiving_takes);
        arrived.push_back({now(), now() + annotated + receiving_takes, transfer.to, *transfer.packet});
        simulation_.pool<sci::PacketPool>().release(*transfer.packet);
        on_arrival(arrived.back());
        return ::tlm::TLM_COMPLETED;
    }

    void grant(sci::Class kind)
    {
        owed_[sci::index(kind)] = false;
        blink::Transfer transfer{nullptr, kind, 0};
        blink::Phase phase = blink::Phase::kGrant;
        sc_core::sc_time delay;
        in->nb_transport_bw(transfer, phase, delay);
    }

    Simulation& simulation_;
    Timetable timetable_;
    std::array<std::deque<Waiting>, sci::kClasses> queues_;
    std::array<bool, sci::kClasses> asked_{};
    std::array<bool, sci::kClasses> owed_{};  // we refused room and have to grant it
};

}  // namespace ringmesh::test
