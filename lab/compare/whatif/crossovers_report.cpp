// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "lab/compare/whatif/variants_report.h"
#include "lab/table/writers/text_table.h"
#include "tlm/parameters/parameter_list.h"

/// Where the curves of a comparison cross, and which is best where.
namespace ringmesh::lab {
namespace {

using workloads::Cell;

constexpr const char* kNoPlace = "-";

/// "142.3", "1,833": four digits or more.
std::string short_number(double number)
{
    if (number == std::floor(number) && std::abs(number) < 1e15) {
        return with_thousands(static_cast<std::int64_t>(number));
    }
    const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(number))));
    return with_thousands(number, std::clamp(3 - magnitude, 0, 9));
}

/// Of a point, as it was given: "0.45".
std::string point_number(double number)
{
    return number == std::floor(number) ? short_number(number) : number_text(number);
}

/// Which one of a pair wins with this sign of a - b, in words.
std::string winner(const CurveFamily& family, const CurvePair& pair, int lower, const std::optional<Better>& better)
{
    if (lower == 0) return "equal";
    const bool first = (lower < 0) == (better.value_or(Better::kSmaller) == Better::kSmaller);
    return family.names[first ? pair.a : pair.b] + (better ? " better" : " lower");
}

/// "base up to 142, fast from 143 on"
std::string best_text(const CurveFamily& family, const Dimension& dimension)
{
    const bool whole = std::ranges::all_of(dimension.values,
                                           [](const Cell& cell) { return std::holds_alternative<std::int64_t>(cell); });
    const auto names = [&family](const analytic::BestRange& range) {
        std::string text;
        for (const std::size_t curve : range.curves) text += (text.empty() ? "" : " = ") + family.names[curve];
        return text;
    };
    if (family.best.size() == 1) return names(family.best.front()) + " throughout";
    std::string text;
    for (std::size_t i = 0; i < family.best.size(); ++i) {
        const analytic::BestRange& range = family.best[i];
        const double from = whole && i > 0 ? std::floor(range.from) + 1 : range.from;
        const double to = whole ? std::floor(range.to) : range.to;
        if (from > to) continue;  // between two whole numbers
        const bool last = i + 1 == family.best.size();
        text += (text.empty() ? "" : ", ") + names(range);
        if (i > 0 && last && !whole) {
            text += " above";
        } else if (i > 0) {
            text += fmt::format(" from {}{}", short_number(from), last ? " on" : "");
        }
        if (!last) text += fmt::format("{} {}", i > 0 ? " to" : " up to", short_number(to));
    }
    return text;
}

std::string joined_names(const CurveFamily& family) { return fmt::format("{}", fmt::join(family.names, ", ")); }

/// What is said of two curves that do not meet: "fast better by 2.7 to 9.1 %".
std::string order_text(const CurveFamily& family, const CurvePair& pair, const std::optional<Better>& better)
{
    if (pair.lower == 0) return "equal";
    const auto percent = [](double value) {
        return value < 100 ? fmt::format("{:.2g}", value) : fmt::format("{:.0f}", value);
    };
    const std::string least = percent(pair.least_percent);
    const std::string most = percent(pair.most_percent);
    return fmt::format("{} by {}{} %{}", winner(family, pair, pair.lower, better), least,
                       least == most ? "" : " to " + most, pair.all_within_noise ? ", within the noise" : "");
}

/// What is said of a family without a crossing; empty: nothing, none is the best throughout.
std::string order_text(const CurveFamily& family, const std::optional<Better>& better)
{
    if (family.pairs.size() == 1) return order_text(family, family.pairs.front(), better);
    const bool known = family.best.size() == 1 && family.best.front().curves.size() == 1;
    return known ? family.names[family.best.front().curves.front()] + " best" : "";
}

bool never_meet(const CurveFamily& family)
{
    return std::ranges::all_of(family.pairs, [](const CurvePair& pair) { return pair.crossings.empty(); });
}

/// What is held, which curves, where they meet, between which points, what is beyond.
using CrossoverCells = std::vector<std::string>;

/// The rows of a family.
std::vector<CrossoverCells> rows_of(const CurveFamily& family, const std::string& held,
                                    const std::optional<Better>& better)
{
    if (never_meet(family)) {
        const std::string order = order_text(family, better);
        return {{held, joined_names(family), kNoPlace, kNoPlace,
                 order.empty() ? "no crossing between any two of them" : "no crossing: " + order}};
    }
    std::vector<CrossoverCells> rows;
    for (const CurvePair& pair : family.pairs) {
        const std::string names = fmt::format("{}, {}", family.names[pair.a], family.names[pair.b]);
        if (pair.crossings.empty()) {
            rows.push_back({held, names, kNoPlace, kNoPlace, "no crossing: " + order_text(family, pair, better)});
        }
        for (std::size_t i = 0; i < pair.crossings.size(); ++i) {
            const analytic::Crossing& crossing = pair.crossings[i];
            const char* mark = pair.within_noise[i]      ? ", within the noise"
                               : pair.most_percent < 0.1 ? ", by less than 0.1 %"
                                                         : "";
            const auto& half = pair.halves[i];
            rows.push_back({held, names, short_number(crossing.at) + (half ? fmt::format(" +- {:.2g}", *half) : ""),
                            fmt::format("{} and {}", point_number(crossing.below), point_number(crossing.above)),
                            fmt::format("{} above it{}", winner(family, pair, crossing.lower, better), mark)});
        }
    }
    return rows;
}

