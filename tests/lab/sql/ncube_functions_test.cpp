// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "analytic/ncube.h"
#include "lab/sql/database.h"
#include "lab/truth/ledger/published.h"
#include "tests/cases.h"
#include "tlm/error.h"

namespace ringmesh::lab::ncube_functions_test {
namespace {

double value_of(const std::string& expression)
{
    return real_argument(Database().query("SELECT " + expression).rows.at(0).at(0));
}

constexpr analytic::NcubeTimes kTimes{.e = 1000, .r = 200, .s = 150, .f = 400, .u = 300, .a = 100};
constexpr const char* kSixTimes = "1000, 200, 150, 400, 300, 100)";

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(sql_ncube_functions)

/// They are in the formulas, which do not read the rows, and in the rows.
BOOST_DATA_TEST_CASE(the_six_lines_are_those_of_the_published_rows, data::make({"E", "R", "S", "F", "U", "A"}), name)
{
    const Published published(RINGMESH_SOURCE_DIR "/studies/ncube/published.csv");
    const std::string time = name;
    const double base = published.value("ncube.line." + time + ".base");
    const double slope = published.value("ncube.line." + time + ".slope");
    BOOST_TEST(value_of("ncube_time_us('" + time + "', 0)") == base);
    BOOST_TEST(value_of("ncube_time_us('" + time + "', 2000)") == base + slope * 2000);
}

BOOST_AUTO_TEST_CASE(a_time_of_another_name_and_a_negative_size_are_refused)
{
    BOOST_CHECK_THROW(value_of("ncube_time_us('X', 16)"), UserError);
    BOOST_CHECK_THROW(value_of("ncube_time_us('E', -1)"), UserError);
}

BOOST_AUTO_TEST_CASE(programs_take_the_six_times_in_the_reports_order)
{
    const std::string times = kSixTimes;
    BOOST_TEST(value_of("ncube_message_us(4, " + times) == analytic::ncube_message(kTimes, 4));
    BOOST_TEST(value_of("ncube_chain_us(8, " + times) == analytic::ncube_chain(kTimes, 8));
    BOOST_TEST(value_of("ncube_exchange_us(" + times) == analytic::ncube_exchange(kTimes));
    BOOST_TEST(value_of("ncube_stream_us(8, " + times) == analytic::ncube_stream(kTimes, 8));
    BOOST_TEST(value_of("ncube_broadcast_us(6, " + times) == analytic::ncube_broadcast(kTimes, 6));
    BOOST_TEST(value_of("ncube_all_to_all_us(6, " + times) == analytic::ncube_all_to_all(kTimes, 6));
}

/// [001 5.2]: 440 us each 2800, 2830 and 3070 us slow to 1.19, 1.45 and 1.75.
BOOST_AUTO_TEST_CASE(the_slowdown_takes_load_senders_and_period)
{
    const auto near = boost::test_tools::tolerance(0.005);
    BOOST_TEST(value_of("ncube_interrupt_slowdown(440, 1, 2800)") == 1.19, near);
    BOOST_TEST(value_of("ncube_interrupt_slowdown(440, 2, 2830)") == 1.45, near);
    BOOST_TEST(value_of("ncube_interrupt_slowdown(440, 3, 3070)") == 1.75, near);
    BOOST_CHECK_THROW(value_of("ncube_interrupt_slowdown(440, 3, 1000)"), UserError);
}

/// Without loss at the memory the processor has its full speed.
BOOST_AUTO_TEST_CASE(the_speed_explains_what_interrupts_leave)
{
    const auto near = boost::test_tools::tolerance(1e-12);
    BOOST_TEST(value_of("ncube_processor_speed(ncube_interrupt_slowdown(330, 2, 2830), 330, 2, 2830)") == 1.0, near);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace ringmesh::lab::ncube_functions_test
