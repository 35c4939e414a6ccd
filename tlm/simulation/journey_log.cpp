// SPDX-License-Identifier: Apache-2.0
#include "tlm/simulation/journey_log.h"

#include <fmt/format.h>

#include <string>

namespace ringmesh {
namespace {

std::string_view word(Leg leg) { return leg == Leg::kRequest ? "request" : "response"; }

/// "packet 12, response: "; nothing for the work of a program.
std::string name_of(std::uint64_t packet, Leg leg)
{
    return packet == 0 ? std::string() : fmt::format("packet {}, {}: ", packet, word(leg));
}

/// What the stage has to do with another packet; of a call, its rank and message.
std::string other_of(const Stage& stage)
{
    if (stage.kind == StageKind::kCall) {
        return fmt::format(", rank {}, tag {}, {} bytes", stage.peer, stage.tag, stage.bytes);
    }
    if (stage.other == 0) return {};
    return fmt::format(" {} packet {}", stage.kind == StageKind::kWaiting ? "behind" : "after", stage.other);
}

}  // namespace

spdlog::logger* JourneyLog::logger_for(const Component& where)
{
    const auto [known, is_new] = loggers_.try_emplace(&where);
    if (is_new) {
        spdlog::logger& logger = logger_of(where.component_name());
        if (logger.should_log(spdlog::level::trace)) known->second = &logger;
    }
    return known->second;
}

void JourneyLog::stage(const Component& where, const Stage& stage)
{
    spdlog::logger* const logger = logger_for(where);
    if (logger == nullptr) return;
    logger->trace("{}{}{}{}, {:.3f} to {:.3f} ns", name_of(stage.transaction, stage.leg),
                  stage.kind == StageKind::kWaiting ? "waits: " : "", stage.what, other_of(stage), stage.from.ns(),
                  stage.to.ns());
}

void JourneyLog::arrived(const Component& where, std::uint64_t packet, Leg leg, Duration at)
{
    spdlog::logger* const logger = logger_for(where);
    if (logger != nullptr) logger->trace("{}arrived at {:.3f} ns", name_of(packet, leg), at.ns());
}

}  // namespace ringmesh
