// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <string>
#include <variant>

#include "analytic/sci_components.h"
#include "analytic/sci_topology.h"
#include "lab/sql/database.h"
#include "lab/truth/ledger/published.h"
#include "tests/cases.h"
#include "tlm/error.h"

namespace ringmesh::lab::sci_functions_test {
namespace {

double value_of(const std::string& expression)
{
    return real_argument(Database().query("SELECT " + expression).rows.at(0).at(0));
}

/// Overhead, propagation, forwarding, switching of [000 Table 1].
constexpr const char* kTable1 = "2085, 7, 60, 670)";

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(sql_sci_functions)

/// The components are in the formulas, which do not read the rows, and in the rows.
BOOST_DATA_TEST_CASE(ping_pongs_are_those_of_the_published_rows, data::make({1, 2, 3, 4}), hops)
{
    const Published published(RINGMESH_SOURCE_DIR "/studies/wulfkit/published.csv");
    const std::string h = std::to_string(hops);
    const double printed = published.value("wulfkit.ping_pong." + h + "_hop_64B");
    BOOST_TEST(value_of("sci_ping_pong_ns(" + h + ", 64)") == printed);
    BOOST_TEST(value_of("sci_ping_pong_ns(" + h + ", 2085, 7, 60)") == printed);
}

BOOST_AUTO_TEST_CASE(components_stand_behind_what_is_asked_in_the_order_of_a_way)
{
    const std::string components = kTable1;
    const auto published = analytic::published_components(64_B);
    BOOST_TEST(value_of("sci_crossover_nodes(2, " + components) == analytic::crossover(2, published).value());
    BOOST_TEST(value_of("sci_average_ns(3, 1000, " + components) ==
               analytic::average_latency(analytic::average_way(3, 1000), published));
    BOOST_TEST(value_of("sci_torus_request_ns('4x8', 0, 9, " + components) == 2 * 2085 + 3 * 7 + 60 + 670);
}

BOOST_AUTO_TEST_CASE(a_torus_is_a_text)
{
    BOOST_TEST(value_of("sci_nodes('3x4x5')") == 60);
    BOOST_TEST(value_of("sci_dimensions('3x4x5')") == 3);
    BOOST_TEST(value_of("sci_nodes('8')") == 8);
    BOOST_CHECK_THROW(value_of("sci_nodes(8)"), UserError);
    BOOST_CHECK_THROW(value_of("sci_nodes('4x')"), UserError);
    BOOST_CHECK_THROW(value_of("sci_nodes('1x4')"), UserError);
}

/// From one corner of 3x3 there are four nodes on two rings, at 1 and 2 hops each, and four that need both.
BOOST_AUTO_TEST_CASE(averages_over_destinations)
{
    const auto near = boost::test_tools::tolerance(1e-12);
    BOOST_TEST(value_of("sci_average_hops('3x3')") == 18.0 / 8, near);
    BOOST_TEST(value_of("sci_average_switches('3x3')") == 4.0 / 8, near);
    BOOST_TEST(value_of("sci_average_switches('9')") == 0.0, near);
}

/// docs/reference/analytic.md has the bounds.
BOOST_AUTO_TEST_CASE(switching_by_stages_takes_mode_bus_and_fifos)
{
    const auto near = boost::test_tools::tolerance(1e-9);
    const auto stages = [](const std::string& arguments) { return value_of("sci_switching_stages_ns(" + arguments); };
    BOOST_TEST(stages(")") == 643.0, near);
    BOOST_TEST(stages("'store-and-forward', 50, 8, 106, 82)") == 643.0, near);
    BOOST_TEST(stages("'store-and-forward', 100, 8, 106, 82)") == 523.0, near);
    BOOST_TEST(stages("'store-and-forward', 50, 16, 106, 82)") == 563.0, near);
    BOOST_TEST(stages("'store-and-forward', 50, 8, 53, 41)") == 549.0, near);
    BOOST_TEST(stages("'store-and-forward', 0, 8, 106, 82)") == 403.0, near);
    BOOST_TEST(stages("'cut-through-receive', 50, 8, 106, 82)") == 448.0, near);
    BOOST_TEST(stages("'cut-through', 50, 8, 106, 82)") == 268.0, near);
    BOOST_CHECK_THROW(stages("'wormhole', 50, 8, 106, 82)"), UserError);
}

/// On lines in log N: 10 at 4 and 20 at 16 cross 15 at both at their geometric mean.
BOOST_AUTO_TEST_CASE(two_series_cross_between_their_sizes)
{
    const std::string series = "(VALUES (1, 4, 10), (1, 16, 20), (2, 4, 15), (2, 16, 15))";
    const auto near = boost::test_tools::tolerance(1e-9);
    const auto of = [&series](const std::string& what) {
        return value_of(what + "(column1, column2, column3) FROM " + series);
    };
    BOOST_TEST(of("sci_crossover") == 8.0, near);
    BOOST_TEST(of("sci_crossover_below") == 4.0);
    BOOST_TEST(of("sci_crossover_above") == 16.0);
}

BOOST_AUTO_TEST_CASE(null_in_gives_null_out_and_so_does_what_is_not_there)
{
    for (const char* expression : {"sci_overhead_ns(NULL)", "sci_loaded_ns(8, 0.99)",  // saturated
                                   "sci_crossover_nodes(1, 2085, 7, 60, 1e9)"}) {
        const auto cell = Database().query(std::string("SELECT ") + expression).rows.at(0).at(0);
        BOOST_TEST(std::holds_alternative<std::monostate>(cell), expression);
    }
}

BOOST_DATA_TEST_CASE(arguments_out_of_their_range_are_errors_with_the_functions_name,
                     data::make({"sci_overhead_ns(63)", "sci_overhead_ns(64.5)", "sci_overhead_ns('64')",
                                 "sci_torus_average_ns('4xx4', 2085, 7, 60, 670)",
                                 "sci_torus_average_ns(44, 2085, 7, 60, 670)",
                                 "sci_torus_request_ns('3x3', 0, 9, 2085, 7, 60, 670)"}),
                     expression)
{
    const std::string text = expression;
    BOOST_CHECK_EXCEPTION(value_of(text), UserError, [&text](const UserError& error) {
        return std::string(error.what()).find(text.substr(0, text.find('('))) != std::string::npos;
    });
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace ringmesh::lab::sci_functions_test
