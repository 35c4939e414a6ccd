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
    std::uint16_t size = 0;           ///< 64 for a full block, otherwise the bytes written in one 16-byte block
    const std::byte* data = nullptr;  ///< the bytes from `address` on; valid until the buffer is freed
};

/// The PSB's write stream buffers: gather consecutive stores into blocks of 64 bytes.
///
/// One buffer gathers at a time. It is flushed when a store reaches the end of its block, when the next store is not
/// consecutive, or on its time-out. A full block leaves as one 64-byte transaction, any other as one transaction per
/// 16-byte block that holds bytes. Each buffer has one transaction outstanding at a time and is free again after the
/// response to its last one. Plain logic: the PSB gives it time and carries its transactions.
class StreamBuffers {
public:
    explicit StreamBuffers(const PsbParams& params);

    /// The address phase of a store. Flushes the gathering buffer if the store does not continue it.
    /// @return false if no buffer can take the store now: the bus is told to retry. If true, store() has to follow, and
    /// until then no time-out comes
    bool open(std::uint64_t address);
    /// The data phase. @pre open() said yes to this address; the bytes stay within one block
    void store(std::uint64_t address, std::span<const std::byte> bytes, Duration now);

    /// When the gathering buffer will be flushed by time-out; never() if none gathers or its next store is on the bus.
    Duration timeout() const;
    /// Flushes the gathering buffer, if there is one.
    void flush();

    /// The next transaction to be sent, in the order in which buffers became ready.
    std::optional<StreamTransaction> next_transaction();
    /// A response has come back. @return true if this freed the buffer
    bool respond(std::uint16_t buffer);

    /// For waveforms: buffers that are not free.
    const std::uint32_t& in_use() const { return in_use_; }

private:
    enum class State : std::uint8_t { kFree, kGathering, kFlushed };
    struct Buffer {
        State state = State::kFree;
        std::uint64_t block = 0;  // address of its first byte
        std::uint8_t begin = 0;   // bytes begin..end-1 of the block are written
        std::uint8_t end = 0;
        std::uint8_t sent = 0;  // bytes up to here have left or are outstanding
        std::array<std::byte, sci::kBlockBytes> data{};
    };

    std::optional<std::uint16_t> find_buffer(std::uint64_t block) const;
    bool continues(std::uint64_t address) const;

    std::vector<Buffer> buffers_;
    StreamAssignment assignment_;
    Duration timeout_;
    std::optional<std::uint16_t> gathering_;
    bool store_on_bus_ = false;  // open() said yes, store() has not come yet
    Duration last_store_;
    std::vector<std::uint16_t> ready_;  // flushed buffers whose next transaction may go, oldest first
    std::uint32_t in_use_ = 0;
};

}  // namespace ringmesh::hw
