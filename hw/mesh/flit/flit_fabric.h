// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hw/mesh/flit/allocation.h"
#include "hw/mesh/flit/cycle_wheel.h"
#include "hw/mesh/flit/router.h"
#include "hw/mesh/params.h"
#include "hw/mesh/topology/grid.h"
#include "hw/mesh/topology/router_index.h"
#include "tlm/mesh/packet.h"
#include "tlm/statistics/use.h"
#include "tlm/units/units.h"

namespace ringmesh::hw {

/// Hears what heads wait for, for journeys of packets.
class RouterListener {
public:
    virtual ~RouterListener() = default;
    /// A head has a virtual channel of an output from this cycle on.
    virtual void gets_channel(OutputChannelIndex channel, const mesh::Packet& packet) = 0;
    /// A packet whose channel had none has a credit again.
    virtual void gets_credit(OutputChannelIndex channel, const mesh::Packet& packet) = 0;
    /// The tail of a packet has got the switch; the head behind it in its buffer comes to the front in this cycle.
    virtual void comes_to_front(const mesh::Packet& packet, const mesh::Packet& before, std::int64_t cycle) = 0;
    /// A head comes from a router of another process, in this cycle.
    virtual void comes_from_outside(const mesh::Packet& packet, std::int64_t cycle) = 0;
};

/// What the wires behind outputs are besides a delay: somebody looks at them, or they have faults.
class FlitWires {
public:
    virtual ~FlitWires() = default;
    /// @param cycle in which the flit is on the wires behind this output
    /// @return cycles by which it comes late; then the output has to be stopped for as long
    virtual std::int64_t flit_leaves(InputIndex input, OutputIndex output, const mesh::Packet& packet, bool head,
                                     std::int64_t cycle) = 0;
};

/// All routers of a mesh and the links between them, flit by flit, without kernel: called cycle by cycle, except while
/// there is no work. The state of all routers is in flat arrays; Router is the view of one.
///
///     entry -->+-- input channels (routing, channel allocation) --> switch --> output --> wires --> router, terminal
///              |<-- credits
///
/// A flit goes through these stages of a router:
///
///     write_buffers(), route()    into its buffer; a head at the front of its channel gets a route (flit_fabric.cpp)
///     allocate_channels()         a head gets a virtual channel of its output (flit_network.h)
///     allocate_switch()           a flit whose channel has a credit gets the switch (flit_network.h)
///     traverse_switch()           it leaves its buffer, and its credit goes back
///     traverse_link()             it is on its way to the next buffer or terminal
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
        TerminalIndex terminal;
    };

    virtual ~FlitFabric() = default;
    FlitFabric(const FlitFabric&) = delete;
    FlitFabric& operator=(const FlitFabric&) = delete;

    /// A flit on its way to a router of another process.
    struct FlitAway {
        std::int64_t cycle = 0;  ///< in which it arrives
        InputChannelIndex input;
        mesh::Packet* head = nullptr;  ///< of this packet; null: of the body
        mesh::Packet* tail = nullptr;  ///< of this one, which has left this process
        bool late = false;             ///< by more than a cycle
    };
    /// A credit on its way to one.
    struct CreditAway {
        std::int64_t cycle = 0;
        OutputChannelIndex channel;
    };
    /// What crosses between the processes of a divided simulation.
    struct Away {
        std::vector<FlitAway> flits;
        std::vector<CreditAway> credits;
    };
    /// Links between these routers and others are cut. @param own says of a router whether this process has it
    void cut(const std::function<bool(RouterIndex)>& own);
    /// What has crossed; the caller clears it.
    Away& away() { return away_; }
    /// Comes from another process. @pre it is not late
    void arrives(const FlitAway& flit)
    {
        flits_.add(flit.cycle, {flit.head, flit.input}, flit.late);
        if (flit.head != nullptr && listener_ != nullptr) listener_->comes_from_outside(*flit.head, flit.cycle);
    }
    void arrives(const CreditAway& credit) { credit_wires_.add(credit.cycle, credit.channel); }

    /// From now on it remembers which routers' fill has changed, for tell_levels().
    void measure() { measured_ = true; }
    /// Tells the use of places how full these routers are now.
    void tell_levels(Duration time);
    /// The four parts of a cycle, to be called in this order.
    void take_credits(std::int64_t cycle);
    /// A channel into the router that a terminal can use for this packet; kNothing if none is free.
    std::uint8_t open_entry(TerminalIndex terminal, const mesh::Packet& packet);
    /// Sends a flit into a router. @return false if the channel's buffer is full
    bool enter(TerminalIndex terminal, mesh::Packet& packet, std::uint8_t channel, bool head, bool tail,
               std::int64_t cycle);
    void write_buffers(std::int64_t cycle);
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
    void set_open(TerminalIndex terminal, mesh::Class kind, bool open);

    /// The first cycle after this one with work; INT64_MAX if there is none.
    std::int64_t next_work(std::int64_t cycle) const;

    const std::uint32_t& fill(RouterIndex router) const { return routers_[router].fill; }
    /// The same as a level, for the statistics of busy places.
    const Level& level(RouterIndex router) const { return levels_[router]; }
    std::uint64_t channel_conflicts() const { return channel_conflicts_; }
    std::uint64_t switch_conflicts() const { return switch_conflicts_; }
    /// Switches given to heads that got no channel, or that a flit with a channel needed.
    std::uint64_t lost_speculations() const { return lost_speculations_; }
    /// Null: nobody listens, wires are a delay alone.
    void attach(RouterListener* listener, FlitWires* wires)
    {
        listener_ = listener;
        wires_ = wires;
    }

