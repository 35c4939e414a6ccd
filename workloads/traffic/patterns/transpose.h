// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/traffic/shape_of.h"

namespace ringmesh::workloads {

/// Open loop: each node sends to the one whose coordinates (on a hypercube: the bits of its number) are its own in
/// reverse order. A node whose coordinates are a palindrome is silent.
class Transpose final : public Pattern {
public:
    static constexpr PolicyName kPolicy{"transpose",
                                        "each node sends to the one whose coordinates are its own in reverse order"};

    Transpose(const Layout& layout, const PatternOptions&) : shape_(shape_of(layout, "transpose"))
    {
        const unsigned last = shape_.dimensions() - 1;
        bool fits = last > 0;
        for (unsigned d = 0; d <= last; ++d) fits = fits && shape_.size(d) == shape_.size(last - d);
        if (fits) return;
        const std::string needs = layout.wraps()
                                      ? "a torus of two or more dimensions whose sizes read the same backwards"
                                      : "a mesh of as many rows as columns";
        const std::string line = layout.wraps() ? "a ring of " : "a line of ";
        throw UserError(fmt::format("pattern = transpose: needs {}, and this one is {}; {}", needs,
                                    last == 0 ? line + std::to_string(shape_.nodes()) : shape_.text(),
                                    layout.resize("8x8")));
    }

    unsigned opposite(unsigned node) const
    {
        unsigned there = node;
        for (unsigned d = 0; d < shape_.dimensions(); ++d) {
            there = shape_.moved(there, d, shape_.coordinate(node, shape_.dimensions() - 1 - d));
        }
        return there;
    }
    std::optional<unsigned> next(unsigned source, Random&) override
    {
        const unsigned to = opposite(source);
        return to == source ? std::nullopt : std::optional(to);
    }
    void expect(Flows& flows) const override
    {
        for (unsigned node = 0; node < shape_.nodes(); ++node) {
            if (opposite(node) != node) flows.flow(node, opposite(node), 1);
        }
    }

private:
    TorusShape shape_;
};

}  // namespace ringmesh::workloads
