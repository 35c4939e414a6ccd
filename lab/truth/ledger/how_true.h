// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "lab/truth/ledger/report.h"

namespace ringmesh::lab {

/// The page docs/how_true.md: for each machine what misses, what was entered, what agrees and how surely, what is
/// predicted, what is unknown. The misses come first.
std::string how_true_markdown(std::span<const Report> reports);

}  // namespace ringmesh::lab
