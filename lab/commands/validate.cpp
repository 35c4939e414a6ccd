// SPDX-License-Identifier: Apache-2.0
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <set>
#include <vector>

#include "lab/commands/command.h"
#include "lab/process/child_process.h"
#include "lab/process/output_file.h"
#include "lab/process/progress_bar.h"
#include "lab/process/standard_streams.h"
#include "lab/report/parts.h"
#include "lab/report/report_file.h"
#include "lab/store/memo.h"
#include "lab/store/point.h"
#include "lab/study/catalog.h"
#include "lab/study/scripts.h"
#include "lab/table/text_table.h"
#include "lab/truth/findings.h"
#include "lab/truth/ledger/accuracy.h"
#include "lab/truth/ledger/columns.h"
#include "lab/truth/ledger/kept_bars.h"
#include "lab/truth/uncertainty/bar_file.h"
#include "platforms/files/toml_document.h"
#include "tlm/error.h"
#include "tlm/names.h"

namespace ringmesh::lab {
namespace {

constexpr CommandHelp kValidate{.name = "validate",
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

The exit status is 0 if every row is within its tolerance or misses it as stated, and every frozen prediction
holds; 1 if not.
)"};

class ValidateCommand final : public Command {
public:
    const CommandHelp& help() const override { return kValidate; }
    void describe(OptionList& list) override
    {
        list.argument("STUDY", study, "A study, by name or by folder; all named studies if not given");
        list.text("--part", part, "Only the rows of this part; the parts of each study are listed below", "PART");
        list.flag("--full", full, "Include the rows that take minutes");
        list.flag("--details", details, "Explain each row, and why it has its role");
        list.text("--why", why, "Show everything about one row: numbers, role, tolerance, error bar, notes", "ID");
        list.flag("--uncertainty", uncertainty,
                  "Compute error bars: run the study with each input at both ends of its range, with other seeds, and "
                  "with random samples of all inputs");
        list.flag("--keep", keep, "Keep the error bars in the study's folder uncertainty/");
        list.flag("--freeze", freeze,
                  "Write the present results of the views prediction_*, with error bars, to the study's predictions.csv");
        list.parsed(
            "--samples", [this](const std::string& text) { samples = parse_count(text, "--samples 50"); },
            fmt::format("Number of random samples (Latin hypercube) for rows that are not linear; {} if not given",
                        kHypercubeSamples),
            "N");
        add_shard(list, shard, "With --uncertainty: only share I of N of the runs");
        list.text("--json", json, "Write the rows; '-' for standard output", "FILE");
        list.text("--tables", tables,
                  "Write the tables that follow the rows as CSV, each with its own columns; '-' for standard output",
                  "FILE");
        list.text("--accuracy", accuracy,
                  "Write a summary as Markdown: how close each study comes to published numbers, and its largest misses; "
                  "'-' for standard output",
                  "FILE");
        list.text("--predictions", predictions, "Write all frozen predictions as CSV; '-' for standard output", "FILE");
        list.text("--markdown", markdown, "Write the report as Markdown; '-' for standard output", "FILE");
        add_report(list, report);
        add_store(list, store);
    }
    int execute() override;
    std::string examples() const override;

private:
    /// Options that do not go together. @throws UserError
    void check() const;
    /// @return false if other shards have not run theirs
    bool add_error_bars(const Findings& findings, const std::vector<StudyPoint>& points, Report& made,
                        Store& points_store) const;

