// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "tlm/machine.h"

/// Distances and clocks of any machine, for programs.
namespace ringmesh::workloads {

/// Links from one node to another; none: the machine does not say.
std::optional<unsigned> hops(Machine& machine, unsigned from, unsigned to);

/// Of one processor cycle; precise where a picosecond is not.
double cycle_ns(const Processor& processor);

}  // namespace ringmesh::workloads
