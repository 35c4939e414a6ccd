// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "workloads/broadcast/algorithms.h"
#include "workloads/ranks/rank.h"

namespace ringmesh::workloads::broadcast {

/// A core's position in the tree (cores in the order of their numbers from the root on), and the cores it notifies.
struct TreePlace {
    TreePlace(unsigned cores, unsigned core, unsigned root, unsigned degree);

    bool is_root = false;
    unsigned parent = 0;
    unsigned child_number = 0;             ///< of its parent, from 0
    std::vector<unsigned> children;        ///< cores
    std::vector<unsigned> tells;           ///< siblings that it notifies that the parent has a part
    std::vector<unsigned> tells_children;  ///< children that it notifies itself
};

/// The fastest published broadcast on this chip after the thesis: one-sided, over a tree in which the children of a
/// core get each part in parallel from its message-passing buffer into their own, double-buffered; each core then
/// copies the part to its memory, and a leaf gets it there directly. Cores are notified of a part over a binary tree
/// among the children [OCB]. Reimplemented from the idea.
class TreeBroadcast {
public:
    /// Call it before any message, on all cores alike. @param rcce outlives it @pre degree >= 1
    TreeBroadcast(Rank& rank, unsigned degree);

    /// Returns when its children have fetched all parts, so that the message-passing buffer is free again.
    /// @pre `part` bytes are whole lines and fit twice into the payload
    Task<> bcast(Broadcast broadcast);

private:
    Task<> wait_for_children(const TreePlace& place, std::uint64_t number);

    Rank& rank_;
    OneSided& memory_;
    unsigned degree_;
    // One of each for each half of the message-passing buffer
    std::array<OneSided::Flag, 2> arrived_{};             // at a child: the part has arrived at its parent
    std::array<std::vector<OneSided::Flag>, 2> fetched_;  // at a parent, by child: it has got the part
    std::uint64_t parts_ = 0;                             // of all broadcasts so far
};

}  // namespace ringmesh::workloads::broadcast
