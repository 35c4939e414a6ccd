// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "hw/mesh/allocation.h"
#include "hw/mesh/params.h"
#include "tlm/mesh/packet.h"

/// What the routers of a FlitFabric remember from cycle to cycle.
namespace ringmesh::hw {

inline constexpr std::uint32_t kStride = 16;  ///< virtual channels of each port, used or not
static_assert(kStride >= MeshParams::kMostChannels);

using ChannelMask = std::uint16_t;  ///< a bit for each virtual channel of a port

/// A virtual channel of an input with its buffer. Its packets stand in FlitFabric::packets_, in a ring.
struct InputChannel {
    std::uint16_t fill = 0;           ///< flits
    std::uint16_t left = 0;           ///< flits of the front packet that have not gone through the switch
    std::uint16_t first = 0;          ///< place of the front packet in the ring
    std::uint16_t packets = 0;        ///< of which a flit is here, or was, and more are to come
    std::uint8_t output = kNothing;   ///< of the front packet
    std::uint8_t other = kNothing;    ///< an output that would do as well
    std::uint8_t channel = kNothing;  ///< of the output; none: the front packet waits for one
    std::uint8_t turn_output = 0;     ///< output and channel behind the one that it got last
    std::uint8_t turn_channel = 0;
    bool head = false;  ///< the next flit is a head
};

struct RouterState {
    using Masks = std::array<std::array<ChannelMask, mesh::kPorts>, mesh::kPorts>;

    Masks ready{};    ///< [input][output]: channels of the input that could go through the switch
    Masks waiting{};  ///< [output][input]: channels of the input whose head wants a channel of the output
    std::array<std::uint8_t, mesh::kPorts> ready_outputs{};  ///< of each input, those with ready channels
    std::uint8_t ready_inputs = 0;
    std::uint8_t allocate = 0;     ///< outputs at which channels might be given away
    std::uint8_t held_inputs = 0;  ///< that keep the switch, for this output and channel:
    std::array<std::uint8_t, mesh::kPorts> held_output{};
    std::array<std::uint8_t, mesh::kPorts> held_channel{};
    std::array<std::uint8_t, mesh::kPorts> turn_channel{};  ///< of each input: the channel whose turn it is
    SwitchTurns turns;
    std::uint16_t heads = 0;  ///< that wait for a channel
    std::uint32_t fill = 0;   ///< flits
};

/// An output of a router, or the way of a terminal into its router, with what is known of the buffers behind it.
struct alignas(64) OutputState {
    ChannelMask free = 0;       ///< channels that no packet has
    ChannelMask empty = 0;      ///< channels whose buffer is empty
    ChannelMask responses = 0;  ///< channels that a response had last
    bool link = true;           ///< no terminal stands behind it
    std::array<ChannelMask, mesh::kClasses> allowed{};
    std::uint32_t input = 0;                       ///< what is behind it: number of the input's first channel
    std::array<std::uint16_t, kStride> credits{};  ///< of each channel: places in the buffer
};

/// Hears of flits that leave routers.
class FlitListener {
public:
    virtual ~FlitListener() = default;
    /// @param cycle in which it is on the wires behind this output
    virtual void flit_leaves(std::size_t output, const mesh::Packet& packet, bool head, std::int64_t cycle) = 0;
};

}  // namespace ringmesh::hw
