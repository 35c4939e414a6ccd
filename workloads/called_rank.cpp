// SPDX-License-Identifier: Apache-2.0
#include "workloads/called_rank.h"

#include <fmt/format.h>

#include <utility>

#include "tlm/activity.h"

namespace ringmesh::workloads {

CalledRank::CalledRank(unsigned number, std::unique_ptr<Rank> rank, const Simulation& simulation)
    : sc_object(fmt::format("rank{}", number).c_str()), rank_(std::move(rank)), simulation_(simulation)
{}

void CalledRank::returns(Duration began)
{
    const Call call = std::exchange(call_, {});
    simulation_.report(*this,
                       {.what = call.word, .kind = StageKind::kCall, .from = began, .to = rank_->processor().time()});
}

Task<> CalledRank::send(unsigned to, Part bytes, Tag tag)
{
    const Duration began = rank_->processor().time();
    call_ = {"send", to, static_cast<std::int32_t>(tag), bytes_of(bytes)};
    co_await rank_->send(to, bytes, tag);
    returns(began);
}

Task<> CalledRank::send_constant(unsigned to, Part bytes, Tag tag)
{
    const Duration began = rank_->processor().time();
    call_ = {"send", to, static_cast<std::int32_t>(tag), bytes_of(bytes)};
    co_await rank_->send_constant(to, bytes, tag);
    returns(began);
}

Task<Received> CalledRank::receive(unsigned from, Part room, Tag tag)
{
    const Duration began = rank_->processor().time();
    call_ = {"receive", from, static_cast<std::int32_t>(tag), bytes_of(room)};
    const Received received = co_await rank_->receive(from, room, tag);
    returns(began);
    co_return received;
}

Task<> CalledRank::barrier(Group group)
{
    const Duration began = rank_->processor().time();
    call_ = {.word = "barrier"};
    co_await rank_->barrier(group);
    returns(began);
}

Task<> CalledRank::broadcast(Part bytes, unsigned root, Group group)
{
    const Duration began = rank_->processor().time();
    call_ = {.word = "broadcast", .peer = root, .tag = 0, .bytes = bytes_of(bytes)};
    co_await rank_->broadcast(bytes, root, group);
    returns(began);
}

void CalledRank::trace(sc_core::sc_trace_file* file) const
{
    const std::string prefix = name();
    trace_signal(file, call_.word, prefix + ".call",
                 {"the call of its library that this rank's program is in",
                  "program, send, receive, barrier, broadcast", SignalPlace::kProgram});
    trace_signal(file, call_.peer, prefix + ".call_peer",
                 {"the other rank of the call; of a broadcast, its root", "rank", SignalPlace::kProgram});
    trace_signal(file, call_.tag, prefix + ".call_tag",
                 {"the tag of the call's message; -1 for any", "tag", SignalPlace::kProgram});
    trace_signal(
        file, call_.bytes, prefix + ".call_bytes",
        {"the size of the call's message, or of the room for it, if that is known", "bytes", SignalPlace::kProgram});
}

}  // namespace ringmesh::workloads
