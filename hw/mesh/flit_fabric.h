// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hw/mesh/allocation.h"
#include "hw/mesh/cycle_wheel.h"
#include "hw/mesh/grid.h"
#include "hw/mesh/link_calm.h"
#include "hw/mesh/params.h"
#include "tlm/mesh/packet.h"
#include "tlm/units.h"
#include "tlm/use.h"

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
    SwitchTurns speculative_turns;
    std::uint16_t heads = 0;  ///< that wait for a channel
    std::uint32_t fill = 0;   ///< flits
};

/// An output of a router, or a terminal's injection port, with the state of the downstream buffers.
struct alignas(64) OutputState {
    ChannelMask free = 0;       ///< channels not held by a packet
    ChannelMask empty = 0;      ///< channels whose buffer is empty
    ChannelMask responses = 0;  ///< channels last used by a response
    bool link = true;           ///< leads to a router, not to a terminal
    bool up = false;            ///< of a ring: its link leads upwards
    /// The ring on which its link is, along the row or column; on it packets that have crossed the wrap link, this one
    /// included, have channels of their own.
    enum class Ring : std::uint8_t { kNone, kRow, kColumn } ring = Ring::kNone;
    std::uint16_t next = 0;  ///< of a ring: the coordinate to which the link leads
    std::array<ChannelMask, mesh::kClasses> allowed{};
    std::uint32_t input = 0;                       ///< number of the downstream input's first channel
    std::uint16_t buffer = 0;                      ///< flits of each channel there
    std::uint16_t to_next = 0;                     ///< cycles from the switch to that input
    std::array<std::uint16_t, kStride> credits{};  ///< of each channel: free buffer slots
};

/// Notified of flits that leave routers.
class FlitListener {
public:
    virtual ~FlitListener() = default;
    /// @param input its port, numbered as outputs are @param cycle in which it is on the link behind this output
    /// @return cycles by which a fault makes it come late; then the output has to be held for as long
    virtual std::int64_t flit_leaves(std::size_t input, std::size_t output, const mesh::Packet& packet, bool head,
                                     std::int64_t cycle) = 0;
    /// A head has a virtual channel of an output from this cycle on. @param channel output * kStride + channel
    virtual void gets_channel(std::size_t channel, const mesh::Packet& packet) = 0;
    /// A packet whose channel had none has a credit again.
    virtual void gets_credit(std::size_t channel, const mesh::Packet& packet) = 0;
    /// The tail of a packet has got the switch; the head behind it in its buffer comes to the front in this cycle.
    virtual void comes_to_front(const mesh::Packet& packet, const mesh::Packet& before, std::int64_t cycle) = 0;
};

/// All routers of a mesh and the links between them, flit by flit, without kernel: called cycle by cycle, except while
/// there is no work.
///
///     entry -->+-- input channels (routing, channel allocation) --> switch --> output --> wires --> next router or
///     terminal
///              |<-- credits
///
/// Timing: a head that reaches the front of its channel in cycle t has its route, bids for a virtual channel of that
/// output from cycle t + max(0, pipeline - 3) on, and for the switch from the next cycle on (the same, if the pipeline
/// has less than three stages). A flit granted the switch in cycle s is in the next router at s + min(pipeline, 2) +
/// link, so that a lone head takes pipeline + link (with speculation a cycle less). Body flits bid only for the switch.
/// A packet behind another in one channel reaches the front the cycle after the other's tail got the switch. A credit
/// returns 1 + link cycles after that.
///
/// With speculation (three stages or more) a head bids for the switch in the cycle in which it bids for a channel, if a
/// channel of that output may be given out; a second allocator matches these bids. What it grants counts if the head
/// gets a channel with a credit and the first allocator has left input and output free: so flits that have a channel go
/// first (Peh and Dally's speculative router).
///
/// A virtual channel is free for the next packet once the tail of its packet has got the switch: buffers may hold
/// several packets, but never of different classes, so that none waits for one of the other class.
class FlitFabric {
public:
    struct Ejection {
        mesh::Packet* packet = nullptr;
        std::uint32_t terminal = 0;
    };

    virtual ~FlitFabric() = default;
    FlitFabric(const FlitFabric&) = delete;
    FlitFabric& operator=(const FlitFabric&) = delete;

