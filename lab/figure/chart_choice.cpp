// SPDX-License-Identifier: Apache-2.0
#include "lab/figure/chart_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <variant>

#include "analytic/curves.h"
#include "lab/compare/whatif/point_rows.h"
#include "lab/table/results.h"
#include "lab/table/writers/cells.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;
using workloads::Column;
using workloads::Results;

constexpr std::size_t kMostCurvesOfChart = 8;
constexpr std::size_t kMostCharts = 3;
constexpr std::size_t kMostPairs = 15;  // of six curves

using Dimensions = std::vector<const Means::Dimension*>;

/// What is x rather than other dimensions: numbers, with most values.
std::pair<bool, std::size_t> worth(const Means::Dimension* dimension)
{
    return dimension == nullptr ? std::pair(false, std::size_t{0}) : std::pair(dimension->numeric, dimension->values);
}

/// The worthiest of each group.
Dimensions independent(const Means& means)
{
    std::map<std::size_t, const Means::Dimension*> of_group;
    for (const Means::Dimension& each : means.dimensions) {
        const Means::Dimension*& best = of_group[each.group];
        if (worth(&each) > worth(best)) best = &each;
    }
    Dimensions all;
    for (const Means::Dimension& each : means.dimensions) {
        if (of_group[each.group] == &each) all.push_back(&each);
    }
    return all;
}

/// No variants, unless there is nothing else.
const Means::Dimension* choose_x(const Dimensions& dimensions)
{
    const Means::Dimension* best = nullptr;
    for (const Means::Dimension* each : dimensions) {
        if (!each->is_variant && worth(each) > worth(best)) best = each;
    }
    return best == nullptr && !dimensions.empty() ? dimensions.front() : best;
}

/// Gives the chart the columns that tell curves and panels apart.
void split(Dimensions rest, const Means::Dimension* x, Chart& chart)
{
    std::erase(rest, x);
    std::stable_sort(rest.begin(), rest.end(), [](const Means::Dimension* a, const Means::Dimension* b) {
        return std::pair(!a->is_variant, a->values) < std::pair(!b->is_variant, b->values);
    });
    std::size_t curves = 1;
    for (const Means::Dimension* each : rest) {
        curves *= each->values;
        const bool fits = curves <= kMostCurvesOfChart && chart.facets.empty();
        (fits ? chart.series : chart.facets).push_back(each->column);
    }
}

template <class Named>
Named& named(std::vector<Named>& all, const std::string& name)
{
    const auto found = std::find_if(all.begin(), all.end(), [&name](const Named& each) { return each.name == name; });
    if (found != all.end()) return *found;
    all.emplace_back().name = name;
    return all.back();
}

/// Times, then rates, then other units, then plain numbers.
int rank_of(const Column& column) { return is_time(column) ? 0 : is_rate(column) ? 1 : column.unit.empty() ? 3 : 2; }

/// What is asked of a run first, and last what was put in or follows from it.
int interest_of(const std::string& column)
{
    for (const char* put_in : {"offered", "zero_load", "simulated"}) {
        if (column.starts_with(put_in)) return 2;
    }
    return column.starts_with("latency") || column.starts_with("accepted_total") ? 0 : 1;
}

struct OfUnit {
    int rank = 0;
    std::string unit;
    std::vector<Chart::Quantity> quantities;
};

