// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "hw/scc/core/core_port.h"
#include "hw/scc/tile/mesh_outlet.h"
#include "hw/scc/tile/request_slots.h"
#include "hw/scc/tile/shared_port.h"
#include "hw/scc/tile/tile_clocks.h"
#include "hw/scc/tile/tile_params.h"
#include "tlm/component.h"
#include "tlm/mesh/mesh_port.h"
#include "tlm/simulation.h"

namespace ringmesh::hw {

inline constexpr unsigned kCoresOfTile = 2;

/// What serves requests inside a tile: the MPB and the registers.
class TileTarget {
public:
    virtual ~TileTarget() = default;
    /// A request is there from `ready` on; MeshInterface::served() is called when its bytes have been read or written.
    virtual void serve(mesh::Packet& request, Duration ready) = 0;
};

/// MIU: makes packets of what a tile's cores ask for, and brings the requests of others to the MPB and the registers.
///
///     core 0, core 1 --> request --+--> requests --> to_mesh --> responses --> response --> core 0, core 1
///                                  | (bypass)
///                                  +--> TileTarget <-- incoming <-- to_mesh
///                                           +--> outgoing --> responses --> to_mesh
///
/// Timing: `request`, `response`, `incoming` and `outgoing` are cycles of the tile's clock; what comes from the mesh
/// waits for the next edge. Requests and responses have a way out each, which a packet keeps for `flit` cycles a flit;
/// the cores get it in the order in which they ask, so neither starves. With the bypass a request for the own MPB goes
/// straight to it and its answer straight back, at no cost but the port's; without it even these cross the own router.
/// Bounds: a core has at most kMostOutstanding requests without an answer, and `slots` requests from the mesh are held
/// until the mesh has their responses; then it is told kFull. An answer always finds its core waiting, and is taken at
/// once.
class MeshInterface final : public CorePort, public Component {
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
    /// The bytes of a request have just been read or written: its answer goes back.
    void served(mesh::Packet& packet);

    std::string component_name() const override { return name_; }
    void statistics(StatisticsVisitor& visitor) const override;
    std::string pending() const override;
    void trace(sc_core::sc_trace_file* file) const;

private:
    /// In Packet::source, beside the number of the core: this request has not left the tile.
    static constexpr std::uint32_t kBypass = 0x100;

    ::tlm::tlm_sync_enum from_mesh(mesh::Packet& packet, mesh::PortPhase& phase, sc_core::sc_time& delay);
    bool take_request(mesh::Packet& packet, Duration time);
    void take_response(mesh::Packet& packet, Duration time);
    void answer(mesh::Packet& packet, Duration at);

    const std::string name_;
    Simulation& simulation_;
    const Config config_;
    const Duration request_, response_, incoming_, outgoing_, flit_;
    TileTarget& target_;
    std::array<CoreSide*, kCoresOfTile> cores_{};
    std::array<SharedPort, mesh::kClasses> ways_out_;
    MeshOutlet outlet_{to_mesh};
    std::array<std::uint32_t, kCoresOfTile> outstanding_{};  // requests of each core without an answer
    RequestSlots slots_;

    Counter reads_, writes_, bypassed_, served_;
};

}  // namespace ringmesh::hw
