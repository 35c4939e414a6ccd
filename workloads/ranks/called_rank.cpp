// SPDX-License-Identifier: Apache-2.0
#include "workloads/ranks/called_rank.h"

#include <fmt/format.h>

#include <utility>

#include "tlm/statistics/activity.h"

namespace ringmesh::workloads {

CalledRank::CalledRank(unsigned number, std::unique_ptr<Rank> rank, const Simulation& simulation,
                       CallListener* listener)
    : sc_object(fmt::format("rank{}", number).c_str()),
      rank_(std::move(rank)),
      simulation_(simulation),
      listener_(listener),
      requests_(*this, rank_->requests()),
      one_sided_(*this, rank_->one_sided())
{}

BufferId CalledRank::create_buffer(std::uint32_t size, std::uint32_t largest_part)
{
    const BufferId buffer = rank_->create_buffer(size, largest_part);
    if (buffer >= sizes_.size()) sizes_.resize(buffer + 1);
    sizes_[buffer] = size;
    return buffer;
}

std::uint32_t CalledRank::bytes_of(Part part) const
{
    return part.buffer < sizes_.size() ? part.size_in(sizes_[part.buffer]) : 0;
}

Group CalledRank::create_group(unsigned members)
{
    const Group group = rank_->create_group(members);
    if (group >= groups_.size()) groups_.resize(group + 1);
    groups_[group] = members;
    return group;
}

void CalledRank::enter(const Call& call)
{
    call_ = call;
    for (const ValueWatch& each : watches_) each.changed();
}

void CalledRank::begins(const Call& call)
{
    enter(call);
    if (listener_ != nullptr) listener_->begins(me(), rank_->processor().time(), call);
}

Task<> CalledRank::heard(Call call, Task<> of_library)
{
    if (listener_ != nullptr) listener_->begins(me(), rank_->processor().time(), call);
    co_await std::move(of_library);
    if (listener_ != nullptr) listener_->returns(me(), rank_->processor().time(), me());
}

void CalledRank::returns(Duration began, unsigned from)
{
    if (listener_ != nullptr) listener_->returns(me(), rank_->processor().time(), from);
    const Call call = call_;
    enter({});
    simulation_.report(*this, {.what = call.word,
                               .kind = StageKind::kCall,
                               .from = began,
                               .to = rank_->processor().time(),
                               .peer = call.peer,
                               .tag = call.tag,
                               .bytes = call.bytes});
}

Task<> CalledRank::within(Call call, Task<> of_library)
{
    const Duration began = rank_->processor().time();
    begins(call);
    co_await std::move(of_library);
    returns(began, call.peer);
}

Task<> CalledRank::send(unsigned to, Part bytes, Tag tag)
{
    return within({"send", to, static_cast<std::int32_t>(tag), bytes_of(bytes)}, rank_->send(to, bytes, tag));
}

Task<> CalledRank::send_constant(unsigned to, Part bytes, Tag tag)
{
    return within({"send", to, static_cast<std::int32_t>(tag), bytes_of(bytes)}, rank_->send_constant(to, bytes, tag));
}

Task<Received> CalledRank::receive(unsigned from, Part room, Tag tag)
{
    const Duration began = rank_->processor().time();
    const Call call{"receive", from, static_cast<std::int32_t>(tag), bytes_of(room)};
    begins(call);
    const Received received = co_await rank_->receive(from, room, tag);
    returns(began, received.from);
    co_return received;
}

Task<> CalledRank::barrier(Group group)
{
    return within({.word = "barrier", .members = groups_.at(group)}, rank_->barrier(group));
}

Task<> CalledRank::broadcast(Part bytes, unsigned root, Group group)
{
    return within({"broadcast", root, 0, bytes_of(bytes)}, rank_->broadcast(bytes, root, group));
}

Task<> CalledRank::CalledRequests::isend(unsigned to, Part bytes, std::uint32_t request)
{
    return caller.within({"isend", to, static_cast<std::int32_t>(request), caller.bytes_of(bytes)},
                         of->isend(to, bytes, request));
}

Task<> CalledRank::CalledRequests::irecv(unsigned from, Part room, std::uint32_t request)
{
    return caller.within({"irecv", from, static_cast<std::int32_t>(request), caller.bytes_of(room)},
                         of->irecv(from, room, request));
}

Task<> CalledRank::CalledRequests::wait_received(std::uint32_t request)
{
    return caller.within({"wait", caller.me(), static_cast<std::int32_t>(request), 0}, of->wait_received(request));
}

Task<> CalledRank::CalledRequests::wait_all()
{
    return caller.within({"wait all", caller.me(), -1, 0}, of->wait_all());
}

Task<> CalledRank::CalledOneSided::put(Part from, unsigned rank, std::uint32_t offset)
{
    return caller.within({"put", rank, 0, caller.bytes_of(from)}, of->put(from, rank, offset));
}

Task<> CalledRank::CalledOneSided::get(Part to, unsigned rank, std::uint32_t offset)
{
    return caller.within({"get", rank, 0, caller.bytes_of(to)}, of->get(to, rank, offset));
}

Task<> CalledRank::CalledOneSided::fetch(unsigned rank, std::uint32_t offset, std::uint32_t size)
{
    return caller.within({"fetch", rank, 0, size}, of->fetch(rank, offset, size));
}

Task<> CalledRank::CalledOneSided::set_flag(Flag flag, std::uint8_t value, unsigned at)
{
    return caller.within({"set flag", at, static_cast<std::int32_t>(flag), 1}, of->set_flag(flag, value, at));
}

Task<> CalledRank::CalledOneSided::wait_flag(Flag flag, std::uint8_t value)
{
    return caller.within({"wait flag", caller.me(), static_cast<std::int32_t>(flag), 1}, of->wait_flag(flag, value));
}

void CalledRank::trace(sc_core::sc_trace_file* file) const
{
    const std::string prefix = name();
    trace_signal(file, call_.word, watches_[0], prefix + ".call",
                 {"the call of its library that this rank's program is in",
                  "program, send, receive, barrier, broadcast; isend, irecv, wait, wait_all; put, get, fetch, "
                  "set_flag, wait_flag",
                  SignalPlace::kProgram});
    trace_signal(file, call_.peer, watches_[1], prefix + ".call_peer",
                 {"the other rank of the call; of a broadcast, its root", "rank", SignalPlace::kProgram});
    trace_signal(file, call_.tag, watches_[2], prefix + ".call_tag",
                 {"the tag of the call's message; -1 for any; of requests and flags, their number", "tag",
                  SignalPlace::kProgram});
    trace_signal(
        file, call_.bytes, watches_[3], prefix + ".call_bytes",
        {"the size of the call's message, or of the room for it, if that is known", "bytes", SignalPlace::kProgram});
}

}  // namespace ringmesh::workloads
