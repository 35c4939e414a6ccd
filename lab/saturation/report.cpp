// SPDX-License-Identifier: Apache-2.0
#include "lab/saturation/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/saturation/curve.h"
#include "lab/table/json.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;

Cell cell(const std::optional<double>& number) { return number ? Cell(*number) : Cell(std::monostate()); }
Json value(const std::optional<double>& number) { return number ? Json(*number) : Json(); }

/// Outwards, to what a reader wants to see.
std::string low_text(double load) { return fmt::format("{:.3f}", std::floor(load * 1e3) / 1e3); }
std::string high_text(double load) { return fmt::format("{:.3f}", std::ceil(load * 1e3) / 1e3); }

std::string state_text(LoadState state, const SaturationRule& rule)
{
    switch (state) {
        case LoadState::kBelow: return "below";
        case LoadState::kLittleAccepted: return fmt::format("accepted < {:g} %", 100 * rule.accepted_part);
        case LoadState::kLate: return fmt::format("latency > {:g}x", rule.latency_factor);
        case LoadState::kStuck: return "stuck";
        case LoadState::kFault: return "fault";
    }
    return {};
}

/// "latency > 10x", or "latency > 10x, 2 of 5".
std::string state_text(const CurvePoint& point, const SaturationRule& rule)
{
    std::string text = state_text(point.state, rule);
    if (point.saturated == 0 || point.saturated == point.all) return text;
    return fmt::format("{}, {} of {}", text, point.saturated, point.all);
}

/// "123 MB/s" for all senders together, or "0.250 flits/cycle" for each.
std::string accepted_text(const LoadPoint& point, const LoadTerms& terms)
{
    if (terms.unit.empty()) return fmt::format("{:.0f} MB/s", point.accepted_total_mb_per_s);
    return fmt::format("{:.3f} {}", point.accepted_load, terms.unit);
}

/// The duration in words, which is unknown if the first run got stuck.
std::string duration_text(const SaturationRuns& runs, int times)
{
    return runs.duration() ? runs.duration_text(times) : "as given";
}

/// The highest load at which no run of the longest duration was saturated.
const CurvePoint* last_below(const SaturationSearch& search, const std::vector<CurvePoint>& curve)
{
    const auto found = std::find_if(curve.rbegin(), curve.rend(), [&](const CurvePoint& point) {
        return point.saturated == 0 && point.times == search.crossings().back().times;
    });
    return found == curve.rend() ? nullptr : &*found;
}

std::string verdict(const SaturationSearch& search, const std::vector<CurvePoint>& curve, const LoadTerms& terms)
{
    const Crossings& last = search.crossings().back();
    const double lowest = kLowestStep * kLoadStep;
    const double highest = *std::max_element(last.load.begin(), last.load.end());
    std::string text;
    if (last.open_below) {
        text = fmt::format("saturated at load {:.3g} already, the lowest that was tried", lowest);
    } else if (last.open_above && *std::min_element(last.load.begin(), last.load.end()) == highest) {
        text = fmt::format("not saturated up to load {:.3g}", highest);
        if (search.refused()) {
            text += fmt::format("; the sources cannot offer {:.3g}, the next that was tried", *search.refused());
        }
    } else if (!search.interval()) {
        text = fmt::format("saturates at about load {:.3f}", last.mean());
    } else if (last.open_above) {
        text = fmt::format("saturates above load {}, and with some seeds not up to load {:.3g}",
                           low_text(search.interval()->low), highest);
    } else {
        text = fmt::format("saturates between load {} and load {}", low_text(search.interval()->low),
                           high_text(search.interval()->high));
    }
    if (const CurvePoint* below = last_below(search, curve)) {
        text += fmt::format("; at load {:.4g}, {} are accepted", below->load, accepted_text(below->mean, terms));
    }
    return text;
}

std::string doubt_text(const SaturationSearch& search, const SaturationRuns& runs)
{
    switch (search.doubt()) {
        case Doubt::kNone: return {};
        case Doubt::kTooShort: return "three durations are the fewest that can be compared";
        case Doubt::kWide:
            return fmt::format(
                "seeds or durations still differ: more than {:.3g} between low and high, or twice that "
                "with half the duration",
                search.rule().width);
        case Doubt::kMoves: return "the intervals of the last two durations have nothing in common";
        case Doubt::kContradicted: {
            const Trial& trial = search.contradiction().value();
            return fmt::format("the run at load {:.4g} with seed {} and duration {} does not fit: {}", trial.load(),
                               runs.seed_of(trial), duration_text(runs, trial.times),
                               state_text(search.state(trial), search.rule()));
        }
    }
    return {};
}

