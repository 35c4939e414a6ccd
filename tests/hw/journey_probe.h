// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "tlm/simulation/journey.h"
#include "tlm/statistics/component.h"

namespace ringmesh::test {

/// "bus: PCI write of 7, 100 to 200 ps"
inline std::string stage_line(std::string_view where, std::string_view what, std::uint64_t packet, Duration from,
                              Duration to)
{
    return fmt::format("{}: {} of {}, {} to {} ps", where, what, packet, from.ps(), to.ps());
}

/// Records the stages that blocks report.
class JourneyProbe final : public JourneyListener {
public:
    void stage(const Component& where, const Stage& stage) override
    {
        auto line = stage_line(where.component_name(), stage.what, stage.transaction, stage.from, stage.to);
        if (stage.kind == StageKind::kWaiting) {
            waits.push_back(stage);
            wait_lines.push_back(std::move(line));
            return;
        }
        stages.push_back(stage);
        lines.push_back(std::move(line));
    }
    void arrived(const Component& where, std::uint64_t packet, Leg, Duration at) override
    {
        arrivals.push_back(fmt::format("{}: {} at {} ps", where.component_name(), packet, at.ps()));
    }
    std::vector<Stage> stages;
    std::vector<std::string> lines;
    std::vector<Stage> waits;
    std::vector<std::string> wait_lines;
    std::vector<std::string> arrivals;
};

}  // namespace ringmesh::test
