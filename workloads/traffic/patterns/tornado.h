// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/traffic/shape_of.h"

namespace ringmesh::workloads {

/// Open loop: each node sends almost half way around each of its rings: coordinate + ceil(size / 2) - 1 in every
/// dimension. On a mesh to the same nodes.
class Tornado final : public Pattern {
public:
    static constexpr PolicyName kPolicy{"tornado", "each node sends almost half way around each of its rings"};

    Tornado(const Layout& layout, const PatternOptions&) : shape_(shape_of(layout, "tornado"))
    {
        for (unsigned d = 0; d < shape_.dimensions(); ++d) {
            if (shape_.size(d) >= 3) return;
        }
        throw UserError(fmt::format("pattern = tornado: needs {} of 3 nodes or more, and this machine has {}; {}",
                                    layout.wraps() ? "rings" : "rows or columns", shape_.text(), layout.resize("8")));
    }

    unsigned opposite(unsigned node) const
    {
        unsigned there = node;
        for (unsigned d = 0; d < shape_.dimensions(); ++d) {
            const unsigned n = shape_.size(d);
            there = shape_.moved(there, d, (shape_.coordinate(node, d) + (n + 1) / 2 - 1) % n);
        }
        return there;
    }
    std::optional<unsigned> next(unsigned source, Random&) override { return opposite(source); }
    void expect(Flows& flows) const override { flows.alike(opposite(0), 1); }

private:
    TorusShape shape_;
};

}  // namespace ringmesh::workloads