protected:
    friend class FlitFaults;  // takes the credits of outputs away, and gives them back

    explicit FlitFabric(const FlitWiring& wiring);

    static constexpr std::uint32_t kPorts = mesh::kPorts;

    Router router(RouterIndex index)
    {
        return {index, routers_[index], &inputs_[InputIndex(index, 0).channel(0)], &outputs_[OutputIndex(index, 0)]};
    }

    ChannelMask usable(const OutputPort& output, const mesh::Packet& packet, std::uint32_t least) const;
    void take_channel(const Router& router, unsigned port, unsigned number, std::uint8_t granted);
    void reconsider(const Router& router);
    void traverse_switch(const Router& router, unsigned port, unsigned number, std::int64_t cycle);
    /// Channels that tails have left in this cycle are free in the next one.
    void give_freed_channels(const Router& router)
    {
        for (const OutputChannelIndex freed : freed_) {
            OutputPort& output = outputs_[freed.port()];
            output.free = static_cast<ChannelMask>(output.free | 1U << freed.channel());
            if (router.state.heads == 0) continue;
            router.state.allocate = static_cast<std::uint8_t>(router.state.allocate | 1U << freed.port().port());
        }
        freed_.clear();
    }

    /// What feeds an input.
    struct Feeder {
        OutputIndex output;
        std::uint16_t to_credit = 0;  // cycles from the switch until it has the credit
        bool cut = false;             // it is of another process
    };

    const MeshParams params_;
    const MeshGrid& grid_;
    const MeshRoutes routes_;
    const MeshTimes& times_;
    const std::int64_t routing_, to_wires_, entry_;  // cycles; of routers and links that do not differ
    const bool channel_first_;  // a head bids for the switch in the cycle in which it got its channel
    const bool speculates_;
    const std::uint32_t buffer_, ring_;  // buffer: of the router that has most
    const OutputIndex first_entry_;
    const std::vector<std::uint32_t> needed_;  // free flits required by the flow policy, by number of flits
    const std::uint64_t holds_;                // a bit for each number of flits sent: the packet holds the switch
    const bool waits_for_buffer_;              // any of needed_

    Indexed<RouterIndex, RouterState> routers_;
    Indexed<InputChannelIndex, InputChannel> inputs_;
    std::vector<mesh::Packet*> packets_;                    // of each input channel a ring: those behind the front one
    Indexed<OutputIndex, OutputPort> outputs_;              // of the routers, then entries
    Indexed<OutputChannelIndex, InputChannelIndex> owner_;  // whose packet has the channel
    Indexed<OutputChannelIndex, std::uint16_t> turns_;      // for channel allocation
    Indexed<InputIndex, Feeder> feeders_;
    Indexed<OutputIndex, TerminalIndex> terminal_at_;
    std::vector<std::uint64_t> busy_;  // routers
    std::vector<std::uint64_t> entry_news_;
    Indexed<OutputIndex, std::uint64_t>& output_flits_;
    std::vector<OutputChannelIndex> freed_;

    std::uint64_t channel_conflicts_ = 0, switch_conflicts_ = 0, lost_speculations_ = 0;
    bool measured_ = false;
    Indexed<RouterIndex, Level> levels_;  // as told last
    std::vector<std::uint64_t> filled_;   // routers whose fill has changed since, a bit each

