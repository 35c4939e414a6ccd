// SPDX-License-Identifier: Apache-2.0
#include "lab/ledger/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>

#include "lab/json.h"

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
            const Count counted = count({&report, 1}, role);
            if (counted.rows == 0) continue;
            const auto number = [](std::size_t n) { return n == 0 ? "-" : std::to_string(n); };
            table.row({report.machine, std::string(kRoleNames.name(role)), std::to_string(counted.rows),
                       number(counted.passed), number(counted.missed), number(counted.failed()),
                       number(counted.rows - counted.judged)});
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

std::string result_of(const Row& row)
{
    switch (verdict(row)) {
        case Verdict::kNotJudged: break;
        case Verdict::kPass: return "pass";
        case Verdict::kMiss: return "miss";
        case Verdict::kFail: return "FAIL";
    }
    return "-";
}

std::vector<TableColumn> columns(bool for_paper)
{
    std::vector<TableColumn> columns{{"id"}};
    if (for_paper) columns.push_back({"quantity"});
    for (const char* title : {"published", "analytic", "simulated"}) columns.push_back({title, Align::kRight});
    columns.push_back({"unit"});
    columns.push_back({"error", Align::kRight});
    columns.push_back({"role"});
    columns.push_back({"tolerance", Align::kRight});
    columns.push_back({"result"});
    if (for_paper) columns.push_back({"kind"});
    columns.push_back({"source"});
    if (for_paper) columns.push_back({"note"});
    return columns;
}

std::vector<std::string> cells(const Row& row, bool for_paper)
{
    const int decimals = decimals_of(row);
    std::vector<std::string> cells{row.id};
    if (for_paper) cells.push_back(row.quantity);
    for (const auto& number : {row.published, row.analytic, row.simulated}) {
        cells.push_back(number_or_dash(number, decimals));
    }
    cells.push_back(row.unit);
    cells.push_back(percent_or_dash(error_percent(row), "{:+.2f} %"));
    cells.emplace_back(kRoleNames.name(row.role));
    cells.push_back(percent_or_dash(tolerance_percent(row), "{:.3g} %"));
    cells.push_back(result_of(row));
    if (for_paper) cells.push_back(row.kind);
    cells.push_back(row.source);
    if (for_paper) {
        cells.push_back(row.because.empty() ? row.note
                        : row.note.empty()  ? row.because
                                            : fmt::format("{}; {}", row.note, row.because));
    }
    return cells;
}

TextTable rows_table(const Report& report, bool for_paper)
{
    TextTable table(columns(for_paper));
    std::string section;
    for (const Row& row : report.rows) {
        if (row.section != section) table.section(row.section);
        section = row.section;
        table.row(cells(row, for_paper));
    }
    return table;
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

std::string csv_line(const std::vector<std::string>& cells)
{
    std::string line;
    for (const std::string& cell : cells) line += (line.empty() ? "" : ",") + csv_cell(cell);
    return line + '\n';
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

Json number_or_null(const std::optional<double>& number) { return number ? Json(*number) : Json(); }

Json row_json(const Row& row)
{
    const auto text_or_null = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
    const auto passed = pass(row);
    return {{"id", row.id},
            {"machine", row.machine},
            {"quantity", row.quantity},
            {"unit", row.unit},
            {"published", number_or_null(row.published)},
            {"analytic", number_or_null(row.analytic)},
            {"simulated", number_or_null(row.simulated)},
            {"error_percent", number_or_null(error_percent(row))},
            {"formula_error_percent", number_or_null(formula_error_percent(row))},
            {"role", kRoleNames.name(row.role)},
            {"because", text_or_null(row.because)},
            {"tolerance_percent", number_or_null(tolerance_percent(row))},
            {"pass", passed ? Json(*passed) : Json()},
            {"result", verdict(row) == Verdict::kNotJudged ? Json() : Json(result_of(row))},
            {"stated_miss", text_or_null(row.miss)},
            {"chose", text_or_null(row.chose)},
            {"section", text_or_null(row.section)},
            {"source", text_or_null(row.source)},
            {"kind", text_or_null(row.kind)},
            {"note", text_or_null(row.note)}};
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

}  // namespace

bool all_within(std::span<const Report> reports)
{
    const Count counted = count(reports);
    return counted.passed + counted.missed == counted.judged;
}

std::string summary(std::span<const Report> reports)
{
    std::vector<std::string> parts;
    for (const Role role : kRolesByWorth) {
        const Count counted = count(reports, role);
        if (counted.judged != 0) {
            parts.push_back(fmt::format("{} of {} {} rows", counted.passed, counted.judged, kRoleNames.name(role)));
        }
    }
    const Count all = count(reports);
    const std::size_t missing = left_out(reports);
    return fmt::format("{} rows; within their tolerance: {}; {} miss it as stated, {} fail, {} are not judged{}",
                       all.rows, parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, ", ")), all.missed,
                       all.failed(), all.rows - all.judged,
                       missing == 0 ? "" : fmt::format("; {} more with --full", missing));
}

