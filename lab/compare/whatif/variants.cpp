// SPDX-License-Identifier: Apache-2.0
#include "lab/compare/whatif/variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "lab/compare/whatif/point_rows.h"
#include "lab/study/points/points.h"
#include "tlm/error.h"
#include "tlm/parameters/parameter_list.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;
using workloads::Column;
using workloads::Results;

/// The column of programs of others, and what stands there for the whole program.
constexpr std::string_view kCall = "call";
constexpr std::string_view kWholeProgram = "all";

/// The axes with their units; those that go in step in one group.
std::vector<Dimension> axes_of(const StudyTest& test)
{
    std::vector<Dimension> dimensions;
    for (std::size_t i = 0; i < test.axes.size(); ++i) {
        const std::string& name = test.axes[i].name;
        dimensions.push_back({.name = name, .unit = column_of(test.axes[i]).unit, .values = {}, .group = i});
        for (const auto& names : test.together) {
            if (std::ranges::find(names, name) == names.end()) continue;
            const auto first = std::ranges::find_if(dimensions, [&names](const Dimension& other) {
                return std::ranges::find(names, other.name) != names.end();
            });
            dimensions.back().group = first->group;
        }
    }
    return dimensions;
}

/// The values of all dimensions, each with its place.
class ValuePlaces {
public:
    explicit ValuePlaces(std::vector<Dimension>& dimensions) : dimensions_(dimensions), places_(dimensions.size()) {}

    /// A new value is added.
    std::size_t operator()(std::size_t dimension, const Cell& value)
    {
        auto& values = dimensions_[dimension].values;
        const auto [found, is_new] = places_[dimension].emplace(value, values.size());
        if (is_new) values.push_back(value);
        return found->second;
    }

private:
    std::vector<Dimension>& dimensions_;
    std::vector<std::map<Cell, std::size_t>> places_;
};

bool has_rivals(const VariantPlace& place)
{
    return std::ranges::count_if(place.variants, [](const Contender& each) { return each.measured(); }) > 1;
}

/// Dimensions keep the values that a place has.
void drop_unused_values(VariantComparison& comparison)
{
    for (std::size_t i = 0; i < comparison.dimensions.size(); ++i) {
        auto& values = comparison.dimensions[i].values;
        std::map<std::size_t, std::size_t> kept;  // old places and new ones, in the old order
        for (const VariantPlace& place : comparison.places) kept.emplace(place.at[i], 0);
        std::vector<Cell> left;
        for (auto& [old, now] : kept) {
            now = left.size();
            left.push_back(std::move(values[old]));
        }
        values = std::move(left);
        for (VariantPlace& place : comparison.places) place.at[i] = kept[place.at[i]];
    }
}

/// The dimension of calls, if there is one.
std::optional<std::size_t> dimension_of_calls(const VariantComparison& comparison)
{
    const auto is_of_calls = [](const Dimension& each) { return each.of_rows && each.name == kCall; };
    const auto found = std::ranges::find_if(comparison.dimensions, is_of_calls);
    if (found == comparison.dimensions.end()) return std::nullopt;
    return static_cast<std::size_t>(found - comparison.dimensions.begin());
}

/// Takes out the places that one variant alone has, and the values of dimensions that only they had.
void drop_lone_places(VariantComparison& comparison)
{
    if (comparison.variants.size() < 2 || std::ranges::none_of(comparison.places, &has_rivals)) return;
    comparison.lone.assign(comparison.variants.size(), 0);
    for (const VariantPlace& place : comparison.places) {
        if (has_rivals(place)) continue;
        for (std::size_t i = 0; i < place.variants.size(); ++i) {
            if (place.variants[i].measured()) ++comparison.lone[i];
        }
    }
    std::erase_if(comparison.places, [](const VariantPlace& place) { return !has_rivals(place); });
    drop_unused_values(comparison);
}

/// Calls that take no time on any machine.
void drop_idle_calls(VariantComparison& comparison)
{
    const auto calls = dimension_of_calls(comparison);
    if (!calls || !is_time(comparison.by)) return;
    std::erase_if(comparison.places, [&](const VariantPlace& place) {
        if (comparison.dimensions[*calls].text(place.at[*calls]) == kWholeProgram) return false;
        return std::ranges::all_of(place.variants, [](const Contender& each) {
            return std::ranges::all_of(each.values, [](double value) { return value == 0; });
        });
    });
    drop_unused_values(comparison);
}

