// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/traffic/pattern.h"

namespace ringmesh::workloads {

/// Closed loop: a multicast along a binomial tree. Counted from the root, node r sends to r + 2^k for every k with 2^k
/// > r, smallest first: in each round every node with the message forwards it, and their number doubles.
class TreeMulticast final : public Pattern {
public:
    static constexpr PolicyName kPolicy{"tree-multicast", "operation: the root's message goes along a binomial tree"};
    static constexpr Loop kLoop = Loop::kClosed;
    static constexpr PatternOption kOption = PatternOption::kRoot;

    TreeMulticast(const Layout& layout, const PatternOptions& options)
        : root_(static_cast<unsigned>(options.root)), strides_(layout.nodes)
    {
        require_node(layout, "root", options.root);
        reached(root_);
    }

    std::optional<unsigned> next(unsigned source, Random&) override
    {
        const std::size_t nodes = strides_.size();
        std::size_t& stride = strides_[source];
        const std::size_t child = from_root(source) + stride;
        if (stride == 0 || child >= nodes) return std::nullopt;
        stride *= 2;
        return static_cast<unsigned>((root_ + child) % nodes);
    }
    void reached(unsigned node) override
    {
        std::size_t stride = 1;
        while (stride <= from_root(node)) stride *= 2;
        strides_[node] = stride;
    }
    std::uint64_t messages() const override { return strides_.size() - 1; }

private:
    std::size_t from_root(unsigned node) const { return (node + strides_.size() - root_) % strides_.size(); }

    unsigned root_;
    std::vector<std::size_t> strides_;  ///< to each node's next child; 0: it has not received the message yet
};

}  // namespace ringmesh::workloads
