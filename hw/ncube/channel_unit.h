// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <systemc>
#include <vector>

#include "hw/memory.h"
#include "hw/ncube/faults/channel_faults.h"
#include "hw/ncube/faults/ncube_faults.h"
#include "hw/ncube/memory_port.h"
#include "hw/ncube/params.h"
#include "tlm/ncube/ncube_processor.h"
#include "tlm/pools/ring_buffer.h"
#include "tlm/simulation/simulation.h"
#include "tlm/statistics/activity.h"
#include "tlm/statistics/component.h"
#include "tlm/time/wakeup.h"

namespace ringmesh::hw {

/// The serial channels of a node with their DMA: pairs of an output and an input, all independent.
///
///     send, send_control --> queue --> out[i] ~~~~> in[i] of a neighbour --> memory, or control register
///
/// Timing: a transfer of n bytes takes n times `byte` and begins when the one before it on its channel has ended. The
/// sender determines the rate: nothing on the wire or at the receiver delays it. Data transfers load the memory ports
/// at both ends; control words do not. The interrupt is raised with the last byte. Not modelled: the time on the
/// wire.
class NcubeChannelUnit final : public sc_core::sc_module, public Component {
public:
    sc_core::sc_vector<ncube::ChannelInitiator<NcubeChannelUnit>> out;
    sc_core::sc_vector<ncube::ChannelTarget<NcubeChannelUnit>> in;

    /// @param interrupt the processor's interrupt line @param stop of the node; null: it never does
    NcubeChannelUnit(const sc_core::sc_module_name& name, Simulation& simulation, const NcubeNodeParams& params,
                     unsigned channels, Memory& memory, NcubeMemoryPort& port,
                     std::function<void(const ChannelInterrupt&)> interrupt, NodeStop* stop = nullptr);

    unsigned channels() const { return static_cast<unsigned>(outputs_.size()); }
    void send(unsigned channel, std::uint64_t address, std::uint32_t size, std::uint64_t message);
    void send_control(unsigned channel, const ncube::ControlWord& word, std::uint32_t size, std::uint64_t message);
    void expect(unsigned channel, std::uint64_t address, std::uint32_t size);
    /// As expect, and for all data that come after it; in place of what was expected always.
    void expect_always(unsigned channel, std::uint64_t address, std::uint32_t size);

    /// For how long an output has been or is promised to be busy, and until when.
    Duration sending_time(unsigned channel) const { return outputs_[channel].sending; }
    Duration free_at(unsigned channel) const { return outputs_[channel].end; }
    /// Data transfers that have left.
    std::uint64_t transfers() const { return transfers_.count(); }
    Duration transfer_time(std::uint32_t bytes) const { return byte_ * bytes * clock_; }
    /// Simulation events of this block.
    std::uint64_t wakeups() const { return wakeups_.count(); }
    unsigned armed_wakeups() const { return static_cast<unsigned>(wakeup_.armed()); }

    void trace(sc_core::sc_trace_file* file) const override;
    std::string component_name() const override { return name(); }
    void statistics(StatisticsVisitor& visitor) const override;
    void places(PlaceVisitor& visitor) const override;
    std::string pending() const override;

private:
    struct Order {
        ncube::Transfer transfer;
        std::uint64_t address = 0;
        Duration since;     // it was ordered
        bool lost = false;  // by a fault
    };
    struct Output {
        RingBuffer<Order> queue;  // the first one is on the wire if `busy`
        std::uint64_t sent = 0;   // message of the last one
        bool busy = false;
        Duration end;
        Duration sending;
        Activity wire;
    };
    struct Arrival {
        ncube::Transfer transfer;
        std::vector<std::byte> data;
        Duration end;
    };
    struct Input {
        RingBuffer<Arrival> arrivals;  // the next may begin when the one before it ends
        std::uint64_t address = 0;
        std::uint32_t size = 0;
        bool expected = false;
        bool always = false;
        Activity dma;
    };

    void step();
    void queue(unsigned channel, Order& order);
    void start(unsigned channel);
    void finish(unsigned channel);
    ::tlm::tlm_sync_enum arrive(int channel, ncube::Transfer& transfer, ncube::ChannelPhase& phase,
                                sc_core::sc_time& delay);
    void begin_to_receive(unsigned channel, const ncube::Transfer& transfer, Duration end);
    void take(unsigned channel, const ncube::Transfer& transfer);

    Simulation& simulation_;
    const Clock clock_;
    const Cycles byte_;
    Memory& memory_;
    NcubeMemoryPort& port_;
    std::function<void(const ChannelInterrupt&)> interrupt_;
    Wakeup wakeup_{wakes<&NcubeChannelUnit::step>(simulation_.calendar(), *this)};
    std::vector<Output> outputs_;
    std::vector<Input> inputs_;
    std::vector<std::byte> wire_;                       // the bytes of the transfer that begins now
    const std::unique_ptr<NcubeChannelFaults> faults_;  // null if there are none
    Counter transfers_, controls_, bytes_, wakeups_, parity_errors_;
    BusyTime sending_, receiving_;
};

}  // namespace ringmesh::hw
