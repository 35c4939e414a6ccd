// SPDX-License-Identifier: Apache-2.0
/// Vertex on a whole cube: what each call costs, which way messages go, and what goes wrong with which words.
#include "workloads/libraries/vertex/vertex.h"

#include <bit>

#include "tests/platforms/configuration/user_error.h"
#include "tests/platforms/ncube/ncube_bench.h"
#include "tests/support/cases.h"

namespace ringmesh::test::vertex_test {
namespace {

using workloads::vertex::kAny;
using workloads::vertex::Received;
using workloads::vertex::Vertex;

constexpr std::uint64_t kFrom = 0x1000;
constexpr std::uint64_t kTo = 0x6000;
constexpr Duration kRounding = 5_ns;

bool near(Duration a, Duration b) { return a - b < kRounding && b - a < kRounding; }

struct Times {
    Duration written, read;
    Received got;
    std::int64_t number = -2;
};

Task<> write(Vertex& vertex, std::uint32_t size, unsigned to, int type, Times& times, Duration wait = {})
{
    if (wait > Duration::zero()) co_await vertex.cpu().compute(wait);
    co_await vertex.nwrite(kFrom, size, to, type);
    times.written = now();
}

Task<> read(Vertex& vertex, std::uint32_t size, int source, int type, Times& times, Duration wait = {})
{
    if (wait > Duration::zero()) co_await vertex.cpu().compute(wait);
    const Received got = co_await vertex.nread(kTo, size, source, type);
    times.got = got;
    times.read = now();
}

/// Clocks from the call of nwrite until the request can leave.
std::int64_t to_format(const VertexParams& params, std::int64_t copy)
{
    const VertexActions p = params.actions();
    return p.system_entry.count() + p.allocate.count() + copy + p.route.count();
}

/// Clocks from there until the message is queued for the next channel, over one channel, on otherwise idle nodes.
std::int64_t to_cross(const VertexParams& params, std::uint32_t size)
{
    const VertexActions p = params.actions();
    const Cycles actions = p.channel_start * 4 + p.interrupt_entry * 3 + p.allocate + p.arm + p.route;
    return actions.count() + 9 * (params.request.count() + params.reply.count() + size);
}

/// Clocks from the same place, but in the list of what has arrived, until a read that waits for it has returned.
std::int64_t to_deliver(const VertexParams& params, std::int64_t copy)
{
    const VertexActions p = params.actions();
    const Cycles actions = p.file + p.interrupt_return + p.deliver + p.release + p.system_return;
    return actions.count() + copy - p.route.count();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(vertex)

BOOST_DATA_TEST_CASE(a_write_returns_when_the_message_is_in_a_buffer_and_asked_for, data::make({1u, 16u, 500u, 2000u}),
                     size)
{
    NcubeBench bench(NcubeBench::cube(1));
    Times times;
    bench.run(0, write(bench.node(0), size, 1, 7, times));
    bench.run(1, read(bench.node(1), size, 0, 7, times));
    bench.simulation.run();
    const VertexActions p = bench.vertex_params.actions();
    // A short copy leaves the reply's interrupt to the time after the return
    BOOST_TEST(near(times.written, bench.clocks(to_format(bench.vertex_params, bench.copy(size)) +
                                                (p.channel_start + p.system_return).count())));
}

BOOST_DATA_TEST_CASE(a_message_takes_the_sum_of_the_actions_on_its_way,
                     data::make({1u, 16u, 500u, 2000u}) * data::make({1u, 3u, 7u}), size, to)
{
    NcubeBench bench(NcubeBench::cube(3));
    bench.fill(0, kFrom, size, to);
    Times times;
    bench.run(0, write(bench.node(0), size, to, 7, times));
    bench.run(to, read(bench.node(to), size, kAny, kAny, times));
    bench.simulation.run();
    const VertexParams& p = bench.vertex_params;
    const int hops = std::popcount(to);
    const std::int64_t copy = bench.copy(size);
    const std::int64_t clocks = to_format(p, copy) + hops * to_cross(p, size) + to_deliver(p, copy);
    BOOST_TEST(near(times.read, bench.clocks(clocks)));
    BOOST_TEST(times.got.size == size);
    BOOST_TEST(times.got.source == 0);
    BOOST_TEST(times.got.type == 7);
    BOOST_TEST(bench.right(to, kTo, size, to) == size);
    bench.simulation.require_drained();
}

/// The lowest differing dimension first: from 1 to 2 by way of 0, from 2 to 1 by way of 3 [001 App. A, test 8].
BOOST_DATA_TEST_CASE(messages_take_the_lowest_differing_dimension_first, data::make({1u, 2u}), from)
{
    NcubeBench bench(NcubeBench::cube(2));
    Times times;
    const unsigned to = 3 - from;
    bench.run(from, write(bench.node(from), 16, to, 1, times));
    bench.simulation.run();
    const unsigned by_way_of = from == 1 ? 0 : 3;
    BOOST_TEST(bench.node(by_way_of).stats().forwarded.count() == 1u);
    BOOST_TEST(bench.node(3 - by_way_of).stats().forwarded.count() == 0u);
    BOOST_TEST(bench.node(to).unread() == 1u);
}

BOOST_AUTO_TEST_CASE(neighbours_that_write_to_each_other_at_once_both_get_their_message)
{
    NcubeBench bench(NcubeBench::cube(1));
    Times times[2];
    for (unsigned i = 0; i < 2; ++i) {
        bench.fill(i, kFrom, 1000, i + 1);
        bench.run(i, write(bench.node(i), 1000, 1 - i, 1, times[i]));
    }
    bench.simulation.run();
    BOOST_TEST(bench.node(0).unread() == 1u);
    BOOST_TEST(bench.node(1).unread() == 1u);
    bench.simulation.require_drained();
}

BOOST_DATA_TEST_CASE(a_read_that_is_shorter_than_the_message_pays_for_what_it_copies,
                     data::make({0u, 2u, 100u, 2000u, 4000u}), wanted)
{
    constexpr std::uint32_t kSize = 2000;
    NcubeBench bench(NcubeBench::cube(1));
    bench.fill(0, kFrom, kSize, 5);
    Times times;
    const Duration wait = 20_ms;
    bench.run(0, write(bench.node(0), kSize, 1, 7, times));
    bench.run(1, read(bench.node(1), wanted, 0, 7, times, wait));
    bench.simulation.run();
    const VertexActions p = bench.vertex_params.actions();
    const std::uint32_t copied = std::min(wanted, kSize);
    const std::int64_t handlers = 2 * (p.interrupt_entry + p.interrupt_return).count() + p.allocate.count() +
                                  2 * p.channel_start.count() + (p.arm + p.file).count();
    const std::int64_t call = p.system_entry.count() + p.match.count() + p.deliver.count() + bench.copy(copied) +
                              p.release.count() + p.system_return.count();
    BOOST_TEST(near(times.read, wait + bench.clocks(handlers + call)));
    BOOST_TEST(times.got.size == kSize);
    BOOST_TEST(bench.right(1, kTo, copied, 5) == copied);
    BOOST_TEST(bench.node(1).stats().truncated.count() == (wanted < kSize ? 1u : 0u));
    BOOST_TEST(bench.node(1).buffers().used() == 0u);
}

namespace {

Task<> three(Vertex& vertex)
{
    for (int i = 0; i < 3; ++i) co_await vertex.nwrite(kFrom, 8, 1, 10 + i);
}

Task<> pick(Vertex& vertex, std::vector<int>& types)
{
    co_await vertex.cpu().compute(10_ms);
    for (const int type : {12, kAny, kAny}) {
        const Received got = co_await vertex.nread(kTo, 8, kAny, type);
        types.push_back(got.type);
    }
}

Task<> ask(Vertex& vertex, Times& times)
{
    co_await vertex.cpu().compute(1_ms);
    const std::int64_t ticks = co_await vertex.ntime();
    times.number = ticks;
    times.written = now();
}

}  // namespace

BOOST_AUTO_TEST_CASE(reads_choose_by_type_and_take_the_oldest_otherwise)
{
    NcubeBench bench(NcubeBench::cube(1));
    std::vector<int> types;
    bench.run(0, three(bench.node(0)));
    bench.run(1, pick(bench.node(1), types));
    bench.simulation.run();
    BOOST_TEST(types == (std::vector<int>{12, 10, 11}), boost::test_tools::per_element());
}

/// Node 1's message arrives before node 2's.
BOOST_DATA_TEST_CASE(a_read_takes_the_first_message_of_the_node_that_it_names,
                     data::make({2, 1, kAny}) ^ data::make({2, 1, 1}), asked, taken)
{
    NcubeBench bench(NcubeBench::cube(2));
    Times times;
    for (unsigned rank = 1; rank <= 2; ++rank) {
        bench.fill(rank, kFrom, 40, rank);
        bench.run(rank, write(bench.node(rank), 40, 0, 7, times, rank * 1_ms));
    }
    bench.run(0, read(bench.node(0), 40, asked, 7, times, 10_ms));
    bench.simulation.run();
    BOOST_TEST(times.got.source == taken);
    BOOST_TEST(bench.right(0, kTo, 40, static_cast<unsigned>(taken)) == 40u);
    BOOST_TEST(bench.node(0).unread() == 1u);
}

BOOST_AUTO_TEST_CASE(the_timer_counts_whole_grains)
{
    NcubeBench bench(NcubeBench::cube(3));
    Times times;
    bench.run(5, ask(bench.node(5), times));
    bench.simulation.run();
    const VertexParams& p = bench.vertex_params;
    const double ticks = times.written / bench.clocks(p.timer_grain.count());
    BOOST_TEST(times.number <= ticks);
    BOOST_TEST(times.number > ticks - 1);
}

/// Node 6 is two hops from node 0; the host writes to it, and it to the host.
BOOST_DATA_TEST_CASE(the_host_is_one_channel_away_from_each_node, data::make({false, true}), host_writes)
{
    NcubeBench bench(NcubeBench::cube(3));
    const unsigned host = bench.machine.host();
    const unsigned from = host_writes ? host : 6;
    const unsigned to = host_writes ? 6 : host;
    bench.fill(from, kFrom, 100, 9);
    Times sent, got;
    bench.run(from, write(bench.node(from), 100, to, 3, sent));
    bench.run(to, read(bench.node(to), 100, static_cast<int>(from), 3, got));
    bench.simulation.run();
    bench.simulation.require_drained();
    const VertexParams& p = bench.vertex_params;
    const std::int64_t copy = bench.copy(100);
    BOOST_TEST(near(got.read, bench.clocks(to_format(p, copy) + to_cross(p, 100) + to_deliver(p, copy))));
    BOOST_TEST(got.got.source == static_cast<int>(from));
    BOOST_TEST(got.got.type == 3);
    BOOST_TEST(got.got.size == 100u);
    BOOST_TEST(bench.right(to, kTo, 100, 9) == 100u);
    for (unsigned rank = 0; rank < 8; ++rank) BOOST_TEST(bench.node(rank).stats().forwarded.count() == 0u);
}

BOOST_AUTO_TEST_CASE(a_message_longer_than_the_buffers_is_refused_by_name)
{
    NcubeBench bench(NcubeBench::cube(1));
    Times times;
    bench.run(0, write(bench.node(0), 70'000, 1, 7, times));
    BOOST_TEST(
        error_of([&] { bench.simulation.run(); }) ==
        "nwrite on node 0 to 1: a message of 70000 bytes is longer than the memory for buffers, 65536 bytes; write "
        "a shorter one, or raise vertex.buffer_memory");
}

BOOST_AUTO_TEST_CASE(a_node_that_does_not_exist_is_named)
{
    NcubeBench bench(NcubeBench::cube(2));
    Times times;
    bench.run(3, write(bench.node(3), 8, 9, 7, times));
    BOOST_TEST(error_of([&] { bench.simulation.run(); }) ==
               "nwrite on node 3: this machine has no node 9; choose one of 0 to 3, or 4 for the host");
}

BOOST_AUTO_TEST_CASE(buffers_that_are_full_end_the_run_with_node_message_and_occupancy)
{
    auto params = NcubeBench::cube(1);
    params.vertex.buffer_memory = 100_B;
    NcubeBench bench(params);
    bench.run(0, three(bench.node(0)));
    bench.fill(0, kFrom, 8, 1);
    Times times;
    auto& second = bench.machine.processor(1);
    second.run(write(bench.node(1), 90, 0, 4, times, 10_ms), "test");
    const std::string error = error_of([&] { bench.simulation.run(); });
    BOOST_TEST(
        error.find("nwrite on node 1: no system buffer for message 2 of 90 bytes from node 1 to 0 (type 4): 24 of 100 "
                   "bytes are taken, 3 messages are unread") == 0u);
}

/// Node 1 is on the way from 3 to 5.
BOOST_DATA_TEST_CASE(full_buffers_of_a_neighbour_say_whether_it_forwards_or_receives, data::make({1, 5}), to)
{
    auto params = NcubeBench::cube(3);
    params.vertex.buffer_memory = 100_B;
    NcubeBench bench(params);
    bench.run(0, three(bench.node(0)));
    Times times;
    bench.machine.processor(3).run(write(bench.node(3), 90, static_cast<unsigned>(to), 4, times, 10_ms), "test");
    const std::string error = error_of([&] { bench.simulation.run(); });
    const std::string what = to == 1 ? "receiving" : "forwarding";
    BOOST_TEST(error.starts_with(what + " on node 1: no system buffer for message 4 of 90 bytes from node 3 to " +
                                 std::to_string(to)),
               error);
}

namespace {

Task<> twelve(Vertex& vertex)
{
    for (int i = 0; i < 12; ++i) co_await vertex.nwrite(kFrom, 900, 1, i);
}

Task<> take_late(Vertex& vertex, std::vector<int>& types)
{
    co_await vertex.cpu().compute(30_ms);
    for (int i = 0; i < 12; ++i) {
        const Received got = co_await vertex.nread(kTo, 900, 0, kAny);
        types.push_back(got.type);
    }
}

}  // namespace

BOOST_DATA_TEST_CASE(full_buffers_lose_nothing_with_waiting_or_repeating, data::make({false, true}), repeat)
{
    const auto policy = repeat ? FullBuffers::kRepeat : FullBuffers::kWait;
    auto params = NcubeBench::cube(1);
    params.vertex.buffer_memory = 2000_B;
    params.vertex.full_buffers = policy;
    NcubeBench bench(params);
    std::vector<int> types;
    bench.run(0, twelve(bench.node(0)));
    bench.run(1, take_late(bench.node(1), types));
    bench.simulation.run();
    bench.simulation.require_drained();
    BOOST_TEST_REQUIRE(types.size() == 12u);
    for (int i = 0; i < 12; ++i) BOOST_TEST(types[static_cast<std::size_t>(i)] == i);
    BOOST_TEST((bench.node(1).stats().refused.count() > 0) == repeat);
}

/// No program reads, so its buffers stay full and every request is refused.
BOOST_AUTO_TEST_CASE(requests_refused_without_end_stop_the_run)
{
    auto params = NcubeBench::cube(1);
    params.vertex.buffer_memory = 2000_B;
    params.vertex.full_buffers = FullBuffers::kRepeat;
    NcubeBench bench(params);
    bench.run(0, twelve(bench.node(0)));
    try {
        bench.simulation.run();
        BOOST_TEST(false);
    } catch (const StuckError& error) {
        const std::string text = error.what();
        BOOST_TEST(
            text.find("node0.cpu: test waits in nwrite of 900 bytes to node 1: 1808 of 2000 bytes of buffers are "
                      "taken") != std::string::npos,
            text);
    }
}

BOOST_AUTO_TEST_CASE(a_single_node_has_its_host_to_talk_to)
{
    NcubeBench bench(NcubeBench::cube(0));
    bench.fill(0, kFrom, 64, 3);
    Times there, back;
    bench.run(0, write(bench.node(0), 64, bench.machine.host(), 1, there));
    bench.run(1, read(bench.node(1), 64, 0, 1, back));
    bench.simulation.run();
    bench.simulation.require_drained();
    BOOST_TEST(bench.right(1, kTo, 64, 3) == 64u);
}

BOOST_AUTO_TEST_CASE(a_deadlocked_program_is_named_with_its_call)
{
    NcubeBench bench(NcubeBench::cube(2));
    Times times;
    bench.run(2, read(bench.node(2), 8, 3, kAny, times));
    bench.simulation.run();
    try {
        bench.simulation.require_drained();
        BOOST_TEST(false);
    } catch (const StuckError& error) {
        const std::string text = error.what();
        BOOST_TEST(
            text.find("node2.cpu: test waits in nread: a message of any type from node 3; 0 others are unread") !=
            std::string::npos);
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::test::vertex_test
