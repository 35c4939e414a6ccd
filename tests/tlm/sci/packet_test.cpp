// SPDX-License-Identifier: Apache-2.0
#include "tlm/sci/packet.h"

#include <boost/test/unit_test.hpp>

#include <cstring>

namespace {
using namespace ringmesh::sci;
}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(sci_packet)

/// Whichever fields it has.
BOOST_AUTO_TEST_CASE(nothing_but_data_is_left_of_a_packets_last_life)
{
    PacketPool pool;
    Packet& first = pool.acquire();
    std::memset(static_cast<void*>(&first), 0x11, sizeof first);
    pool.release(first);
    Packet& second = pool.acquire();
    BOOST_TEST(std::memcmp(&second, &kNewPacket, offsetof(Packet, data)) == 0);
    pool.release(second);
}

BOOST_AUTO_TEST_CASE(a_clone_has_all_fields_and_the_data_of_its_command)
{
    PacketPool pool;
    Packet& original = pool.acquire();
    std::memset(static_cast<void*>(&original), 0x11, sizeof original);
    original.command = Command::kWrite64;
    Packet& copy = clone(pool, original);
    BOOST_TEST(std::memcmp(&copy, &original, offsetof(Packet, data) + kBlockBytes) == 0);
    pool.release(original);
    pool.release(copy);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
