// SPDX-License-Identifier: Apache-2.0
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <functional>
#include <set>
#include <vector>

#include "lab/commands/keep/study.h"
#include "lab/commands/line/command.h"
#include "lab/commands/line/outputs.h"
#include "lab/process/child_process.h"
#include "lab/process/output_file.h"
#include "lab/process/progress_bar.h"
#include "lab/process/standard_streams.h"
#include "lab/report/parts.h"
#include "lab/report/report_file.h"
#include "lab/store/memo.h"
#include "lab/store/point.h"
#include "lab/study/description/catalog.h"
#include "lab/study/running/scripts.h"
#include "lab/table/results.h"
#include "lab/table/writers/text_table.h"
#include "lab/truth/evidence.h"
#include "lab/truth/findings.h"
#include "lab/truth/ledger/accuracy.h"
#include "lab/truth/ledger/kept_bars.h"
#include "lab/truth/ledger/report.h"
#include "lab/truth/rows/frozen.h"
#include "lab/truth/uncertainty/bar_file.h"
#include "platforms/files/toml_document.h"
#include "tlm/error.h"
#include "tlm/parameters/names.h"

namespace ringmesh::lab {
namespace {

constexpr CommandHelp kValidate{
    .name = "validate",
    .meaning = "Compare simulated, calculated and published numbers of a study",
    .arguments = "validate [STUDY] [OPTIONS]",
    .examples = R"(Examples:
  ringmesh validate
  ringmesh validate wulfkit --json validation.json
  ringmesh validate wulfkit --markdown validation.md
  ringmesh validate wulfkit --part rings                only these rows, in a second
  ringmesh validate my-study/                           a study of your own, with its published.csv
  ringmesh validate --why wulfkit.component.hop         everything about one row
  ringmesh validate scc --part broadcasts --tables -    a published table beside the simulated one
  ringmesh validate scc --full                          also rows that take minutes
  ringmesh validate my-study/ --uncertainty --keep      error bars: thousands of runs, each cached
)",
    .status_1 =
        "a row is worse than frozen, or something frozen is gone or a prediction has moved; of a study that has frozen "
        "no row, if a row is out of its tolerance without a stated reason"};

/// A study, its points, and what came of them.
struct Validated {
    Findings findings;
    std::vector<StudyPoint> points = {};
    std::vector<Granted> granted = {};
    Report report = {};
};

class ValidateCommand final : public Command {
public:
    const CommandHelp& help() const override { return kValidate; }
    void describe(OptionList& list) override
    {
        list.argument("STUDY", study_, "A study, by name or by folder; all named studies if not given");
        list.text("--part", part_, "Only the rows of this part; the parts of each study are listed below", "PART");
        list.flag("--full", full_, "Include the rows that take minutes");
        list.flag("--details", details_, "Explain each row, and why it has its role");
        list.text("--why", why_, "Show everything about one row: numbers, role, tolerance, error bar, notes", "ID");
        list.flag("--uncertainty", uncertainty_,
                  "Compute error bars: run the study with each input at both ends of its range, with other seeds, and "
                  "with random samples of all inputs");
        list.flag("--keep", keep_, "Keep the error bars in the study's folder uncertainty/");
        list.flag("--freeze", freeze_,
                  "Write what each row that is judged and each prediction of STUDY is now to its frozen.csv: from then "
                  "on a row that is worse fails");
        list.count(
            "--samples", samples_,
            fmt::format("Number of random samples (Latin hypercube) for rows that are not linear; {} if not given",
                        kHypercubeSamples));
        add_shard(list, shard_, "With --uncertainty: only share I of N of the runs");
        list.text("--json", json_, "Write the rows; '-' for standard output", "FILE");
        list.text("--csv", csv_, "The same as CSV", "FILE");
        list.text("--tables", tables_,
                  "Write the tables that follow the rows as CSV, each with its own columns; '-' for standard output",
                  "FILE");
        list.text(
            "--accuracy", accuracy_,
            "Write a summary as Markdown: how close each study comes to published numbers, and its largest misses; "
            "'-' for standard output",
            "FILE");
        list.text("--predictions", predictions_, "Write all frozen predictions as CSV; '-' for standard output",
                  "FILE");
        list.text("--markdown", markdown_, "Write the report as Markdown; '-' for standard output", "FILE");
        add_report(list, report_);
        add_pictures(list, pictures_);
        add_store(list, store_);
    }
    int execute() override;
    std::string examples() const override;

private:
    /// Options that do not go together. @throws UserError
    void check() const;
    /// @return false if other shards have not run theirs
    bool add_error_bars(Validated& one, Store& points_store) const;

