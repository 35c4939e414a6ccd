// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/traffic/pattern.h"

namespace ringmesh::workloads {

/// Closed loop: each node sends to every other one, first to the next one, then to the one after it: in lockstep no two
/// send to the same node.
class AllToAll final : public Pattern {
public:
    static constexpr PolicyName kPolicy{"all-to-all", "operation: each node sends to each other node in turn"};
    static constexpr Loop kLoop = Loop::kClosed;

    AllToAll(const Layout& layout, const PatternOptions&) : sent_(layout.nodes) {}

    std::optional<unsigned> next(unsigned source, Random&) override
    {
        if (sent_[source] == sent_.size() - 1) return std::nullopt;
        return static_cast<unsigned>((source + ++sent_[source]) % sent_.size());
    }
    std::uint64_t messages() const override { return sent_.size() * (sent_.size() - 1); }

private:
    std::vector<unsigned> sent_;
};

}  // namespace ringmesh::workloads
