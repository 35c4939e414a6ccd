// SPDX-License-Identifier: Apache-2.0
#include "lab/saturation/search.h"
#include "tests/support/cases.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace {

using namespace ringmesh::lab;
using namespace ringmesh::literals;

constexpr std::array<double, kSeeds> kSpread{-1, 0.3, -0.2, 1, -0.1};  // of the seeds, their mean is 0

/// Latencies rise exponentially with the load, to ten times the lowest at `crossing`.
LoadPoint late_from(const Trial& trial, double crossing)
{
    const double lowest = kLowestStep * kLoadStep;
    return {.accepted_part = 1,
            .accepted_load = trial.load(),
            .latency_mean_ns = 1000 * std::pow(10, (trial.load() - lowest) / (crossing - lowest))};
}

/// @param point of a trial; nothing: cannot be offered
template <class Point>
SaturationSearch searched(const Point& point, SaturationRule rule = {})
{
    SaturationSearch search(rule);
    search.run([&](std::span<const Trial> trials) {
        std::vector<std::optional<LoadPoint>> points;
        for (const Trial& trial : trials) points.push_back(point(trial));
        return points;
    });
    return search;
}

template <class Crossing>
SaturationSearch crossing_at(const Crossing& crossing, SaturationRule rule = {})
{
    return searched([&](const Trial& trial) { return late_from(trial, crossing(trial)); }, rule);
}

