// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "lab/report/chart_choice.h"
#include "lab/report/charts_file.h"
#include "lab/report/means.h"
#include "lab/report/parts.h"
#include "lab/sql/statements.h"
#include "lab/study/tables.h"
#include "lab/table/csv.h"
#include "lab/truth/ledger/kept_bars.h"
#include "lab/truth/ledger/report.h"
#include "platforms/files/catalog.h"
#include "tlm/error.h"
#include "tlm/names.h"

/// A study: its question, its tests, what its SQL made of them, its ledger.
namespace ringmesh::lab {
namespace {

using workloads::Results;

bool has_points(const AskedPoints& asked, std::size_t test)
{
    for (std::size_t i = 0; i < asked.points.size(); ++i) {
        if (asked.points[i].test == test && asked.granted[i].done()) return true;
    }
    return false;
}

/// "published (ns)" has a unit.
Results with_units(Results results)
{
    for (workloads::Column& column : results.columns) {
        const std::size_t begin = column.name.rfind(" (");
        if (begin == std::string::npos || !column.name.ends_with(')')) continue;
        column.unit = column.name.substr(begin + 2, column.name.size() - begin - 3);
    }
    return results;
}

/// The tables of tests on the page, made when first asked for.
class TestTables {
public:
    TestTables(Page& page, const AskedPoints& asked, const Store& store) : page_(page), asked_(asked), store_(store) {}

    struct Made {
        std::string id;
        Means means;
    };
    const Made& of(std::size_t test)
    {
        const auto found = made_.find(test);
        if (found != made_.end()) return found->second;
        const StudyTest& asked = asked_.study->tests[test];
        const Results whole = whole_table(*asked_.study, test, asked_.points, asked_.granted, store_);
        Means means = means_of(asked, whole);
        const std::string title = asked_.study->tests.size() == 1 ? "Results" : "Test " + asked.name;
        const std::string id =
            page_.add(asked.name, title + (means.repeated ? ", means of repetitions" : ""), means.table);
        if (means.repeated) page_.add(asked.name + "-runs", title + ", each run", whole);
        return made_.emplace(test, Made{id, std::move(means)}).first->second;
    }

private:
    Page& page_;
    const AskedPoints& asked_;
    const Store& store_;
    std::map<std::size_t, Made> made_;
};

void add_derived(Page& page, const AskedPoints& asked, TestTables& tables)
{
    for (std::size_t test = 0; test < asked.study->tests.size(); ++test) {
        if (!has_points(asked, test)) continue;
        const auto& [id, means] = tables.of(test);
        const std::string title = asked.study->tests.size() == 1 ? "" : asked.study->tests[test].name;
        for (Chart& chart : charts_of(means, id, title)) page.charts.push_back(std::move(chart));
    }
}

/// The charts of charts.toml.
class AskedCharts {
public:
    AskedCharts(Page& page, const AskedPoints& asked, TestTables& tables, Findings& findings)
        : page_(page), asked_(asked), tables_(tables), findings_(findings)
    {}

    void add(const ChartRequest& request)
    {
        const auto& tests = asked_.study->tests;
        const auto test = std::find_if(tests.begin(), tests.end(),
                                       [&](const StudyTest& each) { return each.name == request.table.text; });
        if (test != tests.end()) {
            const auto place = static_cast<std::size_t>(test - tests.begin());
            if (!has_points(asked_, place)) return left_out(request);
            const auto& made = tables_.of(place);
            page_.charts.push_back(chart_as_asked(request, made.means, made.id, findings_.published()));
            return;
        }
        const std::string view = lowered(request.table.text);
        if (!findings_.database().has_table(request.table.text)) {
            const auto all = findings_.made_by_scripts();
            if (std::find(all.begin(), all.end(), view) == all.end()) throw unknown_table(request);
            return left_out(request);  // its tests have not run, or it is of another part
        }
        Means means = means_of(
            with_units(findings_.database().query(fmt::format("SELECT * FROM {}", sql_name(request.table.text)))));
        if (means.table.rows.empty()) return left_out(request);
        const auto shown = views_.find(view);
        const std::string title = request.title.empty() ? request.table.text : request.title.text;
        const std::string id = shown != views_.end() ? shown->second : page_.add(view, title, means.table);
        views_.emplace(view, id);
        page_.charts.push_back(chart_as_asked(request, means, id, findings_.published()));
    }

    const std::vector<std::string>& left_out() const { return left_out_; }

private:
    void left_out(const ChartRequest& request) { left_out_.push_back(request.name); }

