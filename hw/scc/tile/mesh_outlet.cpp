// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/tile/mesh_outlet.h"

#include <algorithm>
#include <utility>

#include "tlm/time/kernel_time.h"

namespace ringmesh::hw {

std::size_t MeshOutlet::send(mesh::Packet& packet, Duration at, Duration now)
{
    const std::size_t kind = mesh::index(packet.kind);
    if (waiting_[kind] == 0 && !offering_[kind]) {
        offering_[kind] = true;
        const bool passed = terminal_.pass(packet, at, now);
        if (passed) ++sent_;
        const bool taken = passed || offer({&packet, at}, now);
        offering_[kind] = false;
        if (taken) return waiting_[kind] == 0 ? 1 : 1 + resume(static_cast<mesh::Class>(kind), now);
    }
    // kCredit will resume it.
    queues_[kind].push_back({&packet, at});
    ++waiting_[kind];
    return 0;
}

std::size_t MeshOutlet::resume(mesh::Class kind, Duration now)
{
    const std::size_t i = mesh::index(kind);
    if (offering_[i]) return 0;  // the active call continues
    offering_[i] = true;
    std::size_t taken = 0;
    while (!queues_[i].empty() && offer(queues_[i].front(), now)) {
        queues_[i].pop_front();
        --waiting_[i];
        ++taken;
    }
    offering_[i] = false;
    return taken;
}

bool MeshOutlet::offer(const Waiting& first, Duration now)
{
    if (mesh_ == nullptr) mesh_ = socket_.operator->();
    mesh::PortPhase phase = mesh::PortPhase::kPacket;
    sc_core::sc_time delay;
    if (first.at > now) delay = to_kernel(first.at - now);
    if (mesh_->nb_transport_fw(*first.packet, phase, delay) == ::tlm::TLM_UPDATED) {
        ++refused_;
        waiting_[mesh::index(first.packet->kind)].refuse();
        return false;
    }
    ++sent_;
    return true;
}

void MeshOutlet::statistics(StatisticsVisitor& visitor) const
{
    visitor.counter("sent", sent_, "packets", "packets handed to the mesh");
    visitor.counter("mesh_full", refused_, "packets", "offers refused by the mesh and repeated when it has room");
}

bool RequestSlots::take()
{
    if (taken_ >= slots_) {
        ++refused_;
        taken_.refuse();
        credit_owed_ = true;
        return false;
    }
    ++taken_;
    return true;
}

void RequestSlots::free(std::size_t responses)
{
    if (responses == 0) return;
    taken_ -= static_cast<std::uint32_t>(responses);
    if (!std::exchange(credit_owed_, false)) return;
    mesh::PortPhase phase = mesh::PortPhase::kCredit;
    sc_core::sc_time delay;
    socket_->nb_transport_fw(mesh::credit_for(mesh::Class::kRequest), phase, delay);
}

void RequestSlots::statistics(StatisticsVisitor& visitor) const
{
    visitor.counter("refused", refused_, "offers", "requests from the mesh refused because all slots were in use");
}

}  // namespace ringmesh::hw
