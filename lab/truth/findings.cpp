// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <system_error>

#include "lab/sql/csv_table.h"
#include "lab/sql/statements.h"
#include "lab/study/description/catalog.h"
#include "lab/study/tables.h"
#include "lab/table/results.h"
#include "lab/table/writers/csv.h"
#include "lab/truth/evidence.h"
#include "lab/truth/ledger/accuracy.h"
#include "lab/truth/ledger/kept_bars.h"
#include "lab/truth/ledger/ledger.h"
#include "lab/truth/ledger/left_out.h"
#include "lab/truth/ledger/report.h"
#include "platforms/files/catalog.h"
#include "platforms/files/toml_document.h"
#include "tlm/error.h"
#include "tlm/parameters/names.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;
using workloads::Results;

constexpr const char* kPublished = "published.csv";
constexpr const char* kParameters = "parameters";
constexpr std::string_view kTable = "table_";
constexpr std::string_view kNote = "note_";

std::vector<std::filesystem::path> csv_files(const Study& study)
{
    // The tables of packets of a replay are no tables of results
    std::set<std::string> inputs;
    for (const StudyTest& test : study.tests) {
        for (const StudySetting& option : test.options) inputs.insert(option.value);
        for (const Axis& axis : test.axes) inputs.insert(axis.values.begin(), axis.values.end());
        for (const Variant& variant : test.variants) {
            for (const StudySetting& option : variant.options) inputs.insert(option.value);
        }
    }
    std::map<std::string, std::filesystem::path> files;  // by the name of their table
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(study.folder, error)) {
        const auto& file = entry.path();
        if (file.extension() != ".csv" || file.filename() == kPublished || file.filename() == kFrozenFile ||
            file.filename() == kCountedFile || file.filename() == kEvidenceFile ||
            inputs.contains(file.filename().string())) {
            continue;
        }
        const auto [other, is_new] = files.emplace(lowered(file.filename().string()), file);
        if (is_new) continue;
        const auto [first, second] = std::minmax(file, other->second);
        throw UserError(
            fmt::format("{}: {} would be a table of the same name, for SQL does not tell capitals; rename one of them",
                        platforms::shown(second), platforms::shown(first)));
    }
    std::vector<std::filesystem::path> all;
    for (const auto& [name, file] : files) all.push_back(file);
    std::ranges::sort(all);
    return all;
}

/// A number that set a parameter was published somewhere: here or in a study that ships.
void require_published(const Calibrations& calibrations, const Published& own, std::span<const StudyPoint> points)
{
    std::vector<Published> shipped;
    for (const auto& [id, parameters] : calibrations) {
        if (own.find(id) != nullptr) continue;
        if (shipped.empty()) {
            for (const std::string& name : list_studies()) {
                const auto file = find_study(name) / kPublished;
                std::error_code error;
                if (std::filesystem::exists(file, error)) shipped.emplace_back(file);
            }
        }
        if (std::ranges::any_of(shipped, [&id = id](const auto& one) { return one.find(id) != nullptr; })) {
            continue;
        }
        std::vector<std::string> known;
        for (const PublishedRow& row : own.rows()) known.push_back(row.id);
        const std::string what = fmt::format("'{}' is a row that no published.csv has{}", id, suggestion(id, known));
        for (const StudyPoint& point : points) {
            const auto problem = configuration_of(point.wish.request).problem_of_calibration(id, what);
            if (problem) throw *problem;
        }
        throw UserError(fmt::format("set_by of {}: {}", fmt::join(parameters, ", "), what));
    }
}

/// Its folder is that of a name in the catalogue.
bool ships(const Study& study)
{
    const auto names = list_studies();
    return std::ranges::any_of(names, [&study](const std::string& name) {
        std::error_code error;
        return std::filesystem::equivalent(find_study(name), study.folder, error);
    });
}

std::set<std::string> alternatives_of(const Study& study)
{
    std::set<std::string> names;
    for (const StudyTest& test : study.tests) {
        for (std::size_t i = 1; i < test.variants.size(); ++i) names.insert(test.variants[i].name);
    }
    return names;
}