private:
    struct Flit {
        mesh::Packet* head = nullptr;  // of this packet; null: of the body
        InputChannelIndex input;
    };

    void lead(OutputIndex index, InputIndex input, std::int64_t link);
    OutputIndex entry(TerminalIndex terminal) const { return OutputIndex(first_entry_.number + terminal.number); }
    bool is_entry(OutputIndex output) const { return output.number >= first_entry_.number; }
    /// The packet at the front of a channel will bid in this cycle.
    void come_to_front(InputChannel& channel, InputChannelIndex index, std::int64_t at)
    {
        channel.left = static_cast<std::uint16_t>(channel.front->flits);
        channel.head = true;
        routing_wheel_.add(at, index);
    }
    void route(InputChannelIndex index);
    void traverse_link(const Router& router, unsigned port, const InputChannel& channel, OutputPort& output,
                       mesh::Packet* head, bool tail, std::int64_t cycle);
    /// Cycles from the arrival of a head to its bid.
    std::int64_t routing(RouterIndex router) const
    {
        return times_.uniform ? routing_ : routing_ + times_.pipeline[router] - params_.head_pipeline().count();
    }
    void wake(RouterIndex router) { busy_[router.number / 64] |= 1ULL << router.number % 64; }
    void has_credit(OutputChannelIndex index);
    /// Something has changed for heads that wait for a channel of an output.
    void allocate_again(OutputIndex output)
    {
        const RouterIndex router = output.router();
        RouterState& state = routers_[router];
        if (state.heads == 0) return;
        state.allocate = static_cast<std::uint8_t>(state.allocate | 1U << output.port());
        wake(router);
    }
    void note_fill(RouterIndex router)
    {
        if (measured_) filled_[router.number / 64] |= 1ULL << router.number % 64;
    }
    std::uint32_t free_flits(const OutputPort& output, const mesh::Packet& packet) const;
    static void take(OutputPort& output, unsigned channel, const mesh::Packet& packet);
    bool prefer(const Router& router, InputChannel& channel, const mesh::Packet& packet);

    CycleWheel<Flit> flits_;
    CycleWheel<OutputChannelIndex> credit_wires_;
    CycleWheel<InputChannelIndex> routing_wheel_;  // those whose front packet will bid
    CycleWheel<Ejection> ejections_;
    Away away_;
    RouterListener* listener_ = nullptr;
    FlitWires* wires_ = nullptr;
};

/// Channels of an output that this packet may use now.
/// @param least minimum free flits
inline ChannelMask FlitFabric::usable(const OutputPort& output, const mesh::Packet& packet, std::uint32_t least) const
{
    const bool response = packet.kind == mesh::Class::kResponse;
    const auto own = static_cast<ChannelMask>(response ? output.responses : ~output.responses);
    auto mask = static_cast<ChannelMask>(output.free & output.allowed[mesh::index(packet.kind)] & (output.empty | own));
    if (output.ring != OutputPort::Ring::kNone) {
        mask = static_cast<ChannelMask>(mask & on_ring(*params_.ring_classes, output, packet));
    }
    if (waits_for_buffer_) least = std::max(least, needed_[std::min<std::uint32_t>(packet.flits, output.buffer)]);
    if (least == 0 || (mask & ~output.empty) == 0) return mask;
    for_each_set(mask, [&](unsigned channel) {
        if (output.credits[channel] < least) mask = static_cast<ChannelMask>(mask & ~(1U << channel));
    });
    return mask;
}

