// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/traffic/pattern_bases.h"

namespace ringmesh::workloads {

/// Digit permutations of Dally and Towles, table 3.1: of the coordinates of a node, in a ring or row of k each.
class DigitPermutation : public Permutation {
protected:
    /// @param coordinate of the target: of the source, a dimension and the shape
    template <class Coordinate>
    DigitPermutation(const TorusShape& shape, const PatternOptions& options, const Coordinate& coordinate)
        : Permutation(shape.nodes(), options, [&](unsigned node) {
              unsigned there = node;
              for (unsigned d = 0; d < shape.dimensions(); ++d)
                  there = shape.moved(there, d, coordinate(node, d, shape));
              return there;
          })
    {}
};

/// Those that move all coordinates alike.
class DigitShift : public DigitPermutation {
public:
    void expect(Flows& flows) const override { flows.alike(target(0), 1); }

protected:
    template <class Coordinate>
    DigitShift(const TorusShape& shape, const PatternOptions& options, const Coordinate& coordinate)
        : DigitPermutation(shape, options, coordinate)
    {}
};

/// d_x = s_x + 1 mod k, on meshes too.
class Neighbour final : public DigitShift {
public:
    static constexpr PolicyName kPolicy{
        .name = "neighbour",
        .sentence = "each node sends to the one whose coordinates are all greater by one, around the ends",
        .aliases = "neighbor",
        .file = "digit_permutations"};

    Neighbour(const Layout& layout, const PatternOptions& options)
        : DigitShift(shape_of(layout, kPolicy.name), options, [](unsigned node, unsigned d, const TorusShape& shape) {
              return (shape.coordinate(node, d) + 1) % shape.size(d);
          })
    {}
};

/// d_x = s_x + ceil(k / 2) - 1 mod k: almost half way around each ring. On a mesh to the same nodes.
class Tornado final : public DigitShift {
public:
    static constexpr PolicyName kPolicy{.name = "tornado",
                                        .sentence = "each node sends almost half way around each of its rings",
                                        .file = "digit_permutations"};

    Tornado(const Layout& layout, const PatternOptions& options)
        : DigitShift(fitting_shape(layout), options, [](unsigned node, unsigned d, const TorusShape& shape) {
              const unsigned k = shape.size(d);
              return (shape.coordinate(node, d) + (k + 1) / 2 - 1) % k;
          })
    {}

private:
    static const TorusShape& fitting_shape(const Layout& layout)
    {
        const TorusShape& shape = shape_of(layout, kPolicy.name);
        for (unsigned d = 0; d < shape.dimensions(); ++d) {
            if (shape.size(d) >= 3) return shape;
        }
        throw UserError(fmt::format("pattern = tornado: needs {} of 3 nodes or more, and this machine has {}; {}",
                                    layout.wraps() ? "rings" : "rows or columns", shape.text(), layout.resize("8")));
    }
};

/// Coordinates in reverse order (on a hypercube: the bits of the number). A node whose coordinates are a palindrome is
/// silent.
class Transpose final : public DigitPermutation {
public:
    static constexpr PolicyName kPolicy{
        .name = "transpose",
        .sentence = "each node sends to the one whose coordinates are its own in reverse order",
        .file = "digit_permutations"};
    static constexpr PatternOption kOption = PatternOption::kSelf;

    Transpose(const Layout& layout, const PatternOptions& options)
        : DigitPermutation(fitting_shape(layout), options, [](unsigned node, unsigned d, const TorusShape& shape) {
              return shape.coordinate(node, shape.dimensions() - 1 - d);
          })
    {}

private:
    static const TorusShape& fitting_shape(const Layout& layout)
    {
        const TorusShape& shape = shape_of(layout, kPolicy.name);
        const unsigned last = shape.dimensions() - 1;
        bool fits = last > 0;
        for (unsigned d = 0; d <= last; ++d) fits = fits && shape.size(d) == shape.size(last - d);
        if (fits) return shape;
        const std::string needs = layout.wraps()
                                      ? "a torus of two or more dimensions whose sizes read the same backwards"
                                      : "a mesh of as many rows as columns";
        const std::string line = layout.wraps() ? "a ring of " : "a line of ";
        throw UserError(fmt::format("pattern = transpose: needs {}, and this one is {}; {}", needs,
                                    last == 0 ? line + std::to_string(shape.nodes()) : shape.text(),
                                    layout.resize("8x8")));
    }
};

}  // namespace ringmesh::workloads
