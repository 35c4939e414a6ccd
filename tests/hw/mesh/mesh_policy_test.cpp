// SPDX-License-Identifier: Apache-2.0
/// What each policy of the flit detail changes, seen from the terminals.
#include <algorithm>
#include <map>
#include <vector>

#include "hw/mesh/path/link_calendar.h"
#include "tests/hw/mesh/mesh_bench.h"
#include "tests/support/cases.h"
#include "tests/support/policies.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using hw::MeshDetail;
using mesh::Class;

hw::MeshParams row(std::int64_t columns)
{
    hw::MeshParams params;
    params.columns = columns;
    params.rows = 1;
    params.detail = MeshDetail::kFlit;
    params.buffer_flits = 8;
    return params;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(mesh_policy)

/// From both sides at once to the one in the middle: with switch allocation per flit their flits interleave, and both
/// packets complete at the end; per packet one waits for the other.
BOOST_DATA_TEST_CASE(a_held_switch_does_not_interleave_packets,
                     data::make(all_policies<hw::SwitchHoldPolicy>()) * data::make({2, 5, 8}), hold, flits)
{
    hw::MeshParams params = row(3);
    params.switch_hold = hold;
    MeshBench bench(params);
    bench.at_cycle(10, [&] {
        bench.at(0, 0).offer(bench.tile(1, 0), static_cast<std::uint32_t>(flits));
        bench.at(2, 0).offer(bench.tile(1, 0), static_cast<std::uint32_t>(flits));
    });
    bench.run();
    const auto& seen = bench.at(1, 0).seen;
    BOOST_TEST_REQUIRE(seen.size() == 2u);
    const Duration last = bench.cycles(10 + 2 * 4 + 2 * flits - 1);
    BOOST_TEST(seen[1].at == last);
    BOOST_TEST(seen[0].at == last - bench.cycles(hold == "packet" ? flits : 1));
}

/// Of two simultaneous arrivals: the older one, the lower port, or the one not served last.
BOOST_DATA_TEST_CASE(arbitration_decides_which_of_two_packets_goes_first,
                     data::make(all_policies<hw::ArbitrationPolicy>()) * data::make({false, true}), arbitration,
                     west_is_older)
{
    hw::MeshParams params = row(3);
    params.arbitration = arbitration;
    MeshBench bench(params);
    const mesh::Terminal to = bench.tile(1, 0);
    MeshProbe& older = bench.at(west_is_older ? 0 : 2, 0);
    MeshProbe& younger = bench.at(west_is_older ? 2 : 0, 0);
    for (const std::int64_t cycle : {10, 110}) {
        bench.at_cycle(cycle, [&] { older.offer(to, 3, Class::kRequest, bench.cycles(10)); });
        bench.at_cycle(cycle + 10, [&] { younger.offer(to, 3); });
    }
    bench.run();
    const auto& seen = bench.at(1, 0).seen;
    BOOST_TEST_REQUIRE(seen.size() == 4u);
    const mesh::Terminal first = seen[0].packet.from, later = seen[2].packet.from;
    if (arbitration == "round-robin") {
        BOOST_TEST(first == later);  // the one that went second was served last
    } else {                         // the input from the east has a lower number than that from the west
        const bool by_age = arbitration == "oldest" || arbitration == "stream-first";  // of one stream
        const mesh::Terminal expected = by_age ? older.place : bench.tile(2, 0);
        BOOST_TEST(first == expected);
        BOOST_TEST(later == expected);
    }
}

BOOST_DATA_TEST_CASE(round_robin_serves_the_other_one_first, data::make({0, 2}), served)
{
    MeshBench bench(row(3));
    bench.at_cycle(10, [&] { bench.at(static_cast<unsigned>(served), 0).offer(bench.tile(1, 0), 3); });
    bench.at_cycle(110, [&] {
        for (const unsigned x : {0U, 2U}) bench.at(x, 0).offer(bench.tile(1, 0), 3);
    });
    bench.run();
    const auto& seen = bench.at(1, 0).seen;
    BOOST_TEST_REQUIRE(seen.size() == 3u);
    BOOST_TEST(seen[1].packet.from.x == 2 - served);
}

/// Packets of three flits in buffers of four, in front of a blocked terminal: with cut-through each is held in one
/// router as a whole, with wormhole it advances as far as there is room.
BOOST_DATA_TEST_CASE(cut_through_keeps_packets_whole, data::make(all_policies<hw::MeshFlowPolicy>()), flow)
{
    hw::MeshParams params = row(3);
    params.flow = flow;
    params.virtual_channels = 1;
    params.reserved_channels = 0;
    params.buffer_flits = 4;
    MeshBench bench(params);
    MeshProbe& sink = bench.at(2, 0);
    sink.take_only(Class::kRequest, 0);
    for (int i = 0; i < 9; ++i) bench.at(0, 0).offer(sink.place, 3);
    bench.simulation.run();
    const int held = flow == "cut-through" ? 3 : 4;
    for (const char* router : {"r0_0", "r1_0", "r2_0"}) {
        const std::string expected = std::to_string(held) + " flits in " + router;
        BOOST_TEST(bench.mesh->pending().find(expected) != std::string::npos, bench.mesh->pending());
    }
    sink.take_only(Class::kRequest, UINT64_MAX);
    bench.run();
    BOOST_TEST(sink.seen.size() == 9u);
}

/// A saturating class leaves every second flit to the other.
BOOST_AUTO_TEST_CASE(the_classes_of_one_terminal_take_turns)
{
    MeshBench bench(row(2));
    constexpr int kMany = 40;
    for (int i = 0; i < kMany; ++i) bench.at(0, 0).offer(bench.tile(1, 0), 4, Class::kRequest);
    for (int i = 0; i < kMany; ++i) bench.at(0, 0).offer(bench.tile(1, 0), 4, Class::kResponse);
    bench.run();
    std::map<Class, int> among_the_first;
    for (int i = 0; i < kMany; ++i) ++among_the_first[bench.at(1, 0).seen[static_cast<std::size_t>(i)].packet.kind];
    BOOST_TEST(std::abs(among_the_first[Class::kRequest] - among_the_first[Class::kResponse]) <= 4);
}

/// Behind a link that two inputs share, the channels of one input wait; the switch serves them in turn.
BOOST_AUTO_TEST_CASE(the_channels_of_one_input_take_turns)
{
    MeshBench bench(row(4));
    constexpr int kMany = 40;
    for (const Class kind : {Class::kRequest, Class::kResponse}) {
        for (int i = 0; i < kMany; ++i) bench.at(0, 0).offer(bench.tile(3, 0), 4, kind);
    }
    for (int i = 0; i < 2 * kMany; ++i) bench.at(1, 0).offer(bench.tile(3, 0), 4);
    bench.run();
    int ahead = 0, counted = 0;  // requests, of the first from the far side
    for (const auto& seen : bench.at(3, 0).seen) {
        if (seen.packet.from.x != 0 || counted == kMany) continue;
        ahead += seen.packet.kind == Class::kRequest ? 1 : -1;
        ++counted;
    }
    BOOST_TEST(std::abs(ahead) <= 8);
}

/// Channels released by a class are available to the other: in front of a blocked terminal, packets fill all channels
/// that are not reserved for the other class.
BOOST_DATA_TEST_CASE(channels_change_their_class_when_they_are_empty,
                     data::make({Class::kRequest, Class::kResponse}) * data::make({1, 2, 4}), first, reserved)
{
    hw::MeshParams params = row(2);
    params.reserved_channels = reserved;
    MeshBench bench(params);
    const Class then = first == Class::kRequest ? Class::kResponse : Class::kRequest;
    MeshProbe& sink = bench.at(1, 0);
    for (const Class kind : {first, then}) {
        bench.at_cycle(kind == first ? 10 : 5000, [&bench, &sink, kind] {
            sink.take_only(kind, 0);
            for (int i = 0; i < 40; ++i) bench.at(0, 0).offer(sink.place, 8, kind);
        });
    }
    bench.at_cycle(2000, [&] { sink.take_only(first, UINT64_MAX); });
    bench.simulation.run();
    const std::string full = std::to_string((8 - reserved) * 8) + " flits in r1_0";
    BOOST_TEST(bench.mesh->pending().find(full) != std::string::npos, bench.mesh->pending());
    sink.take_only(then, UINT64_MAX);
    bench.run();
    BOOST_TEST(sink.seen.size() == 80u);
}

/// East and north are blocked, then one output frees: a head that waits for the other output takes it.
BOOST_DATA_TEST_CASE(a_waiting_head_takes_the_first_free_output, data::make({false, true}), east_opens)
{
    hw::MeshParams params = row(3);
    params.rows = 3;
    params.routing = "west-first";
    params.virtual_channels = 1;
    params.reserved_channels = 0;
    params.buffer_flits = 4;
    MeshBench bench(params, {{0, 0, mesh::Port::kSouth}, {0, 0, mesh::Port::kWest}});
    MeshProbe& to_east = bench.at(2, 0);
    MeshProbe& to_north = bench.at(0, 2);
    to_east.take_only(Class::kRequest, 0);
    to_north.take_only(Class::kRequest, 0);
    for (int i = 0; i < 3; ++i) {  // at the terminal, in its router, in the one before
        bench.probes[9]->offer(to_east.place, 4);
        bench.probes[10]->offer(to_north.place, 4);
    }
    bench.at_cycle(500, [&] { bench.at(0, 0).offer(bench.tile(1, 1), 4); });
    bench.at_cycle(1000, [&] {
        BOOST_TEST(bench.at(1, 1).seen.empty());
        (east_opens ? to_east : to_north).take_only(Class::kRequest, UINT64_MAX);
    });
    bench.simulation.run();
    BOOST_TEST(bench.at(1, 1).seen.size() == 1u);
}

/// All to one: packets beyond its link's rate do not accumulate in the mesh, but wait at the sources.
BOOST_DATA_TEST_CASE(backpressure_reaches_the_sources, data::make({MeshDetail::kPath, MeshDetail::kFlit}), detail)
{
    hw::MeshParams params;
    params.detail = detail;
    MeshBench bench(params);
    for (const auto& probe : bench.probes) {
        for (int i = 0; i < 50; ++i) probe->offer(bench.tile(0, 0), 3);
    }
    // Meanwhile the wires into the mesh could have carried all of them.
    bench.at_cycle(200, [&] {
        std::uint64_t outside = 0;
        for (const auto& probe : bench.probes) outside += probe->waiting(Class::kRequest);
        BOOST_TEST(outside > 24u * 50 * 2 / 5);
    });
    bench.run();
    BOOST_TEST(bench.at(0, 0).seen.size() == 24u * 50);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(mesh_link_calendar)

/// Against a map of all cycles: each reservation takes the first free gap, and no cycle is given twice. Times rise
/// slowly, as on a link; an old reservation may have been dropped together with the gap before it.
BOOST_AUTO_TEST_CASE(a_reservation_takes_the_first_gap_that_is_long_enough)
{
    Random random(4);
    hw::LinkCalendar calendar;
    std::map<std::int64_t, bool> taken;
    std::int64_t base = 0;
    int best = 0;
    constexpr int kRounds = 20'000;
    for (int round = 0; round < kRounds; ++round) {
        base += static_cast<std::int64_t>(random.below(6));
        const std::int64_t earliest = base + static_cast<std::int64_t>(random.below(12));
        const std::int64_t cycles = 1 + static_cast<std::int64_t>(random.below(3));
        const auto fits = [&](std::int64_t from) {
            for (std::int64_t i = 0; i < cycles; ++i) {
                if (taken.count(from + i) != 0) return false;
            }
            return true;
        };
        std::int64_t first = earliest;
        while (!fits(first)) ++first;
        const std::int64_t start = calendar.reserve(earliest, cycles);
        BOOST_TEST(start >= first);
        BOOST_TEST(fits(start));
        best += start == first;
        for (std::int64_t i = 0; i < cycles; ++i) taken[start + i] = true;
        taken.erase(taken.begin(), taken.lower_bound(base - 100));
    }
    BOOST_TEST(best > kRounds * 99 / 100);
}

/// No cycle from then on is left out; what is too much are gaps that are forgotten and will never be given.
BOOST_AUTO_TEST_CASE(what_is_taken_from_a_time_on_leaves_out_what_is_past)
{
    Random random(5);
    hw::LinkCalendar calendar;
    std::vector<bool> taken(8'000);
    std::int64_t base = 0;
    int exact = 0, rounds = 0;
    while (base < 5'000) {
        base += static_cast<std::int64_t>(random.below(6));
        const std::int64_t cycles = 1 + static_cast<std::int64_t>(random.below(3));
        const std::int64_t start = calendar.reserve(base + static_cast<std::int64_t>(random.below(12)), cycles);
        for (std::int64_t i = 0; i < cycles; ++i) taken[static_cast<std::size_t>(start + i)] = true;
        const std::int64_t later = std::count(taken.begin() + base, taken.begin() + calendar.free_from(), true);
        BOOST_TEST(calendar.taken_from(base) >= later);
        BOOST_TEST(calendar.taken_from(base) <= calendar.free_from() - base);
        exact += calendar.taken_from(base) == later;
        ++rounds;
    }
    BOOST_TEST(exact > rounds * 9 / 10);
    BOOST_TEST(calendar.taken_from(calendar.free_from()) == 0);
}

BOOST_AUTO_TEST_CASE(before_what_is_forgotten_no_gap_is_given)
{
    hw::LinkCalendar calendar;
    for (int i = 1; i <= 12; ++i) BOOST_TEST(calendar.reserve(10 * i, 5) == 10 * i);
    // Seven and the last are remembered, and the gap behind the fourth
    BOOST_TEST(calendar.reserve(0, 1) == 45);
    BOOST_TEST(calendar.reserve(0, 6) == 125);
}

BOOST_AUTO_TEST_CASE(neighbouring_reservations_leave_no_gap)
{
    hw::LinkCalendar calendar;
    BOOST_TEST(calendar.reserve(10, 5) == 10);
    BOOST_TEST(calendar.reserve(20, 5) == 20);
    BOOST_TEST(calendar.reserve(10, 6) == 25);
    BOOST_TEST(calendar.reserve(10, 5) == 15);
    BOOST_TEST(calendar.reserve(0, 11) == 31);
    BOOST_TEST(calendar.reserve(0, 10) == 0);
    BOOST_TEST(calendar.reserve(0, 1) == 42);
    BOOST_TEST(calendar.free_from() == 43);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
