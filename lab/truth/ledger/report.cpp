// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/ledger/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

#include "lab/table/json.h"
#include "lab/truth/ledger/accuracy.h"
#include "lab/truth/ledger/columns.h"
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
        const auto found = verdict(row);
        if (found) ++judged;
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
                     {"fail", Align::kRight},
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

void begin_section(TextTable& table, const Row& row, const Row* before)
{
    if (before == nullptr ? !row.section.empty() : row.section != before->section) table.section(row.section);
}

/// A line for each row.
TextTable rows_table(const Report& report)
{
    TextTable table = ledger_columns().table();
    const Row* before = nullptr;
    for (const Row& row : report.rows) {
        begin_section(table, row, before);
        table.row(ledger_columns().texts(row));
        before = &row;
    }
    return table;
}

/// The same on a page, where a heading between the rows would begin another table.
TextTable page_table(const Report& report)
{
    TextTable table = ledger_columns().table(kInMarkdown);
    std::string section;
    for (const Row& row : report.rows) {
        if (row.section != section) {
            std::vector<std::string> heading(table.columns().size());
            heading.front() = fmt::format("**{}**", row.section);
            table.row(std::move(heading));
        }
        section = row.section;
        table.row(ledger_columns().texts(row, kInMarkdown));
    }
    return table;
}

/// For a terminal: of each row a paragraph of words and a line of numbers.
TextTable rows_in_detail(const Report& report)
{
    TextTable table = ledger_columns().table(kBesideWords);
    const Row* before = nullptr;
    for (const Row& row : report.rows) {
        const bool first = before == nullptr || row.section != before->section;
        begin_section(table, row, before);
        if (first) table.words("");
        table.words(words_of(row, first ? nullptr : before));
        table.row(ledger_columns().texts(row, kBesideWords));
        before = &row;
    }
    return table;
}

/// How surely the rows say what they say, those of known error first: misses come first.
TextTable bars_table(const Report& report)
{
    TextTable table = ledger_columns().table(kInBars);
    for (const Evidence evidence :
         {Evidence::kKnownError, Evidence::kSaysNothing, Evidence::kAgrees, Evidence::kHolds}) {
        for (const Row& row : report.rows) {
            const auto range = error_range(row);
            if (range && range->evidence == evidence) table.row(ledger_columns().texts(row, kInBars));
        }
    }
    return table;
}

/// Whether the model still says what was frozen, or was not asked.
bool is_quiet(const Prediction& prediction)
{
    return prediction.state == PredictionState::kAsFrozen || prediction.state == PredictionState::kLeftOut;
}

