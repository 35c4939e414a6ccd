// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "tlm/machine/machine.h"

/// Distances on any machine, for programs.
namespace ringmesh::workloads {

/// Links from one node to another; none: the machine does not say.
std::optional<unsigned> hops(Machine& machine, unsigned from, unsigned to);

}  // namespace ringmesh::workloads
