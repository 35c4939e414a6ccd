// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "hw/mesh/mesh.h"
#include "hw/ports/port_use.h"
#include "tlm/error.h"
#include "tlm/mesh/journey.h"
#include "tlm/mesh/mesh_port.h"
#include "tlm/simulation/simulation.h"
#include "tlm/statistics/component.h"
#include "tlm/time/kernel_time.h"
#include "tlm/time/require_now.h"

namespace ringmesh::hw {

/// Mesh terminal for TLM-2.0 models from outside Ringmesh: it carries their payloads as packets.
///
///     initiator --> from_initiator --> request --> mesh --> request --> to_target --> target
///               <--------------------- response <-- mesh <-- response <-------------
///
/// decode() says at which terminal an address is. A request has a flit for its header and one for each 16 bytes of a
/// write, a response the same of a read: 1008 bytes at most. Requests of a terminal leave in order, and its target
/// takes one at a time, with the time that its b_transport takes; as many wait for it as initiators have on their way.
/// What travels is a copy of the payload, with copies of its extensions: the initiator's thread may be killed
/// meanwhile. Either socket may stay unbound. No DMI, no debug transport. Loosely and approximately timed initiators
/// see it as they see a ProcessorPort, but several transactions may be on their way. @tparam Width of the sockets, bits
template <unsigned Width = 32>
class MeshPort final : public sc_core::sc_module, public Component {
public:
    static constexpr std::uint32_t kMostBytes = (mesh::kMostFlits - 1) * mesh::kFlitBytes;

    tlm_utils::simple_target_socket_optional<MeshPort, Width> from_initiator{"from_initiator"};
    tlm_utils::simple_initiator_socket_optional<MeshPort, Width> to_target{"to_target"};
    mesh::TerminalSocket<MeshPort> to_mesh{"to_mesh"};

    SC_HAS_PROCESS(MeshPort);
    MeshPort(const sc_core::sc_module_name& module_name, Simulation& simulation, mesh::Terminal here)
        : sc_module(module_name), simulation_(simulation), packets_(simulation.pool<mesh::PacketPool>()), here_(here)
    {
        from_initiator.register_b_transport(this, &MeshPort::transport);
        to_mesh.register_nb_transport_bw(this, &MeshPort::from_mesh);
        SC_THREAD(work);
        simulation.add(*this);
    }

    /// `size` bytes from `base` on are at this terminal, which sees them from 0 on.
    /// @throws UserError if they overlap with others, or are none
    void decode(std::uint64_t base, std::uint64_t size, mesh::Terminal there)
    {
        if (size == 0 || base + (size - 1) < base) {
            throw UserError(fmt::format("{}: {} bytes from {:#x} on: no range of addresses; give one within 64 bits",
                                        name(), size, base));
        }
        for (const auto& [other, range] : ranges_) {
            if (base <= other + (range.size - 1) && other <= base + (size - 1)) {
                throw UserError(
                    fmt::format("{}: {} bytes from {:#x} on overlap with those from {:#x} on; give ranges "
                                "that do not",
                                name(), size, base, other));
            }
        }
        ranges_[base] = {size, there};
    }

    std::string component_name() const override { return name(); }
    void statistics(StatisticsVisitor& visitor) const override
    {
        use_.statistics(visitor);
        visitor.counter("served", served_, "transactions", "by the target here");
    }
    std::string pending() const override
    {
        PendingText text;
        text.add(use_.pending());
        text.add(arrived_.size(), "requests for the target");
        return text.text();
    }

    void trace(sc_core::sc_trace_file* file) const override { use_.trace(file, name()); }

private:
    using Payload = ::tlm::tlm_generic_payload;
    struct Range {
        std::uint64_t size = 0;
        mesh::Terminal there;
    };

    /// The copy of a payload that goes over the mesh, until the response is back and the initiator's thread has seen
    /// it.
    struct Traveller {
        explicit Traveller(const Payload& payload) : bytes(payload.get_data_length())
        {
            copy.set_data_ptr(bytes.data());
            copy.deep_copy_from(payload);
            copy.set_response_status(::tlm::TLM_INCOMPLETE_RESPONSE);
        }
        std::vector<unsigned char> bytes;
        Payload copy;
        sc_core::sc_event back;
    };

