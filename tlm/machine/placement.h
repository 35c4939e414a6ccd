// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace ringmesh {

/// The node of each rank of a program.
class Placement {
public:
    static constexpr unsigned kNone = ~0U;

    /// Each rank on the node of its number. Implicit: a count of ranks says that.
    Placement(unsigned ranks) : nodes_(ranks), ranks_(ranks)
    {
        std::iota(nodes_.begin(), nodes_.end(), 0U);
        std::iota(ranks_.begin(), ranks_.end(), 0U);
    }
    /// @pre no node twice
    explicit Placement(std::vector<unsigned> nodes) : nodes_(std::move(nodes))
    {
        if (!nodes_.empty()) ranks_.assign(*std::max_element(nodes_.begin(), nodes_.end()) + 1, kNone);
        for (unsigned rank = 0; rank < ranks(); ++rank) ranks_[nodes_[rank]] = rank;
    }

    unsigned ranks() const { return static_cast<unsigned>(nodes_.size()); }
    unsigned node(unsigned rank) const { return nodes_.at(rank); }
    /// kNone if no rank is there.
    unsigned rank_on(unsigned node) const { return node < ranks_.size() ? ranks_[node] : kNone; }
    const std::vector<unsigned>& nodes() const { return nodes_; }

private:
    std::vector<unsigned> nodes_;  // by rank
    std::vector<unsigned> ranks_;  // by node
};

}  // namespace ringmesh
