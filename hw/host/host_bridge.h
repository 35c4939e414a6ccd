// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <systemc>
#include <vector>

#include "hw/memory.h"
#include "tlm/pci/pci.h"
#include "tlm/pools/payload_pool.h"
#include "tlm/pools/ring_buffer.h"
#include "tlm/simulation/simulation.h"
#include "tlm/statistics/component.h"
#include "tlm/time/wakeup.h"

namespace ringmesh::hw {

/// The chipset between processor, memory and PCI bus.
///
///     processor --> posted writes, a read --> to_pci
///     memory <----- inbound writes <--------- from_pci
///
/// Timing: each write takes `crossing` through the bridge, in either direction; writes leave at the rate of the PCI
/// bus. Both buffers are bounded: the processor stalls when the posted writes are full; a PCI master is retried when
/// the inbound writes are full. A read by the processor follows the posted writes, is repeated until its target has the
/// bytes (delayed transaction), and takes `read_crossing` out and back. A read by a PCI master waits on the bus until
/// the inbound writes are in memory, then for `read_crossing` and `memory_access`. Two processors share the buffers, in
/// turn if they are full, and memory. Not modelled: contention of processors and PCI for memory.
class HostBridge final : public sc_core::sc_module, public Component {
public:
    pci::Initiator<HostBridge> to_pci{"to_pci"};
    pci::Target<HostBridge> from_pci{"from_pci"};

    struct Config {
        Duration crossing;  ///< of writes
        Duration retry_gap;
        std::size_t posted_writes = 8;
        std::size_t inbound_writes = 8;
        Duration memory_access = 100_ns;  ///< of a read by a master
        Duration read_crossing = 187_ns;  ///< of a read, or of its answer
    };
    /// Called when a posted write, of this packet, has left the full buffer; and when memory has changed, with the
    /// number of the packet that carried the bytes.
    using NotFullListener = std::function<void(std::uint64_t packet)>;
    /// Called with the bytes of the processor's read and the time at which they arrive: now or later.
    using ReadListener = std::function<void(std::span<const std::byte> bytes, Duration ready)>;
    using MemoryListener = std::function<void(std::uint64_t address, std::size_t size, std::uint64_t packet)>;

    HostBridge(const sc_core::sc_module_name& name, Simulation& simulation, const Config& config, Memory& memory);

    /// A processor of the PC, one or two. @return its number, from 0
    std::size_t connect(NotFullListener not_full, ReadListener read, MemoryListener changed);
    bool full() const { return posted_.size() >= config_.posted_writes; }
    /// Whether posted writes to this range are still waiting for the bus.
    bool has_posted(std::uint64_t begin, std::uint64_t end) const;
    /// Posts a write that the processor issues at `issued`, now or later. @pre not full(); at most 64 bytes
    /// @param packet the number that the processor gave it
    void post(std::uint64_t address, std::span<const std::byte> bytes, Duration issued, std::uint64_t packet = 0);
    /// The same for a read; the processor's ReadListener gets its bytes. @pre not full(), it has no read outstanding
    void read(std::uint64_t address, std::size_t size, Duration issued, std::uint64_t packet = 0,
              std::size_t processor = 0);
    /// A processor has written to memory, which others may poll.
    void wrote(std::uint64_t address, std::size_t size, std::size_t processor);
    /// Processors access memory one after the other. @return the end of an access that takes so long
    Duration access_memory(Duration span);

    void trace(sc_core::sc_trace_file* file) const override;
    std::string component_name() const override { return name(); }
    void statistics(StatisticsVisitor& visitor) const override;
    void places(PlaceVisitor& visitor) const override;
    std::string pending() const override;

private:
    using Payload = ::tlm::tlm_generic_payload;
    struct Write {
        Payload* payload = nullptr;
        Duration ready;
    };

    ::tlm::tlm_sync_enum pci_target(Payload& payload, pci::Phase& phase, sc_core::sc_time& delay);
    ::tlm::tlm_sync_enum pci_answer(Payload& payload, pci::Phase& phase, sc_core::sc_time& delay);
    void queue(Payload& payload, Duration issued);
    void ask_for_bus();
    void step();
    void write_memory();
    Duration begin_read() const;
    void read_memory(Payload& payload);

    Simulation& simulation_;
    PayloadPool& payloads_;
    const Config config_;
    Memory& memory_;
    struct Processor {
        NotFullListener not_full;
        ReadListener read;
        MemoryListener changed;
    };
    std::vector<Processor> processors_;
    RingBuffer<std::size_t> readers_;  // of the reads in posted_
    std::size_t first_asked_ = 0;      // the processor that is told first of room, in turn
    Duration memory_free_;             // end of the last access of a processor
    Wakeup wakeup_{wakes<&HostBridge::step>(simulation_.calendar(), *this)};
    RingBuffer<Write> posted_;   // the first one may be on the bus
    RingBuffer<Write> inbound_;  // on their way into memory
    bool on_bus_ = false;
    bool asked_ = false;      // the first posted one has asked for the bus before
    std::uint64_t left_ = 0;  // packet of the one that left last
    Duration not_before_;
    Level posted_fill_;
    TimeWeighted posted_level_;
    Counter posted_count_, reads_, retries_, inbound_count_, inbound_full_, inbound_reads_;
};

}  // namespace ringmesh::hw
