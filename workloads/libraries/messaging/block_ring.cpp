// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/messaging/block_ring.h"

#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"

namespace ringmesh::workloads {
namespace {

/// Both bytes as one little-endian number.
std::uint64_t ending_of(std::uint64_t message, std::uint64_t number)
{
    return std::to_integer<std::uint64_t>(block_sequence(message)) |
           std::to_integer<std::uint64_t>(block_identifier(number)) << 8;
}

}  // namespace

void BlockWriter::acknowledge(std::uint64_t read)
{
    if (read > written_) {
        throw ModelError(fmt::format("a receiver says that it read {} blocks of {} that were written", read, written_));
    }
    read_ = std::max(read_, read);
}

StoreRequest BlockWriter::write(std::span<const std::byte> payload, std::uint64_t message, StoreKind kind)
{
    if (full()) {
        throw ModelError(fmt::format("block {} would overwrite block {}, which was not read yet", written_, read_));
    }
    std::fill(block_.begin(), block_.end(), std::byte{0});
    std::copy(payload.begin(), payload.end(), block_.begin());
    block_.at(shape_.block - 2) = block_sequence(message);
    block_.at(shape_.block - 1) = block_identifier(written_);
    const std::uint64_t address = ring_ + shape_.offset(written_);
    ++written_;
    return {.kind = kind, .address = address, .data = block_.data(), .size = shape_.block};
}

PollRequest BlockReader::awaited(const PcProcessor& processor, std::uint64_t message) const
{
    ending(processor);
    return {.address = ending_at(), .size = 2, .value = ending_of(message, read_)};
}

bool BlockReader::has_come(const PcProcessor& processor, std::uint64_t message) const
{
    const auto last = ending(processor);
    return last[1] == block_identifier(read_) && last[0] == block_sequence(message);
}

std::array<std::byte, 2> BlockReader::ending(const PcProcessor& processor) const
{
    std::array<std::byte, 2> last{};
    processor.peek(ending_at(), last);
    if (last[1] == block_identifier(read_ + shape_.slots)) {
        throw ModelError(
            fmt::format("block {} of a ring of rank {} was overwritten before it was read", read_, processor.rank()));
    }
    return last;
}

}  // namespace ringmesh::workloads
