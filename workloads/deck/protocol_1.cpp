// SPDX-License-Identifier: Apache-2.0
#include "workloads/deck/protocol_1.h"

#include <algorithm>
#include <array>

namespace ringmesh::workloads::deck {

Task<> send_short(Rank& rank, Peer& to, const MessageObject& object, std::uint32_t size)
{
    co_await rank.waiting.wait_for(to, Room::kShortSlot, 0);
    std::array<std::byte, kLargestBlock> bytes{};
    const auto payload = std::span(bytes).first(size);
    rank.processor.peek(object.address, payload);
    const StoreRequest block = to.out.short_ring.write(payload, to.out.messages, rank.options.stores);
    ++to.out.messages;
    co_await rank.send_block(to, block);
    rank.ended(Step::kPacketStored);
}

Task<Received> take_short(Rank& rank, Peer& from, const MessageObject& into)
{
    const std::uint32_t payload = rank.options.largest_short();
    co_await rank.copy.run(from.in.short_ring.address(), into.address, payload);
    rank.ended(Step::kCopied);
    from.in.short_ring.advance();
    co_await rank.finish_message(from, 0);
    co_return Received{from.rank, std::min(into.size, payload)};
}

}  // namespace ringmesh::workloads::deck
