// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "lab/report/chart_choice.h"
#include "lab/report/means.h"
#include "lab/report/parts.h"
#include "lab/study/point_table.h"
#include "lab/table/cells.h"
#include "lab/table/listing.h"

/// All of a store.
namespace ringmesh::lab {
namespace {

using workloads::Results;

/// A finished point: what decides it, by name, and what it gave.
struct StoredRun {
    std::string key;
    std::uint64_t seed = 0;
    std::map<std::string, std::string> inputs;
    Results results;
};

/// What may be compared: the same program and library on the same platform, by the same model.
using Group = std::tuple<std::string, std::string, std::string, std::string>;

/// Points that differ in more than this are no sweep.
constexpr std::size_t kMostAxes = 4;

/// The inputs in which the runs differ, with their values.
std::vector<Axis> varied(const std::vector<StoredRun>& runs)
{
    std::map<std::string, std::set<std::string>> values;
    for (const StoredRun& run : runs) {
        for (const auto& [name, value] : run.inputs) values[name].insert(value);
    }
    std::vector<Axis> axes;
    for (const auto& [name, all] : values) {
        if (all.size() > 1) axes.push_back({.name = name, .values = {all.begin(), all.end()}, .where = {}});
    }
    return axes;
}

/// The runs as a test of a study would have them, so that they get its charts.
std::pair<StudyTest, Results> as_test(const Group& group, std::vector<StoredRun>& runs)
{
    StudyTest test{.name = std::get<1>(group)};
    test.program.text = test.name;
    test.variants.push_back({.name = "base"});
    test.axes = varied(runs);
    std::sort(runs.begin(), runs.end(), [](const StoredRun& a, const StoredRun& b) {
        return std::tie(a.inputs, a.seed) < std::tie(b.inputs, b.seed);
    });
    std::vector<DonePoint> points;
    unsigned repetition = 1;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        repetition = i > 0 && runs[i].inputs == runs[i - 1].inputs ? repetition + 1 : 1;
        test.repeat = std::max(test.repeat, repetition);
        DonePoint& done = points.emplace_back();
        done.point.variant = test.variants.front().name;
        done.point.repetition = repetition;
        done.point.wish.request.seed = runs[i].seed;
        for (const Axis& axis : test.axes) done.point.axes.push_back(runs[i].inputs.at(axis.name));
        done.granted.key = runs[i].key;
        done.outcome.results = std::move(runs[i].results);
    }
    return {test, whole_points(test, points)};
}

bool are_alike(const StoredRun& a, const StoredRun& b)
{
    const auto same_name = [](const auto& one, const auto& other) { return one.name == other.name; };
    return a.inputs.size() == b.inputs.size() &&
           std::equal(a.results.columns.begin(), a.results.columns.end(), b.results.columns.begin(),
                      b.results.columns.end(), same_name);
}

void add_group(Page& page, const Group& group, std::vector<StoredRun>& runs)
{
    const auto& [platform, program, library, model] = group;
    const std::size_t differ = varied(runs).size();
    const auto is_like_first = [&](const StoredRun& run) { return are_alike(run, runs.front()); };
    if (differ == 0 || differ > kMostAxes || !std::all_of(runs.begin(), runs.end(), is_like_first)) return;
    const auto [test, table] = as_test(group, runs);
    const Means means = means_of(test, table);
    const std::string title = fmt::format("{} on {}{}{}", program, platform, library.empty() ? "" : " over ", library);
    const std::string id = page.add(program, title, means.table);
    for (Chart& chart : charts_of(means, id, title)) page.charts.push_back(std::move(chart));
}

}  // namespace

void add_store(Page& page, const Store& store)
{
    Results points;
    points.columns = {{"point", ""},    {"state", ""}, {"platform", ""},       {"program", ""},
                      {"library", ""},  {"seed", ""},  {"simulated_ns", "ns"}, {"wall_s", "s"},
                      {"finished", ""}, {"model", ""}, {"message", ""}};
    std::map<Group, std::vector<StoredRun>> groups;
    std::map<std::string, std::size_t> states;
    for (const std::string& key : store.keys()) {
        const auto point = store.find(key);
        if (!point) continue;
        const RunRecord& record = point->record;
        ++states[std::string(kPointStates.name(point->header.state))];
        points.rows.push_back({key.substr(0, 12), std::string(kPointStates.name(point->header.state)),
                               record.request.platform, record.workload, record.library,
                               unsigned_cell(record.request.seed), record.outcome.simulated.ns(),
                               cell_of(record.wall_seconds), point->header.finished, point->header.model.substr(0, 8),
                               point->header.message});
        if (point->header.state != PointState::kDone || record.outcome.results.columns.empty()) continue;
        StoredRun run{.key = key, .seed = record.request.seed, .inputs = {}, .results = record.outcome.results};
        for (const auto& [prefix, rows] : {std::pair("", &record.parameters),
                                           {"options.", &record.workload_options},
                                           {"library_options.", &record.library_options}}) {
            for (const ParameterRow& row : *rows) run.inputs[prefix + row.key] = row.value;
        }
        groups[{record.request.platform, record.workload, record.library, point->header.model}].push_back(
            std::move(run));
    }
    page.question.emplace_back("store", store.folder().string());
    page.question.emplace_back("points", counts_text(states));
    page.notes.push_back(fmt::format(
        "Charts: of the points of one program, library, platform and model that differ in at most {} parameters and "
        "options.",
        kMostAxes));
    page.add("points", "The points of the store", std::move(points));
    for (auto& [group, runs] : groups) add_group(page, group, runs);
}

}  // namespace ringmesh::lab