/// Whether any run went no further, by a fault or without one.
bool any_ended(const SaturationSearch& search, bool by_fault)
{
    const auto& points = search.points();
    return std::any_of(points.begin(), points.end(),
                       [by_fault](const auto& each) { return each.second.stuck && each.second.by_fault == by_fault; });
}

std::string sound_note(const SaturationSearch& search, const SaturationRuns& runs)
{
    const Crossings& last = search.crossings().back();
    if (search.sound()) {
        return fmt::format(
            "sound: that interval is {:.3f} wide, at most {:.3g} is wanted; it overlaps the one of half "
            "the duration; steps of the load: 1/{}",
            search.interval()->width(), search.rule().width, kHighestStep);
    }
    const std::string cure = any_ended(search, true)
                                 ? "faults ended runs, and longer ones they end as well; leave them out, or let "
                                   "software repair them"
                             : search.rule().longest > 2 * last.times - 1
                                 ? "runs can be no longer"
                                 : fmt::format("raise --longest {}, or duration", search.rule().longest);
    return fmt::format("NOT SOUND, do not rely on it: {}; {}", doubt_text(search, runs), cure);
}

std::vector<std::uint64_t> seeds_of(const SaturationRuns& runs)
{
    std::vector<std::uint64_t> seeds;
    for (unsigned seed = 0; seed < kSeeds; ++seed) seeds.push_back(runs.seed_of({.seed = seed}));
    return seeds;
}

std::string interval_note(const SaturationSearch& search, const SaturationRuns& runs)
{
    const Crossings& last = search.crossings().back();
    const auto [least, most] = std::minmax_element(last.load.begin(), last.load.end());
    return fmt::format(
        "the interval: where a run of any seed, {} times as long as {}, turns saturated, with 95 % confidence; runs of "
        "seeds {} turn at {:.3f} to {:.3f} with {}, the longest; it allows for each further doubling to move that as "
        "the "
        "last one did",
        kHorizon, duration_text(runs, 1), fmt::join(seeds_of(runs), ", "), *least, *most,
        duration_text(runs, last.times));
}

Json point_json(const SaturationSearch& search, const SaturationRuns& runs, const Trial& trial, const LoadPoint& point)
{
    Json json = {{"load", trial.load()},
                 {"duration", duration_text(runs, trial.times)},
                 {"seed", runs.seed_of(trial)},
                 {"point", runs.key_of(trial)},
                 {"saturated", search.saturated(trial)},
                 {"state", state_text(search.state(trial), search.rule())}};
    if (point.stuck) return json;
    json["accepted_part"] = point.accepted_part;
    json["accepted_load"] = point.accepted_load;
    json["offered_total_mb_per_s"] = point.offered_total_mb_per_s;
    json["accepted_total_mb_per_s"] = point.accepted_total_mb_per_s;
    json["latency_mean_ns"] = point.latency_mean_ns;
    json["latency_ci95_ns"] = value(point.latency_ci95_ns);
    json["latency_p99_ns"] = point.latency_p99_ns;
    json["link_use_highest"] = point.link_use_highest;
    if (runs.terms().has_blinks) json["blink_use_highest"] = value(point.blink_use_highest);
    return json;
}

Json rule_json(const SaturationSearch& search, const SaturationRuns& runs)
{
    const SaturationRule& rule = search.rule();
    return {{"accepted_part", rule.accepted_part},
            {"latency_factor", rule.latency_factor},
            {"seeds", seeds_of(runs)},
            {"duration", duration_text(runs, 1)},
            {"horizon", kHorizon},
            {"confidence", 0.95},
            {"load_step", kLoadStep},
            {"width", rule.width},
            {"longest", rule.longest}};
}

}  // namespace

