// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/uncertainty/columns.h"

#include <fmt/format.h>

#include <cmath>

namespace ringmesh::lab {
namespace {

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
        listed<Each>("id", [](const Each& each) { return each.row->id; }).in(kInFiles),
        listed<Each>("input", [](const Each& each) { return each.input->name; }),
        listed<Each>("simulated", [](const Each& each) { return each.row->simulated; }).in(kInFiles),
        listed<Each>("value", [](const Each& each) { return each.input->value; }).in(kInFiles),
        listed<Each>("tried", [](const Each& each) { return each.input->others()[each.number]; }),
        listed<Each>("result", &Each::result).printed([](const Each& each) {
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
