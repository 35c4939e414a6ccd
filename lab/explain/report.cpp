// SPDX-License-Identifier: Apache-2.0
#include "lab/explain/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "lab/explain/folding.h"
#include "lab/run/record/run_record.h"
#include "lab/table/listing.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;

/// Bits of Shown.
constexpr unsigned kInJson = 16;
constexpr unsigned kInCsv = 32;
constexpr unsigned kInEach = kInJson | kInCsv | kInSql;

/// A part of a way, as a row of a table.
struct PartRow {
    std::string leg;  ///< the way, by a name that no other has
    const Way& way;
    const Step& step;
    const PathPart& part;
    Duration zero;  ///< from which times count
};

std::vector<PartRow> part_rows(std::span<const Way> ways, Duration zero)
{
    std::vector<PartRow> rows;
    for (const Way& way : ways) {
        const auto has_name = [&way](const Way& other) { return other.name == way.name; };
        const bool is_only = std::count_if(ways.begin(), ways.end(), has_name) == 1;  // not the slowest of a run
        const std::string leg = is_only ? way.name : fmt::format("packet {}, {}", way.packet, way.name);
        for (const Step& step : way.steps) {
            for (const PathPart& part : step.parts) rows.push_back({leg, way, step, part, zero});
        }
    }
    return rows;
}

const Listing<PartRow>& part_columns()
{
    using Row = const PartRow&;
    const auto column = [](const char* name, unsigned shown, auto value, const char* unit = "") {
        return listed<PartRow>(name, value).titled(name, unit).in(shown);
    };
    static const Listing<PartRow> kColumns({
        column("leg", kInCsv, [](Row row) { return row.way.name; }),
        column("leg", kInSql, [](Row row) { return row.leg; }),
        column("step", kInEach, [](Row row) { return row.step.number; }),
        column("group", kInEach, [](Row row) { return row.step.group; }),
        column("where", kInEach, [](Row row) { return row.part.where; }),
        column("what", kInEach, [](Row row) { return row.part.what; }),
        column("packet", kInEach, [](Row row) { return row.part.packet; }),
        column(
            "from_ns", kInEach, [](Row row) { return row.part.from - row.zero; }, "ns"),
        column(
            "to_ns", kInEach, [](Row row) { return row.part.to - row.zero; }, "ns"),
        column(
            "duration_ns", kInEach, [](Row row) { return row.part.span(); }, "ns"),
        column("waiting", kInCsv, [](Row row) { return row.part.waiting ? 1 : 0; }),
        column("waiting", kInSql, [](Row row) { return std::string(row.part.waiting ? "waiting" : "working"); }),
        column("behind", kInCsv | kInSql,
               [](Row row) { return row.part.behind == 0 ? Cell(std::monostate()) : cell_of(row.part.behind); }),
    });
    return kColumns;
}

Json leg_json(const Way& way, Duration zero)
{
    Json groups = Json::object();
    for (const std::string& group : way.groups()) {
        groups[group] = {{"steps", way.steps_of(group)}, {"latency_ns", way.sum(group).ns()}};
    }
    const auto part_json = [](const PartRow& row) {
        Json json = part_columns().json(row, kInJson);
        json.add("waiting", row.part.waiting);
        if (row.part.behind != 0) json.add("behind", row.part.behind);
        return json;
    };
    return {{"name", way.name},
            {"packet", way.packet},
            {"begin_ns", (way.from - zero).ns()},
            {"latency_ns", way.span().ns()},
            {"working_ns", (way.span() - way.waiting()).ns()},
            {"waiting_ns", way.waiting().ns()},
            {"groups", std::move(groups)},
            {"parts", Json::list(part_rows({&way, 1}, zero), part_json)}};
}

constexpr std::size_t kNarrowestBar = 10;
constexpr std::size_t kWidestBar = 80;

/// The position of a part in its way; at least one character.
std::string bar(const FoldedPart& part, const Way& way, std::size_t width)
{
    const auto place = [&way, width](Duration time) {
        return static_cast<std::size_t>((time - way.from) / way.span() * static_cast<double>(width));
    };
    const std::size_t begin = std::min(place(part.from), width - 1);
    std::string text(begin, ' ');
    for (std::size_t i = begin; i < std::max(place(part.to), begin + 1); ++i) text += part.only_waits ? "░" : "█";
    return text;
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
    constexpr Align kRight = Align::kRight;
    std::vector<TableColumn> columns{{"step"}, {"where"}, {"what"}, {"from", kRight, "ns"}};
    if (shape.shows_end) columns.push_back({"to", kRight, "ns"});
    columns.insert(columns.end(), {{"working", kRight, "ns"}, {"waiting", kRight, "ns"}});
    if (shape.bar > 0) columns.push_back({""});
    TextTable table(std::move(columns));
    for (const Way& way : ways) {
        table.section(fmt::format("{}: packet {}, {} ns", way.name, way.packet, in_ns(way.span())));
        add_way(table, way, ways.front().from, shape);
    }
    return table;
}

std::string sums(const std::vector<Way>& ways)
{
    std::vector<TableColumn> columns{{"sums"}};
    std::vector<std::string> groups;
    for (const Way& way : ways) {
        columns.insert(columns.end(), {{way.name, Align::kRight, "ns"}, {"steps", Align::kRight}});
        for (const std::string& group : way.groups()) {
            if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
        }
    }
    TextTable table(std::move(columns));
    const auto add = [&](std::string title, const auto& time, const auto& steps) {
        std::vector<std::string> cells{std::move(title)};
        for (const Way& way : ways) cells.insert(cells.end(), {in_ns(time(way)), steps(way)});
        table.row(std::move(cells));
    };
    for (const std::string& group : groups) {
        add(
            title_of_group(group), [&](const Way& way) { return way.sum(group); },
            [&](const Way& way) { return std::to_string(way.steps_of(group)); });
    }
    add("all", std::mem_fn(&Way::span), [](const Way& way) { return std::to_string(way.steps.size()); });
    add("of it waiting", std::mem_fn(&Way::waiting), [](const Way&) { return std::string(); });
    return table.text();
}

}  // namespace