workloads::Results saturation_results(const SaturationSearch& search, const SaturationRuns& runs)
{
    const LoadTerms& terms = runs.terms();
    workloads::Results results;
    results.columns = {{"load", terms.unit},
                       {"state", ""},
                       {"runs", ""},
                       {"times", ""},
                       {"accepted_load", terms.unit},
                       {"offered_total_mb_per_s", "MB/s"},
                       {"accepted_total_mb_per_s", "MB/s"},
                       {"accepted_part", ""},
                       {"latency_mean_ns", "ns"},
                       {"latency_ci95_ns", "ns"},
                       {"latency_p99_ns", "ns"},
                       {"link_use_highest", ""}};
    if (terms.has_blinks) results.columns.push_back({"blink_use_highest", ""});
    const auto curve = curve_of(search);
    for (const CurvePoint& point : curve) {
        auto& row = results.rows.emplace_back();
        row = {point.load, state_text(point, search.rule()), std::int64_t{point.all}, std::int64_t{point.times}};
        if (point.mean.stuck) {
            row.resize(results.columns.size(), std::monostate());
            continue;
        }
        row.insert(row.end(),
                   {point.mean.accepted_load, point.mean.offered_total_mb_per_s, point.mean.accepted_total_mb_per_s,
                    point.mean.accepted_part, point.mean.latency_mean_ns, cell(point.mean.latency_ci95_ns),
                    point.mean.latency_p99_ns, point.mean.link_use_highest});
        if (terms.has_blinks) row.push_back(cell(point.mean.blink_use_highest));
    }
    auto& notes = results.notes;
    notes.push_back(verdict(search, curve, terms));
    notes.push_back(sound_note(search, runs));
    notes.push_back(interval_note(search, runs));
    if (const CurvePoint* most = most_accepted(search, curve)) {
        notes.push_back(fmt::format("of the longest runs, most was accepted at load {:.4g}: {}", most->load,
                                    accepted_text(most->mean, terms)));
    }
    notes.push_back(fmt::format(
        "saturated: less than {:g} % of what is offered is accepted, or the mean latency is above {:g} times that of "
        "the lowest load with the same duration; MB/s are of all senders together; {}",
        100 * search.rule().accepted_part, search.rule().latency_factor, terms.meaning));
    notes.push_back(
        fmt::format("each row: the mean of its longest runs, times {}; ci95: between the runs if there are several",
                    duration_text(runs, 1)));
    if (any_ended(search, false)) {
        notes.emplace_back(
            "stuck: the run ended in livelock, with endless retries; 'ringmesh run' at that load names the blocks");
    }
    if (any_ended(search, true)) {
        notes.emplace_back("fault: a fault ended the run; 'ringmesh run' at that load names who lost what");
    }
    return results;
}

std::string saturation_json(const SaturationSearch& search, const SaturationRuns& runs, const RunRecord& record)
{
    Json json = record_json(record, false);
    json["rule"] = rule_json(search, runs);

    const Crossings& last = search.crossings().back();
    const auto curve = curve_of(search);
    const auto load_or_null = [](const CurvePoint* point) { return point == nullptr ? Json() : Json(point->load); };
    const bool interval = search.interval().has_value();
    json["saturation"] = {{"low", interval && !last.open_below ? Json(search.interval()->low) : Json()},
                          {"high", interval && !last.open_above ? Json(search.interval()->high) : Json()},
                          {"estimate", last.open_above || last.open_below ? Json() : Json(last.mean())},
                          {"sound", search.sound()},
                          {"doubt", search.sound() ? Json() : Json(doubt_text(search, runs))},
                          {"last_below", load_or_null(last_below(search, curve))},
                          {"refused", value(search.refused())},
                          {"most_accepted", load_or_null(most_accepted(search, curve))}};
    Json durations = Json::array();
    for (const Crossings& one : search.crossings()) {
        durations.push_back({{"duration", duration_text(runs, one.times)},
                             {"times", one.times},
                             {"loads", std::vector<double>(one.load.begin(), one.load.end())},
                             {"mean", one.mean()},
                             {"saturated_at_lowest", one.open_below},
                             {"below_at_highest", one.open_above}});
    }
    json["durations"] = std::move(durations);
    Json points = Json::array();
    for (const auto& [trial, point] : search.points()) points.push_back(point_json(search, runs, trial, point));
    json["points"] = std::move(points);
    return json.text();
}

}  // namespace ringmesh::lab
