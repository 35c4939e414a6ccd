// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "tlm/mesh/mesh_port.h"
#include "tlm/simulation/simulation.h"

namespace ringmesh::hw {

/// Placeholder for the SCC's system interface to the board and the host PC, at the south port of router (3, 0). Not
/// modelled: a request to it ends the run with a UserError.
class SystemInterface final : public sc_core::sc_module {
public:
    mesh::TerminalSocket<SystemInterface> to_mesh{"to_mesh"};

    /// @param name "system_interface"
    SystemInterface(const sc_core::sc_module_name& name, Simulation& simulation);

private:
    ::tlm::tlm_sync_enum from_mesh(mesh::Packet& packet, mesh::PortPhase& phase, sc_core::sc_time& delay);

    Simulation& simulation_;
};

}  // namespace ringmesh::hw
