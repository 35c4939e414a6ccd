// SPDX-License-Identifier: Apache-2.0
#include "lab/saturation/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "lab/table/writers/json.h"
#include "lab/table/writers/text_table.h"
#include "workloads/traffic/measurements/steady_state.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;

/// Outwards, to what a reader wants to see.
std::string low_text(double load) { return fmt::format("{:.3f}", std::floor(load * 1e3) / 1e3); }
std::string high_text(double load) { return fmt::format("{:.3f}", std::ceil(load * 1e3) / 1e3); }

std::string state_text(LoadState state, const analytic::SaturationRule& rule)
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
std::string state_text(const CurvePoint& point, const analytic::SaturationRule& rule)
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

/// The same for readers: a default may have more digits than anybody wants.
std::string shown_duration(const SaturationRuns& runs, int times)
{
    const std::string exact = duration_text(runs, times);
    return exact.size() < 12 || !runs.duration() ? exact : rounded(runs.duration().value() * times);
}

/// The highest load at which no run of the longest duration was saturated.
const CurvePoint* last_below(const SaturationSearch& search, const std::vector<CurvePoint>& curve)
{
    const auto found = std::find_if(curve.rbegin(), curve.rend(), [&](const CurvePoint& point) {
        return point.saturated == 0 && point.times == search.crossings().back().times;
    });
    return found == curve.rend() ? nullptr : &*found;
}

/// No run of the lowest load came to an end, so that no longer one says more.
bool runs_stuck_at_lowest(const SaturationSearch& search)
{
    const auto& points = search.points();
    return std::all_of(points.begin(), points.end(), [](const auto& each) {
        return each.first.step > kLowestStep || (each.second.stuck && !each.second.by_fault);
    });
}

/// "; in 2 of 5 runs the backlog there grew to more than 10 times the unloaded one, and shrank again"; empty: in none
std::string recovery_text(const SaturationSearch& search, const CurvePoint& point)
{
    const int recovered = search.recoveries(point.load, point.times);
    if (recovered == 0) return {};
    return fmt::format(
        "; in {} of {} runs the backlog there grew to more than {:g} times the unloaded one, and shrank "
        "again",
        recovered, point.all, search.rule().run.latency_factor);
}

/// "At load 0.5, 257 MB/s are accepted."
std::string accepted_sentence(const SaturationSearch& search, const CurvePoint& point, const LoadTerms& terms)
{
    return fmt::format("At load {:.4g}, {} are accepted{}.", point.load, accepted_text(point.mean, terms),
                       recovery_text(search, point));
}

/// Of runs of one duration: whether the highest load gets less through than another did.
std::string fall_sentence(const std::vector<CurvePoint>& by_duration, const SaturationRuns& runs)
{
    constexpr double kClearly = 0.95;
    const CurvePoint* most = nullptr;
    const CurvePoint* last = nullptr;
    for (const CurvePoint& point : by_duration) {
        if (point.times != by_duration.front().times || point.runs == 0) continue;
        if (most == nullptr || point.mean.accepted_load > most->mean.accepted_load) most = &point;
        last = &point;
    }
    if (last == nullptr || last->mean.accepted_load > kClearly * most->mean.accepted_load) return {};
    return fmt::format("Beyond its knee it accepts less: {} at load {:.3g}, {} at load {:.3g}, in runs of {}.",
                       accepted_text(most->mean, runs.terms()), most->load, accepted_text(last->mean, runs.terms()),
                       last->load, shown_duration(runs, last->times));
}

