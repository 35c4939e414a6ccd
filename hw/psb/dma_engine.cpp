// SPDX-License-Identifier: Apache-2.0
#include "hw/psb/dma_engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"

namespace ringmesh::hw {

namespace {
constexpr auto kBlock = static_cast<std::uint32_t>(sci::kBlockBytes);
}

DmaEngine::DmaEngine(const PsbParams& params)
    : burst_(static_cast<std::uint32_t>(params.dma_burst.count())),
      buffers_(static_cast<std::size_t>(params.dma_buffers))
{}

void DmaEngine::start(const DmaCopy& order)
{
    if (!idle()) throw ModelError("the DMA engine got an order while it is busy with another one");
    if (order.size == 0 || order.size % kBlock != 0 || order.to % kBlock != 0 || order.from % 4 != 0) {
        throw ModelError(
            fmt::format("the DMA engine cannot copy {} bytes from {:#x} to {:#x}: it copies blocks of {} "
                        "bytes from a multiple of 4 to a multiple of {}",
                        order.size, order.from, order.to, kBlock, kBlock));
    }
    order_ = order;
    read_ = answered_ = 0;
    enter(State::kCopying);
}

void DmaEngine::enter(State state)
{
    state_ = state;
    word_ = std::string_view(state == State::kIdle ? "idle" : state == State::kCopying ? "copying" : "status");
}

std::size_t DmaEngine::free_buffer() const
{
    const auto free = std::find_if(buffers_.begin(), buffers_.end(), [](const Buffer& buffer) { return !buffer.used; });
    return static_cast<std::size_t>(free - buffers_.begin());
}

std::optional<DmaEngine::Read> DmaEngine::next_read() const
{
    if (state_ != State::kCopying || full_ || read_ == order_.size) return std::nullopt;
    const bool begins_block = read_ % kBlock == 0;
    if (begins_block && free_buffer() == buffers_.size()) return std::nullopt;
    return Read{order_.from + read_, std::min(burst_, kBlock - read_ % kBlock)};
}

void DmaEngine::filled(std::span<const std::byte> bytes)
{
    if (read_ % kBlock == 0) {
        filling_ = free_buffer();
        buffers_.at(filling_).used = true;
    }
    std::copy(bytes.begin(), bytes.end(),
              buffers_[filling_].data.begin() + static_cast<std::ptrdiff_t>(read_ % kBlock));
    read_ += static_cast<std::uint32_t>(bytes.size());
    full_ = read_ % kBlock == 0;
}

std::optional<DmaEngine::Transaction> DmaEngine::next_transaction()
{
    if (!full_) return std::nullopt;
    full_ = false;
    return Transaction{static_cast<std::uint16_t>(filling_), order_.to + read_ - kBlock,
                       buffers_[filling_].data.data()};
}

void DmaEngine::respond(std::uint16_t buffer)
{
    Buffer& answered = buffers_.at(buffer);
    if (!answered.used) throw ModelError("a response arrived for a DMA buffer that awaits none");
    answered.used = false;
    answered_ += kBlock;
    if (answered_ == order_.size) enter(State::kStatus);
}

}  // namespace ringmesh::hw
