// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tlm/component.h"
#include "tlm/journey.h"

namespace ringmesh::lab {

/// A stage and the block that reported it.
struct RecordedStage {
    std::string where;
    Stage stage;
};

/// Records every stage, in the order of the reports.
class JourneyRecorder final : public JourneyListener {
public:
    void stage(const Component& where, const Stage& stage) override
    {
        stages_.push_back({where.component_name(), stage});
    }
    const std::vector<RecordedStage>& stages() const { return stages_; }

private:
    std::vector<RecordedStage> stages_;
};

/// A part of the path: a block works, or waits before it can work.
struct PathPart {
    std::string where;
    std::string what;
    std::uint64_t transaction = 0;  ///< number of the packet; 0 as long as there is none
    StageKind kind = StageKind::kWork;
    bool waiting = false;
    Duration from;
    Duration to;

    Duration span() const { return to - from; }
};

/// The critical path to the end of `last`, from `begin` on, without gap or overlap: walks backwards from `last` to the
/// stage that ended when it began, and so on. If none ended exactly then, the latest one before is taken, and the time
/// between is waiting of the block that began next. Stages of zero length are left out.
///
/// A stage follows from one of the same leg that was reported before it: of the same packet; of a packet's first stage
/// from one before there was a packet; and of a stage without packet also from any at the same block.
/// @param last index of a stage
std::vector<PathPart> critical_path(std::span<const RecordedStage> stages, std::size_t last, Duration begin);

/// Work that is repeated before the packet exists is folded into one part with a count: "16 x PCI write". Its span may
/// contain waiting.
struct FoldedPart {
    PathPart part;     ///< from the first one's begin to the last one's end
    Duration waiting;  ///< contained in it
};
std::vector<FoldedPart> fold(std::span<const PathPart> path);

}  // namespace ringmesh::lab
