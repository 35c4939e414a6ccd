// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/uncertainty/variations.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "lab/run/workload_spec.h"
#include "lab/study/description/catalog.h"
#include "lab/study/running/execution.h"
#include "lab/study/running/shard.h"
#include "lab/table/writers/text_table.h"
#include "tlm/error.h"

namespace ringmesh::lab {

void in_parts_of_whole(std::map<std::string, double>& found, const std::map<std::string, double>& whole,
                       const std::map<std::string, double>& varied)
{
    for (auto& [id, number] : found) {
        const auto all = whole.find(id);
        const auto part = varied.find(id);
        if (all == whole.end() || part == varied.end() || all->second == part->second) continue;
        number = part->second == 0 ? all->second + number : all->second * (number / part->second);
    }
}

namespace {

/// Runs what is missing of the shard. An end of a range that the machine refuses is no mistake of the study's: its
/// points count as refused. @return nothing if other shards have not run theirs
std::optional<std::vector<Granted>> grant_varied(const AskedPoints& asked, const VariationRules& rules, Store& store)
{
    std::vector<Granted> all(asked.points.size());
    AskedPoints sound{asked.study, {}, {}};
    std::vector<std::size_t> places;
    KeyFinder finder;
    for (std::size_t i = 0; i < asked.points.size(); ++i) {
        StudyPoint point = asked.points[i];
        try {
            point.wish.key = finder.key_of(point.wish);
            sound.points.push_back(std::move(point));
            places.push_back(i);
        } catch (const UserError& error) {
            all[i].state = PointState::kRefused;
            all[i].message = error.what();
        }
    }
    AskedPoints own = sound;
    if (!rules.shard.is_all()) keep_share(own.points, rules.shard);
    sound.granted = run_all(own, rules.store, store, rules.quiet);
    if (!rules.shard.is_all()) {
        sound.granted = look_up(sound.points, store);
        if (!std::ranges::all_of(sound.granted, &Granted::cached)) return std::nullopt;
    }
    for (std::size_t i = 0; i < places.size(); ++i) all[places[i]] = sound.granted[i];
    return all;
}

std::vector<StudyPoint> checked_points(const Study& study, const std::string& part, bool full)
{
    const Findings findings(study, part);
    findings.check();
    return findings.points(full);
}

}  // namespace

VariedStudy::VariedStudy(Study study, std::vector<StudyPoint> points)
    : study_(std::move(study)), points_(std::move(points)), inputs_(inputs_of(points_))
{
    KeyFinder finder;
    for (StudyPoint& point : points_) point.wish.key = finder.key_of(point.wish);
}

std::set<std::string> VariedStudy::tests_of(const std::set<std::string>& /*answers*/) const
{
    std::set<std::string> tests;
    for (const StudyTest& test : study_.tests) tests.insert(test.name);
    return tests;
}

std::vector<std::size_t> acting_inputs(const std::vector<Input>& inputs, const Study& study,
                                       const std::vector<StudyPoint>& points, const std::set<std::string>& tests)
{
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const bool acts = std::any_of(inputs[i].points.begin(), inputs[i].points.end(), [&](std::size_t place) {
            return points[place].varies && tests.contains(study.tests[points[place].test].name);
        });
        if (acts) all.push_back(i);
    }
    return all;
}

std::vector<std::size_t> VariedStudy::inputs_of_tests(const std::set<std::string>& tests) const
{
    return acting_inputs(inputs_, study_, points_, tests);
}

std::vector<StudyPoint> VariedStudy::varied(const Variation& variation, const std::set<std::string>& tests,
                                            bool all_points) const
{
    std::vector<StudyPoint> points = points_;
    const auto varies = [&](const StudyPoint& point) {
        return (all_points || point.varies) && (tests.empty() || tests.contains(study_.tests[point.test].name));
    };
    for (const auto& [number, value] : variation.inputs) {
        const Input& input = inputs_[number];
        for (const std::size_t place : input.points) {
            if (varies(points[place])) points[place] = with_input(std::move(points[place]), input, value);
        }
    }
    for (StudyPoint& point : points) {
        if (!varies(point)) continue;
        if (variation.seeds != 0) {
            point.wish.request.seed += variation.seeds;
            point.wish.key.clear();
        }
        if (variation.program.empty()) continue;
        const bool own = parse_workload_spec("--workload", point.wish.request.workload).name == variation.program;
        if (own) set_option(point, variation.option, variation.value);
    }
    return points;
}