std::string crossovers_along(const VariantComparison& comparison, const std::vector<CurveFamily>& all,
                             std::size_t along, Room room)
{
    const Dimension& dimension = comparison.dimensions[along];
    bool any_held = false;
    bool any_meet = false;
    std::vector<CrossoverCells> rows;
    std::vector<CrossoverCells> best_rows;
    for (const CurveFamily& family : all) {
        // Of two axes of numbers one is enough in print, unless there is nothing else to compare
        const bool printed =
            comparison.variants.size() == 1 || !family.of || !comparison.dimensions[*family.of].is_number();
        if (family.along != along || !printed) continue;
        any_held = any_held || !family.held.empty();
        const std::string held = family.held.empty() ? kNoPlace : family.held;
        for (CrossoverCells& cells : rows_of(family, held, comparison.better)) rows.push_back(std::move(cells));
        if (never_meet(family)) continue;
        any_meet = true;
        if (!family.best.empty()) best_rows.push_back({held, joined_names(family), best_text(family, dimension)});
    }
    if (rows.empty()) return {};
    const auto fitting = [&](auto cells) {
        if (!any_meet && cells.size() > 3) cells.erase(cells.begin() + 2, cells.begin() + 4);
        if (!any_held) cells.erase(cells.begin());
        return cells;
    };
    const auto text_of = [&](std::vector<TableColumn> columns, std::vector<CrossoverCells>& of) {
        TextTable table(fitting(std::move(columns)));
        for (CrossoverCells& cells : of) table.row(fitting(std::move(cells)));
        return table.text(0, room);
    };
    std::string text = fmt::format("\ncrossovers along {}, on straight lines between its points\n\n{}", dimension.name,
                                   text_of({{"held"},
                                            {"curves"},
                                            {"meet at", Align::kRight, dimension.unit},
                                            {"between", Align::kRight, dimension.unit},
                                            {""}},
                                           rows));
    if (best_rows.empty()) return text;
    const std::string unit = dimension.unit.empty() ? "" : " in " + dimension.unit;
    return text + fmt::format("\nbest along {}{}\n\n{}", dimension.name, unit,
                              text_of({{"held"}, {"curves"}, {"best"}}, best_rows));
}

}  // namespace

bool never_cross(const std::vector<CurveFamily>& families) { return std::ranges::all_of(families, &never_meet); }

std::vector<std::string> crossover_sentences(const VariantComparison& comparison,
                                             const std::vector<CurveFamily>& families)
{
    constexpr std::size_t kMost = 2;  // sentences
    std::vector<std::string> sentences;
    std::vector<std::string> said;  // a pair of curves has one sentence, whatever is held
    const auto add = [&](const CurveFamily& first, const CurvePair& pair) {
        const Dimension& dimension = comparison.dimensions[first.along];
        const std::string names = fmt::format("{} and {}", first.names[pair.a], first.names[pair.b]);
        const std::string key = fmt::format("{}: {}", dimension.name, names);
        if (sentences.size() == kMost || std::ranges::find(said, key) != said.end()) return;
        said.push_back(key);
        std::vector<std::string> where;
        std::string above;
        for (const CurveFamily& family : families) {
            if (family.along != first.along || family.of != first.of || family.names != first.names) continue;
            const auto same = std::ranges::find_if(
                family.pairs, [&pair](const CurvePair& each) { return each.a == pair.a && each.b == pair.b; });
            if (same == family.pairs.end() || same->crossings.empty()) continue;
            const analytic::Crossing& crossing = same->crossings.front();
            const std::string unit = dimension.unit.empty() ? "" : " " + dimension.unit;
            const auto& half = same->halves.front();
            std::string text =
                fmt::format("at {}{} ({} to {}{})", short_number(crossing.at), unit, point_number(crossing.below),
                            point_number(crossing.above), half ? fmt::format("; +-{:.2g} over seeds", *half) : "");
            if (same->crossings.size() > 1) {
                text += fmt::format(" and {} more", counted(same->crossings.size() - 1, "time"));
            }
            if (!family.held.empty()) text += fmt::format(" with {}", family.held);
            if (same->within_noise.front()) text += ", within the noise";
            where.push_back(std::move(text));
            if (above.empty() && same->crossings.size() == 1 && crossing.lower != 0) {
                above = fmt::format("; above it {}, at the last point by {} %",
                                    winner(family, *same, crossing.lower, comparison.better),
                                    two_digits(same->last_percent));
            }
        }
        constexpr std::size_t kMostHeld = 3;
        const std::size_t more = where.size() - std::min(where.size(), kMostHeld);
        where.resize(where.size() - more);
        sentences.push_back(fmt::format("Along {}, {} cross {}{}{}.", dimension.name, names, fmt::join(where, ", "),
                                        more == 0 ? "" : fmt::format(", and in {} more", counted(more, "case")),
                                        above));
    };
    for (const CurveFamily& family : families) {
        for (const CurvePair& pair : family.pairs) {
            if (!pair.crossings.empty()) add(family, pair);
        }
    }
    if (!sentences.empty() || families.empty()) return sentences;
    const CurveFamily& family = families.front();
    const std::string order = order_text(family, comparison.better);
    sentences.push_back(fmt::format("Along {}{}{}, {}{}{}.", comparison.dimensions[family.along].name,
                                    family.held.empty() ? "" : " with ", family.held,
                                    family.names.size() == 2
                                        ? fmt::format("{} and {} do not cross", family.names[0], family.names[1])
                                        : fmt::format("no two of {} cross", joined_names(family)),
                                    order.empty() ? "" : ": ", order));
    return sentences;
}

std::string crossovers_text(const VariantComparison& comparison, const std::vector<CurveFamily>& families, Room room)
{
    std::string text;
    for (std::size_t along = 0; along < comparison.dimensions.size(); ++along) {
        text += crossovers_along(comparison, families, along, room);
    }
    return text;
}

}  // namespace ringmesh::lab
