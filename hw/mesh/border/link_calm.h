// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "hw/mesh/border/mesh_clock.h"
#include "hw/mesh/topology/router_index.h"
#include "tlm/simulation/fault.h"

namespace ringmesh::hw {

/// How much may cross each link of a mesh before its faults must be checked, so that a rare fault costs each packet
/// only two subtractions.
class LinkCalm {
public:
    explicit LinkCalm(std::size_t outputs) : left_(outputs), set_(outputs) {}

    /// Whether a flit crosses a link without a fault; if not, its faults have to be asked.
    /// @param packets 1 with a head, else 0 @param symbols flits of its packet, else 0
    bool passes(OutputIndex output, std::int64_t packets, std::int64_t symbols, std::int64_t edge)
    {
        Left& left = left_[output];
        if (edge >= left.before || left.packets < packets || left.symbols < symbols) return false;
        left.packets -= packets;
        left.symbols -= symbols;
        return true;
    }
    /// Tells faults what has crossed since set(). They have to be asked from then on.
    void take(OutputIndex output, BlockFaults* own, BlockFaults* router)
    {
        const std::int64_t packets = set_[output].packets - left_[output].packets;
        const std::int64_t symbols = set_[output].symbols - left_[output].symbols;
        if (own != nullptr) own->pass(packets, symbols);
        if (router != nullptr) router->pass(packets, symbols);
        left_[output] = set_[output] = {-1, -1, 0};
    }
    void set(OutputIndex output, const FaultCalm& calm, const MeshClock& clock)
    {
        const std::int64_t before = calm.until == Duration::never() ? INT64_MAX : clock.edge_from(calm.until);
        left_[output] = set_[output] = {calm.packets, calm.symbols, before};
    }

private:
    struct Left {
        std::int64_t packets = 0;
        std::int64_t symbols = 0;
        std::int64_t before = 0;  // an edge of the clock
    };
    Indexed<OutputIndex, Left> left_, set_;
};

}  // namespace ringmesh::hw
