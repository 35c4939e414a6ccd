// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/tile/mesh_outlet.h"

#include <algorithm>

#include "tlm/kernel_time.h"

namespace ringmesh::hw {

std::size_t MeshOutlet::send(mesh::Packet& packet, Duration at, Duration now)
{
    const std::size_t kind = mesh::index(packet.kind);
    queues_[kind].push_back({&packet, at});
    ++waiting_[kind];
    // Behind a refused packet: kRoom will resume it.
    return waiting_[kind] == 1 ? resume(packet.kind, now) : 0;
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
    mesh::PortPhase phase = mesh::PortPhase::kPacket;
    sc_core::sc_time delay = to_kernel(std::max(first.at, now) - now);
    if (socket_->nb_transport_fw(*first.packet, phase, delay) == ::tlm::TLM_UPDATED) {
        ++refused_;
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

}  // namespace ringmesh::hw
