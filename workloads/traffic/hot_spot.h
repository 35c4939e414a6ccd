// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/traffic/uniform.h"

namespace ringmesh::workloads {

/// Open loop: `hot_part` of the packets of all other nodes goes to `hot_node`; the rest, and the packets of the hot node
/// itself, go to random other nodes (so that a little more than `hot_part` ends there).
class HotSpot final : public Pattern {
public:
    HotSpot(const SciMachine& machine, const PatternOptions& options)
        : nodes_(machine.nodes()), hot_(static_cast<sci::NodeId>(options.hot_node)), part_(options.hot_part)
    {
        require_node(machine, "hot_node", options.hot_node);
    }

    std::optional<sci::NodeId> next(sci::NodeId source, Random& random) override
    {
        if (source != hot_ && random.unit() < part_) return hot_;
        return other_node(source, nodes_, random);
    }
    void expect(ExpectedLoad& load) const override
    {
        load.alike_to_all_others(1 - part_);
        for (unsigned node = 0; node < nodes_; ++node) {
            if (node == hot_) continue;
            load.flow(node, hot_, part_);
            load.flow(hot_, node, part_ / (nodes_ - 1));
        }
    }

private:
    unsigned nodes_;
    sci::NodeId hot_;
    double part_;
};

}  // namespace ringmesh::workloads
