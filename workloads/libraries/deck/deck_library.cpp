// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/deck/deck_library.h"

#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"
#include "tlm/pc/pc_machine.h"
#include "workloads/libraries/deck/deck_rank.h"

namespace ringmesh::workloads::deck {

std::vector<std::unique_ptr<Rank>> DeckLibrary::make_ranks(Machine& machine, const Placement& ranks)
{
    auto& pcs = machine_as<PcMachine>(machine);
    std::vector<std::unique_ptr<Rank>> all;
    for (unsigned rank = 0; rank < ranks.ranks(); ++rank) {
        PcProcessor& processor = pcs.processor(ranks.node(rank));
        if (options_.transfer == Transfer::kDma && !processor.has_dma_engine()) {
            throw UserError(
                fmt::format("deck: transfer = dma: the card of node {} has no DMA engine; write transfer=stores",
                            ranks.node(rank)));
        }
        all.push_back(std::make_unique<DeckRank>(processor, options_, ranks.ranks()));
    }
    return all;
}

ProgramUse DeckLibrary::uses() const
{
    const bool dma = options_.transfer == Transfer::kDma;
    return {.single_stores = false,  // a doorbell's single store has 4 bytes, however many are gathered
            .memcpy_stores = options_.stores == StoreKind::kMemcpy,
            .mmx_stores = options_.stores == StoreKind::kMmx || dma,  // an order to the DMA engine
            .loads = false,
            .barriers = true,
            .dma = dma,
            .interrupts = options_.notification == Notification::kInterrupt};
}

std::vector<std::uint32_t> DeckLibrary::buffer_sizes(std::uint32_t largest) const
{
    return {std::min(largest, static_cast<std::uint32_t>(options_.limit)), largest};
}

void DeckLibrary::require_carried(std::uint32_t size, std::string_view subject, Cure cure) const
{
    options_.require_carried(options_.protocol_for(size, options_.shares(size)), size, subject, cure);
}

std::vector<std::string> DeckLibrary::notes(const MessagingStatistics& sum) const
{
    std::vector<std::string> notes;
    if (sum.sent.at(0).messages != 0) {
        notes.push_back(
            fmt::format("protocol 1 carries no length: the receiver's message object tells how many of {} bytes count",
                        options_.largest_short()));
    }
    if (sum.sent.at(1).messages != 0) {
        notes.emplace_back(
            "protocol 2: messages of 8 n + 1 blocks with their header (to 56 bytes, 505 to 568, ...) keep the place "
            "among the stream buffers at which the sizes before them ended, and their time depends on it");
    }
    if (options_.transfer == Transfer::kDma && sum.sent.at(1).messages + sum.sent.at(2).messages == 0) {
        notes.emplace_back("transfer=dma had no effect: it moves what goes by protocols 2 and 3, and nothing did");
    }
    return notes;
}

}  // namespace ringmesh::workloads::deck
