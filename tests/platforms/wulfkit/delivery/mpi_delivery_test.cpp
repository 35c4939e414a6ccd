// SPDX-License-Identifier: Apache-2.0
/// MPI over a ring whose link controllers refuse packets, and with as little memory as it can do with.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "tests/platforms/wulfkit/ring_bench.h"
#include "tests/support/cases.h"
#include "tests/workloads/libraries/mpi/mpi_bench.h"
#include "tlm/simulation/random.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using workloads::mpi::Options;

constexpr unsigned kRanks = 6;

platforms::WulfkitParams crowded()
{
    auto params = RingBench::nodes(kRanks);
    params.lc2.receive_slots = 1;
    params.psb.stream_buffers = 2;
    params.psb.inbound_slots = 1;
    return params;
}

Options tiny()
{
    return {.short_limit = 60, .eager_limit = 500, .slots = 2, .eager_buffer = 576, .chunk = 300, .chunk_buffers = 1};
}

}  // namespace

namespace ringmesh::test::mpi_delivery_test {  // outside it, `system` is a function of the C library

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(mpi_delivery)

BOOST_DATA_TEST_CASE(messages_from_all_to_one_come_once_in_order_and_intact, data::make({false, true}), small)
{
    RingBench bench(crowded());
    MpiSending sending(bench.machine, small ? tiny() : Options{});
    Random random = bench.simulation.random_for("sizes");
    std::vector<std::uint32_t> sizes;
    for (int i = 0; i < 30; ++i) sizes.push_back(static_cast<std::uint32_t>(std::exp2(random.unit() * 16)) - 1);
    sending.run(sizes, 100_us);
    bench.simulation.require_drained();
    BOOST_TEST(sending.received_from.size() == sizes.size() * (kRanks - 1));
    BOOST_TEST(bench.machine.retries() > 0u);
}

/// Rank 0 has room for all, the others for a few: all connect when they first send.
BOOST_AUTO_TEST_CASE(ranks_without_room_for_all_connect_to_those_to_which_they_send)
{
    const Bytes little(768 << 10);
    auto params = crowded();
    params.one_node[0] = params;
    params.host.memory = little;
    RingBench bench(params);
    MpiSending sending(bench.machine);
    const std::vector<std::uint32_t> sizes{10, 5000, 60000, 0, 100};
    sending.run(sizes, 100_us);
    bench.simulation.require_drained();
    for (unsigned rank = 1; rank < kRanks; ++rank) {
        BOOST_TEST(std::count(sending.received_from.begin(), sending.received_from.end(), rank) ==
                   static_cast<std::ptrdiff_t>(sizes.size()));
        // A part, a board and the buffers
        BOOST_TEST(bench.machine.processor(rank).segments().memory_left() > std::uint64_t{256} << 10U);
    }
}

BOOST_AUTO_TEST_CASE(no_room_for_a_connection_is_an_error)
{
    auto params = crowded();
    params.host.memory = Bytes(768 << 10);
    RingBench bench(params);
    MpiSending sending(bench.machine);
    BOOST_CHECK_THROW(sending.run({10}), UserError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::test::mpi_delivery_test
