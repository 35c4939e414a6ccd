// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hw/pci/pci_bus.h"
#include "tests/hw/pci/pci_probe.h"
#include "tests/hw/printing.h"

namespace ringmesh::test {

/// A bus between probes. Slot i is the target from address i * kRange on.
struct BusBench {
    static constexpr std::uint64_t kRange = 0x10000;

    explicit BusBench(const hw::PciParams& wanted = {}, std::size_t slots = 2)
        : params(wanted), bus("bus", simulation, wanted, slots)
    {
        for (std::size_t i = 0; i < slots; ++i) {
            chips.push_back(std::make_unique<PciProbe>(("chip" + std::to_string(i)).c_str(), simulation));
            chips[i]->out.bind(bus.from_slot[i]);
            bus.to_slot[i].bind(chips[i]->in);
            bus.decode(i * kRange, i);
        }
    }
    PciProbe& chip(std::size_t slot) { return *chips.at(slot); }
    void run() { simulation.run(); }

    Duration clocks(std::int64_t count) const { return Cycles(count) * Clock(params.clock); }
    Duration arbitration() const { return params.arbitration * Clock(params.clock); }
    /// From the address phase to the end of the last data phase; turnaround follows.
    Duration write(std::int64_t dwords) const
    {
        return clocks(params.address_phase.count() + params.write_wait.count() + dwords * params.data_phase.count());
    }
    /// The same of a read whose target does not wait.
    Duration read(std::int64_t words) const
    {
        return clocks(params.address_phase.count() + params.read_turnaround.count() +
                      words * params.data_phase.count());
    }
    Duration retry() const { return clocks(params.address_phase.count() + params.retry_response.count()); }
    Duration turnaround() const { return params.turnaround * Clock(params.clock); }

    hw::PciParams params;
    Simulation simulation{1};
    hw::PciBus bus;
    std::vector<std::unique_ptr<PciProbe>> chips;
};

inline constexpr std::uint64_t kCard = BusBench::kRange;  ///< an address of slot 1

}  // namespace ringmesh::test
