// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "lab/compare/comparison.h"
#include "lab/run/record/run_record.h"
#include "lab/table/listing.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;

std::string value_text(const Cell& cell)
{
    const auto* number = std::get_if<double>(&cell);
    return number != nullptr ? fmt::format("{:.6g}", *number) : cell_text(cell, 0);
}

const Listing<ValueDifference>& value_listing()
{
    using Value = ValueDifference;
    const auto number = [](const char* name, const char* title, std::string_view format,
                           std::optional<double> MeanDifference::*of) {
        return listed<Value>(name, [of](const Value& row) { return row.difference.*of; })
            .titled(title)
            .printed([of, format](const Value& row) {
                return row.difference.*of ? fmt::format(fmt::runtime(format), *(row.difference.*of)) : "-";
            });
    };
    static const Listing<Value> listing({
        listed<Value>("place", [](const Value& row) -> Cell { return row.place; }).in(kInFiles),
        listed<Value>("row", &Value::row).printed([](const Value& row) { return row.row; }),
        listed<Value>("name", &Value::name).titled("what").printed([](const Value& row) {
            return row.unit.empty() ? row.name : fmt::format("{} ({})", row.name, row.unit);
        }),
        listed<Value>("unit", [](const Value& row) -> Cell { return row.unit; }).in(kInFiles),
        listed<Value>("a", &Value::a).printed([](const Value& row) { return value_text(row.a); }),
        listed<Value>("b", &Value::b).printed([](const Value& row) { return value_text(row.b); }),
        number("difference_percent", "difference", "{:+.3g} %", &MeanDifference::percent),
        number("interval", "+-", "{:.3g}", &MeanDifference::interval),
        listed<Value>("beyond_noise", [](const Value& row) { return kNoises.name(row.difference.noise); })
            .titled("beyond noise"),
    });
    return listing;
}

/// The values of one part of the comparison that are to be seen; empty if there are none.
std::string table_text(const std::vector<ValueDifference>& all, const char* row_title,
                       std::initializer_list<Noise> hidden, Room room)
{
    std::vector<const ValueDifference*> shown;
    for (const ValueDifference& each : all) {
        if (std::ranges::find(hidden, each.difference.noise) == hidden.end()) shown.push_back(&each);
    }
    if (shown.empty()) return {};
    const auto any = [&shown](const auto& what) { return std::ranges::any_of(shown, what); };
    const bool repeated = any([](const auto* each) { return each->difference.interval.has_value(); });
    const bool rows = any([&shown](const auto* each) { return each->row != shown.front()->row; });
    /// @param in_sections rows are headings
    const auto table_with = [&](bool in_sections) {
        // The first column is the row, the last two say what repetitions do
        const auto fitting = [&](auto cells) {
            if (!repeated) cells.resize(cells.size() - 2);
            if (!rows || in_sections) cells.erase(cells.begin());
            return cells;
        };
        auto columns = value_listing().table().columns();
        columns.front().title = row_title;
        TextTable table(fitting(std::move(columns)));
        std::string section;
        for (const ValueDifference* each : shown) {
            const char* const between = each->place.empty() ? "" : ": ";
            const std::string now = in_sections ? each->place + between + each->row : each->place;
            if (now != section) table.section(now);
            section = now;
            table.row(fitting(value_listing().texts(*each)));
        }
        return table;
    };
    const TextTable table = table_with(false);
    const bool too_wide = room.splits && rows && widest_line(table.text(0, kUnbroken)) > room.width;
    return (too_wide ? table_with(true) : table).text(0, room) + '\n';
}

/// "12 results: 3 equal, 4 beyond noise, ..."
std::string differing_text(const std::vector<ValueDifference>& all, std::string_view what)
{
    const auto count_of = [&all](Noise noise) {
        return std::ranges::count_if(all, [noise](const auto& each) { return each.difference.noise == noise; });
    };
    std::string text = fmt::format("{} {}: {} equal", all.size(), what, count_of(Noise::kEqual));
    for (const auto& [noise, words] :
         {std::pair{Noise::kBeyond, "differ beyond noise"}, std::pair{Noise::kWithin, "differ within noise"},
          std::pair{Noise::kUnknown, "differ, noise unknown"}}) {
        if (const auto count = count_of(noise); count > 0) text += fmt::format(", {} {}", count, words);
    }
    return text + '\n';
}

/// One line: "only a has 43: lc2.bypass, lc2.decode, ..."
std::string lone_text(std::string_view side, const std::vector<std::string>& names, std::size_t width)
{
    const std::string rest = ", ... (all of them: --json)";
    std::string text = fmt::format("only {} has {}: {}", side, names.size(), names.front());
    for (std::size_t i = 1; i < names.size(); ++i) {
        const std::size_t room = i + 1 < names.size() ? width - std::min(width, rest.size()) : width;
        if (text.size() + 2 + names[i].size() > room) return text + rest;
        text += ", " + names[i];
    }
    return text;
}

}  // namespace

