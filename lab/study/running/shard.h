// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lab/study/points/points.h"

namespace ringmesh::lab {

/// A share of the points of a study, number `number` of `count`.
struct Shard {
    unsigned number = 1;
    unsigned count = 1;

    bool is_all() const { return count == 1; }
};

/// "2/8". @throws UserError "--shard TEXT: ..."
Shard shard_from(const std::string& text);

/// Keeps the points of the share: of all keys in their order, every `count`-th from `number` on, so that shares differ
/// by one at most, and what takes long is spread by chance. Points of one key are in one share. @pre the keys are known
void keep_share(std::vector<StudyPoint>& points, const Shard& shard);

}  // namespace ringmesh::lab
