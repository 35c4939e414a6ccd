// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <ringmesh/workloads/traffic/pattern.h>

#include <bit>

namespace gray_code {

/// A node sends to the one whose number is the Gray code of its own: neighbours in the order of numbers send to
/// neighbours of a hypercube. Nodes 0 and 1 send nothing.
class GrayCode final : public ringmesh::workloads::Pattern {
public:
    static constexpr ringmesh::PolicyName kPolicy{"gray-code", "to the node whose number is the Gray code of its own"};

    GrayCode(const ringmesh::Layout& layout, const ringmesh::workloads::PatternOptions&) : nodes_(layout.nodes)
    {
        if (std::has_single_bit(nodes_)) return;
        throw ringmesh::UserError(fmt::format(
            "pattern = gray-code: numbers of {} nodes have no whole bits; take a machine of 2^n nodes", nodes_));
    }
    std::optional<unsigned> next(unsigned source, ringmesh::Random&) override
    {
        const unsigned to = code(source);
        return to == source ? std::nullopt : std::optional(to);
    }
    void expect(ringmesh::Flows& flows) const override
    {
        for (unsigned from = 0; from < nodes_; ++from) {
            if (code(from) != from) flows.flow(from, code(from), 1);
        }
    }

private:
    static unsigned code(unsigned number) { return number ^ number >> 1; }

    unsigned nodes_;
};

}  // namespace gray_code
