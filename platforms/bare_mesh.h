// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "hw/mesh/mesh.h"
#include "hw/mesh/packet_source.h"
#include "hw/mesh/params.h"
#include "platforms/configuration.h"
#include "tlm/mesh/mesh_machine.h"

namespace ringmesh::platforms {

/// The mesh of a platform of the kind "mesh", such as mesh-8x8. @throws UserError if the configuration is wrong
hw::MeshParams mesh_of(const Configuration& configuration);

/// A mesh of routers with nothing but a packet source at each local port; the outer ports end in stubs. What a chip's
/// mesh does under a load of its own, and how meshes behave in general.
class BareMesh final : public MeshMachine {
public:
    BareMesh(Simulation& simulation, const hw::MeshParams& params);

    Simulation& simulation() override { return simulation_; }
    unsigned nodes() const override { return columns() * rows(); }
    unsigned columns() const override { return static_cast<unsigned>(params_.columns); }
    unsigned rows() const override { return static_cast<unsigned>(params_.rows); }
    Clock clock() const override { return Clock(params_.clock); }
    Duration zero_load_latency(unsigned from, unsigned to, std::uint32_t flits) const override;
    std::string_view detail() const override { return mesh_->detail(); }
    std::uint64_t flit_hops() const override { return mesh_->flit_hops(); }
    std::vector<std::uint64_t> link_flits() const override { return mesh_->link_flits(); }
    std::string link_name(std::size_t i) const override { return mesh_->link_name(i); }
    void start_traffic(mesh::TrafficModel& model) override;

private:
    Simulation& simulation_;
    const hw::MeshParams params_;
    std::unique_ptr<hw::Mesh> mesh_;
    std::vector<std::unique_ptr<hw::MeshPacketSource>> sources_;
};

}  // namespace ringmesh::platforms
