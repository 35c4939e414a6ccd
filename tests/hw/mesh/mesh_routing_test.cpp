// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/policies/routing.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <set>
#include <vector>

#include "hw/mesh/border/mesh_clock.h"
#include "hw/mesh/flit/cycle_wheel.h"
#include "hw/mesh/topology/grid.h"
#include "tests/hw/mesh/mesh_probe.h"
#include "tests/support/cases.h"
#include "tests/support/policies.h"
#include "tlm/parameters/parameter_list.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using hw::MeshGrid;
using hw::MeshRouting;
using hw::OutputIndex;
using hw::RouterIndex;
using mesh::Port;

const auto kRoutings = data::make(all_policies<hw::MeshRoutingPolicy>());

/// They say nothing of the ways.
const hw::RingClasses kAnyClasses = "balanced";

/// Walks all routes from one router to a terminal, and calls `call` with the ports of each.
template <class Call>
void walk(MeshRouting routing, const MeshGrid& grid, RouterIndex router, mesh::Terminal to, std::vector<Port> so_far,
          const Call& call, std::optional<unsigned> lots = {})
{
    const auto by = lots ? hw::EqualWays::kDrawn : hw::EqualWays::kFixed;
    const auto ways = hw::MeshRoutes(*routing, grid, *kAnyClasses, by).ways(router, to, lots.value_or(0));
    for (const Port port : std::set{ways.first, ways.other}) {
        auto ports = so_far;
        ports.push_back(port);
        const RouterIndex next = grid.neighbour({router, port});
        if (next == MeshGrid::kNone) {
            call(router, ports);
        } else {
            walk(routing, grid, next, to, ports, call, lots);
        }
    }
}

