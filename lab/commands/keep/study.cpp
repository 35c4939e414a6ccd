// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "lab/commands/keep/study.h"
#include "lab/compare/whatif/point_rows.h"
#include "lab/compare/whatif/unasked.h"
#include "lab/figure/charts_file.h"
#include "lab/process/child_process.h"
#include "lab/process/standard_streams.h"
#include "lab/report/parts.h"
#include "lab/run/record/run_record.h"
#include "lab/study/description/catalog.h"
#include "lab/study/description/study.h"
#include "lab/study/running/execution.h"
#include "lab/study/running/shard.h"
#include "lab/study/running/slurm.h"
#include "lab/study/tables.h"
#include "lab/table/results.h"
#include "lab/table/writers/text_table.h"
#include "lab/truth/evidence.h"
#include "lab/truth/findings.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

constexpr CommandHelp kStudy{.name = "study",
                             .meaning = "Run a study from its files, look at its points, query its tables with SQL",
                             .arguments = "study ACTION STUDY [SQL] [OPTIONS]",
                             .examples = R"(Examples:
  ringmesh study run my-study                              runs the missing points, prints the tables
  ringmesh study status my-study                           counts points that are done, failed, still to run
  ringmesh study list my-study --where 'hops > 2'          some points, one a line
  ringmesh study query my-study 'SELECT hops, latency_min_ns FROM ping_pong'
  ringmesh study export my-study --sqlite results.sqlite   for pandas, R, sqlite3
  ringmesh study run my-study --shard 2/8                  the second of eight shares of its points
  ringmesh study merge my-study --from other-store         copies finished points from another store
  ringmesh study submit my-study --slurm --tasks 8         runs it as an array job of Slurm
  ringmesh study compare my-study base fast                what differs between two variants
  ringmesh study clean my-study --dry-run                  lists the points to remove, and how long they took
  ringmesh study clean my-study                            removes its points from the store

docs/studies.md describes the files of a study.
)",
                             .status_1 = "a point failed"};

constexpr NameTable<StudyAction, 9> kStudyActions{{{{"run", StudyAction::kRun},
                                                    {"status", StudyAction::kStatus},
                                                    {"list", StudyAction::kList},
                                                    {"query", StudyAction::kQuery},
                                                    {"export", StudyAction::kExport},
                                                    {"clean", StudyAction::kClean},
                                                    {"merge", StudyAction::kMerge},
                                                    {"submit", StudyAction::kSubmit},
                                                    {"compare", StudyAction::kCompare}}}};

/// A comparison is of variants, stores or models.
void require_one_question(const AskedStudy& command)
{
    const bool variants = !command.variants.empty();
    const bool stores = !command.from.empty();
    const bool models = !command.model.empty();
    constexpr std::string_view kQuestions =
        "write study compare STUDY VARIANT VARIANT, --with DIR for another store, or --model VERSION for another model";
    if (!variants && !stores && !models) {
        throw UserError(fmt::format("study compare: nothing to compare with; {}", kQuestions));
    }
    if (variants + stores + models > 1) {
        std::vector<std::string> given = command.variants;
        if (stores) given.push_back("--with " + command.from.front());
        if (models) given.push_back("--model " + command.model);
        throw UserError(
            fmt::format("study compare: {}: variants, a store and a model are each a question of their own; "
                        "keep one: {}",
                        fmt::join(given, " "), kQuestions));
    }
    if (command.from.size() > 1) {
        throw UserError(
            fmt::format("study compare: --with {}: a second store; compare two at a time", command.from[1]));
    }
    if (variants && command.variants.size() != 2) {
        throw UserError(fmt::format("study compare: {} variant{}; {}", command.variants.size(),
                                    command.variants.size() == 1 ? "" : "s", kQuestions));
    }
}

