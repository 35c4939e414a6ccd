// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hw/mesh/mesh.h"
#include "hw/mesh/packet_source.h"
#include "hw/mesh/params.h"
#include "platforms/configuration.h"
#include "tlm/machine/traffic_machine.h"

/// Meshes of routers with a packet source at each router, in place of tiles.
namespace ringmesh::platforms {

/// The name of the source at a router's local port: "source2_0", in a graph "source2".
std::string mesh_source_name(const hw::MeshGrid& grid, hw::RouterIndex router);

/// The mesh of a platform of the kind "mesh", such as mesh-8x8. @throws UserError if the configuration is wrong
hw::MeshParams mesh_of(const Configuration& configuration);

/// A mesh of routers with a packet source at each local port. Alone, its outer ports end in stubs: for load tests of a
/// chip's mesh, and of meshes in general. Or the sources share the mesh of a chip with its tiles.
class BareMesh final : public TrafficMachine {
public:
    BareMesh(Simulation& simulation, const hw::MeshParams& params);
    /// @param chips its mesh, which outlives this @param attach binds the port of a source to its terminal there
    using Attach = std::function<void(hw::MeshPacketSource& source, const mesh::Terminal& place)>;
    BareMesh(Simulation& simulation, const hw::MeshParams& params, hw::Mesh& chips, const Attach& attach);

    Simulation& simulation() override { return simulation_; }
    /// Routers that are there.
    unsigned nodes() const override { return static_cast<unsigned>(places_.size()); }
    /// The level of detail of the routers: "flit" or "path".
    std::string_view detail() const { return mesh_->detail(); }

    /// Without coordinates if routers are absent, or of a graph.
    Layout layout() const override;
    /// Of the routers.
    Clock clock() const override { return Clock(params_.clock); }
    static UsualTraffic usual_traffic();
    Defaults traffic_defaults(const PacketForm& packets) const override;
    std::string_view load_unit() const override { return "flits/cycle"; }
    std::string_view load_meaning() const override { return "flits per sending node and cycle"; }
    bool sends_to_itself() const override { return true; }
    PacketForm packets(PacketOptions& options) const override;
    std::string_view size_unit() const override { return "flits"; }
    Traced traced(const Injection& packet) const override;
    PacketOptions options_for(std::int64_t size, std::string_view unit, const std::string& kind) const override;
    std::unique_ptr<ExpectedLoad> expected_load(const PacketForm& packets) const override;
    unsigned hops(unsigned from, unsigned to) const override;
    std::optional<Duration> unloaded_latency(unsigned hops, const PacketForm& packets) const override;
    /// Links between two routers.
    std::vector<SharedResources> shared() const override;
    std::string shared_name(std::size_t /*sort*/, std::size_t i) const override { return mesh_->link_name(i); }
    /// Of flits.
    std::uint64_t link_crossings() const override { return mesh_->flit_hops(); }
    std::vector<std::string> traffic_notes() const override;
    void resume_traffic(unsigned source, std::uint8_t stream) override { sources_.at(source)->resume(stream); }

private:
    void start_sources(TrafficModel& model, const PacketForm& packets) override;
    void add_sources(const Attach& attach);

    Simulation& simulation_;
    const hw::MeshParams params_;
    const hw::MeshGrid grid_;
    const bool uniform_;                        // all routers and links are alike
    const std::vector<mesh::Terminal> places_;  // of nodes
    const std::unique_ptr<hw::Mesh> own_;       // null: it is a chip's
    hw::Mesh* const mesh_;
    std::vector<std::unique_ptr<hw::MeshPacketSource>> sources_;
};

}  // namespace ringmesh::platforms