/// Those that are not as they were frozen.
TextTable predictions_table(const Report& report)
{
    TextTable table = prediction_columns().table();
    for (const Prediction& prediction : report.predictions) {
        if (!is_quiet(prediction)) table.row(prediction_columns().texts(prediction));
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

const std::string kHowToReadBars =
    "Error: simulated less published, in percent of the published number (its amount if that is 0). u_D, u_num, "
    "u_input: standard uncertainties of the published number, of seeds and choices of the measurement, and of "
    "parameters "
    "within their ranges; the bar holds 95 % of what these ranges give. As in ASME V&V 20 a comparison says one of "
    "three things: the model's error lies between two ends of one sign; it agrees within what is known; it says "
    "nothing, because the bar is wider than the tolerance. A bound holds if all of the bar is on its right side. An "
    "asterisk: the parameter was calibrated. Entered: it alone moves the row.";

/// Frozen ones that the model no longer gives as they were frozen.
std::size_t broken_predictions(std::span<const Report> reports)
{
    std::size_t broken = 0;
    for (const Report& report : reports) {
        for (const Prediction& each : report.predictions) {
            if (!is_quiet(each) && each.state != PredictionState::kNotFrozen) ++broken;
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

const std::string kHowToRead =
    "Error: simulated against published or, where nothing was published, against analytic; where nothing is simulated, "
    "analytic against published. Roles follow from the data: a calibration is named by the provenance of a parameter "
    "or "
    "an option; with a seen row in sight something else was chosen; an alternative is of another variant and never "
    "judged; a prediction was published and is none of these; formulas lack a published or a simulated number. A miss "
    "is out of its tolerance, with the reason; a row with a reason that is within its tolerance fails.";

/// "miss ID (prediction): +26 %, tolerance 15 %: why", those that fail before those that are stated.
std::vector<std::string> misses_of(const Report& report)
{
    std::vector<std::string> lines;
    for (const Verdict wanted : {Verdict::kFail, Verdict::kMiss}) {
        for (const Role role : kRolesByWorth) {
            for (const Row& row : report.rows) {
                if (verdict(row) != wanted || row.role != role) continue;
                const auto percent = [](const std::optional<double>& number, std::string_view format) {
                    return number ? fmt::format(fmt::runtime(format), *number) : "-";
                };
                lines.push_back(fmt::format(
                    "{} {} ({}): {}, tolerance {}: {}{}", kVerdicts.name(wanted), row.id, kRoleNames.name(role),
                    percent(error_percent(row), "{:+.1f} %"), percent(tolerance_percent(row), "{:.3g} %"),
                    row.miss.empty() ? row.quantity : row.miss,
                    wanted == Verdict::kFail && !row.miss.empty() ? " (a miss is stated, and there is none any more)"
                                                                  : ""));
            }
        }
    }
    return lines;
}

Json table_json(const Report& report, const Report::Table& table)
{
    Json columns = Json::array();
    for (const TableColumn& column : table.table.columns()) {
        columns.push_back({{"title", column.title}, {"unit", column.unit}});
    }
    return {{"machine", report.machine},
            {"title", table.title},
            {"columns", std::move(columns)},
            {"rows", table.table.cells()},
            {"notes", table.notes}};
}

Json inputs_json(const VariedInputs& inputs)
{
    return {{"varied", inputs.all},
            {"calibrated", inputs.calibrated},
            {"independent", inputs.independent},
            {"free", inputs.free},
            {"changed", inputs.changed}};
}

std::string csv_line(const std::vector<std::string>& cells)
{
    std::string line;
    for (const std::string& cell : cells) line += (line.empty() ? "" : ",") + csv_cell(cell);
    return line + '\n';
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

namespace {

/// A table without what the room has no place for; with a note on what was left out.
std::string fitted(TextTable table, const std::vector<std::string>& expendable, Room room)
{
    const auto left_out = table.leave_out(expendable, room);
    std::string text = table.text(0, room.for_results());
    if (left_out.empty()) return text;
    return text + '\n' +
           wrapped(fmt::format("No room for {}; --details has them.", fmt::join(left_out, ", ")), 0, room.prose()) +
           '\n';
}

std::string lines_text(const std::vector<std::string>& lines, std::string_view before, Room room)
{
    std::string text = lines.empty() ? "" : "\n";
    for (const std::string& line : lines) text += wrapped(fmt::format("{}{}", before, line), 2, room.prose()) + '\n';
    return text;
}

}  // namespace

std::string report_text(const Report& report, bool details, Room room)
{
    const auto paragraph = [room](const std::string& text) { return wrapped(text, 0, room.prose()) + '\n'; };
    std::string text = paragraph(report.title);
    if (!report.rows.empty()) text += '\n' + counts_table({&report, 1}).text(0, room);
    text += lines_text(misses_of(report), "", room);
    if (!report.rows.empty()) {
        text += '\n' + (details ? rows_in_detail(report).text(2, room)
                                : fitted(rows_table(report), {"source", "tolerance", "analytic", "role"}, room));
    }
    for (const Report::Table& table : report.tables) text += '\n' + table_text(table, room);
    if (report.inputs) {
        const auto expendable = details
                                    ? std::vector<std::string>{}
                                    : std::vector<std::string>{"hangs on", "u_num", "u_D", "u_input", "unit", "bar"};
        text += "\nError bars\n\n" + fitted(bars_table(report), expendable, room) + paragraph(kHowToReadBars) +
                paragraph(bar_counts({&report, 1}).front() + '.');
    }
    if (!report.predictions.empty()) {
        const TextTable others = predictions_table(report);
        text += '\n' + paragraph(predictions_count(report) + '.');
        if (!others.empty()) text += '\n' + others.text(0, room.for_results());
    }
    text += lines_text(report.not_run, "not run ", room) + '\n' + paragraph(kHowToRead);
    for (const std::string& note : report.notes) text += paragraph(note);
    if (!report.left_out.empty()) text += paragraph(left_out_text(report));
    return text;
}

const Row* Report::find(std::string_view id) const
{
    const auto found = std::find_if(rows.begin(), rows.end(), [id](const Row& row) { return row.id == id; });
    return found == rows.end() ? nullptr : &*found;
}

std::string row_text(const Report& report, std::string_view id, Room room)
{
    return ledger_columns().description(*report.find(id), room);
}

std::string report_markdown(std::span<const Report> reports)
{
    const bool ours = std::all_of(reports.begin(), reports.end(), [](const Report& report) { return report.ships; });
    std::string text;
    if (ours) {
        text =
            "<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
            "<!-- Written by `ringmesh validate --markdown`: change the model or its study, not this page. -->\n\n";
    }
    text += "# Validation\n\n";
    if (ours)
        text +=
            "The columns are explained in `docs/reference/validation.md`, the sources in `docs/reference/sources.md`. ";
    text += "`ringmesh validate --why ID` shows everything about one row.\n\n" + wrapped(summary(reports) + ".") +
            "\n\n" + counts_table(reports).markdown();
    for (const Report& report : reports) {
        text += fmt::format("\n## {}\n", report.title);
        if (!report.rows.empty()) text += '\n' + page_table(report).markdown();
        if (!report.left_out.empty()) text += '\n' + wrapped(left_out_text(report)) + '\n';
    }
    return text;
}

std::string report_json(std::span<const Report> reports)
{
    Json rows = Json::array();
    Json tables = Json::array();
    Json missing = Json::array();
    Json predictions = Json::array();
    Json accuracy = Json::object();
    Json coverage = Json::object();
    Json inputs = Json::object();
    for (const Report& report : reports) {
        accuracy[report.machine] = accuracy_json(accuracy_of(report));
        if (report.inputs) {
            coverage[report.machine] = {{"unseen", coverage_json(coverage_of({&report, 1}))},
                                        {"tables_left_out", coverage_json(coverage_of_tables_left_out({&report, 1}))}};
            inputs[report.machine] = inputs_json(*report.inputs);
        }
        for (const Row& row : report.rows) rows.push_back(ledger_columns().json(row));
        for (const Report::Table& table : report.tables) tables.push_back(table_json(report, table));
        for (const std::string& id : report.left_out) missing.push_back(id);
        for (const Prediction& each : report.predictions) predictions.push_back(prediction_columns().json(each));
    }
    return json_text({{"ringmesh", program_json()},
                      {"rows", std::move(rows)},
                      {"tables", std::move(tables)},
                      {"predictions", std::move(predictions)},
                      {"accuracy", std::move(accuracy)},
                      {"coverage", std::move(coverage)},
                      {"inputs", std::move(inputs)},
                      {"left_out", std::move(missing)}});
}

std::string tables_csv(std::span<const Report> reports)
{
    std::string text;
    for (const Report& report : reports) {
        for (const Report::Table& table : report.tables) {
            if (!text.empty()) text += '\n';
            std::vector<std::string> titles;
            for (const TableColumn& column : table.table.columns()) {
                titles.push_back(column.unit.empty() ? column.title
                                                     : fmt::format("{} ({})", column.title, column.unit));
            }
            text += fmt::format("# {}\n{}", table.title, csv_line(titles));
            for (const auto& row : table.table.cells()) text += csv_line(row);
        }
    }
    return text;
}

}  // namespace ringmesh::lab
