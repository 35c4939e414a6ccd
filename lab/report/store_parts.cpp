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
#include "lab/table/json.h"
#include "lab/table/text_table.h"

/// All of a store.
namespace ringmesh::lab {
namespace {

using workloads::Cell;
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

void add_inputs(const std::string& prefix, const std::vector<ParameterRow>& rows, StoredRun& run)
{
    for (const ParameterRow& row : rows) run.inputs[prefix + row.key] = row.value;
}

/// Points that differ in more than this are no sweep.
constexpr std::size_t kMostAxes = 4;

/// The inputs in which the runs differ.
std::vector<std::string> varied(const std::vector<StoredRun>& runs)
{
    std::map<std::string, std::set<std::string>> values;
    for (const StoredRun& run : runs) {
        for (const auto& [name, value] : run.inputs) values[name].insert(value);
    }
    std::vector<std::string> names;
    for (const auto& [name, all] : values) {
        if (all.size() > 1) names.push_back(name);
    }
    return names;
}

/// The runs as a test of a study would have them, so that they get its charts.
std::pair<StudyTest, Results> as_test(const Group& group, std::vector<StoredRun>& runs)
{
    StudyTest test{.name = std::get<1>(group)};
    test.program.text = std::get<1>(group);
    test.variants.push_back({.name = "base"});
    for (const std::string& name : varied(runs)) test.axes.push_back({.name = name, .values = {}, .where = {}});
    std::sort(runs.begin(), runs.end(), [](const StoredRun& a, const StoredRun& b) {
        return std::tie(a.inputs, a.seed) < std::tie(b.inputs, b.seed);
    });
    for (Axis& axis : test.axes) {
        std::set<std::string> values;
        for (const StoredRun& run : runs) values.insert(run.inputs.at(axis.name));
        axis.values.assign(values.begin(), values.end());
    }
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

bool have_same_columns(const std::vector<StoredRun>& runs)
{
    const auto names_of = [](const StoredRun& run) {
        std::vector<std::string> names;
        for (const auto& column : run.results.columns) names.push_back(column.name);
        return names;
    };
    const auto first = names_of(runs.front());
    return std::all_of(runs.begin(), runs.end(), [&](const StoredRun& run) { return names_of(run) == first; });
}

void add_group(Page& page, const Group& group, std::vector<StoredRun>& runs)
{
    const auto& [platform, program, library, model] = group;
    const std::size_t differ = varied(runs).size();
    const bool same_inputs = std::all_of(runs.begin(), runs.end(), [&](const StoredRun& run) {
        return run.inputs.size() == runs.front().inputs.size();
    });
    if (differ == 0 || differ > kMostAxes || !same_inputs || !have_same_columns(runs)) return;
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
                               record.wall_seconds ? Cell(*record.wall_seconds) : Cell(std::monostate()),
                               point->header.finished, point->header.model.substr(0, 8), point->header.message});
        if (point->header.state != PointState::kDone || record.outcome.results.columns.empty()) continue;
        StoredRun run{.key = key, .seed = record.request.seed, .inputs = {}, .results = record.outcome.results};
        add_inputs("", record.parameters, run);
        add_inputs("options.", record.workload_options, run);
        add_inputs("library_options.", record.library_options, run);
        groups[{record.request.platform, record.workload, record.library, point->header.model}].push_back(
            std::move(run));
    }
    std::vector<std::string> counts;
    counts.reserve(states.size());
    for (const auto& [state, count] : states) counts.push_back(fmt::format("{} {}", count, state));
    page.question.emplace_back("store", store.folder().string());
    page.question.emplace_back("points", fmt::format("{}", fmt::join(counts, ", ")));
    page.notes.push_back(fmt::format(
        "Charts: of the points of one program, library, platform and model that differ in at most {} parameters and "
        "options.",
        kMostAxes));
    page.add("points", "The points of the store", std::move(points));
    for (auto& [group, runs] : groups) add_group(page, group, runs);
}

}  // namespace ringmesh::lab
