// SPDX-License-Identifier: Apache-2.0
#include "lab/compare/whatif/error_bars.h"

#include <fmt/format.h>

#include <algorithm>

#include "lab/compare/whatif/variants.h"
#include "lab/study/tables.h"
#include "lab/truth/uncertainty/bars.h"

namespace ringmesh::lab {
namespace {

/// "options.to=5, size_bytes=64"
std::string place_text(const VariantComparison& comparison, const VariantPlace& place)
{
    std::string text;
    for (std::size_t i = 0; i < comparison.dimensions.size(); ++i) {
        text += fmt::format("{}{}={}", text.empty() ? "" : ", ", comparison.dimensions[i].name,
                            comparison.dimensions[i].text(place.at[i]));
    }
    return text;
}

/// "base and fast meet at hops, again (2)"
std::string crossing_answer(const VariantComparison& comparison, const CurveFamily& family, const CurvePair& pair,
                            std::size_t crossing)
{
    const Dimension& along = comparison.dimensions[family.along];
    std::string name = fmt::format("{} and {} meet at {}", family.names[pair.a], family.names[pair.b], along.name);
    if (!along.unit.empty()) name += fmt::format(" ({})", along.unit);
    if (!family.held.empty()) name += fmt::format(", {}", family.held);
    if (crossing > 0) name += fmt::format(", again ({})", crossing + 1);
    return name;
}

/// "fast by base, in %: size_bytes=64"
std::string change_answer(const VariantComparison& comparison, const VariantPlace& place, std::size_t variant)
{
    const std::string where = place_text(comparison, place);
    return fmt::format("{} by {}, in %{}{}", comparison.variants[variant], comparison.variants.front(),
                       where.empty() ? "" : ": ", where);
}

std::optional<Bar> bar_named(const Analysis& analysis, const std::string& answer)
{
    const auto row = std::ranges::find(analysis.rows, answer, &RowEffects::id);
    return row == analysis.rows.end() ? std::nullopt : std::optional(bar_of(*row, analysis));
}

}  // namespace

std::optional<Bar> bar_of_crossing(const Analysis& analysis, const VariantComparison& comparison,
                                   const CurveFamily& family, const CurvePair& pair, std::size_t crossing)
{
    return bar_named(analysis, crossing_answer(comparison, family, pair, crossing));
}

std::optional<Bar> bar_of_change(const Analysis& analysis, const VariantComparison& comparison,
                                 const VariantPlace& place, std::size_t variant)
{
    return bar_named(analysis, change_answer(comparison, place, variant));
}

std::map<std::string, double> VariedVariants::answers(const std::vector<StudyPoint>& points,
                                                      const std::vector<Granted>& granted, const Store& store)
{
    const auto comparison =
        compare_variants(study().tests.front(), whole_table(study(), 0, points, granted, store), question_);
    std::map<std::string, double> all;
    for (const CurveFamily& family : curve_families(comparison)) {
        for (const CurvePair& pair : family.pairs) {
            for (std::size_t i = 0; i < pair.crossings.size(); ++i) {
                all.emplace(crossing_answer(comparison, family, pair, i), pair.crossings[i].at);
            }
        }
    }
    for (const VariantPlace& place : comparison.places) {
        for (std::size_t i = 1; i < place.variants.size(); ++i) {
            const auto& percent = place.variants[i].change.percent;
            if (percent) all.emplace(change_answer(comparison, place, i), *percent);
        }
    }
    return all;
}

std::string error_bars_text(const Analysis& analysis, Room room)
{
    if (analysis.rows.empty()) return "error bars: no crossover and no change that the inputs could move\n";
    TextTable table({{"answer"},
                     {"value", Align::kRight},
                     {"from", Align::kRight},
                     {"to", Align::kRight},
                     {"without", Align::kRight},
                     {"hangs on"}});
    for (const RowEffects& row : analysis.rows) {
        const Bar bar = bar_of(row, analysis);
        const double numbers[] = {bar.simulated, bar.high - bar.low};
        const int decimals = decimals_for(numbers);
        const std::string hangs_on = shares_text(bar, 3, 0.05);
        table.row({row.id, with_thousands(row.simulated, decimals), with_thousands(bar.low, decimals),
                   with_thousands(bar.high, decimals), row.unknown == 0 ? "-" : std::to_string(row.unknown),
                   hangs_on.empty() ? "-" : hangs_on});
    }
    std::string text = wrapped(fmt::format("error bars: 95 % of what {} give, each within its range, in {} of it all",
                                           counted(analysis.inputs.size(), "input"), counted(analysis.runs, "run")),
                               0, room.prose()) +
                       "\n\n" + table.text(0, room.for_results());
    const bool some_without = std::ranges::any_of(analysis.rows, [](const RowEffects& row) { return row.unknown > 0; });
    if (some_without) {
        text += wrapped("without: ends of ranges at which there is no such crossover. ", 0, room.prose()) + '\n';
    }
    return text;
}

Json error_bars_json(const Analysis& analysis)
{
    Json all = Json::array();
    for (const RowEffects& row : analysis.rows) {
        const Bar bar = bar_of(row, analysis);
        Json hangs_on = Json::array();
        for (const Bar::Share& share : bar.hangs_on) hangs_on.push_back({{"input", share.input}, {"part", share.part}});
        all.push_back({{"answer", row.id},
                       {"value", row.simulated},
                       {"low", bar.low},
                       {"high", bar.high},
                       {"samples", bar.samples},
                       {"hangs_on", std::move(hangs_on)},
                       {"trials_without", row.unknown}});
    }
    return all;
}

}  // namespace ringmesh::lab
