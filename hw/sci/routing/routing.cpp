// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/routing/routing.h"

namespace ringmesh::hw {

std::uint8_t TorusCard::port(sci::NodeId target, sci::Class kind) const
{
    const unsigned dimensions = shape_->dimensions();
    for (unsigned i = 0; i < dimensions; ++i) {
        const unsigned dimension = kind == sci::Class::kRequest ? i : dimensions - 1 - i;
        const unsigned upwards = shape_->distance(self_, target, dimension);
        if (upwards == 0) continue;
        if (!counter_rotating_) return static_cast<std::uint8_t>(ports_.first_link + dimension);
        const bool downwards = 2 * upwards > shape_->size(dimension);
        return static_cast<std::uint8_t>(ports_.first_link + 2 * dimension + (downwards ? 1 : 0));
    }
    return ports_.host;
}

}  // namespace ringmesh::hw
