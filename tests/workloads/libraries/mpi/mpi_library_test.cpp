// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/mpi/mpi_library.h"

#include "tests/support/cases.h"
#include "tests/workloads/programs/point_to_point_bench.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;
using mpi::Options;
using test::cell;
using test::FakeCosts;
using test::FakeMachine;

template <Exchange kExchange>
struct Bench : test::PointToPointBench<kExchange, mpi::MpiLibrary> {
    using Base = test::PointToPointBench<kExchange, mpi::MpiLibrary>;
    using Base::machine;
    Options options;

    explicit Bench(PointToPointOptions series, const Options& library = {}, FakeCosts costs = {})
        : Base(one_series(std::move(series)), mpi::MpiLibrary("MPI", library), std::move(costs), 2), options(library)
    {}
    static PointToPointOptions one_series(PointToPointOptions options)
    {
        options.series = 1;
        return options;
    }
    Duration call() const { return options.call * Clock(500_MHz); }
    Duration store() const { return machine.costs.store; }
    Duration poll() const { return machine.costs.poll; }
    Duration flight() const { return machine.costs.flight(0); }
    /// Cost of an arrived block: found, loaded, its data stored.
    Duration take_short_block() const { return 2 * poll() + store(); }
    /// Until the end of the receiver's call, without a short message's data.
    Duration finish() const { return store() + call(); }
    Duration copy() const { return poll() + store(); }
    /// Of a chunk: data, barrier, control block.
    Duration transmit() const { return store() + flight() + store(); }
    /// Of a chunk: control block found and loaded, data copied.
    Duration copy_out() const { return 2 * poll() + copy(); }
    /// From the sender's call until its first chunk may leave.
    Duration handshake() const { return call() + store() + flight() + 2 * poll() + store() + flight() + poll(); }
};

constexpr int kChunk = 2048;

Options in_chunks(int buffers) { return {.eager_limit = 1000, .chunk = kChunk, .chunk_buffers = buffers}; }

const auto kClose = boost::test_tools::tolerance(1e-12);

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(mpi_library)

// 24 bytes of envelope and 38 of the message fill the 62 of the first block.
BOOST_DATA_TEST_CASE(a_short_message_takes_time_for_each_block,
                     data::make({1, 38, 39, 100, 101, 128}) ^ data::make({1, 1, 2, 2, 3, 3}), size, blocks)
{
    Bench<Exchange::kPingPong> bench({.sizes = std::to_string(size), .repetitions = 5});
    const auto results = bench.run();
    const Duration expected =
        bench.call() + bench.store() + bench.flight() + blocks * bench.take_short_block() + bench.finish();
    BOOST_TEST(cell<double>(results, 0, "latency_min_ns") == expected.ns(), kClose);
}

BOOST_DATA_TEST_CASE(an_empty_message_is_one_block_and_a_check_takes_no_time_of_a_ping_pong, data::make({true, false}),
                     check)
{
    Bench<Exchange::kPingPong> bench({.sizes = "0", .repetitions = 5}, {.check = check});
    const auto results = bench.run();
    const Duration expected = bench.call() + bench.store() + bench.flight() + 2 * bench.poll() + bench.finish();
    BOOST_TEST(cell<double>(results, 0, "latency_min_ns") == expected.ns(), kClose);
}

// Two messages of each size: the buffer must not wrap, which would take two copies.
BOOST_DATA_TEST_CASE(an_eager_message_is_copied_when_all_of_it_has_come, data::make({129, 4096, 32768}), size)
{
    Bench<Exchange::kPingPong> bench({.sizes = std::to_string(size), .repetitions = 1}, {.call = Cycles(500)});
    const auto results = bench.run();
    const Duration sent = bench.store() + bench.flight() + bench.store() + bench.flight();
    const Duration taken = 2 * bench.poll() + bench.poll() + bench.copy();
    const Duration expected = bench.call() + sent + taken + bench.finish();
    BOOST_TEST(cell<double>(results, 0, "latency_min_ns") == expected.ns(), kClose);
}

BOOST_DATA_TEST_CASE(a_chunk_is_copied_while_the_next_is_transmitted, data::make({1, 2, 3, 8}) * data::make({0, -1}),
                     chunks, less)
{
    Bench<Exchange::kPingPong> bench({.sizes = std::to_string(chunks * kChunk + less), .repetitions = 2},
                                     in_chunks(chunks));
    BOOST_REQUIRE(bench.copy_out() + bench.store() < bench.transmit());
    const auto results = bench.run();
    const Duration expected =
        bench.handshake() + chunks * bench.transmit() + bench.flight() + bench.copy_out() + bench.finish();
    BOOST_TEST(cell<double>(results, 0, "latency_min_ns") == expected.ns(), kClose);
}

BOOST_DATA_TEST_CASE(with_one_chunk_buffer_nothing_overlaps, data::make({2, 5}), chunks)
{
    Bench<Exchange::kPingPong> bench({.sizes = std::to_string(chunks * kChunk), .repetitions = 2}, in_chunks(1));
    const auto results = bench.run();
    const Duration one = bench.transmit() + bench.flight() + bench.copy_out();
    const Duration news = bench.store() + bench.flight() + bench.poll();
    const Duration expected = bench.handshake() + chunks * one + (chunks - 1) * news + bench.finish();
    BOOST_TEST(cell<double>(results, 0, "latency_min_ns") == expected.ns(), kClose);
}

BOOST_DATA_TEST_CASE(a_stream_goes_at_the_pace_of_its_slower_side, data::make({1, 10, 50}) * data::make({true, false}),
                     repetitions, check)
{
    Bench<Exchange::kOneWay> bench({.sizes = "4", .repetitions = repetitions}, {.check = check});
    const auto results = bench.run();
    const Duration taken = bench.take_short_block() + bench.finish();
    const Duration reply = bench.call() + bench.store() + bench.flight() + taken;
    const Duration sender = bench.call() + bench.store() + bench.flight();  // its barrier takes a flight
    BOOST_REQUIRE(sender > taken);
    const Duration streamed = check ? repetitions * sender + taken : sender + repetitions * taken;
    BOOST_TEST(cell<double>(results, 0, "latency_min_ns") == (streamed + reply).ns() / repetitions, kClose);
}

BOOST_DATA_TEST_CASE(a_wrong_byte_ends_the_run, data::make({"4", "1000", "100000"}), sizes)
{
    Bench<Exchange::kPingPong> bench({.sizes = sizes, .repetitions = 3}, {},
                                     {.spoil = [](std::uint64_t, std::vector<std::byte>& bytes) {
                                         if (bytes[24] != std::byte{0}) bytes[24] ^= std::byte{1};
                                     }});
    BOOST_CHECK_THROW(bench.run(), ModelError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
