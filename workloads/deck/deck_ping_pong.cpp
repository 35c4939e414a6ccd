// SPDX-License-Identifier: Apache-2.0
#include "workloads/deck/deck_ping_pong.h"

#include <fmt/format.h>

#include <utility>

#include "workloads/deck/deck_messenger.h"

namespace ringmesh::workloads::deck {

DeckPingPong::DeckPingPong(MessagingBenchmarkOptions exchange, const Options& library)
    : MessagingBenchmark("deck-ping-pong", Exchange::kPingPong, std::move(exchange)), library_(library)
{}

std::unique_ptr<Messenger> DeckPingPong::messenger(SciMachine& machine, unsigned rank)
{
    return std::make_unique<DeckMessenger>(machine.processor(rank), library_, machine.nodes());
}

void DeckPingPong::require_carried(const std::vector<std::uint32_t>& sizes) const
{
    const auto cure = [](std::uint32_t most) {
        return fmt::format("sizes=0..{} step {}", most, most < kBlockBytes ? 1 : kBlockBytes);
    };
    for (const std::uint32_t size : sizes) {
        const Choice protocol = library_.protocol_for(size, library_.shares(size));
        library_.require_carried(protocol, size, "deck-ping-pong: a message has", cure);
    }
}

std::vector<std::string> DeckPingPong::library_notes(const MessagingStatistics& sum) const
{
    return notes(library_, sum);
}

}  // namespace ringmesh::workloads::deck
