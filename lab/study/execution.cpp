// SPDX-License-Identifier: Apache-2.0
#include "lab/study/execution.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "lab/child_process.h"
#include "lab/interruption.h"
#include "lab/progress_bar.h"
#include "lab/standard_streams.h"
#include "lab/text_table.h"

namespace ringmesh::lab {
namespace {

std::string_view state_of(const Granted& granted)
{
    return granted.cached || granted.ran ? kPointStates.name(granted.state) : "to run";
}

std::vector<Wish> wishes_of(std::span<const StudyPoint> points)
{
    std::vector<Wish> wishes;
    wishes.reserve(points.size());
    for (const StudyPoint& point : points) wishes.push_back(point.wish);
    return wishes;
}

Execution operator+(const Execution& a, const Execution& b)
{
    return {.wanted = a.wanted + b.wanted,
            .cached = a.cached + b.cached,
            .done = a.done + b.done,
            .failed = a.failed + b.failed,
            .late = a.late + b.late,
            .delta_cycles = a.delta_cycles + b.delta_cycles};
}

/// What a run is at, for the line of progress.
std::string progress_text(std::size_t points, const Execution& now, double seconds)
{
    std::string text = fmt::format("{}: {} done", counted_points(points), now.done);
    if (now.cached > 0) text += fmt::format(", {} cached", now.cached);
    if (now.failed > 0) text += fmt::format(", {} failed", now.failed);
    if (now.late > 0) text += fmt::format(", {} late", now.late);
    if (now.delta_cycles > 0 && seconds > 0) {
        text += fmt::format(", {:.2g} M deltas/s", static_cast<double>(now.delta_cycles) / seconds / 1e6);
    }
    return text;
}

}  // namespace

std::string counted_points(std::size_t count) { return counted(count, "point"); }

std::vector<Granted> look_up(std::span<const StudyPoint> points, const Store& store)
{
    std::vector<Granted> all;
    all.reserve(points.size());
    for (const StudyPoint& point : points) {
        Granted& granted = all.emplace_back();
        granted.key = point.wish.key;
        const auto found = store.find_header(granted.key);
        if (!found) continue;
        granted.cached = true;
        granted.state = found->state;
        granted.message = found->message;
    }
    return all;
}

std::vector<Granted> run_all(const AskedPoints& asked, const StoreOptions& options, Store& store)
{
    std::vector<Granted> all;
    all.reserve(asked.points.size());
    Execution before;
    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [start] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    ProgressBar bar("points");
    advise_at_interruption("what is finished is kept; the same command goes on from there");
    // The limit may differ from test to test
    const std::span<const StudyPoint> points = asked.points;
    const auto limit_of = [&asked](const StudyPoint& point) { return asked.study->tests[point.test].limit; };
    while (all.size() < points.size()) {
        const auto rest = points.subspan(all.size());
        const auto limit = limit_of(rest.front());
        const auto other =
            std::find_if(rest.begin(), rest.end(), [&](const StudyPoint& point) { return limit_of(point) != limit; });
        const ExecutionRules rules{.parallel = options.jobs == 0 ? available_processors() : options.jobs,
                                   .limit = limit,
                                   .fresh = options.fresh,
                                   .retry = options.retry};
        Execution last;
        const auto wishes = wishes_of(rest.first(static_cast<std::size_t>(other - rest.begin())));
        const auto part = grant(store, wishes, rules, [&](const Execution& now) {
            last = now;
            const Execution sum = before + now;
            const std::size_t to_run = std::max<std::size_t>(1, points.size() - sum.cached);
            bar.describe(progress_text(points.size(), sum, seconds()));
            bar.show(static_cast<double>(sum.ended() - sum.cached) / static_cast<double>(to_run));
        });
        all.insert(all.end(), part.begin(), part.end());
        before = before + last;
    }
    advise_at_interruption("");
    std::string text = counted_points(points.size());
    if (before.wanted < points.size()) text += fmt::format(", {} of them different", before.wanted);
    text += fmt::format(": {} run in {:.2f} s, {} from the store, {} failed", before.ended() - before.cached, seconds(),
                        before.cached, before.failed);
    if (before.late > 0) text += fmt::format(", {} late", before.late);
    say(text);
    return all;
}

std::size_t report_failures(const AskedPoints& asked)
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

workloads::Results list_of(const AskedPoints& asked)
{
    workloads::Results list{
        .columns = {{"point", ""}, {"test", ""}, {"state", ""}, {"what", ""}}, .rows = {}, .notes = {}};
    for (std::size_t i = 0; i < asked.points.size(); ++i) {
        const std::string& title = asked.points[i].wish.title;
        const std::string& test = asked.study->tests[asked.points[i].test].name;
        list.rows.push_back({asked.granted[i].key, test, std::string(state_of(asked.granted[i])),
                             title.size() > test.size() + 2 ? title.substr(test.size() + 2) : "-"});
    }
    return list;
}

std::string estimate_of(const AskedPoints& asked, const Store& store, unsigned jobs)
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

workloads::Results status_of(const AskedPoints& asked)
{
    workloads::Results status{
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
        status.rows.push_back({asked.study->tests[test].name, all, counts["done"], counts["failed"] + counts["stuck"],
                               counts["late"], counts["to run"]});
    }
    return status;
}

}  // namespace ringmesh::lab
