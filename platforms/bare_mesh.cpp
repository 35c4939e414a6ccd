// SPDX-License-Identifier: Apache-2.0
#include "platforms/bare_mesh.h"

#include <fmt/format.h>

namespace ringmesh::platforms {

hw::MeshParams peer_mesh()
{
    return {.columns = 8,
            .rows = 8,
            .clock = 1000_MHz,
            .pipeline = 4_cycles,
            .link = 1_cycles,
            .terminal = 2_cycles,
            .virtual_channels = 8,
            .reserved_channels = 0,
            .buffer_flits = 8,
            .injection_slots = 8,
            .detail = hw::MeshDetail::kFlit,
            .routing = "xy",
            .flow = "wormhole",
            .arbitration = "round-robin",
            .switch_hold = "flit",
            .channel_choice = "per-output"};
}

BareMesh::BareMesh(Simulation& simulation, const hw::MeshParams& params)
    : simulation_(simulation), params_(params), mesh_(hw::make_mesh("mesh", simulation, params, {}))
{
    sources_.reserve(nodes());
    for (unsigned node = 0; node < nodes(); ++node) {
        const mesh::Terminal place = mesh::local_port(node, columns());
        const auto name = fmt::format("source{}_{}", place.x, place.y);
        auto& source =
            *sources_.emplace_back(std::make_unique<hw::MeshPacketSource>(name.c_str(), simulation, node, columns()));
        source.port.bind(mesh_->port(place));
    }
}

Duration BareMesh::zero_load_latency(unsigned from, unsigned to, std::uint32_t flits) const
{
    return mesh_->zero_load_latency(mesh::local_port(from, columns()), mesh::local_port(to, columns()), flits);
}

void BareMesh::start_traffic(mesh::TrafficModel& model)
{
    for (auto& source : sources_) source->start(model);
}

}  // namespace ringmesh::platforms