/// "The network collapses: at load 0.508, 2 of 5 runs of 25.6 ms did, after 3.1 ms to 12.4 ms." "Load ..."
std::vector<std::string> endurance_answer(const SaturationSearch& search, const std::vector<CurvePoint>& by_duration,
                                          const SaturationRuns& runs)
{
    const Endurance& found = *search.endurance();
    const std::string each = fmt::format("{} runs of {}", kSeeds, shown_duration(runs, found.times));
    std::vector<std::string> sentences;
    if (found.collapses) {
        const auto at = [&](const char* what, int number, const char* did) {
            return fmt::format("The network {}: at load {:.4g}, {} of {} {}", what, *found.collapses, number, each,
                               did);
        };
        const int lost = found.collapsed - found.recovered;
        std::string text = lost > 0 ? at("collapses", lost, "did")
                           : found.recovered > 0
                               ? at("saturates for a time", found.recovered, "did, and recovered")
                               : at("saturates", found.rising, "have a backlog that still rises at their end");
        if (!found.after.empty()) {
            const std::string first = rounded(found.after.front());
            const std::string last = rounded(found.after.back());
            text += first == last ? fmt::format(", after {}", first) : fmt::format(", after {} to {}", first, last);
        }
        if (lost > 0 && found.recovered > 0) text += fmt::format("; {} more recovered", found.recovered);
        sentences.push_back(text + '.');
    }
    if (!found.held) {
        sentences.emplace_back("No lower load was tried.");
        return sentences;
    }
    const auto held = std::find_if(by_duration.begin(), by_duration.end(), [&](const CurvePoint& point) {
        return point.times == found.times && point.load == *found.held;
    });
    sentences.push_back(fmt::format("Load {:.4g} is the largest that held in all {}: {} are accepted{}.", *found.held,
                                    each, accepted_text(held->mean, runs.terms()), recovery_text(search, *held)));
    return sentences;
}

