// SPDX-License-Identifier: Apache-2.0
#include "workloads/rcce/rcce_rank.h"

namespace ringmesh::workloads::rcce {

RcceRank::RcceRank(SccMachine& machine, unsigned core, unsigned cores, const LibraryOptions& options, bool with_ircce)
    : processor_(machine.processor(core)), rcce_(machine, core, cores, options)
{
    if (with_ircce) ircce_ = std::make_unique<Ircce>(machine.simulation(), rcce_);
}

BufferId RcceRank::create_buffer(std::uint32_t size, std::uint32_t /*largest_part*/)
{
    buffers_.push_back({.size = size, .address = processor_.allocate(size)});
    return static_cast<BufferId>(buffers_.size() - 1);
}

Task<> RcceRank::send(unsigned to, Part bytes, Tag /*tag*/)
{
    const Buffer& buffer = buffers_.at(bytes.buffer);
    return rcce_.send(buffer.address + bytes.offset, bytes.size_in(buffer.size), to);
}

Task<Received> RcceRank::receive(unsigned from, Part room, Tag /*tag*/)
{
    const Buffer buffer = buffers_.at(room.buffer);
    const std::uint32_t size = room.size_in(buffer.size);
    co_await rcce_.recv(buffer.address + room.offset, size, from);
    co_return Received{from, size};
}

Group RcceRank::create_group(unsigned members)
{
    communicators_.push_back(members == rcce_.num_ues() ? rcce_.world() : rcce_.comm_split(members));
    return static_cast<Group>(communicators_.size() - 1);
}

}  // namespace ringmesh::workloads::rcce
