// SPDX-License-Identifier: Apache-2.0
#include "lab/compare/whatif/variants_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "lab/compare/whatif/error_bars.h"
#include "lab/run/record/run_record.h"
#include "lab/table/writers/cells.h"
#include "lab/table/writers/text_table.h"
#include "tlm/parameters/parameter_list.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;

constexpr const char* kAbsent = "-";

/// Of a place, in the table.
std::string dimension_text(const Cell& cell)
{
    const auto* number = std::get_if<double>(&cell);
    return number != nullptr ? number_text(*number) : cell_text(cell, 0);
}

std::string dimension_column(const Dimension& dimension)
{
    std::string name = dimension.name;
    std::replace(name.begin(), name.end(), '.', '_');
    if (dimension.of_rows || dimension.unit.empty()) return name;
    return name + (dimension.unit == "MHz" ? "_mhz" : '_' + dimension.unit);
}

std::optional<double> change_interval_percent(const VariantRow& row)
{
    const auto& interval = row.contender().change.interval;
    if (!interval || row.base().sample.mean == 0) return std::nullopt;
    return 100 * *interval / std::abs(row.base().sample.mean);
}

std::string change_text(const VariantRow& row)
{
    const MeanDifference& change = row.contender().change;
    if (!change.percent) return kAbsent;
    // The mark stands beside the digits, a blank keeps the others in line
    return fmt::format("{:+.2f}{}", *change.percent, change.noise == Noise::kWithin ? "~" : " ");
}

/// A list may be long; JSON has all of it.
std::string shortened(const std::string& value)
{
    constexpr std::size_t kMost = 24;
    return value.size() <= kMost ? value : value.substr(0, kMost - 3) + "...";
}

std::string changes_text(const VariantReport& report, Room room)
{
    if (report.comparison.variants.size() < 2) return {};
    std::vector<TableColumn> columns{{"what"}};
    for (const std::string& variant : report.comparison.variants) columns.push_back({variant});
    TextTable table(columns);
    for (const ConfigurationDifference& each : report.changes()) {
        std::vector<std::string> cells{each.name};
        for (const std::string& value : each.values) cells.push_back(shortened(value));
        table.row(std::move(cells));
    }
    return "what is changed\n\n" + (table.empty() ? "nothing\n" : table.text(0, room)) + '\n';
}

std::vector<TableColumn> text_columns(const Listing<VariantRow>& listing)
{
    auto columns = listing.table().columns();
    for (TableColumn& column : columns) {
        if (column.title == "change") column.unit += ' ';  // above the digits, left of their marks
    }
    return columns;
}

/// A row for each place and variant.
TextTable long_table(const VariantComparison& comparison)
{
    const Listing<VariantRow> listing = variant_listing(comparison);
    TextTable table(text_columns(listing));
    for (const VariantPlace& place : comparison.places) {
        for (std::size_t i = 0; i < place.variants.size(); ++i) {
            auto cells = listing.texts({&place, i});
            if (i > 0) std::fill_n(cells.begin(), comparison.dimensions.size(), "");
            table.row(std::move(cells));
        }
    }
    return table;
}

/// A row for each place, variants side by side.
TextTable wide_table(const VariantComparison& comparison)
{
    const Listing<VariantRow> listing = variant_listing(comparison);
    const std::size_t dimensions = comparison.dimensions.size();
    const std::size_t of_mean = (comparison.repeated ? 2U : 1U) + (comparison.doubted ? 1U : 0U);
    // Of each variant what `of` has of it: of the base there is no change.
    const auto side_by_side = [&](auto all, const auto& of) {
        all.resize(dimensions);
        for (std::size_t i = 0; i < comparison.variants.size(); ++i) {
            const auto own = of(i);
            const auto mean = own.begin() + static_cast<std::ptrdiff_t>(dimensions + 1);
            all.insert(all.end(), mean, i == 0 ? mean + static_cast<std::ptrdiff_t>(of_mean) : own.end());
        }
        return all;
    };
    const auto titles = text_columns(listing);
    TextTable table(side_by_side(titles, [&](std::size_t i) {
        auto own = titles;
        own[dimensions + 1].title = comparison.variants[i];
        return own;
    }));
    for (const VariantPlace& place : comparison.places) {
        table.row(side_by_side(listing.texts({&place, 0}), [&](std::size_t i) { return listing.texts({&place, i}); }));
    }
    return table;
}

