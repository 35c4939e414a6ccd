// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>
#include <variant>

#include "analytic/ncube.h"
#include "analytic/sci/components.h"
#include "analytic/sci/topology.h"
#include "lab/sql/database.h"
#include "lab/truth/rows/published.h"
#include "tests/support/cases.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::lab;

/// Over a table of the rows (x, a, b).
workloads::Cell cell_of_sql(const std::string& expression)
{
    Database database;
    database.execute("CREATE TABLE curve (x, a, b)");
    database.execute("INSERT INTO curve VALUES (4, 8.0, 5.0), (1, 2.0, 4.0), (2, 4.0, 4.5), (3, 5.0, NULL)");
    const bool has_rows = expression.find(" FROM ") != std::string::npos;
    return database.query("SELECT " + expression + (has_rows ? "" : " FROM curve LIMIT 1")).rows.at(0).at(0);
}

double number_of_sql(const std::string& expression) { return real_argument(cell_of_sql(expression)); }

struct Expected {
    const char* sql;
    double value;
    double tolerance = 1e-12;
};
std::ostream& operator<<(std::ostream& stream, const Expected& expected) { return stream << expected.sql; }

constexpr double kCore = 533.333333;  // MHz, as the guide has it
constexpr double kMesh = 800;
constexpr double kStudent1 = 12.7062;            // Student's t of one degree of freedom [any table]
constexpr double kStudent3 = 3.182446305284263;  // of three

