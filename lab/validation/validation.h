// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/experiments.h"
#include "lab/validation/report.h"

namespace ringmesh::lab {

/// How one machine is validated: which experiments it takes, and what is made of them.
struct Validation {
    std::string machine;
    std::vector<std::string> parts;  ///< that can be had by themselves
    /// @param part one of `parts`; empty for all
    void (*plan)(Experiments& experiments, std::string_view part);
    Report (*evaluate)(const Experiments& experiments, std::string_view part);
};

/// In the order in which they are reported.
const std::vector<Validation>& validations();

/// [000], [003]: rings of Wulfkit cards.
Validation wulfkit_validation();
/// [002]: the DECK/SCI cluster.
Validation deck_validation();

}  // namespace ringmesh::lab
