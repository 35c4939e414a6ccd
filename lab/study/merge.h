// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "lab/store/store.h"

namespace ringmesh::lab {

/// What a merge did with the points that were wanted: each key counts once.
struct Merged {
    std::size_t copied = 0;
    std::size_t there = 0;    ///< already, done or failed, and nothing better elsewhere
    std::size_t missing = 0;  ///< in all stores
    /// Of files that were refused, each with its path and why.
    std::vector<std::string> refused;
};

/// Copies points of these keys from other stores into this one, whole and renamed. What is done replaces what has
/// failed or was late; a damaged file is refused, and so is one whose results differ from those that are here.
/// @throws UserError if the store cannot be written
Merged merge(Store& into, std::span<const Store> from, std::span<const std::string> keys);

}  // namespace ringmesh::lab
