// SPDX-License-Identifier: Apache-2.0
#include "lab/whatif/variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <utility>

#include "lab/study/points.h"
#include "tlm/error.h"
#include "tlm/parameter_list.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;
using workloads::Column;
using workloads::Results;

constexpr std::size_t kVariant = 1;
constexpr std::size_t kAxes = 4;  // behind point, variant, repetition, seed

bool is_time(const Column& column)
{
    constexpr std::array<std::string_view, 5> kTimes{"ns", "us", "ms", "s", "cycles"};
    return std::find(kTimes.begin(), kTimes.end(), column.unit) != kTimes.end() || column.name.ends_with("_cycles");
}

bool is_rate(const Column& column)
{
    return column.unit.ends_with("/s") || column.unit.ends_with("/cycle") || column.name.ends_with("_load");
}

std::optional<double> number_of(const Cell& cell)
{
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*integer);
    if (const auto* number = std::get_if<double>(&cell)) return *number;
    return std::nullopt;
}

/// Rows of a table of points, and which columns name them.
class Rows {
public:
    Rows(const StudyTest& test, const Results& table) : test_(test), table_(table), program_(kAxes + test.axes.size())
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

    std::span<const Column> columns() const { return std::span(table_.columns).subspan(program_); }
    const Cell& cell(std::size_t row, std::size_t column) const { return table_.rows[row][program_ + column]; }
    const std::vector<std::pair<std::size_t, std::size_t>>& runs() const { return runs_; }

    std::vector<std::string> numeric() const
    {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < columns().size(); ++i) {
            if (holds_numbers(i)) names.push_back(columns()[i].name);
        }
        return names;
    }

    /// The column that is asked for. @throws UserError
    std::size_t asked(const std::string& by) const
    {
        const auto all = columns();
        const std::string known = fmt::format("{}", fmt::join(numeric(), ", "));
        if (by.empty()) {
            // What is offered was put in
            for (std::size_t i = 0; i < all.size(); ++i) {
                const bool chosen = (is_time(all[i]) || is_rate(all[i])) && !all[i].name.starts_with("offered");
                if (chosen && holds_numbers(i)) return i;
            }
            throw UserError(fmt::format("whatif: {} measures neither a time nor a rate; write --by COLUMN: {}",
                                        test_.program.text, known));
        }
        const auto found = std::find_if(all.begin(), all.end(), [&by](const Column& each) { return each.name == by; });
        if (found == all.end()) {
            throw UserError(
                fmt::format("whatif: --by {}: is no result of {}; known: {}", by, test_.program.text, known));
        }
        const auto place = static_cast<std::size_t>(found - all.begin());
        if (holds_numbers(place)) return place;
        throw UserError(fmt::format("whatif: --by {}: is no number in the results of {}; choose one of: {}", by,
                                    test_.program.text, known));
    }

    /// How many leading columns tell the rows of a run apart: names, so they end before numbers with fractions.
    /// @return with whether they do
    std::pair<std::size_t, bool> keys(std::size_t by) const
    {
        std::size_t most = 0;
        while (most < by && is_name(most)) ++most;
        for (std::size_t count = 0; count <= most; ++count) {
            if (tells_apart(count)) return {count, true};
        }
        return {most, false};
    }

    const std::string& variant(std::size_t row) const { return std::get<std::string>(table_.rows[row][kVariant]); }
    const std::string& point(std::size_t row) const { return std::get<std::string>(table_.rows[row][0]); }
    const Cell& axis(std::size_t row, std::size_t axis) const { return table_.rows[row][kAxes + axis]; }

private:
    bool same_run(const std::vector<Cell>& a, const std::vector<Cell>& b) const
    {
        return std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(program_), b.begin());
    }

    /// Numbers, and places where nothing was measured.
    bool holds_numbers(std::size_t column) const
    {
        bool any = false;
        for (std::size_t row = 0; row < table_.rows.size(); ++row) {
            if (std::holds_alternative<std::string>(cell(row, column))) return false;
            any = any || number_of(cell(row, column));
        }
        return any;
    }

    bool is_name(std::size_t column) const
    {
        for (std::size_t row = 0; row < table_.rows.size(); ++row) {
            const Cell& here = cell(row, column);
            if (std::holds_alternative<double>(here) || std::holds_alternative<std::monostate>(here)) return false;
        }
        return true;
    }

    bool tells_apart(std::size_t count) const
    {
        return std::all_of(runs_.begin(), runs_.end(), [&](const auto& run) {
            std::map<std::vector<Cell>, std::size_t> seen;
            for (std::size_t row = run.first; row < run.second; ++row) {
                std::vector<Cell> names;
                for (std::size_t column = 0; column < count; ++column) names.push_back(cell(row, column));
                if (!seen.emplace(std::move(names), row).second) return false;
            }
            return true;
        });
    }

    const StudyTest& test_;
    const Results& table_;
    std::size_t program_;
    std::vector<std::pair<std::size_t, std::size_t>> runs_;  ///< first row, and behind the last
};

/// The axes with their units; those that go in step in one group.
std::vector<Dimension> axes_of(const StudyTest& test)
{
    std::vector<Dimension> dimensions;
    for (std::size_t i = 0; i < test.axes.size(); ++i) {
        const std::string& name = test.axes[i].name;
        std::string unit = column_of(test.axes[i]).name.substr(name.size());
        if (!unit.empty()) unit.erase(0, 1);  // "_ns"
        if (unit == "mhz") unit = "MHz";
        dimensions.push_back({.name = name, .unit = unit, .values = {}, .group = i});
        for (const auto& names : test.together) {
            if (std::find(names.begin(), names.end(), name) == names.end()) continue;
            const auto first = std::find_if(dimensions.begin(), dimensions.end(), [&names](const Dimension& other) {
                return std::find(names.begin(), names.end(), other.name) != names.end();
            });
            dimensions.back().group = first->group;
        }
    }
    return dimensions;
}

