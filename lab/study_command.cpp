// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <system_error>

#include "lab/child_process.h"
#include "lab/commands.h"
#include "lab/output_file.h"
#include "lab/progress_bar.h"
#include "lab/run_record.h"
#include "lab/standard_streams.h"
#include "lab/study/findings.h"
#include "lab/study/points.h"
#include "lab/study/study_text.h"
#include "lab/study/tables.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

constexpr int kPointFailed = 1;

using workloads::Cell;
using workloads::Results;

/// A study with its points and what the store has of them.
struct Asked {
    const Study* study;
    std::vector<StudyPoint> points;
    std::vector<Granted> granted;
};

std::vector<Wish> wishes_of(const std::vector<StudyPoint>& points)
{
    std::vector<Wish> wishes;
    wishes.reserve(points.size());
    for (const StudyPoint& point : points) wishes.push_back(point.wish);
    return wishes;
}

/// What the store has, without a run.
std::vector<Granted> look_up(const std::vector<StudyPoint>& points, const Store& store)
{
    std::vector<Granted> all;
    for (const StudyPoint& point : points) {
        Granted& granted = all.emplace_back();
        granted.key = key_of(Experiment(point.wish.request));
        const auto found = store.find_header(granted.key);
        if (!found) continue;
        granted.cached = true;
        granted.state = found->state;
        granted.message = found->message;
    }
    return all;
}

std::string_view state_of(const Granted& granted)
{
    return granted.cached || granted.ran ? kPointStates.name(granted.state) : "to run";
}

/// Runs what is missing. The limit may differ from test to test.
std::vector<Granted> run_all(const Asked& asked, const StoreOptions& options, Store& store)
{
    std::vector<Granted> all(asked.points.size());
    Execution before;
    const auto start = std::chrono::steady_clock::now();
    ProgressBar bar("points");
    for (std::size_t begin = 0; begin < asked.points.size();) {
        std::size_t end = begin;
        const auto limit = asked.study->tests[asked.points[begin].test].limit;
        while (end < asked.points.size() && asked.study->tests[asked.points[end].test].limit == limit) ++end;
        const std::vector<Wish> wishes = wishes_of({asked.points.begin() + static_cast<std::ptrdiff_t>(begin),
                                                    asked.points.begin() + static_cast<std::ptrdiff_t>(end)});
        const ExecutionRules rules{.parallel = options.jobs == 0 ? available_processors() : options.jobs,
                                   .limit = limit,
                                   .fresh = options.fresh,
                                   .retry = options.retry};
        Execution last;
        const auto part = grant(store, wishes, rules, [&](const Execution& now) {
            last = now;
            bar.describe(fmt::format("{} points: {} done, {} cached, {} failed", asked.points.size(),
                                     before.done + now.done, before.cached + now.cached, before.failed + now.failed));
            bar.show(static_cast<double>(begin) / static_cast<double>(asked.points.size()) +
                     static_cast<double>(now.ended()) / static_cast<double>(std::max<std::size_t>(now.wanted, 1)) *
                         static_cast<double>(end - begin) / static_cast<double>(asked.points.size()));
        });
        std::copy(part.begin(), part.end(), all.begin() + static_cast<std::ptrdiff_t>(begin));
        before.done += last.done;
        before.cached += last.cached;
        before.failed += last.failed;
        begin = end;
    }
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    say(fmt::format("{} points: {} run in {:.2f} s, {} from the store, {} failed", asked.points.size(),
                    before.done + before.failed, passed.count(), before.cached, before.failed));
    return all;
}

/// @return how many failed, each told
std::size_t report_failures(const Asked& asked)
{
    constexpr std::size_t kMostLines = 10;
    std::size_t failed = 0;
    for (std::size_t i = 0; i < asked.points.size(); ++i) {
        if (asked.granted[i].state == PointState::kDone) continue;
        if (++failed <= kMostLines) {
            say(fmt::format("{}: {}: {}", asked.points[i].wish.title, state_of(asked.granted[i]),
                            asked.granted[i].message));
        }
    }
    if (failed > kMostLines) say(fmt::format("and {} more; `ringmesh study list` shows them", failed - kMostLines));
    return failed;
}

Results list_of(const Asked& asked)
{
    Results list{.columns = {{"point", ""}, {"test", ""}, {"state", ""}, {"what", ""}}, .rows = {}, .notes = {}};
    for (std::size_t i = 0; i < asked.points.size(); ++i) {
        const std::string& title = asked.points[i].wish.title;
        const std::string& test = asked.study->tests[asked.points[i].test].name;
        list.rows.push_back({asked.granted[i].key, test, std::string(state_of(asked.granted[i])),
                             title.size() > test.size() + 2 ? title.substr(test.size() + 2) : "-"});
    }
    return list;
}

