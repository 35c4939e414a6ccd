// SPDX-License-Identifier: Apache-2.0

#include "hw/scc/tile/registers/configuration_registers.h"
#include "tests/hw/scc/core/core_bench.h"
#include "tests/support/cases.h"

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(scc_core_poll)

namespace {

using namespace ringmesh;
using namespace ringmesh::test;

constexpr unsigned kPeer = 3;

Task<> poll_places(SccProcessor& cpu, std::span<const PollRequest> places, std::uint32_t& found, Duration& ended)
{
    const PollAnyRequest poll{places.data(), static_cast<std::uint32_t>(places.size())};
    const std::uint32_t place = co_await cpu.poll_any(poll);
    found = place;
    ended = cpu.time();
}

Task<> poll_behind(SccProcessor& cpu, PollRequest poll, std::uint64_t stored, Duration& began, Duration& ended)
{
    const std::byte one{1};
    co_await store_bytes(cpu, stored, {&one, 1}, 1);
    began = cpu.time();
    co_await cpu.poll(poll);
    ended = cpu.time();
}

Task<> poll_and_load(SccProcessor& cpu, PollRequest poll, unsigned& seen, Duration& took)
{
    co_await cpu.poll(poll);
    std::byte byte{};
    const Duration began = cpu.time();
    co_await load_bytes(cpu, poll.address - 1, {&byte, 1}, 1);
    seen = std::to_integer<unsigned>(byte);
    took = cpu.time() - began;
}

Task<> take_lock_twice_and_poll(SccProcessor& cpu, std::uint64_t lock, std::vector<unsigned>& seen, Duration& ended)
{
    std::array<std::byte, 4> word{};
    for (int i = 0; i < 2; ++i) {
        co_await load_bytes(cpu, lock, word);
        seen.push_back(std::to_integer<unsigned>(word[0]));
    }
    const PollRequest free{lock, 4, 1};
    co_await cpu.poll(free);
    ended = cpu.time();
}

Task<> poll_lock_twice(SccProcessor& cpu, std::uint64_t lock)
{
    const PollRequest free{lock, 4, 1};
    co_await cpu.poll(free);
    co_await cpu.poll(free);
}

struct Bench : CoreBench {
    Bench() : CoreBench(contiguous(), 100_ns) {}
    PollRequest flag(std::uint32_t offset, std::uint64_t value = 1, bool other = false)
    {
        return {core.message_buffer(kPeer, offset), 1, value, other};
    }
    /// When a poll load that begins at time 0 samples the bytes.
    Duration sees() const { return cycles(params.invalidate + params.load_issue + params.to_miu) + chip.latency / 2; }
    std::uint32_t found = ~0U;
    Duration ended;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_poll_that_matches_at_once_takes_one_load)
{
    Bench bench;
    bench.chip.set_at(0_ns, CoreBench::buffer(kPeer, 5), 1);
    const std::vector<PollRequest> places{bench.flag(5)};
    bench.run(poll_places(bench.core, places, bench.found, bench.ended));
    BOOST_TEST(bench.ended == bench.look());
    BOOST_TEST(bench.core.stats().looks.count() == 1u);
    BOOST_TEST(bench.core.stats().polling.total() == bench.look());
}

/// The loop loads at 0, look(), 2 look(), ...; the first load that sees the change ends the poll. It ends at the same
/// time whether it is simulated or only computed.
BOOST_DATA_TEST_CASE(a_poll_ends_with_the_first_load_that_can_see_the_change,
                     data::make({3, 40, 1000}) * data::make({-1, 0, 1, 2, 3}), turns, phase)
{
    Bench bench;
    const Duration look = bench.look();
    // Phases: just before and at the time when a load samples the bytes, after it, at the end of the loop period, and
    // after that.
    const Duration in_turn = phase == -1  ? bench.sees() - 1_ps
                             : phase == 0 ? bench.sees()
                             : phase == 1 ? bench.sees() + 1_ps
                             : phase == 2 ? look
                                          : look + 1_ps;
    const Duration change = look * turns + in_turn;
    bench.chip.set_at(change, CoreBench::buffer(kPeer, 5), 1);
    const std::vector<PollRequest> places{bench.flag(5)};
    bench.run(poll_places(bench.core, places, bench.found, bench.ended));
    const std::int64_t which = turns + (in_turn <= bench.sees() ? 0 : 1);
    BOOST_TEST(bench.ended == look * (which + 1));
    BOOST_TEST(bench.core.stats().looks.count() == 2u);
    // Sleeping takes no events: only the first load and the last one, which is simulated only if it had not begun yet.
    const bool begun = in_turn <= bench.sees() || in_turn > look;
    BOOST_TEST(bench.chip.accesses.size() == (begun ? 1u : 2u));
    BOOST_TEST(bench.chip.watched() == 0u);
    bench.simulation.require_drained();
}

BOOST_DATA_TEST_CASE(a_line_that_a_poll_has_seen_is_in_the_first_cache, data::make({0, 1}), begun)
{
    Bench bench;
    const Duration look = bench.look();
    const Duration change = look * 10 + (begun != 0 ? bench.sees() : look);
    bench.chip.set_at(change, CoreBench::buffer(kPeer, 4), 7);
    bench.chip.set_at(change, CoreBench::buffer(kPeer, 5), 1);
    unsigned seen = 0;
    Duration took;
    bench.run(poll_and_load(bench.core, bench.flag(5), seen, took));
    BOOST_TEST(seen == 7u);
    BOOST_TEST(took == bench.hit());
}

BOOST_AUTO_TEST_CASE(changes_beside_the_polled_byte_wake_no_core)
{
    Bench bench;
    for (int i = 0; i < 31; ++i)
        bench.chip.set_at(1_us * (i + 1), CoreBench::buffer(kPeer, static_cast<unsigned>(i)), 1);
    bench.chip.set_at(50_us, CoreBench::buffer(kPeer, 31), 1);
    const std::vector<PollRequest> places{bench.flag(31)};
    bench.run(poll_places(bench.core, places, bench.found, bench.ended));
    BOOST_TEST(bench.ended > 50_us);
    BOOST_TEST(bench.ended <= 50_us + bench.look() * 2);
    BOOST_TEST(bench.core.stats().looks.count() == 2u);
}

BOOST_AUTO_TEST_CASE(a_change_that_is_undone_before_the_next_load_is_not_seen)
{
    Bench bench;
    const Duration look = bench.look();
    const Duration missed = look * 7 + bench.sees() + 1_ps;
    bench.chip.set_at(missed, CoreBench::buffer(kPeer, 5), 1);
    bench.chip.set_at(missed + look - 2_ps, CoreBench::buffer(kPeer, 5), 0);
    const Duration stays = look * 20 + bench.sees() - 1_ps;
    bench.chip.set_at(stays, CoreBench::buffer(kPeer, 5), 1);
    const std::vector<PollRequest> places{bench.flag(5)};
    bench.run(poll_places(bench.core, places, bench.found, bench.ended));
    BOOST_TEST(bench.ended == look * 21);
}

BOOST_AUTO_TEST_CASE(a_poll_until_other_ends_when_the_byte_differs)
{
    Bench bench;
    bench.chip.set_at(0_ns, CoreBench::buffer(kPeer, 5), 4);
    bench.chip.set_at(2_us, CoreBench::buffer(kPeer, 5), 9);
    const std::vector<PollRequest> places{bench.flag(5, 4, true)};
    bench.run(poll_places(bench.core, places, bench.found, bench.ended));
    BOOST_TEST(bench.ended > 2_us);
    BOOST_TEST(bench.ended <= 2_us + bench.look() * 2);
}

/// Of several locations each load polls the next.
BOOST_DATA_TEST_CASE(of_several_locations_the_first_load_that_matches_ends_the_poll, data::make({0, 1, 2}), which)
{
    Bench bench;
    const Duration look = bench.look();
    const std::vector<PollRequest> places{bench.flag(5), bench.flag(6), bench.flag(200)};
    const auto place = static_cast<std::uint32_t>(which);
    const Duration change = look * 30 + 1_ps;  // the loop is at place 0 and has not met its bytes yet
    bench.chip.set_at(change, CoreBench::buffer(kPeer, place == 2 ? 200 : 5 + place), 1);
    bench.run(poll_places(bench.core, places, bench.found, bench.ended));
    BOOST_TEST(bench.found == place);
    BOOST_TEST(bench.ended == look * (31 + which));
    BOOST_TEST(bench.chip.watched() == 0u);
}

BOOST_AUTO_TEST_CASE(the_wait_of_the_first_load_is_not_part_of_the_loop_period)
{
    Bench bench;
    // A write that misses both caches is outstanding when the poll begins.
    const auto stored = bench.core.allocate(4096, PageKind::kCached);
    const Duration look = bench.look();
    Duration began, ended;
    bench.chip.set_at(20_us, CoreBench::buffer(kPeer, 5), 1);
    bench.run(poll_behind(bench.core, bench.flag(5), stored, began, ended));
    const Duration write = bench.cycles(bench.params.store_issue + bench.params.l2_miss) + bench.write_trip();
    const Duration first = write + bench.look() - bench.cycles(bench.params.invalidate + bench.params.load_issue);
    BOOST_TEST(began < write);
    BOOST_TEST(ended > 20_us);
    BOOST_TEST((ended - first).ps() % look.ps() == 0);
}

BOOST_AUTO_TEST_CASE(a_lock_is_polled_by_reads_until_one_takes_it)
{
    Bench bench;
    const auto lock = bench.core.test_and_set(kPeer);
    std::vector<unsigned> seen;
    const hw::SystemAddress place{{1, 0}, hw::Space::kRegisters, hw::ConfigurationRegisters::kTestAndSet[1]};
    bench.chip.call_at(20_us, [&] { bench.chip.release(place); });
    bench.run(take_lock_twice_and_poll(bench.core, lock, seen, bench.ended));
    BOOST_TEST(seen == (std::vector<unsigned>{1, 0}), boost::test_tools::per_element());
    const Duration turn = bench.hit() + bench.read_trip();
    BOOST_TEST(bench.ended > 20_us);
    BOOST_TEST(bench.ended <= 20_us + turn * 2);
    BOOST_TEST(bench.ended.ps() % turn.ps() == 0);
    BOOST_TEST(bench.core.stats().register_reads.count() == static_cast<std::uint64_t>(bench.ended.ps() / turn.ps()));
}

BOOST_AUTO_TEST_CASE(a_lock_that_is_never_released_stops_the_run_and_is_named)
{
    Bench bench;
    const auto lock = bench.core.test_and_set(kPeer);
    bench.core.run(poll_lock_twice(bench.core, lock), "program");
    BOOST_CHECK_EXCEPTION(bench.simulation.run(), StuckError, [](const StuckError& error) {
        return std::string_view(error.what()).find("core 5 ") != std::string_view::npos;
    });
}

BOOST_DATA_TEST_CASE(a_core_that_polls_for_ever_is_named_with_location_and_value, data::make({0, 1, 2}), which)
{
    Bench bench;
    const auto private_bytes = bench.core.allocate(4096, PageKind::kCached);
    std::vector<PollRequest> places{bench.flag(0x20)};
    if (which == 1) places = {PollRequest{private_bytes, 4, 0, true}};
    if (which == 2) places = {bench.flag(0x20, 3), bench.flag(0x60), bench.flag(0x70)};
    bench.chip.set_at(1_us, CoreBench::buffer(kPeer, 0x20), which == 2 ? 2 : 0);
    bench.core.run(poll_places(bench.core, places, bench.found, bench.ended), "program");
    bench.simulation.run();
    constexpr std::array<std::string_view, 3> kTexts{
        "program: core 5 polls 1 byte at 0xc0006020 (MPB of core 3, offset 0x20) until it equals 1, it is 0",
        "program: core 5 polls 4 bytes at 0x10000000 (its own cached memory, which no other core changes) until it "
        "differs from 0, it is 0",
        "program: core 5 polls 1 byte at 0xc0006020 (MPB of core 3, offset 0x20) until it equals 3, it is 2, and 2 "
        "other places"};
    BOOST_TEST(bench.core.pending() == kTexts[static_cast<std::size_t>(which)]);
    BOOST_CHECK_THROW(bench.simulation.require_drained(), StuckError);
}

BOOST_AUTO_TEST_CASE(a_poll_across_lines_is_refused)
{
    Bench bench;
    const std::vector<PollRequest> places{{bench.core.message_buffer(kPeer, 30), 4, 1}};
    bench.core.run(poll_places(bench.core, places, bench.found, bench.ended), "program");
    BOOST_CHECK_THROW(bench.simulation.run(), UserError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
