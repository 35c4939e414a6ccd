// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <ringmesh/workloads/traffic/pattern.h>

#include <bit>

namespace bit_reversal {

/// A node sends to the one whose number has the same bits the other way round, as in the steps of a fast Fourier
/// transform. Nodes whose number reads the same both ways send nothing.
class BitReversal final : public ringmesh::workloads::Pattern {
public:
    static constexpr ringmesh::PolicyName kPolicy{"bit-reversal", "to the node whose number has the bits reversed"};

    BitReversal(const ringmesh::Layout& layout, const ringmesh::workloads::PatternOptions&) : nodes_(layout.nodes)
    {
        if (std::has_single_bit(nodes_)) return;
        throw ringmesh::UserError(fmt::format(
            "pattern = bit-reversal: numbers of {} nodes have no whole bits; take a machine of 2^n nodes", nodes_));
    }
    std::optional<unsigned> next(unsigned source, ringmesh::Random&) override
    {
        const unsigned to = reversed(source);
        return to == source ? std::nullopt : std::optional(to);
    }
    void expect(ringmesh::Flows& flows) const override
    {
        for (unsigned from = 0; from < nodes_; ++from) {
            if (reversed(from) != from) flows.flow(from, reversed(from), 1);
        }
    }

private:
    unsigned reversed(unsigned number) const
    {
        unsigned result = 0;
        for (unsigned bit = 1; bit < nodes_; bit *= 2) result = 2 * result + ((number & bit) != 0 ? 1 : 0);
        return result;
    }

    unsigned nodes_;
};

}  // namespace bit_reversal
