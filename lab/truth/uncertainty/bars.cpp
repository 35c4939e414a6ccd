// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/uncertainty/bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "lab/truth/uncertainty/draws.h"
#include "tlm/statistics/student_t.h"

namespace ringmesh::lab {
namespace {

/// Of all draws the bar leaves out this part on each side.
constexpr double kTail = 0.025;
/// An input moves a row alone if it has at least this part of the variance.
constexpr double kAlone = 0.99;

double mean_square(const std::vector<double>& changes)
{
    if (changes.empty()) return 0;
    return std::inner_product(changes.begin(), changes.end(), changes.begin(), 0.0) /
           static_cast<double>(changes.size());
}

/// Between which a further value lies with 95 %, or as surely as so few sorted values tell: each of the gaps between n
/// of them, and what is below and above, is as likely.
std::pair<double, double> ends_of(const std::vector<double>& sorted)
{
    const auto left_out = static_cast<std::size_t>(kTail * static_cast<double>(sorted.size() + 1) + 1e-9);
    const std::size_t first = std::max<std::size_t>(left_out, 1) - 1;
    return {sorted[first], sorted[sorted.size() - 1 - first]};
}

/// The smallest and the largest number that any run gave.
std::pair<double, double> found_between(const RowEffects& row)
{
    std::vector<double> all{row.simulated};
    for (const auto* some : {&row.seeds, &row.choices, &row.samples}) all.insert(all.end(), some->begin(), some->end());
    for (const Effect& effect : row.effects) {
        for (const auto& result : effect.results) {
            if (result) all.push_back(*result);
        }
    }
    const auto [least, most] = std::ranges::minmax_element(all);
    return {*least, *most};
}

struct Measurement {
    double u;     ///< standard uncertainty
    double half;  ///< of an interval of 95 %
};

Measurement numerical_of(const RowEffects& row)
{
    double scatter = 0;
    if (!row.seeds.empty()) {
        std::vector<double> all = row.seeds;
        all.push_back(row.simulated);
        const double mean = std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
        for (const double value : all) scatter += (value - mean) * (value - mean) / static_cast<double>(all.size() - 1);
    }
    // Another choice of the measurement is as good as the one made: anywhere between the two, which is d^2 / 3 about an
    // end, and as good as never beyond
    double choices = 0;
    for (const double value : row.choices) choices += std::pow(value - row.simulated, 2);
    const double factor = scatter > 0 ? student_975(static_cast<double>(row.seeds.size())) : 0;
    return {.u = std::sqrt(scatter + choices / 3), .half = std::sqrt(factor * factor * scatter + choices)};
}

/// Of the inputs that a row hangs on, bars.csv names the first.
constexpr std::size_t kNamed = 3;
constexpr double kLeastNamed = 0.01;

std::string joined(const std::vector<std::string>& parts) { return fmt::format("{}", fmt::join(parts, "; ")); }

/// Of a trial's results.
std::string number_like(const RowEffects& row, double number)
{
    const double numbers[] = {row.simulated};
    return with_thousands(number, decimals_for(numbers));
}

}  // namespace

bool moves(const RowEffects& row, const Effect& effect)
{
    const double swing = row.swing(effect);
    return swing > 0 && swing >= kMovesRow * std::abs(row.simulated);
}

Bar bar_of(const RowEffects& row, const Analysis& analysis)
{
    const Measurement numerical = numerical_of(row);
    Bar bar{.simulated = row.simulated, .u_num = numerical.u};
    const std::size_t count = analysis.draws.empty() ? 1 : analysis.draws.front().size();
    std::vector<double> changes(count, 0);
    double variance = 0;  // over the ranges, whatever the rows leave of them
    double most = 0;
    double drawn = 0;  // of all inputs, where they were drawn
    for (const Effect& effect : row.effects) {
        const Input& input = analysis.inputs[effect.input];
        const Response response(row, effect, input);
        const double square = response.mean_square();
        variance += square;
        if (input.from == Provenance::kCalibrated) most = std::max(most, square);
        std::vector<double> own;
        for (const double fraction : analysis.draws[effect.input]) own.push_back(response.at(fraction));
        std::transform(own.begin(), own.end(), changes.begin(), changes.begin(), std::plus<>());
        if (!moves(row, effect)) continue;
        bar.hangs_on.push_back({input.name, mean_square(own), input.from == Provenance::kCalibrated});
        drawn += bar.hangs_on.back().part;
    }
    for (Bar::Share& share : bar.hangs_on) share.part = drawn == 0 ? 0 : share.part / drawn;
    std::ranges::stable_sort(bar.hangs_on, [](const Bar::Share& a, const Bar::Share& b) { return a.part > b.part; });
    bar.moved = std::ranges::any_of(row.effects, [&](const Effect& effect) { return moves(row, effect); });
    bar.entered = bar.moved && most >= kAlone * variance;
    if (!row.samples.empty()) {
        bar.samples = row.samples.size();
        changes.clear();
        for (const double value : row.samples) changes.push_back(value - row.simulated);
    }
    bar.u_input = std::sqrt(mean_square(changes));
    std::ranges::sort(changes);
    // The numerical part has no direction: it widens both sides, in squares
    const auto [low, high] = ends_of(changes);
    bar.low = row.simulated - std::hypot(std::max(0.0, -low), numerical.half);
    bar.high = row.simulated + std::hypot(std::max(0.0, high), numerical.half);
    const auto [least_found, most_found] = found_between(row);
    if (least_found >= 0) bar.low = std::max(bar.low, 0.0);
    if (most_found <= 0) bar.high = std::min(bar.high, 0.0);
    return bar;
}

std::vector<InputSummary> summaries_of(const Analysis& analysis, const std::set<std::string>& judged)
{
    std::vector<InputSummary> all;
    for (const Input& input : analysis.inputs) all.push_back({.input = &input});
    for (const RowEffects& row : analysis.rows) {
        for (const Effect& effect : row.effects) {
            if (!moves(row, effect)) continue;
            const double swing = row.swing(effect);
            const double part = row.simulated == 0 ? swing : swing / std::abs(row.simulated);
            InputSummary& summary = all[effect.input];
            ++summary.rows;
            if (judged.contains(row.id)) ++summary.judged;
            if (part <= summary.largest) continue;
            summary.largest = part;
            summary.largest_row = row.id;
        }
    }
    return all;
}

const Listing<InputSummary>& input_columns()
{
    using Each = InputSummary;
    static const Listing<Each> columns({
        listed<Each>("input", [](const Each& each) { return each.input->name; }),
        listed<Each>("of", [](const Each& each) { return kInputOwners.name(each.input->of); }).in(kInFiles),
        listed<Each>("from", [](const Each& each) { return kProvenanceNames.name(each.input->from); }),
        listed<Each>("value", [](const Each& each) { return each.input->value; }),
        listed<Each>("range", [](const Each& each) { return each.input->range_text(); }).in(kOnTerminal),
        listed<Each>("low", [](const Each& each) { return each.input->low; }).in(kInFiles),
        listed<Each>("high", [](const Each& each) { return each.input->high; }).in(kInFiles),
        listed<Each>("alternatives", [](const Each& each) { return joined(each.input->alternatives); }).in(kInFiles),
        listed<Each>("rows_moved", &Each::rows).titled("rows"),
        listed<Each>("judged_moved", &Each::judged).titled("judged"),
        listed<Each>("largest_percent", [](const Each& each) { return each.largest * 100; })
            .titled("most")
            .printed(
                [](const Each& each) { return each.rows == 0 ? "-" : fmt::format("{:.2f} %", each.largest * 100); }),
        listed<Each>("largest_row", &Each::largest_row).titled("of row"),
        listed<Each>("reason", [](const Each& each) { return each.input->reason; }).in(kInFiles),
    });
    return columns;
}

const Listing<AnalysedRow>& bar_columns()
{
    using Each = AnalysedRow;
    static const Listing<Each> columns({
        listed<Each>("id", [](const Each& each) { return each.effects->id; }),
        listed<Each>("simulated", [](const Each& each) { return each.bar.simulated; }),
        listed<Each>("judged", &Each::judged).in(kInSql),  // not in bars.csv
        listed<Each>("u_num", [](const Each& each) { return each.bar.u_num; }),
        listed<Each>("u_input", [](const Each& each) { return each.bar.u_input; }),
        listed<Each>("low", [](const Each& each) { return each.bar.low; }),
        listed<Each>("high", [](const Each& each) { return each.bar.high; }),
        listed<Each>("hangs_on", [](const Each& each) { return shares_text(each.bar, kNamed, kLeastNamed); }),
        listed<Each>("samples", [](const Each& each) { return each.bar.samples; }),
        listed<Each>("moved", [](const Each& each) { return each.bar.moved; }),
        listed<Each>("entered", [](const Each& each) { return each.bar.entered; }),
    });
    return columns;
}

const Listing<InputTrial>& trial_columns()
{
    using Each = InputTrial;
    static const Listing<Each> columns({
        listed<Each>("id", [](const Each& each) { return each.row->id; }).in(kInFiles | kInKeptTrials),
        listed<Each>("input", [](const Each& each) { return each.input->name; }).in(kEverywhere | kInKeptTrials),
        listed<Each>("simulated", [](const Each& each) { return each.row->simulated; }).in(kInFiles),
        listed<Each>("value", [](const Each& each) { return each.input->value; }).in(kInFiles),
        listed<Each>("tried", [](const Each& each) { return each.input->others()[each.number]; })
            .in(kEverywhere | kInKeptTrials),
        listed<Each>("result", &Each::result).in(kEverywhere | kInKeptTrials).printed([](const Each& each) {
            return each.result() ? number_like(*each.row, *each.result()) : "none";
        }),
        listed<Each>("change_percent", &Each::change_percent).titled("change").printed([](const Each& each) {
            const auto percent = each.change_percent();
            return percent ? fmt::format("{:+.2f} %", *percent) : "-";
        }),
        listed<Each>("elasticity", [](const Each& each) { return elasticity(*each.row, *each.effect, *each.input); })
            .printed([](const Each& each) {
                const auto found = elasticity(*each.row, *each.effect, *each.input);
                return found && each.number == 0 ? fmt::format("{:+.3f}", *found) : "";
            }),
    });
    return columns;
}

const Listing<SettingResult>& setting_columns()
{
    using Each = SettingResult;
    static const Listing<Each> columns({
        listed<Each>("id", &Each::id),
        listed<Each>("error", [](const Each& each) { return each.met.error; }),
        listed<Each>("sigma", [](const Each& each) { return each.met.sigma; }),
        listed<Each>("sets", [](const Each& each) { return joined(each.inputs); }),
        listed<Each>("samples", &Each::samples),
        listed<Each>("unmet", &Each::unmet),
    });
    return columns;
}

std::vector<AnalysedRow> analysed_rows(const Analysis& analysis, const std::set<std::string>& judged)
{
    std::vector<AnalysedRow> all;
    for (const RowEffects& row : analysis.rows) all.push_back({&row, bar_of(row, analysis), judged.contains(row.id)});
    return all;
}

std::optional<double> InputTrial::change_percent() const
{
    if (!result() || row->simulated == 0) return std::nullopt;
    return 100 * (*result() - row->simulated) / std::abs(row->simulated);
}

std::vector<InputTrial> trials_of(const RowEffects& row, const std::vector<Input>& inputs)
{
    std::vector<InputTrial> all;
    for (const Effect& effect : row.effects) {
        for (std::size_t i = 0; i < effect.results.size(); ++i) {
            all.push_back({&row, &effect, &inputs[effect.input], i});
        }
    }
    return all;
}

std::vector<InputTrial> trials_of(const Analysis& analysis)
{
    std::vector<InputTrial> all;
    for (const RowEffects& row : analysis.rows) {
        for (const InputTrial& trial : trials_of(row, analysis.inputs)) {
            if (moves(row, *trial.effect)) all.push_back(trial);
        }
    }
    return all;
}

}  // namespace ringmesh::lab