std::string table_text(const VariantComparison& comparison, Room room)
{
    std::string text = wide_table(comparison).text(0, room.prose());
    if (widest_line(text) > room.prose()) text = long_table(comparison).text(0, room);
    std::string below = "One run of each point: --repeat 5 shows which differences exceed the noise of other seeds.";
    if (comparison.repeated) {
        std::size_t fewest = SIZE_MAX;
        for (const VariantRow& row : measured_rows(comparison)) {
            fewest = std::min(fewest, row.contender().values.size());
        }
        below = fmt::format(
            "Means of {} runs, each with a seed of its own, the same for all variants; +-: half the "
            "95 % interval{}",
            fewest, comparison.variants.size() > 1 ? ", of a change by pairs of one seed; ~: within the noise." : ".");
    }
    if (comparison.doubted) {
        below +=
            " Doubt: this mean may not be a steady-state value, so crossovers leave it out; 'ringmesh run' says more.";
    }
    std::vector<std::string> lone;
    for (std::size_t i = 0; i < comparison.lone.size(); ++i) {
        if (comparison.lone[i] > 0) lone.push_back(fmt::format("{} of {}", comparison.lone[i], comparison.variants[i]));
    }
    if (!lone.empty()) below += fmt::format(" Left out: results that no other has, {}.", fmt::join(lone, ", "));
    return text + '\n' + wrapped(below, 0, room.prose()) + '\n';
}

/// "smaller is better"
std::string better_text(const std::optional<Better>& better)
{
    if (!better) return "neither time nor rate (--smaller or --larger says what is better)";
    return *better == Better::kSmaller ? "smaller is better" : "larger is better";
}

Json place_json(const VariantComparison& comparison, const VariantPlace& place)
{
    Json at = Json::object();
    for (std::size_t i = 0; i < place.at.size(); ++i) {
        at.add(comparison.dimensions[i].name, cell_json(comparison.dimensions[i].values[place.at[i]]));
    }
    Json variants = Json::object();
    for (std::size_t i = 0; i < place.variants.size(); ++i) {
        const Contender& each = place.variants[i];
        if (!each.measured()) continue;
        Json& json = variants.add(comparison.variants[i], {{"mean", each.sample.mean},
                                                           {"interval", cell_json(cell_of(each.interval))},
                                                           {"values", each.values},
                                                           {"points", each.points}});
        if (!each.doubt.empty()) json.add("doubt", each.doubt);
        if (i == 0) continue;
        json.add("change_percent", cell_json(cell_of(each.change.percent)));
        json.add("change_interval", cell_json(cell_of(each.change.interval)));
        json.add("beyond_noise", kNoises.name(each.change.noise));
    }
    return {{"at", std::move(at)}, {"variants", std::move(variants)}};
}

