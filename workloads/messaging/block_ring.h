// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tlm/sci/sci_processor.h"

namespace ringmesh::workloads {

/// A block that ends where a stream buffer does leaves at once, as one packet, without a flush.
inline constexpr std::uint32_t kBlockBytes = 64;
inline constexpr std::uint32_t kLargestBlock = 128;

/// The least multiple of 64 bytes that holds so many.
constexpr std::uint64_t padded(std::uint64_t bytes) { return (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes; }

/// The least multiple of 128 bytes.
constexpr std::uint64_t on_large_blocks(std::uint64_t bytes)
{
    return (bytes + kLargestBlock - 1) / kLargestBlock * kLargestBlock;
}

/// A ring of blocks in the receiver's segment, written by one sender with remote stores and read by polling.
///
///     | payload ...          | sequence | identifier |
///       0 to block - 3         block-2    block-1
///
/// Where the card gathers more than a block, each lies at the end of a place of `stride` bytes, so that it leaves at
/// once. A block arrives as one packet, so its last byte tells that all of it is there. Blocks may overtake each other;
/// they lie in different slots, and the reader looks at one after the other.
struct RingShape {
    /// With so many, the identifiers of a slot's two last blocks differ.
    static constexpr std::uint32_t kMostSlots = 120;

    std::uint32_t slots = 64;              ///< 1 to kMostSlots
    std::uint32_t block = kBlockBytes;     ///< bytes: 64 or 128
    std::uint32_t gathered = kBlockBytes;  ///< bytes that the card gathers: SciProcessor::gathered_block

    constexpr std::uint32_t payload() const { return block - 2; }
    constexpr std::uint32_t stride() const { return gathered > block ? gathered : block; }
    constexpr std::uint64_t bytes() const { return std::uint64_t{slots} * stride(); }
    /// Of the n-th block in the ring.
    constexpr std::uint64_t offset(std::uint64_t number) const { return number % slots * stride() + stride() - block; }
};

/// Of the n-th block of a ring, from 0: never that of cleared memory, nor that of the block that the slot held before.
constexpr std::byte block_identifier(std::uint64_t number) { return static_cast<std::byte>(1 + number % 255); }
/// Of the n-th message between two ranks, whatever protocol carries it: with it, messages of different rings come in
/// order.
constexpr std::byte block_sequence(std::uint64_t message) { return static_cast<std::byte>(message % 256); }

/// The sender's end. It never overruns the ring: it knows how far the reader has come from what that wrote back.
class BlockWriter {
public:
    BlockWriter() = default;
    /// @param ring where the ring is mapped, a multiple of the stride
    BlockWriter(std::uint64_t ring, const RingShape& shape) : ring_(ring), shape_(shape) {}

    bool full() const { return written_ - read_ == shape_.slots; }
    std::uint64_t written() const { return written_; }
    /// The reader has read so many blocks. Older news changes nothing. @throws ModelError if fewer were written
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

    /// The last two bytes of the next block, as they are when the block has come and carries this message: the
    /// identifier and the sequence number, which one load reads.
    /// @throws ModelError if the next block was overwritten before it was read
    PollRequest awaited(const SciProcessor& processor, std::uint64_t message) const;
    /// Whether the next block has come and carries this message. Takes no time.
    /// @throws ModelError if it was overwritten before it was read
    bool has_come(const SciProcessor& processor, std::uint64_t message) const;
    /// The next block's place.
    std::uint64_t address() const { return ring_ + shape_.offset(read_); }
    void advance() { ++read_; }
    /// Blocks read so far: what to write back.
    std::uint64_t read() const { return read_; }

private:
    std::uint64_t ending_at() const { return address() + shape_.block - 2; }
    /// Sequence number and identifier that lie in the slot.
    std::array<std::byte, 2> ending(const SciProcessor& processor) const;

    std::uint64_t ring_ = 0;
    RingShape shape_;
    std::uint64_t read_ = 0;
};

}  // namespace ringmesh::workloads
