// SPDX-License-Identifier: Apache-2.0
#include "analytic/scc.h"

#include <stdexcept>

#include "tests/support/cases.h"

namespace ringmesh::analytic::scc_broadcast_test {
namespace {

namespace tt = boost::test_tools;

constexpr SccClocks kClocks{.core = 800_MHz, .mesh = 800_MHz, .memory = 800_MHz};
constexpr SccMessageCosts kCosts{
    .call = 100, .put_line = 4, .get_line = 6, .line_hop = 1, .handshake = 1000, .handshake_hop = 20, .payload = 8032};

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(analytic_scc_broadcast)

BOOST_AUTO_TEST_CASE(a_message_goes_in_full_payloads_then_lines_then_a_padded_tail)
{
    BOOST_TEST(scc_pieces(1, 8032) == 1);
    BOOST_TEST(scc_pieces(32, 8032) == 1);
    BOOST_TEST(scc_pieces(33, 8032) == 2);
    BOOST_TEST(scc_pieces(8032, 8032) == 1);
    BOOST_TEST(scc_pieces(8033, 8032) == 2);
    BOOST_TEST(scc_pieces(8032 + 64, 8032) == 2);
    BOOST_TEST(scc_pieces(8032 + 65, 8032) == 3);
    BOOST_TEST(scc_pieces(8192, 5024) == 2);
    BOOST_CHECK_THROW(scc_pieces(0, 8032), std::domain_error);
    BOOST_CHECK_THROW(scc_pieces(1, 31), std::domain_error);
    BOOST_CHECK_THROW(scc_pieces(1, 33), std::domain_error);
}

BOOST_AUTO_TEST_CASE(a_message_costs_its_lines_and_handshakes, *boost::unit_test::tolerance(1e-12))
{
    BOOST_TEST(scc_message(kCosts, 1, 0) == 100 + 1000 + 10.0);
    BOOST_TEST(scc_message(kCosts, 4096, 3) == 100 + (1000 + 60) + 128 * (10 + 3.0));
    BOOST_TEST(scc_message(kCosts, 8192, 0) == 100 + 2 * 1000 + 256 * 10.0);
    BOOST_TEST(scc_preparation(kCosts, 4096) == 100 + 128 * 4.0);
    BOOST_TEST(scc_preparation(kCosts, 8192) == 100 + 251 * 4.0);
    BOOST_TEST(scc_preparation(kCosts, 100) == 100 + 3 * 4.0);
    BOOST_TEST(scc_preparation(kCosts, 7) == 100 + 4.0);
    BOOST_TEST(scc_ping_pong(kCosts, 4096, 3) == 2 * scc_message(kCosts, 4096, 3));
    BOOST_CHECK_THROW(scc_message(kCosts, 1, -1), std::domain_error);
}

BOOST_DATA_TEST_CASE(ping_pong_grows_with_distance_by_the_guides_hop, data::make({32, 256, 4096, 8032}), bytes)
{
    const SccMessageCosts costs = scc_message_costs(kClocks, scc_hitting_copies(1), 8032);
    const double slope = scc_ping_pong(costs, bytes, 8) - scc_ping_pong(costs, bytes, 3);
    // Each line is read over the links; of the handshake two flags are written over them
    BOOST_TEST(slope == 2 * 5 * (bytes / 32 + 2) * scc_hop(kClocks), tt::tolerance(1e-12));
}

BOOST_DATA_TEST_CASE(a_line_costs_a_load_and_a_store_of_each_width, data::make({1, 2, 4}), width)
{
    const SccMessageCosts costs = scc_message_costs(kClocks, scc_hitting_copies(width), 8032);
    BOOST_TEST(costs.put_line == scc_buffer_read(kClocks, 0) + 2 * 32 / width, tt::tolerance(1e-12));
    BOOST_TEST(costs.get_line == costs.put_line, tt::tolerance(1e-12));
}

constexpr double kMemoryHops = 1.5;

BOOST_DATA_TEST_CASE(plain_copies_pay_for_each_store_and_prefetching_ones_for_each_line,
                     data::make({1, 2, 4}) * data::make({true, false}), width, is_cached)
{
    const double access = is_cached ? scc_second_level_hit() : scc_memory_read(kClocks, kMemoryHops);
    const SccMessageCosts hits = scc_message_costs(kClocks, scc_hitting_copies(width), 8032);
    const SccMessageCosts plain =
        scc_message_costs(kClocks, scc_plain_copies(width, kClocks, is_cached, kMemoryHops), 8032);
    const SccMessageCosts prefetching =
        scc_message_costs(kClocks, scc_prefetching_copies(width, kClocks, is_cached, kMemoryHops), 8032);
    BOOST_TEST(plain.put_line == hits.put_line + access, tt::tolerance(1e-12));
    BOOST_TEST(prefetching.put_line == hits.put_line + access, tt::tolerance(1e-12));
    BOOST_TEST(plain.get_line == hits.get_line + 32 / width * (access - 1), tt::tolerance(1e-12));
    BOOST_TEST(prefetching.get_line == hits.get_line + access, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_copy_that_no_core_can_make_is_refused)
{
    BOOST_CHECK_THROW(scc_message_costs(kClocks, scc_hitting_copies(3), 8032), std::domain_error);
    BOOST_CHECK_THROW(scc_message_costs(kClocks, scc_hitting_copies(0), 8032), std::domain_error);
    BOOST_CHECK_THROW(scc_plain_copies(1, kClocks, false, -1), std::domain_error);
}

BOOST_AUTO_TEST_CASE(the_payload_limit_is_a_step_of_a_handshake, *boost::unit_test::tolerance(1e-12))
{
    const double line = kCosts.put_line + kCosts.get_line;
    BOOST_TEST(scc_message(kCosts, 8032, 0) - scc_message(kCosts, 8000, 0) == line);
    BOOST_TEST(scc_message(kCosts, 8064, 0) - scc_message(kCosts, 8032, 0) == line + kCosts.handshake);
}

BOOST_AUTO_TEST_CASE(rounds_are_those_of_the_thesis)
{
    BOOST_TEST(cube_rounds(8, 2) == 4);
    BOOST_TEST(cube_rounds(7, 1) == 2);
    BOOST_TEST(cube_rounds(48, 464) == 468);
    BOOST_TEST(cube_rounds(2, 1) == 1);
    BOOST_TEST(dopl_rounds(4) == 5);
    BOOST_TEST(dopl_rounds(232) == 233);
    BOOST_CHECK_THROW(cube_rounds(1, 1), std::domain_error);
    BOOST_CHECK_THROW(cube_rounds(8, 0), std::domain_error);
    BOOST_CHECK_THROW(dopl_rounds(0), std::domain_error);
}

BOOST_AUTO_TEST_CASE(broadcasts_cost_their_messages_in_series, *boost::unit_test::tolerance(1e-12))
{
    BOOST_TEST(rcce_bcast_time(kCosts, 48, 4096, 4) == 47 * scc_message(kCosts, 4096, 4));
    // One short part; whole ones are beside the schedules and the simulation in tests/workloads/broadcast
    BOOST_TEST(cube_time(kCosts, 8, 100, 4096, 2, 2) == 3 * 2 * scc_message(kCosts, 100, 2));
    BOOST_TEST(dopl_time(kCosts, 100, 8192, 2048, 1, 1) == 2 * scc_message(kCosts, 100, 1));
    BOOST_CHECK_THROW(dopl_time(kCosts, 1, 1024, 2048, 4, 1), std::domain_error);
    BOOST_CHECK_THROW(dopl_time(kCosts, 1, 8192, 2048, 0, 1), std::domain_error);
    BOOST_CHECK_THROW(cube_time(kCosts, 12, 1, 1024, 0.5, 1), std::domain_error);
    BOOST_CHECK_THROW(rcce_bcast_time(kCosts, 1, 1, 1), std::domain_error);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace ringmesh::analytic::scc_broadcast_test
