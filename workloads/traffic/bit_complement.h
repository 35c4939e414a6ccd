// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include "tlm/error.h"
#include "workloads/traffic/pattern.h"

namespace ringmesh::workloads {

/// Open loop: each node sends to the one whose number has all bits inverted.
class BitComplement final : public Pattern {
public:
    BitComplement(const SciMachine& machine, const PatternOptions&) : nodes_(machine.nodes())
    {
        if ((nodes_ & (nodes_ - 1)) == 0) return;
        throw UserError(
            fmt::format("pattern = bit-complement: needs 2, 4, 8 ... nodes, and this machine has {}; write --set "
                        "topology.dimensions=..., or choose another pattern",
                        nodes_));
    }

    std::optional<sci::NodeId> next(sci::NodeId source, Random&) override
    {
        return static_cast<sci::NodeId>(nodes_ - 1 - source);
    }
    void expect(ExpectedLoad& load) const override
    {
        for (unsigned node = 0; node < nodes_; ++node) load.flow(node, nodes_ - 1 - node, 1);
    }

private:
    unsigned nodes_;
};

}  // namespace ringmesh::workloads