/// Takes out what is the same everywhere.
void drop_single_values(VariantComparison& comparison)
{
    for (std::size_t i = comparison.dimensions.size(); i-- > 0;) {
        const Dimension& dimension = comparison.dimensions[i];
        if (dimension.values.size() > 1) continue;
        if (const std::string value = dimension.text(0); !value.empty()) {  // lines of numbers alone have no words
            const std::string text = fmt::format("{}={}", dimension.name, value);
            comparison.everywhere = comparison.everywhere.empty() ? text : text + ", " + comparison.everywhere;
        }
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
            contender.change = mean_difference(base.values, contender.values, Pairing::kBySeed);
        }
    }
}

/// @throws UserError unless two variants have results at one place
void require_rivals(const StudyTest& test, const VariantComparison& comparison)
{
    if (test.variants.size() < 2) return;
    if (std::ranges::any_of(comparison.places, &has_rivals)) return;
    throw UserError(
        fmt::format("whatif: no two of the variants {} have results in the same place; give all of them "
                    "points that run, and leave out a --where that parts them",
                    fmt::join(comparison.variants, ", ")));
}

}  // namespace

bool Dimension::is_number() const
{
    return std::ranges::none_of(values, [](const Cell& cell) { return std::holds_alternative<std::string>(cell); });
}

std::string Dimension::text(std::size_t value) const
{
    const Cell& cell = values[value];
    if (const auto* word = std::get_if<std::string>(&cell)) return *word;
    const auto* integer = std::get_if<std::int64_t>(&cell);
    return (integer != nullptr ? std::to_string(*integer) : number_text(std::get<double>(cell))) +
           (unit.empty() ? "" : " " + unit);
}

VariantComparison of_whole_programs(VariantComparison comparison)
{
    const auto calls = dimension_of_calls(comparison);
    const auto is_of_a_call = [&](const VariantPlace& place) {
        return comparison.dimensions[*calls].text(place.at[*calls]) != kWholeProgram;
    };
    // A number of calls, or of their bytes, is no sum
    if (!calls || !is_time(comparison.by) || std::ranges::all_of(comparison.places, is_of_a_call)) return comparison;
    std::erase_if(comparison.places, is_of_a_call);
    drop_unused_values(comparison);
    drop_single_values(comparison);
    return comparison;
}

VariantComparison compare_variants(const StudyTest& test, const Results& whole, const VariantQuestion& question)
{
    const bool of_runs = question.by.empty() || question.by == kEndOfRank;  // each ends with its last rank
    const auto of_last_ranks = of_runs ? rows_of_last_ranks(whole) : std::nullopt;
    const Results& table = of_last_ranks ? *of_last_ranks : whole;
    const PointRows rows(test, table);
    const std::size_t by = rows.asked(question.by, "whatif");
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

    ValuePlaces place_of(comparison.dimensions);
    std::map<std::string, std::size_t> variants;
    for (const std::string& name : comparison.variants) variants.emplace(name, variants.size());
    std::map<std::vector<std::size_t>, std::size_t> places;
    for (const auto& [begin, end] : rows.runs()) {
        std::map<std::vector<std::size_t>, std::int64_t> seen;
        for (std::size_t row = begin; row < end; ++row) {
            std::vector<std::size_t> at;
            for (std::size_t axis = 0; axis < test.axes.size(); ++axis) {
                at.push_back(place_of(axis, rows.axis(row, axis)));
            }
            for (std::size_t key = 0; key < keys; ++key) {
                at.push_back(place_of(test.axes.size() + key, rows.cell(row, key)));
            }
            if (!told_apart) {
                const std::int64_t nth = ++seen[at];
                at.push_back(place_of(at.size(), nth));
            }
            const auto [found, added] = places.emplace(at, comparison.places.size());
            if (added) comparison.places.push_back({at, std::vector<Contender>(comparison.variants.size())});
            Contender& contender = comparison.places[found->second].variants[variants.at(rows.variant(row))];
            if (const auto number = number_of(rows.cell(row, by))) {
                contender.points.push_back(rows.point(row));
                contender.values.push_back(*number);
                const auto* const doubt = std::get_if<std::string>(&rows.doubt(row));
                if (doubt && contender.doubt.empty() && is_doubted(comparison.by, *doubt)) {
                    contender.doubt = *doubt;
                    comparison.doubted = true;
                }
            }
        }
    }
    drop_lone_places(comparison);
    drop_idle_calls(comparison);
    drop_single_values(comparison);
    evaluate(comparison);
    require_rivals(test, comparison);
    return comparison;
}

}  // namespace ringmesh::lab
