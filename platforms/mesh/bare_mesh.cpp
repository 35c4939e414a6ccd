// SPDX-License-Identifier: Apache-2.0
#include "platforms/mesh/bare_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "hw/mesh/border/mesh_clock.h"
#include "tlm/error.h"
#include "tlm/time/kernel_time.h"
#include "tlm/units/quantity.h"

namespace ringmesh::platforms {
namespace {

using Kinds = std::array<std::uint8_t, 2>;
constexpr auto kRequest = static_cast<std::uint8_t>(mesh::Class::kRequest);
constexpr auto kResponse = static_cast<std::uint8_t>(mesh::Class::kResponse);
constexpr NameTable<Kinds, 3> kKinds{
    {{{"request", {kRequest, kRequest}}, {"response", {kResponse, kResponse}}, {"mixed", {kRequest, kResponse}}}}};

constexpr Cycles kUsualDuration = 20'000_cycles;
constexpr std::int64_t kUsualFlits = 1;

std::vector<mesh::Terminal> places_of(const hw::MeshGrid& grid)
{
    std::vector<mesh::Terminal> places;
    for (const hw::RouterIndex router : grid.nodes()) places.push_back(grid.local_port(router));
    return places;
}

/// Routers along the row and the column of the longest way; of a graph as of a mesh with as long ways.
std::uint32_t extent(const hw::MeshGrid& grid)
{
    if (!grid.is_graph()) return grid.columns() + grid.rows();
    std::uint32_t longest = 0;
    const hw::RouteGraph graph = grid.graph();
    for (const hw::RouterIndex router : grid.nodes()) {
        const auto far = graph.distances(router.number);
        longest = std::max(longest, *std::max_element(far.begin(), far.end()));
    }
    return longest + 2;
}

}  // namespace

std::string mesh_source_name(const hw::MeshGrid& grid, hw::RouterIndex router)
{
    return "source" + grid.router_name(router).substr(1);
}

BareMesh::BareMesh(Simulation& simulation, const hw::MeshParams& params)
    : simulation_(simulation),
      params_(params),
      grid_(params.grid()),
      uniform_(params.times_on(grid_).uniform),
      places_(places_of(grid_)),
      own_(hw::make_mesh("mesh", simulation, params, {})),
      mesh_(own_.get())
{
    add_sources(
        [this](hw::MeshPacketSource& source, const mesh::Terminal& place) { source.port.bind(mesh_->port(place)); });
}

BareMesh::BareMesh(Simulation& simulation, const hw::MeshParams& params, hw::Mesh& chips, const Attach& attach)
    : simulation_(simulation),
      params_(params),
      grid_(params.grid()),
      uniform_(params.times_on(grid_).uniform),
      places_(places_of(grid_)),
      mesh_(&chips)
{
    add_sources(attach);
}

void BareMesh::add_sources(const Attach& attach)
{
    sources_.reserve(nodes());
    for (unsigned node = 0; node < nodes(); ++node) {
        const mesh::Terminal place = places_[node];
        const std::string name = mesh_source_name(grid_, grid_.router(place));
        attach(*sources_.emplace_back(std::make_unique<hw::MeshPacketSource>(name.c_str(), simulation_, node, places_)),
               place);
    }
}

UsualTraffic BareMesh::usual_traffic()
{
    UsualTraffic usual{.packet = {}, .load = 0.1, .arrivals = Arrivals::kBernoulli, .duration = {}};
    usual.packet.flits = std::to_string(kUsualFlits);
    usual.packet.kind = "request";
    usual.duration = to_string(kUsualDuration);
    return usual;
}

NetworkMachine::Defaults BareMesh::traffic_defaults(const PacketForm&) const
{
    const UsualTraffic usual = usual_traffic();
    return {
        .load = usual.load, .arrivals = usual.arrivals, .duration = kUsualDuration * clock(), .random = "mesh-traffic"};
}

PacketForm BareMesh::packets(PacketOptions& options) const
{
    options.require_only({"flits", "kind"});
    const auto flits = number_of("flits", options.flits, kUsualFlits, 1, mesh::kMostFlits);
    if (options.kind == PacketOptions::kAuto) options.kind = usual_traffic().packet.kind;
    return {.size = static_cast<std::uint32_t>(flits),
            .kinds = value_of("kind", options.kind, kKinds),
            .bytes = static_cast<double>(flits) * static_cast<double>(mesh::kFlitBytes),
            .answered = false};
}

NetworkMachine::Traced BareMesh::traced(const Injection& packet) const
{
    return {.size = packet.size, .kind = mesh::class_of(packet) == mesh::Class::kRequest ? "request" : "response"};
}

/// Bytes lie in flits behind a head.
PacketOptions BareMesh::options_for(std::int64_t size, std::string_view unit, const std::string& kind) const
{
    constexpr auto kBytes = static_cast<std::int64_t>(mesh::kFlitBytes);
    const std::int64_t flits = unit == "flits" ? size : 1 + (size + kBytes - 1) / kBytes;
    if (flits < 1 || flits > mesh::kMostFlits) {
        throw UserError(fmt::format("{} = {}: a packet of this mesh has 1 to {} flits, {} bytes behind a head at most",
                                    unit, size, mesh::kMostFlits, (mesh::kMostFlits - 1) * kBytes));
    }
    if (!kind.empty() && kind != "request" && kind != "response") {
        throw UserError(fmt::format("class = {}: packets of a mesh are request or response; empty: request", kind));
    }
    PacketOptions options;
    options.flits = std::to_string(flits);
    options.kind = kind.empty() ? "request" : kind;
    return options;
}

std::unique_ptr<ExpectedLoad> BareMesh::expected_load(const PacketForm& packets) const
{
    // Several times the latency of a packet across the mesh
    const Cycles warm_up(2'000 + 100 * std::int64_t{extent(grid_)});
    return std::make_unique<InjectedLoad>(nodes(), packets.mean_size(), warm_up, clock(), "local port");
}

Layout BareMesh::layout() const
{
    if (!grid_.is_graph() && nodes() == grid_.routers()) {
        return mesh_layout(grid_.columns(), grid_.rows(), params_.wrap);
    }
    return {.nodes = nodes(), .shape = std::nullopt, .lines = Lines::kOpen, .routers = true};
}

unsigned BareMesh::hops(unsigned from, unsigned to) const
{
    return mesh_->routers_between(places_.at(from), places_.at(to)) - 1;
}

std::optional<Duration> BareMesh::unloaded_latency(unsigned hops, const PacketForm& packets) const
{
    if (!uniform_) return std::nullopt;
    return mesh_->latency_through(hops + 1, packets.size);
}

std::vector<SharedResources> BareMesh::shared() const
{
    SharedResources links{.sort = "link", .busy = {}};
    const Clock cycle = clock();
    const hw::MeshClock edges(params_.clock);
    const Duration until = edges.time(edges.edge_from(now()));
    for (const std::uint64_t flits : mesh_->link_flits()) {
        links.busy.push_back({.busy = Cycles(static_cast<std::int64_t>(flits)) * cycle, .until = until});
    }
    return {links};
}

std::vector<std::string> BareMesh::traffic_notes() const
{
    return {detail() == "path" ? "detail path: each packet reserves the links of its way when it enters; no virtual "
                                 "channels, so high loads are less exact"
                               : "detail flit: routers allocate channels and switches flit by flit",
            "MB/s count 16 bytes a flit, heads included; link crossings: of flits, between routers"};
}

void BareMesh::start_sources(TrafficModel& model, const PacketForm&)
{
    const Division* const division = simulation_.division();
    for (unsigned node = 0; node < nodes(); ++node) {
        if (division == nullptr || division->owns(grid_.router(places_[node]).number)) sources_[node]->start(model);
    }
}

}  // namespace ringmesh::platforms
