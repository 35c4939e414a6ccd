// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "hw/psb/params.h"
#include "hw/psb/registers.h"
#include "tlm/sci/packet.h"

namespace ringmesh::hw {

/// The card's DMA engine: copies local memory to a mapped segment, one order at a time.
///
///     memory --> reads of `dma_burst` bytes over PCI --> blocks of 64 bytes --> one SCI transaction each
///
/// A block's buffer is taken when its first read starts and free when its response is back; when all are back, the
/// engine writes a status word to memory. Plain logic: the PSB gives it time and carries its reads and transactions.
class DmaEngine {
public:
    explicit DmaEngine(const PsbParams& params);

    /// @pre idle(); throws ModelError for sizes and addresses that the engine cannot do
    void start(const DmaDescriptor& order);
    bool idle() const { return state_ == State::kIdle; }

    struct Read {
        std::uint64_t address = 0;
        std::size_t size = 0;
    };
    /// What to read next, none while no buffer is free or all is read. Its bytes are to be given to `filled`.
    std::optional<Read> next_read() const;
    /// Bytes of the read that next_read() named have come.
    void filled(std::span<const std::byte> bytes);

    struct Transaction {
        std::uint16_t buffer = 0;   ///< comes back with the response
        std::uint64_t address = 0;  ///< in the window
        const std::byte* data = nullptr;
    };
    /// The next full block to be sent.
    std::optional<Transaction> next_transaction();
    void respond(std::uint16_t buffer);

    /// All is answered: the status word is to be written, and then finish() to be called.
    bool wants_status() const { return state_ == State::kStatus; }
    const DmaDescriptor& order() const { return order_; }
    void finish() { enter(State::kIdle); }
    /// For waveforms: idle, copying (start-up included), or status while its word is on the way to memory.
    const std::string_view& word() const { return word_; }

private:
    enum class State : std::uint8_t { kIdle, kCopying, kStatus };
    struct Buffer {
        bool used = false;
        std::array<std::byte, sci::kBlockBytes> data{};
    };

    void enter(State state);
    std::size_t free_buffer() const;

    const std::uint32_t burst_;
    std::vector<Buffer> buffers_;
    State state_ = State::kIdle;
    std::string_view word_ = "idle";
    DmaDescriptor order_;
    std::uint32_t read_ = 0;      // bytes that have come from memory
    std::uint32_t answered_ = 0;  // bytes whose transaction is answered
    std::size_t filling_ = 0;     // the buffer that the reads fill
    bool full_ = false;           // it waits to be sent
};

}  // namespace ringmesh::hw
