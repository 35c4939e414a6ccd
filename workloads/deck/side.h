// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/pc/pc_processor.h"
#include "tlm/task.h"
#include "workloads/deck/options.h"
#include "workloads/deck/steps.h"
#include "workloads/messaging/block_ring.h"
#include "workloads/messaging/byte_ring.h"
#include "workloads/messaging/local_copy.h"
#include "workloads/messaging/notice_board.h"
#include "workloads/rank.h"

namespace ringmesh::workloads::deck {

/// A rank's state for a peer to which it sends.
struct Outgoing {
    BlockWriter short_ring;     ///< protocol 1
    BlockWriter control_ring;   ///< protocols 2 and 3
    ByteRingWriter buffer;      ///< protocol 2
    NoticeReader notices;       ///< in this rank's control segment
    std::uint64_t objects = 0;  ///< the other's segment of message objects, as mapped
    std::uint64_t doorbell = 0;
    std::uint64_t messages = 0;  ///< sent so far, by all protocols
};

/// A rank's state for a peer from which it receives: all except the notices is in its mail box.
struct Incoming {
    BlockReader short_ring;
    BlockReader control_ring;
    ByteRing buffer;
    NoticeWriter notices;                    ///< to the other's control segment
    std::uint64_t messages = 0;              ///< received so far, by all protocols
    std::uint64_t answered = 0;              ///< number of the last message whose sender asked for an address, from 1
    std::uint64_t offset = 0;                ///< the answer: where in this rank's segment of message objects
    std::int64_t unacknowledged = 0;         ///< messages
    std::uint64_t unacknowledged_bytes = 0;  ///< of the buffer
};

/// The words of a notice.
struct NoticeWord {
    static constexpr std::size_t kShortRead = 0;    ///< blocks
    static constexpr std::size_t kControlRead = 1;  ///< blocks
    static constexpr std::size_t kBufferRead = 2;   ///< bytes
    static constexpr std::size_t kAnswered = 3;
    static constexpr std::size_t kOffset = 4;
};

struct Peer {
    unsigned rank = 0;
    Outgoing out;
    Incoming in;
};

/// What a sender waits for.
enum class Room : std::uint8_t { kShortSlot, kControlSlot, kBuffer, kAnswer };

/// How a sender waits for room at the receiver, and what it does meanwhile.
class Waiting {
public:
    virtual ~Waiting() = default;
    /// @param bytes of the buffer, a multiple of 64
    virtual Task<> wait_for(Peer& to, Room room, std::uint32_t bytes) = 0;
};

/// One rank's state, for the protocols.
struct Side {
    PcProcessor& processor;
    const Options& options;
    Waiting& waiting;
    MessagingStatistics statistics;
    LocalCopy copy;
    StepListener* listener = nullptr;  ///< null: no listener

    void ended(Step step) const
    {
        if (listener != nullptr) listener->ended(processor.rank(), step, processor.time());
    }
    /// Stores a block into one of a peer's rings; rings its doorbell with notification by interrupt.
    Task<> send_block(Peer& to, StoreRequest block);
    /// Copies message bytes from local memory to a peer's, padded. @param to a multiple of 64
    Task<> send_data(std::uint64_t from, std::uint64_t to, std::uint32_t bytes);
    /// Waits until all sent data is in the peer's memory. A DMA transfer has already waited.
    Task<> settle();
    /// Counts a received message, and writes the read positions back if due.
    Task<> finish_message(Peer& from, std::uint32_t buffer_bytes);
    /// Writes the read positions and the last answer back to a sender.
    Task<> notify(Peer& from);
    /// Each arriving block has an interrupt, which is taken once: before the block is polled, or after it was found
    /// without waiting.
    Task<> take_interrupt();

    std::vector<std::byte> data;  ///< in flight
};

}  // namespace ringmesh::workloads::deck
