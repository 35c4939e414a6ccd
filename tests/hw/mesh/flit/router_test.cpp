// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/flit/router.h"

#include <array>
#include <type_traits>
#include <vector>

#include "tests/support/cases.h"

namespace ringmesh::hw::router_test {
namespace {

static_assert(!std::is_convertible_v<InputIndex, OutputIndex> && !std::is_convertible_v<OutputIndex, InputIndex>);
static_assert(!std::is_convertible_v<OutputChannelIndex, OutputIndex> && !std::is_convertible_v<unsigned, RouterIndex>);
static_assert(sizeof(InputChannelIndex) == sizeof(std::uint32_t) && std::is_trivially_copyable_v<InputChannelIndex>);

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(mesh_router)

BOOST_AUTO_TEST_CASE(an_index_knows_where_it_is)
{
    std::uint32_t next = 0;
    for (std::size_t number = 0; number < 3; ++number) {
        const RouterIndex router(number);
        for (unsigned port = 0; port < mesh::kPorts; ++port) {
            const InputIndex input(router, port);
            BOOST_TEST((input.router() == router));
            BOOST_TEST(input.port() == port);
            for (unsigned channel = 0; channel < kStride; ++channel) {
                const InputChannelIndex index = input.channel(channel);
                BOOST_TEST(index.number == next++);
                BOOST_TEST((index.port() == input));
                BOOST_TEST((index.router() == router));
                BOOST_TEST(index.channel() == channel);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_router_is_a_view_of_its_own_channels_and_outputs)
{
    constexpr std::size_t kRouters = 3;
    std::vector<RouterState> states(kRouters);
    Indexed<InputChannelIndex, InputChannel> inputs(kRouters * mesh::kPorts * kStride);
    Indexed<OutputIndex, OutputPort> outputs(kRouters * mesh::kPorts);
    for (std::size_t number = 0; number < kRouters; ++number) {
        const RouterIndex index(number);
        const Router router(index, states[number], &inputs[InputIndex(index, 0).channel(0)],
                            &outputs[OutputIndex(index, 0)]);
        for (unsigned port = 0; port < mesh::kPorts; ++port) {
            BOOST_TEST(&router.output(port) == &outputs[router.output_port(port)]);
            for (unsigned channel = 0; channel < kStride; ++channel) {
                const InputChannelIndex at = router.input_port(port).channel(channel);
                BOOST_TEST(&router.input(port, channel) == &inputs[at]);
            }
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace ringmesh::hw::router_test
