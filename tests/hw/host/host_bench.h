// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/host/host_processor.h"
#include "tests/hw/host/card_window.h"
#include "tests/hw/pci/pci_probe.h"
#include "tests/hw/printing.h"
#include "tests/support/statistics.h"
#include "tlm/error.h"

namespace ringmesh {
inline std::ostream& operator<<(std::ostream& out, StoreKind kind)
{
    return out << (kind == StoreKind::kSingle ? "single" : kind == StoreKind::kMemcpy ? "memcpy" : "mmx");
}
}  // namespace ringmesh

namespace ringmesh::test {

/// A processor with memory and bridge, and a probe for its PCI bus. The window maps a segment of another node, from its
/// first address on.
struct HostBench {
    static constexpr std::uint64_t kWindow = hw::window_of_card(0);
    static constexpr unsigned kMe = 3;
    static constexpr unsigned kPeer = 0;

    explicit HostBench(const hw::HostParams& wanted = {}, std::uint64_t seed = 1)
        : params(wanted),
          simulation(seed),
          pci("pci", simulation),
          bridge("bridge", simulation,
                 {.crossing = wanted.crossing,
                  .retry_gap = 60_ns,
                  .posted_writes = static_cast<std::size_t>(wanted.posted_writes),
                  .read_crossing = wanted.read_crossing},
                 memory),
          cpu("cpu", simulation, {.rank = kMe, .host = wanted}, memory, bridge, driver, cards)
    {
        peer.create(0, memory.size());
        peer.export_segment(0);
        if (driver.import_and_map(kPeer, 0) != kWindow) throw ModelError("the window does not begin with the segment");
        bridge.to_pci.bind(pci.in);
        pci.out.bind(bridge.from_pci);
    }

    /// Bytes from the network are in memory at this time.
    void write_at(Duration time, std::uint64_t address, std::vector<std::byte> bytes)
    {
        pci.store_at(time - params.crossing - pci.data_after, address, std::move(bytes));
    }
    void run(Task<> program)
    {
        cpu.run(std::move(program), "program");
        simulation.run();
    }
    Duration clocks(Cycles cycles) const { return cycles * Clock(params.clock); }
    Duration loop() const { return clocks(params.poll_loop); }
    double statistic(const std::string& name) const { return statistic_of(cpu, name); }

    hw::HostParams params;
    Simulation simulation;
    hw::Memory memory{1 << 20};
    PciProbe pci;
    hw::HostBridge bridge;
    hw::SegmentTable own{kMe, memory.size(), 16};
    hw::SegmentTable peer{kPeer, 2 * memory.size(), 16};
    hw::HostSegmentDriver::Tables tables{&peer, nullptr, nullptr, &own};
    CardWindow card;  // its registers; the probe answers in its place
    std::vector<hw::PciCard*> cards{&card};
    hw::HostSegmentDriver driver{kMe, tables, cards, {}, bridge};
    hw::HostProcessor cpu;
};

}  // namespace ringmesh::test
