// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/sci/sci_processor.h"
#include "tlm/task.h"
#include "workloads/deck/options.h"
#include "workloads/deck/steps.h"
#include "workloads/messaging/block_ring.h"
#include "workloads/messaging/byte_ring.h"
#include "workloads/messaging/local_copy.h"
#include "workloads/messaging/notice_board.h"
#include "workloads/rank.h"

namespace ringmesh::workloads::deck {

/// What a rank has for another one to which it sends.
struct Outgoing {
    BlockWriter short_ring;     ///< protocol 1
    BlockWriter control_ring;   ///< protocols 2 and 3
    ByteRingWriter buffer;      ///< protocol 2
    NoticeReader notices;       ///< in this rank's control segment
    std::uint64_t objects = 0;  ///< the other's segment of message objects, as mapped
    std::uint64_t doorbell = 0;
    std::uint64_t messages = 0;  ///< sent so far, by all protocols
};

/// What a rank has for another one from which it receives: in its mail box, all but the notices.
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

/// What the words of a notice mean.
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

/// How a sender waits until a receiver has told that there is room, and what else it does meanwhile.
class Waiting {
public:
    virtual ~Waiting() = default;
    /// @param bytes of the buffer, a multiple of 64
    virtual Task<> wait_for(Peer& to, Room room, std::uint32_t bytes) = 0;
};

/// One rank's side of its messages, as the protocols see it.
struct Side {
    SciProcessor& processor;
    const Options& options;
    Waiting& waiting;
    MessagingStatistics statistics;
    LocalCopy copy;
    StepListener* listener = nullptr;  ///< as nearly always: nobody wants to know

    void ended(Step step) const
    {
        if (listener != nullptr) listener->ended(processor.rank(), step, processor.time());
    }
    /// A block into one of a peer's rings; rings its doorbell if it waits for that.
    Task<> send_block(Peer& to, StoreRequest block);
    /// Message bytes from local memory to a peer's, padded. @param to a multiple of 64
    Task<> send_data(std::uint64_t from, std::uint64_t to, std::uint32_t bytes);
    /// Waits until all data that was sent is in the peer's memory. The card's DMA engine has waited itself.
    Task<> settle();
    /// Counts a message that was received, and writes the read positions back if it is time.
    Task<> finish_message(Peer& from, std::uint32_t buffer_bytes);
    /// Writes the read positions and the last answer back to a sender.
    Task<> notify(Peer& from);
    /// Each block that comes has its interrupt, and each interrupt is taken once: before the block is looked for, or
    /// after it was found without waiting for that.
    Task<> take_interrupt();

    std::vector<std::byte> data;  ///< on its way
};

}  // namespace ringmesh::workloads::deck
