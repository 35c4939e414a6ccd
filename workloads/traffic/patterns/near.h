// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>

#include "workloads/traffic/pattern_bases.h"

namespace ringmesh::workloads {

/// Open loop: every packet goes to the next node along the links of a ring, in a dimension drawn at random, on a
/// hypercube to any neighbour; on a mesh to one of its two to four neighbours, equally likely.
class NearestNeighbour final : public Pattern {
public:
    static constexpr PolicyName kPolicy{.name = "nearest-neighbour",
                                        .sentence = "each packet goes one link further, in a random dimension",
                                        .file = "near"};

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

/// Nodes at most `distance` links away: along the links of SCI's rings, on routers by the shorter way.
class Nearest final : public ChosenNodes {
public:
    static constexpr PolicyName kPolicy{.name = "nearest",
                                        .sentence = "each packet goes to a random node at most `distance` links away",
                                        .file = "near"};
    static constexpr PatternOption kOption = PatternOption::kDistance;

    Nearest(const Layout& layout, const PatternOptions& options)
        : ChosenNodes(
              kPolicy.name, layout.nodes,
              [shape = shape_of(layout, kPolicy.name), wraps = layout.wraps(),
               one_way = layout.wraps() && !layout.routers, most = options.distance](unsigned from, unsigned to) {
                  std::int64_t links = 0;
                  for (unsigned d = 0; d < shape.dimensions(); ++d) {
                      const unsigned up = shape.distance(from, to, d), down = shape.distance(to, from, d);
                      const bool upwards = shape.coordinate(to, d) > shape.coordinate(from, d);
                      links += one_way || (!wraps && upwards) ? up : !wraps ? down : std::min(up, down);
                  }
                  return links <= most;
              })
    {}
};

/// Nodes of the same half in every dimension; the first half of an odd size is the smaller one.
class Quadrant final : public ChosenNodes {
public:
    static constexpr PolicyName kPolicy{
        .name = "quadrant",
        .sentence = "each packet goes to a random node of the same half in each dimension",
        .file = "near"};

    Quadrant(const Layout& layout, const PatternOptions&)
        : ChosenNodes(kPolicy.name, layout.nodes, [shape = shape_of(layout, kPolicy.name)](unsigned from, unsigned to) {
              for (unsigned d = 0; d < shape.dimensions(); ++d) {
                  const unsigned half = shape.size(d) / 2;
                  if ((shape.coordinate(from, d) < half) != (shape.coordinate(to, d) < half)) return false;
              }
              return true;
          })
    {}
};

}  // namespace ringmesh::workloads
