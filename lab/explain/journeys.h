// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tlm/component.h"
#include "tlm/journey.h"

namespace ringmesh::lab {

/// A stage and the name of the block that reported it, which the recorder keeps.
struct RecordedStage {
    std::string_view where;
    Stage stage;
};

/// Keeps one name of each block.
class BlockNames {
public:
    std::string_view name_of(const Component& block)
    {
        const auto [known, is_new] = names_.try_emplace(&block);
        if (is_new) known->second = kept_.emplace_back(block.component_name());
        return known->second;
    }

private:
    std::unordered_map<const Component*, std::string_view> names_;
    std::deque<std::string> kept_;
};

/// Records every stage, in the order of the reports, but for the calls that contain others.
class JourneyRecorder final : public JourneyListener {
public:
    void stage(const Component& where, const Stage& stage) override
    {
        if (stage.kind != StageKind::kCall) stages_.push_back({names_.name_of(where), stage});
    }
    const std::vector<RecordedStage>& stages() const { return stages_; }

private:
    BlockNames names_;
    std::vector<RecordedStage> stages_;
};

}  // namespace ringmesh::lab
