// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string_view>

#include "tlm/error.h"
#include "workloads/traffic/pattern.h"

namespace ringmesh::workloads {

/// The shape required by a pattern. @throws UserError if the layout has none
inline const TorusShape& shape_of(const Layout& layout, std::string_view pattern)
{
    if (layout.shape) return *layout.shape;
    throw UserError(
        fmt::format("pattern = {}: needs a ring, a torus, a mesh or a hypercube, and this machine is none; choose "
                    "pattern=uniform, or a platform that is one",
                    pattern));
}

}  // namespace ringmesh::workloads
