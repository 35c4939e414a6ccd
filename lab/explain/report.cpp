// SPDX-License-Identifier: Apache-2.0
#include "lab/explain/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "lab/explain/folding.h"
#include "lab/table/text_table.h"

namespace ringmesh::lab {
namespace {

Json part_json(const Step& step, const PathPart& part, Duration zero)
{
    Json json = {{"step", step.number},
                 {"group", step.group},
                 {"where", part.where},
                 {"what", part.what},
                 {"packet", part.packet},
                 {"from_ns", (part.from - zero).ns()},
                 {"to_ns", (part.to - zero).ns()},
                 {"duration_ns", part.span().ns()},
                 {"waiting", part.waiting}};
    if (part.behind != 0) json["behind"] = part.behind;
    return json;
}

Json leg_json(const Way& way, Duration zero)
{
    Json groups = Json::object();
    for (const std::string& group : way.groups()) {
        groups[group] = {{"steps", way.steps_of(group)}, {"latency_ns", way.sum(group).ns()}};
    }
    Json parts = Json::array();
    for (const Step& step : way.steps) {
        for (const PathPart& part : step.parts) parts.push_back(part_json(step, part, zero));
    }
    return {{"name", way.name},
            {"packet", way.packet},
            {"begin_ns", (way.from - zero).ns()},
            {"latency_ns", way.span().ns()},
            {"working_ns", (way.span() - way.waiting()).ns()},
            {"waiting_ns", way.waiting().ns()},
            {"groups", std::move(groups)},
            {"parts", std::move(parts)}};
}

std::string way_csv(const Way& way, Duration zero)
{
    std::string text;
    for (const Step& step : way.steps) {
        for (const PathPart& part : step.parts) {
            text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", way.name, step.number, csv_cell(step.group),
                                csv_cell(part.where), csv_cell(part.what), part.packet,
                                number_text((part.from - zero).ns()), number_text((part.to - zero).ns()),
                                number_text(part.span().ns()), part.waiting ? 1 : 0,
                                part.behind == 0 ? std::string() : std::to_string(part.behind));
        }
    }
    return text;
}

constexpr std::size_t kNarrowestBar = 10;
constexpr std::size_t kWidestBar = 80;

std::string in_ns_unless_zero(Duration time) { return time == Duration::zero() ? "" : in_ns(time); }

std::string repeated(std::string_view character, std::size_t count)
{
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += character;
    return text;
}

/// The position of a part in its way; at least one character.
std::string bar(const FoldedPart& part, const Way& way, std::size_t width)
{
    const auto place = [&way, width](Duration time) {
        return static_cast<std::size_t>((time - way.from) / way.span() * static_cast<double>(width));
    };
    const std::size_t begin = std::min(place(part.from), width - 1);
    const std::size_t end = std::max(place(part.to), begin + 1);
    return std::string(begin, ' ') + repeated(part.only_waits ? "░" : "█", end - begin);
}

/// What a terminal has room for.
struct Shape {
    bool shows_end = true;  ///< of each part, beside its begin
    std::size_t bar = kNarrowestBar;
};

void add_way(TextTable& table, const Way& way, Duration zero, const Shape& shape)
{
    std::string_view group;
    int number = way.steps.empty() ? 1 : way.steps.front().number;
    std::size_t step = 0;
    for (const FoldedPart& part : fold(way.steps)) {
        // The first row of a step has its number, as long as rows are steps
        std::string title;
        while (step < way.steps.size() && way.steps[step].to() <= part.from) ++step;
        if (step < way.steps.size() && (way.steps[step].number != number || group.empty() || part.group != group)) {
            number = way.steps[step].number;
            title = fmt::format("{:>2} {}", number, part.group);
        }
        group = part.group;
        std::vector<std::string> cells{title, part.where, part.what, in_ns(part.from - zero)};
        if (shape.shows_end) cells.push_back(in_ns(part.to - zero));
        cells.insert(cells.end(), {in_ns_unless_zero(part.working), in_ns_unless_zero(part.waiting)});
        if (shape.bar > 0) cells.push_back(bar(part, way, shape.bar));
        table.row(std::move(cells));
    }
}

TextTable waterfall(const std::vector<Way>& ways, const Shape& shape)
{
    const auto right = Align::kRight;
    std::vector<TableColumn> columns{
        {"step", Align::kLeft}, {"where", Align::kLeft}, {"what", Align::kLeft}, {"from", right, "ns"}};
    if (shape.shows_end) columns.push_back({"to", right, "ns"});
    columns.push_back({"working", right, "ns"});
    columns.push_back({"waiting", right, "ns"});
    if (shape.bar > 0) columns.push_back({"", Align::kLeft});
    TextTable table(std::move(columns));
    for (const Way& way : ways) {
        table.section(fmt::format("{}: packet {}, {} ns", way.name, way.packet, in_ns(way.span())));
        add_way(table, way, ways.front().from, shape);
    }
    return table;
}

std::string sums(const std::vector<Way>& ways)
{
    std::vector<TableColumn> columns{{"sums", Align::kLeft}};
    std::vector<std::string> groups;
    for (const Way& way : ways) {
        columns.push_back({way.name, Align::kRight, "ns"});
        columns.push_back({"steps", Align::kRight});
        for (const std::string& group : way.groups()) {
            if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
        }
    }
    TextTable table(columns);
    const auto add = [&](std::string title, const auto& time, const auto& steps) {
        std::vector<std::string> cells{std::move(title)};
        for (const Way& way : ways) {
            cells.push_back(in_ns(time(way)));
            cells.push_back(steps(way));
        }
        table.row(std::move(cells));
    };
    for (const std::string& group : groups) {
        add(
            title_of_group(group), [&group](const Way& way) { return way.sum(group); },
            [&group](const Way& way) { return std::to_string(way.steps_of(group)); });
    }
    add(
        "all", [](const Way& way) { return way.span(); },
        [](const Way& way) { return std::to_string(way.steps.size()); });
    add(
        "of it waiting", [](const Way& way) { return way.waiting(); }, [](const Way&) { return std::string(); });
    return table.text();
}

}  // namespace

