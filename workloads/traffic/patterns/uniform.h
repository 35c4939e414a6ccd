// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/traffic/pattern_bases.h"

namespace ringmesh::workloads {

/// Open loop: every packet goes to a random other node; with `self`, to any node, itself included.
class Uniform final : public Pattern {
public:
    static constexpr PolicyName kPolicy{
        .name = "uniform", .sentence = "each packet goes to a random other node", .aliases = "random uniform-random"};
    static constexpr PatternOption kOption = PatternOption::kSelf;

    Uniform(const Layout& layout, const PatternOptions& options) : nodes_(layout.nodes), self_(options.self) {}

    std::optional<unsigned> next(unsigned source, Random& random) override
    {
        if (self_) return static_cast<unsigned>(random.below(nodes_));
        return other_node(source, nodes_, random);
    }
    void expect(Flows& flows) const override
    {
        const double to_self = self_ ? 1.0 / nodes_ : 0;
        flows.alike(0, to_self);
        flows.alike_to_all_others(1 - to_self);
    }

private:
    unsigned nodes_;
    bool self_;
};

}  // namespace ringmesh::workloads
