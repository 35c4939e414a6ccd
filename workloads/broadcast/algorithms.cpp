// SPDX-License-Identifier: Apache-2.0
#include "workloads/broadcast/algorithms.h"

#include "workloads/broadcast/dopl_schedule.h"
#include "workloads/broadcast/parts.h"

namespace ringmesh::workloads::broadcast {

Task<> cube_bcast(rcce::Rcce& rcce, Broadcast broadcast)
{
    const unsigned cores = rcce.num_ues();
    const Cut parts = cut(broadcast.size, broadcast.part);
    // The schedule has core 0 as its root; with another one all move on by as much
    const unsigned place = (rcce.ue() + cores - broadcast.root) % cores;
    const CubeSchedule schedule(cores, place, parts.count, broadcast.final_exchange);
    for (std::int64_t step = 0; step < schedule.steps(); ++step) {
        const Calls calls = schedule.at(step);
        for (const Transfer& transfer : calls) {
            const std::uint64_t bytes = broadcast.buffer + static_cast<std::uint64_t>(parts.offset(transfer.part));
            const auto size = static_cast<std::uint32_t>(parts.size(transfer.part));
            const unsigned peer = (transfer.peer + broadcast.root) % cores;
            if (transfer.sends) {
                co_await rcce.send(bytes, size, peer);
            } else {
                co_await rcce.recv(bytes, size, peer);
            }
        }
    }
}

namespace {

/// What of a part follows each other along the line.
Cut pieces_of(const Broadcast& broadcast, const Cut& parts, std::int64_t part, bool in_one_piece)
{
    const std::int64_t size = parts.size(part);
    return in_one_piece ? whole(size) : pieces(size, broadcast.part, broadcast.pipe, broadcast.equal_pieces);
}

}  // namespace

Task<> dopl_bcast(rcce::Rcce& rcce, rcce::Ircce& ircce, Broadcast broadcast)
{
    const Cut parts = cut(broadcast.size, broadcast.part);
    const DoplSchedule schedule(rcce.num_ues(), rcce.ue(), parts.count, broadcast.root);
    const auto most = static_cast<std::size_t>(cut(broadcast.part, broadcast.pipe).count);
    std::vector<rcce::RecvRequest> receives(most);
    std::vector<rcce::SendRequest> sends(most);
    rcce::WaitList all;
    ircce.init_wait_list(all);
    for (std::int64_t i = 0; i < schedule.rounds(); ++i) {
        const DoplRound round = schedule.at(i);
        if (round.received >= 0) {
            const Cut in = pieces_of(broadcast, parts, round.received, round.receives_whole);
            const std::uint64_t part = broadcast.buffer + static_cast<std::uint64_t>(parts.offset(round.received));
            for (std::int64_t k = 0; k < in.count; ++k) {
                auto& request = receives[static_cast<std::size_t>(k)];
                co_await ircce.irecv(part + static_cast<std::uint64_t>(in.offset(k)),
                                     static_cast<std::uint32_t>(in.size(k)), round.previous, request);
                ircce.add_to_wait_list(all, nullptr, &request);
            }
        }
        if (round.sent >= 0) {
            const Cut out = pieces_of(broadcast, parts, round.sent, round.sends_whole);
            const std::uint64_t part = broadcast.buffer + static_cast<std::uint64_t>(parts.offset(round.sent));
            for (std::int64_t k = 0; k < out.count; ++k) {
                if (round.sent == round.received) co_await ircce.irecv_wait(receives[static_cast<std::size_t>(k)]);
                auto& request = sends[static_cast<std::size_t>(k)];
                co_await ircce.isend(part + static_cast<std::uint64_t>(out.offset(k)),
                                     static_cast<std::uint32_t>(out.size(k)), round.next, request);
                ircce.add_to_wait_list(all, &request, nullptr);
            }
        }
        co_await ircce.wait_all(all);
    }
}

}  // namespace ringmesh::workloads::broadcast