class StudyCommand final : public Command {
public:
    const CommandHelp& help() const override { return kStudy; }
    void describe(OptionList& list) override
    {
        const auto add_action = [&](const char* name, const char* meaning) -> OptionList& {
            OptionList& action = list.action(name, meaning, action_);
            action.argument("STUDY", asked_.path, "Name of a study, folder with study.toml, or the file");
            action.need("no study; write the folder that has study.toml");
            return action;
        };
        const auto add_stored = [&](OptionList& action) {
            add_folder(action, asked_.store.folder);
            add_where(action, asked_);
        };
        OptionList& run = add_action("run", "Run the points that are missing, and print the tables");
        add_points(run, asked_);
        add_shard(run, asked_.shard);
        for (OptionList* action :
             {&add_action("status", "Count the points that are done, failed and still to run; say which cannot run"),
              &add_action("list", "Print the points, one a line")}) {
            add_stored(*action);
            add_shard(*action, asked_.shard);
            add_table(*action, asked_);
        }
        OptionList& query = add_action("query", "Query the tables of the finished points with SQL");
        query.argument("SQL", asked_.sql, "A SELECT over the study's tables");
        query.need("no question; write study query STUDY 'SELECT ...'");
        add_stored(query);
        add_table(query, asked_);
        OptionList& exported = add_action("export", "Write all tables as an SQLite database");
        exported.text("--sqlite", asked_.database, "File of the database", "FILE");
        exported.need("no file; write --sqlite FILE");
        add_stored(exported);
        OptionList& clean = add_action("clean", "Remove the study's points from the store");
        clean.flag("--dry-run", asked_.dry_run, "Only list the points that would be removed");
        add_stored(clean);
        OptionList& merged = add_action("merge", "Copy finished points from other stores into this one");
        merged.repeated("--from", asked_.from, "Folder of another store; give the option once for each", "DIR");
        merged.need("no store to merge from; write --from DIR, once for each");
        add_stored(merged);
        OptionList& compared = add_action("compare", "Show what differs between two variants, stores or models");
        compared.arguments("VARIANT", asked_.variants, "Two variants");
        compared.repeated("--with", asked_.from, "The same points of another store", "DIR");
        compared.text("--model", asked_.model, "The same points of another model version in this store", "VERSION");
        add_stored(compared);
        add_table(compared, asked_);
        OptionList& submitted = add_action("submit", "Run the study as an array job; all machines must see the store");
        submitted.flag("--slurm", asked_.slurm, "Submit with Slurm's sbatch");
        submitted.need("not said to what; write --slurm");
        submitted.count("--tasks", asked_.tasks,
                        "Number of tasks of the array, which share the points; 1 if not given");
        submitted.repeated("--sbatch", asked_.sbatch, "A further option for sbatch, such as --sbatch=--partition=long",
                           "OPTION");
        add_stored(submitted);
        add_limit(submitted, asked_);
        add_retry(submitted, asked_.store);
        submitted.flag("--dry-run", asked_.dry_run, "Only print the batch script");
    }
    int execute() override;

private:
    std::string action_;
    AskedStudy asked_;
};

int StudyCommand::execute()
{
    const StudyAction* action = kStudyActions.find(action_);
    asked_.action = *action;
    asked_.command_line = command_line;
    if (*action == StudyAction::kCompare) require_one_question(asked_);
    asked_.study = read_study(find_study(asked_.path));
    return asked_.execute();
}

constexpr int kPointFailed = 1;

std::filesystem::path folder_of(const std::filesystem::path& file)
{
    return file.has_parent_path() ? file.parent_path() : ".";
}

using workloads::Results;

}  // namespace

std::string title_of(const StudyTest& test)
{
    std::string title = fmt::format("on {}: {}", test.platform.text, test.program.text);
    bool first = true;
    for (const StudySetting& option : test.options) {
        title += fmt::format("{}{}={}", std::exchange(first, false) ? ":" : ",", option.key, option.value);
    }
    if (!test.library.empty()) title += " over " + test.library.text;
    return title;
}

void add_where(OptionList& list, AskedStudy& asked)
{
    list.text("--where", asked.where, "Only the points for which this SQL expression over axes is true", "EXPR");
}

void add_limit(OptionList& list, AskedStudy& asked)
{
    list.parsed(
        "--limit", asked.limit,
        [](const std::string& text) {
            parse_limit(text);
            return text;
        },
        "Longest time of a run, such as 60s", "TIME");
}

void add_table(OptionList& list, AskedStudy& asked) { add_outputs(list, asked.files, "the table", "the table"); }

void add_points(OptionList& list, AskedStudy& asked)
{
    add_store(list, asked.store);
    add_where(list, asked);
    add_limit(list, asked);
    list.flag("--dry-run", asked.dry_run, "Only list the points");
    add_table(list, asked);
    add_report(list, asked.files.report);
    add_pictures(list, asked.files.pictures);
}

std::size_t AskedStudy::require_results(const AskedPoints& asked, Store& points) const
{
    const bool compares = question && !question->by.empty();
    // Of repetitions the table has columns that one of them lacks
    const bool draws =
        is_sweep && study.tests.front().repeat == 1 && !(files.pictures.x.empty() && files.pictures.y.empty());
    if (!compares && !draws) return 0;
    AskedPoints first{asked.study, {asked.points.begin(), asked.points.begin() + 1}, {}};
    first.granted = run_all(first, store, points, true);
    const Granted& granted = first.granted.front();
    if (granted.done()) {
        const auto table = whole_table(study, 0, first.points, first.granted, points);
        if (compares) PointRows(study.tests.front(), table).asked(question->by, "whatif");
        if (draws) require_columns(table, files.pictures);
    }
    return granted.ran ? 1 : 0;
}

