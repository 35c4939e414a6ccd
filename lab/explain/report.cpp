// SPDX-License-Identifier: Apache-2.0
#include "lab/explain/report.h"

#include <fmt/format.h>

#include <string_view>

#include "lab/json.h"
#include "lab/json_text.h"

namespace ringmesh::lab {
namespace {

Json leg_json(const LegSteps& leg, Duration zero)
{
    Json components = Json::object();
    for (const auto& [name, component] : kLatencyComponents.rows) {
        components[std::string(name)] = {{"steps", leg.steps_of(component)}, {"latency_ns", leg.sum(component).ns()}};
    }
    Json stages = Json::array();
    for (const Step& step : leg.steps) {
        for (const PathPart& part : step.parts) {
            stages.push_back({{"step", step.number},
                              {"component", kLatencyComponents.name(step.component)},
                              {"where", part.where},
                              {"what", part.what},
                              {"packet", part.transaction},
                              {"from_ns", (part.from - zero).ns()},
                              {"to_ns", (part.to - zero).ns()},
                              {"duration_ns", part.span().ns()},
                              {"waiting", part.waiting}});
        }
    }
    return {{"packet", leg.packet},
            {"begin_ns", (leg.from - zero).ns()},
            {"latency_ns", leg.span().ns()},
            {"working_ns", (leg.span() - leg.waiting()).ns()},
            {"waiting_ns", leg.waiting().ns()},
            {"components", std::move(components)},
            {"stages", std::move(stages)}};
}

std::string leg_csv(std::string_view name, const LegSteps& leg, Duration zero)
{
    std::string text;
    for (const Step& step : leg.steps) {
        for (const PathPart& part : step.parts) {
            text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", name, step.number,
                                kLatencyComponents.name(step.component), part.where, part.what, part.transaction,
                                number_text((part.from - zero).ns()), number_text((part.to - zero).ns()),
                                number_text(part.span().ns()), part.waiting ? 1 : 0);
        }
    }
    return text;
}

}  // namespace

std::string title_of(const Explanation& explanation)
{
    std::string title = fmt::format("{} bytes from node {} to node {} on {}", explanation.bytes, explanation.from,
                                    explanation.to, explanation.request.platform);
    for (const auto& overlay : explanation.request.overlays) title += ", " + overlay;
    for (const auto& setting : explanation.request.settings) title += ", " + setting;
    return title;
}

std::string explain_json(const Explanation& explanation)
{
    const Transaction& transaction = explanation.transaction;
    const Duration zero = transaction.request.from;
    const Json json = {
        {"ringmesh", program_json()},
        {"platform", explanation.request.platform},
        {"overlays", explanation.request.overlays},
        {"settings", explanation.request.settings},
        {"from", explanation.from},
        {"to", explanation.to},
        {"bytes", explanation.bytes},
        {"parameters", values_json(explanation.parameters)},
        {"request", leg_json(transaction.request, zero)},
        {"response", leg_json(transaction.response, zero)},
        {"notes", explanation.notes},
    };
    return json_text(json);
}

std::string explain_csv(const Explanation& explanation)
{
    const Transaction& transaction = explanation.transaction;
    const Duration zero = transaction.request.from;
    std::string text = fmt::format("# ringmesh {}: {}\n", RINGMESH_VERSION, title_of(explanation));
    for (const auto& row : explanation.parameters) text += fmt::format("# parameter {} = {}\n", row.key, row.value);
    for (const std::string& note : explanation.notes) text += "# " + note + '\n';
    text += "leg,step,component,where,what,packet,from_ns,to_ns,duration_ns,waiting\n";
    return text + leg_csv("request", transaction.request, zero) + leg_csv("response", transaction.response, zero);
}

}  // namespace ringmesh::lab
