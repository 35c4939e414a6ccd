// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <string>

#include "lab/sql/database.h"
#include "tlm/error.h"

namespace ringmesh::lab::scc_functions_test {
namespace {

double value_of(const std::string& expression)
{
    return real_argument(Database().query("SELECT " + expression).rows.at(0).at(0));
}

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(sql_scc_functions)

/// [PG]: 45 cycles of the core and 8 of the mesh for each router; 40, 8 and 46 of the memory.
BOOST_AUTO_TEST_CASE(reads_take_the_cycles_of_the_guide_at_each_clock)
{
    const auto near = boost::test_tools::tolerance(1e-7);
    BOOST_TEST(value_of("scc_own_buffer_read_cycles()") == 15, near);
    BOOST_TEST(value_of("scc_buffer_read_cycles(1)") == 45 + 8 * 2 * 533.333333 / 800, near);
    BOOST_TEST(value_of("scc_buffer_read_cycles(1, 800, 400, 1066)") == 45 + 8 * 2 * 2, near);
    BOOST_TEST(value_of("scc_memory_read_cycles(0)") == 40 + (8 + 46) * 533.333333 / 800, near);
    BOOST_TEST(value_of("scc_memory_read_cycles(2, 800, 800, 400)") == 40 + 8 * 3 + 46 * 2, near);
    BOOST_TEST(value_of("scc_hop_cycles()") == 8 * 533.333333 / 800, near);
    BOOST_TEST(value_of("scc_routers(0, 47)") == 9);
    BOOST_TEST(value_of("scc_routers(0, 1)") == 1);
}

/// What RCCE 1.1 leaves of 8192 bytes on 48 cores; fewer cores have fewer flags.
BOOST_AUTO_TEST_CASE(the_payload_is_what_the_flags_leave)
{
    BOOST_TEST(value_of("scc_payload_bytes(48)") == 8032);
    BOOST_TEST(value_of("scc_payload_bytes(2)") == 8192 - 2 * 32);
}

/// [004]: parts + log2 n - 1 rounds of Cube, 4 in its example; parts + 1 of DOPL.
BOOST_AUTO_TEST_CASE(rounds_are_those_of_the_schedules)
{
    BOOST_TEST(value_of("scc_cube_rounds(8, 2)") == 4);
    BOOST_TEST(value_of("scc_cube_rounds(48, 13)") == 17);
    BOOST_TEST(value_of("scc_dopl_rounds(7)") == 8);
}

/// A message of n - 1 follows the other; what is added between two sizes or distances is that of lines.
BOOST_AUTO_TEST_CASE(broadcasts_and_round_trips_follow_their_schedules)
{
    const auto messages = value_of("(scc_rcce_bcast_cycles(3, 4096) - scc_rcce_bcast_cycles(2, 4096))");
    BOOST_TEST(messages > 0.9 * value_of("scc_rcce_bcast_cycles(2, 4096)"));
    BOOST_TEST(value_of("scc_cube_cycles(48, 50000, 4096)") < value_of("scc_rcce_bcast_cycles(48, 50000)") / 5);
    BOOST_TEST(value_of("scc_dopl_cycles(48, 50000, 8192, 2048)") < value_of("scc_dopl_cycles(48, 50000, 8192, 8192)"));
    BOOST_TEST(value_of("scc_ping_pong_cycles(4096, 8) - scc_ping_pong_cycles(4096, 4)") ==
                   value_of("scc_ping_pong_cycles(4096, 4) - scc_ping_pong_cycles(4096, 0)"),
               boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(what_no_chip_runs_is_refused)
{
    for (const char* wrong : {"scc_buffer_read_cycles(-1)", "scc_buffer_read_cycles(1, 0, 800, 800)",
                              "scc_routers(0, 48)", "scc_payload_bytes(49)", "scc_cube_cycles(1, 4096, 4096)",
                              "scc_cube_cycles(48, 0, 4096)", "scc_cube_cycles(48, 4096, 0)",
                              "scc_dopl_cycles(13, 4096, 8192, 2048)", "scc_dopl_cycles(48, 4096, 2048, 8192)"}) {
        BOOST_CHECK_THROW(value_of(wrong), UserError);
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace ringmesh::lab::scc_functions_test