/// Its place among the values; a new one is added.
std::size_t place_of(std::vector<Cell>& values, const Cell& value)
{
    const auto found = std::find(values.begin(), values.end(), value);
    if (found == values.end()) values.push_back(value);
    return static_cast<std::size_t>(std::find(values.begin(), values.end(), value) - values.begin());
}

/// Takes out what is the same everywhere.
void drop_single_values(VariantComparison& comparison)
{
    for (std::size_t i = comparison.dimensions.size(); i-- > 0;) {
        const Dimension& dimension = comparison.dimensions[i];
        if (dimension.values.size() > 1) continue;
        const std::string text = fmt::format("{}={}", dimension.name, dimension.text(0));
        comparison.everywhere = comparison.everywhere.empty() ? text : text + ", " + comparison.everywhere;
        comparison.dimensions.erase(comparison.dimensions.begin() + static_cast<std::ptrdiff_t>(i));
        for (VariantPlace& place : comparison.places) place.at.erase(place.at.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

void evaluate(VariantComparison& comparison)
{
    for (VariantPlace& place : comparison.places) {
        const Contender& base = place.variants.front();
        for (Contender& contender : place.variants) {
            if (!contender.measured()) continue;
            contender.sample = sample_of(contender.values);
            contender.interval = mean_interval(contender.sample);
            comparison.repeated = comparison.repeated || contender.values.size() > 1;
            if (&contender == &base || !base.measured()) continue;
            contender.change = mean_difference(base.values, contender.values);
        }
    }
}

/// @throws UserError unless two variants have results at one place
void require_rivals(const StudyTest& test, const VariantComparison& comparison)
{
    if (test.variants.size() < 2) return;
    const bool any = std::any_of(comparison.places.begin(), comparison.places.end(), [](const VariantPlace& place) {
        return std::count_if(place.variants.begin(), place.variants.end(),
                             [](const Contender& each) { return each.measured(); }) > 1;
    });
    if (any) return;
    throw UserError(
        fmt::format("whatif: no two of the variants {} have results in the same place; give all of them "
                    "points that run, and leave out a --where that parts them",
                    fmt::join(comparison.variants, ", ")));
}

}  // namespace

bool Dimension::is_number() const
{
    return std::none_of(values.begin(), values.end(),
                        [](const Cell& cell) { return std::holds_alternative<std::string>(cell); });
}

std::string Dimension::text(std::size_t value) const
{
    const Cell& cell = values[value];
    if (const auto* word = std::get_if<std::string>(&cell)) return *word;
    const auto* integer = std::get_if<std::int64_t>(&cell);
    return (integer != nullptr ? std::to_string(*integer) : number_text(std::get<double>(cell))) +
           (unit.empty() ? "" : " " + unit);
}

VariantComparison compare_variants(const StudyTest& test, const Results& table, const VariantQuestion& question)
{
    const Rows rows(test, table);
    const std::size_t by = rows.asked(question.by);
    const auto [keys, told_apart] = rows.keys(by);
    VariantComparison comparison{.by = rows.columns()[by],
                                 .by_was_chosen = question.by.empty(),
                                 .better = question.better,
                                 .dimensions = axes_of(test)};
    if (!comparison.better && is_time(comparison.by)) comparison.better = Better::kSmaller;
    if (!comparison.better && is_rate(comparison.by)) comparison.better = Better::kLarger;
    for (const Variant& variant : test.variants) comparison.variants.push_back(variant.name);
    for (std::size_t key = 0; key < keys; ++key) {
        const Column& column = rows.columns()[key];
        comparison.dimensions.push_back({.name = column.name,
                                         .unit = column.unit,
                                         .values = {},
                                         .group = comparison.dimensions.size(),
                                         .of_rows = true});
    }
    if (!told_apart) {
        comparison.dimensions.push_back(
            {.name = "row", .unit = "", .values = {}, .group = comparison.dimensions.size(), .of_rows = true});
    }

    std::map<std::vector<std::size_t>, std::size_t> places;
    for (const auto& [begin, end] : rows.runs()) {
        std::map<std::vector<std::size_t>, std::int64_t> seen;
        for (std::size_t row = begin; row < end; ++row) {
            std::vector<std::size_t> at;
            for (std::size_t axis = 0; axis < test.axes.size(); ++axis) {
                at.push_back(place_of(comparison.dimensions[axis].values, rows.axis(row, axis)));
            }
            for (std::size_t key = 0; key < keys; ++key) {
                at.push_back(place_of(comparison.dimensions[test.axes.size() + key].values, rows.cell(row, key)));
            }
            if (!told_apart) {
                const std::int64_t nth = ++seen[at];
                at.push_back(place_of(comparison.dimensions.back().values, nth));
            }
            const auto [found, added] = places.emplace(at, comparison.places.size());
            if (added) {
                comparison.places.push_back({at, std::vector<Contender>(comparison.variants.size())});
            }
            const auto variant = std::find(comparison.variants.begin(), comparison.variants.end(), rows.variant(row));
            Contender& contender = comparison.places[found->second]
                                       .variants[static_cast<std::size_t>(variant - comparison.variants.begin())];
            if (const auto number = number_of(rows.cell(row, by))) {
                contender.points.push_back(rows.point(row));
                contender.values.push_back(*number);
            }
        }
    }
    drop_single_values(comparison);
    evaluate(comparison);
    require_rivals(test, comparison);
    return comparison;
}

}  // namespace ringmesh::lab