std::string report_text(const Report& report)
{
    std::string text = report.title + "\n";
    if (!report.rows.empty()) text += '\n' + counts_table({&report, 1}).text();
    const auto misses = misses_of(report);
    if (!misses.empty()) text += '\n';
    for (const std::string& miss : misses) text += wrapped(miss, 2) + '\n';
    if (!report.rows.empty()) text += '\n' + rows_table(report, false).text();
    for (const Report::Table& table : report.tables) {
        text += fmt::format("\n{}\n\n{}", table.title, table.table.text());
        for (const std::string& note : table.notes) text += wrapped(note) + '\n';
    }
    text += '\n';
    for (const std::string& line : report.not_run) text += wrapped("not run " + line, 2) + '\n';
    if (!report.not_run.empty()) text += '\n';
    text += wrapped(kHowToRead) + '\n';
    for (const std::string& note : report.notes) text += wrapped(note) + '\n';
    if (!report.left_out.empty()) text += wrapped(left_out_text(report)) + '\n';
    return text;
}

std::string report_markdown(std::span<const Report> reports)
{
    std::string text =
        "<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
        "<!-- Written by `ringmesh validate --markdown`: change the model or its study, not this page. -->\n\n"
        "# Validation\n\n" +
        wrapped(kHowToRead) + "\nThe tags in the column source are those of `docs/sources.md`.\n\n" +
        wrapped(summary(reports) + ".") + "\n\n" + counts_table(reports).markdown();
    for (const Report& report : reports) {
        text += fmt::format("\n## {}\n", report.title);
        for (const std::string& miss : misses_of(report)) text += "\n- " + wrapped(miss, 2) + '\n';
        if (!report.rows.empty()) text += '\n' + rows_table(report, true).markdown();
        for (const Report::Table& table : report.tables) {
            text += fmt::format("\n### {}\n\n{}", table.title, table.table.markdown());
            for (const std::string& note : table.notes) text += '\n' + wrapped(note) + '\n';
        }
        if (!report.not_run.empty()) text += "\n### Published, but not run\n";
        for (const std::string& line : report.not_run) text += "\n- " + wrapped(line, 2) + '\n';
        text += '\n';
        for (const std::string& note : report.notes) text += wrapped(note) + '\n';
        if (!report.left_out.empty()) text += '\n' + wrapped(left_out_text(report)) + '\n';
    }
    return text;
}

std::string report_json(std::span<const Report> reports)
{
    Json rows = Json::array();
    Json tables = Json::array();
    Json missing = Json::array();
    for (const Report& report : reports) {
        for (const Row& row : report.rows) rows.push_back(row_json(row));
        for (const Report::Table& table : report.tables) tables.push_back(table_json(report, table));
        for (const std::string& id : report.left_out) missing.push_back(id);
    }
    return json_text({{"ringmesh", program_json()},
                      {"rows", std::move(rows)},
                      {"tables", std::move(tables)},
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
