// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/messaging/byte_ring.h"

#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"

namespace ringmesh::workloads {

std::array<ByteRing::Piece, 2> ByteRing::pieces(std::uint32_t bytes) const
{
    const std::uint64_t begin = position_ % size_;
    const auto first = static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, size_ - begin));
    return {Piece{base_ + begin, 0, first}, Piece{base_, first, bytes - first}};
}

void ByteRingWriter::acknowledge(std::uint64_t position)
{
    if (position > ring_.position()) {
        throw ModelError(
            fmt::format("a receiver says that it read {} bytes of {} that were written", position, ring_.position()));
    }
    read_ = std::max(read_, position);
}

std::array<ByteRing::Piece, 2> ByteRingWriter::write(std::uint32_t bytes)
{
    if (!has_room(bytes)) {
        throw ModelError(fmt::format("{} bytes would overwrite a buffer of {}, of which {} were not read yet", bytes,
                                     ring_.size(), ring_.position() - read_));
    }
    const auto pieces = ring_.pieces(bytes);
    ring_.advance(bytes);
    return pieces;
}

}  // namespace ringmesh::workloads
