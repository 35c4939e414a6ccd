// SPDX-License-Identifier: Apache-2.0
/// Loads of remote memory: the requester's retries and read buffer, and the responder's answer.
#include <algorithm>
#include <vector>

#include "tests/hw/psb/psb_bench.h"
#include "tests/support/cases.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using sci::Command;

constexpr Duration kAgain = 100_ns;  ///< from a retry to the next try

hw::Psb::Config with(bool prefetch)
{
    auto config = PsbBench::config();
    config.chip.read_prefetch = prefetch;
    return config;
}

/// The address phases of the loads of this address; the last one is accepted.
std::vector<Duration> tries(const PsbBench& bench, std::uint64_t address)
{
    std::vector<Duration> times;
    for (const auto& load : bench.pci.loads) {
        if (load.address == address) times.push_back(load.address_phase);
    }
    return times;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(psb)

BOOST_DATA_TEST_CASE(a_load_is_retried_until_its_response_has_crossed,
                     data::make({0_ns, 187_ns}) * data::make({0_ns, 30_ns, 2_us}), crossing, network)
{
    auto config = with(false);
    config.crossing = crossing;
    PsbBench bench(config);
    bench.answer_after(network);
    bench.pci.load_at(1_us, bench.window + 4, 4, kAgain);
    bench.run();
    BOOST_TEST_REQUIRE(bench.blink.requests.size() == 1u);
    BOOST_TEST(bench.blink.requests[0].time == 1_us + crossing);
    BOOST_TEST(bench.blink.requests[0].kind == sci::Class::kRequest);
    const Duration here = 1_us + crossing + network + crossing;
    const auto times = tries(bench, bench.window + 4);
    BOOST_TEST(times.back() >= here);
    BOOST_TEST(times.back() <= here + kAgain);
    for (std::size_t i = 0; i < times.size(); ++i) {
        BOOST_TEST(times[i] == 1_us + kAgain * static_cast<std::int64_t>(i));
        BOOST_TEST(bench.pci.loads[i].taken == (i + 1 == times.size()));
    }
    BOOST_TEST((bench.pci.loads.back().bytes == pci_memory(PsbBench::kMapped + 4, 4)));
    BOOST_TEST(bench.statistic("loads") == 1);
    BOOST_TEST(bench.statistic("reads") == 1);
    bench.simulation.require_drained();
}

BOOST_DATA_TEST_CASE(without_prefetch_the_selected_bytes_are_the_loaded_ones,
                     data::make({0u, 1u, 6u, 20u, 40u, 63u}) ^ data::make({8u, 1u, 2u, 4u, 8u, 1u}), offset, size)
{
    PsbBench bench(with(false));
    bench.answer_after(1_us);
    bench.pci.load_at(1_us, bench.window + 128 + offset, size, kAgain);
    bench.run();
    BOOST_TEST_REQUIRE(bench.blink.arrived.size() == 1u);
    const sci::Packet& request = bench.blink.arrived[0].packet;
    BOOST_TEST(request.command == Command::kRead16);
    BOOST_TEST(request.target == PsbBench::kThere);
    BOOST_TEST(request.source == PsbBench::kMe);
    BOOST_TEST(request.offset == PsbBench::kMapped + 128 + offset / 16 * 16);
    BOOST_TEST(request.selected == ((1U << size) - 1U) << offset % 16);
    BOOST_TEST((bench.pci.loads.back().bytes == pci_memory(PsbBench::kMapped + 128 + offset, size)));
}

/// From the first byte to the last one, the block comes once; the loads after the first one are accepted at once.
BOOST_DATA_TEST_CASE(with_prefetch_a_block_is_fetched_once, data::make({1u, 2u, 4u, 8u}), width)
{
    PsbBench bench(with(true));
    bench.answer_after(1_us);
    for (unsigned from = 0; from < 128; from += width) {
        bench.pci.load_at(10_us + 5_us * static_cast<std::int64_t>(from), bench.window + 64 + from, width, kAgain);
    }
    bench.run();
    BOOST_TEST_REQUIRE(bench.blink.arrived.size() == 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        const sci::Packet& request = bench.blink.arrived[i].packet;
        BOOST_TEST(request.command == Command::kRead64);
        BOOST_TEST(request.offset == PsbBench::kMapped + 64 + 64 * i);
    }
    for (unsigned from = 0; from < 128; from += width) {
        BOOST_TEST((tries(bench, bench.window + 64 + from).size() == 1) == (from % 64 != 0));
    }
    for (const auto& load : bench.pci.loads) {
        if (load.taken) {
            BOOST_TEST((load.bytes == pci_memory(PsbBench::kMapped + load.address - bench.window, width)));
        }
    }
    BOOST_TEST(bench.statistic("loads") == 128 / width);
    bench.simulation.require_drained();
}

BOOST_DATA_TEST_CASE(a_store_a_barrier_and_an_order_invalidate_the_block, data::make({0, 1, 2, 3}), what)
{
    PsbBench bench(with(true));
    bench.answer_after(1_us);
    bench.pci.load_at(10_us, bench.window, 4, kAgain);
    switch (what) {
        case 0: bench.pci.store_at(20_us, bench.window + 2048, pattern(64)); break;
        case 1: bench.pci.load_at(20_us, PsbBench::kWindow + hw::kBarrierRegister, 4); break;
        case 2: bench.pci.store_at(20_us, PsbBench::kWindow + hw::kFlushRegister, pattern(4)); break;
        default: break;
    }
    bench.pci.load_at(30_us, bench.window + 4, 4, kAgain);
    bench.run();
    BOOST_TEST(bench.statistic("reads") == (what == 3 ? 1 : 2));
}

/// On PCI a read pushes the writes ahead of it; on the network it could overtake them.
BOOST_DATA_TEST_CASE(a_load_leaves_when_the_stores_before_it_are_answered,
                     data::make({4u, 60u, 64u}) * data::make({false, true}), stored, prefetch)
{
    PsbBench bench(with(prefetch));
    bench.answer_after(3_us);
    bench.pci.store_at(1_us, bench.window, pattern(stored));
    bench.pci.load_at(1'100_ns, bench.window, 4, kAgain);
    bench.run();
    const auto& arrived = bench.blink.arrived;
    const std::size_t writes = stored == 64 ? 1 : (stored + 15) / 16;
    BOOST_TEST_REQUIRE(arrived.size() == writes + 1);
    // Flushed by the first try: the gathered bytes did not wait for their time-out
    BOOST_TEST(arrived[0].begin <= 1'100_ns + bench.params.crossing);
    for (std::size_t i = 0; i < writes; ++i) BOOST_TEST(sci::is_write(arrived[i].packet.command));
    BOOST_TEST(!sci::is_write(arrived[writes].packet.command));
    const Duration answered = arrived[writes - 1].begin + 3_us + bench.params.crossing;
    BOOST_TEST(arrived[writes].begin >= answered + bench.params.crossing);
    BOOST_TEST(arrived[writes].begin <= answered + kAgain + bench.params.crossing);
    bench.simulation.require_drained();
}

/// Its bytes come over PCI, its response takes the crossings of any other.
BOOST_DATA_TEST_CASE(the_responder_reads_its_memory_and_answers_with_the_bytes,
                     data::make({0_ns, 187_ns}) * data::make({100_ns, 700_ns}) * data::make({0u, 5u, 12u}), crossing,
                     access, first)
{
    auto config = PsbBench::config();
    config.crossing = crossing;
    PsbBench bench(config);
    bench.pci.write_takes = access;
    auto small = make_packet(Command::kRead16, PsbBench::kMe, 5);
    small.selected = static_cast<std::uint16_t>(0xF << first);
    bench.blink.send_at(1_us, small);
    bench.blink.send_at(50_us, make_packet(Command::kRead64, PsbBench::kMe, 6));
    bench.run();
    const auto& reads = bench.pci.writes;
    BOOST_TEST_REQUIRE(reads.size() == 2u);
    BOOST_TEST(reads[0].read);
    BOOST_TEST(reads[0].asked == 1_us + crossing);
    BOOST_TEST(reads[0].address == small.offset + first);
    BOOST_TEST(reads[0].bytes.size() == 4u);
    BOOST_TEST(reads[1].bytes.size() == 64u);
    BOOST_TEST_REQUIRE(bench.blink.arrived.size() == 2u);
    BOOST_TEST(bench.blink.requests[0].time == 1_us + crossing + access + crossing);
    const sci::Packet& answer = bench.blink.arrived[0].packet;
    BOOST_TEST(answer.command == Command::kResponse16);
    BOOST_TEST(answer.target == small.source);
    BOOST_TEST(answer.tag == small.tag);
    BOOST_TEST(answer.selected == small.selected);
    BOOST_TEST(std::equal(reads[0].bytes.begin(), reads[0].bytes.end(), answer.data.begin() + first));
    const sci::Packet& block = bench.blink.arrived[1].packet;
    BOOST_TEST(block.command == Command::kResponse64);
    BOOST_TEST(std::equal(reads[1].bytes.begin(), reads[1].bytes.end(), block.data.begin()));
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
