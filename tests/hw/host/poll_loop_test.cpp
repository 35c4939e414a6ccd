// SPDX-License-Identifier: Apache-2.0
#include "hw/host/poll_loop.h"

#include <algorithm>
#include <vector>

#include "tests/hw/printing.h"
#include "tests/support/cases.h"

namespace {

using namespace ringmesh;

constexpr std::uint64_t kFirst = 0x1000;
constexpr std::uint64_t kApart = 0x100;  ///< from one place to the next: other lines

/// A poll loop over locations for the value 7, begun at kBegin; the test is the processor.
struct LoopBench {
    static constexpr Duration kBegin = 10_us;

    explicit LoopBench(std::size_t count, Duration phase = 0_ns, std::uint64_t apart = kApart)
    {
        for (std::size_t i = 0; i < count; ++i) places.push_back({kFirst + apart * i, 4, 7});
        loop.begin(places, kBegin, phase);
    }
    Duration turn() const { return loop.look() * static_cast<std::int64_t>(places.size()); }
    void put(std::size_t place, std::uint8_t value)
    {
        const std::byte byte{value};
        memory.write(places.at(place).address, {&byte, 1});
    }
    std::optional<hw::PollLoop::Miss> written(std::size_t place, Duration time)
    {
        return loop.written(places.at(place).address, 4, time);
    }

