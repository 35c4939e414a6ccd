// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <systemc>
#include <vector>

#include "hw/host/host_bridge.h"
#include "hw/host/line_cache.h"
#include "hw/host/params.h"
#include "hw/host/poll_loop.h"
#include "hw/host/segments/segment_driver.h"
#include "hw/memory.h"
#include "hw/pci/pci_card.h"
#include "tlm/machine/program_runner.h"
#include "tlm/pc/pc_processor.h"
#include "tlm/pools/ring_buffer.h"
#include "tlm/simulation/simulation.h"
#include "tlm/statistics/component.h"
#include "tlm/time/wakeup.h"

namespace ringmesh::hw {

/// A processor of a PC with its memory; runs one program.
///
///     program --> stores, loads --+--> host bridge (addresses from the first card's window on)
///                                 +--> local memory
///     poll loop <-- cache <-- local memory <-- host bridge
///
/// Timing: each store instruction takes `store_issue`; a remote store returns when its last transaction is in the
/// bridge's posted-write buffer. A remote load stalls the processor for each of its instructions until the bytes
/// arrive. A store barrier is such a load, of a register of each card that the program has stored to since the last
/// barrier. A program polls in a PollLoop with a random phase for each poll.
/// Of local memory, each line that the caches hold takes `cache_hit`, another `local_access`, or `line_write` if it is
/// stored as a whole. They hold what was loaded, stored or found by a poll, until PCI writes it. An interrupt reaches a
/// waiting program after `interrupt`; the DMA engine is started by a store to the card, and its status is polled in
/// memory. Not modelled: contention for memory, interrupt overhead of a program that does not wait for interrupts,
/// other processes.
class HostProcessor final : public sc_core::sc_module, public PcProcessor, public Component {
public:
    struct Config {
        unsigned rank = 0;  ///< number of the processor
        HostParams host;
        bool takes_dma = true;  ///< the card's DMA engine, if it has one, is this processor's
    };
    HostProcessor(const sc_core::sc_module_name& name, Simulation& simulation, const Config& config, Memory& memory,
                  HostBridge& bridge, HostSegmentDriver& segments, const std::vector<PciCard*>& cards);

    unsigned node() const override { return config_.rank; }
    Duration time() const override { return now(); }
    Clock clock() const override { return clock_; }
    std::uint32_t largest_transaction() const override { return properties_.largest_transaction; }
    std::uint32_t gathered_block() const override { return properties_.gathered_block; }
    bool barrier_waits() const override { return config_.host.barrier != BarrierKind::kFree; }
    bool has_dma_engine() const override { return properties_.dma_engine && config_.takes_dma; }
    SegmentDriver& segments() override { return segments_; }
    unsigned check_transfers() override;
    std::uint64_t failures(unsigned rank) const override
    {
        if (segments_.is_here(rank)) return 0;
        const HostSegmentDriver::Way way = segments_.way_to(rank);
        return cards_[way.card]->failures(way.node);
    }
    void peek(std::uint64_t address, std::span<std::byte> into) const override { memory_.read(address, into); }
    void poke(std::uint64_t address, std::span<const std::byte> from) override { memory_.write(address, from); }
    void run(Task<> program, std::string name) override;
    bool finished() const override { return program_runner_.finished(); }
    void call() override;
    /// The card's interrupt line.
    void interrupted(std::uint64_t packet = 0);

    void trace(sc_core::sc_trace_file* file) const override;
    std::string component_name() const override { return name(); }
    void statistics(StatisticsVisitor& visitor) const override;
    void places(PlaceVisitor& visitor) const override;
    std::string pending() const override;

protected:
    void begin(const StoreRequest& request) override;
    void begin(const LoadRequest& request) override;
    void begin(const PollAnyRequest& request) override;
    void begin(BarrierRequest request) override;
    void begin(FlushRequest request) override;
    void begin(InterruptRequest request) override;
    void begin(const DmaRequest& request) override;
    void begin(const ComputeRequest& request) override;
    void attend() override;
    Duration library_cost() const override { return config_.host.library; }

private:
    enum class State : std::uint8_t {
        kIdle,
        kComputing,
        kStoring,
        kLoading,
        kOrderingDma,
        kPolling,
        kWaiting,
        kAttending
    };

    void step();
    void resume_at(Duration time);
    void access_memory(std::uint64_t address, std::size_t size, bool store);
    void bridge_has_room(std::uint64_t packet);
    std::uint64_t number_of_store(std::uint64_t address, std::uint32_t size);
    void begin_remote(const StoreRequest& request, State state, std::string_view word);
    void begin_remote(const LoadRequest& request, std::string_view word);
    void continue_store();
    void continue_load();
    void loaded(std::span<const std::byte> bytes, Duration ready);
    std::uint64_t gather_limit(StoreKind kind) const;
    std::uint64_t instruction_bytes(StoreKind kind) const;
    std::uint64_t next_register(std::uint64_t offset);
    void memory_changed(std::uint64_t address, std::size_t size, std::uint64_t packet);

    Simulation& simulation_;
    PacketNumbers ids_{simulation_.packet_numbers()};
    const Config config_;
    const Clock clock_;
    Memory& memory_;
    HostBridge& bridge_;
    std::size_t number_at_bridge_ = 0;
    HostSegmentDriver& segments_;
    const std::vector<PciCard*>& cards_;
    const PciCard::Properties properties_;  // of each card
    Random random_;

    Wakeup wakeup_{wakes<&HostProcessor::step>(simulation_.calendar(), *this)};
    State state_ = State::kIdle;
    StateWord state_word_;
    StoreRequest store_;
    std::uint32_t stored_ = 0;          // bytes of store_ posted to the bridge
    Duration issue_at_;                 // when the processor issues its next store instruction
    std::uint64_t number_ = 0;          // of the packet of the last remote access
    std::uint64_t stores_end_ = 0;      // where a store continues that packet; 0: nowhere
    std::uint64_t stall_ended_by_ = 0;  // the packet whose leaving the bridge ended a stall
    LoadRequest load_;
    std::uint32_t loaded_ = 0;  // bytes of load_ that have arrived
    bool load_outstanding_ = false;
    std::array<std::byte, 4> register_{};  // value read from or written to the cards' registers
    std::uint8_t stored_to_ = 0;           // cards, one bit each, since the last barrier
    std::uint8_t registers_left_ = 0;      // cards whose register is still to be read or written
    DmaCopy dma_copy_;
    bool called_ = false;              // from outside, while the program did not wait for it
    RingBuffer<Duration> interrupts_;  // end of the handlers of interrupts that the program did not wait for
    LineCache cache_;
    PollLoop poll_loop_;

    Counter stores_, stalls_, loads_, barriers_, dma_orders_, interrupts_taken_, polls_, poll_misses_;
    BusyTime polling_time_;
    Duration poll_began_;

    ProgramRunner program_runner_;  // last
};

}  // namespace ringmesh::hw