Json family_json(const VariantComparison& comparison, const CurveFamily& family)
{
    const auto name = [&family](std::size_t curve) { return Json(family.names[curve]); };
    Json pairs = Json::array();
    for (const CurvePair& pair : family.pairs) {
        const auto lower = [&](int sign) { return sign == 0 ? Json() : name(sign < 0 ? pair.a : pair.b); };
        Json crossings = Json::array();
        for (std::size_t i = 0; i < pair.crossings.size(); ++i) {
            const analytic::Crossing& crossing = pair.crossings[i];
            crossings.push_back({{"at", crossing.at},
                                 {"between", {crossing.below, crossing.above}},
                                 {"lower_above", lower(crossing.lower)},
                                 {"interval", cell_json(cell_of(pair.halves[i]))},
                                 {"within_noise", static_cast<bool>(pair.within_noise[i])}});
        }
        pairs.push_back({{"a", name(pair.a)},
                         {"b", name(pair.b)},
                         {"lower_first", lower(pair.lower)},
                         {"least_percent", pair.least_percent},
                         {"most_percent", pair.most_percent},
                         {"all_within_noise", pair.all_within_noise},
                         {"crossings", std::move(crossings)}});
    }
    Json best = Json::array();
    for (const analytic::BestRange& range : family.best) {
        Json curves = Json::array();
        for (const std::size_t curve : range.curves) curves.push_back(name(curve));
        best.push_back({{"from", range.from}, {"to", range.to}, {"curves", std::move(curves)}});
    }
    return {{"along", comparison.dimensions[family.along].name},
            {"curves_of", family.of ? comparison.dimensions[*family.of].name : "variant"},
            {"held", family.held},
            {"curves", family.names},
            {"points", family.points},
            {"pairs", std::move(pairs)},
            {"best", std::move(best)}};
}

}  // namespace

std::vector<ConfigurationDifference> VariantReport::changes() const
{
    std::vector<const Point*> points;
    for (const Point& point : examples) points.push_back(&point);
    return configuration_differences(points);
}

std::vector<VariantRow> measured_rows(const VariantComparison& comparison)
{
    std::vector<VariantRow> rows;
    for (const VariantPlace& place : comparison.places) {
        for (std::size_t i = 0; i < place.variants.size(); ++i) {
            if (place.variants[i].measured()) rows.push_back({&place, i});
        }
    }
    return rows;
}

Listing<VariantRow> variant_listing(const VariantComparison& comparison)
{
    std::vector<double> means;
    for (const VariantRow& row : measured_rows(comparison)) means.push_back(row.contender().sample.mean);
    const int decimals = decimals_for(means);
    const auto number = [decimals](const std::optional<double>& value) {
        return value ? with_thousands(*value, decimals) : kAbsent;
    };
    const auto mean = [](const VariantRow& row) {
        return row.contender().measured() ? std::optional(row.contender().sample.mean) : std::nullopt;
    };
    std::vector<ListedColumn<VariantRow>> columns;
    for (std::size_t i = 0; i < comparison.dimensions.size(); ++i) {
        const Dimension& dimension = comparison.dimensions[i];
        const auto value = [&dimension, i](const VariantRow& row) { return dimension.values[row.place->at[i]]; };
        columns.push_back(listed<VariantRow>(dimension_column(dimension), value)
                              .titled(dimension.name, dimension.unit)
                              .printed([value](const VariantRow& row) { return dimension_text(value(row)); }));
        columns.back().align = dimension.is_number() ? Align::kRight : Align::kLeft;
    }
    const unsigned of_repetitions = comparison.repeated ? kEverywhere : kInFiles;
    const std::string& unit = comparison.by.unit;
    const auto interval = [](const VariantRow& row) { return row.contender().interval; };
    columns.push_back(listed<VariantRow>(
        "variant", [&comparison](const VariantRow& row) { return comparison.variants[row.variant]; }));
    columns.push_back(listed<VariantRow>(comparison.by.name, mean)
                          .titled(comparison.by.name, unit)
                          .printed([mean, number](const VariantRow& row) { return number(mean(row)); }));
    columns.push_back(listed<VariantRow>("interval", interval)
                          .titled("+-", unit)
                          .printed([interval, number](const VariantRow& row) { return number(interval(row)); })
                          .in(of_repetitions));
    columns.push_back(listed<VariantRow>("doubt", [](const VariantRow& row) {
                          return row.contender().doubt;
                      }).printed([](const VariantRow& row) {
                            return row.contender().doubt;
                        }).in(comparison.doubted ? unsigned{kEverywhere} : 0U));
    columns.push_back(
        listed<VariantRow>("runs", [](const VariantRow& row) { return row.contender().values.size(); }).in(kInFiles));
    columns.push_back(
        listed<VariantRow>("change_percent", [](const VariantRow& row) { return row.contender().change.percent; })
            .titled("change", "%")
            .printed(change_text));
    columns.push_back(listed<VariantRow>("change_interval_percent", change_interval_percent)
                          .titled("+-", "%")
                          .printed([](const VariantRow& row) {
                              const auto percent = change_interval_percent(row);
                              return percent ? fmt::format("{:.2f}", *percent) : kAbsent;
                          })
                          .in(of_repetitions));
    columns.push_back(listed<VariantRow>("beyond_noise", [](const VariantRow& row) {
                          return row.variant == 0 ? std::string_view() : kNoises.name(row.contender().change.noise);
                      }).in(kInFiles));
    return Listing<VariantRow>(std::move(columns));
}

