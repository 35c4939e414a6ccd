// SPDX-License-Identifier: Apache-2.0
#include "workloads/broadcast/broadcast_program.h"

#include <algorithm>
#include <array>
#include <string>

#include "tests/support/cases.h"
#include "tests/workloads/broadcast/workload_bench.h"
#include "tlm/error.h"
#include "tlm/simulation/random.h"
#include "workloads/libraries/rcce/rcce_rank.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;
using namespace ringmesh::workloads::broadcast;
using test::BroadcastBench;
using test::BroadcastCase;
using test::cell;
using test::FakeScc;

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(broadcast_workload)

BOOST_DATA_TEST_CASE(for_any_size_and_number_of_cores_every_core_gets_every_byte,
                     data::make({Algorithm::kOwn, Algorithm::kLinear, Algorithm::kBinomial,
                                 Algorithm::kScatterAllgather, Algorithm::kCube, Algorithm::kDopl, Algorithm::kTree}) *
                         data::xrange(4),
                     algorithm, run)
{
    // The workload checks every byte of every core after each repetition
    Random random(seed_for(static_cast<std::uint64_t>(run), word(algorithm)));
    BroadcastCase options;
    options.algorithm = algorithm;
    options.repetitions = 1;
    options.cores = algorithm == Algorithm::kDopl ? 12 * (1 + static_cast<std::int64_t>(random.below(4)))
                                                  : 2 + static_cast<std::int64_t>(random.below(47));
    // Log-uniform sizes
    const auto largest = std::uint64_t{1} << (1 + random.below(16));
    options.size = std::to_string(1 + random.below(largest));
    if (algorithm == Algorithm::kCube) options.part = std::to_string(1 + random.below(9000));
    if (algorithm == Algorithm::kTree) options.part = std::to_string(32 * (1 + random.below(90)));
    if (algorithm == Algorithm::kDopl) {
        const auto part = 256 + random.below(8192 - 256);
        options.part = std::to_string(part);
        options.pipe = std::to_string(200 + random.below(part - 200));
    }
    options.root = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(options.cores)));
    BOOST_TEST_CONTEXT(options.cores << " cores, root " << options.root << ", " << options.size << " bytes, part "
                                     << options.part << ", pipe " << options.pipe)
    {
        BroadcastBench bench(options);
        const Results results = bench.run();
        BOOST_TEST(cell<double>(results, 0, "min_cycles") > 0);
    }
}

