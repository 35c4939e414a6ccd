// SPDX-License-Identifier: Apache-2.0
#include "workloads/deck/protocol_1.h"

#include <algorithm>
#include <array>

namespace ringmesh::workloads::deck {

Task<> send_short(Side& side, Peer& to, const MessageObject& object, std::uint32_t size)
{
    co_await side.waiting.wait_for(to, Room::kShortSlot, 0);
    std::array<std::byte, kLargestBlock> bytes{};
    const auto payload = std::span(bytes).first(size);
    side.processor.peek(object.address, payload);
    const StoreRequest block = to.out.short_ring.write(payload, to.out.messages, side.options.stores);
    ++to.out.messages;
    co_await side.send_block(to, block);
    side.ended(Step::kPacketStored);
}

Task<Received> take_short(Side& side, Peer& from, const MessageObject& into)
{
    const std::uint32_t payload = side.options.largest_short();
    co_await side.copy.run(from.in.short_ring.address(), into.address, payload);
    side.ended(Step::kCopied);
    from.in.short_ring.advance();
    co_await side.finish_message(from, 0);
    co_return Received{from.rank, std::min(into.size, payload)};
}

}  // namespace ringmesh::workloads::deck
