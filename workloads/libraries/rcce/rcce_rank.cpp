// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/rcce/rcce_rank.h"

#include <algorithm>
#include <array>

namespace ringmesh::workloads::rcce {
namespace {

constexpr std::uint32_t kTouchedLine = SccProcessor::kLine;
constexpr std::uint32_t kTouchedWord = 4;
constexpr std::uint32_t kTouched = 1024 * 1024;

}  // namespace

RcceRank::RcceRank(SccMachine& machine, unsigned core, const Placement& cores, const LibraryOptions& options,
                   bool with_ircce)
    : processor_(machine.processor(cores.node(core))), rcce_(machine, core, cores, options)
{
    if (with_ircce) ircce_ = std::make_unique<Ircce>(machine.simulation(), rcce_);
}

BufferId RcceRank::create_buffer(std::uint32_t size, std::uint32_t /*largest_part*/)
{
    // A get reads one line more than it copies
    buffers_.push_back({.size = size, .address = processor_.allocate(std::uint64_t{size} + kTouchedLine)});
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

Task<> RcceRank::broadcast(Part bytes, unsigned root, Group group)
{
    const std::uint32_t size = bytes.size_in(buffers_.at(bytes.buffer).size);
    return rcce_.bcast(place(bytes), size, root, communicators_.at(group));
}

Task<> RcceRank::isend(unsigned to, Part bytes, std::uint32_t request)
{
    while (sends_.size() <= request) sends_.emplace_back();
    SendRequest& one = sends_[request];
    co_await ircce_->isend(place(bytes), bytes.size, to, one);
    ircce_->add_to_wait_list(under_way_, &one, nullptr);
}

Task<> RcceRank::irecv(unsigned from, Part room, std::uint32_t request)
{
    while (receives_.size() <= request) receives_.emplace_back();
    RecvRequest& one = receives_[request];
    co_await ircce_->irecv(place(room), room.size, from, one);
    ircce_->add_to_wait_list(under_way_, nullptr, &one);
}

Task<> RcceRank::begin_message()
{
    co_await processor_.compute({processor_.cycles(rcce_.options().call), "library call"});
}

Task<> RcceRank::put(Part from, unsigned rank, std::uint32_t offset)
{
    return rcce_.put(rcce_.payload(rank, offset), place(from), from.size, copying().put(from.size), copying().width);
}

Task<> RcceRank::get(Part to, unsigned rank, std::uint32_t offset)
{
    return rcce_.get(place(to), rcce_.payload(rank, offset), to.size, copying().get(), copying().width);
}

Task<> RcceRank::fetch(unsigned rank, std::uint32_t offset, std::uint32_t size)
{
    return rcce_.get(rcce_.payload(rcce_.ue(), offset), rcce_.payload(rank, offset), size, CopyKind::kPlain,
                     copying().width);
}

Task<> RcceRank::touch(Part bytes, bool stores)
{
    const std::uint64_t buffer = place(bytes);
    const std::uint64_t end = buffer + bytes.size;
    std::array<std::byte, kTouchedWord> word{};
    std::uint64_t at = bytes.size > kTouched ? end - kTouched : buffer;
    while (at < end) {
        const std::uint64_t next = at / kTouchedLine * kTouchedLine + kTouchedLine;
        const auto count = static_cast<std::uint32_t>(std::min({next - at, end - at, std::uint64_t{kTouchedWord}}));
        if (stores) {
            processor_.peek(at, {word.data(), count});
            const StoreRequest store{.address = at, .data = word.data(), .size = count, .width = kTouchedWord};
            co_await processor_.store(store);
        } else {
            const LoadRequest load{.address = at, .data = word.data(), .size = count, .width = kTouchedWord};
            co_await processor_.load(load);
        }
        at = next;
    }
}

}  // namespace ringmesh::workloads::rcce
