// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/traffic/pattern.h"

namespace ringmesh::workloads {

/// Closed loop: a multicast by single packets. The root sends to each other node in turn, starting with the next one.
class OneToAll final : public Pattern {
public:
    static constexpr PolicyName kPolicy{"one-to-all", "operation: the root sends to each other node in turn"};
    static constexpr Loop kLoop = Loop::kClosed;
    static constexpr PatternOption kOption = PatternOption::kRoot;

    OneToAll(const Layout& layout, const PatternOptions& options)
        : nodes_(layout.nodes), root_(static_cast<unsigned>(options.root))
    {
        require_node(layout, "root", options.root);
    }

    std::optional<unsigned> next(unsigned source, Random&) override
    {
        if (source != root_ || sent_ == nodes_ - 1) return std::nullopt;
        return (root_ + ++sent_) % nodes_;
    }
    std::uint64_t messages() const override { return nodes_ - 1; }

private:
    unsigned nodes_;
    unsigned root_;
    unsigned sent_ = 0;
};

}  // namespace ringmesh::workloads
