// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "hw/memory.h"
#include "hw/ncube/channel_unit.h"
#include "hw/traffic_source.h"
#include "tlm/pools/ring_buffer.h"

namespace ringmesh::hw {

/// Replaces an NCUBE node's processor to load only the channels: offers the messages of a traffic model, and forwards
/// or delivers those that arrive.
///
///     TrafficModel --> queue of each channel --> channels.out      channels.in --> queue of the next channel
///                                                                      |
///                                                                      +--> TrafficModel
///
/// A message takes the dimensions in which the numbers of its nodes differ, lowest first (e-cube), with store and
/// forward at each node. Its first 16 bytes hold destination and size.
///
/// Timing: takes no time itself, neither for interrupts nor for copies; a channel carries one message at a time, FCFS,
/// and its DMA is always set up for the next one. An own message is dropped and counted if kSourceQueue messages wait
/// for its channel. Messages from a neighbour are always stored: a channel has no flow control. Not modelled: the
/// memory of waiting messages; `most_waiting` gives their number.
class CubePacketSource final : public TrafficSource {
public:
    static constexpr std::uint32_t kHeaderBytes = 16;

    CubePacketSource(const sc_core::sc_module_name& name, Simulation& simulation, unsigned number, Memory& memory);

    void connect(NcubeChannelUnit& channels);
    /// The interrupt line of the channels.
    void interrupted(const ChannelInterrupt& interrupt);

    /// Adds a stream. @param model outlives the run
    /// @param size of its largest message. @pre kHeaderBytes <= size of each, and memory has room for two a channel
    void start(TrafficModel& model, std::uint32_t size);

    void trace(sc_core::sc_trace_file* file) const override;
    void statistics(StatisticsVisitor& visitor) const override;
    void places(PlaceVisitor& visitor) const override;
    std::string pending() const override;

private:
    static constexpr std::uint32_t kMostBytes = (1U << 24U) - 1;  // more than a node's memory
    struct Header {
        std::uint16_t source = 0;
        std::uint16_t target = 0;
        std::uint32_t size : 24 = 0;  // bytes
        std::uint32_t stream : 8 = 0;
        std::int64_t born_ps = 0;
    };
    static_assert(sizeof(Header) == kHeaderBytes);
    struct Waiting {
        Header header;
        std::uint64_t id = 0;  // the packet's number
        Duration since;
    };
    struct Output {
        RingBuffer<Waiting> waiting;
        bool busy = false;
        std::uint64_t sent = 0;  // the last packet
    };

    void offer(const Injection& injection) override;
    void queue(unsigned channel, const Waiting& packet);
    void send(unsigned channel);
    void take(unsigned channel, std::uint64_t id);
    unsigned channel_to(unsigned target) const;
    /// Each channel has a buffer for the outgoing and one for the incoming message.
    std::uint64_t place_out(unsigned channel) const { return std::uint64_t{channel} * size_; }
    std::uint64_t place_in(unsigned channel) const { return (outputs_.size() + channel) * size_; }

    Memory& memory_;
    NcubeChannelUnit* channels_ = nullptr;
    std::uint32_t size_ = 0;
    std::vector<Output> outputs_;
    Level waiting_;  // messages in all queues
    std::uint32_t most_waiting_ = 0;

    Counter forwarded_, taken_;
};

}  // namespace ringmesh::hw
