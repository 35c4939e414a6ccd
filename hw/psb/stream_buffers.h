// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hw/psb/params.h"
#include "tlm/sci/packet.h"

namespace ringmesh::hw {

/// One SCI transaction that a stream buffer wants to make.
struct StreamTransaction {
    std::uint16_t buffer = 0;         ///< comes back with the response
    std::uint64_t address = 0;        ///< first byte, in the window
    std::uint16_t size = 0;           ///< transaction_bytes, 64, or fewer: the bytes written in one 16-byte block
    const std::byte* data = nullptr;  ///< the bytes from `address` on; valid until the buffer is freed
};

/// The PSB's write stream buffers: gather consecutive stores into blocks of `stream_bytes`.
///
/// One buffer gathers at a time. It is flushed when a store reaches the end of its block, when the next store is not
/// consecutive, on its time-out, or on command. A full buffer leaves as transactions of `transaction_bytes`, all at
/// once; their packets may arrive in any order. Any other leaves as one transaction of 64 bytes, SCI's standard block,
/// for each aligned block of this size that is whole, and one for each 16-byte block that holds others of its bytes;
/// one transaction after the other, each waits for the response before. That cards of 128-byte transactions make those
/// of 64, too, is assumed. A buffer is free again when its last response is back. Plain logic: the PSB gives it time
/// and carries its transactions.
class StreamBuffers {
public:
    explicit StreamBuffers(const PsbParams& params);

    /// The address phase of a store. Flushes the gathering buffer if the store does not continue it.
    /// @return false if no buffer can take the store now: the bus is told to retry. If true, store() has to follow, and
    /// until then no time-out comes
    bool open(std::uint64_t address);
    /// After open() said yes: whether this store gets a buffer of its own, rather than joining the one that gathers.
    bool opens_buffer() const { return store_on_bus_ && !gathering_; }
    /// The data phase. @pre open() said yes to this address; the bytes stay within one block
    void store(std::uint64_t address, std::span<const std::byte> bytes, Duration now);

    /// When the gathering buffer will be flushed by time-out; never() if none gathers or its next store is on the bus.
    Duration timeout() const;
    /// Flushes the gathering buffer, if there is one. A store on the bus goes with it: then it leaves with the data.
    void flush();
    /// Whether all that was stored is with its targets: no buffer is in use, and no store is on the bus.
    bool idle() const { return in_use_ == 0 && !store_on_bus_; }

    /// The next transaction to be sent, in the order in which buffers became ready.
    std::optional<StreamTransaction> next_transaction();
    /// A response has come back. @return true if this freed the buffer
    bool respond(std::uint16_t buffer);

    /// Whether stores to this range have not been handed out as transactions.
    bool holds(std::uint64_t begin, std::uint64_t end) const;

    /// For waveforms: buffers that are not free.
    const std::uint32_t& in_use() const { return in_use_; }

private:
    enum class State : std::uint8_t { kFree, kGathering, kFlushed };
    struct Buffer {
        State state = State::kFree;
        std::uint64_t block = 0;  // address of its first byte
        std::uint8_t begin = 0;   // bytes begin..end-1 of the block are written
        std::uint8_t end = 0;
        std::uint8_t sent = 0;         // bytes up to here have left
        std::uint8_t outstanding = 0;  // transactions without response
        std::array<std::byte, sci::kLargestBytes> data{};
    };

    std::optional<std::uint16_t> find_buffer(std::uint64_t block) const;
    bool continues(std::uint64_t address) const;
    std::uint64_t block_of(std::uint64_t address) const { return address & ~(block_bytes_ - 1); }
    std::uint64_t largest_transaction(std::uint64_t first, std::uint64_t end) const;
    bool full(const Buffer& buffer) const { return buffer.begin == 0 && buffer.end == block_bytes_; }
    void send_gathered();

    std::vector<Buffer> buffers_;
    std::uint64_t block_bytes_;  // a power of two
    std::uint64_t transaction_bytes_;
    StreamAssignment assignment_;
    Duration timeout_;
    std::uint64_t free_;  // a bit for each buffer
    std::optional<std::uint16_t> gathering_;
    bool store_on_bus_ = false;  // open() said yes, store() has not come yet
    bool flush_owed_ = false;    // to the store on the bus
    Duration last_store_;
    std::vector<std::uint16_t> ready_;  // flushed buffers whose next transaction may go, oldest first
    std::uint32_t in_use_ = 0;
};

}  // namespace ringmesh::hw
