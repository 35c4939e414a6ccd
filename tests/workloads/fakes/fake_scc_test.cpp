// SPDX-License-Identifier: Apache-2.0
#include "tests/workloads/fakes/fake_scc.h"

#include <boost/test/unit_test.hpp>

#include "tlm/error.h"

/// The fake must have the chip's stale lines and combined stores, or tests of libraries on it prove little.
namespace {

using namespace ringmesh;
using test::FakeScc;

constexpr std::uint32_t kLine = SccProcessor::kLine;
using Bytes4 = std::array<std::byte, 4>;

Task<> read_around_a_change(FakeScc& machine, Bytes4& found)
{
    auto& core = machine.processor(0);
    for (std::size_t i = 0; i < 4; ++i) {
        if (i == 1) machine.buffers[SccProcessor::kMessageBuffer] = std::byte{9};
        if (i == 2) co_await core.invalidate_message_buffers();
        const LoadRequest load{.address = core.message_buffer(1), .data = &found[i], .size = 1};
        co_await core.load(load);
    }
}

Task<> store_and_look(FakeScc& machine, Bytes4& found)
{
    auto& core = machine.processor(0);
    const auto there = [&] { return machine.buffers[SccProcessor::kMessageBuffer]; };
    const std::byte one{1};
    const StoreRequest store{.address = core.message_buffer(1), .data = &one, .size = 1};
    co_await core.store(store);
    found[0] = there();
    const StoreRequest same_line{.address = core.message_buffer(1, kLine - 1), .data = &one, .size = 1};
    co_await core.store(same_line);
    found[1] = there();
    const StoreRequest other_line{.address = core.message_buffer(0), .data = &one, .size = 1};
    co_await core.store(other_line);
    found[2] = there();
    std::array<std::byte, kLine> line;
    line.fill(std::byte{7});
    const StoreRequest whole{.address = core.message_buffer(1), .data = line.data(), .size = kLine};
    co_await core.store(whole);
    found[3] = there();
}

Task<> poll_for_nine(FakeScc& machine, Duration& seen)
{
    auto& core = machine.processor(0);
    const PollRequest poll{.address = core.message_buffer(1), .size = 1, .value = 9};
    co_await core.poll(poll);
    seen = core.time();
}

Task<> take_twice(FakeScc& machine, Bytes4& found)
{
    auto& core = machine.processor(0);
    for (std::size_t i = 0; i < 3; ++i) {
        if (i == 2) {
            const StoreRequest release{.address = core.test_and_set(1), .data = &found[3], .size = 1};
            co_await core.store(release);
        }
        const LoadRequest take{.address = core.test_and_set(1), .data = &found[i], .size = 1};
        co_await core.load(take);
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(fake_scc)

BOOST_AUTO_TEST_CASE(a_load_finds_old_bytes_until_they_are_invalidated)
{
    Simulation simulation{1};
    FakeScc machine(simulation, 2);
    Bytes4 found{};
    machine.processor(0).run(read_around_a_change(machine, found), "reader");
    simulation.run();
    BOOST_TEST((found == Bytes4{std::byte{0}, std::byte{0}, std::byte{9}, std::byte{9}}));
}

BOOST_AUTO_TEST_CASE(a_store_stays_in_the_core_until_its_line_is_full_or_another_is_stored_to)
{
    Simulation simulation{1};
    FakeScc machine(simulation, 2);
    Bytes4 found{};
    machine.processor(0).run(store_and_look(machine, found), "writer");
    simulation.run();
    BOOST_TEST((found == Bytes4{std::byte{0}, std::byte{0}, std::byte{1}, std::byte{7}}));
}

BOOST_AUTO_TEST_CASE(a_poll_wakes_up_when_its_bytes_change)
{
    Simulation simulation{1};
    FakeScc machine(simulation, 2);
    Duration seen;
    machine.processor(0).run(poll_for_nine(machine, seen), "poll");
    machine.agenda.at(1_ms, [&machine] {
        machine.buffers[SccProcessor::kMessageBuffer] = std::byte{9};
        machine.changed();
    });
    simulation.run();
    BOOST_TEST(machine.processor(0).finished());
    BOOST_TEST((seen > 1_ms && seen < 1_ms + 1_us));
    BOOST_TEST(machine.processor(0).looks == 2u);
}

BOOST_AUTO_TEST_CASE(a_register_is_taken_once_until_it_is_released)
{
    Simulation simulation{1};
    FakeScc machine(simulation, 2);
    Bytes4 found{};
    machine.processor(0).run(take_twice(machine, found), "taker");
    simulation.run();
    BOOST_TEST((found == Bytes4{std::byte{1}, std::byte{0}, std::byte{1}, std::byte{0}}));
}

// Of cores 1, 2, 37, 10 and 47 from core 0 [004 3.2].
BOOST_AUTO_TEST_CASE(cores_stand_as_on_the_chip)
{
    Simulation simulation{1};
    FakeScc machine(simulation, 48);
    BOOST_TEST(machine.hops(0, 1) == 0u);
    BOOST_TEST(machine.hops(0, 2) == 1u);
    BOOST_TEST(machine.hops(0, 37) == 3u);
    BOOST_TEST(machine.hops(0, 10) == 5u);
    BOOST_TEST(machine.hops(0, 47) == 8u);
    BOOST_TEST(machine.memory_controller(17) == 0u);
    BOOST_TEST(machine.memory_controller(23) == 1u);
    BOOST_TEST(machine.memory_controller(24) == 2u);
    BOOST_TEST(machine.memory_controller(35) == 3u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
