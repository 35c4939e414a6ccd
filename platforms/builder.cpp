// SPDX-License-Identifier: Apache-2.0
#include "platforms/builder.h"

#include <fmt/format.h>

#include "platforms/machine_kinds.h"
#include "tlm/parameters/additions.h"
#include "tlm/parameters/names.h"

namespace ringmesh::platforms {

void add_rows(std::vector<RouteRow>& rows, const std::string& table, const std::vector<std::string>& ways)
{
    std::size_t first = 0;
    std::string way;
    for (std::size_t i = 0; i <= ways.size(); ++i) {
        if (i < ways.size() && (ways[i].empty() || way.empty() || ways[i] == way)) {
            if (!ways[i].empty()) way = ways[i];
            continue;
        }
        if (!way.empty()) {
            rows.push_back({table, i - first == 1 ? std::to_string(first) : fmt::format("{}..{}", first, i - 1), way});
        }
        if (i == ways.size()) return;
        first = i;
        way = ways[i];
    }
}

std::vector<RouteRow> MachineKind::routes(const Configuration& configuration) const
{
    throw configuration.problem("machine", "its packets do not go by a table of routes",
                                "choose a platform of the kind wulfkit or mesh");
}

std::vector<WaitCheck> MachineKind::waits(const Configuration&, NodeKind) const { return {}; }

std::string MachineKind::undivided(const Configuration&, NodeKind /*nodes*/, bool /*watched*/) const
{
    return "between the places of this machine some effects take no time";
}

std::unique_ptr<Machine> with_faults(const Configuration& configuration, const FaultTable& faults,
                                     Simulation& simulation, const std::function<std::unique_ptr<Machine>()>& build)
{
    try {
        simulation.faults().set(faults.all, simulation.seed());
        if (!faults.all.empty()) simulation.build_all();  // each process knows all blocks that can suffer
        auto machine = build();
        simulation.faults().require_found();
        return machine;
    } catch (const FaultProblem& wrong) {
        throw configuration.problem("fault." + wrong.key, wrong.what, wrong.cure);
    }
}

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
