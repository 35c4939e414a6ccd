// SPDX-License-Identifier: Apache-2.0
#include "lab/compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "lab/table/results.h"
#include "lab/table/welch.h"

namespace ringmesh::lab {
namespace {

constexpr const char* kAbsentValue = "-";

using workloads::Cell;
using workloads::Results;

/// The difference of the cells that the repetitions have.
ValueDifference difference_of(const std::string& place, std::string row, std::string name, std::string unit,
                              const std::vector<Cell>& a, const std::vector<Cell>& b)
{
    ValueDifference value{place, std::move(row), std::move(name), std::move(unit), a.front(), b.front()};
    const auto numbers_of = [](const std::vector<Cell>& cells) {
        std::vector<double> numbers;
        for (const Cell& cell : cells) {
            if (const auto number = number_of(cell)) numbers.push_back(*number);
        }
        return numbers;
    };
    const std::vector<double> of_a = numbers_of(a);
    const std::vector<double> of_b = numbers_of(b);
    if (of_a.size() != a.size() || of_b.size() != b.size()) {  // texts, or there are none
        const bool equal =
            std::ranges::count(a, a.front()) == std::ssize(a) && std::ranges::count(b, a.front()) == std::ssize(b);
        value.difference.noise = equal ? Noise::kEqual : Noise::kUnknown;
        return value;
    }
    if (a.size() > 1) value.a = sample_of(of_a).mean;
    if (b.size() > 1) value.b = sample_of(of_b).mean;
    value.difference = mean_difference(of_a, of_b);
    return value;
}

bool names_row(const Cell& cell)
{
    return std::holds_alternative<std::int64_t>(cell) || std::holds_alternative<std::string>(cell);
}

/// "size_bytes=64": the whole numbers and texts with which a row begins.
std::string label_of(const Results& results, std::size_t row)
{
    std::string label;
    for (std::size_t i = 0; i < results.columns.size() && names_row(results.rows[row][i]); ++i) {
        const auto* text = std::get_if<std::string>(&results.rows[row][i]);
        label += fmt::format("{}{}={}", label.empty() ? "" : ", ", results.columns[i].name,
                             text != nullptr ? *text : std::to_string(std::get<std::int64_t>(results.rows[row][i])));
    }
    return label;
}

/// For each row of a its place in b: the same place, or the next row there that has its label.
std::vector<std::optional<std::size_t>> counterparts(const Results& a, const Results& b)
{
    std::vector<std::optional<std::size_t>> all(a.rows.size());
    std::map<std::string, std::vector<std::size_t>> with_label;  // the first row last
    if (a.rows.size() != b.rows.size()) {
        for (std::size_t row = b.rows.size(); row-- > 0;) with_label[label_of(b, row)].push_back(row);
    }
    for (std::size_t row = 0; row < all.size(); ++row) {
        if (a.rows.size() == b.rows.size()) {
            all[row] = row;
        } else if (auto& rows = with_label[label_of(a, row)]; !rows.empty()) {
            all[row] = rows.back();
            rows.pop_back();
        }
    }
    return all;
}

std::vector<Cell> cells_of(const std::vector<Point>& points, std::size_t row, const std::string& column)
{
    std::vector<Cell> cells;
    for (const Point& point : points) {
        const Results& results = point.record.outcome.results;
        const Cell* cell = row < results.rows.size() ? NamedCells(results, results.rows[row]).cell(column) : nullptr;
        cells.push_back(cell == nullptr ? Cell(std::monostate()) : *cell);
    }
    return cells;
}

void compare_results(const ComparedPlace& place, Comparison& comparison)
{
    const Results& of_a = place.a.front().record.outcome.results;
    const Results& of_b = place.b.front().record.outcome.results;
    const auto others = counterparts(of_a, of_b);
    std::size_t missing = of_b.rows.size();
    for (std::size_t row = 0; row < of_a.rows.size(); ++row) {
        std::string label = label_of(of_a, row);
        if (!others[row]) {
            comparison.notes.push_back(fmt::format("{}: {} has no row {}", place.title, comparison.b, label));
            continue;
        }
        --missing;
        bool leading = label == label_of(of_b, *others[row]);
        if (!leading) label = fmt::format("row {}", row + 1);
        for (const workloads::Column& column : of_a.columns) {
            const auto a = cells_of(place.a, row, column.name);
            leading = leading && names_row(a.front());
            if (leading) continue;
            comparison.results.push_back(difference_of(place.title, label, column.name, column.unit, a,
                                                       cells_of(place.b, *others[row], column.name)));
        }
    }
    if (missing > 0) {
        comparison.notes.push_back(fmt::format("{}: {} of {} {} not in {}", place.title, counted(missing, "row"),
                                               comparison.b, missing == 1 ? "is" : "are", comparison.a));
    }
}

void compare_statistics(const ComparedPlace& place, Comparison& comparison)
{
    struct Statistic {
        const StatisticRow* row;
        std::array<std::vector<Cell>, 2> sides;
    };
    std::vector<Statistic> all;
    std::map<std::pair<std::string, std::string>, std::size_t> places;
    for (const std::size_t side : {0U, 1U}) {
        for (const Point& point : side == 0 ? place.a : place.b) {
            for (const StatisticRow& row : point.record.outcome.statistics) {
                const auto [found, is_new] = places.try_emplace({row.blocks, row.name}, all.size());
                if (is_new) all.push_back({&row, {}});
                all[found->second].sides.at(side).emplace_back(row.mean);
            }
        }
    }
    for (auto& [row, sides] : all) {
        for (auto& cells : sides) {
            if (cells.empty()) cells.emplace_back(std::monostate());
        }
        comparison.statistics.push_back(
            difference_of(place.title, row->blocks, row->name, row->unit, sides[0], sides[1]));
    }
}

std::string seeds_of(const std::vector<Point>& points)
{
    std::vector<std::uint64_t> seeds;
    for (const Point& point : points) seeds.push_back(point.record.request.seed);
    std::ranges::sort(seeds);
    return fmt::format("{}", fmt::join(seeds, ","));
}

}  // namespace

namespace {

/// Moves what one side alone has to its list of names.
void part_lone(Comparison& comparison)
{
    const auto note = [](std::vector<std::string>& names, const std::string& name) {
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    };
    const auto lone = [&](bool no_a, bool no_b, const std::string& name) {
        if (no_a != no_b) note(no_a ? comparison.only_b : comparison.only_a, name);
        return no_a || no_b;
    };
    std::erase_if(comparison.configuration, [&](const ConfigurationDifference& each) {
        return lone(each.values[0] == kAbsentValue, each.values[1] == kAbsentValue, each.name);
    });
    for (auto* values : {&comparison.results, &comparison.statistics}) {
        std::erase_if(*values, [&](const ValueDifference& each) {
            const auto is_absent = [](const Cell& cell) { return std::holds_alternative<std::monostate>(cell); };
            const std::string blocks = values == &comparison.statistics ? each.row + ' ' : "";
            return lone(is_absent(each.a), is_absent(each.b), blocks + each.name);
        });
    }
}

}  // namespace

Comparison compare(std::string a, std::string b, std::span<const ComparedPlace> places)
{
    Comparison comparison{.a = std::move(a), .b = std::move(b)};
    std::set<std::pair<std::string, std::vector<std::string>>> known;  // differences of the configuration
    for (const ComparedPlace& place : places) {
        auto differences = configuration_differences(std::array{&place.a.front(), &place.b.front()});
        differences.push_back({"seed", {seeds_of(place.a), seeds_of(place.b)}});
        for (ConfigurationDifference& each : differences) {
            if (each.values[0] == each.values[1] || !known.emplace(each.name, each.values).second) continue;
            comparison.configuration.push_back(std::move(each));
        }
        compare_results(place, comparison);
        compare_statistics(place, comparison);
    }
    part_lone(comparison);
    return comparison;
}

MeanDifference mean_difference(std::span<const double> a, std::span<const double> b, Pairing pairing)
{
    const Sample of_a = sample_of(a);
    const Sample of_b = sample_of(b);
    const double by = of_b.mean - of_a.mean;
    MeanDifference difference;
    if (of_a.mean != 0) difference.percent = 100 * by / std::abs(of_a.mean);
    if (pairing == Pairing::kBySeed && a.size() == b.size()) {
        std::vector<double> changes(a.size());
        std::transform(b.begin(), b.end(), a.begin(), changes.begin(), std::minus<>());
        difference.interval = mean_interval(sample_of(changes));
    } else {
        difference.interval = welch_interval(of_a, of_b);
    }
    if (std::equal(a.begin(), a.end(), b.begin(), b.end()) || (by == 0 && difference.interval.value_or(0) == 0)) {
        difference.noise = Noise::kEqual;
    } else if (difference.interval) {
        difference.noise = std::abs(by) > *difference.interval ? Noise::kBeyond : Noise::kWithin;
    }
    return difference;
}

std::vector<std::pair<std::string, std::string>> configuration_of(const Point& point)
{
    const RunRecord& record = point.record;
    std::vector<std::pair<std::string, std::string>> all{
        {"model", point.header.model}, {"program", record.workload}, {"library", record.library}};
    for (const ParameterRow& row : record.workload_options) all.emplace_back("option " + row.key, row.value);
    for (const ParameterRow& row : record.library_options) all.emplace_back("library option " + row.key, row.value);
    for (const ParameterRow& row : record.parameters) all.emplace_back(row.key, row.value);
    return all;
}

std::string identity_of(const RunRecord& record)
{
    std::string text = record.workload + '\n' + record.library + '\n';
    const auto add = [&](char what, const std::vector<ParameterRow>& rows) {
        std::vector<std::string> lines;
        for (const ParameterRow& row : rows) {
            // That are all, the machine tells: former versions wrote "all", not their number
            if (row.key == "ranks" && record.request.workload.find("ranks=") == std::string::npos) continue;
            lines.push_back(fmt::format("{} {}={}\n", what, row.key, row.value));
        }
        std::ranges::sort(lines);
        for (const std::string& line : lines) text += line;
    };
    add('o', record.workload_options);
    add('l', record.library_options);
    add('p', record.parameters);
    return text;
}

std::vector<ConfigurationDifference> configuration_differences(std::span<const Point* const> points)
{
    std::vector<ConfigurationDifference> all;
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (auto& [name, value] : configuration_of(*points[i])) {
            const auto [place, is_new] = places.emplace(name, all.size());
            if (is_new) all.push_back({name, std::vector<std::string>(points.size(), kAbsentValue)});
            if (!value.empty()) all[place->second].values[i] = std::move(value);
        }
    }
    ConfigurationDifference platforms{.name = "platform", .values = {}};
    for (const Point* const point : points) {
        platforms.values.push_back(point->header.key.empty() ? kAbsentValue : point->record.request.platform);
    }
    std::erase_if(all, [](const ConfigurationDifference& each) {
        return std::ranges::all_of(each.values,
                                   [&each](const std::string& value) { return value == each.values.front(); });
    });
    // Takes out what some points have not, and whose value these names say in each of the others
    const auto drop_followers = [&all](const std::vector<std::string>& names, const auto& is_meant) {
        return std::erase_if(all, [&](const ConfigurationDifference& each) {
            if (!is_meant(each) || std::ranges::find(each.values, kAbsentValue) == each.values.end()) return false;
            std::map<std::string, std::string> by_name;
            for (std::size_t i = 0; i < names.size(); ++i) {
                if (by_name.try_emplace(names[i], each.values[i]).first->second != each.values[i]) return false;
            }
            return true;
        });
    };
    if (drop_followers(platforms.values, std::mem_fn(&ConfigurationDifference::is_parameter)) == 0) return all;
    if (const auto library = std::ranges::find(all, "library", &ConfigurationDifference::name); library != all.end()) {
        drop_followers(std::vector(library->values),
                       [](const ConfigurationDifference& each) { return each.name.starts_with("library option "); });
    }
    all.insert(all.begin(), std::move(platforms));
    return all;
}

}  // namespace ringmesh::lab
