// SPDX-License-Identifier: Apache-2.0
#include "workloads/deck/protocol_3.h"

#include <fmt/format.h>

#include "tlm/error.h"

namespace ringmesh::workloads::deck {

Task<> send_zero_copy(Rank& rank, Peer& to, const MessageObject& object, std::uint32_t size)
{
    co_await rank.waiting.wait_for(to, Room::kControlSlot, 0);
    const Control request{.sign = Sign::kRequest, .size = size};
    co_await send_control(rank, to, request);
    rank.ended(Step::kRequestStored);
    co_await rank.waiting.wait_for(to, Room::kAnswer, 0);
    rank.ended(Step::kArrived);
    const std::uint64_t target = to.out.objects + to.out.notices.words()[NoticeWord::kOffset];
    co_await rank.send_data(object.address, target, size);
    rank.ended(Step::kDataStored);
    co_await rank.settle();
    co_await rank.waiting.wait_for(to, Room::kControlSlot, 0);
    const Control end{.sign = Sign::kEnd, .size = size};
    co_await send_control(rank, to, end);
    rank.ended(Step::kEndStored);
    ++to.out.messages;
}

Task<> answer_request(Rank& rank, Peer& from, const MessageObject& into, std::uint32_t size)
{
    require_fits(rank.processor, from.rank, size, into);
    if (!into.shared) {
        throw UserError(fmt::format(
            "deck: rank {} sends {} bytes by protocol 3, and the message object that rank {} receives in was "
            "created for {}, so that its buffer is in local memory; create it above limit = {}",
            from.rank, size, rank.processor.rank(), into.size, rank.options.limit));
    }
    from.in.answered = from.in.messages + 1;
    from.in.offset = into.offset;
    co_await rank.notify(from);
    rank.ended(Step::kAnswerStored);
}

Task<Received> end_zero_copy(Rank& rank, IncomingTransfer transfer)
{
    Peer& from = *transfer.from;
    const Control control = co_await take_control(rank, from);
    if (control.sign != Sign::kEnd || control.size != transfer.size) {
        throw ModelError(
            fmt::format("deck: rank {} finds no end of the message of rank {}", rank.processor.rank(), from.rank));
    }
    co_await rank.finish_message(from, 0);
    co_return Received{from.rank, transfer.size};
}

}  // namespace ringmesh::workloads::deck
