// SPDX-License-Identifier: Apache-2.0
#include "hw/psb/stream_buffers.h"

#include <algorithm>

#include "tlm/error.h"

namespace ringmesh::hw {

StreamBuffers::StreamBuffers(const PsbParams& params)
    : buffers_(static_cast<std::size_t>(params.stream_buffers)),
      block_bytes_(static_cast<std::uint64_t>(params.stream_bytes.count())),
      transaction_bytes_(static_cast<std::uint64_t>(params.transaction_bytes.count())),
      assignment_(params.stream_assignment),
      timeout_(params.flush_timeout),
      free_(~std::uint64_t{0} >> (StreamAssignmentPolicy::kMostBuffers - buffers_.size()))
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
    if (!continues(address)) send_gathered();
    store_on_bus_ = gathering_ || find_buffer(block_of(address));
    return store_on_bus_;
}

std::optional<std::uint16_t> StreamBuffers::find_buffer(std::uint64_t block) const
{
    if (free_ == 0) return std::nullopt;
    return assignment_->find(block / block_bytes_, free_, buffers_.size());
}

void StreamBuffers::store(std::uint64_t address, std::span<const std::byte> bytes, Duration now, std::uint64_t packet)
{
    store_on_bus_ = false;
    const std::uint64_t block = block_of(address);
    const auto begin = static_cast<std::uint8_t>(address - block);
    if (begin + bytes.size() > block_bytes_) throw ModelError("a PCI write crosses a stream buffer's block");
    if (!continues(address)) {
        gathering_ = find_buffer(block);
        if (!gathering_) throw ModelError("a PCI write arrived although no stream buffer is free");
        Buffer& fresh = buffers_[*gathering_];
        fresh.state = State::kGathering;
        fresh.block = block;
        fresh.begin = fresh.end = fresh.sent = begin;
        fresh.packet = packet;
        free_ &= ~(std::uint64_t{1} << *gathering_);
        ++in_use_;
    }
    Buffer& buffer = buffers_[*gathering_];
    std::copy(bytes.begin(), bytes.end(), buffer.data.begin() + begin);
    buffer.end = static_cast<std::uint8_t>(begin + bytes.size());
    last_store_ = buffer.gathered = now;
    if (buffer.end == block_bytes_ || flush_owed_) send_gathered();
    flush_owed_ = false;
}

Duration StreamBuffers::timeout() const
{
    return gathering_ && !store_on_bus_ ? last_store_ + timeout_ : Duration::never();
}

void StreamBuffers::flush()
{
    if (store_on_bus_) {
        flush_owed_ = true;
    } else {
        send_gathered();
    }
}

void StreamBuffers::send_gathered()
{
    if (!gathering_) return;
    buffers_[*gathering_].state = State::kFlushed;
    ready_.push_back(*gathering_);
    gathering_.reset();
}

/// The largest complete block that begins at `first`.
std::uint64_t StreamBuffers::largest_transaction(std::uint64_t first, std::uint64_t end) const
{
    for (const std::uint64_t bytes : {transaction_bytes_, std::uint64_t{sci::kBlockBytes}}) {
        if (first % bytes == 0 && first + bytes <= end) return bytes;
    }
    return sci::kSubBlockBytes;
}

std::optional<StreamTransaction> StreamBuffers::next_transaction()
{
    if (ready_.empty()) return std::nullopt;
    const std::uint16_t index = ready_.front();
    Buffer& buffer = buffers_[index];
    const std::uint8_t first = buffer.sent;
    const std::uint64_t grain = largest_transaction(first, buffer.end);
    buffer.sent = static_cast<std::uint8_t>(std::min<std::uint64_t>((first / grain + 1) * grain, buffer.end));
    ++buffer.outstanding;
    if (!full(buffer) || buffer.sent == buffer.end) ready_.erase(ready_.begin());
    return StreamTransaction{.buffer = index,
                             .address = buffer.block + first,
                             .size = static_cast<std::uint16_t>(buffer.sent - first),
                             .data = buffer.data.data() + first,
                             .packet = buffer.packet,
                             .first = first == buffer.begin,
                             .gathered = buffer.gathered};
}

bool StreamBuffers::has_unsent(std::uint64_t begin, std::uint64_t end) const
{
    return std::any_of(buffers_.begin(), buffers_.end(), [begin, end](const Buffer& buffer) {
        return buffer.state != State::kFree && buffer.sent < buffer.end && buffer.block + buffer.sent < end &&
               buffer.block + buffer.end > begin;
    });
}

bool StreamBuffers::respond(std::uint16_t index)
{
    Buffer& buffer = buffers_.at(index);
    if (buffer.state != State::kFlushed || buffer.outstanding == 0)
        throw ModelError("a response arrived for a stream buffer that awaits none");
    --buffer.outstanding;
    if (buffer.sent < buffer.end && !full(buffer)) ready_.push_back(index);
    if (buffer.sent < buffer.end || buffer.outstanding != 0) return false;
    buffer.state = State::kFree;
    free_ |= std::uint64_t{1} << index;
    --in_use_;
    return true;
}

}  // namespace ringmesh::hw
