// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "platforms/builder.h"

namespace ringmesh::lab {

/// @param who begins the message, and runs on machines of any of these sorts (SomeMachine::kIs)
/// @throws UserError naming both sides and the platforms that will do if the platform, of this kind, offers none
void require_offered(std::string_view who, const std::vector<std::string_view>& sorts, std::string_view platform,
                     const platforms::MachineKind& kind);

}  // namespace ringmesh::lab
