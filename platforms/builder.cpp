// SPDX-License-Identifier: Apache-2.0
#include "platforms/builder.h"

#include "platforms/machine_kinds.h"
#include "tlm/additions.h"
#include "tlm/names.h"

namespace ringmesh::platforms {

const std::vector<const MachineKind*>& machine_kinds()
{
    static const std::vector<const MachineKind*> all = Additions<const MachineKind*>::close(
        {&wulfkit_kind(), &mesh_kind(), &scc_kind(), &ncube_kind()},
        [](const MachineKind* kind) { return kind->name(); }, "a kind of machine");
    return all;
}

const MachineKind& machine_kind(const Configuration& configuration)
{
    std::vector<std::string> names;
    for (const MachineKind* kind : machine_kinds()) {
        if (kind->name() == configuration.machine()) return *kind;
        names.push_back(kind->name());
    }
    const std::string hint = suggestion(configuration.machine(), names);
    throw configuration.problem("machine", "no machine of this name can be built", "write " + names.front() + hint);
}

}  // namespace ringmesh::platforms
