// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "workloads/traffic/shape_of.h"

namespace ringmesh::workloads {

/// Open loop: every packet goes to the next node along the links of a ring, in a dimension drawn at random, on a
/// hypercube to any neighbour; on a mesh to one of its two to four neighbours, equally likely.
class NearestNeighbour final : public Pattern {
public:
    static constexpr PolicyName kPolicy{"nearest-neighbour",
                                        "each packet goes one link further, in a random dimension"};

    NearestNeighbour(const Layout& layout, const PatternOptions&)
        : shape_(shape_of(layout, "nearest-neighbour")), wraps_(layout.wraps())
    {}

    std::optional<unsigned> next(unsigned source, Random& random) override
    {
        const Neighbours all = neighbours(source);
        return all.nodes[random.below(all.count)];
    }
    void expect(Flows& flows) const override
    {
        for (unsigned d = 0; wraps_ && d < shape_.dimensions(); ++d) {
            flows.alike(shape_.next(0, d), 1.0 / shape_.dimensions());
        }
        for (unsigned node = 0; !wraps_ && node < shape_.nodes(); ++node) {
            const Neighbours all = neighbours(node);
            for (unsigned i = 0; i < all.count; ++i) flows.flow(node, all.nodes[i], 1.0 / all.count);
        }
    }

private:
    struct Neighbours {
        std::array<unsigned, TorusShape::kMaxCubeDimension> nodes{};
        unsigned count = 0;
    };
    Neighbours neighbours(unsigned node) const
    {
        Neighbours all;
        for (unsigned d = 0; d < shape_.dimensions(); ++d) {
            const unsigned place = shape_.coordinate(node, d);
            if (wraps_ || place + 1 < shape_.size(d)) all.nodes[all.count++] = shape_.next(node, d);
            if (!wraps_ && place > 0) all.nodes[all.count++] = shape_.moved(node, d, place - 1);
        }
        return all;
    }

    TorusShape shape_;
    bool wraps_;
};

}  // namespace ringmesh::workloads