int AskedStudy::submit_job(const Store& points) const
{
    SlurmJob job{
        .study = find_study(path), .store = points.folder(), .tasks = tasks, .options = sbatch, .arguments = {}};
    if (!where.empty()) job.arguments.insert(job.arguments.end(), {"--where", where});
    if (!limit.empty()) job.arguments.insert(job.arguments.end(), {"--limit", limit});
    if (store.retry) job.arguments.emplace_back("--retry");
    if (dry_run) {
        print(batch_script(job));
        return 0;
    }
    print(fmt::format("{}\n", submit(job)));
    return 0;
}

int AskedStudy::merge_stores(const AskedPoints& asked, Store& into) const
{
    std::vector<Store> others;
    for (const std::string& folder : from) others.push_back(Store::existing(folder));
    std::vector<std::string> keys;
    for (const StudyPoint& point : asked.points) keys.push_back(point.wish.key);
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    const Merged merged = merge(into, others, keys);
    for (const std::string& refused : merged.refused) say(refused);
    say(fmt::format("{}: {} copied, {} there already, {} in none of the stores", counted(keys.size(), "point"),
                    merged.copied, merged.there, merged.missing));
    return merged.refused.empty() ? 0 : kPointFailed;
}

int AskedStudy::clean_points(const AskedPoints& asked, Store& points) const
{
    std::set<std::string> keys;
    double seconds = 0;
    for (const Granted& granted : asked.granted) {
        if (!points.has(granted.key) || !keys.insert(granted.key).second) continue;
        const auto point = points.find(granted.key);
        if (point && point->record.wall_seconds) seconds += *point->record.wall_seconds;
    }
    if (dry_run) {
        AskedPoints there{asked.study, {}, {}};
        for (std::size_t i = 0; i < asked.points.size(); ++i) {
            if (!keys.contains(asked.granted[i].key)) continue;
            there.points.push_back(asked.points[i]);
            there.granted.push_back(asked.granted[i]);
        }
        print(results_text(list_of(there), output_room()));
    } else {
        for (const std::string& key : keys) points.remove(key);
        points.remove_left_over();
    }
    std::string text = fmt::format("{} {}removed from {}", counted(keys.size(), "point"), dry_run ? "would be " : "",
                                   points.folder().string());
    if (!keys.empty()) text += fmt::format("; running them took {:.{}f} s", seconds, seconds < 1 ? 2 : 0);
    say(text);
    return 0;
}

Answer AskedStudy::answer_to(const AskedPoints& asked, const Findings& findings, const Store& points) const
{
    if (Answer own = findings.answer(); !own.empty()) return own;
    for (std::size_t i = 0; i < study.tests.size(); ++i) {
        const Results table = tidy_table(study, i, asked.points, asked.granted, points);
        if (Answer of_test = answer_of(table, {}, study.tests[i].axes.size()); !of_test.empty()) {
            of_test.sentences.front() = fmt::format("Test {}: {}", study.tests[i].name, of_test.sentences.front());
            return of_test;
        }
    }
    return {};
}

void AskedStudy::add_unasked(const AskedPoints& asked, const Store& points, Answer& answer) const
{
    if (answer.empty()) return;
    for (std::string& sentence : unasked_differences(study.tests.front(), asked.points, asked.granted, points)) {
        answer.sentences.push_back(std::move(sentence));
    }
}

