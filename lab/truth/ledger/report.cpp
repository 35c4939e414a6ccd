// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/ledger/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>

#include "lab/truth/ledger/coverage.h"

namespace ringmesh::lab {
namespace {

/// The rows of one role.
struct Count {
    std::size_t rows = 0;
    std::size_t judged = 0;
    std::size_t passed = 0;
    std::size_t missed = 0;  // as stated
    std::size_t failed() const { return judged - passed - missed; }
    void add(const Row& row)
    {
        ++rows;
        const Verdict found = verdict(row);
        if (found != Verdict::kNotJudged) ++judged;
        if (found == Verdict::kPass) ++passed;
        if (found == Verdict::kMiss) ++missed;
    }
};

Count count(std::span<const Report> reports, std::optional<Role> role = std::nullopt)
{
    Count count;
    for (const Report& report : reports) {
        for (const Row& row : report.rows) {
            if (!role || row.role == *role) count.add(row);
        }
    }
    return count;
}

/// In the order in which they count: what was known least comes first.
constexpr std::array kRolesByWorth{Role::kPrediction, Role::kSeen,        Role::kCalibration,
                                   Role::kFormula,    Role::kAlternative, Role::kUnpublished};

/// How many rows of each role pass, for each machine.
TextTable counts_table(std::span<const Report> reports)
{
    TextTable table({{"machine"},
                     {"role"},
                     {"rows", Align::kRight},
                     {"pass", Align::kRight},
                     {"miss", Align::kRight},
                     {"FAIL", Align::kRight},
                     {"not judged", Align::kRight}});
    for (const Report& report : reports) {
        for (const Role role : kRolesByWorth) {
            const Count found = count({&report, 1}, role);
            if (found.rows == 0) continue;
            const auto number = [](std::size_t n) { return n == 0 ? "-" : std::to_string(n); };
            table.row({report.machine, std::string(kRoleNames.name(role)), std::to_string(found.rows),
                       number(found.passed), number(found.missed), number(found.failed()),
                       number(found.rows - found.judged)});
        }
    }
    return table;
}

/// All numbers of a row have the same number of decimals: enough for four digits of the smallest.
int decimals_of(const Row& row)
{
    double smallest = std::numeric_limits<double>::infinity();
    for (const auto& number : {row.published, row.analytic, row.simulated}) {
        if (number) smallest = std::min(smallest, std::abs(*number));
    }
    return smallest >= 100 ? 1 : smallest >= 10 ? 2 : 3;
}

std::string number_or_dash(const std::optional<double>& number, int decimals)
{
    return number ? with_thousands(*number, decimals) : "-";
}

std::string percent_or_dash(const std::optional<double>& percent, std::string_view format)
{
    return percent ? fmt::format(fmt::runtime(format), *percent) : "-";
}

/// In percent; of zero, to which nothing has a relative error, the amount.
std::string tolerance_of(const Row& row)
{
    const auto expected = reference(row);
    if (row.high && expected && *expected == 0) return fmt::format("{:.3g} {}", *row.high, row.unit);
    return percent_or_dash(tolerance_percent(row), "{:.3g} %");
}

std::vector<std::string> numbers_of(const Row& row)
{
    const int decimals = decimals_of(row);
    std::vector<std::string> cells;
    for (const auto& number : {row.published, row.analytic, row.simulated}) {
        cells.push_back(number_or_dash(number, decimals));
    }
    cells.push_back(row.unit);
    cells.push_back(percent_or_dash(error_percent(row), "{:+.2f} %"));
    cells.push_back(tolerance_of(row));
    cells.push_back(result_of(row));
    return cells;
}

/// A terminal's paragraph of a row. What the row before has, too, is left out: what is measured, down to its
/// conditions, where it was published, and remarks.
std::string words_of(const Row& row, const Row* before)
{
    const auto what_of = [](const Row& one) { return one.quantity.substr(0, one.quantity.find("; ")); };
    const std::string what = what_of(row);
    const bool again = before != nullptr && what.size() < row.quantity.size() && what == what_of(*before);
    std::string words = fmt::format("{} ({}): {}", row.id, kRoleNames.name(row.role),
                                    again ? row.quantity.substr(what.size() + 2) : row.quantity);
    const auto is_new = [&row, before](std::string Row::*text) {
        return !(row.*text).empty() && (before == nullptr || row.*text != before->*text);
    };
    if (is_new(&Row::source)) words += row.source.starts_with('[') ? ' ' + row.source : " [" + row.source + ']';
    if (is_new(&Row::note)) words += ": " + row.note;
    if (is_new(&Row::because)) words += (is_new(&Row::note) ? "; " : ": ") + row.because;
    return words;
}

/// A line for each row; on a page, where a table may be wide, with its words.
TextTable rows_table(const Report& report, bool page)
{
    std::vector<TableColumn> columns{{"id"}};
    if (page) columns.push_back({"quantity"});
    columns.insert(columns.end(), {{"published", Align::kRight},
                                   {"analytic", Align::kRight},
                                   {"simulated", Align::kRight},
                                   {"unit"},
                                   {"error", Align::kRight},
                                   {"role"},
                                   {"tolerance", Align::kRight},
                                   {"result"}});
    if (page) columns.push_back({"kind"});
    columns.push_back({"source"});
    if (page) columns.push_back({"note"});
    TextTable table(columns);
    std::string section;
    for (const Row& row : report.rows) {
        if (row.section != section) table.section(row.section);
        section = row.section;
        std::vector<std::string> cells{row.id};
        if (page) cells.push_back(row.quantity);
        const auto n = numbers_of(row);
        cells.insert(cells.end(), {n[0], n[1], n[2], n[3], n[4], std::string(kRoleNames.name(row.role)), n[5], n[6]});
        if (page) cells.push_back(row.kind);
        cells.push_back(row.source);
        if (page) cells.push_back(row.note + (row.note.empty() || row.because.empty() ? "" : "; ") + row.because);
        table.row(std::move(cells));
    }
    return table;
}

/// For a terminal: of each row a paragraph of words and a line of numbers.
TextTable rows_in_detail(const Report& report)
{
    TextTable table({{"published", Align::kRight},
                     {"analytic", Align::kRight},
                     {"simulated", Align::kRight},
                     {"unit"},
                     {"error", Align::kRight},
                     {"tolerance", Align::kRight},
                     {"result"}});
    const Row* before = nullptr;
    for (const Row& row : report.rows) {
        if (before == nullptr || row.section != before->section) {
            table.words("");
            if (!row.section.empty()) {
                table.words(row.section);
                table.words("");
            }
            before = nullptr;
        }
        table.words(words_of(row, before));
        table.row(numbers_of(row));
        before = &row;
    }
    return table;
}

/// How surely the rows say what they say, those of known error first: misses come first.
TextTable bars_table(const Report& report, bool in_full)
{
    TextTable table({{"id"},
                     {"E", Align::kRight, "%"},
                     {"u_D", Align::kRight, "%"},
                     {"u_num", Align::kRight, "%"},
                     {"u_input", Align::kRight, "%"},
                     {"bar", Align::kRight},
                     {"unit"},
                     {in_full ? "what the comparison says" : "says"},
                     {"hangs on"}});
    for (const Evidence evidence :
         {Evidence::kKnownError, Evidence::kSaysNothing, Evidence::kAgrees, Evidence::kHolds}) {
        for (const Row& row : report.rows) {
            const auto range = error_range(row);
            if (!range || range->evidence != evidence) continue;
            const double scale = *row.published == 0 ? 1 : 100 / std::abs(*row.published);
            const int decimals = decimals_of(row);
            const double shift = *row.simulated - row.bar->simulated;
            std::string says = in_full ? evidence_text(row) : short_evidence(row);
            if (row.bar->entered) says += "; entered";
            if (!row.bar->moved) says += "; nothing moves it";
            if (std::abs(shift) > 1e-5 * std::abs(*row.simulated)) says += "; bar of an older model";
            table.row({row.id, fmt::format("{:+.2f}", (*row.simulated - *row.published) * scale),
                       two_digits(range->u_data * scale), two_digits(row.bar->u_num * scale),
                       two_digits(row.bar->u_input * scale),
                       fmt::format("{} to {}", with_thousands(row.bar->low + shift, decimals),
                                   with_thousands(row.bar->high + shift, decimals)),
                       row.unit, says, shares_text(*row.bar, 2, 0.1)});
        }
    }
    return table;
}

/// All of them, or those that are not as they were frozen.
TextTable predictions_table(const Report& report, bool all)
{
    TextTable table({{"prediction"},
                     {"quantity"},
                     {"frozen", Align::kRight},
                     {"low", Align::kRight},
                     {"high", Align::kRight},
                     {"unit"},
                     {"now", Align::kRight},
                     {"state"},
                     {"on"}});
    for (const Prediction& prediction : report.predictions) {
        const bool quiet =
            prediction.state == PredictionState::kAsFrozen || prediction.state == PredictionState::kLeftOut;
        if (!all && quiet) continue;
        const auto& frozen = prediction.frozen;
        const FrozenPrediction& bar = frozen ? *frozen : prediction.now;
        const double numbers[] = {prediction.now.value};
        const int decimals = decimals_for(numbers);
        std::string state(kPredictionStates.name(prediction.state));
        if (!prediction.now.seen.empty()) state += ", seen: " + prediction.now.seen;
        table.row(
            {prediction.now.id, prediction.now.quantity, frozen ? with_thousands(frozen->value, decimals) : "-",
             number_or_dash(bar.low, decimals), number_or_dash(bar.high, decimals), prediction.now.unit,
             quiet || prediction.state != PredictionState::kGone ? with_thousands(prediction.now.value, decimals) : "-",
             state, frozen ? frozen->date : "-"});
    }
    return table;
}

std::string predictions_count(const Report& report)
{
    std::vector<std::string> parts;
    for (const auto& [name, state] : kPredictionStates.rows) {
        const auto count = std::count_if(report.predictions.begin(), report.predictions.end(),
                                         [state = state](const Prediction& each) { return each.state == state; });
        if (count > 0) parts.push_back(fmt::format("{} {}", count, name));
    }
    std::vector<std::string> left_out;
    for (const Prediction& prediction : report.predictions) {
        if (prediction.state == PredictionState::kLeftOut) left_out.push_back(prediction.now.id);
    }
    return fmt::format("{}: {}{}", counted(report.predictions.size(), "prediction"), fmt::join(parts, ", "),
                       left_out.empty() ? ""
                                        : fmt::format("; left out because they take long, and included by validate "
                                                      "--full: {}",
                                                      fmt::join(left_out, ", ")));
}

constexpr std::string_view kPredictionsTitle = "Predictions, frozen before any comparison";
constexpr std::string_view kBarsTitle = "Error bars";
constexpr std::string_view kHowToReadBars =
    "E: simulated less published, in percent of the published number (its amount if that is 0). u_D, u_num, u_input: "
    "standard uncertainties of the published number, of seeds and choices of the measurement, and of parameters "
    "within their ranges; the bar holds 95 % of what these ranges give. As in ASME V&V 20 a comparison says one of "
    "three things: the model's error lies between two ends of one sign; it agrees within what is known; it says "
    "nothing, because the bar is wider than the tolerance. A bound holds if all of the bar is on its right side. An "
    "asterisk: the parameter was calibrated. Entered: it alone moves the row.";

/// Frozen ones that the model no longer gives as they were frozen.
std::size_t broken_predictions(std::span<const Report> reports)
{
    std::size_t broken = 0;
    for (const Report& report : reports) {
        for (const Prediction& prediction : report.predictions) {
            const auto state = prediction.state;
            if (state == PredictionState::kMoved || state == PredictionState::kRestated ||
                state == PredictionState::kGone) {
                ++broken;
            }
        }
    }
    return broken;
}

std::size_t left_out(std::span<const Report> reports)
{
    std::size_t rows = 0;
    for (const Report& report : reports) rows += report.left_out.size();
    return rows;
}

/// The rows left out, and the option that includes them. @pre there are some
std::string left_out_text(const Report& report)
{
    return fmt::format("Left out because they take long; included by validate --full: {}.",
                       fmt::join(report.left_out, ", "));
}

constexpr std::string_view kHowToRead =
    "Error: simulated against published or, where nothing was published, against analytic; where nothing is simulated, "
    "analytic against published. Roles follow from the data: a calibration is named by the provenance of a parameter "
    "or "
    "an option; with a seen row in sight something else was chosen; an alternative is of another variant and never "
    "judged; a prediction was published and is none of these; formulas lack a published or a simulated number. A miss "
    "is out of its tolerance, with the reason; a row with a reason that is within its tolerance fails.";

/// "published 1.9, simulated 2.4 us: +26 %, tolerance 15 %: why", those that fail before those that are stated.
std::vector<std::string> misses_of(const Report& report)
{
    std::vector<std::string> lines;
    std::vector<const Row*> rows;  // failures first, then what is worth most
    for (const Verdict wanted : {Verdict::kFail, Verdict::kMiss}) {
        for (const Role role : kRolesByWorth) {
            for (const Row& row : report.rows) {
                if (verdict(row) == wanted && row.role == role) rows.push_back(&row);
            }
        }
    }
    for (const Row* const row : rows) {
        std::string line = fmt::format("{} {} ({}): {}, tolerance {}: {}", result_of(*row), row->id,
                                       kRoleNames.name(row->role), percent_or_dash(error_percent(*row), "{:+.1f} %"),
                                       percent_or_dash(tolerance_percent(*row), "{:.3g} %"),
                                       row->miss.empty() ? row->quantity : row->miss);
        if (verdict(*row) == Verdict::kFail && !row->miss.empty()) {
            line += " (a miss is stated, and there is none any more)";
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

}  // namespace

bool all_within(std::span<const Report> reports)
{
    const Count all = count(reports);
    return all.passed + all.missed == all.judged && broken_predictions(reports) == 0;
}

std::string summary(std::span<const Report> reports)
{
    std::vector<std::string> parts;
    for (const Role role : kRolesByWorth) {
        const Count found = count(reports, role);
        if (found.judged != 0) {
            parts.push_back(fmt::format("{} of {} {} row{}", found.passed, found.judged, kRoleNames.name(role),
                                        found.judged == 1 ? "" : "s"));
        }
    }
    const Count all = count(reports);
    const std::size_t missing = left_out(reports);
    const std::size_t not_judged = all.rows - all.judged;
    const std::size_t broken = broken_predictions(reports);
    return fmt::format("{}; within their tolerance: {}; {} {} it as stated, {} {}, {} {} not judged{}{}",
                       counted(all.rows, "row"), parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, ", ")),
                       all.missed, all.missed == 1 ? "misses" : "miss", all.failed(),
                       all.failed() == 1 ? "fails" : "fail", not_judged, not_judged == 1 ? "is" : "are",
                       missing == 0 ? "" : fmt::format("; {} more with --full", missing),
                       broken == 0 ? "" : fmt::format("; {} no longer as frozen", counted(broken, "prediction")));
}

std::vector<std::string> bar_counts(std::span<const Report> reports)
{
    std::vector<std::string> lines;
    for (const Report& report : reports) {
        if (!report.inputs) continue;
        std::array<std::size_t, 4> findings{};
        std::size_t rows = 0;
        std::size_t entered = 0;
        std::size_t unmoved = 0;
        for (const Row& row : report.rows) {
            const auto range = error_range(row);
            if (!range) continue;
            ++rows;
            ++findings[static_cast<std::size_t>(range->evidence)];
            if (row.bar->entered) ++entered;
            if (!row.bar->moved) ++unmoved;
        }
        const auto& calibrated = report.inputs->calibrated;
        const std::string entered_inputs =
            has_too_many_calibrated(*report.inputs)
                ? fmt::format(", which is more than one to {}, so these count as entered: {}", kNumbersPerCalibrated,
                              fmt::join(calibrated, ", "))
                : "";
        lines.push_back(fmt::format(
            "{}: of {} with a bar and a published number, {} have an error of known sign, {} agree within "
            "what is known, {} are bounds that hold, {} say nothing; {} entered, nothing moves {}; {} varied, {} of "
            "them "
            "calibrated, to {}{}; {} free{}{}",
            report.machine, counted(rows, "row"), findings[0], findings[1], findings[2], findings[3],
            entered == 1 ? "1 was" : fmt::format("{} were", entered), unmoved, counted(report.inputs->all, "input"),
            calibrated.size(), counted(report.inputs->independent, "independent number"), entered_inputs,
            report.inputs->free.size(), report.inputs->free.empty() ? "" : ": ", fmt::join(report.inputs->free, ", ")));
        if (!report.inputs->changed.empty()) {
            lines.back() +=
                fmt::format(". The bars are of other inputs: {}; validate --uncertainty --keep makes them anew",
                            fmt::join(report.inputs->changed, "; "));
        }
        const Coverage unseen = coverage_of({&report, 1});
        if (unseen.rows == 0) continue;
        lines.back() += fmt::format(". Of published numbers that the model never saw, {}", coverage_text(unseen));
        const Coverage whole = coverage_of_tables_left_out({&report, 1});
        if (whole.rows == unseen.rows) continue;
        lines.back() += fmt::format(". Of those in tables of which no row set anything, {}", coverage_text(whole));
    }
    return lines;
}

std::string table_text(const Report::Table& table, Room room)
{
    std::string text =
        fmt::format("{}\n\n{}", wrapped(table.title, 0, room.prose()), table.table.text(0, room.for_results()));
    for (const std::string& note : table.notes) text += wrapped(note, 0, room.prose()) + '\n';
    return text;
}

std::string report_text(const Report& report, bool details, Room room)
{
    std::string text = wrapped(report.title, 0, room.prose()) + "\n";
    if (!report.rows.empty()) text += '\n' + counts_table({&report, 1}).text(0, room);
    const auto misses = misses_of(report);
    if (!misses.empty()) text += '\n';
    for (const std::string& miss : misses) text += wrapped(miss, 2, room.prose()) + '\n';
    if (!report.rows.empty()) {
        TextTable table = details ? rows_in_detail(report) : rows_table(report, false);
        const auto left_out = table.leave_out({"source", "tolerance", "analytic", "role"}, room);
        text += '\n' + table.text(details ? 2 : 0, details ? room : room.for_results());
        if (!left_out.empty()) {
            text += '\n' +
                    wrapped(fmt::format("No room for {}; --details has them.", fmt::join(left_out, ", ")), 0,
                            room.prose()) +
                    '\n';
        }
    }
    for (const Report::Table& table : report.tables) text += '\n' + table_text(table, room);
    if (report.inputs) {
        TextTable bars = bars_table(report, false);
        const auto left_out = details ? std::vector<std::string>{}
                                      : bars.leave_out({"hangs on", "u_num", "u_D", "u_input", "unit", "bar"}, room);
        std::vector<std::string> notes{std::string(kHowToReadBars), bar_counts({&report, 1}).front() + '.'};
        if (!left_out.empty()) {
            notes.push_back(fmt::format("No room for {}; --details has them.", fmt::join(left_out, ", ")));
        }
        text += '\n' + table_text({std::string(kBarsTitle), std::move(bars), std::move(notes)}, room);
    }
    if (!report.predictions.empty()) {
        const TextTable others = predictions_table(report, false);
        text += fmt::format("\n{}\n", wrapped(predictions_count(report) + ".", 0, room.prose()));
        if (!others.empty()) text += '\n' + others.text(0, room.for_results());
    }
    text += '\n';
    for (const std::string& line : report.not_run) text += wrapped("not run " + line, 2, room.prose()) + '\n';
    if (!report.not_run.empty()) text += '\n';
    text += wrapped(kHowToRead, 0, room.prose()) + '\n';
    for (const std::string& note : report.notes) text += wrapped(note, 0, room.prose()) + '\n';
    if (!report.left_out.empty()) text += wrapped(left_out_text(report), 0, room.prose()) + '\n';
    return text;
}

std::string report_markdown(std::span<const Report> reports)
{
    const bool ours = std::all_of(reports.begin(), reports.end(), [](const Report& report) { return report.ships; });
    std::string text =
        ours ? "<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
               "<!-- Written by `ringmesh validate --markdown`: change the model or its study, not this page. -->\n\n"
             : "";
    text += "# Validation\n\n" + wrapped(kHowToRead);
    if (ours) text += "\nThe tags in the column source are those of `docs/reference/sources.md`.";
    text += "\n\n" + wrapped(summary(reports) + ".") + "\n\n" + counts_table(reports).markdown();
    for (const Report& report : reports) {
        text += fmt::format("\n## {}\n", report.title);
        for (const std::string& miss : misses_of(report)) text += "\n- " + wrapped(miss, 2) + '\n';
        if (!report.rows.empty()) text += '\n' + rows_table(report, true).markdown();
        for (const Report::Table& table : report.tables) {
            text += fmt::format("\n### {}\n\n{}", table.title, table.table.markdown());
            for (const std::string& note : table.notes) text += '\n' + wrapped(note) + '\n';
        }
        if (report.inputs) {
            text += fmt::format("\n### {}\n\n{}\n{}\n\n{}.\n", kBarsTitle, bars_table(report, true).markdown(),
                                wrapped(kHowToReadBars), wrapped(bar_counts({&report, 1}).front()));
        }
        if (!report.predictions.empty()) {
            text += fmt::format("\n### {}\n\n{}\n{}.\n", kPredictionsTitle, predictions_table(report, true).markdown(),
                                wrapped(predictions_count(report)));
        }
        if (!report.not_run.empty()) text += "\n### Published, but not run\n";
        for (const std::string& line : report.not_run) text += "\n- " + wrapped(line, 2) + '\n';
        text += '\n';
        for (const std::string& note : report.notes) text += wrapped(note) + '\n';
        if (!report.left_out.empty()) text += '\n' + wrapped(left_out_text(report)) + '\n';
    }
    return text;
}

}  // namespace ringmesh::lab
