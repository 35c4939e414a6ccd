// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hw/mesh/policies/ring_classes.h"
#include "hw/mesh/topology/grid.h"
#include "tlm/mesh/packet.h"
#include "tlm/parameters/policy.h"
#include "tlm/simulation/random.h"

/// Routing in the mesh: decisions, without time and kernel.
namespace ringmesh::hw {

/// The allowed outputs of a packet, on minimal routes: the router takes the better one of two, or the only one.
struct MeshWays {
    mesh::Port first = mesh::Port::kLocal;
    mesh::Port other = first;
};

/// The order of the dimensions on a route. A policy must be deadlock-free: no cyclic waits.
struct MeshRoutingPolicy : PolicyName {
    /// At router (x, y), for packets with hops left in both dimensions.
    /// @param in_row the output towards the target along the row @param in_column along the column
    MeshWays (*ways)(std::uint32_t x, std::uint32_t y, mesh::Port in_row, mesh::Port in_column);
    bool adaptive = false;  ///< whether it ever offers two outputs

    static constexpr PolicyKindName kKind{"mesh-routing", "hw/mesh/policies/routings"};
    static std::span<const MeshRoutingPolicy> table();
    template <class Policy>
    static constexpr MeshRoutingPolicy of()
    {
        return {Policy::kPolicy, &Policy::ways, Policy::kAdaptive};
    }
};

using MeshRouting = PolicyChoice<MeshRoutingPolicy>;

/// What decides the routes.
enum class MeshRoutesBy : std::uint8_t {
    kRouting,   ///< the policy, which knows nothing of what is absent
    kShortest,  ///< the fewest links; of as many along the row, and east or north, first
    kUpDown,    ///< up*/down*
    kTable,     ///< a table of the user
};

/// Which of two equal ways around a ring of a torus a packet takes.
enum class EqualWays : std::uint8_t {
    kFixed,  ///< of every second router up, of the others down, so that both directions have the same load
    kDrawn,  ///< by a lot of the packet
};

/// The output of each router by target, for any mesh.
class MeshRouteTable {
public:
    explicit MeshRouteTable(const MeshGrid& grid)
        : routers_(grid.routers()), ports_(std::size_t{routers_} * routers_, mesh::Port::kLocal)
    {}
    static MeshRouteTable shortest(const MeshGrid& grid);
    /// Levels are counted from the first router: on a whole mesh packets go west and south before they go east and
    /// north, on ways that are as short as any.
    static MeshRouteTable up_down(const MeshGrid& grid);

    /// kLocal if there is no route, or the target is here.
    mesh::Port port(RouterIndex router, RouterIndex target) const { return ports_[at(router, target)]; }
    void set_port(RouterIndex router, RouterIndex target, mesh::Port port) { ports_[at(router, target)] = port; }

private:
    std::size_t at(RouterIndex router, RouterIndex target) const
    {
        return std::size_t{router.number} * routers_ + target.number;
    }

    std::uint32_t routers_;
    std::vector<mesh::Port> ports_;
};

/// The routing table: the policy is called once for each router and pair of directions. All routes are minimal, so
/// there is no choice with one dimension left. With a table by target it alone counts.
class MeshRoutes {
public:
    /// @param ring_classes used on the rings of a torus without a table; so are `equal_ways`
    /// @param table null: by the policy
    MeshRoutes(const MeshRoutingPolicy& routing, const MeshGrid& grid, const RingClassPolicy& ring_classes,
               EqualWays equal_ways = EqualWays::kFixed, std::shared_ptr<const MeshRouteTable> table = nullptr);

    /// Lots of a packet, for ways(): bit 0 of the row, bit 1 of the column. A function of its number, so that no other
    /// random number of a run depends on them.
    unsigned lots_of(std::uint64_t packet) const
    {
        return draws_ ? static_cast<unsigned>(Random(packet).next() % kLots) : 0;
    }
    /// At the target router, the port of its terminal.
    /// @param lots of the packet, which count if equal ways are drawn
    MeshWays ways(RouterIndex router, mesh::Terminal to, unsigned lots = 0) const
    {
        // Branches, because they are predicted: no dependency on a table load
        const Place& place = places_[router];
        if (table_ != nullptr) [[unlikely]]
            return by_table(router, to);
        const bool east = MeshGrid::upwards(place.x, to.x, row_ring_, draws_ ? lots % 2 != 0 : place.x % 2 == 0);
        const bool north = MeshGrid::upwards(place.y, to.y, column_ring_, draws_ ? lots / 2 != 0 : place.y % 2 == 0);
        const mesh::Port in_row = east ? mesh::Port::kEast : mesh::Port::kWest;
        const mesh::Port in_column = north ? mesh::Port::kNorth : mesh::Port::kSouth;
        if (to.x == place.x) {
            if (to.y == place.y) return {to.port, to.port};
            return {in_column, in_column};
        }
        if (to.y == place.y) return {in_row, in_row};
        return place.ways[quarter(in_row, in_column)];
    }

