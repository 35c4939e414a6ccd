// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/vertex/vertex_library.h"

#include <fmt/format.h>

#include "tlm/error.h"

namespace ringmesh::workloads::vertex {

BufferId VertexRank::create_buffer(std::uint32_t size, std::uint32_t /*largest_part*/)
{
    buffers_.push_back({.size = size, .address = vertex_.allocate(size)});
    return static_cast<BufferId>(buffers_.size() - 1);
}

Task<> VertexRank::send(unsigned to, Part bytes, Tag tag)
{
    const Buffer& buffer = buffers_.at(bytes.buffer);
    return vertex_.nwrite_until_free(buffer.address + bytes.offset, bytes.size_in(buffer.size), processor().node_of(to),
                                     static_cast<int>(tag));
}

Task<> VertexRank::send_constant(unsigned to, Part bytes, Tag tag)
{
    const Buffer& buffer = buffers_.at(bytes.buffer);
    return vertex_.nwrite(buffer.address + bytes.offset, bytes.size_in(buffer.size), processor().node_of(to),
                          static_cast<int>(tag));
}

Task<workloads::Received> VertexRank::receive(unsigned from, Part room, Tag tag)
{
    const Buffer buffer = buffers_.at(room.buffer);
    const std::uint32_t size = room.size_in(buffer.size);
    const int source = from == kAnyRank ? kAny : static_cast<int>(processor().node_of(from));
    const Received got = co_await vertex_.nread(buffer.address + room.offset, size, source, static_cast<int>(tag));
    if (got.size > size) {
        throw UserError(fmt::format("vertex: node {} receives {} bytes of node {} in a buffer of {}; take a larger one",
                                    vertex_.rank(), got.size, got.source, size));
    }
    co_return workloads::Received{processor().rank_on(static_cast<unsigned>(got.source)), got.size};
}

MessagingStatistics VertexRank::statistics() const
{
    const VertexStats& stats = vertex_.stats();
    MessagingStatistics statistics;
    statistics.sent = {{"nwrite", stats.sent.count(), stats.sent_bytes.count()}};
    statistics.waits = stats.waits.count();
    return statistics;
}

std::string VertexRank::problem() const
{
    if (vertex_.unread() == 0 && vertex_.buffers().used() == 0) return {};
    return fmt::format("; node {} holds {} messages that were not read, {} bytes of buffers", vertex_.rank(),
                       vertex_.unread(), vertex_.buffers().used());
}

std::vector<Offer> VertexLibrary::offers() const
{
    return {Offer::kQueues, Offer::kAnySource, Offer::kTags, Offer::kBuffered, Offer::kLabels};
}

std::vector<std::unique_ptr<Rank>> VertexLibrary::make_ranks(Machine& machine, const Placement& ranks)
{
    auto& ncube = machine_as<NcubeMachine>(machine);
    room_ = static_cast<std::uint32_t>(ncube.vertex().buffer_memory.count());
    std::vector<std::unique_ptr<Rank>> all(ranks.ranks());
    for (unsigned node = 0; node < machine.nodes(); ++node) {
        auto one = std::make_unique<VertexRank>(ncube, node);
        if (const unsigned rank = ranks.rank_on(node); rank != Placement::kNone) {
            all[rank] = std::move(one);
        } else {
            others_.push_back(std::move(one));
        }
    }
    return all;
}

void VertexLibrary::require_carried(std::uint32_t size, std::string_view subject, Cure cure) const
{
    if (BufferPool::rounded(size) <= room_) return;
    throw UserError(
        fmt::format("{} {} bytes, and the system buffers of a node hold {}; take {}, or raise "
                    "vertex.buffer_memory",
                    subject, size, room_, cure(room_)));
}

}  // namespace ringmesh::workloads::vertex
