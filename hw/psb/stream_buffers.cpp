// SPDX-License-Identifier: Apache-2.0
#include "hw/psb/stream_buffers.h"

#include <algorithm>

#include "tlm/error.h"

namespace ringmesh::hw {

namespace {
constexpr std::uint64_t block_of(std::uint64_t address) { return address - address % sci::kBlockBytes; }
}  // namespace

StreamBuffers::StreamBuffers(const PsbParams& params)
    : buffers_(static_cast<std::size_t>(params.stream_buffers)),
      assignment_(params.stream_assignment),
      timeout_(params.flush_timeout)
{
    ready_.reserve(buffers_.size());
}

bool StreamBuffers::continues(std::uint64_t address) const
{
    if (!gathering_) return false;
    const Buffer& buffer = buffers_[*gathering_];
    return address == buffer.block + buffer.end;
}

bool StreamBuffers::open(std::uint64_t address)
{
    if (!continues(address)) flush();
    store_on_bus_ = gathering_ || find_buffer(block_of(address));
    return store_on_bus_;
}

std::optional<std::uint16_t> StreamBuffers::find_buffer(std::uint64_t block) const
{
    if (assignment_ == StreamAssignment::kByAddress) {
        const auto index = static_cast<std::uint16_t>(block / sci::kBlockBytes % buffers_.size());
        if (buffers_[index].state != State::kFree) return std::nullopt;
        return index;
    }
    const auto free = std::find_if(buffers_.begin(), buffers_.end(),
                                   [](const Buffer& buffer) { return buffer.state == State::kFree; });
    if (free == buffers_.end()) return std::nullopt;
    return static_cast<std::uint16_t>(free - buffers_.begin());
}

void StreamBuffers::store(std::uint64_t address, std::span<const std::byte> bytes, Duration now)
{
    store_on_bus_ = false;
    const std::uint64_t block = block_of(address);
    const auto begin = static_cast<std::uint8_t>(address - block);
    if (begin + bytes.size() > sci::kBlockBytes) throw ModelError("a PCI write crosses a stream buffer's block");
    if (!continues(address)) {
        gathering_ = find_buffer(block);
        if (!gathering_) throw ModelError("a PCI write came although no stream buffer is free");
        Buffer& fresh = buffers_[*gathering_];
        fresh.state = State::kGathering;
        fresh.block = block;
        fresh.begin = fresh.end = fresh.sent = begin;
        ++in_use_;
    }
    Buffer& buffer = buffers_[*gathering_];
    std::copy(bytes.begin(), bytes.end(), buffer.data.begin() + begin);
    buffer.end = static_cast<std::uint8_t>(begin + bytes.size());
    last_store_ = now;
    if (buffer.end == sci::kBlockBytes) flush();
}

Duration StreamBuffers::timeout() const
{
    return gathering_ && !store_on_bus_ ? last_store_ + timeout_ : Duration::never();
}

void StreamBuffers::flush()
{
    if (!gathering_) return;
    buffers_[*gathering_].state = State::kFlushed;
    ready_.push_back(*gathering_);
    gathering_.reset();
}

std::optional<StreamTransaction> StreamBuffers::next_transaction()
{
    if (ready_.empty()) return std::nullopt;
    const std::uint16_t index = ready_.front();
    ready_.erase(ready_.begin());
    Buffer& buffer = buffers_[index];
    const bool full = buffer.begin == 0 && buffer.end == sci::kBlockBytes;
    const std::uint8_t first = buffer.sent;
    const auto sub_block_end = static_cast<std::uint8_t>((first / sci::kSubBlockBytes + 1) * sci::kSubBlockBytes);
    buffer.sent = full ? buffer.end : std::min(sub_block_end, buffer.end);
    return StreamTransaction{index, buffer.block + first, static_cast<std::uint16_t>(buffer.sent - first),
                             buffer.data.data() + first};
}

bool StreamBuffers::respond(std::uint16_t index)
{
    Buffer& buffer = buffers_.at(index);
    if (buffer.state != State::kFlushed) throw ModelError("a response came for a stream buffer that awaits none");
    if (buffer.sent < buffer.end) {
        ready_.push_back(index);
        return false;
    }
    buffer.state = State::kFree;
    --in_use_;
    return true;
}

}  // namespace ringmesh::hw