/// Of the study, or else of the study that ships and has the name with which the id begins.
double published_value(const Published& own, std::map<std::string, Published>& others, const std::string& id)
{
    const std::string machine = id.substr(0, id.find('.'));
    const auto names = list_studies();
    if (own.find(id) != nullptr || std::ranges::find(names, machine) == names.end()) return own.value(id);
    const auto [found, is_new] = others.try_emplace(machine);
    if (is_new) found->second = Published(find_study(machine) / kPublished);
    return found->second.value(id);
}

/// A title or lines of a table that no script makes would be ignored.
void require_tables(const Study& study, const std::vector<Script>& scripts)
{
    std::vector<std::string> tables;
    for (const Script& script : scripts) {
        for (const Script::Statement& statement : script.statements) {
            if (statement.makes.starts_with(kTable)) tables.push_back(statement.makes.substr(kTable.size()));
        }
    }
    std::vector<std::string> problems;
    const auto require = [&](const std::string& name, const std::string& where, std::string_view what) {
        if (std::ranges::find(tables, name) != tables.end()) return;
        problems.push_back(
            fmt::format("{}: {}: no script has the view {}{}{}", where, what, kTable, name, suggestion(name, tables)));
    };
    for (const auto& [name, title] : study.titles) {
        require(name, title.where, fmt::format("tables.{} = \"{}\"", name, title.text));
    }
    for (const Script& script : scripts) {
        for (const Script::Statement& statement : script.statements) {
            if (!statement.makes.starts_with(kNote)) continue;
            require(statement.makes.substr(kNote.size()), script.where(statement), statement.makes);
        }
    }
    if (!problems.empty()) throw UserError(fmt::format("{}", fmt::join(problems, "\n")));
}

}  // namespace

Calibrated calibrations_of(std::span<const StudyPoint> points)
{
    Calibrated all;
    std::set<std::string> seen;
    for (const StudyPoint& point : points) {
        // Axes change values, not provenance
        const ExperimentRequest& request = point.wish.request;
        if (!seen.insert(fmt::format("{} {} {} {} {}", request.platform, fmt::join(request.overlays, " "),
                                     fmt::join(request.settings, " "), request.workload, request.library))
                 .second) {
            continue;
        }
        const Experiment experiment(request);
        for (const auto* rows :
             {&experiment.parameters(), &experiment.workload_options(), &experiment.library_options()}) {
            for (const ParameterRow& row : *rows) {
                if (row.origin.set_by.empty()) continue;
                all.constants.emplace(row.key, row.origin.set_by);
                for (const std::string& id : row.origin.set_by) all.by_row[id].insert(row.key);
            }
        }
    }
    return all;
}

Findings::Findings(Study study, std::string part)
    : study_(std::move(study)), part_(std::move(part)), scripts_(scripts_of(study_))
{
    std::error_code error;
    if (!study_.folder.empty() && std::filesystem::exists(study_.folder / kPublished, error)) {
        published_ = Published(study_.folder / kPublished);
    }
    require_tables(study_, scripts_);
    if (part_.empty()) return;
    std::vector<std::string> known;
    for (const Script& script : scripts_) known.push_back(script.part);
    if (std::ranges::find(known, part_) == known.end()) {
        throw UserError(fmt::format("--part {}: no such part{}", part_, suggestion(part_, known)));
    }
}

void Findings::check() const
{
    for (const auto& file : csv_files(study_)) sql_table_of(read_csv(file));
    const Database empty;
    for (const Script& script : scripts_) {
        for (const Script::Statement& statement : script.statements) {
            if (const auto problem = empty.syntax_problem(statement.text)) {
                throw UserError(fmt::format("{}: SQL: {}", script.where(statement), *problem));
            }
        }
    }
}

