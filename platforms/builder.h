// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/configuration.h"
#include "tlm/machine.h"
#include "tlm/parameter_list.h"

/// Builds and wires a machine from a configuration.
namespace ringmesh::platforms {

/// A kind of machine: its parameters and its construction.
class MachineKind {
public:
    virtual ~MachineKind() = default;
    virtual std::string name() const = 0;  ///< as in a platform file: machine = "wulfkit"
    virtual std::string description() const = 0;
    /// The interfaces of its machines: SomeMachine::kIs of each.
    virtual std::vector<std::string_view> offers() const = 0;
    /// Every parameter with the value that this configuration gives it, and whether it is in use on a machine with such
    /// nodes. @throws UserError if the configuration is wrong anywhere
    virtual std::vector<ParameterRow> effective_parameters(const Configuration& configuration,
                                                           const NodeUse& nodes = {}) const = 0;
    /// Builds the machine; `simulation` outlives it. @throws UserError if the configuration is wrong anywhere
    virtual std::unique_ptr<Machine> build(const Configuration& configuration, NodeKind nodes,
                                           Simulation& simulation) const = 0;
};

const std::vector<const MachineKind*>& machine_kinds();
/// The kind named by a configuration. @throws UserError naming the nearest known one
const MachineKind& machine_kind(const Configuration& configuration);

}  // namespace ringmesh::platforms
