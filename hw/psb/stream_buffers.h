// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hw/psb/params.h"
#include "tlm/sci/packet.h"
#include "tlm/statistics/use.h"

namespace ringmesh::hw {

/// One SCI transaction of a stream buffer.
struct StreamTransaction {
    std::uint16_t buffer = 0;         ///< returned with the response
    std::uint64_t address = 0;        ///< first byte, in the window
    std::uint16_t size = 0;           ///< transaction_bytes, 64, or fewer: the bytes written in one 16-byte block
    const std::byte* data = nullptr;  ///< the bytes from `address` on; valid until the buffer is freed
    std::uint64_t packet = 0;         ///< number of the store that opened the buffer
    bool first = true;                ///< of its buffer
    Duration gathered;                ///< when the buffer's last store came
};

/// The PSB's write stream buffers: gather consecutive stores into blocks of `stream_bytes`.
///
/// One buffer gathers at a time. It is flushed when a store reaches the end of its block, when the next store is not
/// consecutive, on its time-out, or on command. A full buffer leaves as transactions of `transaction_bytes`, all at
/// once; their packets may arrive in any order. A partly filled one leaves as one transaction for each complete aligned
/// block of 64 bytes (SCI's standard block) and one for each 16-byte block with other bytes, one at a time: each waits
/// for the previous response. That cards with 128-byte transactions also make those of 64 bytes is assumed. A buffer is
/// free again after its last response. Plain logic: the PSB passes the time and carries out its transactions.
class StreamBuffers {
public:
    explicit StreamBuffers(const PsbParams& params);

    /// The address phase of a store. Flushes the gathering buffer if the store does not continue it.
    /// @return false if no buffer can accept the store now: retry. If true, store() must follow; until then the
    /// time-out is suspended
    bool open(std::uint64_t address);
    /// After open() returned true: whether this store opens a buffer, rather than joining the gathering one.
    bool opens_buffer() const { return store_on_bus_ && !gathering_; }
    /// The data phase. @pre open() returned true for this address; the bytes lie within one block
    /// @param packet the store's number
    void store(std::uint64_t address, std::span<const std::byte> bytes, Duration now, std::uint64_t packet = 0);

    /// When the time-out flushes the gathering buffer; never() if none gathers or its next store is on the bus.
    Duration timeout() const;
    /// Flushes the gathering buffer, if any. A store on the bus is included: then the buffer leaves after its data
    /// phase.
    void flush();
    /// Whether all stores have reached their targets: no buffer is in use, and no store is on the bus.
    bool idle() const { return in_use_ == 0 && !store_on_bus_; }

    /// The next transaction to send, in the order in which buffers became ready.
    std::optional<StreamTransaction> next_transaction();
    /// A response has arrived. @return true if this freed the buffer
    bool respond(std::uint16_t buffer);

    /// Whether stores to this range have not left as transactions yet.
    bool has_unsent(std::uint64_t begin, std::uint64_t end) const;

    /// For reports: whether a buffer is free, could take a store to this address if it were, and the number of the
    /// store that opened it.
    bool is_free(std::uint16_t buffer) const { return (free_ >> buffer & 1) != 0; }
    bool could_take(std::uint16_t buffer, std::uint64_t address) const
    {
        return assignment_->find(address / block_bytes_, std::uint64_t{1} << buffer, buffers_.size()) == buffer;
    }
    std::uint64_t packet(std::uint16_t buffer) const { return buffers_[buffer].packet; }

    /// Buffers that are not free.
    const Level& in_use() const { return in_use_; }
    std::size_t buffers() const { return buffers_.size(); }

private:
    enum class State : std::uint8_t { kFree, kGathering, kFlushed };
    struct Buffer {
        State state = State::kFree;
        std::uint64_t block = 0;  // address of its first byte
        std::uint8_t begin = 0;   // bytes begin..end-1 of the block are written
        std::uint8_t end = 0;
        std::uint8_t sent = 0;         // bytes up to here have been sent
        std::uint8_t outstanding = 0;  // transactions without response
        std::uint64_t packet = 0;      // number of its first store
        Duration gathered;             // when its last one came
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
    bool store_on_bus_ = false;  // open() returned true, store() is still to follow
    bool flush_owed_ = false;    // flush after the store on the bus
    Duration last_store_;
    std::vector<std::uint16_t> ready_;  // flushed buffers with a transaction to send, oldest first
    Level in_use_;
};

}  // namespace ringmesh::hw
