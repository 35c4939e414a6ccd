// SPDX-License-Identifier: Apache-2.0
/// Bytes go from one PC's program into another PC's memory, once.
#include <algorithm>
#include <vector>

#include "tests/hw/psb/stream_bench.h"
#include "tests/platforms/wulfkit/ring_bench.h"
#include "tests/support/cases.h"
#include "tests/support/policies.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using platforms::WulfkitParams;

constexpr std::uint64_t kPlace = 512;  ///< from one message to the next in the receiver's memory
constexpr std::byte kUntouched{0};     ///< message() makes no such byte

/// The n-th message: its offset in its area, and its length.
struct Message {
    std::uint64_t offset;
    std::size_t size;
};

Task<> send(PcProcessor& cpu, unsigned to, StoreKind kind, const std::vector<Message>& messages, std::uint64_t first)
{
    const std::uint64_t window = RingBench::map_inbox(cpu, to, first * kPlace, messages.size() * kPlace);
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const auto bytes = message(messages[i].size, first + i);
        const StoreRequest store{kind, window + i * kPlace + messages[i].offset, bytes.data(),
                                 static_cast<std::uint32_t>(bytes.size())};
        co_await cpu.store(store);
    }
}

/// Whether an area holds its message and nothing else.
bool holds(const PcProcessor& cpu, std::uint64_t number, const Message& wanted)
{
    std::vector<std::byte> place(kPlace);
    cpu.peek(RingBench::kInbox + number * kPlace, place);
    std::vector<std::byte> expected(kPlace, kUntouched);
    const auto bytes = message(wanted.size, number);
    std::copy(bytes.begin(), bytes.end(), expected.begin() + static_cast<std::ptrdiff_t>(wanted.offset));
    return place == expected;
}

const auto kKinds = data::make({StoreKind::kSingle, StoreKind::kMemcpy, StoreKind::kMmx});

}  // namespace

namespace ringmesh {
static std::ostream& operator<<(std::ostream& out, StoreKind kind) { return out << static_cast<int>(kind); }
}  // namespace ringmesh

namespace ringmesh::test {  // outside it, `system` is a function of the C library

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(wulfkit_ring)

/// Each size at several offsets in a block; together they cover all offsets many times.
BOOST_DATA_TEST_CASE(every_byte_arrives_exactly_once_whatever_its_size_and_place,
                     kKinds* data::make(all_policies<hw::StreamAssignmentPolicy>()) * data::make(kCards), kind, rule,
                     card)
{
    std::vector<Message> messages;
    std::size_t wanted_requests = 0;
    for (std::size_t size = 1; size <= 300; ++size) {
        for (std::uint64_t step = 0; step < 3; ++step) {
            messages.push_back({(size * 7 + step * 23) % 64 + (step == 2 ? 64 : 0), size});
            wanted_requests += ExpectedTransactions(card, messages.back().offset, size).all();
        }
    }
    WulfkitParams params = RingBench::nodes(3);
    params.psb.stream_assignment = rule;
    card.set(params.psb);
    params.lc2.bypass_capacity = params.lc2.least_bypass_capacity(params.link, params.psb.largest_request());
    RingBench bench(params);
    bench.open_inboxes(messages.size() * kPlace);
    PcProcessor& sender = bench.machine.processor(0);
    sender.run(send(sender, 2, kind, messages, 0), "sender");
    bench.simulation.run();
    bench.simulation.require_drained();
    for (std::size_t i = 0; i < messages.size(); ++i) {
        if (!holds(bench.machine.processor(2), i, messages[i])) {
            BOOST_ERROR("message of " << messages[i].size << " bytes at " << messages[i].offset);
        }
    }
    // Once: no block was written by more requests than needed.
    BOOST_TEST(bench.sum("node2.psb", "written") == static_cast<double>(wanted_requests));
    BOOST_TEST(bench.sum("node2.bridge", "inbound") == static_cast<double>(wanted_requests));
    BOOST_TEST(bench.sum("node0.psb", "responses") == static_cast<double>(wanted_requests));
    BOOST_TEST(bench.sum("node1.psb", "written") == 0);
}

namespace {

/// Sends to the next node, the one opposite, and the one before.
std::vector<unsigned> peers(unsigned me, unsigned nodes)
{
    std::vector<unsigned> all{(me + 1) % nodes};
    for (const unsigned peer : {(me + nodes / 2) % nodes, (me + nodes - 1) % nodes}) {
        if (peer != me && std::find(all.begin(), all.end(), peer) == all.end()) all.push_back(peer);
    }
    return all;
}

Task<> send_to_peers(PcProcessor& cpu, unsigned nodes, const std::vector<Message>& messages)
{
    for (const unsigned peer : peers(cpu.rank(), nodes)) {
        co_await send(cpu, peer, StoreKind::kMemcpy, messages, cpu.rank() * messages.size());
    }
}

}  // namespace

BOOST_DATA_TEST_CASE(rings_of_all_sizes_deliver, data::make({2u, 3u, 16u, 64u}), nodes)
{
    const std::vector<Message> messages{{0, 64}, {3, 200}, {60, 8}};
    RingBench bench(RingBench::nodes(nodes));
    bench.open_inboxes(nodes * messages.size() * kPlace);
    for (unsigned rank = 0; rank < nodes; ++rank) {
        PcProcessor& cpu = bench.machine.processor(rank);
        cpu.run(send_to_peers(cpu, nodes, messages), "sender");
    }
    bench.simulation.run();
    bench.simulation.require_drained();
    for (unsigned from = 0; from < nodes; ++from) {
        for (const unsigned to : peers(from, nodes)) {
            for (std::size_t i = 0; i < messages.size(); ++i) {
                BOOST_TEST(holds(bench.machine.processor(to), from * messages.size() + i, messages[i]));
            }
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::test
