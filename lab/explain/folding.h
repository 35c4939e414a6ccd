// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "lab/explain/steps.h"

/// Steps as rows of a table, with repetitions folded.
namespace ringmesh::lab {

/// A part, or one of a sequence of parts that is repeated, over all its repetitions.
struct FoldedPart {
    std::string group;
    std::string where;  ///< "node0.*" if several blocks take turns
    std::string what;   ///< "16 x PCI write"
    Duration from;      ///< of the first one
    Duration to;        ///< of the last one
    Duration working;
    Duration waiting;
    bool only_waits = false;
};

/// A sequence of up to kLongestLoop parts that follows itself becomes a row for each part. Work of a step stays apart
/// from that of the next one, unless the sequence contains several whole steps.
inline constexpr std::size_t kLongestLoop = 96;
std::vector<FoldedPart> fold(std::span<const Step> steps);

}  // namespace ringmesh::lab
