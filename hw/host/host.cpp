// SPDX-License-Identifier: Apache-2.0
#include "hw/host/host.h"

namespace ringmesh::hw {

namespace {

constexpr std::size_t kBridgeSlot = 0;
constexpr std::size_t kFirstCardSlot = 1;

HostBridge::Config bridge_config(const Host::Config& config)
{
    return {.crossing = config.host.crossing,
            .retry_gap = config.pci.retry_gap * Clock(config.pci.clock),
            .posted_writes = static_cast<std::size_t>(config.host.posted_writes),
            .inbound_writes = static_cast<std::size_t>(config.host.inbound_writes),
            .memory_access = config.host.local_access,
            .read_crossing = config.host.read_crossing};
}

/// Where the memory of the second processor begins; of one processor, where memory ends.
std::uint64_t end_of_first(const HostParams& host)
{
    constexpr std::uint64_t kBlock = 128;
    const auto all = static_cast<std::uint64_t>(host.memory.count());
    return host.processors == 1 ? all : all / 2 / kBlock * kBlock;
}

unsigned pcs_for_driver(const Host::Config& config) { return config.host.processors == 1 ? 0 : config.pcs; }

}  // namespace

Host::Second::Second(Simulation& simulation, const Config& config, Host& host, const HostSegmentDriver::Tables& tables)
    : segments(config.pcs + config.rank, host.memory.size(), static_cast<std::uint64_t>(config.host.segments),
               end_of_first(config.host)),
      driver(config.pcs + config.rank, tables, host.cards, config.way_to, host.bridge, config.pcs),
      cpu("cpu1", simulation, {.rank = config.pcs + config.rank, .host = config.host, .takes_dma = false}, host.memory,
          host.bridge, driver, host.cards)
{}

void Host::add_second(HostSegmentDriver::Tables& tables)
{
    if (second_) tables.push_back(&second_->segments);
}

SegmentTable& Host::segments_at(std::uint64_t address)
{
    return second_ && address >= segments.end() ? second_->segments : segments;
}

Host::Host(Simulation& simulation, const Config& config, HostSegmentDriver::Tables& tables, const MakeCard& make_card)
    : memory(static_cast<std::uint64_t>(config.host.memory.count())),
      segments(config.rank, end_of_first(config.host), static_cast<std::uint64_t>(config.host.segments)),
      bridge("bridge", simulation, bridge_config(config), memory),
      pci("pci", simulation, config.pci, kFirstCardSlot + config.cards),
      cards(make_cards(config.cards, make_card)),
      driver(config.rank, tables, cards, config.way_to, bridge, pcs_for_driver(config)),
      cpu("cpu", simulation, {.rank = config.rank, .host = config.host}, memory, bridge, driver, cards)
{
    tables.push_back(&segments);
    if (config.host.processors == 2) second_ = std::make_unique<Second>(simulation, config, *this, tables);
    bridge.to_pci.bind(pci.from_slot[kBridgeSlot]);
    pci.to_slot[kBridgeSlot].bind(bridge.from_pci);
    pci.decode(0, kBridgeSlot);
    for (std::size_t card = 0; card < cards.size(); ++card) {
        cards[card]->plug_in(pci, kFirstCardSlot + card);
        pci.decode(window_of_card(card), kFirstCardSlot + card);
    }
}

std::vector<PciCard*> Host::make_cards(std::size_t count, const MakeCard& make_card)
{
    std::vector<PciCard*> made;
    for (std::size_t card = 0; card < count; ++card) {
        made.push_back(&make_card(
            {.card = card,
             .window = window_of_card(card),
             .interrupt =
                 [this](std::uint64_t packet) {
                     cpu.interrupted(packet);
                     if (second_) second_->cpu.interrupted(packet);
                 },
             .admit = [this](unsigned from, std::uint64_t offset,
                             std::uint64_t size) { segments_at(offset).require_exported(from, offset, size); }}));
    }
    return made;
}

}  // namespace ringmesh::hw
