// SPDX-License-Identifier: Apache-2.0
#include "analytic/sci/load.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/support/cases.h"

namespace ringmesh::analytic::sci_load_test {
namespace {

const auto kClose = boost::test_tools::tolerance(1e-12);

// Link times with two idle symbols of 5 ns: a request of 40 symbols, a response of 8, an echo of 4.
constexpr double kRequest = 210;
constexpr double kResponse = 50;
constexpr double kEcho = 30;
constexpr double kBypass = 60;

double unloaded_ns(int nodes) { return 82 + nodes / 2.0 * 6.67 + (nodes / 2.0 - 1) * kBypass + 20 + 39 * 5 + 106; }

/// Requests per ns and node.
double rate(const UniformLoad& traffic)
{
    const double per_hop = kRequest + kEcho + (traffic.answered ? kResponse + kEcho : 0);
    return traffic.load / (traffic.nodes / 2.0 * per_hop);
}

const auto kNodes = data::make({2, 3, 8, 32, 512});
const auto kAnswered = data::make({false, true});

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(sci_load)

BOOST_DATA_TEST_CASE(without_load_a_request_takes_its_unloaded_latency, kNodes* kAnswered, nodes, answered)
{
    const auto latency = loaded_latency({.nodes = nodes, .answered = answered, .load = 0});
    BOOST_TEST_REQUIRE(latency.has_value());
    BOOST_TEST(latency->mean_ns == unloaded_ns(nodes), kClose);
    BOOST_TEST(latency->steadier_ns == latency->burstier_ns);
}

// Of N sources with D hops each, every link carries D packets with their echoes, as the workload traffic counts.
BOOST_DATA_TEST_CASE(the_gap_between_requests_makes_the_load, kNodes* kAnswered, nodes, answered)
{
    const UniformLoad traffic{.nodes = nodes, .answered = answered, .load = 0.4};
    BOOST_TEST(request_gap_ns(traffic) == 1 / rate(traffic), kClose);
    BOOST_TEST(link_time_per_hop_ns(64_B, answered) == (answered ? 320.0 : 240.0), kClose);
}

// At low load a request meets at most one packet. A passing one, or the echo of a stripped one, reserves the link from
// its head on: for its own time and the bypass. An own one blocks for its own time.
BOOST_DATA_TEST_CASE(at_little_load_a_request_waits_for_one_packet, kNodes* kAnswered, nodes, answered)
{
    const UniformLoad traffic{.nodes = nodes, .answered = answered, .load = 1e-4};
    const double hops = nodes / 2.0;
    const auto residual = [](double time) { return time * time / 2; };
    double expected = (hops - 1) * residual(kRequest + kBypass) + hops * residual(kEcho + kBypass) + residual(kRequest);
    if (answered) {
        expected += (hops - 1) * residual(kResponse + kBypass) + hops * residual(kEcho + kBypass) + residual(kResponse);
    }
    // The burstier limit takes the packets of one transaction for one, as if the second followed the first.
    const double together = answered ? (hops - 1) * kEcho * (kRequest + kResponse) : 0;
    const auto latency = loaded_latency(traffic);
    const double moving = unloaded_ns(nodes) + (hops - 1) * latency->passing_wait_ns;
    BOOST_TEST(latency->steadier_ns - moving == rate(traffic) * expected, boost::test_tools::tolerance(2e-3));
    BOOST_TEST(latency->burstier_ns - moving == rate(traffic) * (expected + together),
               boost::test_tools::tolerance(2e-3));
}

// A passing packet waits for the rest of an own request that began less than request - bypass before its head arrived;
// responses are shorter than the bypass. The wait lasts until the passing load lets the backlog drain.
BOOST_DATA_TEST_CASE(a_passing_packet_waits_for_the_rest_of_an_own_one, data::make({0.1, 0.5, 0.8}) * kAnswered, load,
                     answered)
{
    const UniformLoad traffic{.nodes = 8, .answered = answered, .load = load};
    const double own = rate(traffic) * (kRequest + (answered ? kResponse : 0));
    const double expected = rate(traffic) * std::pow(kRequest - kBypass, 2) / (2 * (1 - load + own));
    BOOST_TEST(loaded_latency(traffic)->passing_wait_ns == expected, kClose);
}

// Without a bypass no gap is too small, and Poisson traffic with priority gives Cobham's queue with two priorities: W =
// (sum of rate times mean square) / (2 (1 - passing load) (1 - load)).
BOOST_DATA_TEST_CASE(without_bypass_the_burstier_limit_is_a_priority_queue,
                     data::make({3, 8, 32}) * data::make({0.2, 0.6, 0.95}), nodes, load)
{
    const UniformLoad traffic{.nodes = nodes, .answered = false, .load = load};
    RingTiming timing;
    timing.bypass_ns = 0;
    const double hops = nodes / 2.0;
    const double squares = rate(traffic) * (hops * kRequest * kRequest + hops * kEcho * kEcho);
    const double passing = load - rate(traffic) * kRequest;
    const double wait = squares / (2 * (1 - passing) * (1 - load));
    const auto latency = loaded_latency(traffic, timing);
    BOOST_TEST_REQUIRE(latency.has_value());
    const double moving = 82 + hops * 6.67 + 20 + 39 * 5 + 106 + (hops - 1) * latency->passing_wait_ns;
    BOOST_TEST(latency->burstier_ns == moving + wait, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(latency->steadier_ns < latency->burstier_ns);
    BOOST_TEST(latency->mean_ns == (latency->steadier_ns + latency->burstier_ns) / 2, kClose);
}

BOOST_DATA_TEST_CASE(latency_grows_with_load, kNodes* kAnswered, nodes, answered)
{
    double last = 0;
    for (const double load : {0.0, 0.001, 0.1, 0.3, 0.5, 0.7, 0.85}) {
        const auto latency = loaded_latency({.nodes = nodes, .answered = answered, .load = load});
        BOOST_TEST_REQUIRE(latency.has_value());
        BOOST_TEST(latency->steadier_ns > last);
        BOOST_TEST(latency->steadier_ns <= latency->burstier_ns);
        last = latency->steadier_ns;
    }
}

BOOST_DATA_TEST_CASE(a_ring_has_a_mean_below_saturation_and_none_above, kNodes* kAnswered, nodes, answered)
{
    UniformLoad traffic{.nodes = nodes, .answered = answered};
    const double saturation = saturation_load(traffic);
    BOOST_TEST(saturation > 0.85);
    BOOST_TEST(saturation <= 1);
    traffic.load = saturation * (1 - 1e-6);
    BOOST_TEST_REQUIRE(loaded_latency(traffic).has_value());
    BOOST_TEST(loaded_latency(traffic)->occupancy < 1);
    BOOST_TEST(loaded_latency(traffic)->occupancy > 0.999);
    traffic.load = std::min(1.0, saturation * (1 + 1e-6));
    BOOST_TEST(!loaded_latency(traffic).has_value());
}

BOOST_DATA_TEST_CASE(only_gaps_shorter_than_the_bypass_are_lost, kNodes* kAnswered, nodes, answered)
{
    const UniformLoad traffic{.nodes = nodes, .answered = answered};
    RingTiming timing;
    timing.bypass_ns = 0;
    BOOST_TEST(saturation_load(traffic, timing) == 1.0, boost::test_tools::tolerance(1e-9));
    double last = 1;
    for (const double bypass : {30.0, 60.0, 120.0}) {
        timing.bypass_ns = bypass;
        BOOST_TEST(saturation_load(traffic, timing) < last);
        last = saturation_load(traffic, timing);
    }
}

BOOST_DATA_TEST_CASE(everything_scales_with_the_symbol_time, data::make({0.5, 2.0}), factor)
{
    const UniformLoad traffic{.nodes = 8, .load = 0.6};
    const RingTiming timing;
    RingTiming scaled = timing;
    for (double RingTiming::*time : {&RingTiming::symbol_ns, &RingTiming::bypass_ns, &RingTiming::propagation_ns,
                                     &RingTiming::decode_ns, &RingTiming::in_fifo_ns, &RingTiming::out_fifo_ns}) {
        scaled.*time *= factor;
    }
    BOOST_TEST(loaded_latency(traffic, scaled)->mean_ns == factor * loaded_latency(traffic, timing)->mean_ns, kClose);
    BOOST_TEST(saturation_load(traffic, scaled) == saturation_load(traffic, timing), kClose);
}

BOOST_AUTO_TEST_CASE(invalid_rings_and_loads_are_refused)
{
    constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
    BOOST_CHECK_THROW(loaded_latency({.nodes = 1}), std::domain_error);
    BOOST_CHECK_THROW(loaded_latency({.nodes = 4097}), std::domain_error);
    BOOST_CHECK_THROW(loaded_latency({.nodes = 8, .payload = 32_B}), std::domain_error);
    for (const double load : {-0.1, 1.1, kNotANumber}) {
        BOOST_CHECK_THROW(loaded_latency({.nodes = 8, .load = load}), std::domain_error);
        BOOST_CHECK_THROW(request_gap_ns({.nodes = 8, .load = load}), std::domain_error);
    }
    BOOST_CHECK_THROW(request_gap_ns({.nodes = 8, .load = 0}), std::domain_error);
    for (double RingTiming::*member :
         {&RingTiming::symbol_ns, &RingTiming::idle_symbols, &RingTiming::bypass_ns, &RingTiming::propagation_ns,
          &RingTiming::decode_ns, &RingTiming::in_fifo_ns, &RingTiming::out_fifo_ns}) {
        for (const double bad : {-0.001, kNotANumber}) {
            RingTiming timing;
            timing.*member = bad;
            BOOST_CHECK_THROW(loaded_latency({.nodes = 8, .load = 0.5}, timing), std::domain_error);
            BOOST_CHECK_THROW(saturation_load({.nodes = 8}, timing), std::domain_error);
            BOOST_CHECK_THROW(link_time_per_hop_ns(64_B, true, timing), std::domain_error);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::analytic::sci_load_test
