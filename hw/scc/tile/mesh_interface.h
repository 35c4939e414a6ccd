// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "hw/scc/core/core_port.h"
#include "hw/scc/tile/mesh_outlet.h"
#include "hw/scc/tile/registers/tile_clocks.h"
#include "hw/scc/tile/shared_port.h"
#include "hw/scc/tile/tile_params.h"
#include "tlm/mesh/look_ahead.h"
#include "tlm/mesh/mesh_port.h"
#include "tlm/simulation/simulation.h"
#include "tlm/statistics/component.h"

namespace ringmesh::hw {

inline constexpr unsigned kCoresOfTile = 2;

/// Serves requests inside a tile: the MPB and the registers.
class TileTarget {
public:
    virtual ~TileTarget() = default;
    /// Serves a request from `ready` on, and calls MeshInterface::served() when its bytes have been read or written.
    virtual void serve(mesh::Packet& request, Duration ready) = 0;
    /// It will serve one from `ready` on, and calls MeshInterface::collect() before the end of that.
    virtual void expects(Duration ready) = 0;
};

/// MIU: turns the requests of a tile's cores into packets, and delivers requests from the mesh to the MPB and
/// registers.
///
///     core 0, core 1 --> request --+--> requests --> to_mesh --> responses --> response --> core 0, core 1
///                                  | (bypass)
///                                  +--> TileTarget <-- incoming <-- to_mesh
///                                           +--> outgoing --> responses --> to_mesh
///
/// Timing: `request`, `response`, `incoming` and `outgoing` are cycles of the tile's clock; arrivals from the mesh wait
/// for the next edge. Requests and responses have one output each, which a packet occupies for `flit` cycles a flit;
/// the cores are served FCFS, so neither starves. With the bypass a request for the own MPB and its response skip the
/// mesh, at no cost but the port's; without it even these cross the own router. Bounds: a core has at most
/// kMostOutstanding outstanding requests, and `slots` requests from the mesh are held until the mesh has accepted their
/// responses; beyond that they are refused with kFull. A response always finds its core waiting, and is accepted at
/// once.
class MeshInterface final : public CorePort, public Component, public mesh::Collector {
public:
    static constexpr unsigned kMostOutstanding = 4;

    mesh::TerminalSocket<MeshInterface> to_mesh{"to_mesh"};

    struct Config {
        mesh::Terminal here;
        TileClock clock{2};
        MeshInterfaceParams miu;
        bool bypass = false;  ///< to the own MPB
    };

    /// @param component_name "tile3.miu"
    MeshInterface(std::string component_name, Simulation& simulation, const Config& config, TileTarget& target);

    void connect(unsigned core, CoreSide& side) { cores_.at(core) = &side; }
    void request(unsigned core, ::tlm::tlm_generic_payload& transaction, Duration leaves) override;
    /// Has the requests served that have come by now. @return from when the next one will be served; never(): none is
    /// known
    Duration collect();
    /// The bytes of a request have just been read or written: sends its response.
    void served(mesh::Packet& packet);

    void take_early(mesh::Packet& response, Duration at) override { take_response(response, at); }
    bool expects(const mesh::Packet& request, Duration at, std::size_t coming) override;
    void take_collected(mesh::Packet& request, Duration at) override { take_request(request, at); }

    std::string component_name() const override { return name_; }
    void statistics(StatisticsVisitor& visitor) const override;
    void places(PlaceVisitor& visitor) const override;
    std::string pending() const override;
    void trace(sc_core::sc_trace_file* file) const;

private:
    /// Flag in Packet::source, beside the number of the core: the request uses the bypass.
    static constexpr std::uint32_t kBypass = 0x100;

    ::tlm::tlm_sync_enum from_mesh(mesh::Packet& packet, mesh::PortPhase& phase, sc_core::sc_time& delay);
    void wait_for_way(const mesh::Packet& packet, Duration from, Duration to);
    bool take_request(mesh::Packet& packet, Duration time);
    void take_response(mesh::Packet& packet, Duration time);
    void answer(mesh::Packet& packet, Duration at);

    const std::string name_;
    Simulation& simulation_;
    PacketNumbers ids_{simulation_.packet_numbers()};
    mesh::PacketPool& packets_;
    const Config config_;
    const Duration request_, response_, incoming_, outgoing_, flit_;
    TileTarget& target_;
    std::array<CoreSide*, kCoresOfTile> cores_{};
    std::array<SharedPort, mesh::kClasses> ways_out_;
    std::array<std::uint64_t, mesh::kClasses> sent_before_{};  // the last packet of each way
    MeshOutlet outlet_{to_mesh, *this};
    std::array<Level, kCoresOfTile> outstanding_;  // requests of each core
    RequestSlots slots_;

    Counter reads_, writes_, bypassed_, served_;
};

}  // namespace ringmesh::hw
