// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "hw/host/host_bridge.h"
#include "hw/host/host_processor.h"
#include "hw/host/segments/segment_driver.h"
#include "hw/host/segments/segment_table.h"
#include "hw/memory.h"
#include "hw/pci/pci_bus.h"
#include "hw/pci/pci_card.h"

namespace ringmesh::hw {

/// A PC with a card in its slot, or several:
///
///     cpu --> bridge <--> pci <--> card, card
///               |
///     cpu1    memory                               if it has two processors: cpu1 --> bridge, too
///
/// Part of the module that constructs it, whose name is the prefix of its blocks' names.
class Host {
public:
    /// First PCI address of the first card; memory is below.
    static constexpr std::uint64_t kWindow = window_of_card(0);

    struct Config {
        unsigned rank = 0;
        HostParams host;
        PciParams pci;
        std::size_t cards = 1;                 ///< at most kMostCards
        HostSegmentDriver::WayTo way_to = {};  ///< needed if there are several
        unsigned pcs = 0;                      ///< of the machine; needed if there are two processors
    };
    /// Constructs one of the cards, which outlive the PC.
    using MakeCard = std::function<PciCard&(const PciSlot&)>;

    /// @param tables segments of all processors, by number; outlives the PC, which adds that of its first
    Host(Simulation& simulation, const Config& config, HostSegmentDriver::Tables& tables, const MakeCard& make_card);
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;

    Memory memory;
    SegmentTable segments;
    HostBridge bridge;
    PciBus pci;
    std::vector<PciCard*> cards;
    HostSegmentDriver driver;
    HostProcessor cpu;

    /// Of PC r of n: number r is the first, n + r the second. @pre it has so many
    HostProcessor& processor(std::size_t i) { return i == 0 ? cpu : second_->cpu; }
    /// After all PCs are made: adds the segments of the second processor, if there is one.
    void add_second(HostSegmentDriver::Tables& tables);

private:
    /// The other processor, which has half the memory for its segments.
    struct Second {
        Second(Simulation& simulation, const Config& config, Host& host, const HostSegmentDriver::Tables& tables);
        SegmentTable segments;
        HostSegmentDriver driver;
        HostProcessor cpu;
    };
    std::unique_ptr<Second> second_;
    SegmentTable& segments_at(std::uint64_t address);
    std::vector<PciCard*> make_cards(std::size_t count, const MakeCard& make_card);
};

}  // namespace ringmesh::hw
