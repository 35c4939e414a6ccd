// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lab/commands.h"
#include "tlm/policy.h"

/// The policies that machines and workloads can be given, found by walking their parameters: `ringmesh list policies`.
namespace ringmesh::lab {

/// A parameter that chooses among the policies of a kind.
struct PolicyParameter {
    std::string owner;     ///< name of the machine or workload
    std::string key;       ///< "mesh.arbitration"
    std::string standard;  ///< name of the policy that it has by default
};

struct ListedKind {
    PolicyKind kind;
    std::string meaning;  ///< what is decided, one sentence without full stop
    std::vector<PolicyParameter> parameters;
};

/// In the order in which machines, then workloads, are listed.
std::vector<ListedKind> policy_kinds();

/// The file of a policy, from the top of the source tree.
std::string policy_file(const PolicyKind& kind, const PolicyName& policy);

/// @param name of the only kind that is wanted, in detail; empty: all, a line for each policy
/// @throws UserError for an unknown kind
std::string list_policies(const std::string& name, Format format);

}  // namespace ringmesh::lab