/// The answer in one to three sentences; empty if nothing can be said.
std::vector<std::string> answer_of(const SaturationSearch& search, const std::vector<CurvePoint>& curve,
                                   const std::vector<CurvePoint>& by_duration, const SaturationRuns& runs)
{
    std::vector<std::string> sentences;
    const auto add = [&sentences](std::string sentence) {
        if (!sentence.empty()) sentences.push_back(std::move(sentence));
    };
    const Crossings& last = search.crossings().back();
    const double highest = *std::max_element(last.load.begin(), last.load.end());
    const CurvePoint* below = last_below(search, curve);
    const std::string accepted = below == nullptr ? "" : accepted_sentence(search, *below, runs.terms());
    if (last.open_below && (search.sound() || runs_stuck_at_lowest(search))) {
        return {fmt::format("The network is saturated at load {:.3g} already, the lowest that was tried.",
                            kLowestStep * kLoadStep)};
    }
    if (search.sound() && last.open_above && *std::min_element(last.load.begin(), last.load.end()) == highest) {
        add(fmt::format("The network is not saturated up to load {:.3g}{}.", highest,
                        search.refused() ? fmt::format("; the sources cannot offer {:.3g}, the next that was tried",
                                                       *search.refused())
                                         : ""));
        add(accepted);
        return sentences;
    }
    if (search.sound()) {
        const std::string interval =
            last.open_above ? fmt::format("saturates above load {}, and with some seeds not up to load {:.3g}",
                                          low_text(search.interval()->low), highest)
                            : fmt::format("saturates between load {} and load {}", low_text(search.interval()->low),
                                          high_text(search.interval()->high));
        add(fmt::format("The network {}, with 95 % confidence.", interval));
        add(accepted);
    } else if (search.endurance()) {
        sentences = endurance_answer(search, by_duration, runs);
    }
    if (!sentences.empty()) add(fall_sentence(by_duration, runs));
    return sentences;
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
        case Doubt::kMoving: return "the intervals of the last two durations have nothing in common";
        case Doubt::kContradicted: {
            const Trial& trial = search.contradiction().value();
            return fmt::format("the run at load {:.4g} with seed {} and duration {} does not fit: {}", trial.load(),
                               runs.seed_of(trial), duration_text(runs, trial.times),
                               state_text(search.state(trial), search.rule().run));
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

/// Why there is no sound interval, and what helps.
std::string sound_note(const SaturationSearch& search, const SaturationRuns& runs)
{
    const Crossings& last = search.crossings().back();
    if (search.sound()) {
        return fmt::format(
            "sound: that interval is {:.3f} wide, at most {:.3g} is wanted; it overlaps the one of half "
            "the duration; steps of the load: 1/{}",
            search.interval()->width(), search.rule().width, kHighestStep);
    }
    if (search.endurance()) {
        return fmt::format(
            "no interval is sound: {}; so runs of all seeds tell which load holds: no run is saturated, and in fewer "
            "than {} the backlog still rises, by Schruben's test after a warm-up by MSER-5 (false alarms: {:g} % of "
            "runs); a run has collapsed when its backlog stays above {:g} times the unloaded one",
            doubt_text(search, runs), kRisingRuns, 100 * workloads::kFalseAlarms, search.rule().run.latency_factor);
    }
    const std::string cure = any_ended(search, true)
                                 ? "faults ended runs, and longer ones they end as well; leave them out, or let "
                                   "software repair them"
                             : search.rule().longest > 2 * last.times - 1
                                 ? "runs can be no longer"
                                 : fmt::format("raise --longest {}, or duration", search.rule().longest);
    return fmt::format("no answer: {}; {}", doubt_text(search, runs), cure);
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
        "the last one did",
        kHorizon, shown_duration(runs, 1), fmt::join(seeds_of(runs), ", "), *least, *most,
        shown_duration(runs, last.times));
}

/// Own columns, then what was measured; nothing of a run that got stuck.
template <class Row>
Listing<Row> with_measured(std::vector<ListedColumn<Row>> columns, LoadPoint Row::*point, const LoadTerms& terms)
{
    columns.front().unit = terms.unit;
    for (const LoadMeasure& each : kLoadMeasures) {
        if (each.number_if_any == &LoadPoint::blink_use_highest && !terms.has_blinks) continue;
        const auto value = [each, point](const Row& row) -> Cell {
            const LoadPoint& run = row.*point;
            if (run.stuck) return std::monostate();
            return each.number != nullptr ? run.*each.number : cell_of(run.*each.number_if_any);
        };
        columns.push_back(
            listed<Row>(each.name, value).titled(each.name, each.unit == nullptr ? terms.unit : each.unit));
    }
    return Listing<Row>(std::move(columns));
}

Listing<CurvePoint> curve_listing(const analytic::SaturationRule& rule, const LoadTerms& terms)
{
    return with_measured<CurvePoint>(
        {listed<CurvePoint>("load", &CurvePoint::load),
         listed<CurvePoint>("state", [rule](const CurvePoint& point) { return state_text(point, rule); }),
         listed<CurvePoint>("runs", &CurvePoint::all), listed<CurvePoint>("times", &CurvePoint::times)},
        &CurvePoint::mean, terms);
}

Listing<CurvePoint> listing_by_duration(const analytic::SaturationRule& rule, const SaturationRuns& runs)
{
    return with_measured<CurvePoint>(
        {listed<CurvePoint>("load", &CurvePoint::load),
         listed<CurvePoint>("duration", [&runs](const CurvePoint& point) { return duration_text(runs, point.times); }),
         listed<CurvePoint>("state", [rule](const CurvePoint& point) { return state_text(point, rule); }),
         listed<CurvePoint>("runs", &CurvePoint::all)},
        &CurvePoint::mean, runs.terms());
}

Listing<SaturationRun> listing_of_runs(const LoadTerms& terms)
{
    return with_measured<SaturationRun>(
        {listed<SaturationRun>("load", [](const SaturationRun& run) { return run.trial.load(); }),
         listed<SaturationRun>("duration", &SaturationRun::duration),
         listed<SaturationRun>("seed", &SaturationRun::seed), listed<SaturationRun>("point", &SaturationRun::point),
         listed<SaturationRun>("state", &SaturationRun::state)},
        &SaturationRun::measured, terms);
}

Json rule_json(const SaturationSearch& search, const SaturationRuns& runs)
{
    const SaturationRule& rule = search.rule();
    return {{"accepted_part", rule.run.accepted_part},
            {"latency_factor", rule.run.latency_factor},
            {"seeds", seeds_of(runs)},
            {"duration", duration_text(runs, 1)},
            {"horizon", kHorizon},
            {"confidence", 0.95},
            {"load_step", kLoadStep},
            {"width", rule.width},
            {"longest", rule.longest}};
}

}  // namespace

