// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/core/cache.h"

#include <boost/test/unit_test.hpp>

#include "hw/scc/core/poll_rhythm.h"
#include "tests/hw/pattern.h"
#include "tests/hw/printing.h"

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(scc_core_parts)

using namespace ringmesh;
using namespace ringmesh::hw;
using namespace ringmesh::test;

BOOST_AUTO_TEST_CASE(the_write_combine_buffer_takes_one_line_and_knows_its_bytes)
{
    WriteCombineBuffer buffer;
    const auto bytes = pattern(32);
    BOOST_TEST(buffer.takes(0x40));
    buffer.store(0x44, std::span(bytes).first(8));
    BOOST_TEST(buffer.mask() == 0xFF0u);
    BOOST_TEST(buffer.line() == 0x40u);
    BOOST_TEST(buffer.takes(0x5F));
    BOOST_TEST(!buffer.takes(0x60));
    BOOST_TEST(!buffer.takes(0x3F));
    BOOST_TEST(!buffer.full());
    buffer.store(0x40, bytes);
    BOOST_TEST(buffer.full());
    BOOST_TEST(std::equal(bytes.begin(), bytes.end(), buffer.bytes().begin()));
    buffer.clear();
    BOOST_TEST(buffer.empty());
    BOOST_TEST(buffer.takes(0x60));
}

BOOST_AUTO_TEST_CASE(the_write_combine_buffer_overlays_its_bytes_on_others)
{
    WriteCombineBuffer buffer;
    const auto bytes = pattern(4);
    buffer.store(0x46, std::span(bytes).first(2));
    std::vector<std::byte> seen(6);
    buffer.overlay(0x44, seen);
    const std::vector<std::byte> expected{{}, {}, bytes[0], bytes[1], {}, {}};
    BOOST_TEST((seen == expected));
    std::vector<std::byte> other(6);
    buffer.overlay(0x64, other);
    BOOST_TEST((other == std::vector<std::byte>(6)));
}

BOOST_AUTO_TEST_CASE(polled_locations_are_loaded_in_turn)
{
    const std::vector<PollRequest> places(3);
    PollRhythm rhythm;
    rhythm.begin(places);
    rhythm.looked(0, 10_ns, 4_ns, 10_ns);
    rhythm.looked(1, 20_ns, 5_ns, 30_ns);
    rhythm.looked(2, 30_ns, 6_ns, 60_ns);
    for (std::int64_t turn = 1; turn < 4; ++turn) {
        const Duration begin = 60_ns * turn;
        BOOST_TEST(rhythm.first_to_see(0, begin + 4_ns).start == begin);
        BOOST_TEST(rhythm.first_to_see(0, begin + 4_ns + 1_ps).start == begin + 60_ns);
        BOOST_TEST(rhythm.first_to_see(1, begin).start == begin + 10_ns);
        BOOST_TEST(rhythm.first_to_see(1, begin + 15_ns).start == begin + 10_ns);
        BOOST_TEST(rhythm.first_to_see(1, begin + 15_ns + 1_ps).start == begin + 70_ns);
        BOOST_TEST(rhythm.first_to_see(2, begin + 36_ns).end == begin + 60_ns);
        BOOST_TEST(rhythm.first_to_see(2, begin + 36_ns).sees == begin + 36_ns);
    }
    BOOST_TEST(rhythm.first_to_see(0, 0_ns).start == 60_ns);
    // Another load of location 1, later than the loop's: the loop continues from there.
    rhythm.looked(1, 25_ns, 5_ns, 100_ns);
    BOOST_TEST(rhythm.first_to_see(2, 0_ns).start == 100_ns);
    BOOST_TEST(rhythm.first_to_see(1, 0_ns).start == 140_ns);
    BOOST_TEST(rhythm.first_to_see(1, 146_ns).start == 205_ns);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