std::vector<OfUnit> by_unit(const Means& means)
{
    std::vector<OfUnit> all;
    const auto measured_in = [&means](std::string_view unit) {
        return std::any_of(means.table.columns.begin(), means.table.columns.end(),
                           [unit](const Column& each) { return each.unit == unit; });
    };
    const bool both = measured_in("MB/s") && measured_in("MiB/s");  // the same twice
    for (const Chart::Quantity& quantity : means.quantities) {
        const Column& column = column_named(means.table, quantity.column);
        if (both && column.unit == "MiB/s") continue;
        auto found = std::find_if(all.begin(), all.end(), [&](const OfUnit& each) { return each.unit == column.unit; });
        if (found == all.end()) found = all.insert(all.end(), {rank_of(column), column.unit, {}});
        found->quantities.push_back(quantity);
    }
    for (OfUnit& each : all) {
        std::stable_sort(each.quantities.begin(), each.quantities.end(),
                         [](const auto& a, const auto& b) { return interest_of(a.column) < interest_of(b.column); });
        const auto first = column_place(means.table, each.quantities.front().column).value();
        const std::string& mean = means.table.columns[mean_instead(means.table, first)].name;  // as the answer has it
        std::stable_partition(each.quantities.begin(), each.quantities.end(),
                              [&mean](const auto& quantity) { return quantity.column == mean; });
    }
    std::stable_sort(all.begin(), all.end(), [](const OfUnit& a, const OfUnit& b) { return a.rank < b.rank; });
    const auto has_unit = [](const OfUnit& each) { return each.rank < 3; };
    if (std::any_of(all.begin(), all.end(), has_unit)) std::erase_if(all, std::not_fn(has_unit));
    if (all.size() > kMostCharts) all.resize(kMostCharts);
    return all;
}

/// "ring: latency min over hops"; without a test in front it is a sentence.
std::string title_of(const std::string& test, std::string quantity, const std::string& x)
{
    if (!test.empty()) return fmt::format("{}: {} over {}", test, quantity, x);
    if (quantity.front() >= 'a' && quantity.front() <= 'z') quantity.front() = static_cast<char>(quantity.front() - 32);
    return fmt::format("{} over {}", quantity, x);
}

/// Of the first quantity over two axes of numbers, if there are no others and enough of both that a map says more than
/// curves.
std::optional<Chart> heat_map_of(const Chart& curves, const Means& means, const Dimensions& dimensions)
{
    constexpr std::size_t kFewestCells = 6;
    const auto is_axis = [](const Means::Dimension* each) { return each->numeric && each->values > 1; };
    if (dimensions.size() != 2 || !std::ranges::all_of(dimensions, is_axis)) return std::nullopt;
    if (dimensions[0]->values * dimensions[1]->values < kFewestCells) return std::nullopt;
    const Means::Dimension& other = *dimensions[dimensions.front()->column == curves.x ? 1 : 0];
    Chart map = curves;
    map.id = curves.table + "-map";
    map.title += " and " + other.title;
    map.form = ChartForm::kHeatMap;
    map.series = {other.column};
    map.series_title = other.title;
    map.facets.clear();
    map.crossings.clear();
    map.bands.clear();
    map.notes.clear();
    if (column_place(means.table, kDoubt)) {
        map.notes.emplace_back("crossed out: in doubt, for the network is saturated, or the run was too short");
    }
    return map;
}

bool is_load(const Means::Dimension& dimension)
{
    return dimension.title == "options.load" || dimension.title == "load" || dimension.column == "offered_load";
}

}  // namespace

std::vector<Chart> charts_of(const Means& means, const std::string& table, const std::string& title)
{
    const auto dimensions = independent(means);
    const Means::Dimension* const x = choose_x(dimensions);
    if (x == nullptr || means.table.rows.size() < 2) return {};
    std::vector<Chart> charts;
    for (const OfUnit& of_unit : by_unit(means)) {
        const Column& first = column_named(means.table, of_unit.quantities.front().column);
        Chart chart{.id = fmt::format("{}-{}", table, charts.size() + 1),
                    .title = title_of(title, column_title(first), x->title),
                    .table = table,
                    .x = x->column,
                    .y = of_unit.quantities,
                    .series = {},
                    .facets = {},
                    .x_title = x->title,
                    .x_unit = x->unit,
                    .y_unit = of_unit.unit};
        split(dimensions, x, chart);
        if (x->numeric) chart.x_scale = scale_of_axis(drawn_numbers(means.table, x->column));
        chart.y_scale = scale_of_results(drawn_numbers(means.table, first.name));
        if (!x->numeric) chart.form = form_over_words(chart.y_scale);
        if (x->numeric && is_load(*x) && is_time(first)) {
            chart.y_scale = Scale::kLog;
            mark_saturation(chart, means.table);
        }
        if (x->numeric) mark_crossings(chart, means);
        if (column_place(means.table, kDoubt)) {
            chart.notes.emplace_back(
                "hollow: in doubt, for the network is saturated, or the run was too short; crossings leave these "
                "points out");
        }
        charts.push_back(std::move(chart));
    }
    if (charts.empty()) return charts;
    if (auto map = heat_map_of(charts.front(), means, dimensions)) charts.push_back(std::move(*map));
    return charts;
}

