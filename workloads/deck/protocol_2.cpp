// SPDX-License-Identifier: Apache-2.0
#include "workloads/deck/protocol_2.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "tlm/error.h"

namespace ringmesh::workloads::deck {
namespace {

using Header = std::array<std::uint32_t, 2>;
static_assert(sizeof(Header) == kHeaderBytes);

Header header(std::uint32_t size, std::uint64_t number) { return {size, static_cast<std::uint32_t>(number)}; }

}  // namespace

Task<> send_general(Side& side, Peer& to, const MessageObject& object, std::uint32_t size)
{
    const auto room = static_cast<std::uint32_t>(padded(kHeaderBytes + size));
    co_await side.waiting.wait_for(to, Room::kBuffer, room);
    // The object has room for the header before its buffer, so both leave together.
    const std::uint64_t image = object.address - kHeaderBytes;
    const Header head = header(size, to.out.messages);
    side.processor.poke(image, std::as_bytes(std::span(head)));
    const auto pieces = to.out.buffer.write(room);
    for (const ByteRing::Piece& piece : pieces) co_await side.send_data(image + piece.from, piece.address, piece.size);
    side.ended(Step::kDataStored);
    co_await side.settle();
    const Control control{.sign = Sign::kInBuffer, .size = size};
    co_await send_control(side, to, control);
    side.ended(Step::kControlStored);
    ++to.out.messages;
}

Task<Received> take_general(Side& side, Peer& from, const MessageObject& into)
{
    const auto start = from.in.buffer.pieces(kHeaderBytes);
    std::array<std::byte, kHeaderBytes> bytes{};
    const LoadRequest load{.address = start[0].address, .data = bytes.data(), .size = kHeaderBytes, .width = 8};
    co_await side.processor.load(load);
    side.ended(Step::kHeaderRead);
    Header head{};
    std::memcpy(head.data(), bytes.data(), kHeaderBytes);
    if (head != header(head[0], from.in.messages)) {
        throw ModelError(fmt::format("deck: rank {} finds the header of message {} of rank {} instead of {}'s",
                                     side.processor.rank(), head[1], from.rank, from.in.messages));
    }
    require_fits(side.processor, from.rank, head[0], into);
    const auto room = static_cast<std::uint32_t>(padded(kHeaderBytes + head[0]));
    co_await side.copy.out_of(from.in.buffer, kHeaderBytes, head[0], into.address);
    side.ended(Step::kCopied);
    co_await side.finish_message(from, room);
    co_return Received{from.rank, head[0]};
}

}  // namespace ringmesh::workloads::deck