    UserError unknown_table(const ChartRequest& request) const
    {
        std::vector<std::string> known;
        for (const StudyTest& each : asked_.study->tests) known.push_back(each.name);
        for (const std::string& each : findings_.made_by_scripts()) {
            if (!each.starts_with("finding_") && !each.starts_with("note_")) known.push_back(each);
        }
        return UserError(fmt::format("{}: chart.{}.table = \"{}\": the study has no such test or view{}",
                                     request.table.where, request.name, request.table.text,
                                     suggestion(request.table.text, known)));
    }

    Page& page_;
    const AskedPoints& asked_;
    TestTables& tables_;
    Findings& findings_;
    std::map<std::string, std::string> views_;  // ids of tables
    std::vector<std::string> left_out_;
};

std::string axis_text(const Axis& axis)
{
    constexpr std::size_t kMost = 12;
    if (axis.values.size() <= kMost) return fmt::format("{} = {}", axis.name, fmt::join(axis.values, ", "));
    return fmt::format("{} = {}, ..., {} ({} values)", axis.name,
                       fmt::join(axis.values.begin(), axis.values.begin() + 3, ", "), axis.values.back(),
                       axis.values.size());
}

std::string program_text(const StudyTest& test)
{
    std::string text = test.program.text;
    const char* separator = ":";
    for (const StudySetting& option : test.options) {
        text += fmt::format("{}{}={}", separator, option.key, option.value);
        separator = ",";
    }
    return test.library.empty() ? text : text + " over " + test.library.text;
}

/// "ring, fast (lc2-fast-fifos)"
std::string variants_text(const StudyTest& test)
{
    std::vector<std::string> all;
    for (const Variant& variant : test.variants) {
        std::vector<std::string> changes;
        if (!variant.platform.empty()) changes.push_back("platform=" + variant.platform.text);
        if (!variant.library.empty()) changes.push_back("library=" + variant.library.text);
        for (const StudyWord& overlay : variant.overlays) changes.push_back(overlay.text);
        for (const StudySetting& setting : variant.set) changes.push_back(setting.key + "=" + setting.value);
        for (const StudySetting& option : variant.options)
            changes.push_back("options." + option.key + "=" + option.value);
        all.push_back(changes.empty() ? variant.name : fmt::format("{} ({})", variant.name, fmt::join(changes, ", ")));
    }
    return fmt::format("{}", fmt::join(all, "; "));
}

void add_test_question(Page& page, const StudyTest& test)
{
    page.question.emplace_back("platform", test.platform.text);
    page.question.emplace_back("program", program_text(test));
    for (const StudySetting& setting : test.set) page.question.emplace_back("set", setting.key + " = " + setting.value);
    for (const StudyWord& overlay : test.overlays) page.question.emplace_back("overlay", overlay.text);
    for (const Axis& axis : test.axes) page.question.emplace_back("varied", axis_text(axis));
    if (test.variants.size() > 1) page.question.emplace_back("variants", variants_text(test));
    if (test.repeat > 1) page.question.emplace_back("repetitions", std::to_string(test.repeat));
}

}  // namespace

void add_question(Page& page, const AskedPoints& asked)
{
    const Study& study = *asked.study;
    if (study.tests.size() == 1) {
        add_test_question(page, study.tests.front());
    } else {
        std::set<std::string> platforms;
        std::set<std::string> programs;
        for (const StudyTest& test : study.tests) {
            if (!test.platform.empty()) platforms.insert(test.platform.text);
            for (const Variant& variant : test.variants) {
                if (!variant.platform.empty()) platforms.insert(variant.platform.text);
            }
            programs.insert(test.program.text);
        }
        page.question.emplace_back("platforms", fmt::format("{}", fmt::join(platforms, ", ")));
        page.question.emplace_back("programs", fmt::format("{}", fmt::join(programs, ", ")));
    }
    std::map<std::string, std::size_t> states;
    for (const Granted& granted : asked.granted) {
        ++states[std::string(granted.cached || granted.ran ? kPointStates.name(granted.state) : "not run")];
    }
    std::vector<std::string> counts;
    counts.reserve(states.size());
    for (const auto& [state, count] : states) counts.push_back(fmt::format("{} {}", count, state));
    page.question.emplace_back("points", fmt::format("{}", fmt::join(counts, ", ")));
    if (study.tests.size() == 1) return;
    Results tests;
    tests.columns = {{"test", ""}, {"platform", ""}, {"program", ""}, {"varied", ""}, {"variants", ""}};
    for (const StudyTest& test : study.tests) {
        std::vector<std::string> axes;
        for (const Axis& axis : test.axes) axes.push_back(axis_text(axis));
        tests.rows.push_back({test.name, test.platform.text, program_text(test),
                              fmt::format("{}", fmt::join(axes, "; ")),
                              test.variants.size() > 1 ? variants_text(test) : std::string()});
    }
    page.add("tests", "What was run: the tests of the study", std::move(tests));
}

void add_tests(Page& page, const AskedPoints& asked, const Store& store)
{
    TestTables tables(page, asked, store);
    add_derived(page, asked, tables);
}

void add_findings(Page& page, const AskedPoints& asked, const Store& store, Findings& findings)
{
    TestTables tables(page, asked, store);
    const auto file = read_charts(findings.study().folder);
    if (file) {
        AskedCharts charts(page, asked, tables, findings);
        for (const ChartRequest& request : file->charts) charts.add(request);
        if (!charts.left_out().empty()) {
            page.notes.push_back(
                fmt::format("charts left out, because what they need has not run or is of another part: {}",
                            fmt::join(charts.left_out(), ", ")));
        }
    }
    if (!file || file->derived) add_derived(page, asked, tables);
    const auto views = findings.views().beginning("table_");
    const auto texts = findings.tables();
    for (std::size_t i = 0; i < views.size(); ++i) {
        Results results = with_units(rows_of(findings.database(), views[i]));
        results.notes = texts[i].notes;
        page.add(views[i].name, texts[i].title, std::move(results));
    }
    const auto& notes = findings.study().notes;
    page.notes.insert(page.notes.end(), notes.begin(), notes.end());
}

namespace {

/// Each cell a number if it is one.
Results numbers_and_texts(const CsvTable& csv)
{
    Results table;
    for (const std::string& column : csv.columns) table.columns.push_back({column, ""});
    for (const CsvTable::Row& row : csv.rows) {
        auto& cells = table.rows.emplace_back();
        for (const std::string& cell : row.cells) {
            double number = 0;
            const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
            const bool is_number = error == std::errc{} && end == cell.data() + cell.size();
            cells.push_back(is_number ? workloads::Cell(number) : cell_of(cell));
        }
    }
    return table;
}

}  // namespace

void add_ledger(Page& page, const Report& report, Findings& findings)
{
    if (report.rows.empty()) return;
    PageLedger part{.title = report.title, .table = {}, .summary = summary({&report, 1}), .notes = report.not_run};
    if (!report.left_out.empty()) {
        part.notes.push_back(fmt::format("left out because they take long, included by validate --full: {}",
                                         fmt::join(report.left_out, ", ")));
    }
    page.answer.push_back(fmt::format("{}.", part.summary));
    part.table = page.add("ledger", "Ledger: " + report.title, ledger_columns().results(report.rows, kInSql));
    page.ledgers.push_back(std::move(part));
    if (!report.inputs) return;
    page.answer.push_back(fmt::format("{}.", bar_counts(report)));
    const auto& folder = findings.study().folder;
    if (!report.inputs->are_kept) return;
    const auto add_kept_table = [&page, &folder](const char* file, const char* name, const char* title) {
        page.add(name, title, numbers_and_texts(read_csv(bars_folder(folder) / file)));
    };
    add_kept_table(kInputsFile, "inputs", "What was varied for the error bars");
    add_kept_table(kSensitivityFile, "sensitivity",
                   "What each of these moves, at the ends of its range or its other choices");
}

void add_machines(Page& page, const AskedPoints& asked, const Store& store)
{
    constexpr std::size_t kMost = 8;
    struct ShownPoint {
        std::size_t point;
        bool has_places;
    };
    std::vector<std::pair<std::string, ShownPoint>> machines;  // by what decides the drawing
    for (std::size_t i = 0; i < asked.points.size(); ++i) {
        if (!asked.granted[i].done()) continue;
        const ExperimentRequest& request = asked.points[i].wish.request;
        std::string key = request.platform;
        for (const std::string& setting : request.settings) {
            if (setting.starts_with("topology.") || setting.starts_with("mesh.columns") ||
                setting.starts_with("mesh.rows")) {
                key += " " + setting;
            }
        }
        const auto known =
            std::find_if(machines.begin(), machines.end(), [&](const auto& m) { return m.first == key; });
        if (known == machines.end() && machines.size() >= kMost) continue;
        if (known != machines.end() && known->second.has_places) continue;
        const bool every_block = asked.points[i].wish.every_block;
        if (known == machines.end()) {
            machines.push_back({key, {i, every_block}});
        } else if (every_block) {
            known->second = {i, true};
        }
    }
    for (const auto& [key, shown] : machines) {
        const auto point = store.find(asked.granted[shown.point].key);
        add_machine(page, asked.points[shown.point].wish.request, point ? &point->record.outcome : nullptr);
    }
}

}  // namespace ringmesh::lab
