// SPDX-License-Identifier: Apache-2.0
#include "hw/psb/read_buffer.h"

#include <algorithm>

#include "tlm/error.h"

namespace ringmesh::hw {

namespace {
constexpr std::uint64_t kPrefetchBlock = 64;
}

void ReadBuffer::enter(State state)
{
    state_ = state;
    word_ = std::string_view(state == State::kEmpty ? "empty" : state == State::kWaiting ? "waiting" : "full");
}

bool ReadBuffer::holds(std::uint64_t address, std::size_t size) const
{
    return state_ == State::kFull && address >= wanted_.address && address + size <= wanted_.address + wanted_.size;
}

ReadTransaction ReadBuffer::fetch(std::uint64_t address, std::size_t size)
{
    if (waiting()) throw ModelError("a second load of remote memory arrived while the first one waits");
    const std::uint64_t whole = prefetch_ ? kPrefetchBlock : sci::kSubBlockBytes;
    if (address / whole != (address + size - 1) / whole) throw ModelError("a load of remote memory crosses its block");
    enter(State::kWaiting);
    wanted_ = prefetch_ ? ReadTransaction{address - address % kPrefetchBlock, kPrefetchBlock}
                        : ReadTransaction{address, static_cast<std::uint16_t>(size)};
    return wanted_;
}

void ReadBuffer::fill(std::span<const std::byte> bytes)
{
    if (!waiting()) throw ModelError("a response to a load arrived although none waits");
    std::copy_n(bytes.begin(), wanted_.size, data_.begin());
    enter(State::kFull);
}

void ReadBuffer::take(std::uint64_t address, std::span<std::byte> into)
{
    const std::uint64_t first = address - wanted_.address;
    std::copy_n(data_.begin() + static_cast<std::ptrdiff_t>(first), into.size(), into.begin());
    if (!prefetch_ || first + into.size() == wanted_.size) enter(State::kEmpty);
}

void ReadBuffer::drop()
{
    if (state_ == State::kFull) enter(State::kEmpty);
}

}  // namespace ringmesh::hw
