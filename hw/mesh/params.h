// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "hw/mesh/arbitration.h"
#include "hw/mesh/flow.h"
#include "hw/mesh/routing.h"
#include "tlm/names.h"
#include "tlm/parameters.h"
#include "tlm/units.h"

namespace ringmesh::hw {

/// The level of detail of the mesh.
enum class MeshDetail : std::uint8_t {
    kFlit,  ///< allocation per flit; routers are evaluated while they hold something
    kPath,  ///< links are reserved along the route at injection; one event per packet
};

inline constexpr NameTable<MeshDetail, 2> kMeshDetails{{{{"flit", MeshDetail::kFlit}, {"path", MeshDetail::kPath}}}};

struct MeshParams {
    std::int64_t columns = 6;
    std::int64_t rows = 4;
    Frequency clock = 800_MHz;
    Cycles pipeline = 3_cycles;  ///< stages of a router
    Cycles link = 1_cycles;      ///< from a router's output to the next one's input
    Cycles terminal = 0_cycles;  ///< from a terminal into its router; the way out is a link
    std::int64_t virtual_channels = 8;
    std::int64_t reserved_channels = 1;  ///< of each class; all others may carry either
    std::int64_t buffer_flits = 4;       ///< of each virtual channel at each input
    std::int64_t injection_slots = 8;    ///< packets of each class that wait at each terminal for the first router
    MeshDetail detail = MeshDetail::kPath;
    MeshRouting routing = "xy";
    MeshFlow flow = "cut-through";
    Arbitration arbitration = "round-robin";
    SwitchHold switch_hold = "packet";
    ChannelChoice channel_choice = "per-input";

    static constexpr std::int64_t kMostChannels = 16;

    void visit(ParameterVisitor& visitor);
    /// The problem with the combination of parameters, as a sentence with its cure; empty if none.
    std::string problem() const;
};

}  // namespace ringmesh::hw