const Expected kExpected[] = {
    // Rows with NULL are left out, and the order of rows does not matter: (1, 4), (2, 4.5), (4, 5)
    {"slope(x, b)", 0.32142857142857, 1e-9},
    {"intercept(x, b)", 3.75},
    {"mean(b)", 4.5},
    {"median(a)", 4.5},
    {"quantile(a, 0.25)", 3.5},
    {"deviation(b)", 0.5},
    {"at_least(x, a)", 1},
    {"at_most(x, a)", 4},
    {"slope(min(x, 2), a)", 11.0 / 3},  // a line may have several y for an x
    {"rises_after(x, a)", 3},
    // a - b is -2, -0.5 at 1 and 2, and 3 at 4, as 3 has no b
    {"crossover(x, a, b)", 2 + 2 * 0.5 / 3.5},
    {"saturated(0.94, 10, 10)", 1},
    {"saturated(0.95, 101, 10)", 1},
    {"saturated(0.95, 100, 10)", 0},
    {"batch_ci95(x, a, 2)", kStudent1 * 3.5 / 2, 1e-5},  // means of batches: 3 and 6.5
    {"batch_ci95(-x, a, 2)", kStudent1 * 3.5 / 2, 1e-5},
    {"batch_ci95(x, b, 2)", kStudent1 * 0.5 / 2, 1e-5},  // the first of three is dropped
    {"ci95(x)", kStudent3* std::sqrt(5.0 / 3 / 4), 1e-9},
    {"unevenness(column1, column2) FROM (VALUES (0, 0), (1, 1), (2, 2))", 0},
    {"unevenness(column1, column2) FROM (VALUES (0, 0), (1, 3), (2, 4))", 0.5},

    // A torus is a text
    {"sci_nodes('3x4x5')", 60},
    {"sci_dimensions('3x4x5')", 3},
    {"sci_nodes('8')", 8},
    // From one corner of 3x3 there are four nodes on two rings, at 1 and 2 hops each, and four that need both
    {"sci_average_hops('3x3')", 18.0 / 8},
    {"sci_average_switches('3x3')", 4.0 / 8},
    {"sci_average_switches('9')", 0},
    // Overhead, propagation, forwarding, switching of [000 Table 1] stand last
    {"sci_torus_request_ns('4x8', 0, 9, 2085, 7, 60, 670)", 2 * 2085 + 3 * 7 + 60 + 670},
    // docs/reference/evidence/analytic.md has the bounds
    {"sci_switching_stages_ns()", 643, 1e-9},
    {"sci_switching_stages_ns('store-and-forward', 50, 8, 106, 82)", 643, 1e-9},
    {"sci_switching_stages_ns('store-and-forward', 100, 8, 106, 82)", 523, 1e-9},
    {"sci_switching_stages_ns('store-and-forward', 50, 16, 106, 82)", 563, 1e-9},
    {"sci_switching_stages_ns('store-and-forward', 50, 8, 53, 41)", 549, 1e-9},
    {"sci_switching_stages_ns('store-and-forward', 0, 8, 106, 82)", 403, 1e-9},
    {"sci_switching_stages_ns('cut-through-receive', 50, 8, 106, 82)", 448, 1e-9},
    {"sci_switching_stages_ns('cut-through', 50, 8, 106, 82)", 268, 1e-9},
    // On lines in log N: 10 at 4 and 20 at 16 cross 15 at both at their geometric mean
    {"sci_crossover(column1, column2, column3) FROM (VALUES (1, 4, 10), (1, 16, 20), (2, 4, 15), (2, 16, 15))", 8,
     1e-9},
    {"sci_crossover_below(column1, column2, column3) FROM (VALUES (1, 4, 10), (1, 16, 20), (2, 4, 15), (2, 16, 15))",
     4},
    {"sci_crossover_above(column1, column2, column3) FROM (VALUES (1, 4, 10), (1, 16, 20), (2, 4, 15), (2, 16, 15))",
     16},

    // docs/reference/evidence/analytic.md: 24 and 42 clocks of 33 MHz for 64 bytes
    {"deck_write_mb_per_s(32, 3, 2)", 64.0 * 33 / 24, 1e-6},
    {"deck_write_mb_per_s(8, 3, 2)", 64.0 * 33 / 42, 1e-6},
    {"deck_copy_mb_per_s(32, 100)", 160},
    {"deck_in_series_mb_per_s(60, 30)", 20},
    // [002 IV]: 8.56 us and 62.54 MB/s against 9.82 us and 84.12 MB/s cross at 371 B, and at 1024 B from 12.5 us on
    {"deck_crossing_bytes(8.56, 62.54, 9.82, 84.12)", 371, 1e-3},
    {"deck_latency_for_crossing_us(8.56, 62.54, 84.12, 1024)", 12.5, 4e-3},

    // [BOOKSIM2] without load: 33.25 cycles for one flit, 37.25 for five
    {"mesh_mean_latency_cycles(8, 8, 5, 2, 1)", 33.25},
    {"mesh_mean_latency_cycles(8, 8, 5, 2, 5)", 37.25},
    {"mesh_latency_cycles(3, 5, 2, 5)", 4 * 5 + 2 + 4},
    // Half of what the nodes of a row send crosses its middle
    {"mesh_capacity(8, 8)", 0.5},
    {"mesh_capacity(4, 8) - mesh_capacity(8, 4)", 0},
    {"torus_capacity(8, 8)", 1},
    {"mesh_channel_rate(2, 4, 1)", 0.4},

    // [001 5.2]: 440 us each 2800, 2830 and 3070 us slow to 1.19, 1.45 and 1.75
    {"ncube_interrupt_slowdown(440, 1, 2800)", 1.19, 0.005},
    {"ncube_interrupt_slowdown(440, 2, 2830)", 1.45, 0.005},
    {"ncube_interrupt_slowdown(440, 3, 3070)", 1.75, 0.005},
    // Without loss at the memory the processor has its full speed
    {"ncube_processor_speed(ncube_interrupt_slowdown(330, 2, 2830), 330, 2, 2830)", 1},

    // [PG]: 45 cycles of the core and 8 of the mesh for each router; 40, 8 and 46 of the memory
    {"scc_own_buffer_read_cycles()", 15},
    {"scc_buffer_read_cycles(1)", 45 + 8 * 2 * kCore / kMesh, 1e-7},
    {"scc_buffer_read_cycles(1, 800, 400, 1066)", 45 + 8 * 2 * 2},
    {"scc_memory_read_cycles(0)", 40 + (8 + 46) * kCore / kMesh, 1e-7},
    {"scc_memory_read_cycles(2, 800, 800, 400)", 40 + 8 * 3 + 46 * 2},
    {"scc_hop_cycles()", 8 * kCore / kMesh, 1e-7},
    {"scc_routers(0, 47)", 9},
    {"scc_routers(0, 1)", 1},
    // What RCCE 1.1 leaves of 8192 bytes on 48 cores; fewer cores have fewer flags
    {"scc_payload_bytes(48)", 8032},
    {"scc_payload_bytes(2)", 8192 - 2 * 32},
    // [004]: parts + log2 n - 1 rounds of Cube, 4 in its example; parts + 1 of DOPL
    {"scc_cube_rounds(8, 2)", 4},
    {"scc_cube_rounds(48, 13)", 17},
    {"scc_dopl_rounds(7)", 8},
    // What is added between two distances is that of lines
    {"(scc_ping_pong_cycles(4096, 8) - scc_ping_pong_cycles(4096, 4)) / "
     "(scc_ping_pong_cycles(4096, 4) - scc_ping_pong_cycles(4096, 0))",
     1, 1e-9},
    {"scc_rcce_bcast_cycles(3, 4096) > 1.9 * scc_rcce_bcast_cycles(2, 4096)", 1},
    {"scc_cube_cycles(48, 50000, 4096) < scc_rcce_bcast_cycles(48, 50000) / 5", 1},
    {"scc_dopl_cycles(48, 50000, 8192, 2048) < scc_dopl_cycles(48, 50000, 8192, 8192)", 1},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(sql_functions)

BOOST_DATA_TEST_CASE(a_function_gives_what_its_formula_says, data::make(kExpected), expected)
{
    BOOST_TEST(number_of_sql(expected.sql) == expected.value, boost::test_tools::tolerance(expected.tolerance));
}

BOOST_DATA_TEST_CASE(null_in_gives_null_out_and_so_does_what_is_not_there,
                     data::make({"drops_after(x, a)", "mean(CASE WHEN x > 9 THEN x END)", "crossover(x, a, a + 1)",
                                 "crossover(x, a, a)",
                                 // Equal at the first point, then one is lower: they have not changed places
                                 "crossover(x, a, CASE WHEN x = 1 THEN a ELSE a + 1 END)", "batch_ci95(x, a, 5)",
                                 "ci95(CASE WHEN x = 1 THEN x END)", "sci_overhead_ns(NULL)",
                                 "sci_loaded_ns(8, 0.99)",  // saturated
                                 "sci_crossover_nodes(1, 2085, 7, 60, 1e9)"}),
                     expression)
{
    BOOST_TEST(std::holds_alternative<std::monostate>(cell_of_sql(expression)));
}

BOOST_DATA_TEST_CASE(an_argument_that_is_wrong_is_an_error_with_the_functions_name,
                     data::make({"mean('x')",
                                 "quantile(a, 2)",
                                 "slope(x)",
                                 "quantile(a, x / 4.0)",
                                 "crossover(min(x, 2), a, b)",
                                 "rises_after(min(x, 2), a)",
                                 "drops_after(min(x, 2), a)",
                                 "unevenness(min(x, 2), a)",
                                 "batch_ci95(min(x, 2), a, 2)",
                                 "batch_ci95(x, a, 1)",
                                 "batch_ci95(x, a, x)",
                                 "sci_overhead_ns(63)",
                                 "sci_overhead_ns(64.5)",
                                 "sci_overhead_ns('64')",
                                 "sci_nodes(8)",
                                 "sci_nodes('4x')",
                                 "sci_nodes('1x4')",
                                 "sci_torus_average_ns('4xx4', 2085, 7, 60, 670)",
                                 "sci_torus_average_ns(44, 2085, 7, 60, 670)",
                                 "sci_torus_request_ns('3x3', 0, 9, 2085, 7, 60, 670)",
                                 "sci_switching_stages_ns('wormhole', 50, 8, 106, 82)",
                                 "deck_write_mb_per_s(-8, 3, 2)",
                                 "deck_write_mb_per_s(0, 3, 2)",
                                 "deck_write_mb_per_s(24, 3, 2)",
                                 "mesh_capacity(1, 1)",
                                 "mesh_latency_cycles(-1, 5, 2, 1)",
                                 "ncube_time_us('X', 16)",
                                 "ncube_time_us('E', -1)",
                                 "ncube_interrupt_slowdown(440, 3, 1000)",
                                 "scc_buffer_read_cycles(-1)",
                                 "scc_buffer_read_cycles(1, 0, 800, 800)",
                                 "scc_routers(0, 48)",
                                 "scc_payload_bytes(49)",
                                 "scc_cube_cycles(1, 4096, 4096)",
                                 "scc_cube_cycles(48, 0, 4096)",
                                 "scc_cube_cycles(48, 4096, 0)",
                                 "scc_dopl_cycles(13, 4096, 8192, 2048)",
                                 "scc_dopl_cycles(48, 4096, 2048, 8192)"}),
                     expression)
{
    const std::string text = expression;
    BOOST_CHECK_EXCEPTION(cell_of_sql(text), UserError, [&text](const UserError& error) {
        return std::string(error.what()).find(text.substr(0, text.find('('))) != std::string::npos;
    });
}

/// They are in the formulas, which do not read the rows, and in the rows.
BOOST_AUTO_TEST_CASE(published_components_are_those_of_the_published_rows)
{
    const Published wulfkit(RINGMESH_SOURCE_DIR "/studies/wulfkit/published.csv");
    for (const std::string hops : {"1", "2", "3", "4"}) {
        const double printed = wulfkit.value("wulfkit.ping_pong." + hops + "_hop_64B");
        BOOST_TEST(number_of_sql("sci_ping_pong_ns(" + hops + ", 64)") == printed);
        BOOST_TEST(number_of_sql("sci_ping_pong_ns(" + hops + ", 2085, 7, 60)") == printed);
    }
    const Published ncube(RINGMESH_SOURCE_DIR "/studies/ncube/published.csv");
    for (const std::string time : {"E", "R", "S", "F", "U", "A"}) {
        const double base = ncube.value("ncube.line." + time + ".base");
        const double slope = ncube.value("ncube.line." + time + ".slope");
        BOOST_TEST(number_of_sql("ncube_time_us('" + time + "', 0)") == base);
        BOOST_TEST(number_of_sql("ncube_time_us('" + time + "', 2000)") == base + slope * 2000);
    }
}

BOOST_AUTO_TEST_CASE(the_arguments_of_a_struct_stand_last_in_the_order_of_its_names)
{
    const auto published = analytic::published_components(64_B);
    BOOST_TEST(number_of_sql("sci_crossover_nodes(2, 2085, 7, 60, 670)") == analytic::crossover(2, published).value());
    BOOST_TEST(number_of_sql("sci_average_ns(3, 1000, 2085, 7, 60, 670)") ==
               analytic::average_latency(analytic::average_way(3, 1000), published));
    constexpr analytic::NcubeTimes kTimes{.e = 1000, .r = 200, .s = 150, .f = 400, .u = 300, .a = 100};
    const std::string times = "1000, 200, 150, 400, 300, 100)";
    BOOST_TEST(number_of_sql("ncube_message_us(4, " + times) == analytic::ncube_message(kTimes, 4));
    BOOST_TEST(number_of_sql("ncube_chain_us(8, " + times) == analytic::ncube_chain(kTimes, 8));
    BOOST_TEST(number_of_sql("ncube_exchange_us(" + times) == analytic::ncube_exchange(kTimes));
    BOOST_TEST(number_of_sql("ncube_stream_us(8, " + times) == analytic::ncube_stream(kTimes, 8));
    BOOST_TEST(number_of_sql("ncube_broadcast_us(6, " + times) == analytic::ncube_broadcast(kTimes, 6));
    BOOST_TEST(number_of_sql("ncube_all_to_all_us(6, " + times) == analytic::ncube_all_to_all(kTimes, 6));
}

BOOST_AUTO_TEST_CASE(a_number_is_a_text_with_as_many_decimals_as_asked_for)
{
    BOOST_TEST(std::get<std::string>(cell_of_sql("fixed(1832.577, 2)")) == "1,832.58");
    BOOST_TEST(std::get<std::string>(cell_of_sql("fixed(100, 0)")) == "100");
}

// Student's t of 60 degrees of freedom is 2.000 [any table]
BOOST_AUTO_TEST_CASE(an_interval_of_95_percent_is_students)
{
    const auto found = Database().query(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 61) "
        "SELECT ci95(i) / deviation(i) * sqrt(61) FROM n");
    BOOST_TEST(std::abs(std::get<double>(found.rows[0][0]) - 2.000) < 0.001);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
