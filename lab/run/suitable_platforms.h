// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platforms/builder.h"
#include "tlm/parameters/parameter_list.h"
#include "workloads/libraries/library.h"

namespace ringmesh::lab {

/// @param who begins the message, and runs on machines of any of these kinds (SomeMachine::kIs)
/// @throws UserError if this platform offers none of them, with the suitable platforms
void require_offered(std::string_view who, const std::vector<std::string_view>& sorts, std::string_view platform,
                     const platforms::MachineKind& kind);

/// Libraries over which a workload runs, in the order of the table.
std::vector<const workloads::LibraryInfo*> libraries_for(const workloads::WorkloadInfo& workload);
/// The same, if a machine of this kind can be what they run on.
std::vector<const workloads::LibraryInfo*> libraries_for(const workloads::WorkloadInfo& workload,
                                                         const platforms::MachineKind& kind);
/// Names of the platforms of the catalog on which something runs, by what its machine must be.
std::vector<std::string> platforms_that_offer(const std::vector<std::string_view>& sorts);

/// What a workload runs over on a platform of this kind; null: nothing.
/// @param name of the library that is wanted; empty: the first that will do
/// @throws UserError for an unknown library, one that the machine or the workload cannot use, naming those that it can
const workloads::LibraryInfo* choose_library(const workloads::WorkloadInfo& workload, const std::string& name,
                                             std::string_view platform, const platforms::MachineKind& kind);

/// Options of a workload. @param library that it runs over; null: the first that will do
std::vector<ParameterRow> options_of(const workloads::WorkloadInfo& info,
                                     const workloads::LibraryInfo* library = nullptr);

}  // namespace ringmesh::lab
