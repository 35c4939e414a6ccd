// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "hw/mesh/flit/allocation.h"
#include "hw/mesh/params.h"
#include "hw/mesh/policies/bits.h"
#include "hw/mesh/topology/router_index.h"
#include "tlm/mesh/packet.h"

/// The parts of a router of a mesh, flit by flit. Ports and channels are numbered in their router and port; sets of
/// them have a bit for each.
namespace ringmesh::hw {

static_assert(kStride >= MeshParams::kMostChannels);

using ChannelMask = std::uint16_t;  ///< a bit for each virtual channel of a port

/// A virtual channel of an input with its buffer.
struct InputChannel {
    mesh::Packet* front = nullptr;    ///< the packet whose flits leave next, if there are any packets
    std::uint16_t fill = 0;           ///< flits
    std::uint16_t left = 0;           ///< flits of the front packet before the switch
    std::uint16_t first = 0;          ///< index of the front packet in its ring of packets
    std::uint16_t packets = 0;        ///< with a flit here, or one passed and more to arrive
    std::uint8_t output = kNothing;   ///< of the front packet
    std::uint8_t other = kNothing;    ///< an alternative output
    std::uint8_t channel = kNothing;  ///< of the output; kNothing: the front packet waits for one
    std::uint8_t turn_output = 0;     ///< output and channel after the last granted one
    std::uint8_t turn_channel = 0;
    bool head = false;  ///< the next flit is a head
};

/// An output of a router, or a terminal's injection port, with the state of the downstream buffers.
struct alignas(64) OutputPort {
    ChannelMask free = 0;       ///< channels that no packet has
    ChannelMask empty = 0;      ///< channels whose buffer is empty
    ChannelMask responses = 0;  ///< channels last used by a response
    bool link = true;           ///< leads to a router, not to a terminal
    bool cut = false;           ///< that router is of another process
    bool up = false;            ///< of a ring: its link leads upwards
    /// The ring on which its link is, along the row or column; on it channels form two classes.
    enum class Ring : std::uint8_t { kNone, kRow, kColumn } ring = Ring::kNone;
    std::uint16_t next = 0;  ///< of a ring: the coordinate to which the link leads
    std::uint16_t size = 0;  ///< routers of the ring
    std::array<ChannelMask, mesh::kClasses> allowed{};
    InputIndex input;                              ///< downstream
    std::uint16_t buffer = 0;                      ///< flits of each channel there
    std::uint16_t to_next = 0;                     ///< cycles from the switch to that input
    std::array<std::uint16_t, kStride> credits{};  ///< of each channel: free buffer slots
};

/// What a router knows of its channels, for allocation.
struct alignas(64) RouterState {
    using Masks = std::array<std::array<ChannelMask, mesh::kPorts>, mesh::kPorts>;

    // What each flit looks at lies together, for the cache
    PortPairs requests;            ///< outputs, and the inputs that have channels ready for them
    PortPairs bids;                ///< outputs, and the inputs that have heads waiting for a channel of them
    std::uint32_t fill = 0;        ///< flits
    std::uint16_t heads = 0;       ///< that wait for a channel
    std::uint8_t allocate = 0;     ///< outputs with possible channel allocation
    std::uint8_t held_inputs = 0;  ///< that hold the switch, for held_output and held_channel
    SwitchTurns turns;
    std::array<std::uint8_t, mesh::kPorts> turn_channel{};  ///< of each input: the round-robin pointer
    Masks ready{};                                          ///< [input][output]: channels ready for the switch
    Masks waiting{};  ///< [output][input]: channels of the input whose head bids for a channel of the output
    std::array<std::uint8_t, mesh::kPorts> held_output{};
    std::array<std::uint8_t, mesh::kPorts> held_channel{};
    SwitchTurns speculative_turns;

    bool busy() const { return requests.any() || (allocate | held_inputs) != 0; }

    void set_ready(unsigned port, unsigned channel, unsigned output)
    {
        ChannelMask& mask = ready[port][output];
        mask = static_cast<ChannelMask>(mask | 1U << channel);
        requests.set(output, port);
    }
    void clear_ready(unsigned port, unsigned channel, unsigned output)
    {
        ChannelMask& mask = ready[port][output];
        mask = static_cast<ChannelMask>(mask & ~(1U << channel));
        if (mask == 0) requests.clear(output, port);
    }
    void set_waiting(unsigned port, unsigned channel, unsigned output)
    {
        ChannelMask& mask = waiting[output][port];
        mask = static_cast<ChannelMask>(mask | 1U << channel);
        bids.set(output, port);
        allocate = static_cast<std::uint8_t>(allocate | 1U << output);
    }
    void clear_waiting(unsigned port, unsigned channel, unsigned output)
    {
        ChannelMask& mask = waiting[output][port];
        mask = static_cast<ChannelMask>(mask & ~(1U << channel));
        if (mask == 0) bids.clear(output, port);
    }
};

/// One router: a view of the flat arrays in which FlitFabric has those of all routers.
///
///     input ports, each with its channels --> state (who waits for what, who is ready) --> output ports
class Router {
public:
    /// @param inputs the channels of its first input @param outputs its first one
    Router(RouterIndex index, RouterState& its_state, InputChannel* inputs, OutputPort* outputs)
        : state(its_state), index_(index), inputs_(inputs), outputs_(outputs)
    {}

    RouterState& state;

    RouterIndex index() const { return index_; }
    InputChannel& input(unsigned port, unsigned channel) const { return inputs_[port * kStride + channel]; }
    InputIndex input_port(unsigned port) const { return {index_, port}; }
    OutputPort& output(unsigned port) const { return outputs_[port]; }
    OutputIndex output_port(unsigned port) const { return {index_, port}; }

private:
    RouterIndex index_;
    InputChannel* inputs_;
    OutputPort* outputs_;
};

/// The channels of a link of a ring that are of the packet's class.
inline ChannelMask on_ring(const RingClassPolicy& classes, const OutputPort& output, const mesh::Packet& packet)
{
    constexpr ChannelMask kLower = 0x5555, kUpper = 0xaaaa;
    constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio: the lots of numbers in turn alternate
    const bool along_row = output.ring == OutputPort::Ring::kRow;
    const RingHop hop{.from = along_row ? packet.from.x : packet.from.y,
                      .to = along_row ? packet.to.x : packet.to.y,
                      .next = output.next,
                      .size = output.size,
                      .up = output.up,
                      .lot = (packet.id * kSpread >> (along_row ? 63 : 62) & 1) != 0};
    return classes.upper(hop) ? kUpper : kLower;
}

}  // namespace ringmesh::hw
