// SPDX-License-Identifier: Apache-2.0

#include <map>

#include "hw/scc/tile/registers/configuration_registers.h"
#include "tests/hw/journey_probe.h"
#include "tests/hw/scc/core/core_bench.h"
#include "tests/support/cases.h"
#include "tests/support/statistics.h"

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(scc_core_report)

namespace {

using namespace ringmesh;
using namespace ringmesh::test;

/// Whether a run ends with a UserError of this text.
bool refused_with(CoreBench& bench, Task<> program, const std::string& text)
{
    bench.core.run(std::move(program), "program");
    try {
        bench.simulation.run();
    } catch (const UserError& error) {
        BOOST_TEST(error.what() == text);
        return error.what() == text;
    }
    return false;
}

Task<> load_at(SccProcessor& cpu, std::uint64_t address, std::uint32_t width)
{
    std::array<std::byte, 16> bytes{};
    co_await load_bytes(cpu, address, bytes, width);
}

Task<> everything_once(SccProcessor& cpu, std::uint64_t cached)
{
    std::array<std::byte, 4> word{};
    co_await cpu.compute(50_ns);
    co_await load_bytes(cpu, cached, word);
    co_await store_bytes(cpu, cached + 4096, word);
    co_await store_bytes(cpu, cpu.message_buffer(0, 0), word);
    co_await store_bytes(cpu, cpu.message_buffer(0, 32), word);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_stages_of_a_program_touch_each_other_and_name_what_leaves)
{
    CoreBench bench;
    JourneyProbe probe;
    bench.simulation.on_journey(probe);
    const auto address = bench.core.allocate(8192, PageKind::kCached);
    bench.run(everything_once(bench.core, address));
    std::vector<std::string> names;
    for (const Stage& stage : probe.stages) names.emplace_back(stage.what);
    const std::vector<std::string> expected{
        "computing",    "issue",        "L2 miss",       // on its way out
        "L2 miss",      "instructions",                  // back
        "issue",        "store",        "instructions",  // a write, and the program continues
        "instructions",                                  // gathered
        "issue",        "acknowledge",  "flush",
        "acknowledge",  "instructions"};  // waits for the write, then for the flush
    BOOST_TEST(names == expected, boost::test_tools::per_element());
    BOOST_TEST_REQUIRE(probe.stages.size() == expected.size());
    // Each stage begins where another ended, or is answered by the chip.
    for (std::size_t i = 1; i < probe.stages.size(); ++i) {
        const Stage& stage = probe.stages[i];
        bool follows = false;
        for (std::size_t j = 0; j < i; ++j) follows |= probe.stages[j].to == stage.from;
        for (const auto& access : bench.chip.accesses) follows |= access.answered == stage.from;
        BOOST_TEST(follows);
    }
    const auto id = probe.stages[2].transaction;
    BOOST_TEST(id != 0u);
    BOOST_TEST(probe.stages[3].transaction == id);
    BOOST_TEST(probe.stages[2].to == bench.chip.accesses[0].leaves);
    BOOST_TEST(probe.stages.back().to == bench.core.time());
}

BOOST_AUTO_TEST_CASE(a_computed_poll_load_is_a_stage_from_the_change_to_its_end)
{
    CoreBench bench;
    JourneyProbe probe;
    bench.simulation.on_journey(probe);
    struct Poll {
        static Task<> once(SccProcessor& cpu)
        {
            const PollRequest flag{cpu.message_buffer(1, 0), 1, 1};
            co_await cpu.poll(flag);
        }
    };
    const Duration begun = bench.look() * 9;
    bench.chip.set_at(begun + 1_ps, CoreBench::buffer(1, 0), 1);
    bench.run(Poll::once(bench.core));
    BOOST_TEST(probe.stages.back().what == "look");
    BOOST_TEST(probe.stages.back().from > begun);
    BOOST_TEST(probe.stages.back().to == begun + bench.look());
}

BOOST_AUTO_TEST_CASE(the_statistics_count_each_kind_of_access)
{
    CoreBench bench;
    const auto address = bench.core.allocate(8192, PageKind::kCached);
    bench.run(everything_once(bench.core, address));
    const Statistics expected{{"l1_hits", 0},
                              {"l1_misses", 2},
                              {"l2_hits", 0},
                              {"l2_misses", 2},
                              {"write_backs", 0},
                              {"flushes", 1},
                              {"invalidations", 0},
                              {"mpb_reads", 0},
                              {"mpb_writes", 1},
                              {"memory_reads", 1},
                              {"memory_writes", 1},
                              {"register_reads", 0},
                              {"register_writes", 0},
                              {"polls", 0},
                              {"looks", 0},
                              {"declared_computing", 50},
                              {"reading", bench.read_trip().ns()},
                              {"polling", 0},
                              {"writing", bench.core.stats().writing.total().ns()}};
    BOOST_TEST((statistics_of(bench.core) == expected));
    BOOST_TEST(bench.core.stats().writing.total() > bench.write_trip());
    BOOST_TEST(bench.core.stats().writing.total() < bench.write_trip() * 2);
}

BOOST_AUTO_TEST_CASE(instructions_of_odd_widths_are_refused)
{
    CoreBench bench;
    const auto address = bench.core.allocate(4096, PageKind::kCached);
    BOOST_TEST(refused_with(bench, load_at(bench.core, address, 3),
                            "core 5: a load with instructions of 3 bytes; 1, 2, 4 and 8 are possible"));
}

BOOST_AUTO_TEST_CASE(buffers_and_locks_of_cores_that_do_not_exist_are_refused)
{
    CoreBench bench;
    BOOST_CHECK_NO_THROW(bench.core.message_buffer(7, 8191));
    BOOST_CHECK_NO_THROW(bench.core.test_and_set(7));
    BOOST_CHECK_THROW(bench.core.message_buffer(8), UserError);
    BOOST_CHECK_THROW(bench.core.message_buffer(7, 8192), UserError);
    BOOST_CHECK_THROW(bench.core.test_and_set(8), UserError);
}

BOOST_AUTO_TEST_CASE(a_poke_comes_behind_stores_that_are_under_way_or_gathered)
{
    CoreBench bench;
    const auto address = bench.core.allocate(4096, PageKind::kCached);
    struct Poke {
        static Task<> after_store(SccProcessor& cpu, std::uint64_t place)
        {
            const std::array<std::byte, 4> ones{std::byte{1}, std::byte{1}, std::byte{1}, std::byte{1}};
            const std::array<std::byte, 2> twos{std::byte{2}, std::byte{2}};
            co_await store_bytes(cpu, place, ones);
            cpu.poke(place + 1, twos);
            co_await store_bytes(cpu, cpu.message_buffer(0, 64), ones);
            cpu.poke(cpu.message_buffer(0, 65), twos);
            co_await store_bytes(cpu, cpu.message_buffer(0, 0), ones);
        }
    };
    bench.run(Poke::after_store(bench.core, address));
    const std::vector<std::byte> expected{std::byte{1}, std::byte{2}, std::byte{2}, std::byte{1}};
    BOOST_TEST((bench.bytes_at(CoreBench::memory(address), 4) == expected));
    BOOST_TEST((bench.bytes_at(CoreBench::buffer(0, 64), 4) == expected));
}

/// The holder of a lock computes longer than the livelock limit of polling.
BOOST_AUTO_TEST_CASE(a_core_that_waits_for_a_computing_one_is_not_stuck)
{
    CoreBench waiting(CoreBench::contiguous(), 1_ns, "waiting_");
    CoreBench working(CoreBench::contiguous(), 1_ns, "working_");
    struct Programs {
        static Task<> work(SccProcessor& cpu, Duration span, SccProcessor& other, bool& done)
        {
            co_await cpu.compute(span);
            done = other.finished();
        }
        static Task<> wait(SccProcessor& cpu)
        {
            std::array<std::byte, 4> word{};
            co_await load_bytes(cpu, cpu.test_and_set(0), word);
            const PollRequest lock{cpu.test_and_set(0), 4, 1};
            co_await cpu.poll(lock);
        }
    };
    const Duration turn = waiting.hit() + waiting.read_trip();
    const Duration span = turn * static_cast<std::int64_t>(Simulation::kLivelockLimit) * 11 / 10;
    bool done = true;
    const hw::SystemAddress lock{{0, 0}, hw::Space::kRegisters, hw::ConfigurationRegisters::kTestAndSet[0]};
    waiting.chip.call_at(span, [&] { waiting.chip.release(lock); });
    waiting.core.run(Programs::wait(waiting.core), "waiting");
    // Both share one simulation, as on one chip.
    hw::SccCore worker("worker", waiting.simulation,
                       {.rank = 4, .place = 0, .cores = 8, .cycle = CoreBench::kCycle, .core = working.params},
                       working.table, working.chip, working.chip);
    worker.run(Programs::work(worker, span, waiting.core, done), "working");
    BOOST_CHECK_NO_THROW(waiting.simulation.run());
    BOOST_TEST(!done);
    BOOST_TEST(waiting.core.finished());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
