// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lab/experiments.h"
#include "lab/validation/report.h"

namespace ringmesh::lab {

/// How one machine is validated: which experiments it takes, and what is made of them.
struct Validation {
    std::string machine;
    void (*plan)(Experiments& experiments);
    Report (*evaluate)(const Experiments& experiments);
};

/// In the order in which they are reported.
const std::vector<Validation>& validations();

/// [000], [003]: rings of Wulfkit cards.
Validation wulfkit_validation();

}  // namespace ringmesh::lab
