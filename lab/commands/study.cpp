// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "lab/commands/commands.h"
#include "lab/process/child_process.h"
#include "lab/process/output_file.h"
#include "lab/process/standard_streams.h"
#include "lab/report/parts.h"
#include "lab/report/report_file.h"
#include "lab/run/run_record.h"
#include "lab/store/index.h"
#include "lab/study/catalog.h"
#include "lab/study/execution.h"
#include "lab/study/merge.h"
#include "lab/study/shard.h"
#include "lab/study/slurm.h"
#include "lab/study/study_text.h"
#include "lab/study/tables.h"
#include "lab/table/results.h"
#include "lab/table/text_table.h"
#include "lab/truth/findings.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

constexpr int kPointFailed = 1;

using workloads::Results;

/// How many of the keys each other study has: those with names, and those that the store's index knows.
std::map<std::string, std::size_t> other_studies(const std::set<std::string>& keys, const std::string& own,
                                                 const Store& points)
{
    auto counts = studies_with(keys, points.folder() / "index.sqlite");
    for (const std::string& name : keys.empty() ? std::vector<std::string>() : list_studies()) {
        if (name == own) continue;
        std::set<std::string> shared;
        try {
            KeyFinder finder;
            for (const StudyPoint& point : points_of(read_study(find_study(name)))) {
                if (const std::string key = finder.key_of(point.wish); keys.contains(key)) shared.insert(key);
            }
        } catch (const UserError&) {
            continue;  // a study that cannot run keeps nobody from cleaning another
        }
        if (shared.empty()) {
            counts.erase(name);
        } else {
            counts[name] = shared.size();
        }
    }
    counts.erase(own);
    return counts;
}

/// As an axis "sizes" is refused (test_checks.cpp); set by one through a name it may be meant.
void say_split_sizes(const Study& study)
{
    for (const StudyTest& test : study.tests) {
        const auto sizes = std::find_if(test.options.begin(), test.options.end(),
                                        [](const StudySetting& option) { return option.key == "sizes"; });
        if (sizes == test.options.end() || sizes->value.find("${") == std::string::npos) continue;
        say(
            fmt::format("{}: sizes = {}: a run for each; the digits differ from those of one run with all sizes, by "
                        "the phases of the poll loops",
                        sizes->where, sizes->value));
    }
}

}  // namespace

int StudyCommand::submit_job(const Store& points) const
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

int StudyCommand::merge_stores(const AskedPoints& asked, Store& into) const
{
    std::vector<Store> others;
    others.reserve(from.size());
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

int StudyCommand::clean_points(const AskedPoints& asked, Store& points) const
{
    std::set<std::string> keys;
    double seconds = 0;
    for (const Granted& granted : asked.granted) {
        if (!points.has(granted.key) || !keys.insert(granted.key).second) continue;
        const auto point = points.find(granted.key);
        if (point && point->record.wall_seconds) seconds += *point->record.wall_seconds;
    }
    const auto others = other_studies(keys, study_name(find_study(path)), points);
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
    for (const auto& [other, count] : others) text += fmt::format("; {} of them of {}, too", count, other);
    say(text);
    return 0;
}

int StudyCommand::execute()
{
    if (!report.file.empty() && (dry_run || (!is_sweep && !shard.is_all()))) {
        throw UserError(fmt::format("--report: {}; leave it out, and write ringmesh report when all has run",
                                    dry_run ? "--dry-run runs nothing" : "a share is no whole study"));
    }
    if (json == "-" && csv == "-") throw UserError("--json - and --csv -: only one of them can go to standard output");
    AskedPoints asked{&study, points_of(study, {.where = where}), {}};
    KeyFinder finder;
    for (StudyPoint& point : asked.points) point.wish.key = finder.key_of(point.wish);
    keep_share(asked.points, shard);
    if (!save.empty()) save_study(study, save);
    Store points(store.folder.empty() ? Store::usual_folder() : std::filesystem::path(store.folder));
    if (action == StudyAction::kSubmit) return submit_job(points);
    if (action == StudyAction::kMerge) return merge_stores(asked, points);
    if (action == StudyAction::kCompare) {
        asked.granted = look_up(asked.points, points);
        return compare_points(asked, points);
    }
    OutputFile json_file(json);
    OutputFile csv_file(csv);
    ReportFile report_file(report);
    const auto show_as = [&](const Results& results, std::string (*text_of)(const Results&, Room),
                             std::string_view heading) {
        if (json_file.wanted()) json_file.write(results_json_text(results));
        if (csv_file.wanted()) csv_file.write(results_csv(results));
        if (json_file.is_standard_output() || csv_file.is_standard_output()) return;
        print(fmt::format("{}{}", heading, text_of(results, output_room())));
    };
    const auto show = [&](const Results& results, std::string_view heading) {
        show_as(results, &results_text, heading);
    };

    const bool run = action == StudyAction::kRun && !dry_run;
    if (run) say_split_sizes(study);
    if (run && !study.folder.empty()) Findings(study, "").check();
    asked.granted = run ? run_all(asked, store, points) : look_up(asked.points, points);
    if (action == StudyAction::kClean) return clean_points(asked, points);
    if (dry_run || action == StudyAction::kList) {
        show(list_of(asked), "");
        say(fmt::format("{}; time: {}", counted(asked.points.size(), "point"),
                        estimate_of(asked, points, store.jobs == 0 ? available_processors() : store.jobs)));
        return 0;
    }
    if (action == StudyAction::kStatus) {
        show(status_of(asked), "");
        report_failures(asked);
        const bool text = !json_file.is_standard_output() && !csv_file.is_standard_output();
        const auto job = job_state(find_study(path), points.folder());
        if (text && job) print(fmt::format("\n{}\n", *job));
        return 0;
    }
    const std::size_t failed = run ? report_failures(asked) : 0;
    const bool any = std::any_of(asked.granted.begin(), asked.granted.end(), [](const auto& g) { return g.done(); });
    if (question) {
        if (any) show_variants(asked, points, {std::move(json_file), std::move(csv_file)}, report_file);
        return failed == 0 ? 0 : kPointFailed;
    }
    if (is_sweep) {
        if (any || json_file.wanted() || csv_file.wanted()) {
            show(tidy_table(study, 0, asked.points, asked.granted, points), "");
        }
        if (report_file.wanted()) report_file.write(sweep_page(asked, points));
        return failed == 0 ? 0 : kPointFailed;
    }
    if (run && !shard.is_all()) {  // the study's SQL is about all of it
        show(status_of(asked), "");
        return failed == 0 ? 0 : kPointFailed;
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
        show_as(findings.database().query(sql), &answer_text, "");
        return 0;
    }
    if (action == StudyAction::kExport) {
        findings.database().save(database);
        return 0;
    }
    show(status_of(asked), study.title.empty() ? "" : study.title + "\n\n");
    for (const Report::Table& table : findings.tables()) print('\n' + table_text(table, output_room()));
    if (report_file.wanted()) report_file.write(study_page(asked, points, findings, path, true));
    return failed == 0 ? 0 : kPointFailed;
}

}  // namespace ringmesh::lab
