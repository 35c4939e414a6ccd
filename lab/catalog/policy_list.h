// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lab/catalog/format.h"
#include "tlm/policy.h"

/// The policies of machines and workloads, found by walking their parameters: `ringmesh list policies`.
namespace ringmesh::lab {

/// A parameter that selects a policy of a kind.
struct PolicyParameter {
    std::string owner;     ///< name of the machine or workload
    std::string key;       ///< "mesh.arbitration"
    std::string standard;  ///< name of its default policy
    std::vector<std::string> choices;
};

struct ListedKind {
    PolicyKind kind;
    std::string meaning;  ///< the decision, one sentence without full stop
    std::vector<PolicyParameter> parameters;
};

/// In the order of machines, then workloads.
std::vector<ListedKind> policy_kinds();

/// The file of a policy, from the top of the source tree.
std::string policy_file(const PolicyKind& kind, const PolicyName& policy);

/// @param name of a single kind, in detail; empty: all, a line for each policy
/// @throws UserError for an unknown kind
std::string list_policies(const std::string& name, Format format);

}  // namespace ringmesh::lab
