// SPDX-License-Identifier: Apache-2.0
#include "lab/compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "lab/table/text_table.h"
#include "lab/table/welch.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;
using workloads::Results;

std::string text_of(const Cell& cell)
{
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) return std::to_string(*integer);
    if (const auto* number = std::get_if<double>(&cell)) return number_text(*number);
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    return "-";
}

std::optional<double> number_of(const Cell& cell)
{
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*integer);
    if (const auto* number = std::get_if<double>(&cell)) return *number;
    return std::nullopt;
}

const Cell kNothing = std::monostate();

/// The difference of the cells that the repetitions have.
ValueDifference difference_of(const std::vector<Cell>& a, const std::vector<Cell>& b)
{
    ValueDifference difference;
    difference.a = a.front();
    difference.b = b.front();
    std::vector<double> numbers_a;
    std::vector<double> numbers_b;
    for (const Cell& cell : a) {
        if (const auto number = number_of(cell)) numbers_a.push_back(*number);
    }
    for (const Cell& cell : b) {
        if (const auto number = number_of(cell)) numbers_b.push_back(*number);
    }
    if (numbers_a.size() != a.size() || numbers_b.size() != b.size()) {  // texts, or there are none
        const auto is_first = [&a](const Cell& cell) { return cell == a.front(); };
        const bool equal = std::all_of(a.begin(), a.end(), is_first) && std::all_of(b.begin(), b.end(), is_first);
        difference.noise = equal ? Noise::kEqual : Noise::kUnknown;
        return difference;
    }
    if (a.size() > 1) difference.a = sample_of(numbers_a).mean;
    if (b.size() > 1) difference.b = sample_of(numbers_b).mean;
    const MeanDifference means = mean_difference(numbers_a, numbers_b);
    difference.percent = means.percent;
    difference.interval = means.interval;
    difference.noise = means.noise;
    return difference;
}

/// "size_bytes=64": the whole numbers and texts with which a row begins.
std::string label_of(const Results& results, std::size_t row)
{
    std::string label;
    for (std::size_t i = 0; i < results.columns.size(); ++i) {
        const Cell& cell = results.rows[row][i];
        if (std::holds_alternative<double>(cell) || std::holds_alternative<std::monostate>(cell)) break;
        label += fmt::format("{}{}={}", label.empty() ? "" : ", ", results.columns[i].name, text_of(cell));
    }
    return label;
}

/// The row with the label; the n-th of them is that of the n-th.
std::optional<std::size_t> row_with(const Results& results, const std::string& label, std::size_t nth)
{
    for (std::size_t row = 0; row < results.rows.size(); ++row) {
        if (label_of(results, row) == label && nth-- == 0) return row;
    }
    return std::nullopt;
}

std::vector<Cell> cells_of(const std::vector<Point>& points, std::size_t row, const std::string& column)
{
    std::vector<Cell> cells;
    for (const Point& point : points) {
        const Results& results = point.record.outcome.results;
        const auto found = std::find_if(results.columns.begin(), results.columns.end(),
                                        [&column](const auto& each) { return each.name == column; });
        const bool there = found != results.columns.end() && row < results.rows.size();
        cells.push_back(there ? results.rows[row][static_cast<std::size_t>(found - results.columns.begin())]
                              : kNothing);
    }
    return cells;
}

void compare_results(const ComparedPlace& place, Comparison& comparison)
{
    const Results& of_a = place.a.front().record.outcome.results;
    const Results& of_b = place.b.front().record.outcome.results;
    const bool by_place = of_a.rows.size() == of_b.rows.size();
    std::map<std::string, std::size_t> seen;
    std::size_t missing = by_place ? 0 : of_b.rows.size();
    for (std::size_t row = 0; row < of_a.rows.size(); ++row) {
        std::string label = label_of(of_a, row);
        const auto other = by_place ? std::optional(row) : row_with(of_b, label, seen[label]++);
        if (!other) {
            comparison.notes.push_back(fmt::format("{}: {} has no row {}", place.title, comparison.b, label));
            continue;
        }
        if (!by_place) --missing;
        const bool labelled = label == label_of(of_b, *other);
        if (!labelled) label = fmt::format("row {}", row + 1);
        bool leading = labelled;
        for (const workloads::Column& column : of_a.columns) {
            const auto a = cells_of(place.a, row, column.name);
            const auto b = cells_of(place.b, *other, column.name);
            leading = leading && !std::holds_alternative<double>(a.front()) &&
                      !std::holds_alternative<std::monostate>(a.front());
            if (leading) continue;
            ValueDifference difference = difference_of(a, b);
            difference.place = place.title;
            difference.row = label;
            difference.name = column.name;
            difference.unit = column.unit;
            comparison.results.push_back(std::move(difference));
        }
    }
    if (missing > 0) {
        comparison.notes.push_back(fmt::format("{}: {} of {} {} not in {}", place.title, counted(missing, "row"),
                                               comparison.b, missing == 1 ? "is" : "are", comparison.a));
    }
}

