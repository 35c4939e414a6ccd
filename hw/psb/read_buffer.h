// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tlm/sci/packet.h"
#include "tlm/statistics/use.h"

namespace ringmesh::hw {

/// A read transaction for a load of remote memory.
struct ReadTransaction {
    std::uint64_t address = 0;  ///< in the window
    std::uint16_t size = 0;     ///< 64 for a block, otherwise bytes within one 16-byte block
};

/// The PSB's read buffer: holds the bytes of one load of remote memory, or of its whole block of 64 bytes with
/// prefetch.
///
/// Without prefetch it is empty again when the load has its bytes. With prefetch it keeps the block until its last byte
/// is loaded, another block is loaded, or anything is stored: until then loads return the prefetched bytes, even if
/// that memory changes. Plain logic: the PSB passes the time and carries out its transactions.
class ReadBuffer {
public:
    explicit ReadBuffer(bool prefetch) : prefetch_(prefetch) {}

    enum class State : std::uint8_t { kEmpty, kWaiting, kFull };

    /// Whether the bytes of a load are here.
    bool holds(std::uint64_t address, std::size_t size) const;
    bool waiting() const { return state_ == State::kWaiting; }
    /// The transaction for a load that it does not hold. @pre not waiting(); the bytes lie in one 16-byte block, with
    /// prefetch in one of 64
    ReadTransaction fetch(std::uint64_t address, std::size_t size);
    /// The response with all bytes of the transaction. @pre waiting()
    void fill(std::span<const std::byte> bytes);
    /// Bytes for the load. @pre holds(address, into.size())
    void take(std::uint64_t address, std::span<std::byte> into);
    /// Invalidates prefetched bytes.
    void drop();
    /// For waveforms: empty, waiting or full.
    const StateWord& word() const { return word_; }

private:
    void enter(State state);

    const bool prefetch_;
    State state_ = State::kEmpty;
    StateWord word_{"empty"};
    ReadTransaction wanted_;
    std::array<std::byte, 64> data_{};
};

}  // namespace ringmesh::hw
