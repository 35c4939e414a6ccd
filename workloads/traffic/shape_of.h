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
        fmt::format("pattern = {}: needs coordinates: a ring, a torus, a hypercube, or a mesh without holes; choose "
                    "pattern=uniform, or such a platform",
                    pattern));
}

}  // namespace ringmesh::workloads