/// "about 12 s": from what points of the same test took.
std::string estimate_of(const Asked& asked, const Store& store, unsigned jobs)
{
    struct Known {
        double seconds = 0;
        std::size_t count = 0;
        std::size_t missing = 0;
    };
    std::map<std::size_t, Known> tests;
    for (std::size_t i = 0; i < asked.points.size(); ++i) {
        Known& known = tests[asked.points[i].test];
        if (!asked.granted[i].cached) {
            ++known.missing;
            continue;
        }
        const auto point = store.find(asked.granted[i].key);
        if (!point || !point->record.wall_seconds) continue;
        known.seconds += *point->record.wall_seconds;
        ++known.count;
    }
    double seconds = 0;
    for (const auto& [test, known] : tests) {
        if (known.missing == 0) continue;
        if (known.count == 0) return "unknown: no point of this kind has run yet";
        seconds += known.seconds / static_cast<double>(known.count) * static_cast<double>(known.missing);
    }
    return fmt::format("about {:.1f} s with {} at a time", seconds / jobs, jobs);
}

Results status_of(const Asked& asked)
{
    Results status{
        .columns = {{"test", ""}, {"points", ""}, {"done", ""}, {"failed", ""}, {"late", ""}, {"to_run", ""}},
        .rows = {},
        .notes = {}};
    for (std::size_t test = 0; test < asked.study->tests.size(); ++test) {
        std::map<std::string_view, std::int64_t> counts;
        std::int64_t all = 0;
        for (std::size_t i = 0; i < asked.points.size(); ++i) {
            if (asked.points[i].test != test) continue;
            ++all;
            ++counts[state_of(asked.granted[i])];
        }
        status.rows.push_back(
            {asked.study->tests[test].name, all, counts["done"], counts["failed"], counts["late"], counts["to run"]});
    }
    return status;
}

}  // namespace

int StudyCommand::execute()
{
    if (json == "-" && csv == "-") throw UserError("--json - and --csv -: only one of them can go to standard output");
    OutputFile json_file(json);
    OutputFile csv_file(csv);
    const auto show = [&](const Results& results, std::string_view heading) {
        if (json_file.wanted()) json_file.write(results_json_text(results));
        if (csv_file.wanted()) csv_file.write(results_csv(results));
        if (json_file.is_standard_output() || csv_file.is_standard_output()) return;
        print(fmt::format("{}{}", heading, results_text(results, output_width())));
    };

    Asked asked{&study, points_of(study, {.where = where}), {}};
    if (!save.empty()) save_study(study, save);
    Store points(store.folder.empty() ? Store::usual_folder() : std::filesystem::path(store.folder));
    const bool run = action == StudyAction::kRun && !dry_run;
    asked.granted = run ? run_all(asked, store, points) : look_up(asked.points, points);
    if (dry_run || action == StudyAction::kList) {
        show(list_of(asked), "");
        say(fmt::format("{} points; time: {}", asked.points.size(),
                        estimate_of(asked, points, store.jobs == 0 ? available_processors() : store.jobs)));
        return 0;
    }
    if (action == StudyAction::kStatus) {
        show(status_of(asked), "");
        return 0;
    }
    if (action == StudyAction::kClean) {
        const auto removed = std::count_if(asked.granted.begin(), asked.granted.end(),
                                           [&points](const Granted& granted) { return points.remove(granted.key); });
        say(fmt::format("{} points removed from {}", removed, points.folder().string()));
        return 0;
    }
    const std::size_t failed = run ? report_failures(asked) : 0;
    if (is_sweep) {
        show(tidy_table(study, 0, asked.points, asked.granted, points), "");
        return failed == 0 ? 0 : kPointFailed;
    }
    Findings findings(study, "");
    findings.find(asked.points, asked.granted, points);
    Database& tables = findings.database();
    if (action == StudyAction::kQuery) {
        show(tables.query(sql), "");
        return 0;
    }
    if (action == StudyAction::kExport) {
        tables.save(database);
        return 0;
    }
    show(status_of(asked), study.title.empty() ? "" : study.title + "\n\n");
    for (const std::string& table : tables.views("table_")) {
        print(fmt::format("\n{}\n\n{}", table.substr(6),
                          results_text(tables.query("SELECT * FROM " + sql_name(table)), output_width())));
    }
    return failed == 0 ? 0 : kPointFailed;
}

}  // namespace ringmesh::lab