SaturationReport report_of(const SaturationSearch& search, const SaturationRuns& runs)
{
    const LoadTerms& terms = runs.terms();
    const auto curve = curve_of(search);
    const auto by_duration = curves_by_duration(search);
    SaturationReport report{.curve = curve_listing(search.rule().run, terms).results(curve),
                            .by_duration = listing_by_duration(search.rule().run, runs).results(by_duration),
                            .runs = {},
                            .run_listing = listing_of_runs(terms),
                            .refused = search.refused(),
                            .endurance = search.endurance(),
                            .answer = answer_of(search, curve, by_duration, runs),
                            .sound = search.sound(),
                            .doubt = doubt_text(search, runs),
                            .rule = rule_json(search, runs),
                            .durations = {}};
    for (const auto& [trial, point] : search.points()) {
        report.runs.push_back({trial, duration_text(runs, trial.times), runs.seed_of(trial), runs.key_of(trial),
                               search.saturated(trial), state_text(search.state(trial), search.rule().run), point});
    }
    const Crossings& last = search.crossings().back();
    if (search.interval() && !last.open_below) report.low = search.interval()->low;
    if (search.interval() && !last.open_above) report.high = search.interval()->high;
    if (!last.open_above && !last.open_below) report.estimate = last.mean();
    if (const CurvePoint* below = last_below(search, curve)) report.last_below = below->load;
    report.durations = Json::list(search.crossings(), [&runs](const Crossings& one) -> Json {
        return {{"duration", duration_text(runs, one.times)},
                {"times", one.times},
                {"loads", std::vector<double>(one.load.begin(), one.load.end())},
                {"mean", one.mean()},
                {"saturated_at_lowest", one.open_below},
                {"below_at_highest", one.open_above}};
    });
    auto& notes = report.curve.notes;
    notes.push_back(sound_note(search, runs));
    if (search.interval()) notes.push_back(interval_note(search, runs));
    if (const CurvePoint* most = most_accepted(search, curve)) {
        report.most_accepted = most->load;
        notes.push_back(fmt::format("of the longest runs, most was accepted at load {:.4g}: {}", most->load,
                                    accepted_text(most->mean, terms)));
    }
    notes.push_back(fmt::format(
        "saturated: less than {:g} % of what is offered is accepted, or the mean latency is above {:g} times that of "
        "the lowest load with the same duration; MB/s are of all senders together; {}",
        100 * search.rule().run.accepted_part, search.rule().run.latency_factor, terms.meaning));
    notes.push_back(
        fmt::format("each row: the mean of its longest runs, times {}; ci95: between the runs if there are several",
                    shown_duration(runs, 1)));
    if (std::any_of(curve.begin(), curve.end(), [](const CurvePoint& point) { return point.saturated > 0; })) {
        notes.emplace_back(
            "saturated rows can be compared only if 'times' is equal, since queues grow as long as a run lasts: a "
            "shorter run has a smaller latency and accepts another part; --json and --report have a curve for each "
            "duration");
    }
    if (any_ended(search, false)) {
        notes.emplace_back(
            "stuck: the run ended in livelock, with endless retries; 'ringmesh run' at that load names the blocks");
    }
    if (any_ended(search, true)) {
        notes.emplace_back("fault: a fault ended the run; 'ringmesh run' at that load names who lost what");
    }
    return report;
}

Json saturation_json(const SaturationReport& report, const RunRecord& record)
{
    Json json = record_json(record, false);
    if (report.answer.empty()) json["answer"] = Json::array();
    json["rule"] = report.rule;
    json["saturation"] = {{"low", report.low},
                          {"high", report.high},
                          {"estimate", report.estimate},
                          {"sound", report.sound},
                          {"doubt", report.sound ? Json() : Json(report.doubt)},
                          {"last_below", report.last_below},
                          {"refused", report.refused},
                          {"most_accepted", report.most_accepted}};
    if (const auto& found = report.endurance) {
        json["endurance"] = {{"times", found->times},
                             {"runs", kSeeds},
                             {"held", found->held},
                             {"collapses", found->collapses},
                             {"collapsed", found->collapsed},
                             {"recovered", found->recovered},
                             {"rising", found->rising},
                             {"after_ns", Json::list(found->after, [](Duration after) { return after.ns(); })}};
    }
    json["durations"] = report.durations;
    json["curves"] = results_json(report.by_duration)["rows"];
    json["points"] = Json::list(report.runs, [&report](const SaturationRun& run) {
        Json point = report.run_listing.json(run);
        point.add("saturated", run.saturated);
        return point;
    });
    return json;
}

}  // namespace ringmesh::lab
