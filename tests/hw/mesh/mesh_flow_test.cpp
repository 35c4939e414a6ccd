// SPDX-License-Identifier: Apache-2.0
/// What holds for a mesh under any load, in either detail and whatever its policies: nothing is lost, nothing comes
/// twice, the classes do not stop each other, and what is refused waits.
#include <map>
#include <set>

#include "tests/hw/mesh/mesh_bench.h"
#include "tests/support/cases.h"
#include "tests/support/policies.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using hw::MeshDetail;
using mesh::Class;

struct Policy {
    const char* name;
    hw::MeshParams params;

    friend std::ostream& operator<<(std::ostream& out, const Policy& policy) { return out << policy.name; }
};

hw::MeshParams small(MeshDetail detail)
{
    hw::MeshParams params;
    params.columns = 4;
    params.rows = 3;
    params.detail = detail;
    return params;
}

void make_torus(hw::MeshParams& params)
{
    params.wrap = true;
    params.reserved_channels = 2;
}

template <class Change>
Policy policy(const char* name, Change change)
{
    Policy made{name, small(MeshDetail::kFlit)};
    change(made.params);
    return made;
}

std::vector<Policy> mesh_policies()
{
    using Params = hw::MeshParams;
    return {{"path", small(MeshDetail::kPath)},
            policy("flit", [](Params&) {}),
            policy("wormhole", [](Params& p) { p.flow = "wormhole"; }),
            policy("wormhole, one flit",
                   [](Params& p) {
                       p.flow = "wormhole";
                       p.buffer_flits = 1;
                       p.virtual_channels = 2;
                   }),
            policy("hold flit", [](Params& p) { p.switch_hold = "flit"; }),
            policy("per output", [](Params& p) { p.channel_choice = "per-output"; }),
            policy("oldest", [](Params& p) { p.arbitration = "oldest"; }),
            policy("fixed", [](Params& p) { p.arbitration = "fixed"; }),
            policy("yx", [](Params& p) { p.routing = "yx"; }),
            policy("west first", [](Params& p) { p.routing = "west-first"; }),
            policy("one stage", [](Params& p) { p.pipeline = 1_cycles; }),
            policy("six stages",
                   [](Params& p) {
                       p.pipeline = 6_cycles;
                       p.link = 3_cycles;
                       p.terminal = 2_cycles;
                   }),
            policy("two channels", [](Params& p) { p.virtual_channels = 2; }),
            policy("speculation", [](Params& p) { p.speculation = true; }),
            policy("speculation, oldest, west first",
                   [](Params& p) {
                       p.speculation = true;
                       p.arbitration = "oldest";
                       p.routing = "west-first";
                   }),
            policy("speculation, wormhole, one flit",
                   [](Params& p) {
                       p.speculation = true;
                       p.flow = "wormhole";
                       p.buffer_flits = 1;
                   }),
            policy("torus", make_torus),
            policy("torus, one flit",
                   [](Params& p) {
                       make_torus(p);
                       p.flow = "wormhole";
                       p.buffer_flits = 1;
                       p.virtual_channels = 4;
                   }),
            policy("torus, yx, speculation",
                   [](Params& p) {
                       make_torus(p);
                       p.routing = "yx";
                       p.speculation = true;
                   }),
            policy("torus, class at entry",
                   [](Params& p) {
                       make_torus(p);
                       p.ring_classes = "at-entry";
                   }),
            policy("torus, balanced classes, yx",
                   [](Params& p) {
                       make_torus(p);
                       p.ring_classes = "balanced";
                       p.equal_ways = hw::EqualWays::kDrawn;
                       p.routing = "yx";
                   }),
            policy("torus by path", [](Params& p) {
                make_torus(p);
                p.detail = MeshDetail::kPath;
                p.equal_ways = hw::EqualWays::kDrawn;
            })};
}

const auto kPolicies = data::make(mesh_policies());

/// A packet to anywhere, of any length and class.
void any_packet(MeshBench& bench, MeshProbe& probe, Random& random)
{
    const std::uint32_t flits = 1 + static_cast<std::uint32_t>(random.below(8));
    probe.offer(bench.any_tile(random), flits, random.below(2) == 0 ? Class::kRequest : Class::kResponse);
}

