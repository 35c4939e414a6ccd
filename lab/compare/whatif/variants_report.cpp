// SPDX-License-Identifier: Apache-2.0
#include "lab/compare/whatif/variants_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "lab/compare/whatif/error_bars.h"
#include "lab/table/text_table.h"
#include "tlm/parameter_list.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;

constexpr const char* kAbsent = "-";

std::string with_unit(const std::string& text, const std::string& unit)
{
    return unit.empty() ? text : text + ' ' + unit;
}

/// Of the place, in the table.
std::string cell_of(const Dimension& dimension, std::size_t value)
{
    const Cell& cell = dimension.values[value];
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) return with_thousands(*integer);
    if (const auto* number = std::get_if<double>(&cell)) return number_text(*number);
    return std::get<std::string>(cell);
}

/// A list may be long; JSON has all of it.
std::string shortened(const std::string& value)
{
    constexpr std::size_t kMost = 24;
    return value.size() <= kMost ? value : value.substr(0, kMost - 3) + "...";
}

std::string changes_text(const VariantReport& report, Room room)
{
    std::vector<TableColumn> columns{{"what"}};
    std::vector<std::vector<std::pair<std::string, std::string>>> all;
    std::vector<std::string> names;
    for (const Point& point : report.examples) {
        all.push_back(configuration_of(point));
        if (point.header.key.empty()) all.back().clear();  // it has no results
        for (const auto& [name, value] : all.back()) {
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
        }
    }
    for (const std::string& variant : report.comparison.variants) columns.push_back({variant});
    TextTable table(columns);
    for (const std::string& name : names) {
        std::vector<std::string> cells{name};
        for (const auto& configuration : all) {
            const auto found = std::find_if(configuration.begin(), configuration.end(),
                                            [&name](const auto& each) { return each.first == name; });
            cells.push_back(found == configuration.end() || found->second.empty() ? kAbsent : found->second);
        }
        const bool differs =
            std::any_of(cells.begin() + 1, cells.end(), [&cells](const auto& cell) { return cell != cells[1]; });
        if (!differs) continue;
        for (std::size_t i = 1; i < cells.size(); ++i) cells[i] = shortened(cells[i]);
        table.row(std::move(cells));
    }
    if (report.comparison.variants.size() < 2) return {};
    return "what is changed\n\n" + (table.empty() ? "nothing\n" : table.text(0, room)) + '\n';
}

/// The mean, interval, change and its interval as texts of one table: with as many decimals everywhere.
class Numbers {
public:
    explicit Numbers(const VariantComparison& comparison)
    {
        std::vector<double> means;
        for (const VariantPlace& place : comparison.places) {
            for (const Contender& each : place.variants) {
                if (each.measured()) means.push_back(each.sample.mean);
            }
        }
        decimals_ = decimals_for(means);
    }

    std::string mean(const Contender& each) const
    {
        return each.measured() ? with_thousands(each.sample.mean, decimals_) : kAbsent;
    }
    std::string interval(const Contender& each) const
    {
        return each.interval ? with_thousands(*each.interval, decimals_) : kAbsent;
    }
    static std::string change(const Contender& each)
    {
        if (!each.change.percent) return kAbsent;
        // The mark stands beside the digits, a blank keeps the others in line
        return fmt::format("{:+.2f}{}", *each.change.percent, each.change.noise == Noise::kWithin ? "~" : " ");
    }
    static std::string change_interval(const Contender& base, const Contender& each)
    {
        if (!each.change.interval || base.sample.mean == 0) return kAbsent;
        return fmt::format("{:.2f}", 100 * *each.change.interval / std::abs(base.sample.mean));
    }

private:
    int decimals_ = 0;
};

std::vector<TableColumn> dimension_columns(const VariantComparison& comparison)
{
    std::vector<TableColumn> columns;
    for (const Dimension& dimension : comparison.dimensions) {
        columns.push_back({dimension.name, dimension.is_number() ? Align::kRight : Align::kLeft, dimension.unit});
    }
    return columns;
}

std::vector<std::string> dimension_cells(const VariantComparison& comparison, const VariantPlace& place)
{
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < place.at.size(); ++i) cells.push_back(cell_of(comparison.dimensions[i], place.at[i]));
    return cells;
}

