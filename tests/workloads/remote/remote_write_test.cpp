// SPDX-License-Identifier: Apache-2.0
#include "workloads/remote/remote_write.h"

#include "tests/platforms/configuration/user_error.h"
#include "tests/support/cases.h"
#include "tests/workloads/fakes/fake_machine.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;
using test::cell;
using test::FakeCosts;
using test::FakeMachine;

struct Bench {
    Simulation simulation{1};
    FakeMachine machine;
    RemoteWrite workload;

    explicit Bench(RemoteWriteOptions options, FakeCosts costs = {}, unsigned nodes = 4)
        : machine(simulation, nodes, std::move(costs)), workload(std::move(options))
    {}
    Results run() { return test::run_workload(workload, machine); }
    Duration stored_in(int stores) const { return stores * machine.costs.store + machine.costs.flight(0); }
};

const auto kClose = boost::test_tools::tolerance(1e-12);

void check_refused(RemoteWriteOptions options, const std::string& message)
{
    Bench bench(std::move(options));
    BOOST_TEST(test::error_of([&] { bench.workload.start(bench.machine); }) == message);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(remote_write)

BOOST_DATA_TEST_CASE(the_latency_is_the_stores_and_a_barrier_for_each_block, data::make({1, 20}) * data::make({8, 0}),
                     repetitions, assignment)
{
    Bench bench({.sizes = "32",
                 .repetitions = repetitions,
                 .series = 2,
                 .stores = assignment == 0 ? Stores::kMmx : Stores::kSingle});
    const auto results = bench.run();
    const int requests = assignment == 0 ? 1 : 32 / assignment;
    BOOST_TEST(cell<double>(results, 0, "latency_ns") == bench.stored_in(requests).ns(), kClose);
}

BOOST_DATA_TEST_CASE(a_dma_transfer_needs_no_barrier_and_the_next_one_waits_for_its_end,
                     data::make({64, 4096, 65'536}) * data::make({1, 5}), size, repetitions)
{
    Bench bench(
        {.sizes = std::to_string(size), .repetitions = repetitions, .series = 1, .transfer = WriteTransfer::kDma});
    const auto results = bench.run();
    const double latency_ns = cell<double>(results, 0, "latency_ns");
    BOOST_TEST(latency_ns > 0);
    BOOST_TEST(cell<double>(results, 0, "bandwidth_mb_per_s") == size * 1e3 / latency_ns, kClose);
}

BOOST_AUTO_TEST_CASE(dma_without_an_engine_or_in_parts_of_a_block_is_refused)
{
    Bench bench({.sizes = "64", .transfer = WriteTransfer::kDma});
    for (unsigned rank = 0; rank < bench.machine.nodes(); ++rank) bench.machine.processor(rank).copies_by_dma = false;
    BOOST_TEST(test::error_of([&] { bench.workload.start(bench.machine); }) ==
               "remote-write: transfer = dma: this machine's cards have no DMA engine; write transfer=stores");
    check_refused({.sizes = "64,100", .transfer = WriteTransfer::kDma},
                  "remote-write: sizes = 64,100: the DMA engine copies multiples of 64 bytes, and 100 is none; write "
                  "such as sizes=64..65536 x2");
}

BOOST_DATA_TEST_CASE(the_bandwidth_is_all_bytes_by_the_time_to_one_barrier_or_to_one_after_each_block,
                     data::make({"same-place", "streaming", "single"}) * data::make({1, 30}) * data::make({4, 4096}),
                     method, repetitions, size)
{
    Bench bench({.sizes = std::to_string(size), .repetitions = repetitions, .method = *kWriteMethodNames.find(method)});
    const auto results = bench.run();
    const bool waits = std::string(method) == "single";
    const Duration elapsed = waits ? bench.stored_in(1) * repetitions : bench.stored_in(repetitions);
    const double rate = size * repetitions / elapsed.seconds();
    BOOST_TEST(cell<double>(results, 0, "bandwidth_mb_per_s") == rate / 1e6, kClose);
    BOOST_TEST(cell<double>(results, 0, "bandwidth_mib_per_s") == rate / 1048576, kClose);
}

BOOST_AUTO_TEST_CASE(the_peak_is_the_highest_bandwidth_of_the_table)
{
    Bench bench({.sizes = "64,256,128", .repetitions = 3});
    const auto results = bench.run();
    BOOST_TEST(cell<double>(results, 0, "percent_of_peak") == 25.0, kClose);
    BOOST_TEST(cell<double>(results, 1, "percent_of_peak") == 100.0, kClose);
    BOOST_TEST(cell<double>(results, 2, "percent_of_peak") == 50.0, kClose);
}

// The first `kRepetitions` stores measure the latency.
BOOST_DATA_TEST_CASE(streamed_blocks_begin_on_the_next_64_byte_boundary, data::make({1, 64, 65, 200}), size)
{
    constexpr unsigned kRepetitions = 4;
    Bench bench({.sizes = std::to_string(size), .repetitions = kRepetitions, .method = WriteMethod::kStreaming});
    bench.run();
    const auto& stores = bench.machine.processor(0).stores;
    BOOST_TEST_REQUIRE(stores.size() == 2 * kRepetitions);
    const auto step = static_cast<std::uint64_t>((size + 63) / 64 * 64);
    for (unsigned i = 0; i < kRepetitions; ++i) {
        BOOST_TEST(stores[i].address == stores[0].address);
        BOOST_TEST(stores[kRepetitions + i].address == stores[0].address + i * step);
    }
}

BOOST_AUTO_TEST_CASE(streaming_begins_again_when_the_segment_is_full_and_not_before)
{
    constexpr unsigned kRepetitions = 9;  // of 8 KiB in 64 KiB
    Bench bench({.sizes = "8192", .repetitions = kRepetitions, .method = WriteMethod::kStreaming});
    bench.run();
    const auto& stores = bench.machine.processor(0).stores;
    BOOST_TEST(stores[kRepetitions + 7].address == stores[0].address + 7 * 8192);
    BOOST_TEST(stores[kRepetitions + 8].address == stores[0].address);
}

BOOST_AUTO_TEST_CASE(blocks_of_the_other_methods_all_go_to_one_place)
{
    Bench bench({.sizes = "64,24", .repetitions = 5, .method = WriteMethod::kSamePlace});
    bench.run();
    const auto& stores = bench.machine.processor(0).stores;
    for (const auto& store : stores) BOOST_TEST(store.address == stores[0].address);
}

BOOST_AUTO_TEST_CASE(the_chosen_rank_alone_stores)
{
    Bench bench({.from = 3, .to = 1, .sizes = "8", .repetitions = 2});
    bench.run();
    for (const unsigned rank : {0u, 1u, 2u, 3u}) {
        BOOST_TEST(bench.machine.processor(rank).stores.size() == (rank == 3 ? 4u : 0u));
    }
}

// Stores 0 to 4 measure the latency, 5 to 9 the bandwidth.
BOOST_DATA_TEST_CASE(a_wrong_byte_in_the_other_memory_ends_the_run,
                     data::make({0, 4, 5, 9}) * data::make({"same-place", "streaming"}), spoiled, method)
{
    Bench bench({.sizes = "100", .repetitions = 5, .method = *kWriteMethodNames.find(method)},
                {.spoil = [spoiled](std::uint64_t n, std::vector<std::byte>& bytes) {
                    if (n == static_cast<std::uint64_t>(spoiled)) bytes[99] ^= std::byte{1};
                }});
    // Repeated stores to one place hide all wrong bytes but the last.
    if (spoiled == 5 && std::string(method) == "same-place") {
        BOOST_CHECK_NO_THROW(bench.run());
    } else {
        BOOST_CHECK_THROW(bench.run(), ModelError);
    }
}

// The store barrier ends as if they had arrived.
BOOST_DATA_TEST_CASE(bytes_that_have_not_come_when_the_barrier_ends_end_the_run, data::make({0, 1, 3}), lost)
{
    Bench bench({.sizes = "64", .repetitions = 2}, {.spoil = [lost](std::uint64_t n, std::vector<std::byte>& bytes) {
                    if (n == static_cast<std::uint64_t>(lost)) bytes.clear();
                }});
    // The third and fourth store write the same bytes to the same place.
    if (lost == 3) {
        BOOST_CHECK_NO_THROW(bench.run());
    } else {
        BOOST_CHECK_THROW(bench.run(), ModelError);
    }
}

BOOST_AUTO_TEST_CASE(mistakes_in_options_are_refused)
{
    check_refused({.from = 4}, "remote-write: this machine has no rank from = 4; choose one of 0 to 3");
    check_refused({.sizes = "0"}, "sizes = 0 is out of bounds; a block has 1 to 1048576 bytes");
}

BOOST_AUTO_TEST_CASE(a_barrier_that_answers_at_once_is_refused)
{
    Bench bench({});
    bench.machine.processor(0).waits_at_barriers = false;
    BOOST_TEST(test::error_of([&] { bench.workload.start(bench.machine); }) ==
               "remote-write measures until the store barrier answers, and with host.barrier = free it answers at "
               "once; drop --overlay free-barrier, or set host.barrier to card-register");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
