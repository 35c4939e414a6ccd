// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ringmesh {

/// The shape of a torus: each node is on one ring per dimension. A ring is a torus of one dimension.
///
/// Node numbers count along dimension 0 first: node = x0 + n0 (x1 + n1 (x2 + ...)). The links of a ring lead from
/// coordinate x to x + 1, from the last to 0.
class TorusShape {
public:
    static constexpr unsigned kMaxDimensions = 4;      ///< of a torus
    static constexpr unsigned kMaxCubeDimension = 16;  ///< of a hypercube
    static constexpr unsigned kSmallestRing = 2;
    static constexpr unsigned kLargestRing = 4096;
    static constexpr unsigned kMaxNodes = 65'536;  ///< node numbers have 16 bits

    /// What is wrong with these sizes, and the cure: "a torus has 1 to 4 dimensions; ..."; empty if nothing is.
    static std::string problem_of(std::span<const std::int64_t> sizes);

    /// @throws ModelError if problem_of(sizes) is not empty
    explicit TorusShape(std::span<const std::int64_t> sizes);
    /// Two nodes in each dimension. @pre 1 <= dimension <= kMaxCubeDimension
    static TorusShape hypercube(unsigned dimension);

    unsigned dimensions() const { return dimensions_; }
    unsigned nodes() const { return nodes_; }
    /// Nodes on each ring of a dimension.
    unsigned size(unsigned dimension) const { return sizes_[dimension]; }
    unsigned coordinate(unsigned node, unsigned dimension) const
    {
        return node / strides_[dimension] % sizes_[dimension];
    }
    /// The node on the same ring as `node` with the given coordinate in that dimension.
    unsigned moved(unsigned node, unsigned dimension, unsigned coordinate) const
    {
        return node + (coordinate - this->coordinate(node, dimension)) * strides_[dimension];
    }
    /// The next node along a ring's links.
    unsigned next(unsigned node, unsigned dimension) const
    {
        return moved(node, dimension, (coordinate(node, dimension) + 1) % sizes_[dimension]);
    }
    /// Links along the ring of one dimension from one coordinate to the other: 0 to size - 1.
    unsigned distance(unsigned from, unsigned to, unsigned dimension) const
    {
        const unsigned n = sizes_[dimension];
        return (coordinate(to, dimension) + n - coordinate(from, dimension)) % n;
    }
    /// Which of the dimension's nodes() / size() rings a node is on.
    unsigned ring(unsigned node, unsigned dimension) const
    {
        const unsigned stride = strides_[dimension];
        return node / (stride * sizes_[dimension]) * stride + node % stride;
    }
    /// "8x8x8"
    std::string text() const;

private:
    TorusShape() = default;
    void add_dimension(unsigned size);

    unsigned dimensions_ = 0;
    unsigned nodes_ = 1;
    std::array<unsigned, kMaxCubeDimension> sizes_{};
    std::array<unsigned, kMaxCubeDimension> strides_{};
};

/// How the nodes of a line of a shape are connected.
enum class Lines : std::uint8_t {
    kRings,  ///< a torus: the last node of a line to the first
    kOpen,   ///< a mesh: a node at the end of a line has one neighbour less
    kPairs,  ///< a hypercube: lines of two nodes
};

/// Positions of the nodes of a machine, for traffic patterns.
struct Layout {
    unsigned nodes = 0;
    /// Their coordinates; none if irregular.
    std::optional<TorusShape> shape;
    Lines lines = Lines::kRings;
    bool routers = false;  ///< of a mesh, which may be a torus

    bool wraps() const { return lines != Lines::kOpen; }
    /// The cure for a wrong size: "write --set topology.dimensions=8x8, or choose another pattern". Of a mesh always
    /// 8x8.
    std::string resize(std::string_view dimensions) const;
};

/// A mesh of so many nodes, numbered x + columns * y. @param wrap a torus
Layout mesh_layout(unsigned columns, unsigned rows, bool wrap = false);
/// A hypercube of 2^dimension nodes.
Layout hypercube_layout(unsigned dimension);

}  // namespace ringmesh
