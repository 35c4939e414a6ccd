// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tlm/machine/machine.h"
#include "tlm/machine/placement.h"

namespace ringmesh::workloads {

/// The option `map` of programs over ranks: on which node each rank runs.
///
///     linear      rank r on node r
///     random      a permutation of the nodes by the run's seed
///     snake       along the lines of a torus, mesh or hypercube, forth and back: rank r + 1 is a neighbour of rank r
///     sub-torus   the machine is cut in half across its longest side, again and again: 2^k ranks fill a block that is
///                 as nearly a cube as can be
///     FILE        the node of each rank, one a line; # begins a comment
struct Mapping {
    static constexpr const char* kMeaning =
        "node of each rank: linear, random, snake, sub-torus, or a file with one node a line";

    std::string map = "linear";
    std::string folder = {};  ///< from which it names a file; empty: the current one

    /// None unless it names a file. @throws UserError if that cannot be read
    std::vector<std::string> files() const;
    /// @throws UserError beginning with "map = " or, for a line of the file, with "FILE:LINE: "
    Placement placement(ProcessorMachine& machine, unsigned ranks) const;
};

}  // namespace ringmesh::workloads
