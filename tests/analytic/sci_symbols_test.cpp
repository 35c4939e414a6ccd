// SPDX-License-Identifier: Apache-2.0
#include "analytic/sci/ring.h"

#include <limits>
#include <stdexcept>

#include "tests/support/cases.h"

namespace ringmesh::analytic::sci_symbols_test {

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(sci_symbols)

// [000 ch.4] computes with 5 ns; 3.2 Gb/s is the link of [000 ch.5], 4.0 Gb/s the one of [003 5].
BOOST_AUTO_TEST_CASE(a_symbol_is_sixteen_bits)
{
    BOOST_TEST((symbol_time(3.2) == 5_ns));
    BOOST_TEST((symbol_time(4.0) == 4_ns));
    BOOST_TEST((symbol_time(16.0) == 1_ns));
}

BOOST_DATA_TEST_CASE(a_packet_is_a_header_and_its_payload, data::make({0, 16, 64, 128}) ^ data::make({8, 16, 40, 72}),
                     payload, symbols)
{
    BOOST_TEST(packet_symbols(Bytes(payload)) == symbols);
}

BOOST_DATA_TEST_CASE(no_packet_has_another_payload, data::make({-16, 1, 15, 17, 32, 63, 65, 127, 129, 256}), payload)
{
    BOOST_CHECK_THROW(packet_symbols(Bytes(payload)), std::domain_error);
}

// 200 ns [000 ch.4], which the head (67 ns a hop) exceeds within the third hop.
BOOST_AUTO_TEST_CASE(a_64_byte_request_is_sent_in_the_time_of_three_hops)
{
    const auto sending = send_time(packet_symbols(64_B), symbol_time(3.2));
    BOOST_TEST((sending == 200_ns));
    BOOST_TEST((sending > 2 * 67_ns));
    BOOST_TEST((sending <= 3 * 67_ns));
}

BOOST_AUTO_TEST_CASE(invalid_links_and_symbols_are_refused)
{
    BOOST_CHECK_THROW(symbol_time(0), std::domain_error);
    BOOST_CHECK_THROW(symbol_time(-3.2), std::domain_error);
    BOOST_TEST((symbol_time(0.001) == 16_us));
    BOOST_CHECK_THROW(symbol_time(0.000'999), std::domain_error);
    BOOST_TEST((symbol_time(1000) == 16_ps));
    BOOST_CHECK_THROW(symbol_time(1000.1), std::domain_error);
    BOOST_CHECK_THROW(symbol_time(std::numeric_limits<double>::quiet_NaN()), std::domain_error);
    BOOST_CHECK_THROW(symbol_time(std::numeric_limits<double>::infinity()), std::domain_error);
    BOOST_TEST((send_time(0, 5_ns) == 0_ns));
    BOOST_CHECK_THROW(send_time(-1, 5_ns), std::domain_error);
    BOOST_CHECK_THROW(send_time(40, 0_ns), std::domain_error);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::analytic::sci_symbols_test
