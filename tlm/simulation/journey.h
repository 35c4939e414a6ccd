// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/machine/traffic.h"
#include "tlm/units/units.h"

/// The stages of a packet's way, block by block: the data behind `ringmesh explain` and `--log '*=trace'`.
namespace ringmesh {

class Component;

/// The two halves of a transaction; both carry the same number.
enum class Leg : std::uint8_t { kRequest, kResponse };

/// What the block reports about its stage; the rest follows from the order of the stages.
enum class StageKind : std::uint8_t {
    kWork,
    kPropagation,  ///< a signal on its way through a cable
    kForwarding,   ///< past a node to the next one of the same ring
    kWaiting,      ///< no work: why the block could not begin. Nothing follows from it but the packet's next stage
    kCall,         ///< a program's call of its library, which contains other stages; nothing follows from it
};

/// A period in which a block works on a packet. A block reports a stage when its end is known, after the stage that
/// caused it. Time between two stages counts as waiting for the block of the second one; a block that knows what the
/// packet waited for reports that as a stage of its own (kWaiting).
struct Stage {
    std::string_view what;          ///< a standard term; a string literal
    std::uint64_t transaction = 0;  ///< number of the packet; 0: the work of a program, or of no packet
    Leg leg = Leg::kRequest;
    StageKind kind = StageKind::kWork;
    Duration from;  ///< may lie in the past
    Duration to;    ///< may lie in the future; never before `from`
    /// Another packet, or 0: of kWaiting, the one that it waits for; of others, one that this stage follows from, too:
    /// the whole of which this packet is a part, or what a stalled program waited for.
    std::uint64_t other = 0;
    /// Of kCall, as far as it has them.
    std::uint32_t peer = 0;   ///< the other rank
    std::int32_t tag = 0;     ///< -1: any
    std::uint32_t bytes = 0;  ///< of the message, or of the room for it
};

/// What is known of a packet or a response at its creation.
struct PacketBirth {
    std::uint64_t packet = 0;
    Leg leg = Leg::kRequest;
    std::string source;  ///< a node's number, or the router port of a tile or memory controller, "r2_0"
    std::string target;
    std::uint32_t bytes = 0;  ///< of data
    Duration at;
    std::string_view stream = TrafficModel::kOfWorkload;  ///< whose it is: TrafficModel::stream_name()
};

/// A fault struck a packet, its response or an echo of it.
struct PacketStruck {
    std::string_view where;  ///< the block that has the fault
    std::string_view what;   ///< the fault's word
    std::uint64_t packet = 0;
    Leg leg = Leg::kRequest;
    Duration at;
};

/// Receives the stages of all packets, in causal order.
class JourneyListener {
public:
    virtual ~JourneyListener() = default;
    virtual void stage(const Component& where, const Stage& stage) = 0;
    virtual void born(const Component& /*where*/, const PacketBirth& /*birth*/) {}
    /// Its first symbol or flit enters the network; again for each retry and each ring of its way.
    virtual void injected(std::uint64_t /*packet*/, Leg /*leg*/, Duration /*at*/) {}
    virtual void struck(const PacketStruck& /*strike*/) {}
    /// A packet, or its response, has reached its end at `where`: no stage of this leg follows but of programs that
    /// looked at what it brought.
    virtual void arrived(const Component& /*where*/, std::uint64_t /*packet*/, Leg /*leg*/, Duration /*at*/) {}
};

/// Several listeners as one.
class JourneyFanOut final : public JourneyListener {
public:
    void add(JourneyListener& listener) { listeners_.push_back(&listener); }
    void stage(const Component& where, const Stage& stage) override
    {
        for (JourneyListener* listener : listeners_) listener->stage(where, stage);
    }
    void born(const Component& where, const PacketBirth& birth) override
    {
        for (JourneyListener* listener : listeners_) listener->born(where, birth);
    }
    void injected(std::uint64_t packet, Leg leg, Duration at) override
    {
        for (JourneyListener* listener : listeners_) listener->injected(packet, leg, at);
    }
    void struck(const PacketStruck& strike) override
    {
        for (JourneyListener* listener : listeners_) listener->struck(strike);
    }
    void arrived(const Component& where, std::uint64_t packet, Leg leg, Duration at) override
    {
        for (JourneyListener* listener : listeners_) listener->arrived(where, packet, leg, at);
    }

private:
    std::vector<JourneyListener*> listeners_;
};

}  // namespace ringmesh