    /// From now on it remembers which routers' fill has changed, for tell_levels().
    void measure() { measured_ = true; }
    /// Tells the use of places how full these routers are now.
    void tell_levels(Duration time);
    /// The four parts of a cycle, to be called in this order.
    void take_credits(std::int64_t cycle);
    /// A channel into the router that a terminal can use for this packet; kNothing if none is free.
    std::uint8_t open_entry(std::uint32_t terminal, const mesh::Packet& packet);
    /// Sends a flit into a router. @return false if the channel's buffer is full
    bool enter(std::uint32_t terminal, mesh::Packet& packet, std::uint8_t channel, bool head, bool tail,
               std::int64_t cycle);
    void take_flits(std::int64_t cycle);
    virtual void run_routers(std::int64_t cycle) = 0;

    /// Packets whose tail reaches its terminal in this cycle (not before the next one). The caller clears them.
    std::vector<Ejection>& ejections(std::int64_t cycle)
    {
        ejections_.bring(cycle);
        return ejections_.at(cycle);
    }
    /// Terminals that received credits, one bit each; the caller clears them.
    std::vector<std::uint64_t>& entries_with_news() { return entry_news_; }

    /// Whether packets of this class may be sent to a terminal.
    void set_open(std::uint32_t terminal, mesh::Class kind, bool open);

    /// The first cycle after this one with work; INT64_MAX if there is none.
    std::int64_t next_work(std::int64_t cycle) const;

    /// An output takes no flits: as if it had no credits. @pre it is not held; between two cycles, as the next ones
    void hold(std::uint32_t output);
    /// It takes them again. @pre it is held
    void release(std::uint32_t output);
    /// The packets that wait for an output.
    std::vector<const mesh::Packet*> waiting_for(std::uint32_t output) const;

    const std::uint32_t& fill(std::uint32_t router) const { return routers_[router].fill; }
    /// The same, of which the use of places is told.
    const Level& level(std::uint32_t router) const { return levels_[router]; }
    std::uint64_t channel_conflicts() const { return channel_conflicts_; }
    std::uint64_t switch_conflicts() const { return switch_conflicts_; }
    /// Switches given to heads that got no channel, or that a flit with a channel needed.
    std::uint64_t lost_speculations() const { return lost_speculations_; }
    /// @param journeys hears all, @param links only of flits that leave; null: not @param calm null, or links hears of
    /// no flit that it lets pass
    void listen(FlitListener* journeys, FlitListener* links, LinkCalm* calm)
    {
        listener_ = journeys;
        link_listener_ = links;
        calm_ = calm;
    }

protected:
    using Mask = ChannelMask;
    using Input = InputChannel;
    using Router = RouterState;
    using Output = OutputState;

    struct Freed {
        std::uint32_t output;
        std::uint8_t channel;
    };

    explicit FlitFabric(const FlitWiring& wiring);

    static constexpr std::uint32_t kPorts = mesh::kPorts;

    std::uint32_t router_of(std::uint32_t input) const { return input / (kStride * kPorts); }
    static std::uint8_t port_of(std::uint32_t input) { return static_cast<std::uint8_t>(input / kStride % kPorts); }
    mesh::Packet*& front(const Input& channel, std::uint32_t input) { return packets_[input * ring_ + channel.first]; }

    Mask usable(const Output& output, const mesh::Packet& packet, std::uint32_t least) const;
    void lead(std::uint32_t output, std::uint32_t input);
    void set_ready(std::uint32_t router, std::uint32_t input);
    void take_channel(std::uint32_t router, std::uint32_t input, std::uint8_t granted);
    void reconsider(std::uint32_t router);
    void send(std::uint32_t router, std::uint32_t input, std::int64_t cycle);

    const MeshParams params_;
    const MeshGrid& grid_;
    const MeshRoutes routes_;
    const MeshTimes& times_;
    const std::int64_t routing_, to_wires_, to_credit_, entry_;  // cycles; of routers and links that do not differ
    const bool channel_first_;  // a head bids for the switch in the cycle in which it got its channel
    const bool speculates_;
    const std::uint32_t buffer_, ring_, first_entry_;  // buffer: of the router that has most
    const std::vector<std::uint32_t> room_;            // room required by the flow policy, by number of flits
    const std::uint64_t holds_;  // a bit for each number of flits sent: the packet holds the switch
    const bool waits_for_room_;  // any of them