int AskedStudy::execute()
{
    for (StudyTest& test : study.tests) {
        if (!limit.empty()) test.limit = parse_limit(limit);
    }
    const bool wants_pages = !files.report.empty() || files.pictures.wants_files();
    if (wants_pages && (dry_run || (!is_sweep && shard && !shard->is_all()))) {
        throw UserError(fmt::format("{}: {}; leave it out until all has run",
                                    files.report.empty() ? "--svg, --png, --pdf" : "--report",
                                    dry_run ? "--dry-run runs nothing" : "a share is no whole study"));
    }
    if (action == StudyAction::kExport) Database::require_replaceable(database);
    if (std::error_code error; std::filesystem::path(files.csv).extension() == ".csv" && !study.folder.empty() &&
                               std::filesystem::equivalent(study.folder, folder_of(files.csv), error)) {
        throw UserError(
            fmt::format("--csv {}: the study reads each .csv of its folder; name a file elsewhere", files.csv));
    }
    AskedPoints asked{&study, points_of(study, {.where = where}), {}};
    find_keys(asked.points);
    keep_share(asked.points, shard.value_or(Shard{}));
    if (!save.empty()) save_study(study, save);
    Store points = Store::at(store.folder);
    if (action == StudyAction::kSubmit) return submit_job(points);
    if (action == StudyAction::kMerge) return merge_stores(asked, points);
    const bool run = action == StudyAction::kRun && !dry_run;
    if (!run) asked.granted = look_up(asked.points, points);
    if (action == StudyAction::kCompare) return compare_points(asked, points);
    if (action == StudyAction::kClean) return clean_points(asked, points);
    Outputs outputs(files, command_line);
    const auto show = [&](const Results& results, std::string (*text_of)(const Results&, Room) = &results_text,
                          const Answer& answer = {}) {
        outputs.write(
            answer, [&] { return results_document(results); },
            [&] {
                if (!is_sweep) return results_csv(results);
                return csv_head("sweep " + title_of(study.tests.front()), {}, results.notes) + results_csv(results);
            },
            [&] { return text_of(results, output_room()); });
    };
    if (dry_run || action == StudyAction::kList) {
        show(list_of(asked));
        say(fmt::format("{}; time: {}", counted(asked.points.size(), "point"),
                        estimate_of(asked, points, store.parallel())));
        return 0;
    }
    if (action == StudyAction::kStatus) {
        show(status_of(asked));
        report_failures(asked);
        const auto job = job_state(find_study(path), points.folder());
        if (job && !outputs.has_standard_output()) print(fmt::format("\n{}\n", *job));
        return 0;
    }
    std::size_t failed = 0;
    if (run) {
        if (!study.folder.empty()) Findings(study, "").check();
        read_charts(study.folder);  // what is wrong in it need not wait for the runs
        const std::size_t ran = require_results(asked, points);
        asked.granted = run_all(asked, store, points, false, ran);
        failed = report_failures(asked);
    }
    const int status = failed == 0 ? 0 : kPointFailed;
    const bool any = std::any_of(asked.granted.begin(), asked.granted.end(), [](const auto& g) { return g.done(); });
    if (question) {
        if (any) show_variants(asked, points, outputs);
        return status;
    }
    if (is_sweep) {
        if (any || outputs.wants_files()) {
            const Results table = tidy_table(study, 0, asked.points, asked.granted, points);
            const auto evidence = [&]() -> std::vector<std::string> {
                const auto done = std::find_if(asked.granted.begin(), asked.granted.end(), std::mem_fn(&Granted::done));
                const auto point = done == asked.granted.end() ? std::nullopt : points.find(done->key);
                return point ? evidence_lines(point->record, table, false) : std::vector<std::string>();
            };
            Answer answer = answer_of(table, {}, study.tests[0].axes.size());
            add_unasked(asked, points, answer);
            show(table, &results_text, with_evidence(std::move(answer), evidence));
        }
        outputs.report([&] { return sweep_page(asked, points); });
        return status;
    }
    if (run && shard && !shard->is_all()) {  // the study's SQL is about all of it
        show(status_of(asked));
        return status;
    }
    if (!any) {
        if (run) return kPointFailed;
        throw UserError(fmt::format("study: none of the points has run; write ringmesh study run {}", path));
    }
    Findings findings(study, "");
    std::string asked_sql = sql;
    if (action == StudyAction::kExport) {
        for (const StudyTest& test : study.tests) asked_sql += fmt::format(" {}_statistics", test.name);
    }
    findings.find(asked.points, asked.granted, points, asked_sql);
    if (const auto& left_out = findings.views().left_out; !left_out.empty()) {
        say(fmt::format("left out, because a test that they need has no finished points: {}",
                        fmt::join(left_out, ", ")));
    }
    if (action == StudyAction::kQuery) {
        show(findings.database().query(sql), &answer_text);
        return 0;
    }
    if (action == StudyAction::kExport) {
        findings.database().save(database);
        return 0;
    }
    const std::string heading = study.title.empty() ? "" : study.title + "\n\n";
    const Results status_table = status_of(asked);
    outputs.write(
        answer_to(asked, findings, points), [&] { return results_document(status_table); },
        [&] { return results_csv(status_table); }, [&] { return heading + results_text(status_table, output_room()); });
    if (!outputs.has_standard_output()) {
        for (const Report::Table& table : findings.tables()) print('\n' + table_text(table, output_room()));
    }
    outputs.report([&] { return study_page(asked, points, findings, path, true); });
    return status;
}

std::unique_ptr<Command> make_study() { return std::make_unique<StudyCommand>(); }

}  // namespace ringmesh::lab
