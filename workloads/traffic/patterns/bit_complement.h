// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include "tlm/error.h"
#include "workloads/traffic/pattern.h"

namespace ringmesh::workloads {

/// Open loop: each node sends to the one whose number has all bits inverted.
class BitComplement final : public Pattern {
public:
    static constexpr PolicyName kPolicy{"bit-complement",
                                        "each node sends to the one whose number has all bits inverted"};

    BitComplement(const Layout& layout, const PatternOptions&) : nodes_(layout.nodes)
    {
        if ((nodes_ & (nodes_ - 1)) == 0) return;
        throw UserError(fmt::format("pattern = bit-complement: needs 2, 4, 8 ... nodes, and this machine has {}; {}",
                                    nodes_, layout.resize("8")));
    }

    std::optional<unsigned> next(unsigned source, Random&) override { return nodes_ - 1 - source; }
    void expect(Flows& flows) const override
    {
        for (unsigned node = 0; node < nodes_; ++node) flows.flow(node, nodes_ - 1 - node, 1);
    }

private:
    unsigned nodes_;
};

}  // namespace ringmesh::workloads
