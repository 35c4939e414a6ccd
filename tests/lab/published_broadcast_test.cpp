// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "lab/published_broadcast.h"

namespace {

using namespace ringmesh::lab;

struct Sum {
    int cells = 0;
    double seconds = 0;
    double means = 0;
};

std::map<std::int64_t, Sum> sums_by_size(std::span<const PublishedTime> times)
{
    std::map<std::int64_t, Sum> sums;
    for (const PublishedTime& time : times) {
        Sum& sum = sums[time.size];
        ++sum.cells;
        sum.seconds += time.seconds;
        sum.means += time.mean_seconds;
    }
    return sums;
}

const auto kNear = boost::test_tools::tolerance(1e-10);

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(published_broadcasts)

/// [004 5.5], added up column by column.
BOOST_AUTO_TEST_CASE(the_columns_of_the_part_sizes_add_up_to_those_that_were_printed)
{
    auto sums = sums_by_size(published_part_sizes());
    BOOST_TEST(sums.size() == 3u);
    const std::map<std::int64_t, Sum> printed{
        {50'000, {8, 0.030731, 0.031878}}, {190'000, {10, 0.275647, 0.286583}}, {1'900'000, {12, 7.482745, 7.503581}}};
    for (const auto& [size, sum] : printed) {
        BOOST_TEST(sums[size].cells == sum.cells);
        BOOST_TEST(sums[size].seconds == sum.seconds, kNear);
        BOOST_TEST(sums[size].means == sum.means, kNear);
    }
}

/// [004 6.3], likewise.
BOOST_AUTO_TEST_CASE(the_columns_of_the_pipe_sizes_add_up_to_those_that_were_printed)
{
    auto sums = sums_by_size(published_pipe_sizes());
    BOOST_TEST(sums.size() == 3u);
    const std::map<std::int64_t, Sum> printed{
        {50'000, {6, 0.007263949, 0}}, {190'000, {6, 0.032726555, 0}}, {1'900'000, {6, 0.506666437, 0}}};
    for (const auto& [size, sum] : printed) {
        BOOST_TEST(sums[size].cells == sum.cells);
        BOOST_TEST(sums[size].seconds == sum.seconds, kNear);
        BOOST_TEST(sums[size].means == 0.0);
    }
}

BOOST_AUTO_TEST_CASE(no_cell_is_listed_twice_and_every_cut_is_a_power_of_two)
{
    for (const auto times : {published_part_sizes(), published_pipe_sizes()}) {
        std::set<std::pair<std::int64_t, std::int64_t>> cells;
        for (const PublishedTime& time : times) {
            BOOST_TEST(cells.emplace(time.size, time.cut).second, time.size << " B by " << time.cut);
            BOOST_TEST((time.cut & (time.cut - 1)) == 0);
            BOOST_TEST((time.mean_seconds == 0 || time.mean_seconds >= time.seconds));
        }
    }
}

/// Ticks of 1 ns, whatever the cores ran at: the table of pipe sizes shows it to the last digit.
BOOST_AUTO_TEST_CASE(times_by_pipe_size_are_whole_ticks_of_a_clock_of_1_ghz)
{
    for (const PublishedTime& time : published_pipe_sizes()) {
        const double ticks = time.seconds * 1e9;
        BOOST_TEST(std::abs(ticks - std::round(ticks)) < 1e-3, time.seconds);
    }
}

BOOST_AUTO_TEST_CASE(every_statement_is_found_by_its_id)
{
    for (const PublishedRow& row : published_broadcast()) {
        BOOST_TEST(&published_row(row.id) == &row);
        BOOST_TEST(row.id.starts_with("scc.broadcast."));
        BOOST_TEST(row.kind == "claim");
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
