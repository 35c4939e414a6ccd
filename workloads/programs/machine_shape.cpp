// SPDX-License-Identifier: Apache-2.0
#include "workloads/programs/machine_shape.h"

#include <bit>

#include "tlm/ncube/ncube_machine.h"
#include "tlm/scc/scc_machine.h"
#include "tlm/sci/sci_machine.h"

namespace ringmesh::workloads {

std::optional<unsigned> hops(Machine& machine, unsigned from, unsigned to)
{
    if (const auto* sci = dynamic_cast<SciNetwork*>(&machine)) return sci->hops(from, to);
    if (const auto* scc = dynamic_cast<SccMachine*>(&machine)) return scc->hops(from, to);
    if (dynamic_cast<NcubeMachine*>(&machine) != nullptr) return static_cast<unsigned>(std::popcount(from ^ to));
    return std::nullopt;
}

}  // namespace ringmesh::workloads
