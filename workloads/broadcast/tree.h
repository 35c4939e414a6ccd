// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "workloads/broadcast/algorithms.h"
#include "workloads/rank.h"

namespace ringmesh::workloads::broadcast {

/// Where a core stands in a tree of cores in the order of their numbers from the root on, and whom it tells what.
struct TreePlace {
    TreePlace(unsigned cores, unsigned core, unsigned root, unsigned degree);

    bool is_root = false;
    unsigned parent = 0;
    unsigned child_number = 0;             ///< of its parent, from 0
    std::vector<unsigned> children;        ///< cores
    std::vector<unsigned> tells;           ///< its siblings that learn from it that the parent has a part
    std::vector<unsigned> tells_children;  ///< its children that learn it from itself
};

/// What came out best on this chip after the thesis: one-sided, over a tree in which the children of a core get
/// each part at the same time out of its message-passing buffer, from buffer to buffer, with two parts in each buffer,
/// so that the next one comes while the last one goes; each core then copies it to its memory, and one without children
/// gets it right there. Cores learn of a part over a binary tree among the children [OCB]. Written anew from the idea.
class TreeBroadcast {
public:
    /// Before any message; all cores make the same calls. @param rcce outlives it @pre degree >= 1
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
    std::array<OneSided::Flag, 2> arrived_{};             // at a child: the part has come to its parent
    std::array<std::vector<OneSided::Flag>, 2> fetched_;  // at a parent, by child: it has got the part
    std::uint64_t parts_ = 0;                             // of all broadcasts so far
};

}  // namespace ringmesh::workloads::broadcast
