// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tlm/pc/pc_processor.h"

namespace ringmesh::workloads {

/// A block that ends at a stream-buffer boundary leaves at once, as one packet, without a flush.
inline constexpr std::uint32_t kBlockBytes = 64;
inline constexpr std::uint32_t kLargestBlock = 128;

/// Rounded up to a multiple of 64 bytes.
constexpr std::uint64_t padded(std::uint64_t bytes) { return (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes; }

/// Rounded up to a multiple of 128 bytes.
constexpr std::uint64_t on_large_blocks(std::uint64_t bytes)
{
    return (bytes + kLargestBlock - 1) / kLargestBlock * kLargestBlock;
}

/// A ring of blocks in the receiver's segment, written by one sender with remote stores and read by polling.
///
///     | payload ...          | sequence | identifier |
///       0 to block - 3         block-2    block-1
///
/// If the card gathers more than a block, each block is at the end of a slot of `stride` bytes, so that it leaves at
/// once. A block arrives as one packet, so its last byte shows that all of it has arrived. Blocks may overtake each
/// other; they are in different slots, which the reader polls in order.
struct RingShape {
    /// The bound ensures that the identifiers of a slot's last two blocks differ.
    static constexpr std::uint32_t kMostSlots = 120;

    std::uint32_t slots = 64;              ///< 1 to kMostSlots
    std::uint32_t block = kBlockBytes;     ///< bytes: 64 or 128
    std::uint32_t gathered = kBlockBytes;  ///< bytes that the card gathers: PcProcessor::gathered_block

    constexpr std::uint32_t payload() const { return block - 2; }
    constexpr std::uint32_t stride() const { return gathered > block ? gathered : block; }
    constexpr std::uint64_t bytes() const { return std::uint64_t{slots} * stride(); }
    /// Offset of the n-th block in the ring.
    constexpr std::uint64_t offset(std::uint64_t number) const { return number % slots * stride() + stride() - block; }
};

/// Identifier of the n-th block of a ring, from 0: never that of cleared memory or of the slot's previous block.
constexpr std::byte block_identifier(std::uint64_t number) { return static_cast<std::byte>(1 + number % 255); }
/// Sequence number of the n-th message between two ranks, over all protocols: it orders messages of different rings.
constexpr std::byte block_sequence(std::uint64_t message) { return static_cast<std::byte>(message % 256); }

/// The sender's end. It never overruns the ring: it knows the reader's position from its acknowledgements.
class BlockWriter {
public:
    BlockWriter() = default;
    /// @param ring address at which the ring is mapped, a multiple of the stride
    BlockWriter(std::uint64_t ring, const RingShape& shape) : ring_(ring), shape_(shape) {}

    bool full() const { return room() == 0; }
    /// Blocks that may be written.
    std::uint64_t room() const { return shape_.slots - (written_ - read_); }
    std::uint64_t written() const { return written_; }
    /// The reader has read so many blocks. Ignores older values. @throws ModelError if fewer were written
    void acknowledge(std::uint64_t read);
    /// The store that sends the next block; the payload is padded with zeros. The data stays valid until the next call.
    /// @throws ModelError if the ring is full @pre payload.size() <= shape.payload()
    StoreRequest write(std::span<const std::byte> payload, std::uint64_t message, StoreKind kind);

private:
    std::uint64_t ring_ = 0;
    RingShape shape_;
    std::uint64_t written_ = 0;
    std::uint64_t read_ = 0;
    std::array<std::byte, kLargestBlock> block_{};
};

/// The receiver's end.
class BlockReader {
public:
    BlockReader() = default;
    /// @param ring the ring's local address
    BlockReader(std::uint64_t ring, const RingShape& shape) : ring_(ring), shape_(shape) {}

    /// The expected last two bytes of the next block if it carries this message: the identifier and the sequence
    /// number, read by one load.
    /// @throws ModelError if the next block was overwritten before it was read
    PollRequest awaited(const PcProcessor& processor, std::uint64_t message) const;
    /// Whether the next block has arrived and carries this message. Takes no time.
    /// @throws ModelError if it was overwritten before it was read
    bool has_come(const PcProcessor& processor, std::uint64_t message) const;
    /// The next block's place.
    std::uint64_t address() const { return ring_ + shape_.offset(read_); }
    void advance() { ++read_; }
    /// Blocks read so far: the value to acknowledge.
    std::uint64_t read() const { return read_; }

private:
    std::uint64_t ending_at() const { return address() + shape_.block - 2; }
    /// Sequence number and identifier in the slot.
    std::array<std::byte, 2> ending(const PcProcessor& processor) const;

    std::uint64_t ring_ = 0;
    RingShape shape_;
    std::uint64_t read_ = 0;
};

}  // namespace ringmesh::workloads
