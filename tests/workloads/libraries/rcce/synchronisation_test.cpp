// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/support/cases.h"
#include "tests/workloads/libraries/rcce/bench.h"
#include "tlm/simulation/random.h"
#include "workloads/ranks/message.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads::rcce;
using test::RcceBench;

constexpr int kRounds = 4;

struct Stay {
    Duration came, left;
};

/// Alternates computing with a barrier of the first cores.
Task<> come_and_go(RcceBench& bench, unsigned core, Communicator group, std::vector<std::vector<Stay>>& stays)
{
    Random random = bench.simulation.random_for("core " + std::to_string(core));
    auto& processor = bench.machine.processor(core);
    for (int round = 0; round < kRounds; ++round) {
        co_await processor.compute(static_cast<std::int64_t>(random.below(300'000)) * 1_ns);
        const Duration came = processor.time();
        co_await bench.rcce[core]->barrier(group);
        stays[core].push_back({came, processor.time()});
    }
}

Task<> broadcast(RcceBench& bench, unsigned core, std::uint64_t buffer, std::uint32_t size, unsigned root,
                 Communicator group)
{
    co_await bench.rcce[core]->bcast(buffer, size, root, group);
}

Task<> whole_program(RcceBench& bench, unsigned core)
{
    auto& rcce = *bench.rcce[core];
    co_await rcce.init();
    co_await rcce.barrier(rcce.world());
    co_await rcce.finalize();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(rcce_synchronisation)

BOOST_DATA_TEST_CASE(no_core_leaves_a_barrier_before_all_have_entered,
                     data::make({2u, 3u, 12u, 48u, 5u}) ^ data::make({2u, 3u, 12u, 48u, 48u}), members, cores)
{
    RcceBench bench({.cores = cores});
    std::vector<std::vector<Stay>> stays(members);
    Communicator group = bench.rcce[0]->world();
    if (members < cores) {
        for (const auto& rcce : bench.rcce) group = rcce->comm_split(members);
    }
    for (unsigned core = 0; core < members; ++core) {
        bench.machine.processor(core).run(come_and_go(bench, core, group, stays), "come and go");
    }
    bench.simulation.run();
    bench.simulation.require_drained();
    for (std::size_t round = 0; round < kRounds; ++round) {
        Duration last_came, first_left = Duration::never();
        for (const auto& of_core : stays) {
            BOOST_TEST_REQUIRE(of_core.size() == std::size_t{kRounds});
            last_came = std::max(last_came, of_core[round].came);
            first_left = std::min(first_left, of_core[round].left);
        }
        BOOST_TEST((last_came < first_left));
    }
}

// Rank 0 polls unset flags; simulating each read of the loop would cost unlimited events.
BOOST_AUTO_TEST_CASE(a_barrier_sleeps_while_it_waits)
{
    RcceBench bench({.cores = 48});
    for (unsigned core = 0; core < 48; ++core) {
        bench.compute(core, core * 10_ms);
        bench.add(core, {.kind = test::Step::Kind::kBarrier});
    }
    bench.run();
    BOOST_TEST(bench.machine.processor(0).looks < 48u * 48u);
    BOOST_TEST(bench.machine.processor(1).looks < 5u);
}

BOOST_DATA_TEST_CASE(a_broadcast_reaches_all_members_from_any_root, data::make({0u, 3u, 6u}) * data::make({7u, 10u}),
                     root, members)
{
    RcceBench bench({.cores = 10});
    Communicator group = bench.rcce[0]->world();
    if (members < 10) {
        for (const auto& rcce : bench.rcce) group = rcce->comm_split(members);
    }
    constexpr std::uint32_t kSize = 12'345;
    std::vector<std::byte> bytes(kSize);
    for (std::uint32_t i = 0; i < kSize; ++i) bytes[i] = workloads::pattern_byte(5, i);
    std::vector<std::uint64_t> buffers;
    for (unsigned core = 0; core < members; ++core) {
        auto& processor = bench.machine.processor(core);
        buffers.push_back(processor.allocate(kSize));
        if (core == root) processor.poke(buffers[core], bytes);
        processor.run(broadcast(bench, core, buffers[core], kSize, root, group), "broadcast");
    }
    bench.simulation.run();
    bench.simulation.require_drained();
    for (unsigned core = 0; core < members; ++core) {
        std::vector<std::byte> found(kSize);
        bench.machine.processor(core).peek(buffers[core], found);
        BOOST_TEST((found == bytes));
    }
}

BOOST_AUTO_TEST_CASE(a_lock_lets_one_in_at_a_time)
{
    RcceBench bench({.cores = 6});
    test::Locked locked;
    for (unsigned core = 0; core < 6; ++core) {
        bench.machine.processor(core).run(test::visit_locked(*bench.rcce[core], 1, kRounds, locked), "visit");
    }
    bench.simulation.run();
    bench.simulation.require_drained();
    BOOST_TEST(locked.stays.size() == 6u * kRounds);
    BOOST_TEST(locked.one_at_a_time());
    BOOST_TEST(!bench.machine.taken[1]);
}

BOOST_AUTO_TEST_CASE(a_finished_program_leaves_flags_and_lock_as_it_found_them)
{
    RcceBench bench({.cores = 2});
    for (const unsigned core : {0u, 1u}) {
        bench.machine.processor(core).run(whole_program(bench, core), "program");
    }
    bench.simulation.run();
    const auto& layout = bench.rcce[0]->layout();
    for (const unsigned core : {0u, 1u}) {
        for (std::uint32_t i = SccProcessor::kLine; i < layout.payload_offset(); ++i) {
            BOOST_TEST((bench.machine.buffers[core * SccProcessor::kMessageBuffer + i] == std::byte{0}));
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
