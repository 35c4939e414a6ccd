// SPDX-License-Identifier: Apache-2.0
#include "lab/compare/whatif/point_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <variant>

#include "lab/compare/comparison.h"
#include "tlm/error.h"
#include "tlm/parameters/names.h"
#include "workloads/traffic/measurements/latency_series.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;
using workloads::Column;
using workloads::Results;

}  // namespace

PointRows::PointRows(const StudyTest& test, const Results& table, const PointLayout& layout)
    : test_(test), table_(table), layout_(layout)
{
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const bool goes_on = !runs_.empty() && same_run(table.rows[i - 1], table.rows[i]);
        if (goes_on) {
            ++runs_.back().second;
        } else {
            runs_.emplace_back(i, i + 1);
        }
    }
}

std::vector<std::string> PointRows::numeric() const
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < columns().size(); ++i) {
        if (holds_numbers(i)) names.push_back(columns()[i].name);
    }
    return names;
}

std::optional<std::size_t> PointRows::first_measured() const
{
    const auto all = columns();
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (is_measured(all[i]) && holds_numbers(i)) return i;
    }
    return std::nullopt;
}

std::size_t PointRows::asked(const std::string& by, std::string_view who) const
{
    const auto all = columns();
    const std::vector<std::string> known = numeric();
    if (by.empty()) {
        if (const auto first = first_measured()) return *first;
        throw UserError(fmt::format("{}: {} measures neither a time nor a rate; write --by COLUMN: {}", who,
                                    test_.program.text, fmt::join(known, ", ")));
    }
    const auto found = std::ranges::find(all, by, &Column::name);
    if (found == all.end()) {
        throw UserError(
            fmt::format("{}: --by {}: is no result of {}{}", who, by, test_.program.text, suggestion(by, known)));
    }
    const auto place = static_cast<std::size_t>(found - all.begin());
    if (holds_numbers(place)) return place;
    throw UserError(fmt::format("{}: --by {}: is no number in the results of {}; choose one of: {}", who, by,
                                test_.program.text, fmt::join(known, ", ")));
}

std::pair<std::size_t, bool> PointRows::keys(std::size_t by) const
{
    std::size_t most = 0;
    while (most < by && is_name(most)) ++most;
    for (std::size_t count = 0; count <= most; ++count) {
        if (tells_apart(count)) return {count, true};
    }
    return {most, false};
}

const std::string& PointRows::variant(std::size_t row) const
{
    return std::get<std::string>(table_.rows[row][layout_.variant]);
}

const std::string& PointRows::point(std::size_t row) const
{
    return std::get<std::string>(table_.rows[row][layout_.key]);
}

const Cell& PointRows::doubt(std::size_t row) const
{
    static const Cell none = std::monostate();
    return layout_.doubt ? table_.rows[row][*layout_.doubt] : none;
}

const Cell& PointRows::axis(std::size_t row, std::size_t axis) const { return table_.rows[row][layout_.axes + axis]; }

bool PointRows::same_run(const std::vector<Cell>& a, const std::vector<Cell>& b) const
{
    return std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(layout_.program), b.begin());
}

bool PointRows::holds_numbers(std::size_t column) const
{
    bool any = false;
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
        if (std::holds_alternative<std::string>(cell(row, column))) return false;
        any = any || number_of(cell(row, column));
    }
    return any;
}

bool PointRows::is_name(std::size_t column) const
{
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
        const Cell& here = cell(row, column);
        if (std::holds_alternative<double>(here) || std::holds_alternative<std::monostate>(here)) return false;
    }
    return true;
}

bool PointRows::tells_apart(std::size_t count) const
{
    return std::ranges::all_of(runs_, [&](const auto& run) {
        std::set<std::vector<Cell>> seen;
        for (std::size_t row = run.first; row < run.second; ++row) {
            std::vector<Cell> names;
            for (std::size_t column = 0; column < count; ++column) names.push_back(cell(row, column));
            if (!seen.insert(std::move(names)).second) return false;
        }
        return true;
    });
}

bool is_doubted(const Column& column, std::string_view doubt)
{
    const bool of_latencies = doubt == workloads::kSaturated || doubt == workloads::kNotSettled;
    return !doubt.empty() && !(of_latencies && is_rate(column));
}

}  // namespace ringmesh::lab
