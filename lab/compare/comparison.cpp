// SPDX-License-Identifier: Apache-2.0
#include "lab/compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "lab/table/results.h"
#include "lab/table/welch.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;
using workloads::Results;

/// The difference of the cells that the repetitions have.
ValueDifference difference_of(const std::vector<Cell>& a, const std::vector<Cell>& b)
{
    ValueDifference value{.place = {}, .row = {}, .name = {}, .unit = {}, .a = a.front(), .b = b.front()};
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
        const auto is_first = [&a](const Cell& cell) { return cell == a.front(); };
        const bool equal = std::all_of(a.begin(), a.end(), is_first) && std::all_of(b.begin(), b.end(), is_first);
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
        const auto found = std::find_if(results.columns.begin(), results.columns.end(),
                                        [&column](const auto& each) { return each.name == column; });
        const bool there = found != results.columns.end() && row < results.rows.size();
        cells.push_back(there ? results.rows[row][static_cast<std::size_t>(found - results.columns.begin())]
                              : Cell(std::monostate()));
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
            ValueDifference value = difference_of(a, cells_of(place.b, *others[row], column.name));
            value.place = place.title;
            value.row = label;
            value.name = column.name;
            value.unit = column.unit;
            comparison.results.push_back(std::move(value));
        }
    }
    if (missing > 0) {
        comparison.notes.push_back(fmt::format("{}: {} of {} {} not in {}", place.title, counted(missing, "row"),
                                               comparison.b, missing == 1 ? "is" : "are", comparison.a));
    }
}

void compare_statistics(const ComparedPlace& place, Comparison& comparison)
{
    struct Sides {
        std::string unit;
        std::vector<Cell> a, b;
    };
    std::map<std::pair<std::string, std::string>, Sides> sides;
    std::vector<decltype(sides)::value_type*> in_order;
    const auto collect = [&](const std::vector<Point>& points, std::vector<Cell> Sides::*side) {
        for (const Point& point : points) {
            for (const StatisticRow& statistic : point.record.outcome.statistics) {
                const auto [found, is_new] =
                    sides.try_emplace({statistic.blocks, statistic.name}, Sides{statistic.unit, {}, {}});
                if (is_new) in_order.push_back(&*found);
                (found->second.*side).emplace_back(statistic.mean);
            }
        }
    };
    collect(place.a, &Sides::a);
    collect(place.b, &Sides::b);
    for (auto* each : in_order) {
        auto& [name, values] = *each;
        if (values.a.empty()) values.a.emplace_back(std::monostate());
        if (values.b.empty()) values.b.emplace_back(std::monostate());
        ValueDifference value = difference_of(values.a, values.b);
        value.place = place.title;
        value.row = name.first;
        value.name = name.second;
        value.unit = values.unit;
        comparison.statistics.push_back(std::move(value));
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
    return comparison;
}

}  // namespace ringmesh::lab
