// SPDX-License-Identifier: Apache-2.0
#include "analytic/sci/ring.h"

#include <stdexcept>

#include "tests/support/cases.h"

namespace ringmesh::analytic::sci_ring_test {
namespace {

/// No component is a multiple of another, so that a mistaken count cannot hide.
constexpr Components kOdd{.propagation_ns = 7.3, .forwarding_ns = 61.9, .overhead_ns = 2083.1};

const auto kClose = boost::test_tools::tolerance(1e-12);

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(sci_ring)

// 2 * 2085 + (h - 1) * 60 + h * 7 ns [000 eq. 22 to 25 with Table 1].
BOOST_DATA_TEST_CASE(a_64_byte_ping_pong_takes_the_published_time,
                     data::make({1, 2, 3, 4}) ^ data::make({4177.0, 4244.0, 4311.0, 4378.0}), hops, published_ns)
{
    BOOST_TEST(ping_pong(hops, published_components(64_B)) == published_ns, kClose);
}

// [000 eq. 21]: the test over message sizes that the papers validate with.
BOOST_DATA_TEST_CASE(a_three_hop_ping_pong_grows_with_two_overheads, data::make({64, 128, 256, 512}), bytes)
{
    const double expected = 2 * (2085 + 11.6 * (bytes - 64)) + 2 * 60 + 3 * 7;
    BOOST_TEST(ping_pong(3, published_components(Bytes(bytes))) == expected, kClose);
}

// [000 eq. 2]
BOOST_DATA_TEST_CASE(a_request_pays_each_link_and_each_node_passed, data::make({1, 2, 5, 11}), hops)
{
    const double expected = 2 * kOdd.overhead_ns + hops * kOdd.propagation_ns + (hops - 1) * kOdd.forwarding_ns;
    BOOST_TEST(request_latency({.nodes = 12, .hops = hops}, kOdd) == expected, kClose);
}

// [000 eq. 3]
BOOST_DATA_TEST_CASE(a_response_is_a_request_over_the_rest_of_the_ring, data::make({1, 2, 3, 4, 5, 6, 7, 8}), hops)
{
    constexpr int kNodes = 9;
    BOOST_TEST(response_latency({.nodes = kNodes, .hops = hops}, kOdd) ==
               request_latency({.nodes = kNodes, .hops = kNodes - hops}, kOdd));
}

// [000 eq. 1] with eq. 2 and 3: 4 o + n l_p + (n - 2) l_f.
BOOST_DATA_TEST_CASE(a_transaction_takes_the_same_wherever_its_destination_is, data::make({1, 2, 5, 8}), hops)
{
    const double expected = 4 * kOdd.overhead_ns + 9 * kOdd.propagation_ns + 7 * kOdd.forwarding_ns;
    BOOST_TEST(transaction_latency({.nodes = 9, .hops = hops}, kOdd) == expected, kClose);
}

BOOST_DATA_TEST_CASE(a_ping_pong_is_a_request_half_way_round, data::make({1, 2, 3, 4, 500}), hops)
{
    const RingPath half{.nodes = 2 * hops, .hops = hops};
    BOOST_TEST(ping_pong(hops, kOdd) == request_latency(half, kOdd), kClose);
    BOOST_TEST(ping_pong(hops, kOdd) == response_latency(half, kOdd), kClose);
}

BOOST_AUTO_TEST_CASE(invalid_paths_are_refused)
{
    for (const RingPath path :
         {RingPath{.nodes = 1, .hops = 1}, RingPath{.nodes = 0, .hops = 0}, RingPath{.nodes = 4, .hops = 0},
          RingPath{.nodes = 4, .hops = -1}, RingPath{.nodes = 4, .hops = 4}, RingPath{.nodes = -3, .hops = -5}}) {
        BOOST_TEST_CONTEXT(path.nodes << " nodes, " << path.hops << " hops")
        {
            BOOST_CHECK_THROW(request_latency(path, kOdd), std::domain_error);
            BOOST_CHECK_THROW(response_latency(path, kOdd), std::domain_error);
            BOOST_CHECK_THROW(transaction_latency(path, kOdd), std::domain_error);
        }
    }
    BOOST_CHECK_NO_THROW(transaction_latency({.nodes = 4, .hops = 3}, kOdd));
    BOOST_CHECK_NO_THROW(transaction_latency({.nodes = 2, .hops = 1}, kOdd));
    BOOST_CHECK_THROW(ping_pong(0, kOdd), std::domain_error);
    BOOST_CHECK_THROW(ping_pong(-1, kOdd), std::domain_error);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::analytic::sci_ring_test
