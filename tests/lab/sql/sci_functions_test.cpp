// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <variant>

#include "lab/sql/database.h"
#include "tests/cases.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::lab;

workloads::Cell cell(const std::string& expression)
{
    return Database().query("SELECT " + expression).rows.at(0).at(0);
}
double number(const std::string& expression) { return std::get<double>(cell(expression)); }

const std::string kTestbed = "2085, 7, 60, 670";  // o, l_p, l_f, l_s [000 Table 1]
const auto kClose = boost::test_tools::tolerance(1e-9);

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(sci_functions)

// [000 eq. 22 to 25]
BOOST_DATA_TEST_CASE(ping_pongs_are_the_papers_with_published_and_with_given_components,
                     data::make({1, 2, 3, 4}) ^ data::make({4177.0, 4244.0, 4311.0, 4378.0}), hops, expected)
{
    const std::string h = std::to_string(hops);
    BOOST_TEST(number("sci_ping_pong_ns(" + h + ", 64)") == expected, kClose);
    BOOST_TEST(number("sci_ping_pong_ns(" + h + ", 2085, 7, 60)") == expected, kClose);
}

BOOST_AUTO_TEST_CASE(a_request_on_a_torus_pays_its_hops_and_its_change_of_dimension)
{
    // From (0, 0) to (2, 1) on 3x3: 3 links, a change, a node passed
    BOOST_TEST(number("sci_torus_request_ns('3x3', 0, 5, " + kTestbed + ")") == 2 * 2085 + 3 * 7 + 60 + 670.0, kClose);
    BOOST_TEST(number("sci_torus_request_ns('8', 0, 3, " + kTestbed + ")") == number("sci_request_ns(8, 3, 64)"),
               kClose);
    BOOST_TEST(
        number("sci_torus_average_ns('8', " + kTestbed + ")") == number("sci_average_ns(1, 8, " + kTestbed + ")"),
        kClose);
}

BOOST_AUTO_TEST_CASE(crossovers_of_equation_17_are_there_and_null_where_there_is_none)
{
    // The closed form 2 (l_s - l_f) / (l_f + l_p) [000 6.1]
    BOOST_TEST(number("sci_crossover_of_ring_and_torus(" + kTestbed + ")") == 2 * 610 / 67.0, kClose);
    BOOST_TEST(number("sci_crossover_nodes(1, " + kTestbed + ")") == 2 * 610 / 67.0,
               boost::test_tools::tolerance(1e-3));
    BOOST_TEST(std::holds_alternative<std::monostate>(cell("sci_crossover_nodes(1, 2085, 7, 60, 1e9)")));
}

BOOST_AUTO_TEST_CASE(null_in_gives_null_out)
{
    BOOST_TEST(std::holds_alternative<std::monostate>(cell("sci_overhead_ns(NULL)")));
    BOOST_TEST(std::holds_alternative<std::monostate>(cell("sci_loaded_ns(8, 5.0)")));  // saturated
}

BOOST_DATA_TEST_CASE(arguments_out_of_their_range_are_errors_with_the_functions_name,
                     data::make({"sci_overhead_ns(63)", "sci_overhead_ns(64.5)", "sci_overhead_ns('64')",
                                 "sci_torus_average_ns('4xx4', 2085, 7, 60, 670)",
                                 "sci_torus_average_ns(44, 2085, 7, 60, 670)",
                                 "sci_torus_request_ns('3x3', 0, 9, 2085, 7, 60, 670)"}),
                     expression)
{
    const std::string text = expression;
    BOOST_CHECK_EXCEPTION(cell(text), UserError, [&text](const UserError& error) {
        return std::string(error.what()).find(text.substr(0, text.find('('))) != std::string::npos;
    });
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
