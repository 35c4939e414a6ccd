// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hw/psb/params.h"
#include "hw/psb/registers.h"
#include "tlm/sci/packet.h"
#include "tlm/statistics/use.h"

namespace ringmesh::hw {

/// The card's DMA engine: copies local memory to a mapped segment, one order at a time.
///
///     memory --> reads of `dma_burst` bytes over PCI --> blocks of 64 bytes --> one SCI transaction each
///
/// A block's buffer is allocated when its first read starts and freed by its response; after the last response the
/// engine writes a status word to memory. Plain logic: the PSB passes the time and carries out its reads and
/// transactions.
class DmaEngine {
public:
    explicit DmaEngine(const PsbParams& params);

    /// @pre idle(); throws ModelError for invalid sizes and addresses
    void start(const DmaCopy& order);
    bool idle() const { return state_ == State::kIdle; }

    struct Read {
        std::uint64_t address = 0;
        std::size_t size = 0;
    };
    /// The next read; none while no buffer is free or all is read. Pass its bytes to `filled`.
    std::optional<Read> next_read() const;
    /// The bytes of the last next_read() have arrived.
    void filled(std::span<const std::byte> bytes);

    struct Transaction {
        std::uint16_t buffer = 0;   ///< returned with the response
        std::uint64_t address = 0;  ///< in the window
        const std::byte* data = nullptr;
    };
    /// The next full block to be sent.
    std::optional<Transaction> next_transaction();
    void respond(std::uint16_t buffer);

    /// All transactions have responses: write the status word, then call finish().
    bool wants_status() const { return state_ == State::kStatus; }
    const DmaCopy& order() const { return order_; }
    void finish() { enter(State::kIdle); }
    /// For waveforms: idle, copying (start-up included), or status while the status word is being written.
    const StateWord& word() const { return word_; }

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
    StateWord word_{"idle"};
    DmaCopy order_;
    std::uint32_t read_ = 0;      // bytes read from memory
    std::uint32_t answered_ = 0;  // bytes with a response
    std::size_t filling_ = 0;     // the buffer being filled
    bool full_ = false;           // that buffer waits to be sent
};

}  // namespace ringmesh::hw
