// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tlm/simulation/journey.h"
#include "tlm/statistics/component.h"

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

/// A packet that a fault struck.
struct RecordedStrike {
    std::string where;
    std::string what;
    std::uint64_t packet = 0;
    Leg leg = Leg::kRequest;
    Duration at;
};
inline RecordedStrike recorded(const PacketStruck& strike)
{
    return {std::string(strike.where), std::string(strike.what), strike.packet, strike.leg, strike.at};
}

/// Records every stage, in the order of the reports, but for the calls that contain others.
class JourneyRecorder final : public JourneyListener {
public:
    void stage(const Component& where, const Stage& stage) override
    {
        if (stage.kind != StageKind::kCall) stages_.push_back({names_.name_of(where), stage});
    }
    void struck(const PacketStruck& strike) override { strikes_.push_back(recorded(strike)); }
    const std::vector<RecordedStage>& stages() const { return stages_; }
    const std::vector<RecordedStrike>& strikes() const { return strikes_; }

private:
    BlockNames names_;
    std::vector<RecordedStage> stages_;
    std::vector<RecordedStrike> strikes_;
};

}  // namespace ringmesh::lab
