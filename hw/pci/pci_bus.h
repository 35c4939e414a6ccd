// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "hw/pci/params.h"
#include "tlm/pci/pci.h"
#include "tlm/simulation/simulation.h"
#include "tlm/statistics/activity.h"
#include "tlm/statistics/component.h"
#include "tlm/time/wakeup.h"

namespace ringmesh::hw {

/// PCI bus of 32 or 64 bits: one transaction at a time between masters and targets in numbered slots.
///
///     from_slot[i] --> round-robin arbiter, address decoder --> to_slot[j]
///
/// Timing of a transaction that touches n words of the bus: address phase, wait states, n data phases, turnaround.
/// `write_wait` precedes the first data phase of a write; `read_turnaround`, in which the driver of the bus changes,
/// that of a read; the target may add wait states to both. The bus is parked on slot 0 (the host bridge), which starts
/// as soon as the bus is free; another master waits at least `arbitration` clocks, which may overlap with a running
/// transaction. A target that cannot accept a transaction disconnects it with a retry, which costs address phase, retry
/// response and turnaround. Costs are whole clocks, but are not aligned to a free-running clock edge. Not modelled:
/// latency timer, parity, configuration cycles.
class PciBus final : public sc_core::sc_module, public Component {
public:
    sc_core::sc_vector<pci::SlotTarget<PciBus>> from_slot;
    sc_core::sc_vector<pci::SlotInitiator<PciBus>> to_slot;

    PciBus(const sc_core::sc_module_name& name, Simulation& simulation, const PciParams& params, std::size_t slots);

    /// Addresses from `base` on belong to the target in `slot`, up to the next higher base. Call it in rising order of
    /// the bases, of which the first is 0.
    void decode(std::uint64_t base, std::size_t slot);

    const Clock& clock() const { return clock_; }
    void trace(sc_core::sc_trace_file* file) const override;
    std::string component_name() const override { return name(); }
    void statistics(StatisticsVisitor& visitor) const override;
    void places(PlaceVisitor& visitor) const override;
    std::string pending() const override;
    /// Bus time of transactions that were not retried, turnaround included.
    Duration carrying_time() const { return carrying_.total(); }
    /// End of the last transaction with its turnaround; carrying_time() counts all of it from its start on.
    Duration free_at() const { return free_at_; }

private:
    using Payload = ::tlm::tlm_generic_payload;
    struct Master {
        Payload* waiting = nullptr;
        Duration ready;  // when arbitration allows it to start
    };
    struct Range {
        std::uint64_t base = 0;
        std::size_t slot = 0;
    };

    ::tlm::tlm_sync_enum request(int slot, Payload& payload, pci::Phase& phase, sc_core::sc_time& delay);
    void step();
    void finish();
    void start_next();
    void start(std::size_t master);
    std::size_t target_of(const Payload& payload) const;
    void answer(std::size_t master, Payload& payload, pci::Phase phase);

    Simulation& simulation_;
    const PciParams params_;
    const Clock clock_;
    const Duration arbitration_, turnaround_, retry_time_;
    std::vector<Master> masters_;
    std::vector<Range> ranges_;

    Payload* running_ = nullptr;
    bool retried_ = false;
    std::uint64_t carried_ = 0;  // packet of the last transaction
    std::size_t running_master_ = 0;
    std::size_t running_target_ = 0;
    Duration running_end_;  // end of its last data phase, or of its retry
    Duration free_at_;      // with turnaround
    Wakeup wakeup_{wakes<&PciBus::step>(simulation_.calendar(), *this)};

    Counter transactions_, data_phases_, retries_;
    BusyTime busy_, carrying_;
    Activity activity_;
};

}  // namespace ringmesh::hw