    void transport(Payload& payload, sc_core::sc_time& delay)
    {
        if (!use_.begins(payload, delay, kMostBytes)) return;
        const PortUse::Transaction transaction(use_, payload);
        const std::uint64_t address = payload.get_address();
        auto found = ranges_.upper_bound(address);
        if (found == ranges_.begin()) return address_error(payload);
        const auto& [base, range] = *--found;
        if (address - base >= range.size || range.size - (address - base) < payload.get_data_length()) {
            return address_error(payload);
        }
        const auto travels = std::make_shared<Traveller>(payload);
        travels->copy.set_address(address - base);
        travellers_[&travels->copy] = travels;
        mesh::Packet& packet = packets_.acquire();
        packet = {.id = ids_.next(),
                  .from = here_,
                  .to = range.there,
                  .kind = mesh::Class::kRequest,
                  .flits = flits(payload.is_write(), payload),
                  .born_ps = now().ps(),
                  .payload = &travels->copy};
        mesh::report_birth(simulation_, *this, packet, now(), std::size_t{packet.flits} * mesh::kFlitBytes);
        send(packet);
        sc_core::wait(travels->back);
        payload.update_original_from(travels->copy);
    }
    static void address_error(Payload& payload) { payload.set_response_status(::tlm::TLM_ADDRESS_ERROR_RESPONSE); }
    static std::uint32_t flits(bool with_data, const Payload& payload)
    {
        constexpr std::uint32_t kFlit = mesh::kFlitBytes;
        return with_data ? 1 + (payload.get_data_length() + kFlit - 1) / kFlit : 1;
    }

    void send(mesh::Packet& packet)
    {
        auto& queue = leaving_[mesh::index(packet.kind)];
        queue.push_back(&packet);
        if (queue.size() == 1) send_waiting(packet.kind);
    }
    void send_waiting(mesh::Class kind)
    {
        auto& queue = leaving_[mesh::index(kind)];
        while (!queue.empty()) {
            mesh::PortPhase phase = mesh::PortPhase::kPacket;
            sc_core::sc_time none;
            if (to_mesh->nb_transport_fw(*queue.front(), phase, none) != ::tlm::TLM_ACCEPTED) return;
            queue.pop_front();
        }
    }

    ::tlm::tlm_sync_enum from_mesh(mesh::Packet& packet, mesh::PortPhase& phase, sc_core::sc_time& delay)
    {
        require_now(delay);
        if (phase == mesh::PortPhase::kCredit) {
            send_waiting(packet.kind);
            return ::tlm::TLM_ACCEPTED;
        }
        simulation_.report_arrival(*this, packet.id, mesh::leg_of(packet), now());
        if (packet.kind == mesh::Class::kRequest) {
            arrived_.push_back(&packet);
            more_.notify(sc_core::SC_ZERO_TIME);
            return ::tlm::TLM_ACCEPTED;
        }
        const auto found = travellers_.find(packet.payload);
        if (found == travellers_.end()) throw ModelError(fmt::format("{}: a response that nobody waits for", name()));
        found->second->back.notify(sc_core::SC_ZERO_TIME);
        travellers_.erase(found);
        packets_.release(packet);
        return ::tlm::TLM_ACCEPTED;
    }

    void work()
    {
        while (true) {
            while (arrived_.empty()) wait(more_);
            mesh::Packet& packet = *arrived_.front();
            Payload& payload = *packet.payload;
            if (to_target.size() == 0) {
                address_error(payload);
            } else {
                sc_core::sc_time delay;
                to_target->b_transport(payload, delay);
                payload.set_dmi_allowed(false);
                wait(delay);
            }
            ++served_;
            arrived_.pop_front();
            packet.to = packet.from;
            packet.from = here_;
            packet.kind = mesh::Class::kResponse;
            packet.flits = flits(payload.is_read() && payload.is_response_ok(), payload);
            packet.born_ps = now().ps();
            send(packet);
        }
    }

    Simulation& simulation_;
    PacketNumbers ids_{simulation_.packet_numbers()};
    mesh::PacketPool& packets_;
    const mesh::Terminal here_;
    std::map<std::uint64_t, Range> ranges_;
    std::map<const Payload*, std::shared_ptr<Traveller>> travellers_;  // requests of the initiator under way
    std::array<std::deque<mesh::Packet*>, mesh::kClasses> leaving_;
    std::deque<mesh::Packet*> arrived_;  // the first one is with the target
    sc_core::sc_event more_{"more"};
    PortUse use_;
    Counter served_;
};

}  // namespace ringmesh::hw
