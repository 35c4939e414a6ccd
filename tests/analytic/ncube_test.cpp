// SPDX-License-Identifier: Apache-2.0
#include "analytic/ncube.h"

#include <map>
#include <stdexcept>
#include <string>

#include "lab/study/description/catalog.h"
#include "lab/truth/rows/published.h"
#include "tests/support/cases.h"

namespace ringmesh::analytic::ncube_test {
namespace {

constexpr NcubeTimes kTimes{.e = 1000, .r = 200, .s = 150, .f = 400, .u = 300, .a = 100};

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(analytic_ncube)

/// [001 5.2]: 2790 us a message; [001 6]: F + S without copying
BOOST_AUTO_TEST_CASE(the_default_lines_are_the_reports)
{
    const NcubeTimes times = NcubeModel{}.at(2000);
    BOOST_TEST(times.e == 2790, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(times.f == 1360, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(times.a == 120);
    BOOST_CHECK_THROW(NcubeModel{}.at(-1), std::domain_error);
}

/// They are in the formulas, which do not read the rows, and in the rows.
BOOST_AUTO_TEST_CASE(the_default_lines_are_those_of_the_published_rows)
{
    const lab::Published published(lab::find_study("ncube") / "published.csv");
    const NcubeModel model;
    const std::map<std::string, NcubeLine> lines{{"E", model.e}, {"R", model.r}, {"S", model.s},
                                                 {"F", model.f}, {"U", model.u}, {"A", model.a}};
    for (const auto& [name, line] : lines) {
        BOOST_TEST(line.base == published.value("ncube.line." + name + ".base"), name);
        BOOST_TEST(line.slope == published.value("ncube.line." + name + ".slope"), name);
    }
}

BOOST_DATA_TEST_CASE(forwarding_saves_a_chain_its_copies, data::xrange(1, 8), hops)
{
    BOOST_TEST(ncube_chain(kTimes, hops) - ncube_message(kTimes, hops) == (hops - 1) * (kTimes.f + kTimes.u));
}

BOOST_AUTO_TEST_CASE(an_exchange_hides_the_loads_behind_a_long_transfer_and_shows_them_behind_a_short_one)
{
    BOOST_TEST(ncube_exchange(kTimes) == 400 + 1000 + 300);
    NcubeTimes brief = kTimes;
    brief.e = 300;
    BOOST_TEST(ncube_exchange(brief) == 400 + (150 + 200 + 100) + 300);
}

BOOST_AUTO_TEST_CASE(the_slowest_of_three_paces_a_stream)
{
    NcubeTimes times = kTimes;
    const auto pace = [&times] { return ncube_stream(times, 11) - ncube_stream(times, 1); };
    BOOST_TEST(pace() == 10 * times.e);
    times.e = 500;
    BOOST_TEST(pace() == 10 * (times.r + times.a + times.u));
    times.u = 100;
    BOOST_TEST(pace() == 10 * (times.f + times.s));
}

BOOST_AUTO_TEST_CASE(a_broadcast_ends_with_the_latest_of_all_ways_down_the_tree)
{
    BOOST_TEST(ncube_broadcast(kTimes, 0) == 0);
    BOOST_TEST(ncube_broadcast(kTimes, 1) == kTimes.f + kTimes.e + kTimes.u);
    // The first child's only child, or the second child
    BOOST_TEST(ncube_broadcast(kTimes, 2) == 2 * (kTimes.f + kTimes.e + kTimes.u));
    NcubeTimes slow_to_write = kTimes;
    slow_to_write.s = 5000;
    BOOST_TEST(ncube_broadcast(slow_to_write, 2) == 2 * kTimes.f + 5000 + kTimes.e + kTimes.u);
}

/// Of three others in a cube of two dimensions one is two hops away: four hops, one message to forward
BOOST_AUTO_TEST_CASE(all_to_all_is_bound_by_the_transfers_or_by_the_processors)
{
    BOOST_TEST(ncube_all_to_all(kTimes, 1) == 400 + 1000 + 300);
    BOOST_TEST(ncube_all_to_all(kTimes, 2) == 3 * (400 + 300) + 4 * 1000);
    NcubeTimes brief = kTimes;
    brief.e = 10;
    BOOST_TEST(ncube_all_to_all(brief, 2) == 3 * (400 + 150 + 100 + 300 + 200) + (200 + 150));
}

/// [001 5.2]: .84, .69 and .57 of the time are left with 440 us per message; speeds by the published slowdowns
BOOST_AUTO_TEST_CASE(interrupts_alone_and_the_speeds_are_the_reports)
{
    const double load = 440;
    BOOST_TEST(ncube_interrupt_slowdown(load, 1, 2800) == 1.19, boost::test_tools::tolerance(0.005));
    BOOST_TEST(ncube_interrupt_slowdown(load, 2, 2830) == 1.45, boost::test_tools::tolerance(0.005));
    BOOST_TEST(ncube_interrupt_slowdown(load, 3, 3070) == 1.75, boost::test_tools::tolerance(0.005));
    BOOST_CHECK_THROW(ncube_interrupt_slowdown(load, 7, 2800), std::domain_error);
    BOOST_TEST(ncube_processor_speed(1.20, 330, 1, 2800) == 0.951, boost::test_tools::tolerance(0.001));
    BOOST_TEST(ncube_processor_speed(1.61, 330, 2, 2830) == 0.854, boost::test_tools::tolerance(0.001));
    BOOST_TEST(ncube_processor_speed(3.78, 330, 3, 3070) == 0.587, boost::test_tools::tolerance(0.001));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace ringmesh::analytic::ncube_test