std::vector<StudyPoint> Findings::points(bool with_long) const
{
    PointFilter filter{.without_long = !with_long};
    if (!part_.empty()) filter.tests = tests_for(part_, study_, scripts_);
    return points_of(study_, filter);
}

void Findings::find(std::span<const StudyPoint> points, std::span<const Granted> granted, const Store& store,
                    std::string_view question)
{
    std::string sql = lowered(question);
    for (const Script& script : scripts_) {
        for (const Script::Statement& statement : script.statements) sql += '\n' + lowered(statement.text);
    }
    database_ = tables_of(study_, points, granted, store,
                          [&sql](const std::string& table) { return sql.find(lowered(table)) != std::string::npos; });
    for (const auto& file : csv_files(study_)) database_.add(sql_table_of(read_csv(file)));
    database_.add({"published", published_columns().results(published_.rows(), kInSql)});
    const bool is_test = std::ranges::find(study_.tests, kParameters, &StudyTest::name) != study_.tests.end();
    if (!is_test && sql.find(kParameters) != std::string::npos) {
        database_.add({kParameters, parameters_of(study_, points)});
    }
    database_.define(formula("published", {"id"}, "", "the number of a row of published.csv", "",
                             [own = published_, others = std::map<std::string, Published>()](std::string id) mutable {
                                 return published_value(own, others, id);
                             }));
    database_.define(formula("overlay_meaning", {"overlay"}, "", "what the catalogue says of it; NULL if it has none",
                             "", [](std::string overlay) {
                                 const auto all = platforms::list_overlays();
                                 const auto found = std::ranges::find(all, overlay, &platforms::CatalogEntry::name);
                                 return found == all.end() ? Cell(std::monostate()) : Cell(found->description);
                             }));
    std::set<std::string> missing;  // without points the test's table lacks the program's columns
    std::set<std::string> long_tests;
    for (const StudyTest& test : study_.tests) {
        missing.insert(test.name);
        if (!test.long_points.empty()) long_tests.insert(test.name);
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (granted[i].done()) missing.erase(study_.tests[points[i].test].name);
    }
    views_ = run_scripts(database_, scripts_, part_, missing, long_tests);
    findings_.reset();
    predictions_.reset();
}

std::vector<std::string> Findings::made_by_scripts() const
{
    std::vector<std::string> names;
    for (const Script& script : scripts_) {
        for (const Script::Statement& statement : script.statements) names.push_back(statement.makes);
    }
    return names;
}

std::map<std::string, double> Findings::simulated() const
{
    std::map<std::string, double> all;
    for_each_finding([&all](const Finding& finding) {
        if (finding.simulated) all.emplace(finding.id, *finding.simulated);
    });
    return all;
}

std::set<std::string> Findings::without_own_bar() const
{
    std::set<std::string> all;
    for_each_finding([&all](const Finding& finding) {
        if (!finding.has_own_bar) all.insert(finding.id);
    });
    return all;
}

std::map<std::string, std::set<std::string>> Findings::tests_of_rows() const
{
    std::map<std::string, std::set<std::string>> of_views;
    std::map<std::string, std::set<std::string>> all;
    for_each_finding([&](const Finding& finding) {
        const auto [tests, is_new] = of_views.try_emplace(finding.view.name);
        if (is_new) tests->second = tests_behind(finding.view.name, study_, scripts_);
        all.emplace(finding.id, tests->second);
    });
    return all;
}

void Findings::for_each_finding(const std::function<void(const Finding&)>& visit) const
{
    const auto visit_view = [&visit](const FoundView& found) {
        for (const auto& cells : found.rows.rows) {
            const NamedCells row(found.rows, cells);
            const auto id = row.text("id");
            if (!id || row.cell("simulated") == nullptr) continue;
            visit({found.view, *id, row.number("simulated"), !row.text("bar_as") && !row.text("alternative")});
        }
    };
    for (const FoundView& each : views_finding()) visit_view(each);
    for (const FoundView& each : views_prediction()) visit_view(each);
}

const std::vector<FoundView>& Findings::views_finding() const
{
    if (!findings_) findings_ = found_views(database_, views_, "finding_");
    return *findings_;
}

