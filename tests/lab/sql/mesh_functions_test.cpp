// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <string>
#include <variant>

#include "lab/sql/database.h"
#include "tlm/error.h"

namespace ringmesh::lab::mesh_functions_test {
namespace {

double value_of(const std::string& expression)
{
    return real_argument(Database().query("SELECT " + expression).rows.at(0).at(0));
}

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(sql_mesh_functions)

/// [BOOKSIM2] without load: 33.25 cycles for one flit, 37.25 for five.
BOOST_AUTO_TEST_CASE(latencies_take_the_cycles_of_router_and_terminal_and_the_flits)
{
    const auto near = boost::test_tools::tolerance(1e-12);
    BOOST_TEST(value_of("mesh_mean_latency_cycles(8, 8, 5, 2, 1)") == 33.25, near);
    BOOST_TEST(value_of("mesh_mean_latency_cycles(8, 8, 5, 2, 5)") == 37.25, near);
    BOOST_TEST(value_of("mesh_latency_cycles(3, 5, 2, 5)") == 4 * 5 + 2 + 4, near);
}

/// Half of what the nodes of a row send crosses its middle.
BOOST_AUTO_TEST_CASE(the_capacity_takes_columns_and_rows)
{
    BOOST_TEST(value_of("mesh_capacity(8, 8)") == 0.5);
    BOOST_TEST(value_of("mesh_capacity(4, 8)") == value_of("mesh_capacity(8, 4)"));
}

BOOST_AUTO_TEST_CASE(a_torus_has_twice_the_capacity_and_short_buffers_a_rate)
{
    BOOST_TEST(value_of("torus_capacity(8, 8)") == 1.0);
    BOOST_TEST(value_of("mesh_channel_rate(2, 4, 1)") == 0.4);
}

BOOST_AUTO_TEST_CASE(what_is_no_mesh_is_refused)
{
    BOOST_CHECK_THROW(value_of("mesh_capacity(1, 1)"), UserError);
    BOOST_CHECK_THROW(value_of("mesh_latency_cycles(-1, 5, 2, 1)"), UserError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace ringmesh::lab::mesh_functions_test
