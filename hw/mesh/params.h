// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "tlm/names.h"
#include "tlm/parameters.h"
#include "tlm/units.h"

namespace ringmesh::hw {

/// How closely the mesh is computed.
enum class MeshDetail : std::uint8_t {
    kFlit,  ///< allocation per flit; routers are evaluated while they hold something
    kPath,  ///< links are reserved along the route at injection; one event per packet
};

/// In which order a packet takes the dimensions.
enum class MeshRouting : std::uint8_t {
    kXy,         ///< first along the row
    kYx,         ///< first along the column
    kWestFirst,  ///< adaptive: west before all else, then where there is most room
};

/// What must be free behind an output before a packet's head may leave by it.
enum class MeshFlow : std::uint8_t {
    kCutThrough,  ///< room for the whole packet, or, if it is longer than the buffer, an empty buffer
    kWormhole,    ///< room for a flit
};

/// Which of several requests an output or a channel serves.
enum class Arbitration : std::uint8_t {
    kRoundRobin,  ///< the next after the one served last
    kOldest,      ///< the packet that has been under way longest
    kFixed,       ///< the lowest number
};

/// For how long a packet keeps the switch.
enum class SwitchHold : std::uint8_t {
    kFlit,    ///< each flit competes anew
    kPacket,  ///< until its last flit has passed
};

/// How the allocator of virtual channels matches packets with free channels of the next router.
enum class ChannelChoice : std::uint8_t {
    kPerInput,   ///< each input channel proposes one free channel
    kPerOutput,  ///< each free channel picks among all that could use it
};

inline constexpr NameTable<MeshDetail, 2> kMeshDetails{{{{"flit", MeshDetail::kFlit}, {"path", MeshDetail::kPath}}}};
inline constexpr NameTable<MeshRouting, 3> kMeshRoutings{
    {{{"xy", MeshRouting::kXy}, {"yx", MeshRouting::kYx}, {"west-first", MeshRouting::kWestFirst}}}};
inline constexpr NameTable<MeshFlow, 2> kMeshFlows{
    {{{"cut-through", MeshFlow::kCutThrough}, {"wormhole", MeshFlow::kWormhole}}}};
inline constexpr NameTable<Arbitration, 3> kArbitrations{
    {{{"round-robin", Arbitration::kRoundRobin}, {"oldest", Arbitration::kOldest}, {"fixed", Arbitration::kFixed}}}};
inline constexpr NameTable<SwitchHold, 2> kSwitchHolds{
    {{{"flit", SwitchHold::kFlit}, {"packet", SwitchHold::kPacket}}}};
inline constexpr NameTable<ChannelChoice, 2> kChannelChoices{
    {{{"per-input", ChannelChoice::kPerInput}, {"per-output", ChannelChoice::kPerOutput}}}};

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
    MeshRouting routing = MeshRouting::kXy;
    MeshFlow flow = MeshFlow::kCutThrough;
    Arbitration arbitration = Arbitration::kRoundRobin;
    SwitchHold switch_hold = SwitchHold::kPacket;
    ChannelChoice channel_choice = ChannelChoice::kPerInput;

    static constexpr std::int64_t kMostChannels = 16;

    void visit(ParameterVisitor& visitor);
    /// What is wrong with these parameters together, as a sentence with its cure; empty if nothing is.
    std::string problem() const;
};

}  // namespace ringmesh::hw