const std::vector<FoundView>& Findings::views_prediction() const
{
    if (!predictions_) predictions_ = found_views(database_, views_, "prediction_");
    return *predictions_;
}

bool Findings::predictions_take_long() const
{
    for (const std::string& name : made_by_scripts()) {
        if (!lowered(name).starts_with("prediction_")) continue;
        const auto tests = tests_behind(name, study_, scripts_);
        const bool takes_long = std::ranges::any_of(study_.tests, [&tests](const StudyTest& test) {
            return !test.long_points.empty() && tests.contains(test.name);
        });
        if (takes_long) return true;
    }
    return false;
}

Report Findings::report(std::span<const StudyPoint> points, bool with_long)
{
    Report report{.machine = study_.name(),
                  .title = study_.title.empty() ? study_.name() : study_.title,
                  .rows = {},
                  .tables = tables(),
                  .notes = study_.notes,
                  .ships = ships(study_)};
    const Calibrated calibrated = calibrations_of(points);
    require_published(calibrated.by_row, published_, points);
    Ledger ledger = ledger_of({.findings = views_finding(),
                               .published = published_,
                               .calibrations = calibrated.by_row,
                               .alternatives = alternatives_of(study_),
                               .whole = part_.empty(),
                               .with_long = with_long});
    report.rows = std::move(ledger.rows);
    report.left_out = std::move(ledger.left_out);
    for (const auto& [key, rows] : calibrated.constants) {
        const auto is_own = [&report](const std::string& id) { return report.find(id) != nullptr; };
        if (std::ranges::any_of(rows, is_own)) report.constants.push_back(key);
    }
    mark_counted(report, study_.folder, part_.empty());
    const Frozen frozen = read_frozen(study_.folder);
    report.not_found = expect(report.rows, frozen.rows);
    const bool rows_take_long =
        !report.left_out.empty() ||
        std::ranges::any_of(views_finding(), [](const FoundView& found) { return found.view.is_long; });
    report.not_found_is_long = !part_.empty() || (!with_long && rows_take_long);
    std::optional<PredictionState> others;
    if (part_.empty()) {
        others = !with_long && predictions_take_long() ? PredictionState::kLeftOut : PredictionState::kGone;
    }
    report.predictions = predictions_of(views_prediction(), frozen.predictions, others);
    for (Prediction& prediction : report.predictions) prediction.study = report.machine;
    read_left_out(report, study_.folder);
    if (const auto kept = read_bars(study_.folder)) add_bars(report, *kept);
    database_.add({"ledger", ledger_columns().results(report.rows, kInSql)});
    if (!part_.empty()) return report;
    for (const PublishedRow& row : published_.rows()) {
        if (!row.why_not.empty()) report.not_run.push_back(fmt::format("{}: {}", row.id, row.why_not));
    }
    return report;
}

Answer Findings::answer() const
{
    Answer answer;
    const auto view = std::ranges::find(views_.views, "answer", &MadeViews::View::name);
    if (view == views_.views.end()) return answer;
    for (const auto& row : rows_of(database_, *view).rows) answer.sentences.push_back(cell_text(row.at(0), 3));
    return answer;
}

std::vector<Report::Table> Findings::tables() const
{
    std::vector<Report::Table> tables;
    for (const MadeViews::View& view : views_.beginning(kTable)) {
        const std::string name = view.name.substr(kTable.size());
        const auto title = study_.titles.find(name);
        Report::Table table{title == study_.titles.end() ? name : title->second.text,
                            view_table(rows_of(database_, view))};
        const auto notes = std::ranges::find(views_.views, std::string(kNote) + name, &MadeViews::View::name);
        if (notes != views_.views.end()) {
            for (const auto& row : rows_of(database_, *notes).rows) table.notes.push_back(cell_text(row.at(0), 3));
        }
        tables.push_back(std::move(table));
    }
    return tables;
}

}  // namespace ringmesh::lab
