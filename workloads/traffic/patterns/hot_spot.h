// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/traffic/patterns/uniform.h"

namespace ringmesh::workloads {

/// Open loop: `hot_part` of the packets of all other nodes goes to `hot_node`; the rest, and the hot node's own
/// packets, go to random other nodes (so it receives slightly more than `hot_part`).
class HotSpot final : public Pattern {
public:
    static constexpr PolicyName kPolicy{"hot-spot", "a part of the packets goes to one node, the rest to random ones"};
    static constexpr PatternOption kOption = PatternOption::kHotSpot;

    HotSpot(const Layout& layout, const PatternOptions& options)
        : nodes_(layout.nodes), hot_(static_cast<unsigned>(options.hot_node)), part_(options.hot_part)
    {
        require_node(layout, "hot_node", options.hot_node);
    }

    std::optional<unsigned> next(unsigned source, Random& random) override
    {
        if (source != hot_ && random.unit() < part_) return hot_;
        return other_node(source, nodes_, random);
    }
    void expect(Flows& flows) const override
    {
        flows.alike_to_all_others(1 - part_);
        for (unsigned node = 0; node < nodes_; ++node) {
            if (node == hot_) continue;
            flows.flow(node, hot_, part_);
            flows.flow(hot_, node, part_ / (nodes_ - 1));
        }
    }

private:
    unsigned nodes_;
    unsigned hot_;
    double part_;
};

}  // namespace ringmesh::workloads