template <class Call>
void walk_all(MeshRouting routing, const MeshGrid& grid, const Call& call)
{
    for (const RouterIndex from : grid.here()) {
        for (const RouterIndex to : grid.here()) {
            const mesh::Terminal target = grid.local_port(to);
            walk(routing, grid, from, target, {},
                 [&](RouterIndex end, const std::vector<Port>& ports) { call(from, target, end, ports); });
        }
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(mesh_routing)

BOOST_DATA_TEST_CASE(every_route_is_minimal, kRoutings, routing)
{
    const MeshGrid grid(5, 4);
    walk_all(routing, grid, [&](auto from, auto target, auto end, const auto& ports) {
        BOOST_TEST(end == grid.router(target));
        BOOST_TEST(ports.back() == target.port);
        BOOST_TEST(ports.size() == grid.routers_between({grid.x(from), grid.y(from)}, target));
    });
}

/// Neither more than half of a ring.
BOOST_DATA_TEST_CASE(every_route_on_a_torus_is_minimal, data::make({"xy", "yx"}) * data::make({2, 3, 4, 7}), routing,
                     columns)
{
    const MeshGrid grid(static_cast<std::uint32_t>(columns), 4, true);
    const auto around = [](int distance, int ring) { return std::min(std::abs(distance), ring - std::abs(distance)); };
    walk_all(routing, grid, [&](auto from, auto target, auto end, const auto& ports) {
        BOOST_TEST(end == grid.router(target));
        const int hops = around(grid.x(from) - target.x, columns) + around(grid.y(from) - target.y, 4);
        BOOST_TEST(static_cast<int>(ports.size()) == hops + 1);
        BOOST_TEST(grid.routers_between({grid.x(from), grid.y(from)}, target) == ports.size());
    });
}

/// Of uniform traffic: so much crosses each link that all are full at the same load.
BOOST_DATA_TEST_CASE(routes_use_all_links_of_an_even_torus_alike, data::make({"xy", "yx"}), routing)
{
    const MeshGrid grid(8, 4, true);
    hw::Indexed<OutputIndex, int> crossed(grid.outputs());
    walk_all(routing, grid, [&](auto from, auto, auto, const std::vector<Port>& ports) {
        for (const Port port : ports) {
            const OutputIndex output(from, port);
            ++crossed[output];
            from = grid.neighbour(output);
        }
    });
    for (const OutputIndex link : grid.links()) {
        const Port port = link.direction();
        const bool in_row = port == Port::kEast || port == Port::kWest;
        // A node sends to all 32: over k / 8 links of each direction on average
        BOOST_TEST(crossed[link] == (in_row ? 32 * 8 / 8 : 32 * 4 / 8));
    }
}

/// Four targets half way around both rings: a way each, all of the same length; others have one.
BOOST_DATA_TEST_CASE(equal_ways_that_are_drawn_are_all_taken, data::make({"xy", "yx"}), routing)
{
    const MeshGrid grid(8, 4, true);
    const auto ways_to = [&](mesh::Terminal to) {
        std::set<std::vector<Port>> ways;
        for (unsigned lots = 0; lots < 4; ++lots) {
            walk(
                routing, grid, RouterIndex(9), to, {},
                [&](RouterIndex end, const std::vector<Port>& ports) {
                    BOOST_TEST(end == grid.router(to));
                    BOOST_TEST(ports.size() == grid.routers_between({1, 1}, to));
                    ways.insert(ports);
                },
                lots);
        }
        return ways.size();
    };
    BOOST_TEST(ways_to({5, 3}) == 4u);
    BOOST_TEST(ways_to({5, 2}) == 2u);
    BOOST_TEST(ways_to({4, 2}) == 1u);
}

BOOST_AUTO_TEST_CASE(packets_draw_equal_ways_alike)
{
    const MeshGrid grid(8, 4, true);
    const hw::MeshRoutes routes(*MeshRouting("xy"), grid, *kAnyClasses, hw::EqualWays::kDrawn);
    std::array<int, 4> drawn{};
    for (std::uint64_t packet = 1; packet <= 64'000; packet += 64) ++drawn.at(routes.lots_of(packet));  // of one node
    for (const int each : drawn) BOOST_TEST(std::abs(each - 250) < 60);                                 // 4 sigma
    BOOST_TEST(hw::MeshRoutes(*MeshRouting("xy"), grid, *kAnyClasses).lots_of(1) == 0u);
}

/// The turns that could close a circle are never taken.
BOOST_DATA_TEST_CASE(no_route_takes_a_forbidden_turn, kRoutings, routing)
{
    const MeshGrid grid(5, 4);
    const auto in_row = [](Port port) { return port == Port::kEast || port == Port::kWest; };
    walk_all(routing, grid, [&](auto, auto, auto, const std::vector<Port>& ports) {
        for (std::size_t i = 0; i + 2 < ports.size(); ++i) {
            const Port before = ports[i], after = ports[i + 1];
            if (routing == "xy") BOOST_TEST((in_row(before) || !in_row(after)));
            if (routing == "yx") BOOST_TEST((!in_row(before) || in_row(after)));
            if (routing == "west-first") BOOST_TEST((before == Port::kWest || after != Port::kWest));
        }
    });
}

/// East of the source and d rows away there are as many shortest ways as there are orders of the steps.
BOOST_AUTO_TEST_CASE(west_first_allows_every_minimal_route_that_does_not_go_west)
{
    const MeshGrid grid(5, 4);
    std::set<std::vector<Port>> ways;
    walk(MeshRouting("west-first"), grid, RouterIndex(0), {3, 2, Port::kLocal}, {},
         [&](RouterIndex, const std::vector<Port>& ports) { ways.insert(ports); });
    BOOST_TEST(ways.size() == 10u);  // 5 over 2
    ways.clear();
    walk(MeshRouting("west-first"), grid, RouterIndex(4), {1, 2, Port::kLocal}, {},
         [&](RouterIndex, const std::vector<Port>& ports) { ways.insert(ports); });
    BOOST_TEST(ways.size() == 1u);
}

BOOST_AUTO_TEST_CASE(an_outer_port_is_reached_behind_its_router)
{
    for (const auto routing : all_policies<hw::MeshRoutingPolicy>()) {
        const MeshGrid grid(3, 3);
        const hw::MeshRoutes routes(*routing, grid, *kAnyClasses);
        BOOST_TEST(routes.ways(RouterIndex(6), {0, 2, Port::kWest}).first == Port::kWest);
        BOOST_TEST(routes.ways(RouterIndex(3), {0, 2, Port::kWest}).first == Port::kNorth);
    }
}

struct OneClass {
    static constexpr PolicyName kPolicy{"one-class", "as on a mesh"};
    static bool upper(const hw::RingHop&) { return false; }
};
/// Balanced, but with the second dateline forgotten.
struct OneDateline {
    static constexpr PolicyName kPolicy{"one-dateline", "either class but at the wrap link"};
    static bool upper(const hw::RingHop& hop) { return hop.wraps() || hop.lot; }
};

BOOST_DATA_TEST_CASE(ring_classes_leave_no_circle,
                     data::make(all_policies<hw::RingClassPolicy>()) * data::make({"xy", "yx"}) *
                         data::make({3, 4, 5, 6, 7, 8, 9}) * data::make({false, true}),
                     classes, order, size, drawn)
{
    const auto equal_ways = drawn ? hw::EqualWays::kDrawn : hw::EqualWays::kFixed;
    const MeshGrid grid(static_cast<std::uint32_t>(size), 4, true);
    const MeshRouting routing(order);
    const auto closes = [&](const hw::RingClassPolicy& policy) {
        return !hw::MeshRoutes(*routing, grid, policy, equal_ways).waits({}, {}).cycle().empty();
    };
    BOOST_TEST(!closes(*classes));
    if (size < 5) return;  // routes of two links do not follow each other all around
    BOOST_TEST(closes(hw::RingClassPolicy::of<OneClass>()));
    BOOST_TEST(closes(hw::RingClassPolicy::of<OneDateline>()));
}

/// North is where y grows; a link's other end leads back. On a torus rows and columns of two are left as they are: both
/// are neighbours already.
BOOST_DATA_TEST_CASE(links_join_neighbours_both_ways, data::make({false, true}) * data::make({2, 3, 6}), wrap, columns)
{
    const auto width = static_cast<std::uint32_t>(columns);
    const MeshGrid grid(width, 4, wrap);
    const std::uint32_t ring = wrap && width > 2 ? width : 0;
    BOOST_TEST(grid.row_ring() == ring);
    BOOST_TEST(grid.links().size() == 2u * 4 * (ring == 0 ? width - 1 : width) + 2u * width * (wrap ? 4 : 3));
    for (const OutputIndex link : grid.links()) {
        const Port port = link.direction();
        const RouterIndex from = link.router(), to = grid.neighbour(link);
        BOOST_TEST(grid.neighbour(OutputIndex(grid.input_behind(link).number)) == from);
        BOOST_TEST(grid.x(to) == (grid.x(from) + width + (port == Port::kEast) - (port == Port::kWest)) % width);
        BOOST_TEST(grid.y(to) == (grid.y(from) + 4 + (port == Port::kNorth) - (port == Port::kSouth)) % 4);
    }
}

BOOST_AUTO_TEST_CASE(an_output_has_the_name_of_its_router_and_side)
{
    const MeshGrid grid(6, 4);
    BOOST_TEST(grid.output_name({RouterIndex(2), Port::kEast}) == "r2_0.east");
    BOOST_TEST(grid.output_name({RouterIndex(13), Port::kLocal}) == "r1_2.local");
}

BOOST_DATA_TEST_CASE(an_edge_is_the_first_one_not_before_a_time, data::make({800, 700, 533, 1066, 1, 3000}), mhz)
{
    const hw::MeshClock clock(Frequency::hertz(1'000'000LL * mhz));
    Random random(9);
    for (int i = 0; i < 2000; ++i) {
        const Duration time = Duration::picoseconds(static_cast<std::int64_t>(random.below(1'000'000'000'000)));
        const std::int64_t edge = clock.edge_from(time);
        BOOST_TEST(clock.time(edge) >= time);
        if (edge > 0) BOOST_TEST(clock.time(edge - 1) < time);
        BOOST_TEST(clock.edge_from(clock.time(edge)) == edge);
    }
}

BOOST_AUTO_TEST_CASE(a_wheel_finds_the_next_cycle_that_has_something)
{
    for (const std::int64_t reach : {1, 3, 7, 8}) {
        hw::CycleWheel<int> wheel(reach);
        BOOST_TEST(wheel.next(100) == INT64_MAX);
        for (std::int64_t ahead = 1; ahead <= reach; ++ahead) {
            wheel.add(100 + ahead, 5);
            BOOST_TEST(wheel.next(100) == 100 + ahead);
            BOOST_TEST(wheel.at(100 + ahead).size() == 1u);
            wheel.clear(100 + ahead);
        }
        BOOST_TEST(wheel.next(100) == INT64_MAX);
    }
}

BOOST_AUTO_TEST_CASE(more_reserved_channels_than_there_are_is_a_problem_with_a_cure)
{
    for (std::int64_t channels = 1; channels <= hw::MeshParams::kMostChannels; ++channels) {
        for (std::int64_t reserved = 0; reserved <= hw::MeshParams::kMostChannels / 2; ++reserved) {
            hw::MeshParams params;
            params.detail = hw::MeshDetail::kFlit;
            params.virtual_channels = channels;
            params.reserved_channels = reserved;
            BOOST_TEST(params.problem().empty() == (2 * reserved <= channels));
        }
    }
    list_parameters(hw::MeshParams{});  // throws if a default is out of its bounds
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
