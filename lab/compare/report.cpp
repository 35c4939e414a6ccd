// SPDX-License-Identifier: Apache-2.0
#include "lab/compare/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

#include "lab/run/run_record.h"
#include "lab/table/json.h"
#include "lab/table/text_table.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;

std::string cell_text(const Cell& cell)
{
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) return with_thousands(*integer);
    if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{:.6g}", *number);
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    return "-";
}

std::string difference_text(const ValueDifference& difference)
{
    return difference.percent ? fmt::format("{:+.3g} %", *difference.percent) : "-";
}

/// The values of one part of the comparison that are to be seen; empty if there are none.
std::string table_text(const std::vector<const ValueDifference*>& shown, const char* row_title, Room room)
{
    const auto has = [&shown](const auto& what) { return std::any_of(shown.begin(), shown.end(), what); };
    const bool repeated = has([](const auto* each) { return each->interval.has_value(); });
    const bool rows = has([&shown](const auto* each) { return each->row != shown.front()->row; });
    std::vector<TableColumn> columns{
        {"what"}, {"a", Align::kRight}, {"b", Align::kRight}, {"difference", Align::kRight}};
    if (rows) columns.insert(columns.begin(), {row_title});
    if (repeated) columns.insert(columns.end(), {{"+-", Align::kRight}, {"beyond noise"}});
    TextTable table(columns);
    std::string place;
    for (const ValueDifference* each : shown) {
        if (each->place != place) table.section(each->place);
        place = each->place;
        std::vector<std::string> cells{each->unit.empty() ? each->name : fmt::format("{} ({})", each->name, each->unit),
                                       cell_text(each->a), cell_text(each->b), difference_text(*each)};
        if (rows) cells.insert(cells.begin(), each->row);
        if (repeated) {
            cells.push_back(each->interval ? fmt::format("{:.3g}", *each->interval) : "-");
            cells.emplace_back(kNoises.name(each->noise));
        }
        table.row(std::move(cells));
    }
    return table.empty() ? "" : table.text(0, room) + '\n';
}

std::vector<const ValueDifference*> without(const std::vector<ValueDifference>& all,
                                            std::initializer_list<Noise> hidden)
{
    std::vector<const ValueDifference*> shown;
    for (const ValueDifference& each : all) {
        if (std::find(hidden.begin(), hidden.end(), each.noise) == hidden.end()) shown.push_back(&each);
    }
    return shown;
}

std::size_t count_of(const std::vector<ValueDifference>& all, Noise verdict)
{
    return static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [verdict](const auto& each) { return each.noise == verdict; }));
}

/// "12 results: 3 equal, 4 beyond noise, ..."
std::string counts_text(const std::vector<ValueDifference>& all, std::string_view what)
{
    std::string text = fmt::format("{} {}: {} equal", all.size(), what, count_of(all, Noise::kEqual));
    for (const auto& [verdict, words] :
         {std::pair{Noise::kBeyond, "differ beyond noise"}, std::pair{Noise::kWithin, "differ within noise"},
          std::pair{Noise::kUnknown, "differ, noise unknown"}}) {
        if (const std::size_t count = count_of(all, verdict); count > 0) text += fmt::format(", {} {}", count, words);
    }
    return text + '\n';
}

Json cell_value(const Cell& cell)
{
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) return *integer;
    if (const auto* number = std::get_if<double>(&cell)) return *number;
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    return nullptr;
}

Json values_of(const std::vector<ValueDifference>& all)
{
    Json json = Json::array();
    for (const ValueDifference& each : all) {
        json.push_back({{"place", each.place},
                        {"row", each.row},
                        {"name", each.name},
                        {"unit", each.unit},
                        {"a", cell_value(each.a)},
                        {"b", cell_value(each.b)},
                        {"difference_percent", each.percent ? Json(*each.percent) : Json()},
                        {"interval", each.interval ? Json(*each.interval) : Json()},
                        {"beyond_noise", kNoises.name(each.noise)}});
    }
    return json;
}

}  // namespace

std::string comparison_text(const Comparison& comparison, Room room)
{
    std::string text = fmt::format("a: {}\nb: {}\n\nConfiguration\n\n", comparison.a, comparison.b);
    if (comparison.configuration.empty()) {
        text += "nothing differs\n";
    } else {
        TextTable table({{"what"}, {"a"}, {"b"}});
        for (const ConfigurationDifference& each : comparison.configuration) table.row({each.name, each.a, each.b});
        text += table.text(0, room);
    }
    text += "\nResults\n\n" + table_text(without(comparison.results, {Noise::kEqual}), "row", room) +
            counts_text(comparison.results, "results");
    text += "\nStatistics (means)\n\n" +
            table_text(without(comparison.statistics, {Noise::kEqual, Noise::kWithin}), "blocks", room) +
            counts_text(comparison.statistics, "statistics");
    const bool repeated = std::any_of(comparison.results.begin(), comparison.results.end(),
                                      [](const auto& each) { return each.interval.has_value(); });
    if (!repeated && count_of(comparison.results, Noise::kUnknown) > 0) {
        text += '\n' +
                wrapped(
                    "Noise is unknown without repetitions: run with --repeat 5, or repeat = 5 in study.toml, "
                    "on both sides.",
                    0, room.prose()) +
                '\n';
    }
    for (const std::string& note : comparison.notes) text += wrapped(note, 2, room.prose()) + '\n';
    return text;
}

std::string comparison_json(const Comparison& comparison)
{
    Json configuration = Json::array();
    for (const ConfigurationDifference& each : comparison.configuration) {
        configuration.push_back({{"name", each.name}, {"a", each.a}, {"b", each.b}});
    }
    return json_text({{"ringmesh", program_json()},
                      {"a", comparison.a},
                      {"b", comparison.b},
                      {"configuration", std::move(configuration)},
                      {"results", values_of(comparison.results)},
                      {"statistics", values_of(comparison.statistics)},
                      {"notes", comparison.notes}});
}

std::string comparison_csv(const Comparison& comparison)
{
    const Cell kNone = std::monostate();
    workloads::Results table;
    for (const char* name :
         {"part", "place", "row", "name", "unit", "a", "b", "difference_percent", "interval", "beyond_noise"}) {
        table.columns.push_back({name, ""});
    }
    for (const ConfigurationDifference& each : comparison.configuration) {
        table.rows.push_back(
            {std::string("configuration"), kNone, kNone, each.name, kNone, each.a, each.b, kNone, kNone, kNone});
    }
    const auto add = [&](const char* part, const std::vector<ValueDifference>& all) {
        for (const ValueDifference& each : all) {
            table.rows.push_back({std::string(part), each.place, each.row, each.name, each.unit, each.a, each.b,
                                  each.percent ? Cell(*each.percent) : kNone,
                                  each.interval ? Cell(*each.interval) : kNone, std::string(kNoises.name(each.noise))});
        }
    };
    add("result", comparison.results);
    add("statistic", comparison.statistics);
    return results_csv(table);
}

}  // namespace ringmesh::lab
