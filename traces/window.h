// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "tlm/units.h"

namespace ringmesh {

/// The part of a run that is recorded, both ends included.
struct Window {
    Duration from = Duration::zero();
    Duration to = Duration::never();

    bool operator==(const Window&) const = default;
};

/// Reads the value of --window: "2us..4us", "..4us", "2us..". @throws UserError with the cure
Window parse_window(std::string_view text);

}  // namespace ringmesh