/// A row for each place, variants side by side.
TextTable wide_table(const VariantComparison& comparison)
{
    const Numbers numbers(comparison);
    auto columns = dimension_columns(comparison);
    for (std::size_t i = 0; i < comparison.variants.size(); ++i) {
        columns.push_back({comparison.variants[i], Align::kRight, comparison.by.unit});
        if (comparison.repeated) columns.push_back({"+-", Align::kRight, comparison.by.unit});
        if (i > 0) columns.push_back({"change", Align::kRight, "% "});
        if (i > 0 && comparison.repeated) columns.push_back({"+-", Align::kRight, "%"});
    }
    TextTable table(columns);
    for (const VariantPlace& place : comparison.places) {
        auto cells = dimension_cells(comparison, place);
        for (std::size_t i = 0; i < place.variants.size(); ++i) {
            const Contender& each = place.variants[i];
            cells.push_back(numbers.mean(each));
            if (comparison.repeated) cells.push_back(numbers.interval(each));
            if (i > 0) cells.push_back(Numbers::change(each));
            if (i > 0 && comparison.repeated) {
                cells.push_back(Numbers::change_interval(place.variants.front(), each));
            }
        }
        table.row(std::move(cells));
    }
    return table;
}

/// A row for each place and variant.
TextTable long_table(const VariantComparison& comparison)
{
    const Numbers numbers(comparison);
    auto columns = dimension_columns(comparison);
    columns.push_back({"variant"});
    columns.push_back({comparison.by.name, Align::kRight, comparison.by.unit});
    if (comparison.repeated) columns.push_back({"+-", Align::kRight, comparison.by.unit});
    columns.push_back({"change", Align::kRight, "% "});
    if (comparison.repeated) columns.push_back({"+-", Align::kRight, "%"});
    TextTable table(columns);
    for (const VariantPlace& place : comparison.places) {
        for (std::size_t i = 0; i < place.variants.size(); ++i) {
            const Contender& each = place.variants[i];
            auto cells = dimension_cells(comparison, place);
            if (i > 0) std::fill(cells.begin(), cells.end(), "");
            cells.push_back(comparison.variants[i]);
            cells.push_back(numbers.mean(each));
            if (comparison.repeated) cells.push_back(numbers.interval(each));
            cells.push_back(Numbers::change(each));
            if (comparison.repeated) cells.push_back(Numbers::change_interval(place.variants.front(), each));
            table.row(std::move(cells));
        }
    }
    return table;
}

std::size_t fewest_runs(const VariantComparison& comparison)
{
    std::size_t fewest = SIZE_MAX;
    for (const VariantPlace& place : comparison.places) {
        for (const Contender& each : place.variants) {
            if (each.measured()) fewest = std::min(fewest, each.values.size());
        }
    }
    return fewest;
}

std::string table_text(const VariantComparison& comparison, Room room)
{
    std::string text = wide_table(comparison).text(0, room.prose());
    if (widest_line(text) > room.prose()) text = long_table(comparison).text(0, room);
    std::string below;
    if (comparison.repeated) {
        below = fmt::format("Means of {} runs, each with a seed of its own, the same for all variants",
                            fewest_runs(comparison));
        below += comparison.variants.size() > 1
                     ? "; +-: half the 95 % interval, of a change by pairs of one seed; ~: within the noise."
                     : "; +-: half the 95 % interval.";
    } else {
        below = "One run of each point: --repeat 5 shows which differences exceed the noise of other seeds.";
    }
    return text + '\n' + wrapped(below, 0, room.prose()) + '\n';
}

/// "smaller is better"
std::string better_text(const std::optional<Better>& better)
{
    if (!better) return "neither time nor rate (--smaller or --larger says what is better)";
    return *better == Better::kSmaller ? "smaller is better" : "larger is better";
}

}  // namespace

std::string variants_text(const VariantReport& report, Room room)
{
    const VariantComparison& comparison = report.comparison;
    std::string text = wrapped(fmt::format("what if, {}; by {}{}, {}", report.title, comparison.by.name,
                                           comparison.by_was_chosen ? " (--by names another result)" : "",
                                           better_text(comparison.better)),
                               0, room.prose()) +
                       "\n\n";
    text += changes_text(report, room);
    const auto& columns = comparison.by;
    text += fmt::format("{}{}\n\n", with_unit(columns.name, columns.unit.empty() ? "" : "in " + columns.unit),
                        comparison.everywhere.empty() ? "" : ", at " + comparison.everywhere);
    text += table_text(comparison, room);
    text += crossovers_text(comparison, report.families, room);
    if (report.error_bars) text += '\n' + error_bars_text(*report.error_bars, room);
    return text;
}

}  // namespace ringmesh::lab