    std::string study;                ///< a name or a folder; empty for all that have names
    std::string part;                 ///< of its scripts; empty for all
    bool full = false;                ///< also the points that take long
    bool details = false;             ///< in the text, the words of each row
    std::string why;                  ///< id of the one row that the text shows
    bool uncertainty = false;         ///< make error bars anew; otherwise those that the study keeps are shown
    bool keep = false;                ///< with the study
    bool freeze = false;              ///< write predictions.csv anew
    std::optional<unsigned> samples;  ///< of the Latin hypercube
    std::optional<Shard> shard;       ///< of the runs behind the bars
    StoreOptions store;
    std::string tables;  ///< for the tables below the rows
    std::string json;
    std::string markdown;
    std::string accuracy;     ///< for how near each study comes, as lines of a page
    std::string predictions;  ///< for what all studies have frozen
    std::string report;
};

constexpr int kRowLeftItsTolerance = 1;

/// Those that have the part; all if `part` is empty.
std::vector<Findings> findings_of(const std::string& study, const std::string& part)
{
    const std::vector<std::string> names = study.empty() ? list_studies() : std::vector{study};
    if (names.empty()) throw UserError("validate: there are no studies; write a folder that has study.toml");
    std::vector<Findings> all;
    std::vector<std::string> known;
    for (const std::string& name : names) {
        Study read = read_study(find_study(name));
        if (!part.empty()) {
            std::vector<std::string> parts;
            for (const Script& script : scripts_of(read)) parts.push_back(script.part);
            known.insert(known.end(), parts.begin(), parts.end());
            if (std::find(parts.begin(), parts.end(), part) == parts.end()) continue;
        }
        all.emplace_back(std::move(read), part);
    }
    if (all.empty()) throw UserError(fmt::format("validate: --part {}: no such part{}", part, suggestion(part, known)));
    return all;
}

[[noreturn]] void fail_why(const std::string& id, const std::vector<std::string>& known)
{
    throw UserError(fmt::format("validate: --why {}: no such row{}", id, id_suggestion(id, known)));
}

/// Leaves those studies that may have the row: its published.csv names it, or has rows of its machine.
void keep_studies_with(std::vector<Findings>& studies, const std::string& id)
{
    const std::string machine = id.substr(0, id.find('.'));
    std::vector<std::string> known;
    const auto has = [&](const Findings& findings, bool whole_id) {
        const auto& rows = findings.published().rows();
        return std::any_of(rows.begin(), rows.end(), [&](const PublishedRow& row) {
            return whole_id ? row.matches(id) : row.machine() == machine;
        });
    };
    for (const bool whole_id : {true, false}) {
        if (std::none_of(studies.begin(), studies.end(), [&](const Findings& each) { return has(each, whole_id); })) {
            continue;
        }
        std::erase_if(studies, [&](const Findings& each) { return !has(each, whole_id); });
        return;
    }
    for (const Findings& findings : studies) {
        for (const PublishedRow& row : findings.published().rows()) known.push_back(row.id);
    }
    fail_why(id, known);
}

/// All that is known of one row, of a prediction, or of what was published and is not run.
std::string why_text(const std::vector<Findings>& studies, const std::vector<Report>& reports, const std::string& id,
                     Room room)
{
    std::vector<std::string> known;
    for (const Report& report : reports) {
        for (const Row& row : report.rows) {
            if (row.id == id) return ledger_columns().description(row, room);
            known.push_back(row.id);
        }
        for (const Prediction& each : report.predictions) {
            if (each.now.id == id) return prediction_columns().description(each, room);
            known.push_back(each.now.id);
        }
    }
    for (std::size_t i = 0; i < studies.size(); ++i) {
        for (const PublishedRow& row : studies[i].published().rows()) {
            known.push_back(row.id);
            if (!row.matches(id)) continue;
            const auto& left_out = reports[i].left_out;
            const bool is_long = std::find(left_out.begin(), left_out.end(), row.id) != left_out.end();
            return published_columns().description(row.of_series(id), room) +
                   (is_long ? "\nNot simulated, because it takes long; add --full.\n" : "");
        }
    }
    fail_why(id, known);
}

std::string predictions_csv(std::span<const Report> reports)
{
    std::vector<FrozenPrediction> all;
    for (const Report& report : reports) {
        for (const Prediction& each : report.predictions) {
            if (each.frozen) all.push_back(*each.frozen);
        }
    }
    return frozen_csv(all);
}

/// A form of the reports that goes to a file or to standard output.
struct Output {
    const char* option;
    OutputFile file;
    std::string (*render)(std::span<const Report>);
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
std::string inputs_of(const std::vector<Findings>& studies, const std::vector<std::vector<StudyPoint>>& points,
                      const std::vector<std::vector<Granted>>& granted, const std::string& part, bool full)
{
    std::string text = fmt::format("part {}, full {}\n", part, full);
    std::set<std::filesystem::path> folders;
    for (const Findings& findings : studies) folders.insert(findings.study().folder);
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
    for (const Findings& findings : studies) {
        const auto& own = points[static_cast<std::size_t>(&findings - studies.data())];
        for (const StudyPoint& point : own) text += fmt::format("{}\n", fmt::join(point.axes, ","));
        for (const auto& [id, names] : calibrations_of(own)) text += fmt::format("{}: {}\n", id, fmt::join(names, ","));
    }
    for (const auto& of_study : granted) {
        for (const Granted& one : of_study) text += one.key + '\n';
    }
    return text;
}

/// The runs of all studies together, so that none waits for another's last one.
std::vector<std::vector<Granted>> grant_all(const std::vector<std::vector<StudyPoint>>& points,
                                            const StoreOptions& options, Store& store, Execution& execution)
{
    std::vector<Wish> wishes;
    for (const auto& of_study : points) {
        for (const StudyPoint& point : of_study) wishes.push_back(point.wish);
    }
    ProgressBar bar("validate");
    const ExecutionRules rules{.parallel = options.parallel(), .fresh = options.fresh, .retry = options.retry};
    const auto all = grant(store, wishes, rules, [&](const Execution& now) {
        execution = now;
        bar.show(static_cast<double>(now.ended()) / static_cast<double>(std::max<std::size_t>(now.wanted, 1)));
    });
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].cached || all[i].ran) all[i].require_done(wishes[i].title);
    }
    std::vector<std::vector<Granted>> split;
    auto next = all.begin();
    for (const auto& of_study : points) {
        split.emplace_back(next, next + static_cast<std::ptrdiff_t>(of_study.size()));
        next += static_cast<std::ptrdiff_t>(of_study.size());
    }
    return split;
}