std::string in_ns(Duration time) { return with_thousands(time.ns(), 3); }
std::string in_ns_unless_zero(Duration time) { return time == Duration::zero() ? "" : in_ns(time); }

std::string title_of(const Explanation& explanation)
{
    std::string title =
        fmt::format("{} from {} {} to {} {} on {}", counted(static_cast<std::size_t>(explanation.bytes), "byte"),
                    explanation.node, explanation.from, explanation.node, explanation.to, explanation.request.platform);
    if (!explanation.library.empty() && explanation.library != "raw") title += " over " + explanation.library;
    return with_changes(std::move(title), explanation.request);
}

Answer answer_of(const Explanation& explanation)
{
    const Way& way = explanation.ways.front();
    const auto percent = [&way](Duration part) { return fmt::format("{:.3g} %", 100 * (part / way.span())); };
    Answer answer{{fmt::format("{} take {} ns, of it {} ns ({}) waiting{}.", title_of(explanation), in_ns(way.span()),
                               in_ns(way.waiting()), percent(way.waiting()),
                               explanation.ended_by_fault.empty() ? "" : ", until a fault")}};
    using Share = std::pair<std::string, Duration>;
    std::vector<Share> blocks;
    for (const PathPart& part : way.parts()) {
        auto block = std::ranges::find(blocks, part.where, &Share::first);
        if (block == blocks.end()) block = blocks.insert(block, {part.where, Duration::zero()});
        block->second += part.span();
    }
    std::vector<Share> groups;
    for (const std::string& group : way.groups()) groups.emplace_back(short_title_of_group(group), way.sum(group));
    const auto largest = [&percent](std::vector<Share>& shares, std::size_t most) {
        std::ranges::stable_sort(shares, std::ranges::greater(), &Share::second);
        if (shares.size() > most) shares.resize(most);
        std::vector<std::string> texts;
        for (const auto& [what, span] : shares) {
            texts.push_back(fmt::format("{} {} ns ({})", what, in_ns(span), percent(span)));
        }
        return fmt::format("{}", fmt::join(texts, ", "));
    };
    answer.sentences.push_back(
        fmt::format("Most of it by what is done: {}; by place: {}.", largest(groups, 3), largest(blocks, 2)));
    return answer;
}

Json legs_json(const std::vector<Way>& ways, Duration zero)
{
    return Json::list(ways, [zero](const Way& way) { return leg_json(way, zero); });
}

Json explain_json(const Explanation& explanation)
{
    Json json = {
        {"ringmesh", program_json()},
        {"platform", explanation.request.platform},
        {"overlays", explanation.request.overlays},
        {"settings", explanation.request.settings},
        {"library", cell_json(cell_of(explanation.library))},
        {"from", explanation.from},
        {"to", explanation.to},
        {"bytes", explanation.bytes},
        {"parameters", values_json(explanation.parameters)},
        {"library_options", values_json(explanation.library_options)},
        {"legs", legs_json(explanation.ways, explanation.zero())},
        {"notes", explanation.notes},
    };
    if (!explanation.ended_by_fault.empty()) json["ended_by_fault"] = explanation.ended_by_fault;
    return json;
}

std::string legs_csv(const std::vector<Way>& ways, Duration zero)
{
    return results_csv(part_columns().results(part_rows(ways, zero), kInCsv));
}

workloads::Results legs_table(const std::vector<Way>& ways, Duration zero)
{
    return part_columns().results(part_rows(ways, zero), kInSql);
}

std::string explain_csv(const Explanation& explanation)
{
    return csv_head(title_of(explanation),
                    {{"parameter ", &explanation.parameters}, {"library ", &explanation.library_options}},
                    explanation.notes) +
           legs_csv(explanation.ways, explanation.zero());
}

std::string notes_text(const std::vector<std::string>& notes, std::size_t width)
{
    std::string text = notes.empty() ? "" : "\n";
    for (const std::string& note : notes) text += wrapped(note, 2, width) + '\n';
    return text;
}

std::string explain_text(const Explanation& explanation, std::size_t width)
{
    const std::vector<Way>& ways = explanation.ways;
    const std::size_t rest = widest_line(waterfall(ways, {.bar = 1}).text(0, kUnbroken)) - 1;
    const std::size_t bar_width = std::clamp(width - std::min(width, rest), kNarrowestBar, kWidestBar);
    std::string table;
    std::vector<std::string> notes = explanation.notes;
    for (const Shape shape :
         {Shape{.bar = bar_width}, Shape{.shows_end = false}, Shape{.shows_end = false, .bar = 0}}) {
        table = waterfall(ways, shape).text(0, width);
        if (widest_line(table) > width && shape.bar > 0) continue;
        if (!shape.shows_end)
            notes.emplace_back("no room for where a part ends: from + working + waiting; --csv has it");
        break;
    }
    return fmt::format("{}\n\n{}\n{}{}", wrapped(title_of(explanation), 2, width), table, sums(ways),
                       notes_text(notes, width));
}

}  // namespace ringmesh::lab
