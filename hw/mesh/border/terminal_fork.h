// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <systemc>

#include "tlm/mesh/mesh_port.h"

namespace ringmesh::hw {

/// A tile and a packet source at one terminal of a mesh: packets with a memory transaction are the tile's, all others
/// the source's.
///
///     tile ----+--> to_mesh
///     source --+
///
/// Timing: takes no time. Both enter the mesh in the order in which they offer; where it has been full they have the
/// first try in turn. A packet that the tile refuses holds up those behind it, the source's too.
class TerminalFork final : public sc_core::sc_module {
public:
    using Side = tlm_utils::passthrough_target_socket<TerminalFork, mesh::kPortWidth, mesh::PortProtocol>;
    Side tile{"tile"};
    Side source{"source"};
    mesh::TerminalSocket<TerminalFork> to_mesh{"to_mesh"};

    explicit TerminalFork(const sc_core::sc_module_name& name);

private:
    ::tlm::tlm_sync_enum offer(mesh::Packet& packet, mesh::PortPhase& phase, sc_core::sc_time& delay)
    {
        return to_mesh->nb_transport_fw(packet, phase, delay);
    }
    ::tlm::tlm_sync_enum from_mesh(mesh::Packet& packet, mesh::PortPhase& phase, sc_core::sc_time& delay);

    std::array<bool, mesh::kClasses> source_first_{};  // whose turn it is
};

}  // namespace ringmesh::hw