/// All studies that were validated, one after another. @pre the reports have been made of the findings
Page validation_page(std::vector<Findings>& studies, const std::vector<Report>& reports,
                     const std::vector<std::vector<StudyPoint>>& points,
                     const std::vector<std::vector<Granted>>& granted, const Store& store)
{
    Page page{.title = reports.size() == 1 ? reports.front().title : "Validation: " + summary(reports)};
    for (std::size_t i = 0; i < studies.size(); ++i) {
        const AskedPoints asked{&studies[i].study(), points[i], granted[i]};
        if (studies.size() == 1) add_question(page, asked);
        add_ledger(page, reports[i], studies[i]);
        add_findings(page, asked, store, studies[i]);
        if (studies.size() == 1) add_machines(page, asked, store);
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
        const FrozenPrediction& was = *prediction.frozen;
        const auto same = [&was](const std::optional<double>& a, const std::optional<double>& b) {
            if (!a || !b) return !a && !b;
            return std::abs(*a - *b) <= kDigits * std::max(std::abs(was.value), std::abs(*b));
        };
        if (same(prediction.now.low, was.low) && same(prediction.now.high, was.high)) continue;
        prediction.state = PredictionState::kRestated;
    }
}

/// Those that are left out because they take long stay as they were frozen.
void freeze_predictions(const Study& study, Report& report)
{
    const std::string date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
    const auto bare = std::count_if(report.predictions.begin(), report.predictions.end(), [](const Prediction& each) {
        return each.state != PredictionState::kGone && each.state != PredictionState::kLeftOut && !each.now.low;
    });
    if (bare > 0) {
        say(fmt::format("--freeze: {} no error bar; validate --uncertainty --freeze gives them one",
                        bare == 1 ? "1 prediction has" : fmt::format("{} predictions have", bare)));
    }
    OutputFile file((study.folder / kPredictionsFile).string());
    file.write(frozen_text(report.predictions, model_version(), date));
    for (Prediction& prediction : report.predictions) {
        if (prediction.state == PredictionState::kAsFrozen || prediction.state == PredictionState::kLeftOut) continue;
        if (prediction.state == PredictionState::kGone) continue;
        prediction.frozen = prediction.now;
        prediction.frozen->date = date;
        prediction.state = PredictionState::kAsFrozen;
    }
    std::erase_if(report.predictions,
                  [](const Prediction& prediction) { return prediction.state == PredictionState::kGone; });
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
        say(fmt::format("{}: few samples meet these rows; in {} the calibrated inputs were set anew", machine,
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
    if ((keep || freeze) && samples && *samples < kHypercubeSamples) {
        throw UserError(
            fmt::format("validate: --samples {}: too few for bars of 95 % that are kept or frozen; write {} or more, "
                        "or leave out {}",
                        *samples, kHypercubeSamples, keep ? "--keep" : "--freeze"));
    }
    for (const auto& [option, given] : {std::pair("--keep", keep), std::pair("--samples", samples.has_value()),
                                        std::pair("--shard", shard.has_value())}) {
        if (given && !uncertainty) {
            throw UserError(fmt::format("validate: {}: is of error bars; add --uncertainty, or leave it out", option));
        }
    }
    if (freeze && !part.empty()) {
        throw UserError("validate: --freeze: predictions of one part would replace those of all; leave --part out");
    }
    if (keep && !part.empty()) {
        throw UserError("validate: --keep: bars of one part would replace those of all; leave --part or --keep out");
    }
}

bool ValidateCommand::add_error_bars(const Findings& findings, const std::vector<StudyPoint>& points, Report& made,
                                     Store& points_store) const
{
    const Study& of = findings.study();
    if (!uncertainty) {
        if (!made.inputs) return true;
        if (!freeze) require_bars_as_frozen(made);
        if (part.empty()) made.inputs->changed = changed_inputs(*made.inputs, varied_inputs(findings, points));
        return true;
    }
    VariedFindingsOfStudy varied(of.folder.string(), part, full);
    const auto analysis = analyse(varied,
                                  {.samples = samples.value_or(kHypercubeSamples),
                                   .published = published_rows(made),
                                   .elsewhere = settings_of_others(of.folder),
                                   .variations = {.store = store, .shard = shard.value_or(Shard{})}},
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
    if (keep) keep_bars(of.folder, bar_files(*analysis, judged));
    return true;
}

int ValidateCommand::execute()
{
    check();
    require_one_standard_output({{"--json", json},
                                 {"--markdown", markdown},
                                 {"--tables", tables},
                                 {"--accuracy", accuracy},
                                 {"--predictions", predictions}});
    auto studies = findings_of(study, part);
    if (!why.empty() && study.empty()) keep_studies_with(studies, why);
    std::array outputs{Output{"--json", OutputFile(json), &report_json},
                       Output{"--markdown", OutputFile(markdown), &report_markdown},
                       Output{"--tables", OutputFile(tables), &tables_csv},
                       Output{"--accuracy", OutputFile(accuracy), &accuracy_markdown},
                       Output{"--predictions", OutputFile(predictions), &predictions_csv}};
    const bool prints = std::none_of(outputs.begin(), outputs.end(),
                                     [](const Output& output) { return output.file.is_standard_output(); });
    ReportFile report_file({report, command_line});

    const auto start = std::chrono::steady_clock::now();
    Store points_store = Store::at(store.folder);
    std::vector<std::vector<StudyPoint>> points;
    points.reserve(studies.size());
    for (const Findings& findings : studies) {
        findings.check();
        points.push_back(findings.points(full));
    }
    Execution execution;
    const auto granted = grant_all(points, store, points_store, execution);

    std::vector<Report> reports;
    const auto make_reports = [&] {  // false if other shards have not run theirs
        for (std::size_t i = 0; i < studies.size(); ++i) {
            studies[i].find(points[i], granted[i], points_store);
            reports.push_back(studies[i].report(points[i], full));
        }
        bool all_there = true;
        for (std::size_t i = 0; i < studies.size(); ++i) {
            all_there = add_error_bars(studies[i], points[i], reports[i], points_store) && all_there;
        }
        return all_there;
    };
    const auto predicts = [](const Report& each) { return !each.predictions.empty(); };
    // The SQL of a study takes longer than reading what it has led to
    const bool remembers = !uncertainty && !freeze;
    const std::string inputs = remembers ? inputs_of(studies, points, granted, part, full) : "";
    bool within = true;
    const auto text_of = [&](const std::string& form, const auto& render) -> std::optional<std::string> {
        const Memo memo(points_store, form + '\n' + inputs);
        const auto found = remembers && !store.fresh && reports.empty() ? memo.find() : std::nullopt;
        if (found) {
            within = found->front() == '1';
            return found->substr(1);
        }
        if (reports.empty() && !make_reports()) return std::nullopt;
        within = all_within(reports);
        const std::string text = render();
        if (remembers) memo.keep((within ? "1" : "0") + text);
        return text;
    };
    if (freeze || report_file.wanted()) {
        if (!make_reports()) return 0;
        if (freeze && std::none_of(reports.begin(), reports.end(), predicts)) {
            throw UserError("validate: --freeze: there are no predictions; write a view prediction_*");
        }
        for (std::size_t i = 0; freeze && i < studies.size(); ++i) {
            if (predicts(reports[i])) freeze_predictions(studies[i].study(), reports[i]);
        }
    }
    std::string text;  // before anything is written, because each may be refused
    if (prints) {
        const Room room = output_room();
        const auto made =
            text_of(fmt::format("text, width {} {}, details {}, why {}", room.width, room.splits, details, why), [&] {
                if (!why.empty()) return why_text(studies, reports, why, room);
                std::string all;
                for (const Report& each : reports) all += report_text(each, details, room) + '\n';
                return all + wrapped(summary(reports), 0, room.prose()) + '\n';
            });
        if (!made) return 0;
        text = *made;
    }
    for (Output& output : outputs) {
        if (!output.file.wanted()) continue;
        const auto made = text_of(output.option, [&] { return output.render(reports); });
        if (!made) return 0;
        if (made->empty()) {
            throw UserError(fmt::format(
                "validate: {}: there are none; write it without --part, or another study or part", output.option));
        }
        output.text = *made;
    }
    for (Output& output : outputs) {
        if (output.file.wanted()) output.file.write(output.text);
    }
    if (report_file.wanted()) report_file.write(validation_page(studies, reports, points, granted, points_store));
    print(text);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    say(fmt::format("{}, {} of them run now, in {:.2f} s", counted(execution.wanted, "point"),
                    execution.done + execution.failed, passed.count()));
    return within ? 0 : kRowLeftItsTolerance;
}

std::unique_ptr<Command> make_validate() { return std::make_unique<ValidateCommand>(); }

}  // namespace ringmesh::lab
