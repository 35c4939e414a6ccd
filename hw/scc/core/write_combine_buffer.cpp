// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/core/write_combine_buffer.h"

#include <algorithm>

namespace ringmesh::hw {

void WriteCombineBuffer::store(std::uint32_t address, std::span<const std::byte> from)
{
    line_ = line_of(address);
    const std::uint32_t first = address % kCacheLine;
    std::copy(from.begin(), from.end(), bytes_.begin() + first);
    mask_ |= static_cast<std::uint32_t>(((std::uint64_t{1} << from.size()) - 1) << first);
}

void WriteCombineBuffer::overlay(std::uint32_t address, std::span<std::byte> onto) const
{
    if (empty() || line_of(address) != line_) return;
    const std::uint32_t first = address % kCacheLine;
    for (std::size_t i = 0; i < onto.size(); ++i) {
        if ((mask_ >> (first + i) & 1) != 0) onto[i] = bytes_[first + i];
    }
}

void WriteCombineBuffer::replace(std::uint32_t address, std::span<const std::byte> from)
{
    if (empty() || line_of(address) != line_) return;
    std::copy(from.begin(), from.end(), bytes_.begin() + address % kCacheLine);
}

}  // namespace ringmesh::hw
