// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "tlm/machine/machine.h"
#include "workloads/broadcast/dopl_schedule.h"

namespace ringmesh::workloads::broadcast {

/// As square as it can be, more columns than rows; none if the number is a prime, or less than four.
std::optional<DoplGrid> square_grid(unsigned ranks);

/// DOPL's rows and columns: on an SCC those of its tiles, on a two-dimensional torus its own, else a square_grid().
/// @throws UserError if there is none for so many ranks
DoplGrid grid_for(Machine& machine, unsigned ranks);

}  // namespace ringmesh::workloads::broadcast