bool covers(const SaturationSearch& search, double load)
{
    return search.interval()->low <= load + 1e-9 && load <= search.interval()->high + 1e-9;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(saturation_search)

BOOST_DATA_TEST_CASE(seeds_and_durations_that_agree_need_three_durations, data::make({0.1, 0.31, 0.5, 0.77, 0.94}),
                     limit)
{
    const auto search = crossing_at([limit](const Trial&) { return limit; });
    BOOST_TEST(search.sound());
    BOOST_TEST(search.crossings().size() == 3u);
    BOOST_TEST(search.crossings().back().mean() == limit, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(covers(search, limit));
    BOOST_TEST(search.interval()->width() < 1e-9);
}

BOOST_AUTO_TEST_CASE(each_duration_begins_where_the_one_before_ended)
{
    const auto search = crossing_at([](const Trial& trial) { return 0.6 + 0.01 * kSpread.at(trial.seed); });
    for (const Crossings& one : search.crossings()) {
        const auto runs = std::count_if(search.points().begin(), search.points().end(),
                                        [&](const auto& point) { return point.first.times == one.times; });
        if (one.times > 1) BOOST_TEST(runs == 3 * static_cast<int>(kSeeds));  // the lowest load, and two steps
    }
}

/// Runs of one duration turn in the same place, which is wrong all the same: longer ones turn at lower loads.
BOOST_AUTO_TEST_CASE(the_interval_covers_what_much_longer_runs_say)
{
    const auto fading = [](const Trial& trial) { return 0.5 + 0.1 / trial.times; };
    const auto unending = [](const Trial& trial) { return 0.6 - 0.01 * std::log2(trial.times); };
    const auto first = crossing_at(fading);
    BOOST_TEST(first.sound());
    BOOST_TEST(covers(first, fading({.times = kHorizon})));
    BOOST_TEST(first.crossings().back().times > 4);
    const auto second = crossing_at(unending);
    BOOST_TEST(second.sound());
    BOOST_TEST(covers(second, unending({.times = kHorizon})));
    BOOST_TEST(second.crossings().back().times > 4);
}

BOOST_AUTO_TEST_CASE(durations_double_until_the_interval_is_narrow)
{
    const auto noisy = [](const Trial& trial) { return 0.6 + 0.05 * kSpread.at(trial.seed) / std::sqrt(trial.times); };
    const auto search = crossing_at(noisy, {.width = 0.05});
    BOOST_TEST(search.sound());
    BOOST_TEST(search.interval()->width() <= 0.05);
    BOOST_TEST(covers(search, 0.6));
    const auto finer = crossing_at(noisy, {.width = 0.01, .longest = 4096});
    BOOST_TEST(finer.sound());
    BOOST_TEST(finer.crossings().back().times > search.crossings().back().times);
}

/// Loads from 0.4 on may collapse, each seed at a load of its own: the interval is wide however long runs are.
BOOST_AUTO_TEST_CASE(of_a_network_that_collapses_the_largest_load_that_held_is_found)
{
    const auto search = searched([](const Trial& trial) {
        const bool collapses = trial.load() > 0.4 + 0.1 * trial.seed;
        LoadPoint point{.accepted_part = collapses ? 0.6 : 1, .accepted_load = trial.load(), .latency_mean_ns = 1000};
        // A packet under way for each 1/128 of the load, until half of the run is over
        point.backlog = {1_us, std::vector<std::int64_t>(500, trial.step)};
        if (collapses) std::fill(point.backlog->packets.begin() + 250, point.backlog->packets.end(), 100 * trial.step);
        return point;
    });
    BOOST_TEST(!search.sound());
    BOOST_TEST_REQUIRE(search.endurance().has_value());
    const Endurance& found = *search.endurance();
    BOOST_TEST(found.times == SaturationRule{}.longest);
    BOOST_TEST(*found.held == 51 * kLoadStep);
    BOOST_TEST(*found.collapses == 52 * kLoadStep);
    BOOST_TEST(found.collapsed == 1);
    BOOST_TEST(found.recovered == 0);
    BOOST_TEST_REQUIRE(found.after.size() == 1u);
    BOOST_TEST((found.after.front() == 250_us));
}

BOOST_AUTO_TEST_CASE(a_run_that_is_saturated_with_a_normal_backlog_at_its_end_has_recovered)
{
    const auto search = searched([](const Trial& trial) {
        const bool late = trial.load() > 0.4 + 0.1 * trial.seed;
        LoadPoint point{.accepted_part = late ? 0.6 : 1, .accepted_load = trial.load(), .latency_mean_ns = 1000};
        point.backlog = {1_us, std::vector<std::int64_t>(500, trial.step)};
        if (late) std::fill_n(point.backlog->packets.begin(), 250, 100 * trial.step);
        return point;
    });
    BOOST_TEST_REQUIRE(search.endurance().has_value());
    BOOST_TEST(search.endurance()->collapsed == 1);
    BOOST_TEST(search.endurance()->recovered == 1);
    BOOST_TEST(search.endurance()->after.empty());
}

/// A backlog that passed ten times the usual one of its load counts if the run ends with a usual one.
BOOST_AUTO_TEST_CASE(a_run_below_saturation_whose_backlog_grew_and_shrank_again_has_recovered)
{
    const auto search = searched([](const Trial& trial) {
        LoadPoint point = late_from(trial, 0.6);
        point.backlog = {1_us, std::vector<std::int64_t>(500, trial.step)};
        auto& packets = point.backlog->packets;
        const bool loaded = trial.load() > 0.5;
        if (loaded && trial.seed < 2) std::fill_n(packets.begin() + 100, 50, 11 * trial.step);
        if (loaded && trial.seed == 2) std::fill_n(packets.begin() + 100, 50, 9 * trial.step);
        if (loaded && trial.seed == 3) std::fill(packets.begin() + 400, packets.end(), 11 * trial.step);
        return point;
    });
    BOOST_TEST_REQUIRE(search.sound());
    const auto curve = curve_of(search);
    const int times = search.crossings().back().times;
    const auto below = std::find_if(curve.rbegin(), curve.rend(), [times](const CurvePoint& point) {
        return point.times == times && point.saturated == 0;
    });
    BOOST_TEST(below->load > 0.5);
    BOOST_TEST(search.recoveries(below->load, times) == 2);
    BOOST_TEST(search.recoveries(kLowestStep * kLoadStep, times) == 0);
}

BOOST_AUTO_TEST_CASE(a_load_holds_only_below_each_that_did_not)
{
    const auto search = searched([](const Trial& trial) {
        LoadPoint point = late_from(trial, 0.6 + 0.1 * kSpread.at(trial.seed));
        point.backlog = {1_us, std::vector<std::int64_t>(500, 10)};
        return point;
    });
    BOOST_TEST_REQUIRE(search.endurance().has_value());
    const Endurance& found = *search.endurance();
    BOOST_TEST(*found.held <= 0.5);
    BOOST_TEST(*found.held > 0.5 - 2 * kLoadStep);
    for (const auto& [trial, point] : search.points()) {
        if (trial.times == found.times && trial.load() <= *found.held) BOOST_TEST(!search.saturated(trial));
    }
}

/// By the rule it is not saturated: its packets are late, and not yet ten times so.
BOOST_AUTO_TEST_CASE(a_backlog_that_rises_does_not_hold)
{
    const auto search = searched([](const Trial& trial) {
        LoadPoint point = late_from(trial, 0.6 + 0.1 * kSpread.at(trial.seed));
        point.backlog = {1_us, std::vector<std::int64_t>(500, 10)};
        for (int i = 0; i < 500 && trial.load() > 0.4; ++i) point.backlog->packets[static_cast<std::size_t>(i)] += i;
        return point;
    });
    BOOST_TEST_REQUIRE(search.endurance().has_value());
    BOOST_TEST(*search.endurance()->held == 51 * kLoadStep);
    BOOST_TEST(search.endurance()->rising == static_cast<int>(kSeeds));
}

BOOST_AUTO_TEST_CASE(one_backlog_that_rises_may_be_a_burst)
{
    const auto search = searched([](const Trial& trial) {
        LoadPoint point = late_from(trial, 0.6 + 0.1 * kSpread.at(trial.seed));
        point.backlog = {1_us, std::vector<std::int64_t>(500, 10)};
        for (int i = 0; i < 500 && trial.seed == 2; ++i) point.backlog->packets[static_cast<std::size_t>(i)] += i;
        return point;
    });
    BOOST_TEST_REQUIRE(search.endurance().has_value());
    BOOST_TEST(*search.endurance()->held > 0.48);
}

BOOST_AUTO_TEST_CASE(a_fault_says_nothing_of_the_load)
{
    const auto search = searched([](const Trial& trial) {
        LoadPoint point = late_from(trial, 0.6 + 0.1 * kSpread.at(trial.seed));
        point.stuck = point.by_fault = trial.load() > 0.55;
        return point;
    });
    BOOST_TEST(!search.sound());
    BOOST_TEST(!search.endurance().has_value());
}

BOOST_AUTO_TEST_CASE(seeds_that_never_agree_are_told)
{
    const auto search = crossing_at([](const Trial& trial) { return 0.6 + 0.1 * kSpread.at(trial.seed); });
    BOOST_TEST((search.doubt() == Doubt::kWide));
    BOOST_TEST(search.crossings().back().times == SaturationRule{}.longest);
    BOOST_TEST(covers(search, 0.6));
}

BOOST_DATA_TEST_CASE(fewer_than_three_durations_are_never_sound, data::make({1, 2, 3}), longest)
{
    const auto search = crossing_at([](const Trial&) { return 0.6; }, {.longest = longest});
    BOOST_TEST((search.doubt() == Doubt::kTooShort));
    BOOST_TEST(search.interval().has_value() == (longest > 1));
}

/// It jumps with each doubling; past the horizon nothing is added for the movement, and each interval is narrow.
BOOST_AUTO_TEST_CASE(durations_that_contradict_each_other_are_told)
{
    const auto search =
        crossing_at([](const Trial& trial) { return static_cast<int>(std::log2(trial.times)) % 2 == 0 ? 0.3 : 0.7; },
                    {.longest = 256});
    BOOST_TEST((search.doubt() == Doubt::kMoving));
}

/// Saturated from 0.6 on, and between 0.2 and 0.3.
BOOST_AUTO_TEST_CASE(a_curve_that_turns_twice_is_told)
{
    const auto search = searched([](const Trial& trial) {
        LoadPoint point = late_from(trial, 0.6);
        if (trial.load() > 0.2 && trial.load() < 0.3) point.latency_mean_ns = 20'000;
        return point;
    });
    BOOST_TEST((search.doubt() == Doubt::kContradicted));
    BOOST_TEST_REQUIRE(search.contradiction().has_value());
    BOOST_TEST(search.contradiction()->load() < 0.6);
}

BOOST_AUTO_TEST_CASE(a_network_that_accepts_all_has_no_saturated_load)
{
    const auto search = crossing_at([](const Trial&) { return 2.0; });
    BOOST_TEST(search.sound());
    BOOST_TEST(search.crossings().back().open_above);
    BOOST_TEST(search.crossings().back().mean() == 1.0);
}

BOOST_AUTO_TEST_CASE(a_network_that_is_saturated_from_the_start_has_no_load_below)
{
    const auto search = searched([](const Trial&) { return LoadPoint{.accepted_part = 0.1, .latency_mean_ns = 1000}; });
    BOOST_TEST(search.sound());
    BOOST_TEST(search.crossings().back().open_below);
}

BOOST_AUTO_TEST_CASE(a_run_that_got_stuck_is_saturated)
{
    const auto search = searched([](const Trial& trial) {
        LoadPoint point = late_from(trial, 2);
        point.stuck = trial.load() > 0.4;
        return point;
    });
    BOOST_TEST(search.sound());
    BOOST_TEST(search.crossings().back().mean() > 0.4 - kLoadStep);
    BOOST_TEST(search.crossings().back().mean() < 0.4 + kLoadStep);
    const auto none = searched([](const Trial&) { return LoadPoint{.stuck = true}; });
    BOOST_TEST(none.crossings().back().open_below);
}

BOOST_AUTO_TEST_CASE(loads_that_sources_cannot_offer_are_left_out)
{
    const auto search = searched(
        [](const Trial& trial) { return trial.load() < 0.7 ? std::optional(late_from(trial, 2)) : std::nullopt; });
    BOOST_TEST(search.sound());
    BOOST_TEST(search.crossings().back().open_above);
    BOOST_TEST(search.crossings().back().mean() < 0.7);
    BOOST_TEST(search.crossings().back().mean() > 0.7 - 2 * kLoadStep);
    BOOST_TEST(*search.refused() >= 0.7);
    for (const auto& [trial, point] : search.points()) BOOST_TEST(trial.load() < 0.7);
    BOOST_TEST(searched([](const Trial&) { return std::optional<LoadPoint>(); }).points().empty());
}

BOOST_AUTO_TEST_CASE(runs_that_cannot_be_longer_end_the_search)
{
    const auto search = searched(
        [](const Trial& trial) { return trial.times <= 2 ? std::optional(late_from(trial, 0.6)) : std::nullopt; });
    BOOST_TEST((search.doubt() == Doubt::kTooShort));
    BOOST_TEST(covers(search, 0.6));
    BOOST_TEST(!search.refused().has_value());
}

BOOST_AUTO_TEST_CASE(each_state_says_which_part_of_the_rule_was_broken)
{
    const auto search = searched([](const Trial& trial) {
        LoadPoint point{.accepted_part = std::min(1.0, 0.8 / trial.load()), .latency_mean_ns = 1000};
        if (trial.load() >= 0.5) point.latency_mean_ns = 10'001;
        point.stuck = trial.step == kHighestStep;
        return point;
    });
    for (const auto& [trial, point] : search.points()) {
        const auto expected = trial.load() == 1           ? LoadState::kStuck
                              : trial.load() > 0.8 / 0.95 ? LoadState::kLittleAccepted
                              : trial.load() >= 0.5       ? LoadState::kLate
                                                          : LoadState::kBelow;
        BOOST_TEST((search.state(trial) == expected));
    }
}

/// Short runs accept more above saturation than any network does for long.
BOOST_AUTO_TEST_CASE(most_is_accepted_in_runs_of_the_longest_duration)
{
    const auto transient = [](const Trial& trial) {
        LoadPoint point = late_from(trial, 0.5);
        if (trial.times == 1) point.accepted_load += trial.load() > 0.5 ? 1 : 0;
        return point;
    };
    const auto search = searched(transient);
    BOOST_TEST_REQUIRE(search.sound());
    const auto curve = curve_of(search);
    const CurvePoint* most = most_accepted(search, curve);
    BOOST_TEST_REQUIRE(most != nullptr);
    BOOST_TEST(most->times == search.crossings().back().times);
    BOOST_TEST(most->mean.accepted_load < 0.52);
}

BOOST_AUTO_TEST_CASE(a_curve_by_duration_has_runs_of_that_duration_alone)
{
    // What is accepted depends on the duration
    const auto search = searched([](const Trial& trial) {
        LoadPoint point = late_from(trial, 0.5);
        point.accepted_load = trial.times;
        return point;
    });
    const auto curves = curves_by_duration(search);
    std::size_t runs = 0;
    for (std::size_t i = 0; i < curves.size(); ++i) {
        BOOST_TEST(curves[i].mean.accepted_load == curves[i].times);
        runs += static_cast<std::size_t>(curves[i].all);
        if (i == 0) continue;
        BOOST_TEST((std::pair(curves[i - 1].times, curves[i - 1].load) < std::pair(curves[i].times, curves[i].load)));
    }
    BOOST_TEST(runs == search.points().size());
    BOOST_TEST(curves.back().times == search.crossings().back().times);
    BOOST_TEST(curves.front().times == 1);
}

BOOST_AUTO_TEST_CASE(nothing_is_said_of_most_if_the_search_is_not_sound)
{
    const auto search = searched([](const Trial& trial) { return late_from(trial, 0.5); }, {.longest = 2});
    BOOST_TEST(!search.sound());
    BOOST_TEST(most_accepted(search, curve_of(search)) == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
