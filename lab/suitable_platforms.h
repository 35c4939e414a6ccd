// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "platforms/builder.h"

namespace ringmesh::lab {

/// @param who begins the message, and runs on machines of any of these kinds (SomeMachine::kIs)
/// @throws UserError if this platform offers none of them, with the suitable platforms
void require_offered(std::string_view who, const std::vector<std::string_view>& sorts, std::string_view platform,
                     const platforms::MachineKind& kind);

}  // namespace ringmesh::lab