void compare_statistics(const ComparedPlace& place, Comparison& comparison)
{
    using Name = std::pair<std::string, std::string>;
    std::vector<Name> names;
    std::map<Name, std::pair<std::vector<Cell>, std::vector<Cell>>> cells;
    std::map<Name, std::string> units;
    const auto collect = [&](const std::vector<Point>& points, bool is_a) {
        for (const Point& point : points) {
            for (const StatisticRow& statistic : point.record.outcome.statistics) {
                const Name name{statistic.blocks, statistic.name};
                if (units.emplace(name, statistic.unit).second) names.push_back(name);
                (is_a ? cells[name].first : cells[name].second).emplace_back(statistic.mean);
            }
        }
    };
    collect(place.a, true);
    collect(place.b, false);
    for (const Name& name : names) {
        auto& [a, b] = cells[name];
        if (a.empty()) a.push_back(kNothing);
        if (b.empty()) b.push_back(kNothing);
        ValueDifference difference = difference_of(a, b);
        difference.place = place.title;
        difference.row = name.first;
        difference.name = name.second;
        difference.unit = units[name];
        comparison.statistics.push_back(std::move(difference));
    }
}

std::string seeds_of(const std::vector<Point>& points)
{
    std::vector<std::uint64_t> seeds;
    seeds.reserve(points.size());
    for (const Point& point : points) seeds.push_back(point.record.request.seed);
    std::sort(seeds.begin(), seeds.end());
    return fmt::format("{}", fmt::join(seeds, ","));
}

void compare_configuration(const ComparedPlace& place, Comparison& comparison)
{
    const auto add = [&comparison](const std::string& name, const std::string& a, const std::string& b) {
        auto& all = comparison.configuration;
        const bool known = std::any_of(all.begin(), all.end(), [&](const ConfigurationDifference& other) {
            return other.name == name && other.a == a && other.b == b;
        });
        if (a != b && !known) all.push_back({name, a, b});
    };
    const auto of_a = configuration_of(place.a.front());
    const auto of_b = configuration_of(place.b.front());
    const auto value_in = [](const auto& all, const std::string& name) -> std::string {
        const auto found =
            std::find_if(all.begin(), all.end(), [&name](const auto& each) { return each.first == name; });
        return found == all.end() || found->second.empty() ? "-" : found->second;
    };
    for (const auto& [name, value] : of_a) add(name, value_in(of_a, name), value_in(of_b, name));
    for (const auto& [name, value] : of_b) add(name, value_in(of_a, name), value_in(of_b, name));
    add("seed", seeds_of(place.a), seeds_of(place.b));
}

}  // namespace

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

Comparison compare(std::string a, std::string b, std::span<const ComparedPlace> places)
{
    Comparison comparison{.a = std::move(a), .b = std::move(b)};
    for (const ComparedPlace& place : places) {
        compare_configuration(place, comparison);
        compare_results(place, comparison);
        compare_statistics(place, comparison);
    }
    return comparison;
}

std::string identity_of(const RunRecord& record)
{
    std::string text = record.workload + '\n' + record.library + '\n';
    const auto add = [&text](char what, const std::vector<ParameterRow>& rows) {
        std::vector<std::string> lines;
        lines.reserve(rows.size());
        for (const ParameterRow& row : rows) lines.push_back(fmt::format("{} {}={}\n", what, row.key, row.value));
        std::sort(lines.begin(), lines.end());
        for (const std::string& line : lines) text += line;
    };
    add('o', record.workload_options);
    add('l', record.library_options);
    add('p', record.parameters);
    return text;
}

}  // namespace ringmesh::lab