Answer answer_of(const VariantReport& report)
{
    const VariantComparison comparison = of_whole_programs(report.comparison);
    const std::vector<CurveFamily> families = curve_families(comparison);
    Answer answer;
    constexpr std::size_t kMostVariants = 3;
    constexpr std::size_t kMostChanges = 4;
    const auto changes = report.changes();
    for (std::size_t i = 1; i < comparison.variants.size() && i <= kMostVariants; ++i) {
        std::vector<std::string> texts;
        for (const ConfigurationDifference& each : changes) {
            if (each.values[i] == each.values[0]) continue;
            texts.push_back(
                fmt::format("{} {} in place of {}", each.name, shortened(each.values[i]), shortened(each.values[0])));
        }
        const std::size_t more = texts.size() - std::min(texts.size(), kMostChanges);
        texts.resize(texts.size() - more);
        answer.sentences.push_back(
            fmt::format("{} has {}{}.", comparison.variants[i],
                        texts.empty() ? "nothing that differs" : fmt::format("{}", fmt::join(texts, ", ")),
                        more == 0 ? "" : fmt::format(", and {} more", counted(more, "change"))));
    }
    for (std::string& sentence : crossover_sentences(comparison, families)) {
        answer.sentences.push_back(std::move(sentence));
    }
    if (report.error_bars) {
        const bool of_whole = comparison.dimensions.size() != report.comparison.dimensions.size();
        for (const CurveFamily& family : report.families) {
            if (of_whole && family.held.find("call=all") == std::string::npos) continue;
            const auto crossing =
                std::ranges::find_if(family.pairs, [](const CurvePair& pair) { return !pair.crossings.empty(); });
            if (crossing == family.pairs.end()) continue;
            const auto bar = bar_of_crossing(*report.error_bars, report.comparison, family, *crossing, 0);
            if (!bar) continue;
            answer.sentences.push_back(
                fmt::format("The ranges of all inputs put the first crossing between {:.3g} and {:.3g} (95 %).",
                            bar->low, bar->high));
            break;
        }
    }
    if (comparison.doubted && never_cross(families)) {
        const auto with_short_runs = curve_families(comparison, CurvePoints::kUnsaturated);
        if (!never_cross(with_short_runs)) {
            answer.sentences.push_back(
                "With runs that were too short: " + crossover_sentences(comparison, with_short_runs).front() +
                " A longer duration decides.");
        }
    }
    if (!families.empty() || comparison.places.empty()) return answer;
    if (comparison.variants.size() == 1) {
        const auto results = variant_listing(comparison).results(measured_rows(comparison));
        for (std::string& sentence : answer_of(results, {}, comparison.dimensions.size() + 1).sentences) {
            answer.sentences.push_back(std::move(sentence));
        }
        return answer;
    }
    // Without curves: at the one place, or the range over all of them
    for (std::size_t i = 1; i < comparison.variants.size() && i <= kMostVariants; ++i) {
        std::optional<double> least;
        std::optional<double> most;
        for (const VariantPlace& place : comparison.places) {
            const auto& percent = place.variants[i].change.percent;
            if (!percent) continue;
            least = std::min(least.value_or(*percent), *percent);
            most = std::max(most.value_or(*percent), *percent);
        }
        if (!least) continue;
        const auto text = [](double percent) { return signed_two_digits(percent); };
        answer.sentences.push_back(
            fmt::format("{} changes {} by {} %{}.", comparison.variants[i], comparison.by.name,
                        text(*least) == text(*most) ? text(*least) : fmt::format("{} to {}", text(*least), text(*most)),
                        comparison.better ? fmt::format(" ({})", better_text(comparison.better)) : ""));
    }
    if (comparison.doubted)
        answer.sentences.emplace_back("Of these means, those with a doubt may not be steady-state values.");
    return answer;
}

