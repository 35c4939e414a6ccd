// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/traffic/pattern.h"

namespace ringmesh::workloads {

/// Any node but `source`, each as likely as the others.
inline sci::NodeId other_node(sci::NodeId source, unsigned nodes, Random& random)
{
    const auto node = static_cast<sci::NodeId>(random.below(nodes - 1));
    return node < source ? node : static_cast<sci::NodeId>(node + 1);
}

/// Open loop: every packet goes to a random other node.
class Uniform final : public Pattern {
public:
    Uniform(const SciMachine& machine, const PatternOptions&) : nodes_(machine.nodes()) {}

    std::optional<sci::NodeId> next(sci::NodeId source, Random& random) override
    {
        return other_node(source, nodes_, random);
    }
    void expect(ExpectedLoad& load) const override { load.alike_to_all_others(1); }

private:
    unsigned nodes_;
};

}  // namespace ringmesh::workloads