BOOST_DATA_TEST_CASE(up_to_four_megabytes_every_core_gets_every_byte,
                     data::make({Algorithm::kOwn, Algorithm::kBinomial, Algorithm::kScatterAllgather, Algorithm::kCube,
                                 Algorithm::kDopl, Algorithm::kTree}) *
                         data::xrange(2),
                     algorithm, run)
{
    // Few cores, large parts; the case above covers the rest
    Random random(seed_for(static_cast<std::uint64_t>(run), "megabytes by " + std::string(word(algorithm))));
    const auto most = std::uint64_t{BroadcastCase::kLargest};
    BroadcastCase options;
    options.algorithm = algorithm;
    options.repetitions = 1;
    options.warm_up = false;
    options.cores = algorithm == Algorithm::kDopl ? 12 : 2 + run;
    const auto size = run == 0 ? most : 64 * 1024 + random.below(most / 4);
    options.size = std::to_string(size);
    if (algorithm == Algorithm::kCube) options.part = std::to_string(1 + random.below(run == 1 ? most : 100'000));
    BOOST_TEST_CONTEXT(options.cores << " cores, " << options.size << " bytes, part " << options.part)
    {
        BroadcastBench bench(options);
        const Results results = bench.run();
        BOOST_TEST(cell<std::int64_t>(results, 0, "size_bytes") == static_cast<std::int64_t>(size));
    }
}

BOOST_DATA_TEST_CASE(both_layouts_of_the_library_carry_every_algorithm,
                     data::make({Algorithm::kOwn, Algorithm::kCube, Algorithm::kDopl, Algorithm::kTree}), algorithm)
{
    BroadcastCase options;
    options.algorithm = algorithm;
    options.size = "20011";
    options.repetitions = 1;
    options.library.version = rcce::Version::k1_0_13;
    if (algorithm == Algorithm::kTree) options.part = "1024";
    BroadcastBench(options).run();
}

/// Number of copies of `size` bytes out of message-passing buffers.
std::int64_t gets(FakeScc& machine, std::uint32_t size)
{
    std::int64_t count = 0;
    const std::uint64_t buffers = machine.processor(0).message_buffer(0);
    for (unsigned core = 0; core < machine.nodes(); ++core) {
        const auto& copies = machine.processor(core).copies;
        count += std::count_if(copies.begin(), copies.end(),
                               [&](const CopyRequest& copy) { return copy.from >= buffers && copy.size == size; });
    }
    return count;
}

// As for a message of a pair, so that algorithms can be compared. All else takes less than one such call.
BOOST_DATA_TEST_CASE(every_algorithm_pays_for_the_calls_of_its_messages,
                     data::make({Algorithm::kOwn, Algorithm::kLinear, Algorithm::kBinomial,
                                 Algorithm::kScatterAllgather, Algorithm::kCube, Algorithm::kTree}),
                     algorithm)
{
    BroadcastCase options;
    options.algorithm = algorithm;
    options.size = "960";
    options.cores = 9;
    options.final_exchange = FinalExchange::kCorrect;
    options.method = Method::kQuiet;
    options.library.call = Cycles(100'000);
    BroadcastBench bench(options);
    // The deepest rank is two messages away; sender and receiver may call at the same time
    BOOST_TEST(cell<double>(bench.run(), 0, "min_cycles") >= 2 * 100'000.0);
}

// Sizes below the number of ranks, too, for which some have a block of no bytes.
BOOST_DATA_TEST_CASE(scatter_and_allgather_carry_every_byte_to_any_number_of_ranks,
                     data::make({2, 3, 5, 8, 13, 47, 48}) * data::make({"1", "31", "47", "4801", "100000"}), cores,
                     size)
{
    BroadcastCase options;
    options.algorithm = Algorithm::kScatterAllgather;
    options.cores = cores;
    options.size = size;
    options.repetitions = 1;
    options.warm_up = false;
    options.root = cores - 1;
    BroadcastBench(options).run();
}

BOOST_AUTO_TEST_CASE(a_scatter_halves_what_it_sends_on_and_each_rank_passes_every_block_but_one)
{
    BroadcastCase options;
    options.algorithm = Algorithm::kScatterAllgather;
    options.cores = 8;
    options.size = "256";  // blocks of a line
    options.repetitions = 1;
    options.warm_up = false;
    BroadcastBench bench(options);
    bench.run();
    BOOST_TEST(gets(bench.machine, 128) == 1);
    BOOST_TEST(gets(bench.machine, 64) == 2);
    BOOST_TEST(gets(bench.machine, 32) == 4 + 8 * 7);
}

BOOST_DATA_TEST_CASE(an_extra_repetition_warms_up_unless_switched_off, data::make({true, false}) * data::make({1, 3}),
                     warm_up, repetitions)
{
    BroadcastCase options;
    options.size = "20000";  // five parts: of four cores the first sends in each of six rounds, and receives nothing
    options.cores = 4;
    options.warm_up = warm_up;
    options.repetitions = repetitions;
    BroadcastBench bench(options, 4);
    const Results results = bench.run();
    BOOST_TEST(cell<std::int64_t>(results, 0, "repetitions") == repetitions);
    BOOST_TEST(bench.machine.processor(0).copies.size() == 6u * static_cast<unsigned>(repetitions + (warm_up ? 1 : 0)));
}

BOOST_DATA_TEST_CASE(only_two_of_the_methods_wait_for_the_last_core,
                     data::make({Method::kPartSize, Method::kPipeSize, Method::kCurve}), method)
{
    BroadcastCase options;
    options.size = "50000";
    options.method = method;
    options.repetitions = 1;
    BroadcastBench bench(options);
    const Results results = bench.run();
    const double took = cell<double>(results, 0, "min_cycles");
    const double last = cell<double>(results, 0, "last_return_cycles");
    BOOST_TEST(options.closing_barrier() == (method != Method::kPartSize));
    if (options.closing_barrier()) {
        BOOST_TEST(took > last);
    } else {
        // Core 0 does not wait in the final exchange
        BOOST_TEST(took < 0.97 * last);
        BOOST_TEST(took >= cell<double>(results, 0, "first_return_cycles"));
    }
}

BOOST_DATA_TEST_CASE(a_short_part_is_cut_as_the_method_says, data::make({Method::kPipeSize, Method::kCurve}), method)
{
    BroadcastCase options;
    options.algorithm = Algorithm::kDopl;
    options.size = "896";
    options.cores = 12;
    options.method = method;
    options.repetitions = 1;
    BroadcastBench bench(options);
    bench.run();
    // One part of 28 lines to 11 cores, in two repetitions: four pieces of 7 lines, or one
    const bool equal = method == Method::kPipeSize;
    BOOST_TEST(gets(bench.machine, 224) == (equal ? 2 * 11 * 4 : 0));
    BOOST_TEST(gets(bench.machine, 896) == (equal ? 0 : 2 * 11));
}

BOOST_DATA_TEST_CASE(the_thesis_final_exchange_moves_sixteen_useless_parts,
                     data::make({FinalExchange::kThesis, FinalExchange::kCorrect}) * data::make({1, 100, 4096}),
                     final_exchange, size)
{
    BroadcastCase options;
    options.size = std::to_string(size);
    options.final_exchange = final_exchange;
    options.repetitions = 1;
    BroadcastBench bench(options);
    bench.run();
    const std::int64_t useful = size == 4096 ? 47 : 0;
    BOOST_TEST(gets(bench.machine, 4096) == 2 * (useful + (final_exchange == FinalExchange::kThesis ? 16 : 0)));
}

BOOST_AUTO_TEST_CASE(the_tree_gets_each_line_once_and_copies_it_out_of_the_own_buffer_unless_it_is_a_leaf)
{
    BroadcastCase options;
    options.algorithm = Algorithm::kTree;
    options.size = "3072";
    options.repetitions = 1;
    BroadcastBench bench(options);
    bench.run();
    // Under the root 7 cores, of which six have 7 children and one has 4... so 47 gets, and one copy more of those
    // within
    const std::int64_t inner = (48 - 2) / 7;
    BOOST_TEST(gets(bench.machine, 3072) == 2 * (47 + inner));
}

BOOST_DATA_TEST_CASE(the_flags_of_the_tree_may_wrap_around, data::make({1, 2, 3, 47, 64}), degree)
{
    // More parts than a flag of one byte has values, for either half of the message-passing buffer
    BroadcastCase options;
    options.algorithm = Algorithm::kTree;
    options.size = std::to_string(32 * 600 + 5);
    options.part = "32";
    options.degree = degree;
    options.cores = 7;
    options.repetitions = 2;
    BroadcastBench(options).run();
}

/// Broadcasts to two children, then at once overwrites the buffer they read.
Task<> broadcast_then_send(TreeBroadcast& tree, rcce::RcceRank& rank, BufferId buffer)
{
    const Broadcast what{.ranks = 3, .buffer = buffer, .size = 64, .part = 32};
    co_await tree.bcast(what);
    const Part behind{.buffer = buffer, .offset = 64, .size = 64};
    if (rank.rcce().ue() == 0) co_await rank.send(1, behind);
    if (rank.rcce().ue() == 1) co_await rank.receive(0, behind);
}

Task<> late(TreeBroadcast& tree, rcce::RcceRank& rank, BufferId buffer)
{
    co_await rank.processor().compute(1_ms);
    co_await broadcast_then_send(tree, rank, buffer);
}

BOOST_AUTO_TEST_CASE(the_trees_root_returns_when_its_message_passing_buffer_is_free)
{
    Simulation simulation{1};
    FakeScc machine(simulation, 3);
    std::vector<std::unique_ptr<rcce::RcceRank>> ranks;
    std::vector<TreeBroadcast> trees;
    for (unsigned core = 0; core < 3; ++core) {
        ranks.push_back(std::make_unique<rcce::RcceRank>(machine, core, 3, rcce::LibraryOptions{}, true));
        trees.emplace_back(*ranks.back(), 2);
    }
    for (const auto& rank : ranks) rank->create_buffer(128);
    std::array<std::byte, 128> sent{};
    for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = static_cast<std::byte>(i + 1);
    machine.processor(0).poke(ranks[0]->address(0), sent);
    for (unsigned core = 0; core < 3; ++core) {
        machine.processor(core).run(
            core == 2 ? late(trees[core], *ranks[core], 0) : broadcast_then_send(trees[core], *ranks[core], 0), "tree");
    }
    simulation.run();
    for (unsigned core = 0; core < 3; ++core) {
        std::array<std::byte, 64> got{};
        machine.processor(core).peek(ranks[core]->address(0), got);
        BOOST_TEST(std::equal(got.begin(), got.end(), sent.begin()), "core " << core);
    }
}

BOOST_AUTO_TEST_CASE(a_list_of_sizes_is_a_row_each_with_its_parts)
{
    BroadcastCase options;
    options.size = "100,5000";
    options.part = "256,4096";
    options.cores = 5;
    options.repetitions = 2;
    BroadcastBench bench(options);
    const Results results = bench.run();
    BOOST_TEST_REQUIRE(results.rows.size() == 4u);
    BOOST_TEST(cell<std::int64_t>(results, 2, "size_bytes") == 5000);
    BOOST_TEST(cell<std::int64_t>(results, 2, "part_bytes") == 256);
    BOOST_TEST(cell<std::int64_t>(results, 3, "part_bytes") == 4096);
    for (std::size_t row = 0; row < 4; ++row) {
        const double least = cell<double>(results, row, "min_cycles");
        BOOST_TEST(cell<std::int64_t>(results, row, "repetitions") == 2);
        BOOST_TEST(least <= cell<double>(results, row, "mean_cycles"));
        // 500 MHz on the fake cores, 1 GHz declared
        BOOST_TEST(cell<double>(results, row, "min_ns") == 2 * least, boost::test_tools::tolerance(1e-9));
        BOOST_TEST(cell<double>(results, row, "declared_min_s") == least / 1e9, boost::test_tools::tolerance(1e-9));
    }
}

BOOST_AUTO_TEST_CASE(returns_of_all_cores_can_be_shown)
{
    BroadcastCase options;
    options.size = "5000";
    options.cores = 6;
    options.per_rank = true;
    BroadcastBench bench(options);
    const Results results = bench.run();
    BOOST_TEST_REQUIRE(results.rows.size() == 6u);
    for (std::size_t core = 0; core < 6; ++core) {
        BOOST_TEST(cell<std::int64_t>(results, core, "rank") == static_cast<std::int64_t>(core));
        BOOST_TEST(cell<double>(results, core, "return_cycles") > 0);
    }
}

BOOST_AUTO_TEST_CASE(buffers_lie_where_the_offset_says)
{
    BroadcastCase options;
    options.size = "4096";
    options.cores = 2;
    options.offset = 8;
    BroadcastBench bench(options);
    bench.run();
    const auto& copies = bench.machine.processor(0).copies;
    BOOST_TEST(std::count_if(copies.begin(), copies.end(),
                             [](const CopyRequest& copy) { return copy.size == 4096 && copy.from % 4096 == 8; }) == 4);
}

BOOST_AUTO_TEST_CASE(a_wrong_byte_is_found)
{
    BroadcastCase options;
    options.size = "20000";
    BroadcastBench bench(options);
    // Corrupted repeatedly, until a core fetches it
    for (int i = 0; i < 2001; ++i) {
        bench.machine.agenda.at(i * 1_us, [&bench] { bench.machine.buffers[4096] ^= std::byte{1}; });
    }
    BOOST_CHECK_EXCEPTION(bench.run(), ModelError, [](const ModelError& error) {
        return std::string(error.what()).find(" instead of ") != std::string::npos;
    });
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
