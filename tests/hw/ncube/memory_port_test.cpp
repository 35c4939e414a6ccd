// SPDX-License-Identifier: Apache-2.0
#include "hw/ncube/memory_port.h"

#include "tests/cases.h"

namespace {

using namespace ringmesh;
using hw::NcubeChannelParams;
using hw::NcubeMemoryParams;
using hw::NcubeMemoryPort;

constexpr unsigned kMost = 11;

/// Clocks that the processor loses per byte while so many channels are active.
double lost_per_byte(const NcubeMemoryPort& port, unsigned receiving, unsigned sending)
{
    return (1 - port.speed(receiving, sending)) * static_cast<double>(NcubeChannelParams{}.byte.count());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(ncube_memory_port)

BOOST_AUTO_TEST_CASE(a_processor_alone_has_its_whole_speed)
{
    const NcubeMemoryPort port({}, {}, kMost);
    BOOST_TEST(port.speed() == 1.0);
    BOOST_TEST(port.dma_load(0, 0) == 0.0);
}

BOOST_DATA_TEST_CASE(each_more_channel_takes_more_until_the_port_is_full, data::xrange(10u), channels)
{
    const NcubeMemoryPort port({}, {}, kMost);
    BOOST_TEST(port.speed(channels + 1, 0) <= port.speed(channels, 0));
    if (port.dma_load(channels + 1, 0) < 0.95) BOOST_TEST(port.speed(channels + 1, 0) < port.speed(channels, 0));
    BOOST_TEST(port.speed(0, channels + 1) < port.speed(0, channels));
    BOOST_TEST(port.speed(channels, channels) > 0);
}

/// [001 Table 1], slopes of R and S at 7 clocks a microsecond.
BOOST_AUTO_TEST_CASE(one_channel_takes_per_byte_what_the_published_slopes_say)
{
    const NcubeMemoryPort port({}, {}, kMost);
    BOOST_TEST(lost_per_byte(port, 1, 0) == 0.303, boost::test_tools::tolerance(0.04));
    BOOST_TEST(lost_per_byte(port, 0, 1) == 0.079, boost::test_tools::tolerance(0.04));
}

BOOST_AUTO_TEST_CASE(channels_together_take_more_than_the_sum_of_each)
{
    const NcubeMemoryPort port({}, {}, kMost);
    BOOST_TEST(lost_per_byte(port, 3, 3) > 3 * (lost_per_byte(port, 1, 0) + lost_per_byte(port, 0, 1)));
}

BOOST_AUTO_TEST_CASE(a_port_without_room_leaves_no_more_than_what_is_free)
{
    const NcubeMemoryParams params;
    const NcubeMemoryPort port(params, {}, kMost);
    for (unsigned channels = 2; channels <= 4; ++channels) {
        const double free = 1 - port.dma_load(channels, channels);
        BOOST_TEST(port.speed(channels, channels) * params.demand <= free * 1.05);
    }
}

BOOST_AUTO_TEST_CASE(dma_without_cost_slows_no_processor)
{
    NcubeMemoryParams params;
    params.receive_access = 0;
    params.send_access = 0;
    const NcubeMemoryPort port(params, {}, kMost);
    BOOST_TEST(port.speed(kMost, kMost) == 1.0);
}

BOOST_AUTO_TEST_CASE(a_working_processor_is_notified_before_and_after_each_change)
{
    NcubeMemoryPort port({}, {}, kMost);
    std::vector<double> before, after;
    port.connect([&] { before.push_back(port.speed()); }, [&] { after.push_back(port.speed()); });
    port.receiving(true);
    port.sending(true);
    port.receiving(false);
    port.sending(false);
    const std::vector<double> levels{1, port.speed(1, 0), port.speed(1, 1), port.speed(0, 1), 1};
    BOOST_TEST(before == std::vector<double>(levels.begin(), levels.end() - 1), boost::test_tools::per_element());
    BOOST_TEST(after == std::vector<double>(levels.begin() + 1, levels.end()), boost::test_tools::per_element());
    BOOST_TEST(port.active() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
