// SPDX-License-Identifier: Apache-2.0
#include "lab/saturation/search.h"
#include "tests/cases.h"

#include <cmath>

namespace {

using namespace ringmesh::lab;

/// A network that accepts all load up to a limit, and the limit above it.
LoadPoint ideal(double load, double limit)
{
    return {.load = load,
            .accepted_part = std::min(1.0, limit / load),
            .accepted_load = 1000 * std::min(load, limit),
            .latency_mean_ns = 1000};
}

template <class Point>
SaturationSearch searched(const Point& point, std::size_t* runs = nullptr)
{
    SaturationSearch search{SaturationRule{}};
    search.run([&](std::span<const double> loads, int) {
        std::vector<LoadPoint> points;
        for (const double load : loads) points.push_back(point(load));
        if (runs != nullptr) *runs += points.size();
        return points;
    });
    return search;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(saturation_search)

// Below 95 % from limit / 0.95 on; found to 1/128, or 3/512 in the first step of the grid.
BOOST_DATA_TEST_CASE(the_load_of_saturation_is_found_to_a_128th, data::make({0.1, 0.31, 0.5, 0.77, 0.94}), limit)
{
    std::size_t runs = 0;
    const auto search = searched([limit](double load) { return ideal(load, limit); }, &runs);
    BOOST_TEST(runs == SaturationSearch::kRuns);
    BOOST_TEST(search.last_below()->load <= limit / 0.95);
    BOOST_TEST(search.first_above()->load >= limit / 0.95);
    BOOST_TEST(search.first_above()->load - search.last_below()->load <= 1.0 / 128 + 1e-12);
    for (std::size_t i = 1; i < search.points().size(); ++i) {
        BOOST_TEST(search.points()[i - 1].load < search.points()[i].load);
    }
}

BOOST_AUTO_TEST_CASE(a_network_that_accepts_all_has_no_saturated_load)
{
    std::size_t runs = 0;
    const auto search = searched([](double load) { return ideal(load, 2); }, &runs);
    BOOST_TEST(runs == 9u);
    BOOST_TEST(search.first_above() == nullptr);
    BOOST_TEST(search.last_below()->load == 1.0);
    BOOST_TEST(search.most_accepted()->load == 1.0);
}

BOOST_AUTO_TEST_CASE(a_network_that_is_saturated_from_the_start_has_no_load_below)
{
    const auto search = searched([](double load) { return ideal(load, 0.01); });
    BOOST_TEST(search.last_below() == nullptr);
    BOOST_TEST(search.first_above()->load == search.points().front().load);
}

BOOST_AUTO_TEST_CASE(a_latency_above_ten_times_the_lowest_is_saturation_too)
{
    const auto search = searched([](double load) {
        LoadPoint point = ideal(load, 2);
        point.latency_mean_ns = load > 0.6 ? 10'001 : load > 0.03125 ? 10'000 : 1000;
        return point;
    });
    BOOST_TEST(search.first_above()->load > 0.6);
    BOOST_TEST(search.last_below()->load <= 0.6);
}

BOOST_AUTO_TEST_CASE(a_run_that_got_stuck_is_saturated_and_has_accepted_nothing)
{
    const auto search = searched([](double load) {
        LoadPoint point = ideal(load, 2);
        point.stuck = load > 0.4;
        return point;
    });
    BOOST_TEST(search.first_above()->load > 0.4);
    BOOST_TEST(search.most_accepted()->load <= 0.4);
    const auto none = searched([](double load) { return LoadPoint{.load = load, .stuck = true}; });
    BOOST_TEST(none.most_accepted() == nullptr);
}

/// Saturated from 0.6 on; one run at 0.375 is an outlier.
BOOST_AUTO_TEST_CASE(runs_that_do_not_agree_are_all_in_the_interval)
{
    const auto search = searched([](double load) { return ideal(load, load == 0.375 ? 0.3 : load < 0.6 ? 2 : 0.3); });
    BOOST_TEST(search.ambiguous());
    BOOST_TEST(search.last_below()->load < 0.375);
    BOOST_TEST(search.last_below()->load >= 0.25);
    BOOST_TEST(search.first_above()->load >= 0.6);
    BOOST_TEST(search.first_above()->load <= 0.625);
    const auto clean = searched([](double load) { return ideal(load, 0.5); });
    BOOST_TEST(!clean.ambiguous());
}

BOOST_AUTO_TEST_CASE(a_network_that_recovers_at_the_highest_load_has_no_saturation_load)
{
    const auto search = searched([](double load) { return ideal(load, load == 0.75 ? 0.3 : 2); });
    BOOST_TEST(search.ambiguous());
    BOOST_TEST(search.first_above() == nullptr);
    BOOST_TEST(search.last_below()->load < 0.75);
    BOOST_TEST(search.last_below()->load >= 0.625);
}

BOOST_AUTO_TEST_CASE(each_state_says_which_part_of_the_rule_was_broken)
{
    const auto search = searched([](double load) {
        LoadPoint point = ideal(load, 0.8);
        if (load >= 0.5) point.latency_mean_ns = 10'001;
        point.stuck = load == 1;
        return point;
    });
    for (const LoadPoint& point : search.points()) {
        const auto expected = point.load == 1           ? LoadState::kStuck
                              : point.load > 0.8 / 0.95 ? LoadState::kLittleAccepted
                              : point.load >= 0.5       ? LoadState::kLate
                                                        : LoadState::kBelow;
        BOOST_TEST((search.state(point) == expected));
    }
}

BOOST_AUTO_TEST_CASE(runs_between_the_loads_of_the_grid_are_longer_and_none_is_at_the_same_load_twice)
{
    SaturationSearch search{SaturationRule{}};
    std::vector<int> durations;
    search.run([&](std::span<const double> loads, int times_the_duration) {
        durations.push_back(times_the_duration);
        std::vector<LoadPoint> points;
        for (const double load : loads) points.push_back(ideal(load, load == 0.375 || load > 0.6 ? 0.3 : 2));
        return points;
    });
    BOOST_TEST((durations == std::vector<int>{1, SaturationSearch::kLonger, SaturationSearch::kLonger}));
    for (std::size_t i = 1; i < search.points().size(); ++i) {
        BOOST_TEST(search.points()[i - 1].load < search.points()[i].load);
    }
}

BOOST_AUTO_TEST_CASE(loads_that_sources_cannot_offer_are_left_out)
{
    SaturationSearch search{SaturationRule{}};
    search.run([&](std::span<const double> loads, int) {
        std::vector<LoadPoint> points;
        for (const double load : loads) {
            if (load < 0.7) points.push_back(ideal(load, 2));
        }
        return points;
    });
    BOOST_TEST(search.last_below()->load == 0.625);
    BOOST_TEST(search.first_above() == nullptr);
    BOOST_TEST(search.points().size() == 6u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
