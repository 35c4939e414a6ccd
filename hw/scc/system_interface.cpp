// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/system_interface.h"

#include "hw/scc/transaction.h"
#include "tlm/error.h"

namespace ringmesh::hw {

SystemInterface::SystemInterface(const sc_core::sc_module_name& module_name, Simulation& simulation)
    : sc_module(module_name), simulation_(simulation)
{
    to_mesh.register_nb_transport_bw(this, &SystemInterface::from_mesh);
}

::tlm::tlm_sync_enum SystemInterface::from_mesh(mesh::Packet& packet, mesh::PortPhase&, sc_core::sc_time&)
{
    simulation_.fail(std::make_exception_ptr(
        UserError(who_asks(name(), packet) +
                  " accesses the board outside the chip, which is not modelled; correct its look-up table")));
    return ::tlm::TLM_ACCEPTED;  // the packet stays with the simulation's pool
}

}  // namespace ringmesh::hw
