// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>

#include "tlm/simulation/journey.h"
#include "tlm/simulation/log.h"
#include "tlm/statistics/component.h"

namespace ringmesh {

/// Writes every stage of every packet into the log, at level trace, under the name of the block that reports it:
///
///     [   2.317241 us] node0.lc2        trace: packet 1, request: cable, 2317.241 to 2323.912 ns
///
/// The time at the front is that of the report; a stage may begin before it and end after it.
class JourneyLog final : public JourneyListener {
public:
    void stage(const Component& where, const Stage& stage) override;
    void arrived(const Component& where, std::uint64_t packet, Leg leg, Duration at) override;

private:
    /// Null if this block's lines are not wanted.
    spdlog::logger* logger_for(const Component& where);

    std::unordered_map<const Component*, spdlog::logger*> loggers_;
};

}  // namespace ringmesh