    std::string study_;                     ///< a name or a folder; empty for all that have names
    std::string part_;                      ///< of its scripts; empty for all
    bool full_ = false;                     ///< also the points that take long
    bool details_ = false;                  ///< in the text, the words of each row
    std::string why_;                       ///< id of the one row that the text shows
    bool uncertainty_ = false;              ///< make error bars anew; otherwise those that the study keeps are shown
    bool keep_ = false;                     ///< with the study
    bool freeze_ = false;                   ///< write frozen.csv anew
    unsigned samples_ = kHypercubeSamples;  ///< of the Latin hypercube
    std::optional<Shard> shard_;            ///< of the runs behind the bars
    StoreOptions store_;
    std::string tables_;  ///< for the tables below the rows
    std::string json_;
    std::string csv_;
    std::string markdown_;
    std::string accuracy_;     ///< for how near each study comes, as lines of a page
    std::string predictions_;  ///< for what all studies have frozen
    std::string report_;
    PictureRequest pictures_;
};

constexpr int kRowLeftItsTolerance = 1;

/// Those that have the part; all if `part` is empty.
std::vector<Validated> studies_with(const std::string& study, const std::string& part)
{
    const std::vector<std::string> names = study.empty() ? list_studies() : std::vector{study};
    if (names.empty()) throw UserError("validate: there are no studies; write a folder that has study.toml");
    std::vector<Validated> all;
    std::vector<std::string> known;
    for (const std::string& name : names) {
        Study read = read_study(find_study(name));
        bool has_part = part.empty();
        for (const auto& file : script_files(read.folder)) {
            known.push_back(part_name(file));
            has_part = has_part || known.back() == part;
        }
        if (has_part) all.push_back({.findings = Findings(std::move(read), part)});
    }
    if (all.empty()) throw UserError(fmt::format("validate: --part {}: no such part{}", part, suggestion(part, known)));
    return all;
}

[[noreturn]] void fail_why(const std::string& id, const std::vector<std::string>& known)
{
    throw UserError(fmt::format("validate: --why {}: no such row{}", id, id_suggestion(id, known)));
}

/// Leaves those studies that may have the row: its published.csv names it, or has rows of its machine.
void keep_studies_with(std::vector<Validated>& studies, const std::string& id)
{
    const std::string machine = id.substr(0, id.find('.'));
    std::vector<std::string> known;
    for (const bool whole_id : {true, false}) {
        const auto lacks = [&](const Validated& one) {
            return std::none_of(one.findings.published().rows().begin(), one.findings.published().rows().end(),
                                [&](const PublishedRow& row) {
                                    known.push_back(row.id);
                                    return whole_id ? row.matches(id) : row.machine() == machine;
                                });
        };
        if (std::all_of(studies.begin(), studies.end(), lacks)) continue;
        std::erase_if(studies, lacks);
        return;
    }
    fail_why(id, known);
}

/// The part whose script alone names the row, or else the longest beginning of its id that a script names; empty: there
/// is none, or not one alone.
std::string part_with(const Study& study, const std::string& id)
{
    const std::vector<Script> scripts = scripts_of(study);
    for (std::string name = "'" + id + "'"; name.size() > 1; name.pop_back()) {
        std::set<std::string> parts;
        for (const Script& script : scripts) {
            for (const Script::Statement& statement : script.statements) {
                if (statement.text.find(name) != std::string::npos) parts.insert(script.part);
            }
        }
        if (!parts.empty()) return parts.size() == 1 ? *parts.begin() : "";
    }
    return "";
}

/// Whether one of them has simulated or calculated this row.
bool has_row(const std::vector<Validated>& studies, const std::string& id)
{
    return std::ranges::any_of(studies, [&id](const Validated& one) {
        return std::ranges::find(one.report.rows, id, &Row::id) != one.report.rows.end() ||
               std::ranges::any_of(one.report.predictions, [&id](const auto& each) { return each.now.id == id; });
    });
}

std::vector<Report> reports_of(const std::vector<Validated>& studies)
{
    std::vector<Report> reports;
    for (const Validated& one : studies) reports.push_back(one.report);
    return reports;
}

/// "runs", "on scc: ping-pong:to=1 over rcce:preset=rcce-1.1": each test that a row is made of.
std::vector<std::pair<std::string_view, std::string>> runs_behind(const Findings& findings, const std::string& id)
{
    const auto of_rows = findings.tests_of_rows();
    const auto names = of_rows.find(id);
    if (names == of_rows.end()) return {};
    std::vector<std::pair<std::string_view, std::string>> lines;
    for (const StudyTest& test : findings.study().tests) {
        if (names->second.contains(test.name)) lines.emplace_back(lines.empty() ? "runs" : "", title_of(test));
    }
    return lines;
}

/// All that is known of one row, of a prediction, or of what was published and is not run.
std::string why_text(const std::vector<Validated>& studies, const std::string& id, Room room)
{
    std::vector<std::string> known;
    const auto is = [&](const std::string& other) {
        known.push_back(other);
        return other == id;
    };
    for (const Validated& one : studies) {
        for (const Row& row : one.report.rows) {
            if (is(row.id)) return ledger_columns().description(row, room, runs_behind(one.findings, id));
        }
        for (const Prediction& each : one.report.predictions) {
            if (!is(each.now.id)) continue;
            return prediction_columns().description(each, room, runs_behind(one.findings, id));
        }
    }
    for (const Validated& one : studies) {
        for (const PublishedRow& row : one.findings.published().rows()) {
            if (!is(row.id) && !row.matches(id)) continue;
            const auto& left_out = one.report.left_out;
            const bool is_long = std::find(left_out.begin(), left_out.end(), row.id) != left_out.end();
            return published_columns().description(row.of_series(id), room) +
                   (is_long ? "\nNot simulated, because it takes long; add --full.\n" : "");
        }
    }
    fail_why(id, known);
}

std::string predictions_csv(std::span<const Report> reports)
{
    std::vector<FrozenNumber> all;
    for (const Report& report : reports) {
        for (const Prediction& each : report.predictions) {
            if (each.frozen) all.push_back(*each.frozen);
        }
    }
    return frozen_csv(all);
}

/// A form of the reports, and where it goes.
struct Output {
    std::string option;  ///< or how the text looks
    OutputFile file;
    std::function<std::string(std::span<const Report>)> render;
    std::string text = {};
};

bool is_read(const std::filesystem::directory_entry& entry)
{
    const auto extension = entry.path().extension();
    return entry.is_regular_file() && (extension == ".toml" || extension == ".sql" || extension == ".csv");
}

/// Everything that decides the reports: the points with their axes, of which some change no run; the files of the
/// studies, and of those that ship, because a calibration may name their rows; what provenance says of the points'
/// parameters and options.
std::string inputs_of(const std::vector<Validated>& studies, const std::string& part, bool full)
{
    std::string text = fmt::format("part {}, full {}\n", part, full);
    std::set<std::filesystem::path> folders;
    for (const Validated& one : studies) folders.insert(one.findings.study().folder);
    for (const std::string& name : list_studies()) folders.insert(find_study(name));
    for (const auto& folder : folders) {
        std::vector<std::filesystem::path> files;
        for (const auto& place : {folder.empty() ? std::filesystem::path(".") : folder, bars_folder(folder)}) {
            std::error_code error;
            for (const auto& entry : std::filesystem::directory_iterator(place, error)) {
                if (is_read(entry)) files.push_back(entry.path());
            }
        }
        std::sort(files.begin(), files.end());
        for (const auto& file : files) text += fmt::format("{}\n{}\n", file.string(), platforms::read_text(file));
    }
    for (const Validated& one : studies) {
        for (const StudyPoint& point : one.points) text += fmt::format("{}\n", fmt::join(point.axes, ","));
        const Calibrated calibrated = calibrations_of(one.points);
        for (const auto& [id, names] : calibrated.by_row) {
            text += fmt::format("{}: {}\n", id, fmt::join(names, ","));
        }
        for (const Granted& granted : one.granted) text += granted.key + '\n';
    }
    return text;
}

/// The runs of all studies together, so that none waits for another's last one.
Execution grant_all(std::vector<Validated>& studies, const StoreOptions& options, Store& store)
{
    std::vector<Wish> wishes;
    for (const Validated& one : studies) {
        for (const StudyPoint& point : one.points) wishes.push_back(point.wish);
    }
    Execution execution;
    ProgressBar bar("validate");
    const ExecutionRules rules = rules_of(options);
    const auto all = grant(store, wishes, rules, [&](const Execution& now) {
        execution = now;
        bar.show(static_cast<double>(now.ended()) / static_cast<double>(std::max<std::size_t>(now.wanted, 1)));
    });
    auto next = all.begin();
    for (Validated& one : studies) {
        for (const StudyPoint& point : one.points) {
            if (next->cached || next->ran) next->require_done(point.wish.title);
            one.granted.push_back(*next++);
        }
    }
    return execution;
}

/// All studies that were validated, one after another. @pre the reports have been made of the findings
Page validation_page(std::vector<Validated>& studies, const Store& store)
{
    Page page{.title =
                  studies.size() == 1 ? studies.front().report.title : "Validation: " + summary(reports_of(studies))};
    for (Validated& one : studies) {
        const AskedPoints asked{&one.findings.study(), one.points, one.granted};
        add_study(page, asked, store, one.findings, &one.report, studies.size() == 1);
    }
    return page;
}

/// The inputs that act in what the rows with a bar of their own hang on.
std::vector<Input> varied_inputs(const Findings& findings, const std::vector<StudyPoint>& points)
{
    const auto left_out = findings.without_own_bar();
    std::set<std::string> tests;
    for (const auto& [id, of_row] : findings.tests_of_rows()) {
        if (!left_out.contains(id)) tests.insert(of_row.begin(), of_row.end());
    }
    const std::vector<Input> all = inputs_of(std::span<const StudyPoint>(points));
    std::vector<Input> acting;
    for (const std::size_t number : acting_inputs(all, findings.study(), points, tests)) acting.push_back(all[number]);
    return acting;
}

/// A frozen bar that is not the one that the study keeps says something else.
void require_bars_as_frozen(Report& report)
{
    constexpr double kDigits = 1e-5;  // both files have six
    for (Prediction& prediction : report.predictions) {
        if (prediction.state != PredictionState::kAsFrozen) continue;
        const FrozenNumber& was = *prediction.frozen;
        const auto same = [&was](const std::optional<double>& a, const std::optional<double>& b) {
            if (!a || !b) return !a && !b;
            return std::abs(*a - *b) <= kDigits * std::max(std::abs(was.value), std::abs(*b));
        };
        if (same(prediction.now.low, was.low) && same(prediction.now.high, was.high)) continue;
        prediction.state = PredictionState::kRestated;
    }
}

/// What is left out because it takes long stays as it was frozen.
/// @return false if the study has nothing to freeze
bool freeze_study(const Study& study, Report& report)
{
    const std::string date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
    const auto bare = std::count_if(report.predictions.begin(), report.predictions.end(), [](const Prediction& each) {
        return each.state != PredictionState::kGone && each.state != PredictionState::kLeftOut && !each.now.low;
    });
    if (bare > 0) {
        say(fmt::format("--freeze: {} no error bar; validate --uncertainty --freeze gives them one",
                        bare == 1 ? "1 prediction has" : fmt::format("{} predictions have", bare)));
    }
    std::vector<FrozenNumber> all = frozen_rows(report.rows, model_version(), date);
    if (report.not_found_is_long) all.insert(all.end(), report.not_found.begin(), report.not_found.end());
    const auto predictions = frozen_predictions(report.predictions, model_version(), date);
    all.insert(all.end(), predictions.begin(), predictions.end());
    if (all.empty() && report.not_found.empty()) return false;
    write_whole(study.folder / kFrozenFile, frozen_csv(all));
    say(fmt::format("{} frozen in {}", counted(all.size(), "number"), (study.folder / kFrozenFile).string()));
    // As a study is that has this file
    const Frozen frozen = read_frozen(study.folder);
    for (Row& row : report.rows) row.frozen.reset();
    report.not_found = expect(report.rows, frozen.rows);
    std::erase_if(report.predictions,
                  [](const Prediction& prediction) { return prediction.state == PredictionState::kGone; });
    for (Prediction& prediction : report.predictions) {
        if (prediction.state == PredictionState::kLeftOut) continue;
        prediction.frozen = frozen.predictions.at(prediction.now.id);
        prediction.state = PredictionState::kAsFrozen;
    }
    return true;
}

/// Whether the rows that set inputs hold them, and are met where the study was run at samples.
void say_what_holds(const std::string& machine, const Analysis& analysis)
{
    for (const auto& [study, inputs] : analysis.held_elsewhere) {
        say(fmt::format("{}: held by the rows that set them as the study {} keeps them: {}", machine, study,
                        fmt::join(inputs, ", ")));
    }
    if (!analysis.unheld.empty()) {
        say(fmt::format("{}: anywhere in their ranges, for no study keeps a row that set them: {}", machine,
                        fmt::join(analysis.unheld, ", ")));
    }
    for (const SettingResult& row : analysis.settings) {
        if (row.unmet == 0) continue;
        say(fmt::format("{}: {}, which set {}, is missed in {} of {}", machine, row.id, fmt::join(row.inputs, ", "),
                        row.unmet, counted(row.samples, "sample")));
    }
    if (analysis.set_anew > 0) {
        say(fmt::format("{}: few samples meet these rows; in {} the calibrated inputs were calibrated again", machine,
                        analysis.set_anew));
    }
    if (analysis.unmet > 0) {
        say(fmt::format("{}: {} miss such a row; {}", machine, counted(analysis.unmet, "sample"),
                        analysis.unmet_count ? "they count all the same, for too few do not" : "they do not count"));
    }
}

}  // namespace

