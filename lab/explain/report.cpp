// SPDX-License-Identifier: Apache-2.0
#include "lab/explain/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "lab/json.h"
#include "lab/text_table.h"

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
    std::string title =
        fmt::format("{} from node {} to node {} on {}", counted(static_cast<std::size_t>(explanation.bytes), "byte"),
                    explanation.from, explanation.to, explanation.request.platform);
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

namespace {

constexpr std::size_t kNarrowestBar = 10;
constexpr std::size_t kWidestBar = 80;

/// Whole picoseconds, so that what is shown adds up.
std::string in_ns(Duration time) { return with_thousands(time.ns(), 3); }
std::string in_ns_unless_zero(Duration time) { return time == Duration::zero() ? "" : in_ns(time); }

std::string repeated(std::string_view character, std::size_t count)
{
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += character;
    return text;
}

/// The position of a part in its leg; at least one character.
std::string bar(const PathPart& part, const LegSteps& leg, std::size_t width)
{
    const auto place = [&leg, width](Duration time) {
        return static_cast<std::size_t>((time - leg.from) / leg.span() * static_cast<double>(width));
    };
    const std::size_t begin = std::min(place(part.from), width - 1);
    const std::size_t end = std::max(place(part.to), begin + 1);
    return std::string(begin, ' ') + repeated(part.waiting ? "░" : "█", end - begin);
}

void add_leg(TextTable& table, const LegSteps& leg, Duration zero, std::size_t bar_width)
{
    for (const Step& step : leg.steps) {
        std::string title = fmt::format("{:>2} {}", step.number, kLatencyComponents.name(step.component));
        for (const FoldedPart& row : fold(step.parts)) {
            const PathPart& part = row.part;
            const Duration waiting = part.waiting ? part.span() : row.waiting;
            table.row({title, part.where, part.what, in_ns(part.from - zero), in_ns(part.to - zero),
                       in_ns_unless_zero(part.span() - waiting), in_ns_unless_zero(waiting),
                       bar(part, leg, bar_width)});
            title.clear();
        }
    }
}

std::string waterfall(const Transaction& transaction, std::size_t bar_width)
{
    const auto right = Align::kRight;
    TextTable table({{"step", Align::kLeft},
                     {"where", Align::kLeft},
                     {"what", Align::kLeft},
                     {"from", right, "ns"},
                     {"to", right, "ns"},
                     {"working", right, "ns"},
                     {"waiting", right, "ns"},
                     {"", Align::kLeft}});
    const auto heading = [](std::string_view name, const LegSteps& leg) {
        return fmt::format("{}: packet {}, {} ns", name, leg.packet, in_ns(leg.span()));
    };
    table.section(heading("request", transaction.request));
    add_leg(table, transaction.request, transaction.request.from, bar_width);
    table.section(heading("response", transaction.response));
    add_leg(table, transaction.response, transaction.request.from, bar_width);
    return table.text();
}

std::string sums(const Transaction& transaction)
{
    TextTable table({{"sums", Align::kLeft},
                     {"request", Align::kRight, "ns"},
                     {"steps", Align::kRight},
                     {"response", Align::kRight, "ns"},
                     {"steps", Align::kRight}});
    const LegSteps& request = transaction.request;
    const LegSteps& response = transaction.response;
    const auto add = [&](std::string_view title, LatencyComponent component) {
        table.row({std::string(title), in_ns(request.sum(component)), std::to_string(request.steps_of(component)),
                   in_ns(response.sum(component)), std::to_string(response.steps_of(component))});
    };
    add("o    overhead", LatencyComponent::kOverhead);
    add("l_p  propagation", LatencyComponent::kPropagation);
    add("l_f  forwarding", LatencyComponent::kForwarding);
    add("l_s  switching", LatencyComponent::kSwitching);
    table.row({"all", in_ns(request.span()), std::to_string(request.steps.size()), in_ns(response.span()),
               std::to_string(response.steps.size())});
    table.row({"of it waiting", in_ns(request.waiting()), "", in_ns(response.waiting()), ""});
    return table.text();
}

}  // namespace

std::string explain_text(const Explanation& explanation, std::size_t width)
{
    const Transaction& transaction = explanation.transaction;
    const std::size_t rest = widest_line(waterfall(transaction, 1)) - 1;
    const std::size_t bar_width = std::clamp(width - std::min(width, rest), kNarrowestBar, kWidestBar);
    std::string text = title_of(explanation) + "\n\n" + waterfall(transaction, bar_width) + '\n' + sums(transaction);
    if (!explanation.notes.empty()) text += '\n';
    for (const std::string& note : explanation.notes) text += note + '\n';
    return text;
}

}  // namespace ringmesh::lab
