// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <systemc>

#include "tlm/error.h"
#include "tlm/mesh/mesh_port.h"

namespace ringmesh::hw {

/// Closes a port of a mesh without a terminal. No packet may be sent there.
class MeshStub final : public sc_core::sc_module {
public:
    mesh::TerminalSocket<MeshStub> out{"out"};

    explicit MeshStub(const sc_core::sc_module_name& module_name) : sc_module(module_name)
    {
        out.register_nb_transport_bw(this, &MeshStub::receive);
    }

private:
    ::tlm::tlm_sync_enum receive(mesh::Packet& packet, mesh::PortPhase&, sc_core::sc_time&)
    {
        throw ModelError(fmt::format("{}: packet {} arrives at a port without a terminal", name(), packet.id));
    }
};

}  // namespace ringmesh::hw