    hw::HostParams host;
    hw::Memory memory{1 << 20};
    hw::PollLoop loop{host, memory};
    std::vector<PollRequest> places;
};

/// The first load of a location at or after `time`.
Duration look_at(const LoopBench& bench, std::size_t place, Duration first_look, Duration time)
{
    Duration look = first_look + bench.loop.look() * static_cast<std::int64_t>(place);
    while (look < time) look += bench.turn();
    return look;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(poll_loop)

BOOST_DATA_TEST_CASE(the_next_load_of_a_written_location_misses_and_locations_are_polled_in_turn,
                     data::make({1u, 2u, 3u, 8u}) * data::make({0_ns, 3_ns, 9'999_ps}) *
                         data::make({0_ns, 1_ps, 10_ns, 995_ns, 1_us}),
                     count, phase, after)
{
    for (std::size_t place = 0; place < count; ++place) {
        LoopBench bench(count, phase);
        const Duration time = LoopBench::kBegin + after;
        const auto miss = bench.written(place, time);
        BOOST_TEST_REQUIRE(miss.has_value());
        BOOST_TEST(miss->from == look_at(bench, place, LoopBench::kBegin + phase, time));
        BOOST_TEST(miss->from >= time);
        BOOST_TEST(miss->from < time + bench.turn() + phase);
        BOOST_TEST(miss->to == miss->from + bench.host.poll_miss);
    }
}

BOOST_AUTO_TEST_CASE(loads_stay_on_a_clock_whose_period_is_no_whole_number_of_picoseconds)
{
    hw::HostParams host;
    host.clock = 533_MHz;
    host.poll_loop = 7_cycles;
    const hw::Memory memory(1 << 20);
    hw::PollLoop loop(host, memory);
    const std::vector<PollRequest> places{{kFirst, 4, 7}, {kFirst + kApart, 4, 7}};
    loop.begin(places, 0_ns, 0_ns);
    const auto miss = loop.written(kFirst + kApart, 4, 1_s);
    BOOST_TEST_REQUIRE(miss.has_value());
    // Loads of the second place are each 14 clocks after the first one, which is at 7
    std::int64_t clocks = 7 + 14 * ((533'000'000 - 7) / 14);
    if (clocks < 533'000'000) clocks += 14;
    BOOST_TEST(miss->from == Cycles(clocks) * Clock(host.clock));
}

BOOST_AUTO_TEST_CASE(a_write_outside_the_polled_lines_is_not_seen)
{
    LoopBench bench(2);
    const auto line = static_cast<std::uint64_t>(bench.host.cache_line.count());
    BOOST_TEST(!bench.loop.written(kFirst - line, line, 11_us).has_value());
    BOOST_TEST(!bench.loop.written(kFirst + line, line, 11_us).has_value());
    BOOST_TEST(bench.loop.written(kFirst + line - 1, 1, 11_us).has_value());
}

/// The order of the list does not matter.
BOOST_DATA_TEST_CASE(a_write_that_touches_several_places_misses_at_the_one_that_is_looked_at_next, data::xrange(0, 30),
                     after)
{
    LoopBench bench(3, 0_ns, 8);  // all in one line
    const Duration time = LoopBench::kBegin + 1_ns * after;
    const auto miss = bench.written(0, time);
    BOOST_TEST_REQUIRE(miss.has_value());
    BOOST_TEST(miss->from >= time);
    BOOST_TEST(miss->from < time + bench.loop.look());
}

BOOST_AUTO_TEST_CASE(an_earlier_miss_replaces_a_later_one_which_is_merged_into_it)
{
    LoopBench bench(4);
    const Duration time = LoopBench::kBegin + 1_ps;
    const auto third = bench.written(3, time);
    const auto second = bench.written(2, time);
    BOOST_TEST_REQUIRE(third.has_value());
    BOOST_TEST_REQUIRE(second.has_value());
    BOOST_TEST(second->from == third->from - bench.loop.look());
    BOOST_TEST(!bench.written(3, time).has_value());
    BOOST_TEST(!bench.written(0, time).has_value());
    BOOST_TEST(!bench.written(1, second->from + 1_ps).has_value());  // the line is on its way
}

BOOST_AUTO_TEST_CASE(the_first_place_that_holds_its_value_ends_the_loop)
{
    LoopBench bench(4);
    bench.put(3, 7);
    bench.put(1, 7);
    const auto miss = bench.written(3, 11_us);
    BOOST_TEST_REQUIRE(miss.has_value());
    const auto place = bench.loop.look_again(miss->to);
    BOOST_TEST_REQUIRE(place.has_value());
    BOOST_TEST(*place == 1u);
    BOOST_TEST(!bench.loop.waiting());
    BOOST_TEST(!bench.written(1, 12_us).has_value());
}

BOOST_DATA_TEST_CASE(after_a_miss_without_a_match_the_loop_continues_from_there, data::make({1u, 3u}), count)
{
    LoopBench bench(count, 3_ns);
    bench.put(0, 6);
    const auto vain = bench.written(0, 11_us);
    BOOST_TEST_REQUIRE(vain.has_value());
    BOOST_TEST(!bench.loop.look_again(vain->to).has_value());
    BOOST_TEST(bench.loop.waiting());
    const Duration time = vain->to + 777_ns;
    const auto miss = bench.written(count - 1, time);
    BOOST_TEST_REQUIRE(miss.has_value());
    BOOST_TEST(miss->from == look_at(bench, count - 1, vain->to, time));
}

BOOST_AUTO_TEST_CASE(until_other_waits_for_anything_else)
{
    LoopBench bench(0);
    const std::vector<PollRequest> places{{.address = kFirst, .size = 2, .value = 0, .until_other = true}};
    bench.loop.begin(places, 1_us, 0_ns);
    BOOST_TEST(!bench.loop.found().has_value());
    const std::byte high{1};
    bench.memory.write(kFirst + 2, {&high, 1});  // beside it
    BOOST_TEST(!bench.loop.found().has_value());
    bench.memory.write(kFirst + 1, {&high, 1});
    BOOST_TEST(bench.loop.found().has_value());
}

/// One bit of one byte wrong is another value.
BOOST_DATA_TEST_CASE(values_are_little_endian_of_their_size, data::make({1u, 2u, 4u, 8u}), size)
{
    LoopBench bench(0);
    std::vector<std::byte> bytes(8);
    for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<std::byte>(i + 1);
    bench.memory.write(kFirst, bytes);
    const std::uint64_t all = 0x0807060504030201;
    const std::uint64_t value = size == 8 ? all : all & ((std::uint64_t{1} << (8 * size)) - 1);
    std::vector<PollRequest> places;
    for (std::uint32_t i = 0; i < size; ++i) places.push_back({kFirst, size, value ^ (std::uint64_t{0x80} << (8 * i))});
    places.push_back({kFirst, size, value});
    bench.loop.begin(places, 1_us, 0_ns);
    BOOST_TEST_REQUIRE(bench.loop.found().has_value());
    BOOST_TEST(*bench.loop.found() == size);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
