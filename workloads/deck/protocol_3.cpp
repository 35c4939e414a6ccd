// SPDX-License-Identifier: Apache-2.0
#include "workloads/deck/protocol_3.h"

#include <fmt/format.h>

#include "tlm/error.h"

namespace ringmesh::workloads::deck {

Task<> send_zero_copy(Side& side, Peer& to, const MessageObject& object, std::uint32_t size)
{
    co_await side.waiting.wait_for(to, Room::kControlSlot, 0);
    const Control request{.sign = Sign::kRequest, .size = size};
    co_await send_control(side, to, request);
    side.ended(Step::kRequestStored);
    co_await side.waiting.wait_for(to, Room::kAnswer, 0);
    side.ended(Step::kArrived);
    const std::uint64_t target = to.out.objects + to.out.notices.words()[NoticeWord::kOffset];
    co_await side.send_data(object.address, target, size);
    side.ended(Step::kDataStored);
    co_await side.settle();
    co_await side.waiting.wait_for(to, Room::kControlSlot, 0);
    const Control end{.sign = Sign::kEnd, .size = size};
    co_await send_control(side, to, end);
    side.ended(Step::kEndStored);
    ++to.out.messages;
}

Task<> answer_request(Side& side, Peer& from, const MessageObject& into, std::uint32_t size)
{
    require_fits(side.processor, from.rank, size, into);
    if (!into.shared) {
        throw UserError(fmt::format(
            "deck: rank {} sends {} bytes by protocol 3, and the message object that rank {} receives in was "
            "created for {}, so that its buffer is in local memory; create it above limit = {}",
            from.rank, size, side.processor.rank(), into.size, side.options.limit));
    }
    from.in.answered = from.in.messages + 1;
    from.in.offset = into.offset;
    co_await side.notify(from);
    side.ended(Step::kAnswerStored);
}

Task<Received> end_zero_copy(Side& side, IncomingTransfer transfer)
{
    Peer& from = *transfer.from;
    const Control control = co_await take_control(side, from);
    if (control.sign != Sign::kEnd || control.size != transfer.size) {
        throw ModelError(
            fmt::format("deck: rank {} finds no end of the message of rank {}", side.processor.rank(), from.rank));
    }
    co_await side.finish_message(from, 0);
    co_return Received{from.rank, transfer.size};
}

}  // namespace ringmesh::workloads::deck