std::string in_ns(Duration time) { return with_thousands(time.ns(), 3); }

std::string title_of(const Explanation& explanation)
{
    std::string title =
        fmt::format("{} from {} {} to {} {} on {}", counted(static_cast<std::size_t>(explanation.bytes), "byte"),
                    explanation.node, explanation.from, explanation.node, explanation.to, explanation.request.platform);
    if (!explanation.library.empty() && explanation.library != "raw") title += " over " + explanation.library;
    for (const auto& overlay : explanation.request.overlays) title += ", " + overlay;
    for (const auto& setting : explanation.request.settings) title += ", " + setting;
    return title;
}

Json legs_json(const std::vector<Way>& ways, Duration zero)
{
    Json legs = Json::array();
    for (const Way& way : ways) legs.push_back(leg_json(way, zero));
    return legs;
}

std::string explain_json(const Explanation& explanation)
{
    Json json = {
        {"ringmesh", program_json()},
        {"platform", explanation.request.platform},
        {"overlays", explanation.request.overlays},
        {"settings", explanation.request.settings},
        {"library", explanation.library.empty() ? Json() : Json(explanation.library)},
        {"from", explanation.from},
        {"to", explanation.to},
        {"bytes", explanation.bytes},
        {"parameters", values_json(explanation.parameters)},
        {"library_options", values_json(explanation.library_options)},
        {"legs", legs_json(explanation.ways, explanation.zero())},
        {"notes", explanation.notes},
    };
    if (!explanation.ended_by_fault.empty()) json["ended_by_fault"] = explanation.ended_by_fault;
    return json_text(json);
}

std::string legs_csv(const std::vector<Way>& ways, Duration zero)
{
    std::string text = "leg,step,group,where,what,packet,from_ns,to_ns,duration_ns,waiting,behind\n";
    for (const Way& way : ways) text += way_csv(way, zero);
    return text;
}

std::string explain_csv(const Explanation& explanation)
{
    std::string text =
        fmt::format("# ringmesh {}, schema {}: {}\n", RINGMESH_VERSION, kOutputSchema, title_of(explanation));
    for (const auto& row : explanation.parameters) text += fmt::format("# parameter {} = {}\n", row.key, row.value);
    for (const auto& row : explanation.library_options) text += fmt::format("# library {} = {}\n", row.key, row.value);
    for (const std::string& note : explanation.notes) text += "# " + note + '\n';
    return text + legs_csv(explanation.ways, explanation.zero());
}

std::string waterfall_text(const std::vector<Way>& ways, std::size_t width)
{
    const std::size_t rest = widest_line(waterfall(ways, {.bar = 1}).text(0, kUnbroken)) - 1;
    const std::size_t bar_width = std::clamp(width - std::min(width, rest), kNarrowestBar, kWidestBar);
    std::string table;
    for (const Shape shape :
         {Shape{.bar = bar_width}, Shape{.shows_end = false}, Shape{.shows_end = false, .bar = 0}}) {
        table = waterfall(ways, shape).text(0, width);
        if (widest_line(table) <= width) break;
    }
    return table + '\n' + sums(ways);
}

std::string explain_text(const Explanation& explanation, std::size_t width)
{
    std::string text = title_of(explanation) + "\n\n" + waterfall_text(explanation.ways, width);
    if (!explanation.notes.empty()) text += '\n';
    for (const std::string& note : explanation.notes) text += wrapped(note, 2, width) + '\n';
    return text;
}

}  // namespace ringmesh::lab
