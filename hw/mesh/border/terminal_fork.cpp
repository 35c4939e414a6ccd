// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/border/terminal_fork.h"

#include "tlm/time/require_now.h"

namespace ringmesh::hw {

TerminalFork::TerminalFork(const sc_core::sc_module_name& module_name) : sc_module(module_name)
{
    tile.register_nb_transport_fw(this, &TerminalFork::offer);
    source.register_nb_transport_fw(this, &TerminalFork::offer);
    to_mesh.register_nb_transport_bw(this, &TerminalFork::from_mesh);
}

::tlm::tlm_sync_enum TerminalFork::from_mesh(mesh::Packet& packet, mesh::PortPhase& phase, sc_core::sc_time& delay)
{
    if (phase == mesh::PortPhase::kPacket) {
        return (packet.payload == nullptr ? source : tile)->nb_transport_bw(packet, phase, delay);
    }
    require_now(delay);
    bool& source_first = source_first_[mesh::index(packet.kind)];
    source_first = !source_first;
    for (Side* side : {source_first ? &source : &tile, source_first ? &tile : &source}) {
        mesh::PortPhase credit = mesh::PortPhase::kCredit;
        sc_core::sc_time present;
        (*side)->nb_transport_bw(packet, credit, present);
    }
    return ::tlm::TLM_ACCEPTED;
}

}  // namespace ringmesh::hw
