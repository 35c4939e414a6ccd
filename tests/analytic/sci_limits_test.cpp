// SPDX-License-Identifier: Apache-2.0
#include "analytic/sci/load.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "tests/support/cases.h"

namespace ringmesh::analytic::sci_limits_test {
namespace {

const auto kClose = boost::test_tools::tolerance(1e-12);

// One cycle of 20 ns of arbitration each: 12 cycles for 64 bytes, 4 for a response without data.
constexpr double kRequestOnBLink = 240;
constexpr double kResponseOnBLink = 80;
// A request of 40 symbols, a response of 8, two echoes of 4, each with 2 idle symbols of 5 ns.
constexpr double kAnsweredPerHop = 320;
constexpr double kMovedPerHop = 240;

/// Clocks of 33 MHz: 16 single-dword writes of 3 clocks out; arbitration, address, 16 dwords and turnaround in.
constexpr PciTimes kSingleStores{.sending_ns = 48 * 1000.0 / 33, .receiving_ns = 20 * 1000.0 / 33};

const std::vector<std::vector<double>> kTori{{8}, {3, 3}, {4, 4, 4}, {9, 2}, {3, 3, 3, 3}};

/// Uses of one kind of resource by all pairs of a torus of whole sizes, taken node by node.
struct Uses {
    double crossings = 0;   // of B-Links, by requests
    double links = 0;       // of the links of the longest dimension, by requests
    double rest_links = 0;  // the same by their echoes
    double pairs = 0;
};

Uses count(const std::vector<double>& sizes)
{
    const auto longest = static_cast<std::size_t>(std::ranges::max_element(sizes) - sizes.begin());
    std::vector<int> hops(sizes.size(), 0);
    Uses uses;
    while (true) {
        std::size_t i = 0;
        while (i < hops.size() && ++hops[i] == static_cast<int>(sizes[i])) hops[i++] = 0;
        if (i == hops.size()) return uses;
        ++uses.pairs;
        uses.crossings += 1;
        for (std::size_t k = 0; k < hops.size(); ++k) {
            if (hops[k] == 0) continue;
            uses.crossings += 1;
            if (k != longest) continue;
            uses.links += hops[k];
            uses.rest_links += sizes[k] - hops[k];
        }
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(sci_limits)

// One crossing at the source and one at the end of each ring that a packet takes.
BOOST_DATA_TEST_CASE(b_links_carry_each_packet_once_more_than_it_takes_rings, data::xrange(kTori.size()), index)
{
    const Uses uses = count(kTori[index]);
    const double crossings = uses.crossings / uses.pairs;
    BOOST_TEST(blink_time_ns(kTori[index], {.answered = false}, {}) == crossings * kRequestOnBLink, kClose);
    BOOST_TEST(blink_time_ns(kTori[index], {.answered = true}, {}) == crossings * (kRequestOnBLink + kResponseOnBLink),
               kClose);
}

// The response takes the links that the request's echo took, its echo those of the request.
BOOST_DATA_TEST_CASE(links_carry_packets_and_echoes_all_around_each_ring, data::xrange(kTori.size()), index)
{
    const Uses uses = count(kTori[index]);
    const double moved = (uses.links * 210 + uses.rest_links * 30) / uses.pairs;
    const double answers = (uses.rest_links * 50 + uses.links * 30) / uses.pairs;
    BOOST_TEST(link_time_ns(kTori[index], {.answered = false}, {}) == moved, kClose);
    BOOST_TEST(link_time_ns(kTori[index], {.answered = true}, {}) == moved + answers, kClose);
}

// On a ring of eight: 4 hops of 320 ns on links, 2 crossings of 320 ns on the B-Link, 68 PCI clocks.
BOOST_AUTO_TEST_CASE(limits_are_bytes_over_the_time_held)
{
    const std::vector<double> ring{8};
    const NodeLimits limits = node_limits(ring, {}, {}, {}, kSingleStores);
    BOOST_TEST(limits.link == 64e3 / (4 * kAnsweredPerHop), kClose);
    BOOST_TEST(limits.blink == 64e3 / (2 * (kRequestOnBLink + kResponseOnBLink)), kClose);
    BOOST_TEST(limits.pci == 64e3 * 33 / 68 / 1000, kClose);
    const NodeLimits moves = node_limits(ring, {.answered = false}, {}, {}, kSingleStores);
    BOOST_TEST(moves.link == 64e3 / (4 * kMovedPerHop), kClose);
    BOOST_TEST(moves.blink == 64e3 / (2 * kRequestOnBLink), kClose);
    BOOST_TEST(moves.pci == limits.pci);
}

BOOST_AUTO_TEST_CASE(the_lowest_limit_binds)
{
    BOOST_TEST((NodeLimits{.link = 1, .blink = 2, .pci = 3}.binding() == Resource::kLink));
    BOOST_TEST((NodeLimits{.link = 2, .blink = 1, .pci = 3}.binding() == Resource::kBLink));
    BOOST_TEST((NodeLimits{.link = 2, .blink = 3, .pci = 1}.binding() == Resource::kPci));
    BOOST_TEST((NodeLimits{.link = 2, .blink = 3, .pci = 1}.lowest() == 1.0));
    BOOST_TEST((NodeLimits{.link = 1, .blink = 1, .pci = 1}.binding() == Resource::kLink));
    BOOST_TEST((NodeLimits{.link = 2, .blink = 1, .pci = 1}.binding() == Resource::kBLink));
}

// The load that saturates a link is the bound that one ring alone would have.
BOOST_DATA_TEST_CASE(a_ring_at_its_link_limit_has_a_load_of_one, data::make({2, 8, 100}) * data::make({false, true}),
                     nodes, answered)
{
    const std::vector<double> ring{static_cast<double>(nodes)};
    BOOST_TEST(link_time_ns(ring, {.answered = answered}, {}) ==
                   request_gap_ns({.nodes = nodes, .answered = answered, .load = 1}),
               kClose);
}

BOOST_AUTO_TEST_CASE(invalid_traffic_is_refused)
{
    const std::vector<double> ring{8};
    BOOST_CHECK_THROW(link_time_ns(ring, {.payload = 0_B}, {}), std::domain_error);
    BOOST_CHECK_THROW(blink_time_ns(ring, {.payload = 32_B}, {}), std::domain_error);
    BOOST_CHECK_THROW(blink_time_ns(std::vector<double>{1}, {}, {}), std::domain_error);
    BOOST_CHECK_THROW(node_limits(ring, {}, {}, {}, {.sending_ns = 0, .receiving_ns = 1}), std::domain_error);
    BOOST_CHECK_THROW(node_limits(ring, {}, {}, {}, {.sending_ns = 1, .receiving_ns = 0}), std::domain_error);
    BOOST_CHECK_THROW(node_limits(ring, {}, {}, {.cycle_ns = 0}, kSingleStores), std::domain_error);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::analytic::sci_limits_test