Answer answer_of(const Comparison& comparison)
{
    Answer answer;
    std::vector<std::string> texts;
    constexpr std::size_t kMost = 4;
    for (const ConfigurationDifference& each : comparison.configuration) {
        texts.push_back(fmt::format("{} {} in place of {}", each.name, each.values[1], each.values[0]));
    }
    const std::size_t more = texts.size() - std::min(texts.size(), kMost);
    texts.resize(texts.size() - more);
    answer.sentences.push_back(
        fmt::format("b has {}{}.", texts.empty() ? "the same configuration" : fmt::format("{}", fmt::join(texts, ", ")),
                    more == 0 ? "" : fmt::format(", and {} more", counted(more, "change"))));
    const ValueDifference* most = nullptr;
    std::size_t equal = 0;
    for (const ValueDifference& each : comparison.results) {
        if (each.difference.noise == Noise::kEqual) ++equal;
        const auto& percent = each.difference.percent;
        if (!percent || *percent == 0) continue;
        if (most == nullptr || std::abs(*percent) > std::abs(*most->difference.percent)) most = &each;
    }
    std::string text =
        fmt::format("Of {} that both have, {} are equal", counted(comparison.results.size(), "result"), equal);
    if (most != nullptr) {
        text += fmt::format("; {}{} differs most, by {:+.3g} %", most->name,
                            most->row.empty() ? "" : fmt::format(" ({})", most->row), *most->difference.percent);
    }
    answer.sentences.push_back(text + '.');
    return answer;
}

std::string comparison_text(const Comparison& comparison, Room room)
{
    std::string text = fmt::format("{}\n{}\n\nConfiguration\n\n", wrapped("a: " + comparison.a, 3, room.prose()),
                                   wrapped("b: " + comparison.b, 3, room.prose()));
    if (comparison.configuration.empty()) {
        text += "nothing differs\n";
    } else {
        TextTable table({{"what"}, {"a"}, {"b"}});
        for (const auto& each : comparison.configuration) table.row({each.name, each.values[0], each.values[1]});
        text += table.text(0, room);
    }
    text += "\nResults\n\n" + table_text(comparison.results, "row", {Noise::kEqual}, room) +
            differing_text(comparison.results, "results");
    text += "\nStatistics (means)\n\n" +
            table_text(comparison.statistics, "blocks", {Noise::kEqual, Noise::kWithin}, room) +
            differing_text(comparison.statistics, "statistics");
    const auto any = [&comparison](const auto& what) { return std::ranges::any_of(comparison.results, what); };
    const bool repeated = any([](const ValueDifference& each) { return each.difference.interval.has_value(); });
    if (!repeated && any([](const ValueDifference& each) { return each.difference.noise == Noise::kUnknown; })) {
        text += '\n' +
                wrapped(
                    "Noise is unknown without repetitions: run with --repeat 5, or repeat = 5 in study.toml, "
                    "on both sides.",
                    0, room.prose()) +
                '\n';
    }
    for (const auto& [side, names] : {std::pair{"a", &comparison.only_a}, std::pair{"b", &comparison.only_b}}) {
        if (!names->empty()) text += '\n' + lone_text(side, *names, room.prose()) + '\n';
    }
    for (const std::string& note : comparison.notes) text += wrapped(note, 2, room.prose()) + '\n';
    return text;
}

Json comparison_json(const Comparison& comparison)
{
    Json configuration = Json::array();
    for (const auto& each : comparison.configuration) {
        configuration.push_back({{"name", each.name}, {"a", each.values[0]}, {"b", each.values[1]}});
    }
    return {{"ringmesh", program_json()},
            {"a", comparison.a},
            {"b", comparison.b},
            {"configuration", std::move(configuration)},
            {"results", value_listing().json(comparison.results)},
            {"statistics", value_listing().json(comparison.statistics)},
            {"only_in_a", comparison.only_a},
            {"only_in_b", comparison.only_b},
            {"notes", comparison.notes}};
}

std::string comparison_csv(const Comparison& comparison)
{
    workloads::Results table = value_listing().results({});
    table.columns.insert(table.columns.begin(), {"part", ""});
    for (const auto& each : comparison.configuration) {
        auto& cells = table.rows.emplace_back(table.columns.size(), Cell(std::monostate()));
        cells[0] = std::string("configuration");
        cells[3] = each.name;
        cells[5] = each.values[0];
        cells[6] = each.values[1];
    }
    const auto add = [&table](const char* part, const std::vector<ValueDifference>& values) {
        for (auto& cells : value_listing().results(values).rows) {
            cells.insert(cells.begin(), std::string(part));
            table.rows.push_back(std::move(cells));
        }
    };
    add("result", comparison.results);
    add("statistic", comparison.statistics);
    return results_csv(table);
}

}  // namespace ringmesh::lab
