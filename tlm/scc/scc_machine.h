// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "tlm/machine/machine.h"
#include "tlm/scc/scc_processor.h"

namespace ringmesh {

/// The SCC chip, or one like it, as workloads see it: nodes are its cores.
class SccMachine : public ProcessorMachine {
public:
    static constexpr std::string_view kIs = "the cores of an SCC";

    SccProcessor& processor(unsigned core) override = 0;
    /// Links between the tiles of two cores: 0 on one tile. @pre both exist
    virtual unsigned hops(unsigned from, unsigned to) const = 0;
    /// The memory controller of a core's private memory.
    virtual unsigned memory_controller(unsigned core) const = 0;
    virtual unsigned memory_controllers() const = 0;
    /// Links between a core's tile and the tile of a memory controller. @pre both exist
    virtual unsigned hops_to_memory(unsigned core, unsigned controller) const = 0;
    /// To that of its private memory.
    unsigned hops_to_memory(unsigned core) const { return hops_to_memory(core, memory_controller(core)); }
    /// "flit" or "path".
    virtual std::string_view mesh_detail() const = 0;
};

}  // namespace ringmesh