    std::vector<Router> routers_;
    std::vector<Input> inputs_;
    std::vector<mesh::Packet*> packets_;
    std::vector<Output> outputs_;             // of the routers, then entries
    std::vector<std::uint32_t> owner_;        // the input whose packet holds the channel
    std::vector<std::uint16_t> turns_;        // for channel allocation
    std::vector<std::uint32_t> feeder_;       // of each input port: the upstream output
    std::vector<std::uint32_t> terminal_at_;  // of each output
    std::vector<std::uint64_t> busy_;         // routers
    std::vector<std::uint64_t> entry_news_;
    std::vector<std::uint64_t>& output_flits_;
    std::vector<Freed> freed_;

    std::uint64_t channel_conflicts_ = 0, switch_conflicts_ = 0, lost_speculations_ = 0;
    bool measured_ = false;
    std::vector<Level> levels_;          // of routers, as told last
    std::vector<std::uint64_t> filled_;  // routers whose fill has changed since, a bit each

private:
    struct Flit {
        mesh::Packet* packet = nullptr;
        std::uint32_t input = 0;
        bool head = false;
    };

    /// An output that takes no flits, with the credits that it would have.
    struct Held {
        std::uint32_t output = 0;
        std::array<std::uint16_t, kStride> credits{};
    };

    [[gnu::cold]] void keep_credits_of_held(std::int64_t cycle);
    void come_to_front(std::uint32_t input, std::int64_t at, std::int64_t now);
    void bid(std::uint32_t input);
    /// Cycles from the arrival of a head to its bid.
    std::int64_t routing(std::uint32_t router) const;
    /// Cycles from the switch of a router to its feeder, for a credit.
    std::int64_t to_feeder(std::uint32_t input) const;
    void clear_ready(std::uint32_t router, std::uint32_t input);
    void wake(std::uint32_t router) { busy_[router / 64] |= 1ULL << router % 64; }
    std::uint32_t room(const Output& output, const mesh::Packet& packet) const;
    static void take(Output& output, unsigned channel, const mesh::Packet& packet);
    bool prefer(std::uint32_t router, Input& channel, const mesh::Packet& packet);

    CycleWheel<Flit> flits_;
    CycleWheel<std::uint32_t> credit_wires_;   // output * kStride + channel
    CycleWheel<std::uint32_t> routing_wheel_;  // inputs whose front packet will bid
    CycleWheel<Ejection> ejections_;
    std::vector<Held> held_;
    FlitListener* listener_ = nullptr;
    FlitListener* link_listener_ = nullptr;
    LinkCalm* calm_ = nullptr;
};

/// On a ring of a torus: its channels for packets that have not crossed the wrap link, or that have. So the waits of
/// packets for channels around the ring end at that link (Dally and Seitz's dateline). Routes go along each dimension
/// once, so that a packet begins at its sender's coordinate, and has crossed the link when it is on the other side of
/// it.
inline ChannelMask on_ring(const OutputState& output, const mesh::Packet& packet)
{
    constexpr ChannelMask kBefore = 0x5555, kBehind = 0xaaaa;
    const std::uint16_t from = output.ring == OutputState::Ring::kRow ? packet.from.x : packet.from.y;
    return (output.up ? output.next < from : output.next > from) ? kBehind : kBefore;
}

/// Channels of an output that this packet may use now.
/// @param least minimum room in flits
inline ChannelMask FlitFabric::usable(const Output& output, const mesh::Packet& packet, std::uint32_t least) const
{
    const bool response = packet.kind == mesh::Class::kResponse;
    const auto own = static_cast<Mask>(response ? output.responses : ~output.responses);
    auto mask = static_cast<Mask>(output.free & output.allowed[mesh::index(packet.kind)] & (output.empty | own));
    if (output.ring != Output::Ring::kNone) mask = static_cast<Mask>(mask & on_ring(output, packet));
    least = std::max(least, room_[std::min<std::uint32_t>(packet.flits, output.buffer)]);
    if (least == 0 || (mask & ~output.empty) == 0) return mask;
    for_each_set(mask, [&](unsigned channel) {
        if (output.credits[channel] < least) mask = static_cast<Mask>(mask & ~(1U << channel));
    });
    return mask;
}

}  // namespace ringmesh::hw
