// SPDX-License-Identifier: Apache-2.0
#include "lab/study/running/execution.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>

#include "lab/process/child_process.h"
#include "lab/process/interruption.h"
#include "lab/process/progress_bar.h"
#include "lab/process/standard_streams.h"
#include "lab/run/record/run_record.h"
#include "lab/table/writers/json.h"
#include "lab/table/writers/text_table.h"
#include "platforms/files/toml_document.h"

namespace ringmesh::lab {
namespace {

std::string_view state_of(const Granted& granted)
{
    return granted.cached || granted.ran ? kPointStates.name(granted.state) : "to run";
}

std::vector<Wish> wishes_of(std::span<const StudyPoint> points)
{
    std::vector<Wish> wishes;
    for (const StudyPoint& point : points) wishes.push_back(point.wish);
    return wishes;
}

/// What a run is at, for the line of progress.
std::string progress_text(std::size_t points, const Execution& now, double seconds)
{
    std::string text = fmt::format("{}: {} done", counted(points, "point"), now.done);
    if (now.cached > 0) text += fmt::format(", {} cached", now.cached);
    if (now.failed > 0) text += fmt::format(", {} failed", now.failed);
    if (now.late > 0) text += fmt::format(", {} late", now.late);
    if (now.delta_cycles > 0 && seconds > 0) {
        text += fmt::format(", {:.2g} M deltas/s", static_cast<double>(now.delta_cycles) / seconds / 1e6);
    }
    return text;
}

/// The point of a text, if it is that of the key.
std::optional<Point> point_of(const std::string& text, const std::string& key)
{
    try {
        Point point = point_from_text(text);
        if (point.header.key == key) return point;
    } catch (const std::exception&) {
        // it is damaged
    }
    return std::nullopt;
}

/// Without the values of each block, which not every run keeps.
std::string results_of(const Point& point) { return outcome_json(point.record.outcome, false).line(); }

}  // namespace

void find_keys(std::span<StudyPoint> points)
{
    KeyFinder finder;
    for (StudyPoint& point : points) point.wish.key = finder.key_of(point.wish);
}

std::vector<Granted> look_up(std::span<const StudyPoint> points, const Store& store)
{
    std::vector<Granted> all;
    for (const StudyPoint& point : points) all.push_back(look_up(point.wish, store));
    return all;
}

std::vector<Granted> run_all(const AskedPoints& asked, const StoreOptions& options, Store& store, bool quiet,
                             std::size_t ran_before)
{
    Execution last;
    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [start] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    ProgressBar bar("points");
    advise_at_interruption("what is finished is kept; the same command goes on from there");
    const std::span<const StudyPoint> points = asked.points;
    const ExecutionRules rules = rules_of(options);
    auto all = grant(store, wishes_of(points), rules, [&](const Execution& now) {
        last = now;
        const std::size_t to_run = std::max<std::size_t>(1, now.wanted - now.cached);
        bar.describe(progress_text(points.size(), now, seconds()));
        bar.show(static_cast<double>(now.ended() - now.cached) / static_cast<double>(to_run));
    });
    advise_at_interruption("");
    if (quiet) return all;
    std::string text = counted(points.size(), "point");
    if (last.wanted < points.size()) text += fmt::format(", {} of them different", last.wanted);
    const std::size_t found = last.cached - std::min(last.cached, ran_before);
    text += fmt::format(": {} run in {:.2f} s, {} from the store, {} failed", last.ended() - found, seconds(), found,
                        last.failed);
    if (last.late > 0) text += fmt::format(", {} late", last.late);
    say(text);
    return all;
}

std::size_t report_failures(const AskedPoints& asked)
{
    constexpr std::size_t kMostLines = 10;
    std::vector<std::pair<std::string, std::size_t>> lines;  // of the first point that failed so; how many did
    std::map<std::string, std::size_t> known;                // line of a place with its message
    std::size_t failed = 0;
    for (std::size_t i = 0; i < asked.points.size(); ++i) {
        const Granted& granted = asked.granted[i];
        if (granted.state == PointState::kDone) continue;
        ++failed;
        const std::string how = granted.failure(asked.study->tests[asked.points[i].test].name);
        const auto [line, is_new] = known.emplace(how, lines.size());
        if (is_new) lines.emplace_back(granted.failure(asked.points[i].wish.title), 0);
        ++lines[line->second].second;
    }
    for (std::size_t i = 0; i < std::min(lines.size(), kMostLines); ++i) {
        const auto& [text, points] = lines[i];
        // The first reason whole, of others the beginning
        const std::string shown = i == 0 ? text : text.substr(0, text.find('\n'));
        say_failure(points == 1 ? shown : fmt::format("{} (and {} more)", shown, counted(points - 1, "point")));
    }
    if (lines.size() > kMostLines) {
        say(fmt::format("and {} other messages; `ringmesh study list STUDY` shows the points",
                        lines.size() - kMostLines));
    }
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
        status.rows.push_back({asked.study->tests[test].name, all, counts["done"],
                               counts["failed"] + counts["stuck"] + counts["fault"] + counts["refused"], counts["late"],
                               counts["to run"]});
    }
    return status;
}

Merged merge(Store& into, std::span<const Store> from, std::span<const std::string> keys)
{
    Merged merged;
    for (const std::string& key : keys) {
        std::optional<Point> here;
        if (const auto text = into.find_text(key)) here = point_of(*text, key);
        const auto is_done = [&here] { return here && here->header.state == PointState::kDone; };
        const bool was_done = is_done();
        bool copied = false;
        for (const Store& other : from) {
            const auto text = other.find_text(key);
            if (!text) continue;
            const auto refuse = [&](std::string_view why) {
                merged.refused.push_back(fmt::format("{}: {}", platforms::shown(other.file_of(key)), why));
            };
            auto point = point_of(*text, key);
            if (!point) {
                refuse("damaged, not copied; run it again");
                continue;
            }
            if (is_done() && point->header.state == PointState::kDone && results_of(*here) != results_of(*point)) {
                refuse(
                    fmt::format("other results than {} has; equal inputs must give equal results, so one of the "
                                "machines or builds is at fault: run the point again on both with --fresh",
                                platforms::shown(into.file_of(key))));
                continue;
            }
            const bool more_blocks = is_done() && point->header.every_block && !here->header.every_block;
            if (here && !more_blocks && (is_done() || point->header.state != PointState::kDone)) continue;
            into.put_text(key, *text);
            here = std::move(point);
            copied = true;
        }
        ++(copied && !was_done ? merged.copied : here ? merged.there : merged.missing);
    }
    return merged;
}

}  // namespace ringmesh::lab
