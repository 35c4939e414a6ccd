// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/mesh/policies/flow.h"

namespace ringmesh::hw::flows {

struct CutThrough {
    static constexpr PolicyName kPolicy{
        "cut-through", "room for the whole packet, or, if it is longer than the buffer, an empty buffer"};

    static std::uint32_t needs(std::uint32_t flits, std::uint32_t) { return flits; }
};

}  // namespace ringmesh::hw::flows