std::string ValidateCommand::examples() const
{
    std::string text = "Studies and their parts:\n";
    for (const std::string& name : list_studies()) {
        std::vector<std::string> parts;
        for (const auto& file : script_files(find_study(name))) parts.push_back(part_name(file));
        text += fmt::format("  {:8} {}\n", name, fmt::join(parts, ", "));
    }
    return text + "\n" + std::string(kValidate.examples);
}

void ValidateCommand::check() const
{
    if ((keep_ || freeze_) && samples_ < kHypercubeSamples) {
        throw UserError(
            fmt::format("validate: --samples {}: too few for bars of 95 % that are kept or frozen; write {} or more, "
                        "or leave out {}",
                        samples_, kHypercubeSamples, keep_ ? "--keep" : "--freeze"));
    }
    if (const std::string option = first_typed({"--keep", "--samples", "--shard"}); !option.empty() && !uncertainty_) {
        throw UserError(fmt::format("validate: {}: is of error bars; add --uncertainty, or leave it out", option));
    }
    if (freeze_ && study_.empty()) {
        throw UserError("validate: --freeze: writes a study's expectations again; name one: validate STUDY --freeze");
    }
    if ((freeze_ || keep_) && !part_.empty()) {
        throw UserError(fmt::format("validate: {} of one part would replace those of all; leave --part out",
                                    freeze_ ? "--freeze: what is frozen" : "--keep: bars"));
    }
}

