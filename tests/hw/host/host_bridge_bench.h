// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "hw/host/host_bridge.h"
#include "tests/hw/pci/pci_probe.h"
#include "tests/hw/printing.h"

namespace ringmesh::test {

/// A host bridge between a memory and a probe for its PCI bus; the test is the processor.
struct BridgeBench {
    explicit BridgeBench(const hw::HostBridge::Config& wanted = {187_ns, 60_ns, 4})
        : params(wanted), pci("pci", simulation), timetable("timetable"), bridge("bridge", simulation, wanted, memory)
    {
        bridge.to_pci.bind(pci.in);
        pci.out.bind(bridge.from_pci);
        bridge.connect([this](std::uint64_t) { room.push_back(now()); },
                       [this](std::span<const std::byte> bytes, Duration ready) {
                           loads.push_back({ready, {bytes.begin(), bytes.end()}});
                       },
                       [this](std::uint64_t address, std::size_t size, std::uint64_t) {
                           changes.push_back({now(), address, size});
                       });
    }
    void post_at(Duration time, std::uint64_t address, std::vector<std::byte> bytes, Duration issued)
    {
        timetable.at(time, [this, address, bytes, issued] { bridge.post(address, bytes, issued); });
    }
    void read_at(Duration time, std::uint64_t address, std::size_t size, Duration issued)
    {
        timetable.at(time, [this, address, size, issued] { bridge.read(address, size, issued); });
    }
    void run() { simulation.run(); }

    struct Load {
        Duration ready;
        std::vector<std::byte> bytes;
    };
    std::vector<Load> loads;
    struct Change {
        Duration time;
        std::uint64_t address;
        std::size_t size;
    };
    hw::HostBridge::Config params;
    Simulation simulation{1};
    hw::Memory memory{1 << 20};
    PciProbe pci;
    Timetable timetable;
    hw::HostBridge bridge;
    std::vector<Duration> room;
    std::vector<Change> changes;
};

}  // namespace ringmesh::test