/// Each offered packet has arrived at its target once, unchanged.
void check_all_arrived(const MeshBench& bench)
{
    std::uint64_t offered = 0;
    std::set<std::uint64_t> ids;
    for (const auto& probe : bench.probes) {
        offered += probe->offered;
        for (const auto& seen : probe->seen) {
            BOOST_TEST(seen.packet.to == probe->place);
            BOOST_TEST(ids.insert(seen.packet.id).second);
            BOOST_TEST(seen.packet.injected_ps >= seen.packet.born_ps);
            const Duration fastest = bench.mesh->zero_load_latency(seen.packet.from, seen.packet.to, seen.packet.flits);
            BOOST_TEST(seen.at - Duration::picoseconds(seen.packet.born_ps) >= fastest);
        }
    }
    BOOST_TEST(ids.size() == offered);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(mesh_flow)

/// Far more than the mesh carries, so that every queue fills; then it drains.
BOOST_DATA_TEST_CASE(a_saturated_mesh_drains_loses_nothing_and_lets_packets_of_a_class_enter_in_order, kPolicies,
                     policy)
{
    MeshBench bench(policy.params);
    bench.load(2.0, 4, 400, [&](MeshProbe& probe, Random& random) { any_packet(bench, probe, random); });
    bench.run();
    check_all_arrived(bench);
    std::uint64_t refusals = 0;
    for (const auto& probe : bench.probes) refusals += probe->refusals;
    BOOST_TEST(refusals > 0u);
    BOOST_TEST(bench.mesh->pending() == "");
    std::map<std::tuple<mesh::Terminal, Class, std::uint64_t>, std::int64_t> entered;
    for (const auto& probe : bench.probes) {
        for (const auto& seen : probe->seen) {
            entered[{seen.packet.from, seen.packet.kind, seen.packet.id}] = seen.packet.injected_ps;
        }
    }
    for (auto it = entered.begin(), next = std::next(it); next != entered.end(); ++it, ++next) {
        const auto& [from, kind, id] = it->first;
        if (from != std::get<0>(next->first) || kind != std::get<1>(next->first)) continue;
        BOOST_TEST(it->second < next->second);
    }
}

BOOST_DATA_TEST_CASE(everything_to_one_terminal_arrives, kPolicies, policy)
{
    MeshBench bench(policy.params);
    for (const auto& probe : bench.probes) {
        for (int i = 0; i < 30; ++i) probe->offer(bench.tile(2, 1), 3);
    }
    bench.run();
    check_all_arrived(bench);
    // The last link carries a flit a cycle, and little less.
    const auto& seen = bench.at(2, 1).seen;
    const Duration least = bench.cycles(static_cast<std::int64_t>(3 * seen.size()));
    BOOST_TEST(seen.back().at >= least);
    // A channel alone has gaps between its packets; on a torus there is one for each side of the dateline
    if (policy.params.virtual_channels > (policy.params.wrap ? 4 : 2)) BOOST_TEST(seen.back().at <= least * 13 / 10);
}

const auto kRingClasses = data::make(ringmesh::test::all_policies<hw::RingClassPolicy>());

/// Two channels, one of each class, and packets longer than all buffers of a ring: with one class rings close.
BOOST_DATA_TEST_CASE(a_flooded_torus_never_waits_in_a_circle,
                     kRingClasses* data::make({"wormhole", "cut-through"}) * data::make({1, 3}) *
                         data::make({3, 4, 5, 8}),
                     classes, flow, buffer, columns)
{
    hw::MeshParams params;
    params.detail = MeshDetail::kFlit;
    params.columns = columns;
    params.rows = 3;
    params.wrap = true;
    params.virtual_channels = 2;
    params.reserved_channels = 0;
    params.flow = flow;
    params.buffer_flits = buffer;
    params.ring_classes = classes;
    params.equal_ways = columns % 4 == 0 ? hw::EqualWays::kDrawn : hw::EqualWays::kFixed;
    MeshBench bench(params);
    bench.load(2.0, 20, 3000, [&](MeshProbe& probe, Random& random) { probe.offer(bench.any_tile(random), 20); });
    bench.run();
    check_all_arrived(bench);
}

/// Four channels, of which each message class has one of each ring class: blocked requests take no channel of
/// responses.
BOOST_DATA_TEST_CASE(each_message_class_has_both_ring_classes, kRingClasses, classes)
{
    hw::MeshParams params = small(MeshDetail::kFlit);
    make_torus(params);
    params.virtual_channels = 4;
    params.ring_classes = classes;
    MeshBench bench(params);
    for (const auto& probe : bench.probes) {
        probe->take_only(Class::kRequest, 0);
        for (const auto& to : bench.probes) {
            for (int i = 0; i < 10; ++i) probe->offer(to->place, 4, Class::kRequest);
            for (int i = 0; i < 5; ++i) probe->offer(to->place, 4, Class::kResponse);
        }
    }
    bench.simulation.run();
    BOOST_TEST(bench.taken() == 5 * bench.probes.size() * bench.probes.size());
    for (const auto& probe : bench.probes) probe->take_only(Class::kRequest, UINT64_MAX);
    bench.run();
    check_all_arrived(bench);
    params.reserved_channels = 1;
    BOOST_TEST(params.problem() != "");
}

/// Terminals that stop taking packets now and then.
BOOST_DATA_TEST_CASE(a_refused_packet_is_delivered_later, kPolicies, policy)
{
    MeshBench bench(policy.params);
    bench.load(0.6, 4, 600, [&](MeshProbe& probe, Random& random) { any_packet(bench, probe, random); });
    for (std::int64_t cycle = 50; cycle <= 1000; cycle += 50) {
        bench.at_cycle(cycle, [&bench, cycle] {
            Random random(static_cast<std::uint64_t>(cycle));
            for (const auto& probe : bench.probes) {
                probe->take_only(Class::kRequest, cycle == 1000 ? UINT64_MAX : random.below(4));
                probe->take_only(Class::kResponse, cycle == 1000 ? UINT64_MAX : random.below(4));
            }
        });
    }
    bench.run();
    check_all_arrived(bench);
}

/// No terminal accepts requests any more, and all send them. Responses still pass.
BOOST_DATA_TEST_CASE(blocked_requests_do_not_block_responses, kPolicies, policy)
{
    MeshBench bench(policy.params);
    for (const auto& probe : bench.probes) {
        probe->take_only(Class::kRequest, 0);
        for (const auto& to : bench.probes) {
            for (int i = 0; i < 10; ++i) probe->offer(to->place, 4, Class::kRequest);
        }
    }
    std::uint64_t responses = 0;
    bench.at_cycle(5000, [&] {
        for (const auto& probe : bench.probes) {
            for (const auto& to : bench.probes) {
                for (int i = 0; i < 5; ++i, ++responses) probe->offer(to->place, 4, Class::kResponse);
            }
        }
    });
    bench.simulation.run();  // to its end: a mesh in which nothing can move costs nothing
    BOOST_TEST(bench.taken() == responses);
    BOOST_TEST(bench.mesh->pending().find("requests wait to enter at r0_0.local") != std::string::npos);
    BOOST_CHECK_THROW(bench.simulation.require_drained(), StuckError);
    for (const auto& probe : bench.probes) probe->take_only(Class::kRequest, UINT64_MAX);
    bench.run();
    check_all_arrived(bench);
}

/// A memory with one slot for requests answers each; all terminals send to it at once.
BOOST_DATA_TEST_CASE(a_storm_of_requests_is_answered, kPolicies, policy)
{
    MeshBench bench(policy.params);
    MeshProbe& memory = bench.at(1, 1);
    memory.take_only(Class::kRequest, 1);
    memory.on_packet = [&](const mesh::Packet& request) {
        if (request.kind != Class::kRequest) return;
        bench.timetable.at(now() + bench.cycles(7), [&memory, from = request.from] {
            memory.offer(from, 3, Class::kResponse);
            memory.take_only(Class::kRequest, 1);
        });
    };
    constexpr std::uint64_t kEach = 20;
    for (const auto& probe : bench.probes) {
        if (probe.get() == &memory) continue;
        for (std::uint64_t i = 0; i < kEach; ++i) probe->offer(memory.place, 3);
    }
    bench.run();
    for (const auto& probe : bench.probes) {
        BOOST_TEST(probe->seen.size() == (probe.get() == &memory ? kEach * (bench.probes.size() - 1) : kEach));
    }
}

BOOST_DATA_TEST_CASE(a_queue_has_as_many_places_as_it_has_slots, data::make({1, 3, 8}), slots)
{
    hw::MeshParams params = small(MeshDetail::kFlit);
    params.injection_slots = slots;
    MeshBench bench(params);
    bench.at_cycle(5, [&] {
        for (const Class kind : {Class::kRequest, Class::kResponse}) {
            for (int i = 0; i < slots + 2; ++i) {
                BOOST_TEST(bench.at(0, 0).offer(bench.tile(3, 2), 5, kind) == (i < slots));
            }
        }
    });
    bench.run();
    check_all_arrived(bench);
}

/// The first packet leaves at once, the others when the wires are free.
BOOST_DATA_TEST_CASE(a_queue_of_the_path_detail_has_its_slots_besides_the_packet_that_enters, data::make({1, 3, 8}),
                     slots)
{
    hw::MeshParams params = small(MeshDetail::kPath);
    params.injection_slots = slots;
    MeshBench bench(params);
    bench.at_cycle(5, [&] {
        for (int i = 0; i < slots + 3; ++i) {
            BOOST_TEST(bench.at(0, 0).offer(bench.tile(3, 2), 5) == (i < slots + 1));
        }
    });
    bench.run();
    check_all_arrived(bench);
}

/// A slot becomes free just as a second packet arrives: it goes to the first, which was refused before.
BOOST_DATA_TEST_CASE(refused_packets_are_accepted_in_the_order_of_refusal,
                     data::make({MeshDetail::kPath, MeshDetail::kFlit}), detail)
{
    MeshBench bench(small(detail));
    MeshProbe& sink = bench.at(1, 0);
    sink.take_only(Class::kRequest, 0);
    bench.at_cycle(10, [&] { bench.at(0, 0).offer(sink.place, 1); });
    bench.at_cycle(15, [&] { bench.at(2, 0).offer(sink.place, 1); });
    const std::int64_t second = 15 + 2 * 4;
    bench.timetable.at(bench.cycles(second) - 1_ps, [&] { sink.take_only(Class::kRequest, 1); });
    bench.simulation.run();
    BOOST_TEST_REQUIRE(sink.seen.size() == 1u);
    BOOST_TEST(sink.seen[0].packet.from == bench.tile(0, 0));
    BOOST_TEST(sink.seen[0].at == bench.cycles(second));
    BOOST_TEST(bench.mesh->pending() == "1 request refused at r1_0.local");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
