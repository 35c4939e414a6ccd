// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/ledger/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "lab/table/writers/json.h"
#include "lab/truth/ledger/accuracy.h"
#include "lab/truth/ledger/conformal.h"

namespace ringmesh::lab {
namespace {

/// Rows by what came of them.
struct Counts {
    std::size_t rows = 0;
    std::size_t in_tolerance = 0;
    std::array<std::size_t, 3> within{};  ///< kWithin
    std::map<Verdict, std::size_t> of = {};
    std::size_t not_judged = 0;

    std::size_t judged() const { return rows - not_judged; }
    std::size_t count(Verdict verdict) const
    {
        const auto found = of.find(verdict);
        return found == of.end() ? 0 : found->second;
    }
};
constexpr std::array kWithin{5.0, 10.0, 25.0};  // percent

Counts count(std::span<const Report> reports, std::optional<Role> role = std::nullopt)
{
    Counts counts;
    for (const Report& report : reports) {
        for (const Row& row : report.rows) {
            if (role && row.role != *role) continue;
            ++counts.rows;
            if (pass(row).value_or(false)) ++counts.in_tolerance;
            const auto error = error_percent(row);
            for (std::size_t i = 0; i < kWithin.size(); ++i) {
                if (error && std::abs(*error) <= kWithin[i]) ++counts.within[i];
            }
            if (const auto found = verdict(row)) {
                ++counts.of[*found];
            } else {
                ++counts.not_judged;
            }
        }
    }
    return counts;
}

/// In the order in which they count: what was known least comes first.
constexpr std::array kRolesByWorth{Role::kPrediction, Role::kSeen,        Role::kCalibration,
                                   Role::kFormula,    Role::kAlternative, Role::kUnpublished};

/// How near the rows of each role come, for each machine; and the verdicts that ask for something, where there are any.
TextTable counts_table(std::span<const Report> reports)
{
    std::vector<TableColumn> columns{{"machine"}, {"role"}};
    for (const char* title : {"rows", "in tolerance"}) columns.push_back({title, Align::kRight});
    for (const double percent : kWithin) columns.push_back({fmt::format("{} %", percent), Align::kRight});
    std::vector<Verdict> shown;
    const Counts all = count(reports);
    for (const Verdict each : {Verdict::kBetter, Verdict::kWorse, Verdict::kNew, Verdict::kMiss, Verdict::kFail}) {
        if (all.count(each) == 0) continue;
        shown.push_back(each);
        columns.push_back({std::string(kVerdicts.name(each)), Align::kRight});
    }
    columns.push_back({"not judged", Align::kRight});
    TextTable table(columns);
    for (const Report& report : reports) {
        for (const Role role : kRolesByWorth) {
            const Counts found = count({&report, 1}, role);
            if (found.rows == 0) continue;
            std::vector<std::string> cells{report.machine, std::string(kRoleNames.name(role))};
            std::vector<std::size_t> numbers{found.rows, found.in_tolerance};
            numbers.insert(numbers.end(), found.within.begin(), found.within.end());
            for (const Verdict each : shown) numbers.push_back(found.count(each));
            numbers.push_back(found.not_judged);
            for (const std::size_t number : numbers) cells.push_back(number == 0 ? "-" : std::to_string(number));
            table.row(std::move(cells));
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

/// A line for each row. On a page (kInMarkdown), where a heading between the rows would begin another table, it is one
/// of the rows; in detail (kBesideWords) each row has a paragraph of words above it.
TextTable rows_table(const Report& report, unsigned where)
{
    TextTable table = ledger_columns().table(where);
    const Row* before = nullptr;
    for (const Row& row : report.rows) {
        const bool begins = before == nullptr || row.section != before->section;
        const bool has_heading = begins && (before != nullptr || !row.section.empty());
        if (has_heading && where == kInMarkdown) {
            std::vector<std::string> heading(table.columns().size());
            heading.front() = row.section.empty() ? "-" : fmt::format("**{}**", row.section);
            table.row(std::move(heading));
        } else if (has_heading) {
            table.section(row.section);
        }
        if (where == kBesideWords) {
            if (begins) table.words("");
            table.words(words_of(row, begins ? nullptr : before));
        }
        table.row(ledger_columns().texts(row, where));
        before = &row;
    }
    const bool says_nothing = std::ranges::all_of(report.rows, [](const Row& row) {
        const auto found = verdict(row);
        return !found || *found == Verdict::kAsFrozen;
    });
    if (where == kInMarkdown && says_nothing) table.leave_out("verdict");  // the page's head has the number
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

/// How many there are of each state, and those that are not as they were frozen.
std::string predictions_text(const Report& report, Room room)
{
    std::map<PredictionState, std::vector<std::string>> ids;
    TextTable others = prediction_columns().table();
    for (const Prediction& prediction : report.predictions) {
        ids[prediction.state].push_back(prediction.now.id);
        if (!is_quiet(prediction)) others.row(prediction_columns().texts(prediction));
    }
    std::vector<std::string> parts;
    for (const auto& [state, of_state] : ids) {
        parts.push_back(fmt::format("{} {}", of_state.size(), kPredictionStates.name(state)));
    }
    std::string text = fmt::format("{}: {}", counted(report.predictions.size(), "prediction"), fmt::join(parts, ", "));
    if (const auto left_out = ids.find(PredictionState::kLeftOut); left_out != ids.end()) {
        text += fmt::format("; left out because they take long, and included by validate --full: {}",
                            fmt::join(left_out->second, ", "));
    }
    return wrapped(text + '.', 0, room.prose()) + '\n' +
           (others.empty() ? "" : '\n' + others.text(0, room.for_results()));
}

const std::string kHowToReadBars =
    "Error: simulated less published, in percent of the published number (its amount if that is 0). u_D, u_num, "
    "u_input: standard uncertainties of the published number, of seeds and choices of the measurement, and of "
    "parameters "
    "within their ranges; the bar holds 95 % of what these ranges give. As in ASME V&V 20 a comparison says one of "
    "three things: the model's error lies between two ends of one sign; it agrees within what is known; it says "
    "nothing, because the bar is wider than the tolerance. The conformal bar is the bar and the tolerance, in squares, "
    "times what published numbers of other tables need to lie inside with 95 %. A bound holds if all of the bar is on "
    "its right side. An "
    "asterisk: the parameter was calibrated. Entered: it alone moves the row.";

/// Frozen ones that the model no longer gives as they were frozen.
std::size_t broken_predictions(std::span<const Report> reports)
{
    std::size_t broken = 0;
    for (const Report& report : reports) {
        for (const Prediction& each : report.predictions) {
            if (!is_quiet(each) && each.state != PredictionState::kNew) ++broken;
        }
    }
    return broken;
}

/// The rows left out, and the option that includes them. @pre there are some
std::string left_out_text(const Report& report)
{
    return fmt::format("Left out because they take long; included by validate --full: {}.",
                       fmt::join(report.left_out, ", "));
}

const std::string kHowToRead =
    "Error: of the simulated number against the published one or, where nothing was published, the analytic one; where "
    "nothing is simulated, of the analytic number against the published one. Roles: a calibration has set a parameter "
    "or an option; a seen row was known when something else was chosen; an alternative is of another variant and never "
    "judged; a prediction was published and is none of these; a formula lacks a published or a simulated number. A row "
    "is worse or better if its error is larger or smaller than when it was frozen, by more than the frozen band. In a "
    "study that has frozen no row, a row fails if it is out of its tolerance without a reason, and is a miss with one; "
    "a row within its tolerance that has a reason fails, too.";

std::string short_error_text(const Row& row)
{
    const auto percent = error_percent(row);
    return percent ? fmt::format("{:+.1f} %", *percent) : "-";
}

/// A line of the report about a row begins with this.
std::string_view verdict_word(Verdict found)
{
    const bool is_loud = found == Verdict::kWorse || found == Verdict::kFail || found == Verdict::kMiss;
    return is_loud ? kVerdicts.name(found) : "off";
}

/// "miss ID (prediction): +26 %, tolerance 15 %: why", "worse ID (seen): +26 %, frozen +12 %, tolerance 15 %: why"
std::string miss_text(const Row& row)
{
    const Verdict found = *verdict(row);
    const auto tolerance = tolerance_percent(row);
    std::string frozen;
    if (row.frozen && found != Verdict::kAsFrozen) {
        Row was = row;
        (row.simulated ? was.simulated : was.analytic) = row.frozen->value;
        frozen = fmt::format("frozen {}, ", short_error_text(was));
    }
    return fmt::format(
        "{} {} ({}): {}, {}tolerance {}: {}{}", verdict_word(found), row.id, kRoleNames.name(row.role),
        short_error_text(row), frozen, tolerance ? fmt::format("{:.3g} %", *tolerance) : "-",
        row.miss.empty() ? row.quantity : row.miss,
        found == Verdict::kFail && !row.miss.empty() ? " (a miss is stated, and there is none any more)" : "");
}

/// "off, 20 rows (18 seen, 2 calibration): why; worst: ID +26.0 %, ID -20.0 % and 18 more"
/// @pre all have one reason
std::string misses_text(std::vector<const Row*> rows)
{
    constexpr std::size_t kWorst = 2;
    std::vector<std::string> roles;
    for (const Role role : kRolesByWorth) {
        const auto number = std::ranges::count_if(rows, [role](const Row* row) { return row->role == role; });
        if (number > 0) roles.push_back(fmt::format("{} {}", number, kRoleNames.name(role)));
    }
    std::ranges::stable_sort(rows, std::ranges::greater(),
                             [](const Row* row) { return std::abs(error_percent(*row).value_or(0)); });
    std::vector<std::string> worst;
    for (const Row* row : std::span(rows).first(std::min(kWorst, rows.size()))) {
        worst.push_back(fmt::format("{} {}", row->id, short_error_text(*row)));
    }
    return fmt::format("{}, {} ({}): {}; worst: {}{}", verdict_word(*verdict(*rows.front())),
                       counted(rows.size(), "row"), fmt::join(roles, ", "), rows.front()->miss, fmt::join(worst, ", "),
                       rows.size() > kWorst ? fmt::format(" and {} more", rows.size() - kWorst) : "");
}

/// Whether the report gives the row's reason: a large error out of its tolerance, or a stated miss of a study that has
/// frozen no row. @pre it is judged
bool is_far(const Row& row, Verdict found)
{
    if (found == Verdict::kMiss) return true;
    return !*pass(row) && std::abs(error_percent(row).value_or(0)) > kFarPercent;
}

/// What asks to be frozen: "new, 3 rows: ID, ID and 1 more; `validate STUDY --freeze` freezes them"
std::string to_freeze(std::string_view what, const std::vector<std::string>& ids, const Report& report,
                      std::string_view then)
{
    constexpr std::size_t kNamed = 6;
    const std::span named = std::span(ids).first(std::min(kNamed, ids.size()));
    return fmt::format(
        "{}, {}: {}{}; `ringmesh validate {} --freeze` {}", what, counted(ids.size(), "row"), fmt::join(named, ", "),
        ids.size() > kNamed ? fmt::format(" and {} more", ids.size() - kNamed) : "", report.machine, then);
}

/// Rows that fail or are worse than frozen; what asks to be frozen; then the largest errors: each on its own, or those
/// of one reason together. Roles that count most come first.
std::vector<std::string> misses_of(const Report& report, bool details)
{
    std::vector<std::string> all;
    std::vector<std::pair<std::string_view, std::vector<const Row*>>> reasons;
    std::map<Verdict, std::vector<std::string>> ids;
    for (const bool fails : {true, false}) {
        for (const Role role : kRolesByWorth) {
            for (const Row& row : report.rows) {
                const auto found = verdict(row);
                if (row.role != role || !found) continue;
                const bool has_failed = *found == Verdict::kFail || *found == Verdict::kWorse;
                if (has_failed != fails) continue;
                if (!fails) ids[*found].push_back(row.id);
                if (!fails && !is_far(row, *found)) continue;
                if (fails || details) {
                    all.push_back(miss_text(row));
                    continue;
                }
                const bool alone = row.miss.empty();
                auto same = std::ranges::find(reasons, row.miss, [](const auto& reason) { return reason.first; });
                if (alone || same == reasons.end()) same = reasons.insert(reasons.end(), {row.miss, {}});
                same->second.push_back(&row);
            }
        }
        if (!fails) continue;
        std::vector<std::string> gone;
        for (const FrozenNumber& each : report.not_found) gone.push_back(each.id);
        if (!gone.empty() && !report.not_found_is_long) {
            all.push_back(to_freeze("gone", gone, report, "drops them"));
        }
    }
    for (const auto& [found, then] : {std::pair(Verdict::kBetter, "keeps that"), {Verdict::kNew, "freezes them"}}) {
        if (ids.contains(found)) all.push_back(to_freeze(kVerdicts.name(found), ids[found], report, then));
    }
    for (const auto& [reason, rows] : reasons) {
        all.push_back(rows.size() == 1 ? miss_text(*rows.front()) : misses_text(rows));
    }
    const bool any_together = std::ranges::any_of(reasons, [](const auto& each) { return each.second.size() > 1; });
    if (any_together) all.emplace_back("rows of one reason stand together; --details lists each row");
    return all;
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
    const Counts all = count(reports);
    const bool any_gone = std::ranges::any_of(
        reports, [](const Report& report) { return !report.not_found.empty() && !report.not_found_is_long; });
    return all.count(Verdict::kFail) + all.count(Verdict::kWorse) == 0 && !any_gone && broken_predictions(reports) == 0;
}

std::string summary(std::span<const Report> reports)
{
    std::vector<std::string> parts;
    for (const Role role : kRolesByWorth) {
        const Counts found = count(reports, role);
        if (found.judged() == 0) continue;
        parts.push_back(fmt::format("{} of {}", found.in_tolerance,
                                    counted(found.judged(), fmt::format("{} row", kRoleNames.name(role)))));
    }
    if (parts.empty()) parts.emplace_back("none");
    const Counts all = count(reports);
    std::size_t missing = 0;
    for (const Report& report : reports) missing += report.left_out.size();
    const std::size_t broken = broken_predictions(reports);
    std::string text = fmt::format("{}; within their tolerance: {}", counted(all.rows, "row"), fmt::join(parts, ", "));
    const std::size_t by_tolerance = all.count(Verdict::kPass) + all.count(Verdict::kMiss) + all.count(Verdict::kFail);
    if (by_tolerance < all.judged()) {
        text += fmt::format("; {} as frozen, {} better, {} worse, {} new", all.count(Verdict::kAsFrozen),
                            all.count(Verdict::kBetter), all.count(Verdict::kWorse), all.count(Verdict::kNew));
    }
    if (by_tolerance > 0 || all.judged() == 0) {
        const std::size_t missed = all.count(Verdict::kMiss);
        const std::size_t failed = all.count(Verdict::kFail);
        text += fmt::format("; {} {} it as stated, {} {}", missed, missed == 1 ? "misses" : "miss", failed,
                            failed == 1 ? "fails" : "fail");
    }
    return text +
           fmt::format(", {} {} not judged{}{}", all.not_judged, all.not_judged == 1 ? "is" : "are",
                       missing == 0 ? "" : fmt::format("; {} more with --full", missing),
                       broken == 0 ? "" : fmt::format("; {} no longer as frozen", counted(broken, "prediction")));
}

std::string bar_counts(const Report& report)
{
    std::array<std::size_t, 4> findings{};
    std::size_t rows = 0;
    std::size_t entered = 0;
    std::size_t unmoved = 0;
    for (const Row& row : report.rows) {
        const auto range = error_range(row);
        if (!range) continue;
        ++rows;
        ++findings.at(static_cast<std::size_t>(range->evidence));
        if (row.bar->entered) ++entered;
        if (!row.bar->moved) ++unmoved;
    }
    const VariedInputs& inputs = *report.inputs;
    std::string text = fmt::format(
        "{}: of {} with a bar and a published number, {} have an error of known sign, {} agree within "
        "what is known, {} are bounds that hold, {} say nothing; {} entered, nothing moves {}; {} varied, {} of them "
        "calibrated, to {}",
        report.machine, counted(rows, "row"), findings[0], findings[1], findings[2], findings[3],
        entered == 1 ? "1 was" : fmt::format("{} were", entered), unmoved, counted(inputs.all, "input"),
        inputs.calibrated.size(), counted(inputs.independent, "independent number"));
    if (inputs.calibrated.size() * kNumbersPerCalibrated > inputs.independent) {
        text += fmt::format(", which is more than one to {}, so these count as entered: {}", kNumbersPerCalibrated,
                            fmt::join(inputs.calibrated, ", "));
    }
    text +=
        fmt::format("; {} free{}{}", inputs.free.size(), inputs.free.empty() ? "" : ": ", fmt::join(inputs.free, ", "));
    if (!inputs.changed.empty()) {
        text += fmt::format(". The bars are of other inputs: {}; validate --uncertainty --keep computes them again",
                            fmt::join(inputs.changed, "; "));
    }
    if (const std::string conformal = conformal_text({&report, 1}); !conformal.empty()) text += ". " + conformal;
    const Coverage unseen = coverage_of(report);
    if (unseen.rows == 0) return text;
    text += fmt::format(". Of published numbers that the model never saw, {}", coverage_text(unseen));
    const Coverage whole = coverage_of(report, true);
    if (whole.rows == unseen.rows) return text;
    return text + fmt::format(". Of those in tables of which no row set anything, {}", coverage_text(whole));
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
    text += lines_text(misses_of(report, details), "", room);
    if (!report.rows.empty()) {
        text += '\n' + (details ? rows_table(report, kBesideWords).text(2, room)
                                : fitted(rows_table(report, kOnTerminal),
                                         {"source", "within", "tolerance", "analytic", "role"}, room));
    }
    for (const Report::Table& each : report.tables) text += '\n' + table_text(each, room);
    if (report.inputs) {
        text += "\nError bars\n\n" +
                fitted(bars_table(report),
                       details ? std::vector<std::string>{}
                               : std::vector<std::string>{"hangs on", "u_num", "u_D", "u_input", "unit",
                                                          "conformal bar", "bar"},
                       room) +
                paragraph(kHowToReadBars) + paragraph(bar_counts(report) + '.');
    }
    if (!report.predictions.empty()) text += '\n' + predictions_text(report, room);
    text += lines_text(report.not_run, "not run ", room) + '\n' + paragraph(kHowToRead);
    for (const std::string& note : report.notes) text += paragraph(note);
    if (!report.left_out.empty()) text += paragraph(left_out_text(report));
    return text;
}

const Row* Report::find(std::string_view id) const
{
    const auto found = std::ranges::find_if(rows, [id](const Row& row) { return row.id == id; });
    return found == rows.end() ? nullptr : &*found;
}

std::string report_markdown(std::span<const Report> reports)
{
    const bool ours = std::ranges::all_of(reports, [](const Report& report) { return report.ships; });
    std::string text;
    if (ours) {
        text =
            "<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
            "<!-- Written by `ringmesh validate --markdown`: change the model or its study, not this page. -->\n\n";
    }
    text += "# Validation\n\n";
    if (ours)
        text +=
            "The columns are explained in `docs/reference/evidence/validation.md`, the sources in "
            "`docs/reference/evidence/sources.md`. ";
    text += fmt::format("{}\n\n", kMarkdownMark) + answer_lines(answer_of(reports), Room()) +
            wrapped(summary(reports) + ".") + "\n\n" + counts_table(reports).markdown();
    for (const Report& report : reports) {
        text += fmt::format("\n## {}\n", report.title);
        if (!report.rows.empty()) text += '\n' + rows_table(report, kInMarkdown).markdown();
        if (!report.left_out.empty()) text += '\n' + wrapped(left_out_text(report)) + '\n';
    }
    return text;
}

std::string report_json(std::span<const Report> reports)
{
    Json json = {{"ringmesh", program_json()}};
    for (const char* list : {"rows", "tables", "predictions"}) json.add(list, Json::array());
    for (const char* by_machine : {"accuracy", "coverage", "inputs"}) json.add(by_machine, Json::object());
    json.add("left_out", Json::array());
    for (const Report& report : reports) {
        json["accuracy"][report.machine] = accuracy_json(report);
        if (report.inputs) {
            json["coverage"][report.machine] = {{"unseen", coverage_json(coverage_of(report))},
                                                {"tables_left_out", coverage_json(coverage_of(report, true))},
                                                {"conformal", coverage_json(conformal_coverage_of({&report, 1}))}};
            json["inputs"][report.machine] = inputs_json(*report.inputs);
        }
        for (const Row& row : report.rows) json["rows"].push_back(ledger_columns().json(row));
        for (const Report::Table& table : report.tables) json["tables"].push_back(table_json(report, table));
        for (const Prediction& each : report.predictions) {
            json["predictions"].push_back(prediction_columns().json(each));
        }
        for (const std::string& id : report.left_out) json["left_out"].push_back(id);
    }
    return json_text(with_answer(std::move(json), answer_of(reports)));
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
