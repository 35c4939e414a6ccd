// SPDX-License-Identifier: Apache-2.0
#include "workloads/deck/deck_ping_pong.h"

#include <fmt/format.h>

#include <utility>

#include "workloads/deck/deck_messenger.h"

namespace ringmesh::workloads::deck {

DeckPingPong::DeckPingPong(MessagingBenchmarkOptions exchange, const Options& library)
    : MessagingBenchmark("deck-ping-pong", Exchange::kPingPong, std::move(exchange)), library_(library)
{}

std::unique_ptr<Messenger> DeckPingPong::messenger(Machine& machine, unsigned rank)
{
    return std::make_unique<DeckMessenger>(machine.processor(rank), library_, machine.nodes());
}

std::vector<std::string> DeckPingPong::library_notes() const
{
    return {fmt::format("protocol 1 carries no length: the receiver's message object tells how many of {} bytes count",
                        library_.largest_short())};
}

}  // namespace ringmesh::workloads::deck