Scale scale_of_axis(std::vector<double> values)
{
    constexpr double kLeastFactor = 16;
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    if (values.size() < 4 || values.front() <= 0 || values.back() < kLeastFactor * values.front()) {
        return Scale::kLinear;
    }
    // Steps that add would put the middle value in the middle; those that multiply put its logarithm there
    const double middle = values[values.size() / 2];
    const double low = values.front();
    const double high = values.back();
    const double linear = std::abs((middle - low) / (high - low) - 0.5);
    const double logarithmic = std::abs(std::log(middle / low) / std::log(high / low) - 0.5);
    return logarithmic < linear ? Scale::kLog : Scale::kLinear;
}

Scale scale_of_results(std::span<const double> values)
{
    constexpr double kTwoDecades = 100;
    if (values.empty()) return Scale::kLinear;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return *low > 0 && *high > kTwoDecades * *low ? Scale::kLog : Scale::kLinear;
}

ChartForm form_over_words(Scale results) { return results == Scale::kLog ? ChartForm::kPoints : ChartForm::kBars; }

namespace {

/// Adds where two curves cross, on straight lines between their common points.
void add_crossings(const Curve& a, const Curve& b, const CrossingMark& mark, const Means& means,
                   std::vector<CrossingMark>& found)
{
    std::vector<double> x;
    std::vector<double> of_a;
    std::vector<double> of_b;
    std::vector<bool> noisy;
    auto other = b.points.begin();
    for (const PanelPoint& point : a.points) {
        while (other != b.points.end() && other->x < point.x) ++other;
        if (other == b.points.end()) break;
        if (other->x != point.x || (!x.empty() && x.back() == point.x)) continue;
        if (point.doubted || other->doubted) continue;
        x.push_back(point.x);
        of_a.push_back(point.y);
        of_b.push_back(other->y);
        noisy.push_back(means.within_noise ? means.within_noise(point.row, other->row)
                                           : std::abs(point.y - other->y) <= std::hypot(point.half, other->half));
    }
    if (x.size() < 2) return;
    for (const auto& crossing : analytic::crossings(x, of_a, of_b)) {
        CrossingMark& made = found.emplace_back(mark);
        made.x = crossing.at;
        made.label = fmt::format("{}, {}: {:.4g}", a.name, b.name, crossing.at);
        made.curves = {a.name, b.name};
        made.within_noise = noisy[crossing.before] || noisy[crossing.behind];
    }
}

}  // namespace

void mark_crossings(Chart& chart, const Means& means)
{
    for (const Chart::Quantity& quantity : chart.y) {
        for (const Panel& panel : panels_of(chart, means.table, quantity)) {
            const std::size_t curves = panel.curves.size();
            if (curves * (curves - 1) / 2 > kMostPairs) continue;
            const CrossingMark mark{.label = {}, .y_column = quantity.column, .facet = panel.name};
            std::vector<CrossingMark> found;
            for (std::size_t a = 0; a < curves; ++a) {
                for (std::size_t b = a + 1; b < curves; ++b) {
                    add_crossings(panel.curves[a], panel.curves[b], mark, means, found);
                }
            }
            if (found.size() > kMostCrossings) {
                chart.notes.push_back(fmt::format("{}{}{}: the curves cross {} times, which is not marked",
                                                  quantity.column, panel.name.empty() ? "" : ", ", panel.name,
                                                  found.size()));
                continue;
            }
            chart.crossings.insert(chart.crossings.end(), found.begin(), found.end());
        }
    }
}

void mark_saturation(Chart& chart, const Results& table)
{
    constexpr analytic::SaturationRule kRule;
    const auto accepted = column_place(table, "accepted_part");
    for (const Panel& panel : panels_of(chart, table, chart.y.front())) {
        for (const Curve& curve : panel.curves) {
            const auto from = std::find_if(curve.points.begin(), curve.points.end(), [&](const PanelPoint& point) {
                const auto part = accepted ? number_of(table.rows[point.row][*accepted]) : std::nullopt;
                return (part && kRule.accepts_too_little(*part)) || kRule.is_late(point.y, curve.points.front().y);
            });
            if (from == curve.points.end()) continue;
            chart.bands.push_back(
                {.low = from->x,
                 .high = curve.points.back().x,
                 .label = fmt::format("{}{}saturated from {:.4g}", curve.name, curve.name.empty() ? "" : ": ", from->x),
                 .series = curve.name,
                 .facet = panel.name});
        }
    }
}

