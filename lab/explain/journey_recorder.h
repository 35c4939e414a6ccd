// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
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

}  // namespace ringmesh::lab
