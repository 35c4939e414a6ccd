// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/explain/journeys.h"

namespace ringmesh::lab {

/// A part of the path: a block works, or waits before it can work.
struct PathPart {
    std::string where;
    std::string what;          ///< of waiting: for what, as far as a block knew
    std::uint64_t packet = 0;  ///< 0: the work of a program
    Leg leg = Leg::kRequest;
    StageKind kind = StageKind::kWork;
    bool waiting = false;
    Duration from;
    Duration to;
    std::uint64_t behind = 0;  ///< of waiting: the packet that it waits for; 0: none, or not known

    Duration span() const { return to - from; }
};

/// What waiting is called if no block knew for what.
inline constexpr std::string_view kWaits = "waits";

/// The places of programs: what a processor does follows also from what it did before.
using Programs = std::set<std::string, std::less<>>;

/// The critical path to the end of `last`, from `begin` on, without gap or overlap: walks backwards from `last` to the
/// stage that ended when it began, and so on. If none ended exactly then, the latest one before is taken, and the time
/// between is waiting of the block that began next. Stages of zero length are left out. Reported waiting counts from
/// the end of the stage before it.
///
/// A stage follows from one that was reported before it: of the same packet, a response from its request, too; and of
/// the packet that it names (Stage::other). The first stage of a packet, one without a packet, and each of a program
/// follow also from the one before at the same block. Of all these the one that ended last counts.
/// @param last index of a stage
std::vector<PathPart> critical_path(std::span<const RecordedStage> stages, std::size_t last, Duration begin,
                                    const Programs& programs = {});

/// The time that parts wait.
Duration waiting_of(std::span<const PathPart> parts);

/// @throws ModelError if the parts do not follow each other to the picosecond from `from` to `to`
void require_sum(std::span<const PathPart> parts, Duration from, Duration to);

}  // namespace ringmesh::lab