bool ValidateCommand::add_error_bars(Validated& one, Store& points_store) const
{
    const Study& of = one.findings.study();
    Report& made = one.report;
    if (!uncertainty_) {
        if (!made.inputs) return true;
        if (!freeze_) require_bars_as_frozen(made);
        if (part_.empty()) made.inputs->changed = changed_inputs(*made.inputs, varied_inputs(one.findings, one.points));
        return true;
    }
    VariedFindingsOfStudy varied(of.folder.string(), part_, full_);
    const auto analysis = analyse(varied,
                                  {.samples = samples_,
                                   .published = published_rows(made),
                                   .elsewhere = settings_of_others(of.folder),
                                   .variations = {.store = store_, .shard = shard_.value_or(Shard{})}},
                                  points_store);
    if (!analysis) {
        say(fmt::format("{}: this share is done, others are not; the same command without --shard makes the bars",
                        made.machine));
        return false;
    }
    for (const std::string& problem : analysis->problems) say(problem);
    say_what_holds(made.machine, *analysis);
    const auto judged = judged_rows(made);
    add_bars(made, kept_bars(*analysis, judged));
    if (keep_) keep_bars(of.folder, bar_files(*analysis, judged));
    return true;
}

int ValidateCommand::execute()
{
    check();
    require_one_standard_output({{"--json", json_},
                                 {"--csv", csv_},
                                 {"--markdown", markdown_},
                                 {"--tables", tables_},
                                 {"--accuracy", accuracy_},
                                 {"--predictions", predictions_},
                                 {"--svg", pictures_.svg}});
    auto studies = studies_with(study_, part_);
    if (!why_.empty() && study_.empty()) keep_studies_with(studies, why_);
    const bool row_alone = !why_.empty() && part_.empty() && studies.size() == 1 &&
                           first_typed({"--json", "--csv", "--markdown", "--tables", "--accuracy", "--predictions",
                                        "--report", "--freeze", "--uncertainty"})
                               .empty();
    const Study whole = studies.front().findings.study();
    if (row_alone) {
        part_ = part_with(whole, why_);
        studies.front() = {.findings = Findings(whole, part_)};
    }
    const std::string asked_part = part_;
    std::vector<Output> outputs;
    outputs.push_back({"--json", OutputFile(json_, kJsonMark), &report_json});
    outputs.push_back({"--csv", OutputFile(csv_), [](std::span<const Report> reports) {
                           std::vector<Row> rows;
                           for (const Report& each : reports)
                               rows.insert(rows.end(), each.rows.begin(), each.rows.end());
                           return results_csv(ledger_columns().results(rows));
                       }});
    outputs.push_back({"--markdown", OutputFile(markdown_, kMarkdownMark), &report_markdown});
    outputs.push_back({"--tables", OutputFile(tables_), &tables_csv});
    outputs.push_back({"--accuracy", OutputFile(accuracy_), [&studies](std::span<const Report> reports) {
                           std::vector<std::filesystem::path> folders;
                           for (const Validated& one : studies) folders.push_back(one.findings.study().folder);
                           return evidence_markdown(folders) + accuracy_markdown(reports);
                       }});
    outputs.push_back({"--predictions", OutputFile(predictions_), &predictions_csv});
    PictureFiles picture_files(pictures_);
    if (std::none_of(outputs.begin(), outputs.end(), [](const auto& each) { return each.file.is_standard_output(); }) &&
        !picture_files.has_standard_output()) {
        const Room room = output_room();
        const std::string form =
            fmt::format("text, width {} {}, details {}, why {}", room.width, room.splits, details_, why_);
        outputs.push_back({form, OutputFile("-"), [&, room](std::span<const Report> reports) {
                               if (!why_.empty()) return why_text(studies, why_, room);
                               std::string all = accuracy_text(reports, room);
                               for (const Report& each : reports) all += report_text(each, details_, room) + '\n';
                               return all + wrapped(summary(reports), 0, room.prose()) + '\n';
                           }});
    }
    std::erase_if(outputs, [](const Output& output) { return !output.file.wanted(); });
    ReportFile report_file({report_, command_line});

    const auto start = std::chrono::steady_clock::now();
    Store points_store = Store::at(store_.folder);
    Execution execution;
    const auto run = [&] {
        for (Validated& one : studies) {
            one.findings.check();
            one.points = one.findings.points(full_);
        }
        execution = grant_all(studies, store_, points_store);
    };
    run();

    std::vector<Report> reports;
    const auto find = [&] {
        for (Validated& one : studies) {
            one.findings.find(one.points, one.granted, points_store);
            one.report = one.findings.report(one.points, full_);
        }
    };
    const auto make_reports = [&] {  // false if other shards have not run theirs
        if (!reports.empty()) return true;
        find();
        if (row_alone && !part_.empty() && !has_row(studies, why_)) {  // the row is of another part, or not simulated
            part_ = "";
            studies.front() = {.findings = Findings(whole, part_)};
            run();
            find();
        }
        bool all_there = true;
        for (Validated& one : studies) all_there = add_error_bars(one, points_store) && all_there;
        if (all_there) reports = reports_of(studies);
        return all_there;
    };
    if (freeze_) {
        if (!make_reports()) return 0;
        bool any = false;
        for (Validated& one : studies) any = freeze_study(one.findings.study(), one.report) || any;
        if (!any)
            throw UserError("validate: --freeze: no row is judged and nothing is predicted; give rows a tolerance");
        reports = reports_of(studies);
    }
    if ((report_file.wanted() || picture_files.wanted()) && !make_reports()) return 0;
    // The SQL of a study takes longer than reading what it has led to
    const bool remembers = !uncertainty_ && !freeze_;
    const std::string inputs = remembers ? inputs_of(studies, part_, full_) : "";
    bool within = true;
    for (Output& output : outputs) {  // all before anything is written, because each may be refused
        const Memo memo(points_store, output.option + '\n' + inputs);
        if (const auto found =
                remembers && !store_.fresh && !store_.check_order && reports.empty() ? memo.find() : std::nullopt) {
            within = found->front() == '1';
            output.text = found->substr(1);
        } else {
            if (!make_reports()) return 0;
            within = all_within(reports);
            output.text = output.render(reports);
            if (remembers && part_ == asked_part) memo.keep((within ? "1" : "0") + output.text);
        }
        if (output.text.empty()) {
            throw UserError(fmt::format(
                "validate: {}: there are none; write it without --part, or another study or part", output.option));
        }
    }
    for (Output& output : outputs) output.file.write(output.text);
    if (report_file.wanted() || picture_files.wanted()) {
        write_page(validation_page(studies, points_store), report_file, picture_files);
    }
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    say(fmt::format("{}, {} of them run now, in {:.2f} s", counted(execution.wanted, "point"),
                    execution.done + execution.failed, passed.count()));
    return within ? 0 : kRowLeftItsTolerance;
}

std::unique_ptr<Command> make_validate() { return std::make_unique<ValidateCommand>(); }

}  // namespace ringmesh::lab
