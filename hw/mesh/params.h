// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hw/mesh/policies/arbitration.h"
#include "hw/mesh/policies/flow.h"
#include "hw/mesh/policies/ring_classes.h"
#include "hw/mesh/policies/routing.h"
#include "hw/mesh/topology/grid.h"
#include "tlm/parameters/named_values.h"
#include "tlm/parameters/names.h"
#include "tlm/parameters/parameters.h"
#include "tlm/units/units.h"

/// Parameters of a mesh of routers.
namespace ringmesh::hw {

/// The level of detail of the mesh.
enum class MeshDetail : std::uint8_t {
    kFlit,  ///< allocation per flit; routers are evaluated while they hold something
    kPath,  ///< links are reserved along the route at injection; one event per packet
};

/// The output that a text such as "r1_1.east" names, a local one included. @throws GraphProblem with this key
OutputIndex output_named(const MeshGrid& grid, std::string_view text, const std::string& key);

inline constexpr NameTable<MeshDetail, 2> kMeshDetails{{{{"flit", MeshDetail::kFlit}, {"path", MeshDetail::kPath}}}};

/// What the routers and links are.
enum class MeshShape : std::uint8_t {
    kGrid,   ///< rows and columns, of which parts may be absent
    kGraph,  ///< as the tables `nodes` and `links` say
};

/// What heads and flits take, router by router and link by link.
struct MeshTimes {
    bool uniform = true;                          ///< all routers and links are alike
    Indexed<RouterIndex, std::int64_t> pipeline;  ///< stages that a lone head takes
    Indexed<OutputIndex, std::int64_t> link;      ///< cycles to the input behind it
    Indexed<RouterIndex, std::uint32_t> buffer;   ///< flits of a virtual channel
};

/// What links do about faults. Nothing says what those of the SCC do: assumed.
struct MeshRecoveryParams {
    Cycles retry = 8_cycles;  ///< from a flit that arrives corrupted until it is sent again
    std::int64_t tries = 16;  ///< of a flit; then its link is down for ever

    void visit(ParameterVisitor& visitor);
};

struct MeshParams {
    MeshShape shape = MeshShape::kGrid;
    std::int64_t columns = 6;
    std::int64_t rows = 4;
    bool wrap = false;  ///< a torus: the last router of a row or column is the neighbour of the first
    Frequency clock = 800_MHz;
    Cycles pipeline = 3_cycles;  ///< stages of a router
    Cycles link = 1_cycles;      ///< from a router's output to the next one's input
    Cycles terminal = 0_cycles;  ///< from a terminal into its router; the way out is a link
    std::int64_t virtual_channels = 8;
    std::int64_t reserved_channels = 1;  ///< of each class; all others may carry either
    std::int64_t buffer_flits = 4;       ///< of each virtual channel at each input
    std::int64_t injection_slots = 8;    ///< packets of each class that wait at each terminal for the first router
    bool speculation = false;            ///< a head asks for the switch in the cycle in which it asks for a channel
    MeshDetail detail = MeshDetail::kPath;
    MeshRouting routing = "xy";
    MeshRoutesBy routes_by = MeshRoutesBy::kRouting;
    NamedValues<std::string> routes = {};    ///< "r0_0.1..5" and "east", for MeshRoutesBy::kTable
    std::string holes = {};                  ///< routers that are absent: "r2_3 r4_0"
    std::string cut_links = {};              ///< by an output: "r1_1.east r0_2.north"
    NamedValues<std::string> nodes = {};     ///< of a graph: "0..3" and "terminal" or "router"
    NamedValues<std::string> links = {};     ///< of a graph: any name, and its two ends "r0.east r1.west"
    NamedValues<Cycles> pipelines = {};      ///< of routers that differ: "r2_0", or "3..5" by number
    NamedValues<std::int64_t> buffers = {};  ///< the same of buffer_flits
    NamedValues<Cycles> link_cycles = {};    ///< of links that differ, both ways, by an output: "r1_1.east"
    MeshFlow flow = "cut-through";
    Arbitration arbitration = "round-robin";
    SwitchHold switch_hold = "packet";
    ChannelChoice channel_choice = "per-input";
    RingClasses ring_classes = "balanced";
    EqualWays equal_ways = EqualWays::kFixed;
    MeshRecoveryParams recovery = {};  ///< not visited with the others: it counts only if the run has faults

    static constexpr std::int64_t kMostChannels = 16;
    static constexpr std::uint32_t kMostRouters = 4096;  ///< of a graph: its routes are a table
    /// A router of fewer stages gives out channel and switch in one cycle, one after the other.
    static constexpr Cycles kFewestToSpeculate = 3_cycles;

    /// @param bare whether nothing but packet sources is attached, so that it may be a torus
    void visit(ParameterVisitor& visitor, bool bare = false);
    /// Stages that a lone head takes.
    Cycles head_pipeline() const { return speculates() ? Cycles(pipeline.count() - 1) : pipeline; }
    bool speculates() const { return speculation && detail == MeshDetail::kFlit && pipeline >= kFewestToSpeculate; }
    /// The problem with the combination of parameters, as a sentence with its cure; empty if none.
    std::string problem() const;
    bool is_graph() const { return shape == MeshShape::kGraph; }
    /// @throws GraphProblem if `holes`, `cut_links`, `nodes` or `links` name what is not there
    MeshGrid grid() const;
    /// @throws GraphProblem if `pipelines`, `buffers` or `link_cycles` name what is not there
    MeshTimes times_on(const MeshGrid& grid) const;
    /// @throws GraphProblem if `routes` is no table
    MeshRoutes routes_on(const MeshGrid& grid) const;
    /// If it is no whole mesh, or routes are by a table: that every node reaches every other, and without deadlock.
    /// @param ends terminals at other ports than local ones @throws GraphProblem with a key in the table `mesh`; empty:
    /// what says which routers and links there are
    void check_routes(const std::vector<mesh::Terminal>& ends = {}) const;

private:
    MeshGrid grid_with_gaps() const;
    MeshGrid read_graph() const;
    /// @throws GraphProblem if links do not lead from each router to each other
    void require_joined(const MeshGrid& grid) const;
    MeshRouteTable read_routes(const MeshGrid& grid) const;
};

}  // namespace ringmesh::hw