namespace {

/// A cell as a part of a curve's or panel's name.
std::string word_of(const Cell& cell)
{
    return std::holds_alternative<std::monostate>(cell) ? std::string("-") : exact_text(cell);
}

}  // namespace

const Column& column_named(const Results& table, const std::string& name)
{
    return table.columns[column_place(table, name).value()];
}

std::vector<std::string> category_texts(const Results& table, const std::string& column)
{
    const std::size_t place = column_place(table, column).value();
    const auto is_text = [place](const auto& row) {
        return std::holds_alternative<std::string>(row[place]) && !drawn_number(row[place]);
    };
    if (std::none_of(table.rows.begin(), table.rows.end(), is_text)) return {};
    std::vector<std::string> words;
    for (const auto& row : table.rows) {
        std::string word = word_of(row[place]);
        if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(std::move(word));
    }
    return words;
}

std::vector<Panel> panels_of(const Chart& chart, const Results& table, const Chart::Quantity& quantity)
{
    const auto name_of = [&table](const std::vector<Cell>& row, const std::vector<std::string>& columns) {
        std::string name;
        for (const std::string& column : columns) {
            name += (name.empty() ? "" : ", ") + word_of(row[column_place(table, column).value()]);
        }
        return name;
    };
    const std::size_t x = column_place(table, chart.x).value();
    const std::size_t y = column_place(table, quantity.column).value();
    const auto half = column_place(table, quantity.half);
    const auto low = column_place(table, quantity.low);
    const auto high = column_place(table, quantity.high);
    const auto doubts = column_place(table, kDoubt);
    const auto number = [](const auto& row, const auto& place) {
        return place ? drawn_number(row[*place]) : std::nullopt;
    };
    const auto words = category_texts(table, chart.x);
    std::vector<Panel> panels;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const auto& row = table.rows[i];
        auto at = drawn_number(row[x]);
        if (!words.empty()) {
            at = static_cast<double>(std::find(words.begin(), words.end(), word_of(row[x])) - words.begin());
        }
        const auto value = drawn_number(row[y]);
        if (!at || !value) continue;
        Curve& curve = named(named(panels, name_of(row, chart.facets)).curves, name_of(row, chart.series));
        PanelPoint point{.x = *at, .y = *value, .low = number(row, low), .high = number(row, high), .row = i};
        if (const auto reach = number(row, half)) {
            point.half = *reach;
            point.low = *value - *reach;
            point.high = *value + *reach;
        }
        const auto* const doubt = doubts ? std::get_if<std::string>(&row[*doubts]) : nullptr;
        point.doubted = doubt != nullptr && is_doubted(table.columns[y], *doubt);
        curve.points.push_back(point);
    }
    for (Panel& panel : panels) {
        for (Curve& curve : panel.curves) {
            std::stable_sort(curve.points.begin(), curve.points.end(),
                             [](const PanelPoint& a, const PanelPoint& b) { return a.x < b.x; });
        }
    }
    return panels;
}

std::optional<double> drawn_number(const Cell& cell)
{
    const auto* text = std::get_if<std::string>(&cell);
    if (text == nullptr) return number_of(cell);
    std::string plain = *text;
    std::erase(plain, ',');
    if (plain.ends_with(" %")) plain.resize(plain.size() - 2);
    return number_from<double>(std::string_view(plain).substr(plain.starts_with('+') ? 1 : 0));
}

std::vector<double> drawn_numbers(const Results& table, const std::string& column)
{
    const std::size_t place = column_place(table, column).value();
    std::vector<double> all;
    for (const auto& row : table.rows) {
        if (const auto number = drawn_number(row[place])) all.push_back(*number);
    }
    return all;
}

}  // namespace ringmesh::lab
