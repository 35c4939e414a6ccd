// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hw/mesh/params.h"
#include "platforms/builder.h"

/// The kinds of machines, each in its own file. builder.cpp lists them.
namespace ringmesh::platforms {

const MachineKind& wulfkit_kind();
const MachineKind& mesh_kind();
const MachineKind& scc_kind();
const MachineKind& ncube_kind();

/// Checks combinations of a mesh's parameters, which are in the table `group`. @throws UserError
void check_mesh(const Configuration& configuration, const std::string& group, const hw::MeshParams& params,
                const std::vector<mesh::Terminal>& ends = {});

/// Why parameters of `recovery` have no effect, and the cure.
inline constexpr std::string_view kNoFaults = "the machine has no faults; add one by --fault, or a table fault.NAME";

/// The faults of routers and links of a mesh.
std::vector<MachineKind::FaultSort> mesh_faults();

/// What packets of a mesh can wait for. @param answered requests by responses @throws UserError
WaitCheck mesh_waits(const Configuration& configuration, const hw::MeshParams& params,
                     const std::vector<mesh::Terminal>& ends, bool answered);

/// The routes of a mesh, router by router.
std::vector<RouteRow> mesh_routes(const hw::MeshParams& params);

/// A kind whose parameters are one struct with visit().
template <class Params>
class KindWith : public MachineKind {
public:
    std::vector<ParameterRow> effective_parameters(const Configuration& configuration, const NodeUse& nodes) const final
    {
        return configuration.rows_of(read(configuration, nodes), nodes);
    }

protected:
    /// @throws UserError if the configuration is wrong anywhere
    Params read(const Configuration& configuration, const NodeUse& nodes) const
    {
        Params params;
        configuration.read_into(params, nodes);
        check_together(configuration, params);
        return params;
    }

private:
    /// Checks combinations of keys. @throws UserError
    virtual void check_together(const Configuration& configuration, const Params& params) const = 0;
};

}  // namespace ringmesh::platforms
