// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "hw/mesh/allocation.h"
#include "hw/mesh/params.h"
#include "tlm/mesh/packet.h"

/// The state of the routers of a FlitFabric.
namespace ringmesh::hw {

inline constexpr std::uint32_t kStride = 16;  ///< virtual channels of each port, used or not
static_assert(kStride >= MeshParams::kMostChannels);

using ChannelMask = std::uint16_t;  ///< a bit for each virtual channel of a port

/// A virtual channel of an input with its buffer. Its packets are in FlitFabric::packets_, a ring buffer.
struct InputChannel {
    std::uint16_t fill = 0;           ///< flits
    std::uint16_t left = 0;           ///< flits of the front packet before the switch
    std::uint16_t first = 0;          ///< index of the front packet in the ring
    std::uint16_t packets = 0;        ///< with a flit here, or one passed and more to arrive
    std::uint8_t output = kNothing;   ///< of the front packet
    std::uint8_t other = kNothing;    ///< an alternative output
    std::uint8_t channel = kNothing;  ///< of the output; kNothing: the front packet waits for one
    std::uint8_t turn_output = 0;     ///< output and channel after the last granted one
    std::uint8_t turn_channel = 0;
    bool head = false;  ///< the next flit is a head
};

struct RouterState {
    using Masks = std::array<std::array<ChannelMask, mesh::kPorts>, mesh::kPorts>;

    Masks ready{};    ///< [input][output]: channels of the input ready for the switch
    Masks waiting{};  ///< [output][input]: channels of the input whose head bids for a channel of the output
    std::array<std::uint8_t, mesh::kPorts> ready_outputs{};  ///< of each input, those with ready channels
    std::uint8_t ready_inputs = 0;
    std::uint8_t allocate = 0;     ///< outputs with possible channel allocation
    std::uint8_t held_inputs = 0;  ///< that hold the switch, for this output and channel:
    std::array<std::uint8_t, mesh::kPorts> held_output{};
    std::array<std::uint8_t, mesh::kPorts> held_channel{};
    std::array<std::uint8_t, mesh::kPorts> turn_channel{};  ///< of each input: the round-robin pointer
    SwitchTurns turns;
    std::uint16_t heads = 0;  ///< that wait for a channel
    std::uint32_t fill = 0;   ///< flits
};

/// An output of a router, or a terminal's injection port, with the state of the downstream buffers.
struct alignas(64) OutputState {
    ChannelMask free = 0;       ///< channels not held by a packet
    ChannelMask empty = 0;      ///< channels whose buffer is empty
    ChannelMask responses = 0;  ///< channels last used by a response
    bool link = true;           ///< leads to a router, not to a terminal
    std::array<ChannelMask, mesh::kClasses> allowed{};
    std::uint32_t input = 0;                       ///< number of the downstream input's first channel
    std::array<std::uint16_t, kStride> credits{};  ///< of each channel: free buffer slots
};

/// Notified of flits that leave routers.
class FlitListener {
public:
    virtual ~FlitListener() = default;
    /// @param cycle in which it is on the link behind this output
    virtual void flit_leaves(std::size_t output, const mesh::Packet& packet, bool head, std::int64_t cycle) = 0;
};

}  // namespace ringmesh::hw
