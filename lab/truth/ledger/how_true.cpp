// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/ledger/how_true.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "lab/table/text_table.h"
#include "lab/truth/ledger/coverage.h"

namespace ringmesh::lab {
namespace {

/// The rows of a report that a comparison is made with.
std::vector<const Row*> compared(const Report& report)
{
    std::vector<const Row*> rows;
    for (const Row& row : report.rows) {
        if (row.published && row.simulated && row.role != Role::kAlternative) rows.push_back(&row);
    }
    return rows;
}

/// In parts of the published number.
double distance(const Row& row)
{
    const double error = *row.simulated - *row.published;
    return std::abs(*row.published == 0 ? error : error / *row.published);
}

std::string error_text(const Row& row)
{
    const auto percent = error_percent(row);
    return percent ? fmt::format("{:+.2f} %", *percent) : fmt::format("{:+.3g} {}", *row.simulated, row.unit);
}

std::string bar_text(const Row& row)
{
    if (!row.bar || *row.published == 0) return "-";
    const double scale = 100 / std::abs(*row.published);
    return fmt::format("{} to {} %", signed_two_digits((row.bar->low - row.bar->simulated) * scale),
                       signed_two_digits((row.bar->high - row.bar->simulated) * scale));
}

std::string reason_of(const Row& row) { return row.miss.empty() ? row.note : row.miss; }

/// A match that tells something: inputs move the row, not a calibrated one alone, and it agrees all the same.
bool agrees_and_could_fail(const Row& row)
{
    const auto range = error_range(row);
    return range && range->evidence == Evidence::kAgrees && row.bar->moved && !row.bar->entered &&
           row.role != Role::kCalibration;
}

/// One line a machine: before anything else, how much of the comparison is worth something.
TextTable worth_table(std::span<const Report> reports)
{
    TextTable table({{"machine"},
                     {"rows compared", Align::kRight},
                     {"predictions, seen, calibrations", Align::kRight},
                     {"error of known sign", Align::kRight},
                     {"agree", Align::kRight},
                     {"of these moved, not entered", Align::kRight},
                     {"bound holds", Align::kRight},
                     {"say nothing", Align::kRight},
                     {"entered rows", Align::kRight},
                     {"calibrated inputs", Align::kRight},
                     {"entered inputs", Align::kRight},
                     {"independent numbers", Align::kRight},
                     {"free inputs", Align::kRight},
                     {"unseen inside", Align::kRight},
                     {"narrower than 10 %", Align::kRight},
                     {"frozen predictions", Align::kRight},
                     {"of these unseen, with a bar", Align::kRight},
                     {"of these narrower than 10 %", Align::kRight}});
    for (const Report& report : reports) {
        std::array<std::size_t, 4> evidence{};
        std::array<std::size_t, 6> roles{};
        std::size_t entered = 0;
        std::size_t tested = 0;
        const auto rows = compared(report);
        for (const Row* row : rows) {
            ++roles[static_cast<std::size_t>(row->role)];
            if (const auto range = error_range(*row)) ++evidence[static_cast<std::size_t>(range->evidence)];
            if (row->bar && row->bar->entered) ++entered;
            if (agrees_and_could_fail(*row)) ++tested;
        }
        std::size_t frozen = 0;
        std::size_t unseen_frozen = 0;
        std::size_t narrow_frozen = 0;
        for (const Prediction& each : report.predictions) {
            if (!each.frozen) continue;
            ++frozen;
            if (!each.frozen->seen.empty() || !each.frozen->low) continue;
            ++unseen_frozen;
            if (*each.frozen->high - *each.frozen->low < std::abs(each.frozen->value) / 10) ++narrow_frozen;
        }
        const Coverage unseen = coverage_of({&report, 1});
        const auto of_bars = [&report](std::size_t number) {
            return report.inputs ? std::to_string(number) : std::string("-");
        };
        table.row(
            {report.machine, std::to_string(rows.size()),
             fmt::format("{}, {}, {}", roles[static_cast<std::size_t>(Role::kPrediction)],
                         roles[static_cast<std::size_t>(Role::kSeen)],
                         roles[static_cast<std::size_t>(Role::kCalibration)]),
             of_bars(evidence[0]), of_bars(evidence[1]), of_bars(tested), of_bars(evidence[2]), of_bars(evidence[3]),
             of_bars(entered), of_bars(report.inputs ? report.inputs->calibrated.size() : 0),
             of_bars(report.inputs && has_too_many_calibrated(*report.inputs) ? report.inputs->calibrated.size() : 0),
             of_bars(report.inputs ? report.inputs->independent : 0),
             of_bars(report.inputs ? report.inputs->free.size() : 0),
             of_bars(unseen.inside) + (report.inputs ? fmt::format(" of {}", unseen.rows) : ""), of_bars(unseen.narrow),
             std::to_string(frozen), std::to_string(unseen_frozen), std::to_string(narrow_frozen)});
    }
    return table;
}

/// What a reader in a hurry takes along.
std::string in_short(const Report& report)
{
    const auto rows = compared(report);
    std::array<std::size_t, 4> evidence{};
    std::size_t bars = 0;
    std::size_t predicted = 0;
    std::size_t within = 0;
    std::size_t unmoved = 0;
    std::size_t silent_within = 0;
    std::size_t tested = 0;
    const Row* worst = nullptr;
    double farthest = 0;  // in parts of the published number, at least so much
    for (const Row* row : rows) {
        if (row->role == Role::kPrediction) {
            ++predicted;
            if (verdict(*row) == Verdict::kPass) {
                ++within;
                const auto range = error_range(*row);
                if (row->bar && (!row->bar->moved || row->bar->entered)) {
                    ++unmoved;
                } else if (!range || range->evidence == Evidence::kSaysNothing) {
                    ++silent_within;
                }
            }
        }
        if (agrees_and_could_fail(*row)) ++tested;
        const auto range = error_range(*row);
        if (!range) continue;
        ++bars;
        ++evidence[static_cast<std::size_t>(range->evidence)];
        if (range->evidence != Evidence::kKnownError || *row->published == 0) continue;
        const double least = std::max(range->low, -range->high) / std::abs(*row->published);
        if (least > farthest) {
            farthest = least;
            worst = row;
        }
    }
    std::string text = fmt::format(
        "**{}**: {}", report.machine,
        predicted == 0 ? std::string("nothing is predicted")
                       : fmt::format("{} of {} within their tolerance", within, counted(predicted, "prediction")));
    if (within > 0 && bars > 0) {
        text += fmt::format(" ({} could not have failed, for no assumed input moves {}; {} nothing for certain)",
                            unmoved, unmoved == 1 ? "it" : "them",
                            silent_within == 1 ? "1 says" : fmt::format("{} say", silent_within));
    }
    if (!report.left_out.empty()) {
        text += fmt::format(
            "; {} more published rows or series take long and are not in these counts (`ringmesh validate {} --full` "
            "judges them)",
            report.left_out.size(), report.machine);
    }
    if (bars == 0)
        return text + fmt::format(". {}, none of which has an error bar.", counted(rows.size(), "comparison"));
    const std::size_t silent = evidence[static_cast<std::size_t>(Evidence::kSaysNothing)];
    text += fmt::format(
        ". {} of {} comparisons tell something: {} an error of known sign, {} that there is none to be "
        "seen, of which {} could have failed: inputs move them, and not a calibrated one alone; {} say nothing.",
        bars - silent, rows.size(), evidence[static_cast<std::size_t>(Evidence::kKnownError)],
        evidence[static_cast<std::size_t>(Evidence::kAgrees)] + evidence[static_cast<std::size_t>(Evidence::kHolds)],
        tested, silent);
    if (worst != nullptr)
        text += fmt::format(" Farthest off for sure: {}, by {:.0f} % or more.", worst->id, 100 * farthest);
    if (report.inputs && has_too_many_calibrated(*report.inputs)) {
        text +=
            fmt::format(" {} to {}: these are entered.", counted(report.inputs->calibrated.size(), "calibrated input"),
                        counted(report.inputs->independent, "independent number"));
    }
    return text;
}

/// "8 of 13 (62 %; aim 90 to 98 %: missed)"
std::string against_aim(std::size_t part, const Coverage& coverage, double low, double high)
{
    const double percent = 100 * static_cast<double>(part) / static_cast<double>(coverage.rows);
    const std::string aim = high < 100 ? fmt::format("{:.0f} to {:.0f} %", low, high) : fmt::format("{:.0f} %", low);
    const char* verdict = coverage.rows < kLeastForCoverage ? "too few to tell"
                          : percent < low                   ? "missed"
                          : percent > high                  ? "exceeded: ranges too wide"
                                                            : "met";
    return fmt::format("{} of {} ({:.0f} %; aim {}: {})", part, coverage.rows, percent, aim, verdict);
}

std::string aim_text(const Coverage& coverage)
{
    if (coverage.rows == 0) return "there is none" + left_out_text(coverage);
    return fmt::format(
        "{} lie within their interval; of the intervals {} are narrower than 10 %, the median is {} %; "
        "mean interval score {} % of the number{}",
        against_aim(coverage.inside, coverage, 90, 98), against_aim(coverage.narrow, coverage, 50, 100),
        two_digits(100 * coverage.median_width), two_digits(100 * coverage.score), left_out_text(coverage));
}

/// Of sound 95 % intervals about 95 of 100 hold the number; narrow ones say something.
std::string aims_text(const Coverage& unseen, const Coverage& tables)
{
    return fmt::format(
        "Of the published numbers that the model never saw, on all machines together, {}. Of those in tables of "
        "which no row set anything (the parameters are those of all calibrations: nothing is fitted anew), {}.",
        aim_text(unseen), aim_text(tables));
}

/// Rows that `wanted` holds for, those that are farthest off first.
std::string rows_text(const Report& report, std::string_view title, std::string_view nothing, bool reasons,
                      const auto& wanted)
{
    auto rows = compared(report);
    std::erase_if(rows, [&wanted](const Row* row) { return !wanted(*row); });
    std::stable_sort(rows.begin(), rows.end(), [](const Row* a, const Row* b) { return distance(*a) > distance(*b); });
    std::string text = fmt::format("\n### {}\n\n", title);
    if (rows.empty()) return text + std::string(nothing) + '\n';
    std::vector<TableColumn> columns{{"row"},  {"what"}, {"error", Align::kRight}, {"bar", Align::kRight},
                                     {"role"}, {"says"}};
    if (reasons) columns.push_back({"why"});
    TextTable table(columns);
    for (const Row* row : rows) {
        std::vector<std::string> cells{row->id,
                                       row->quantity,
                                       error_text(*row),
                                       bar_text(*row),
                                       std::string(kRoleNames.name(row->role)),
                                       evidence_text(*row)};
        if (reasons) cells.push_back(reason_of(*row));
        table.row(cells);
    }
    return text + table.markdown();
}

std::string listed(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names) text += fmt::format("{}`{}`", text.empty() ? "" : ", ", name);
    return text;
}

/// What the comparison cannot tell, an item each.
std::string unknown_text(const Report& report)
{
    std::string text = "\n### What is unknown\n\n";
    if (!report.inputs) return text + "No error bars are kept for this study.\n";
    std::vector<std::string> silent;
    std::vector<std::string> unmoved;
    for (const Row* row : compared(report)) {
        const auto range = error_range(*row);
        if (!range) continue;
        if (range->evidence == Evidence::kSaysNothing) silent.push_back(row->id);
        if (!row->bar->moved) unmoved.push_back(row->id);
    }
    const auto item = [&text](std::string_view what, const std::vector<std::string>& names) {
        const std::string all = names.empty() ? "none" : fmt::format("{}: {}", names.size(), listed(names));
        text += wrapped(fmt::format("- {}: {}", what, all), 2) + '\n';
    };
    item("Rows that say nothing, because the bar is wider than the tolerance", silent);
    item("Rows that nothing moves: they follow from what is specified", unmoved);
    item("Free inputs, of which the comparison tells nothing", report.inputs->free);
    const bool too_many = has_too_many_calibrated(*report.inputs);
    item(fmt::format(
             "Calibrated inputs, to {}{}", counted(report.inputs->independent, "independent number"),
             too_many ? fmt::format(" (more than one to {}: they count as entered)", kNumbersPerCalibrated) : ""),
         report.inputs->calibrated);
    return text;
}

std::string machine_text(const Report& report)
{
    std::string text = fmt::format("\n## {}\n", report.title);
    const auto is_entered = [](const Row& row) {
        return row.role == Role::kCalibration || (row.bar && row.bar->entered);
    };
    text += rows_text(report, "What misses", "Nothing.", true,
                      [](const Row& row) { return verdict(row) == Verdict::kMiss || verdict(row) == Verdict::kFail; });
    text += rows_text(report, "What is predicted, and is within its tolerance", "Nothing.", false,
                      [](const Row& row) { return row.role == Role::kPrediction && verdict(row) == Verdict::kPass; });
    text += rows_text(
        report, "What is within its tolerance, but was in sight when something was chosen", "Nothing.", false,
        [&](const Row& row) { return row.role == Role::kSeen && verdict(row) == Verdict::kPass && !is_entered(row); });
    text += rows_text(report, "What set an input, or hangs on a calibrated one alone", "Nothing.", false, is_entered);
    return text + unknown_text(report);
}

}  // namespace

std::string how_true_markdown(std::span<const Report> reports)
{
    std::string text =
        "<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
        "<!-- Written by `ringmesh validate --how-true`: change the model or its studies, not this page. -->\n\n"
        "# How true the model is\n\n";
    text += wrapped(
                "Made from the published numbers, the simulated ones, and their error bars (uncertainty.md). Numbers, "
                "roles and verdicts are computed; the reasons in the column *why* are the authors' words. A row is a "
                "prediction if no number of its own, and nothing that was chosen with it in "
                "sight, went into the model; it was seen if something was chosen with it in sight. Agreeing rows hold "
                "zero in the range of the model's error and have a bar that is narrower than the tolerance; rows that "
                "say nothing have a wider one; a bound holds if all of the bar is on its right side.") +
            "\n\n";
    for (const Report& report : reports) text += wrapped("- " + in_short(report), 2) + '\n';
    text += '\n' + worth_table(reports).markdown() + '\n' +
            wrapped(aims_text(coverage_of(reports), coverage_of_tables_left_out(reports))) + '\n';
    for (const Report& report : reports) text += machine_text(report);
    return text;
}

}  // namespace ringmesh::lab
