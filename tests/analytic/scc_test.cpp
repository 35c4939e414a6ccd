// SPDX-License-Identifier: Apache-2.0
#include "analytic/scc.h"

#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "tests/support/cases.h"

namespace ringmesh::analytic::scc_test {
namespace {

namespace tt = boost::test_tools;

constexpr SccClocks kPreset{.core = Frequency::hertz(533'333'333), .mesh = 800_MHz, .memory = 800_MHz};
constexpr SccClocks kOneClock{.core = 800_MHz, .mesh = 800_MHz, .memory = 800_MHz};

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(analytic_scc)

BOOST_AUTO_TEST_CASE(with_one_clock_the_guides_constants_add_up)
{
    BOOST_TEST(scc_own_buffer_read() == 15);
    BOOST_TEST(scc_buffer_read(kOneClock, 0) == 45 + 8);
    BOOST_TEST(scc_buffer_read(kOneClock, 8) == 45 + 8 * 9);
    BOOST_TEST(scc_memory_read(kOneClock, 0) == 40 + 8 + 46);
    BOOST_TEST(scc_memory_read(kOneClock, 3) == 40 + 8 * 4 + 46);
}

BOOST_AUTO_TEST_CASE(each_clock_counts_its_own_part, *boost::unit_test::tolerance(1e-6))
{
    BOOST_TEST(scc_hop(kPreset) == 8 * 533.333333 / 800);
    BOOST_TEST(scc_buffer_read(kPreset, 1) == 45 + 2 * 8 * 533.333333 / 800);
    BOOST_TEST(scc_memory_read(kPreset, 0) == 40 + 8 * 533.333333 / 800 + 46 * 533.333333 / 800);
    SccClocks slow_memory = kPreset;
    slow_memory.memory = 400_MHz;
    BOOST_TEST(scc_memory_read(slow_memory, 0) - scc_memory_read(kPreset, 0) == 46 * 533.333333 / 800);
    BOOST_TEST(scc_buffer_read(slow_memory, 0) == scc_buffer_read(kPreset, 0));
}

BOOST_AUTO_TEST_CASE(the_guide_misses_the_measured_points_by_a_constant_of_load_and_loop)
{
    // [BF]: 63 and 102 cycles of a buffer 1 and 8 hops away, 97.3 of memory
    BOOST_TEST(63 - scc_buffer_read(kPreset, 1) == 7, tt::tolerance(0.1));
    BOOST_TEST(102 - scc_buffer_read(kPreset, 8) == 9, tt::tolerance(0.1));
    BOOST_TEST(97.3 - scc_memory_read(kPreset, 0) == 21, tt::tolerance(0.1));
}

BOOST_AUTO_TEST_CASE(invalid_arguments_are_refused)
{
    BOOST_CHECK_THROW(scc_buffer_read(kPreset, -1), std::domain_error);
    BOOST_CHECK_THROW(scc_memory_read(kPreset, -1), std::domain_error);
    BOOST_CHECK_THROW(scc_hop({.core = 1_MHz, .mesh = Frequency{}, .memory = 1_MHz}), std::domain_error);
    BOOST_CHECK_THROW(mesh_latency(-1, 4, 0, 1), std::domain_error);
    BOOST_CHECK_THROW(mesh_latency(0, 4, 0, 0), std::domain_error);
    BOOST_CHECK_THROW(mesh_capacity(1, 1), std::domain_error);
    BOOST_CHECK_THROW(torus_capacity(1, 1), std::domain_error);
    BOOST_CHECK_THROW(mesh_channel_rate(0, 3, 1), std::domain_error);
    BOOST_CHECK_THROW(mean_mesh_latency(0, 4, 5, 2, 1), std::domain_error);
}

/// All links of a ring of an odd number carry the same; of an even one if half of the longest ways go either way round.
BOOST_AUTO_TEST_CASE(the_capacity_of_a_torus_is_that_of_the_mean_way_around, *boost::unit_test::tolerance(1e-12))
{
    BOOST_TEST(torus_capacity(8, 8) == 1.0);
    BOOST_TEST(torus_capacity(16, 4) == 0.5);
    BOOST_TEST(torus_capacity(16, 4) == 2 * mesh_capacity(16, 4));
    BOOST_TEST(torus_capacity(2, 1) == mesh_capacity(2, 1));
    for (const int odd : {3, 5, 9}) {
        double ways = 0;
        for (int to = 1; to < odd; ++to) ways += std::min(to, odd - to);
        BOOST_TEST(torus_capacity(odd, 1) == 1 / (ways / odd / 2));
    }
}

BOOST_AUTO_TEST_CASE(a_channel_carries_a_buffer_for_each_round_trip, *boost::unit_test::tolerance(1e-12))
{
    BOOST_TEST(mesh_channel_rate(2, 4, 1) == 0.4);
    BOOST_TEST(mesh_channel_rate(2, 1, 1) == 0.5);
    BOOST_TEST(mesh_channel_rate(3, 3, 3) == 1 / 3.0);
    BOOST_TEST(mesh_channel_rate(8, 3, 1) == 1.0);
}

BOOST_AUTO_TEST_CASE(the_mean_latency_is_that_of_all_pairs, *boost::unit_test::tolerance(1e-12))
{
    const std::vector<std::pair<int, int>> shapes{{8, 8}, {6, 4}, {5, 3}, {1, 7}};
    for (const auto& [columns, rows] : shapes) {
        double sum = 0;
        for (int a = 0; a < columns * rows; ++a) {
            for (int b = 0; b < columns * rows; ++b) {
                const int hops = std::abs(a % columns - b % columns) + std::abs(a / columns - b / columns);
                sum += mesh_latency(hops, 5, 2, 3);
            }
        }
        const double pairs = static_cast<double>(columns) * rows * columns * rows;
        BOOST_TEST(mean_mesh_latency(columns, rows, 5, 2, 3) == sum / pairs);
    }
    // The result of a flit-level simulator for this mesh
    BOOST_TEST(mean_mesh_latency(8, 8, 5, 2, 1) == 33.25);
    BOOST_TEST(mean_mesh_latency(8, 8, 5, 2, 5) == 37.25);
}

BOOST_AUTO_TEST_CASE(the_capacity_is_that_of_the_fullest_link, *boost::unit_test::tolerance(1e-12))
{
    const std::vector<std::pair<int, int>> shapes{{8, 8}, {6, 4}, {5, 3}, {2, 1}, {7, 7}};
    for (const auto& [columns, rows] : shapes) {
        // Packets over each eastward link of a row and each northward link of a column, XY routing
        double fullest = 0;
        for (int cut = 1; cut < columns; ++cut) {
            fullest = std::max(fullest, static_cast<double>(cut) * (columns - cut) / columns);
        }
        for (int cut = 1; cut < rows; ++cut) {
            fullest = std::max(fullest, static_cast<double>(cut) * (rows - cut) / rows);
        }
        BOOST_TEST(mesh_capacity(columns, rows) == 1 / fullest);
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace ringmesh::analytic::scc_test