// Stage 4: a flit leaves its buffer through the switch.

/// The first flit of an input channel. Its credit goes back; behind a tail the next packet comes to the front.
[[gnu::always_inline]] inline void FlitFabric::traverse_switch(const Router& router, unsigned port, unsigned number,
                                                               std::int64_t cycle)
{
    RouterState& state = router.state;
    InputChannel& channel = router.input(port, number);
    OutputPort& output = router.output(channel.output);
    mesh::Packet* const packet = channel.front;
    --state.fill;
    note_fill(router.index());
    --channel.fill;
    const bool tail = --channel.left == 0;
    traverse_link(router, port, channel, output, std::exchange(channel.head, false) ? packet : nullptr, tail, cycle);
    const Feeder& feeder = feeders_[router.input_port(port)];
    if (feeder.cut) [[unlikely]] {
        away_.credits.push_back({cycle + feeder.to_credit, feeder.output.channel(number)});
    } else {
        credit_wires_.add(cycle + feeder.to_credit, feeder.output.channel(number));
    }

    if (tail) {
        state.clear_ready(port, number, channel.output);
        freed_.push_back(router.output_port(channel.output).channel(channel.channel));
        channel.channel = kNothing;
        channel.first = static_cast<std::uint16_t>((channel.first + 1U) & (ring_ - 1));
        if (--channel.packets == 0) return;
        const InputChannelIndex index = router.input_port(port).channel(number);
        channel.front = packets_[index.number * ring_ + channel.first];
        come_to_front(channel, index, cycle + 1 + routing(router.index()));
        if (listener_ != nullptr) listener_->comes_to_front(*channel.front, *packet, cycle + 1);
        return;
    }
    const bool credit = !output.link || output.credits[channel.channel] != 0;
    if (channel.fill == 0 || !credit) state.clear_ready(port, number, channel.output);
    if (holds_ != 0 && channel.fill != 0 && (holds_ >> (packet->flits - channel.left) & 1) != 0) {
        state.held_inputs = static_cast<std::uint8_t>(state.held_inputs | 1U << port);
        state.held_output[port] = channel.output;
        state.held_channel[port] = static_cast<std::uint8_t>(number);
    }
}

// Stage 5: it goes over the link into the next buffer, or to the terminal.

[[gnu::always_inline]] inline void FlitFabric::traverse_link(const Router& router, unsigned port,
                                                             const InputChannel& channel, OutputPort& output,
                                                             mesh::Packet* head, bool tail, std::int64_t cycle)
{
    const OutputIndex index = router.output_port(channel.output);
    ++output_flits_[index];
    std::int64_t arrives = cycle + output.to_next;
    std::int64_t late = 0;
    if (wires_ != nullptr) [[unlikely]] {
        late = wires_->flit_leaves(router.input_port(port), index, *channel.front, head != nullptr, cycle + to_wires_);
        arrives += late;
    }
    if (output.link) {
        --output.credits[channel.channel];
        output.empty = static_cast<ChannelMask>(output.empty & ~(1U << channel.channel));
        const InputChannelIndex input = output.input.channel(channel.channel);
        if (output.cut) [[unlikely]] {
            away_.flits.push_back({arrives, input, head, tail ? channel.front : nullptr, late > 1});
        } else {
            flits_.add(arrives, {head, input}, late > 1);
        }
    } else if (tail) {
        ejections_.add(arrives, {channel.front, terminal_at_[index]}, late > 1);
    }
}

}  // namespace ringmesh::hw
