// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "lab/figure/chart_choice.h"
#include "lab/figure/charts_file.h"
#include "lab/figure/means.h"
#include "lab/report/parts.h"
#include "lab/sql/statements.h"
#include "lab/study/tables.h"
#include "lab/table/writers/cells.h"
#include "lab/table/writers/csv.h"
#include "lab/truth/ledger/accuracy.h"
#include "lab/truth/ledger/kept_bars.h"
#include "lab/truth/ledger/report.h"
#include "lab/truth/uncertainty/bars.h"
#include "platforms/files/catalog.h"
#include "tlm/error.h"
#include "tlm/parameters/names.h"

/// A study: its question, its tests, what its SQL made of them, its ledger.
namespace ringmesh::lab {
namespace {

using workloads::Cell;
using workloads::Results;

template <class Texts>
std::string joined(const Texts& texts, std::string_view separator = ", ")
{
    return fmt::format("{}", fmt::join(texts, separator));
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

/// Each cell a number if it is one.
Results numbers_and_texts(const CsvTable& csv)
{
    Results table;
    for (const std::string& column : csv.columns) table.columns.push_back({column, ""});
    for (const CsvTable::Row& row : csv.rows) {
        auto& cells = table.rows.emplace_back();
        for (const std::string& cell : row.cells) {
            const auto number = number_from<double>(cell);
            cells.push_back(number ? Cell(*number) : cell_of(cell));
        }
    }
    return table;
}

std::string axis_text(const Axis& axis)
{
    constexpr std::size_t kMost = 12;
    if (axis.values.size() <= kMost) return fmt::format("{} = {}", axis.name, joined(axis.values));
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

/// "ring, fast (lc2-fast-fifos)"; empty if there is but the base.
std::string variants_text(const StudyTest& test)
{
    if (test.variants.size() < 2) return "";
    std::vector<std::string> all;
    for (const Variant& variant : test.variants) {
        std::vector<std::string> changes;
        if (!variant.platform.empty()) changes.push_back("platform=" + variant.platform.text);
        if (!variant.library.empty()) changes.push_back("library=" + variant.library.text);
        for (const StudyWord& overlay : variant.overlays) changes.push_back(overlay.text);
        for (const StudySetting& setting : variant.set) changes.push_back(setting.key + "=" + setting.value);
        for (const StudySetting& each : variant.options) changes.push_back("options." + each.key + "=" + each.value);
        for (const StudySetting& each : variant.library_options) {
            changes.push_back("library_options." + each.key + "=" + each.value);
        }
        all.push_back(changes.empty() ? variant.name : fmt::format("{} ({})", variant.name, joined(changes)));
    }
    return joined(all, "; ");
}

/// The parts of a study on a page.
class StudyParts {
public:
    StudyParts(Page& page, const AskedPoints& asked, const Store& store)
        : page_(page), asked_(asked), store_(store), tests_(asked.study->tests)
    {}

    /// What the study asks: platforms, programs, what is varied, how far it is.
    void add_question()
    {
        const auto ask = [this](const char* name, std::string value) {
            page_.question.emplace_back(name, std::move(value));
        };
        const StudyTest& first = tests_.front();
        if (tests_.size() == 1) {
            ask("platform", first.platform.text);
            ask("program", program_text(first));
            for (const StudySetting& setting : first.set) ask("set", setting.key + " = " + setting.value);
            for (const StudyWord& overlay : first.overlays) ask("overlay", overlay.text);
            for (const Axis& axis : first.axes) ask("varied", axis_text(axis));
            if (first.variants.size() > 1) ask("variants", variants_text(first));
            if (first.repeat > 1) ask("repetitions", std::to_string(first.repeat));
        } else {
            std::set<std::string> platforms;
            std::set<std::string> programs;
            for (const StudyTest& test : tests_) {
                platforms.insert(test.platform.text);
                for (const Variant& variant : test.variants) platforms.insert(variant.platform.text);
                programs.insert(test.program.text);
            }
            platforms.erase("");
            ask("platforms", joined(platforms));
            ask("programs", joined(programs));
        }
        std::map<std::string, std::size_t> states;
        for (const Granted& granted : asked_.granted) {
            ++states[std::string(granted.cached || granted.ran ? kPointStates.name(granted.state) : "not run")];
        }
        ask("points", counts_text(states));
        if (tests_.size() == 1) return;
        Results tests;
        tests.columns = {{"test", ""}, {"platform", ""}, {"program", ""}, {"varied", ""}, {"variants", ""}};
        for (const StudyTest& test : tests_) {
            std::vector<std::string> axes;
            for (const Axis& axis : test.axes) axes.push_back(axis_text(axis));
            tests.rows.push_back(
                {test.name, test.platform.text, program_text(test), joined(axes, "; "), variants_text(test)});
        }
        page_.add("tests", "What was run: the tests of the study", std::move(tests));
    }

    /// A table and charts for each test with finished points.
    void add_tests()
    {
        for (std::size_t test = 0; test < tests_.size(); ++test) {
            if (!has_points(test)) continue;
            const auto& [id, means] = table_of(test);
            for (Chart& chart : charts_of(means, id, tests_.size() == 1 ? "" : tests_[test].name)) {
                page_.charts.push_back(std::move(chart));
            }
        }
    }

    /// The charts of charts.toml if the study has one, else those of its tests; the tables of its scripts.
    void add_findings(Findings& findings)
    {
        const auto file = read_charts(findings.study().folder);
        if (file) {
            std::vector<std::string> left_out;
            for (const ChartRequest& request : file->charts) {
                if (!add_chart(request, findings)) left_out.push_back(request.name);
            }
            if (!left_out.empty()) {
                page_.notes.push_back(fmt::format(
                    "charts left out, because what they need has not run or is of another part: {}", joined(left_out)));
            }
        }
        if (!file || file->derived) add_tests();
        const auto views = findings.views().beginning("table_");
        const auto texts = findings.tables();
        for (std::size_t i = 0; i < views.size(); ++i) {
            Results results = with_units(rows_of(findings.database(), views[i]));
            results.notes = texts[i].notes;
            page_.add(views[i].name, texts[i].title, std::move(results));
        }
        const auto& notes = findings.study().notes;
        page_.notes.insert(page_.notes.end(), notes.begin(), notes.end());
    }

    /// The machines that the points ran on, each kind and size once, with the use of places where it is recorded.
    void add_machines()
    {
        constexpr std::size_t kMost = 8;
        std::vector<std::pair<std::string, std::size_t>> machines;  // what decides the drawing, and a point
        for (std::size_t i = 0; i < asked_.points.size(); ++i) {
            if (!asked_.granted[i].done()) continue;
            const ExperimentRequest& request = asked_.points[i].wish.request;
            std::string key = request.platform;
            for (const std::string& setting : request.settings) {
                for (const char* part : {"topology.", "mesh.columns", "mesh.rows"}) {
                    if (setting.starts_with(part)) key += " " + setting;
                }
            }
            const auto known =
                std::find_if(machines.begin(), machines.end(), [&](const auto& each) { return each.first == key; });
            if (known == machines.end()) {
                if (machines.size() < kMost) machines.emplace_back(std::move(key), i);
            } else if (asked_.points[i].wish.every_block && !asked_.points[known->second].wish.every_block) {
                known->second = i;
            }
        }
        for (const auto& [key, shown] : machines) {
            const auto point = store_.find(asked_.granted[shown].key);
            add_machine(page_, asked_.points[shown].wish.request, point ? &point->record.outcome : nullptr);
        }
    }

private:
    struct Made {
        std::string id;
        Means means;
    };

    bool has_points(std::size_t test) const
    {
        for (std::size_t i = 0; i < asked_.points.size(); ++i) {
            if (asked_.points[i].test == test && asked_.granted[i].done()) return true;
        }
        return false;
    }

    /// Made when first asked for.
    const Made& table_of(std::size_t place)
    {
        const auto found = made_.find(place);
        if (found != made_.end()) return found->second;
        const StudyTest& test = tests_[place];
        const Results whole = whole_table(*asked_.study, place, asked_.points, asked_.granted, store_);
        Means means = means_of(test, whole);
        const std::string title = tests_.size() == 1 ? "Results" : "Test " + test.name;
        const std::string id =
            page_.add(test.name, title + (means.repeated ? ", means of repetitions" : ""), means.table);
        if (means.repeated) page_.add(test.name + "-runs", title + ", each run", whole);
        return made_.emplace(place, Made{id, std::move(means)}).first->second;
    }

    /// @return false if what it needs has not run, or is of another part
    bool add_chart(const ChartRequest& request, const Findings& findings)
    {
        const std::string& table = request.table.text;
        const auto add = [&](const Means& means, const std::string& id) {
            page_.charts.push_back(chart_as_asked(request, means, id, findings.published()));
            return true;
        };
        const auto test =
            std::find_if(tests_.begin(), tests_.end(), [&](const auto& each) { return each.name == table; });
        if (test != tests_.end()) {
            const auto place = static_cast<std::size_t>(test - tests_.begin());
            return has_points(place) && add(table_of(place).means, table_of(place).id);
        }
        const std::string view = lowered(table);
        if (!findings.database().has_table(table)) {
            const auto all = findings.made_by_scripts();
            if (std::find(all.begin(), all.end(), view) == all.end()) throw unknown_table(request, all);
            return false;
        }
        const Means means =
            means_of(with_units(findings.database().query(fmt::format("SELECT * FROM {}", sql_name(table)))));
        if (means.table.rows.empty()) return false;
        const auto [shown, is_new] = views_.try_emplace(view);
        if (is_new) shown->second = page_.add(view, request.title.empty() ? table : request.title.text, means.table);
        return add(means, shown->second);
    }

    UserError unknown_table(const ChartRequest& request, const std::vector<std::string>& made_by_scripts) const
    {
        std::vector<std::string> known;
        for (const StudyTest& each : tests_) known.push_back(each.name);
        for (const std::string& each : made_by_scripts) {
            if (!each.starts_with("finding_") && !each.starts_with("note_")) known.push_back(each);
        }
        return UserError(fmt::format("{}: chart.{}.table = \"{}\": the study has no such test or view{}",
                                     request.table.where, request.name, request.table.text,
                                     suggestion(request.table.text, known)));
    }

    Page& page_;
    const AskedPoints& asked_;
    const Store& store_;
    const std::vector<StudyTest>& tests_;
    std::map<std::size_t, Made> made_;
    std::map<std::string, std::string> views_;  // ids of tables
};

void add_ledger(Page& page, const Report& report, const Findings& findings)
{
    if (report.rows.empty()) return;
    PageLedger part{.title = report.title,
                    .table = {},
                    .columns = ledger_columns().headings(kFirstOnPage),
                    .texts = {},
                    .words = ledger_columns().headings(kOnDemand),
                    .summary = summary({&report, 1}),
                    .notes = report.not_run};
    for (const Row& row : report.rows) part.texts.push_back(ledger_columns().texts(row, kFirstOnPage));
    if (!report.left_out.empty()) {
        part.notes.push_back(
            fmt::format("left out because they take long, included by validate --full: {}", joined(report.left_out)));
    }
    for (const std::string& sentence : answer_of(std::span(&report, 1)).sentences) page.answer.push_back(sentence);
    page.answer.push_back(fmt::format("{}.", part.summary));
    part.table = page.add("ledger", "Ledger: " + report.title, ledger_columns().results(report.rows, kInSql));
    page.ledgers.push_back(std::move(part));
    if (!report.inputs) return;
    page.answer.push_back(fmt::format("{}.", bar_counts(report)));
    if (!report.inputs->are_kept) return;
    const auto folder = findings.study().folder;
    page.add("inputs", "What was varied for the error bars",
             numbers_and_texts(read_csv(bars_folder(folder) / kInputsFile)));
    const auto kept = read_bars(folder);
    std::vector<InputTrial> trials;
    for (const RowEffects& row : kept->rows) {
        const auto of_row = trials_of(row, kept->inputs);
        trials.insert(trials.end(), of_row.begin(), of_row.end());
    }
    page.add("sensitivity", "What each of these moves, at the ends of its range or its other choices",
             numbers_and_texts(csv_from_text(six_digit_csv(trial_columns().results(trials)), kSensitivityFile)));
}

}  // namespace

std::string counts_text(const std::map<std::string, std::size_t>& counts)
{
    std::vector<std::string> texts;
    for (const auto& [word, count] : counts) texts.push_back(fmt::format("{} {}", count, word));
    return joined(texts);
}

void add_study(Page& page, const AskedPoints& asked, const Store& store, Findings& findings, const Report* report,
               bool alone)
{
    StudyParts parts(page, asked, store);
    if (alone) parts.add_question();
    if (report != nullptr) add_ledger(page, *report, findings);
    parts.add_findings(findings);
    if (alone) parts.add_machines();
}

Page study_page(const AskedPoints& asked, const Store& store, Findings& findings, const std::string& path,
                bool with_long)
{
    const auto done = std::count_if(asked.granted.begin(), asked.granted.end(), std::mem_fn(&Granted::done));
    if (done == 0) {
        throw UserError(
            fmt::format("report: none of the points of {} has run; write ringmesh study run {}", path, path));
    }
    const Study& study = findings.study();
    Page page{.title = study.title.empty() ? study.name() : study.title};
    findings.find(asked.points, asked.granted, store);
    std::optional<Report> report;
    if (findings.has_published()) {
        // Rows of points that are not asked for would count as missing
        const std::size_t all = findings.points(with_long).size();
        if (asked.points.size() == all && static_cast<std::size_t>(done) == all) {
            report = findings.report(asked.points, with_long);
        } else {
            page.notes.push_back(
                fmt::format("no ledger: points are missing; run ringmesh validate {}, then the report again", path));
        }
    }
    add_study(page, asked, store, findings, report ? &*report : nullptr, true);
    return page;
}

Page sweep_page(const AskedPoints& asked, const Store& store)
{
    const StudyTest& test = asked.study->tests.front();
    Page page{.title = fmt::format("{} on {}", test.program.text, test.platform.text)};
    StudyParts parts(page, asked, store);
    parts.add_question();
    parts.add_tests();
    parts.add_machines();
    return page;
}

}  // namespace ringmesh::lab
