// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <systemc>

#include "hw/scc/tile/mesh_interface.h"
#include "hw/scc/tile/message_buffer.h"
#include "hw/scc/tile/registers/configuration_registers.h"
#include "hw/scc/tile/shared_port.h"
#include "hw/scc/tile/tile_faults.h"
#include "tlm/pools/ring_buffer.h"
#include "tlm/statistics/activity.h"
#include "tlm/time/wakeup.h"

namespace ringmesh::hw {

/// A tile of the SCC without its two cores, which are attached to miu().
///
///     cores <--> MIU <--> mesh
///                 |
///                 +--> MPB port --> 16 KB
///                 +--> registers' port --> test-and-set bits, tile id, clock
///
/// Timing: an access occupies the MPB's single port, shared by both cores and the mesh, for `mpb.access` cycles of the
/// tile's clock, the registers' port for `registers.access`; FCFS. The bytes are read or written at the end of that
/// time, and then their watchers are called. One wake-up per access.
class Tile final : public sc_core::sc_module, public Component, private TileTarget {
public:
    struct Config {
        mesh::Terminal here;
        std::int64_t divider = 3;  ///< of 1600 MHz
        TileParams params;
    };

    /// @param name "tile3"
    Tile(const sc_core::sc_module_name& name, Simulation& simulation, const Config& config);

    MeshInterface& miu() { return miu_; }
    mesh::TerminalSocket<MeshInterface>& to_mesh() { return miu_.to_mesh; }
    MessageBuffer& message_buffer() { return mpb_; }
    ConfigurationRegisters& registers() { return registers_; }
    const TileClock& clock() const { return clock_; }

    void trace(sc_core::sc_trace_file* file) const override;
    std::string component_name() const override { return name(); }
    void statistics(StatisticsVisitor& visitor) const override;
    void places(PlaceVisitor& visitor) const override;
    std::string pending() const override;

private:
    struct Access {
        mesh::Packet* packet = nullptr;
        Duration end;
    };
    /// The MPB or the registers: a port, and its scheduled accesses.
    struct Unit {
        std::string_view what;
        Duration time;  // of an access
        Wakeup wakeup;
        SharedPort port{};
        RingBuffer<Access> accesses{};
        Activity activity{};
        std::uint64_t last = 0;  // the packet served last
    };

    void serve(mesh::Packet& request, Duration ready) override;
    void expects(Duration ready) override { mpb_unit_.wakeup.at(ready + shortest_); }
    void check(const mesh::Packet& request) const;
    void finish_buffers();
    void finish_registers();
    void finish(Unit& unit, Duration time);

    Simulation& simulation_;
    const mesh::Terminal here_;
    const TileClock clock_;
    MessageBuffer mpb_;
    ConfigurationRegisters registers_;
    Unit mpb_unit_, register_unit_;
    const std::unique_ptr<TileFaults> faults_;  // null if there are none
    const Duration shortest_;                   // access of either
    MeshInterface miu_;
};

}  // namespace ringmesh::hw
