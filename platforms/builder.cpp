// SPDX-License-Identifier: Apache-2.0
#include "platforms/builder.h"

#include "platforms/wulfkit_machine.h"
#include "tlm/names.h"

namespace ringmesh::platforms {

namespace {

WulfkitParams read_wulfkit(const Configuration& configuration)
{
    WulfkitParams params;
    configuration.read_into(params);
    return params;
}

class WulfkitKind final : public MachineKind {
public:
    std::string name() const override { return "wulfkit"; }
    std::string description() const override { return "PCs with Wulfkit SCI cards on one ring"; }
    std::vector<ParameterRow> default_parameters() const override { return list_parameters(WulfkitParams{}); }
    std::vector<ParameterRow> effective_parameters(const Configuration& configuration) const override
    {
        return list_parameters(read_wulfkit(configuration));
    }
    std::unique_ptr<Machine> build(const Configuration& configuration, NodeKind nodes,
                                   Simulation& simulation) const override
    {
        return std::make_unique<WulfkitMachine>(simulation, read_wulfkit(configuration), nodes);
    }
};

}  // namespace

const std::vector<const MachineKind*>& machine_kinds()
{
    static const WulfkitKind wulfkit;
    static const std::vector<const MachineKind*> all{&wulfkit};
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
