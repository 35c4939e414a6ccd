// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace ringmesh::workloads {

/// A circular buffer in the receiver's segment, with messages padded to a multiple of 64 bytes; they wrap at the end.
/// Positions count all bytes since the start and never wrap.
class ByteRing {
public:
    /// A contiguous part of a message.
    struct Piece {
        std::uint64_t address = 0;
        std::uint32_t from = 0;  ///< bytes of the message before it
        std::uint32_t size = 0;  ///< 0: there is no such piece
    };

    ByteRing() = default;
    /// @param base where it begins, a multiple of 64 @param size bytes, a multiple of 64
    ByteRing(std::uint64_t base, std::uint64_t size) : base_(base), size_(size) {}

    std::uint64_t size() const { return size_; }
    /// The pieces of so many bytes from the current position. @pre bytes <= size()
    std::array<Piece, 2> pieces(std::uint32_t bytes) const;
    std::uint64_t position() const { return position_; }
    /// @param bytes a multiple of 64
    void advance(std::uint64_t bytes) { position_ += bytes; }

private:
    std::uint64_t base_ = 0;
    std::uint64_t size_ = 0;
    std::uint64_t position_ = 0;
};

/// The sender's end. It never overruns the ring: it knows the reader's position from its acknowledgements.
class ByteRingWriter {
public:
    ByteRingWriter() = default;
    explicit ByteRingWriter(const ByteRing& ring) : ring_(ring) {}

    bool has_room(std::uint64_t bytes) const { return ring_.position() - read_ + bytes <= ring_.size(); }
    /// The reader's position. Ignores older values. @throws ModelError if less was written
    void acknowledge(std::uint64_t position);
    /// Addresses of the next bytes. @param bytes a multiple of 64 @throws ModelError if there is no room for them
    std::array<ByteRing::Piece, 2> write(std::uint32_t bytes);

private:
    ByteRing ring_;
    std::uint64_t read_ = 0;
};

}  // namespace ringmesh::workloads
