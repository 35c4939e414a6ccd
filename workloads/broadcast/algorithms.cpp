// SPDX-License-Identifier: Apache-2.0
#include "workloads/broadcast/algorithms.h"

#include <algorithm>

#include "workloads/broadcast/parts.h"

namespace ringmesh::workloads::broadcast {

Task<> linear_bcast(Rank& rank, Broadcast broadcast)
{
    const unsigned me = rank.processor().rank();
    const Part all = broadcast.all();
    if (me != broadcast.root) {
        co_await rank.receive(broadcast.root, all);
        co_return;
    }
    for (unsigned other = 0; other < broadcast.ranks; ++other) {
        if (other != me) co_await rank.send(other, all);
    }
}

namespace {

/// A rank's place in a binomial tree over ranks that are numbered from the root on.
struct BinomialPlace {
    unsigned number = 0;
    unsigned under = 1;  ///< it and those below it are `number` to number + under - 1, as far as they exist

    BinomialPlace(unsigned rank, const Broadcast& broadcast)
        : number((rank + broadcast.ranks - broadcast.root) % broadcast.ranks)
    {
        while (under < broadcast.ranks && (number & under) == 0) under *= 2;
    }
};

unsigned rank_of(unsigned number, const Broadcast& broadcast) { return (number + broadcast.root) % broadcast.ranks; }

}  // namespace

Task<> binomial_bcast(Rank& rank, Broadcast broadcast)
{
    const BinomialPlace place(rank.processor().rank(), broadcast);
    const Part all = broadcast.all();
    if (place.number != 0) co_await rank.receive(rank_of(place.number - place.under, broadcast), all);
    for (unsigned distance = place.under / 2; distance > 0; distance /= 2) {
        const unsigned child = place.number + distance;
        if (child < broadcast.ranks) co_await rank.send(rank_of(child, broadcast), all);
    }
}

namespace {

/// Blocks `first` to end - 1 of a message that is cut into one for each rank; no bytes behind its end.
Part blocks_of(const Broadcast& broadcast, unsigned first, unsigned end)
{
    const std::int64_t block = cut(broadcast.size, broadcast.ranks).count;  // rounded up
    const std::int64_t from = std::min(first * block, std::int64_t{broadcast.size});
    return broadcast.at(from, std::min(end * block, std::int64_t{broadcast.size}) - from);
}

Task<> scatter(Rank& rank, BinomialPlace place, Broadcast broadcast)
{
    if (place.number != 0) {
        const Part mine = blocks_of(broadcast, place.number, place.number + place.under);
        if (mine.size > 0) co_await rank.receive(rank_of(place.number - place.under, broadcast), mine);
    }
    for (unsigned distance = place.under / 2; distance > 0; distance /= 2) {
        const unsigned child = place.number + distance;
        if (child >= broadcast.ranks) continue;
        const Part theirs = blocks_of(broadcast, child, child + distance);
        if (theirs.size > 0) co_await rank.send(rank_of(child, broadcast), theirs);
    }
}

}  // namespace

Task<> scatter_allgather_bcast(Rank& rank, Broadcast broadcast)
{
    const unsigned ranks = broadcast.ranks;
    const BinomialPlace place(rank.processor().rank(), broadcast);
    co_await scatter(rank, place, broadcast);
    const unsigned next = rank_of((place.number + 1) % ranks, broadcast);
    const unsigned previous = rank_of((place.number + ranks - 1) % ranks, broadcast);
    Requests* const requests = rank.requests();
    const bool sends_first = place.number % 2 == 0;
    for (unsigned round = 0; round + 1 < ranks; ++round) {
        const unsigned sent = (place.number + ranks - round) % ranks;
        const unsigned received = (sent + ranks - 1) % ranks;
        const Part out = blocks_of(broadcast, sent, sent + 1);
        const Part in = blocks_of(broadcast, received, received + 1);
        if (requests != nullptr) {
            if (in.size > 0) co_await requests->irecv(previous, in, 0);
            if (out.size > 0) co_await requests->isend(next, out, 0);
            co_await requests->wait_all();
            continue;
        }
        if (sends_first && out.size > 0) co_await rank.send(next, out);
        if (in.size > 0) co_await rank.receive(previous, in);
        if (!sends_first && out.size > 0) co_await rank.send(next, out);
    }
}

Task<> cube_bcast(Rank& rank, Broadcast broadcast)
{
    const unsigned ranks = broadcast.ranks;
    const Cut parts = cut(broadcast.size, broadcast.part);
    // The schedule has rank 0 as its root; with another one all move on by as much
    const unsigned place = (rank.processor().rank() + ranks - broadcast.root) % ranks;
    const CubeSchedule schedule(ranks, place, parts.count, broadcast.final_exchange);
    for (std::int64_t step = 0; step < schedule.steps(); ++step) {
        const Calls calls = schedule.at(step);
        for (const Transfer& transfer : calls) {
            const Part part = broadcast.at(parts.offset(transfer.part), parts.size(transfer.part));
            const unsigned peer = (transfer.peer + broadcast.root) % ranks;
            if (transfer.sends) {
                co_await rank.send(peer, part);
            } else {
                co_await rank.receive(peer, part);
            }
        }
    }
}

namespace {

/// The pieces of a part that are pipelined along the line.
Cut pieces_of(const Broadcast& broadcast, const Cut& parts, std::int64_t part, bool in_one_piece)
{
    const std::int64_t size = parts.size(part);
    return in_one_piece ? whole(size) : pieces(size, broadcast.part, broadcast.pipe, broadcast.equal_pieces);
}

/// The pieces of a part that a rank receives or sends in a round; none if it does not.
struct Line {
    Cut pieces;
    std::int64_t start = 0;  ///< of the part