    bool has_table() const { return table_ != nullptr; }
    /// Whether packets draw one of two equal ways.
    bool draws() const { return draws_; }
    /// Routers that a packet passes, both ends included. @pre check() found nothing
    std::uint32_t routers_between(mesh::Terminal from, mesh::Terminal to) const;
    /// The routers that it passes, if routing leaves no choice; of equal ways that are drawn, those of no lots.
    /// @pre check() found nothing
    std::vector<RouterIndex> route(mesh::Terminal from, mesh::Terminal to) const;
    /// That every node reaches every other and no channels can wait for each other in a circle.
    /// @param ends routers that have no node, but a terminal at another port
    /// @pre there is a router @throws GraphProblem whose key is in the table `mesh`; empty: what says which routers and
    /// links there are
    void check(std::vector<RouterIndex> ends = {}) const;
    /// How classes of packets use the channels of links.
    struct Classes {
        bool apart = true;      ///< each has channels that the other may not take
        bool answered = false;  ///< a terminal takes a request when it can send the response
    };
    /// What waits for what between all nodes and `ends`. Vertices (link_name()): of each class, of all if they are not
    /// apart, each output, and on a torus each again for packets of the upper class (RingClassPolicy); then the
    /// terminals of each router.
    /// @throws GraphProblem if packets do not come to their target, or it is a torus of more than 1024 routers
    WaitGraph waits(std::vector<RouterIndex> ends, Classes classes) const;
    /// "r0_0.east", "r0_0.east (responses, upper class)", "r0_0 (terminal)"
    std::string link_name(unsigned vertex, Classes classes) const;

private:
    struct Place {
        std::uint16_t x = 0;
        std::uint16_t y = 0;
        std::array<MeshWays, 4> ways;  // by quarter
    };

    static std::size_t quarter(mesh::Port in_row, mesh::Port in_column)
    {
        return 2 * std::size_t{in_row == mesh::Port::kWest} + std::size_t{in_column == mesh::Port::kSouth};
    }

    [[gnu::noinline]] MeshWays by_table(RouterIndex router, mesh::Terminal to) const;
    void require_link(RouterIndex router, RouterIndex target, mesh::Port port) const;
    /// What the packets of one class to one target use: links that follow each other, the first ones and the last ones.
    struct Uses {
        std::vector<std::pair<unsigned, unsigned>> next;
        std::vector<unsigned> first;
        std::vector<unsigned> last;
    };
    std::vector<RouterIndex> with_nodes(std::vector<RouterIndex> ends) const;
    /// @param sources routers at which packets start
    Uses uses(const std::vector<RouterIndex>& sources, RouterIndex target) const;
    void follow_table(const std::vector<RouterIndex>& sources, RouterIndex target, Uses& uses) const;
    void follow_policy(const std::vector<RouterIndex>& sources, RouterIndex target, Uses& uses) const;
    /// @param lot for the ring classes @param lots for equal ways
    void follow_rings(RouterIndex source, RouterIndex target, bool lot, unsigned lots, Uses& uses) const;
    unsigned different_lots() const { return draws_ ? kLots : 1; }
    unsigned vertices_of_class() const { return static_cast<unsigned>(2 * grid_.outputs()); }

    static constexpr unsigned kLots = 4;

    Indexed<RouterIndex, Place> places_;
    bool draws_;  // equal ways
    std::uint32_t row_ring_;
    std::uint32_t column_ring_;
    std::shared_ptr<const MeshRouteTable> table_;
    RingClassPolicy ring_classes_;
    MeshGrid grid_;
};

}  // namespace ringmesh::hw