std::optional<std::vector<VariedFindings>> VariedStudy::find(const std::vector<Variation>& variations,
                                                             const VariationRules& rules, Store& store,
                                                             const std::set<std::string>& tests)
{
    // Most points are the same in all variations: they are asked for once
    AskedPoints asked{&study_, {}, {}};
    std::vector<std::optional<std::size_t>> unchanged(points_.size());
    std::vector<std::vector<std::size_t>> places;  // of the points of each variation, among those that are asked for
    for (const Variation& variation : variations) {
        auto points = varied(variation, tests, rules.all_points);
        auto& own = places.emplace_back();
        for (std::size_t i = 0; i < points.size(); ++i) {
            const bool changed = points[i].wish.key.empty();
            own.push_back(changed || !unchanged[i] ? asked.points.size() : *unchanged[i]);
            if (!changed) unchanged[i] = own.back();
            if (own.back() == asked.points.size()) asked.points.push_back(std::move(points[i]));
        }
    }
    const auto granted_all = grant_varied(asked, rules, store);
    if (!granted_all) return std::nullopt;
    std::vector<VariedFindings> all;
    for (std::size_t i = 0; i < variations.size(); ++i) {
        const Variation& variation = variations[i];
        std::vector<Granted> granted;
        for (const std::size_t place : places[i]) granted.push_back((*granted_all)[place]);
        if (variation.inputs.empty() && variation.seeds == 0 && variation.program.empty() && !variation.varied_only) {
            granted_ = granted;
        }
        all.push_back(findings_of(variation, varied(variation, tests, rules.all_points), std::move(granted), store));
    }
    return all;
}

VariedFindings VariedStudy::findings_of(const Variation& variation, const std::vector<StudyPoint>& points,
                                        std::vector<Granted> granted, const Store& store)
{
    VariedFindings found;
    // A number made of some points of a test would be another number: without one of them the test is missing
    std::set<std::size_t> broken;
    std::size_t failures = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (granted[i].done() || (variation.varied_only && !points[i].varies)) continue;
        broken.insert(points[i].test);
        if (failures++ == 0) found.problem = granted[i].failure(points[i].wish.title);
    }
    if (failures > 1) found.problem += fmt::format(" (and {} more)", counted(failures - 1, "point"));
    for (std::size_t i = 0; i < points.size(); ++i) {
        const bool left_out = variation.varied_only && !points[i].varies;
        if (!left_out && !broken.contains(points[i].test)) continue;
        granted[i].cached = false;
        granted[i].ran = false;
    }
    try {
        found.simulated = answers(points, granted, store);
    } catch (const UserError& error) {
        found.problem = fmt::format("{}: {}", variation.name, error.what());
    }
    return found;
}

VariedFindingsOfStudy::VariedFindingsOfStudy(const std::string& path, std::string part, bool full)
    : VariedFindingsOfStudy(read_study(find_study(path)), std::move(part), full)
{}

VariedFindingsOfStudy::VariedFindingsOfStudy(Study study, std::string part, bool full)
    : VariedStudy(study, checked_points(study, part, full)), part_(std::move(part))
{}

std::set<std::string> VariedFindingsOfStudy::tests_of(const std::set<std::string>& answers) const
{
    std::set<std::string> tests;
    for (const std::string& row : answers) {
        const auto found = tests_of_row_.find(row);
        if (found != tests_of_row_.end()) tests.insert(found->second.begin(), found->second.end());
    }
    return tests;
}

std::map<std::string, double> VariedFindingsOfStudy::answers(const std::vector<StudyPoint>& points,
                                                             const std::vector<Granted>& granted, const Store& store)
{
    Findings findings(study(), part_);
    findings.find(points, granted, store);
    if (tests_of_row_.empty()) {
        tests_of_row_ = findings.tests_of_rows();
        without_own_bar_ = findings.without_own_bar();
    }
    return findings.simulated();
}

}  // namespace ringmesh::lab