/// What else could be compared. Of what a program prints, that is what the user wants more often.
std::string other_results(const VariantReport& report)
{
    if (!report.comparison.by_was_chosen) return {};
    const bool of_numbers = column_place(report.examples.front().record.outcome.results, "words").has_value();
    return of_numbers ? " (when a line was printed; --by first, second, third or fourth names one of its numbers, "
                        "--smaller or --larger what is better)"
                      : " (--by names another result)";
}

std::string variants_text(const VariantReport& report, Room room)
{
    const VariantComparison& comparison = report.comparison;
    std::string text = wrapped(fmt::format("what if, {}; by {}{}, {}", report.title, comparison.by.name,
                                           other_results(report), better_text(comparison.better)),
                               0, room.prose()) +
                       "\n\n";
    text += changes_text(report, room);
    text += fmt::format("{}{}{}{}\n\n", comparison.by.name, comparison.by.unit.empty() ? "" : " in ",
                        comparison.by.unit, comparison.everywhere.empty() ? "" : ", at " + comparison.everywhere);
    text += table_text(comparison, room);
    text += crossovers_text(comparison, report.families, room);
    if (report.error_bars) text += '\n' + error_bars_text(*report.error_bars, room);
    return text;
}

Json variants_json(const VariantReport& report)
{
    const VariantComparison& comparison = report.comparison;
    Json variants = Json::array();
    for (std::size_t i = 0; i < comparison.variants.size(); ++i) {
        Json example = {{"name", comparison.variants[i]}};
        add_request(example, report.examples[i].record);
        example["parameters"] = values_json(report.examples[i].record.parameters);
        variants.push_back(std::move(example));
    }
    Json dimensions = Json::array();
    for (const Dimension& each : comparison.dimensions) {
        dimensions.push_back({{"name", each.name}, {"unit", each.unit}});
    }
    Json places = Json::array();
    for (const VariantPlace& place : comparison.places) places.push_back(place_json(comparison, place));
    Json crossovers = Json::array();
    for (const CurveFamily& family : report.families) crossovers.push_back(family_json(comparison, family));
    const auto better = [&comparison] { return *comparison.better == Better::kSmaller ? "smaller" : "larger"; };
    Json json = {{"ringmesh", program_json()},
                 {"title", report.title},
                 {"by", {{"name", comparison.by.name}, {"unit", comparison.by.unit}}},
                 {"better", comparison.better ? Json(better()) : Json()},
                 {"everywhere", comparison.everywhere},
                 {"variants", std::move(variants)},
                 {"dimensions", std::move(dimensions)},
                 {"places", std::move(places)},
                 {"crossovers", std::move(crossovers)}};
    if (report.error_bars) json["error_bars"] = error_bars_json(*report.error_bars);
    return json;
}

std::string variants_csv(const VariantReport& report)
{
    return csv_head("what if, " + report.title, {}, {}) +
           results_csv(variant_listing(report.comparison).results(measured_rows(report.comparison)));
}

}  // namespace ringmesh::lab
