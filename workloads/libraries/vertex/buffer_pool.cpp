// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/vertex/buffer_pool.h"

#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"

namespace ringmesh::workloads::vertex {

namespace {
constexpr std::uint32_t kAlignment = 8;
}

BufferPool::BufferPool(std::uint64_t base, std::uint64_t size) : gaps_{{base, size}}, size_(size) {}

std::uint32_t BufferPool::rounded(std::uint32_t bytes)
{
    return std::max(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
}

std::optional<std::uint64_t> BufferPool::allocate(std::uint32_t size)
{
    const std::uint32_t bytes = rounded(size);
    const auto gap = std::find_if(gaps_.begin(), gaps_.end(), [bytes](const Gap& each) { return each.size >= bytes; });
    if (gap == gaps_.end()) return std::nullopt;
    const std::uint64_t address = gap->address;
    gap->address += bytes;
    gap->size -= bytes;
    if (gap->size == 0) gaps_.erase(gap);
    used_ += bytes;
    highest_ = std::max(highest_, used_);
    return address;
}

bool BufferPool::has_room(std::uint32_t size) const
{
    return std::any_of(gaps_.begin(), gaps_.end(), [size](const Gap& each) { return each.size >= rounded(size); });
}

void BufferPool::release(std::uint64_t address, std::uint32_t size)
{
    const std::uint32_t bytes = rounded(size);
    auto next =
        std::find_if(gaps_.begin(), gaps_.end(), [address](const Gap& each) { return each.address >= address; });
    const bool joins_next = next != gaps_.end() && next->address == address + bytes;
    const bool joins_last = next != gaps_.begin() && std::prev(next)->address + std::prev(next)->size == address;
    if ((next != gaps_.end() && next->address < address + bytes) ||
        (next != gaps_.begin() && std::prev(next)->address + std::prev(next)->size > address)) {
        throw ModelError(fmt::format("a system buffer at {:#x} is released twice", address));
    }
    used_ -= bytes;
    if (joins_next && joins_last) {
        std::prev(next)->size += bytes + next->size;
        gaps_.erase(next);
    } else if (joins_next) {
        next->address = address;
        next->size += bytes;
    } else if (joins_last) {
        std::prev(next)->size += bytes;
    } else {
        gaps_.insert(next, {address, bytes});
    }
}

}  // namespace ringmesh::workloads::vertex