    Line(const Broadcast& broadcast, const Cut& parts, std::int64_t part, bool in_one_piece)
    {
        if (part < 0) return;
        pieces = pieces_of(broadcast, parts, part, in_one_piece);
        start = parts.offset(part);
    }
    Part piece(const Broadcast& broadcast, std::int64_t k) const
    {
        return broadcast.at(start + pieces.offset(k), pieces.size(k));
    }
};

Task<> requested_round(Requests& requests, DoplRound round, Broadcast broadcast, Cut parts)
{
    const Line in(broadcast, parts, round.received, round.receives_whole);
    const Line out(broadcast, parts, round.sent, round.sends_whole);
    for (std::int64_t k = 0; k < in.pieces.count; ++k) {
        co_await requests.irecv(round.previous, in.piece(broadcast, k), static_cast<std::uint32_t>(k));
    }
    for (std::int64_t k = 0; k < out.pieces.count; ++k) {
        if (round.sent == round.received) co_await requests.wait_received(static_cast<std::uint32_t>(k));
        co_await requests.isend(round.next, out.piece(broadcast, k), static_cast<std::uint32_t>(k));
    }
    co_await requests.wait_all();
}

/// The head of a line sends before it receives from the tail, all others receive before they send.
Task<> blocking_round(Rank& rank, DoplRound round, Broadcast broadcast, Cut parts)
{
    const Line in(broadcast, parts, round.received, round.receives_whole);
    const Line out(broadcast, parts, round.sent, round.sends_whole);
    if (round.sent == round.received) {
        for (std::int64_t k = 0; k < in.pieces.count; ++k) {
            co_await rank.receive(round.previous, in.piece(broadcast, k));
            co_await rank.send(round.next, out.piece(broadcast, k));
        }
        co_return;
    }
    const bool heads = round.is_head;
    for (std::int64_t k = 0; heads && k < out.pieces.count; ++k) {
        co_await rank.send(round.next, out.piece(broadcast, k));
    }
    for (std::int64_t k = 0; k < in.pieces.count; ++k) {
        co_await rank.receive(round.previous, in.piece(broadcast, k));
    }
    for (std::int64_t k = 0; !heads && k < out.pieces.count; ++k) {
        co_await rank.send(round.next, out.piece(broadcast, k));
    }
}

}  // namespace

Task<> dopl_bcast(Rank& rank, DoplGrid grid, Broadcast broadcast)
{
    const Cut parts = cut(broadcast.size, broadcast.part);
    const DoplSchedule schedule(grid, rank.processor().rank(), parts.count, broadcast.root);
    Requests* const requests = rank.requests();
    for (std::int64_t i = 0; i < schedule.rounds(); ++i) {
        const DoplRound round = schedule.at(i);
        if (requests != nullptr) {
            co_await requested_round(*requests, round, broadcast, parts);
        } else {
            co_await blocking_round(rank, round, broadcast, parts);
        }
    }
}

}  // namespace ringmesh::workloads::broadcast
