// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "hw/mesh/border/terminal_fork.h"
#include "hw/mesh/mesh.h"
#include "hw/mesh/params.h"
#include "hw/scc/chip_bytes.h"
#include "hw/scc/core/core_params.h"
#include "hw/scc/core/scc_core.h"
#include "hw/scc/memory/memory_controller.h"
#include "hw/scc/memory/memory_params.h"
#include "hw/scc/system_interface.h"
#include "hw/scc/tile/registers/look_up_table.h"
#include "hw/scc/tile/registers/tile_clocks.h"
#include "hw/scc/tile/tile.h"
#include "hw/scc/tile/tile_params.h"
#include "platforms/mesh/bare_mesh.h"
#include "platforms/scc/layout.h"
#include "tlm/parameters/parameters.h"
#include "tlm/scc/scc_machine.h"
#include "tlm/simulation/fault.h"

namespace ringmesh::platforms {

/// All parameters of an SCC chip.
struct SccParams {
    hw::SccClockParams clock;
    hw::MeshParams mesh;
    SccPlaces layout;
    hw::CoreParams core;
    hw::TileParams tile;
    hw::MemoryParams memory;
    FaultTable faults;
    bool sources = false;  ///< no parameter: packet sources beside the tiles, for background traffic

    void visit(ParameterVisitor& visitor);
};

/// An SCC chip with its memory: tiles of two cores on a mesh, memory controllers and the system interface at its edge.
/// Each core has private memory behind its controller; the rest of the controllers' memory is shared.
class SccChip final : public SccMachine {
public:
    SccChip(Simulation& simulation, const SccParams& params);

    Simulation& simulation() override { return simulation_; }
    unsigned nodes() const override { return layout_.cores(); }
    /// Cores of a tile, columns, rows.
    std::optional<TorusShape> shape() const override { return layout_.shape(); }
    SccProcessor& processor(unsigned core) override;
    unsigned hops(unsigned from, unsigned to) const override { return layout_.hops(from, to); }
    unsigned memory_controller(unsigned core) const override { return layout_.controller_of(core); }
    unsigned memory_controllers() const override { return layout_.controllers(); }
    using SccMachine::hops_to_memory;
    unsigned hops_to_memory(unsigned core, unsigned controller) const override
    {
        return layout_.hops_to_memory(core, controller);
    }
    std::string_view mesh_detail() const override { return mesh_->detail(); }
    TrafficMachine* sources() override { return sources_.get(); }

    /// Access to the hardware, for tests and studies.
    hw::Mesh& mesh() { return *mesh_; }
    hw::Tile& tile(unsigned number) { return *tiles_.at(number); }
    hw::SccCore& core(unsigned number) { return *cores_.at(number); }
    hw::MemoryController& controller(unsigned number) { return *controllers_.at(number); }

private:
    void add_tiles(const SccParams& params);
    void add_controllers(const SccParams& params);
    void add_cores(const SccParams& params);
    std::vector<hw::SharedMemory> shared_memory(const SccParams& params) const;

    Simulation& simulation_;
    const SccLayout layout_;
    std::unique_ptr<hw::Mesh> mesh_;
    hw::ChipByteTable bytes_;
    std::vector<std::unique_ptr<hw::Tile>> tiles_;
    std::vector<std::unique_ptr<hw::MemoryController>> controllers_;
    std::unique_ptr<hw::SystemInterface> system_interface_;
    std::vector<hw::LookUpTable> tables_;  // of each core; never moved
    std::vector<std::unique_ptr<hw::SccCore>> cores_;
    std::map<mesh::Terminal, hw::TerminalFork> forks_;  // of the tiles; none without sources
    std::unique_ptr<BareMesh> sources_;
};

}  // namespace ringmesh::platforms
