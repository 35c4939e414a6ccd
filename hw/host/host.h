// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "hw/host/host_bridge.h"
#include "hw/host/host_processor.h"
#include "hw/host/segment_driver.h"
#include "hw/host/segment_table.h"
#include "hw/memory.h"
#include "hw/pci/pci_bus.h"
#include "hw/pci/pci_card.h"

namespace ringmesh::hw {

/// A PC with a card in its slot, or several:
///
///     cpu --> bridge <--> pci <--> card, card
///               |
///             memory
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
    };
    /// Constructs one of the cards, which outlive the PC.
    using MakeCard = std::function<PciCard&(const PciSlot&)>;

    /// @param tables segments of all nodes, by rank; outlives the PC, which adds its own
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

private:
    std::vector<PciCard*> make_cards(std::size_t count, const MakeCard& make_card);
};

}  // namespace ringmesh::hw
