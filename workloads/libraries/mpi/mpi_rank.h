// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "tlm/pc/pc_processor.h"
#include "workloads/libraries/messaging/block_ring.h"
#include "workloads/libraries/messaging/byte_ring.h"
#include "workloads/libraries/messaging/local_copy.h"
#include "workloads/libraries/messaging/notice_board.h"
#include "workloads/libraries/messaging/parted_segment.h"
#include "workloads/libraries/messaging/transfer_check.h"
#include "workloads/libraries/mpi/options.h"
#include "workloads/ranks/labelled.h"
#include "workloads/ranks/rank.h"

namespace ringmesh::workloads::mpi {

/// The header of a block, unless it only continues a message. The bytes after it, up to Options::envelope, are for tag
/// and communicator: the label of a labelled message.
struct Envelope {
    static constexpr std::size_t kBytes = 16;
    static constexpr std::size_t kWithLabel = kBytes + sizeof(Label);
    enum class Kind : std::uint32_t {
        kShort = 1,  ///< the message follows in this block and the next
        kEager,      ///< the message is in the eager buffer
        kRequest,    ///< the message waits until the receiver is ready
        kChunk,      ///< the next chunk has arrived
    };

    Kind kind = Kind::kShort;
    std::uint32_t size = 0;     ///< bytes of the message or of the chunk
    std::uint64_t message = 0;  ///< its number among those of its sender to its receiver, from 0

    bool operator==(const Envelope&) const = default;
};

/// @pre there are at least Envelope::kBytes; a label is left out if there is no room for it
void write_envelope(const Envelope& envelope, const Label& label, std::span<std::byte> bytes);
Envelope read_envelope(std::span<const std::byte> bytes);

/// The words of a notice.
enum NoticeWord : std::size_t {
    kRingRead,   ///< blocks
    kEagerRead,  ///< bytes
    kReadyFor,
    kChunksRead,
};

/// In the order of the statistics.
enum Protocol : std::size_t { kShort, kEager, kRendezVous };
Protocol protocol_for(std::uint32_t size, const Options& options);

/// A rank's state for a peer to which it sends.
struct Outgoing {
    BlockWriter ring;  ///< short messages and control blocks
    ByteRingWriter eager;
    std::uint64_t chunks = 0;    ///< the other's chunk buffers, as mapped
    NoticeReader notices;        ///< in this rank's memory
    std::uint64_t messages = 0;  ///< sent so far
    std::uint64_t chunks_sent = 0;
};

/// A rank's state for a peer from which it receives.
struct Incoming {
    BlockReader ring;
    ByteRing eager;
    std::uint64_t chunks = 0;    ///< the chunk buffers' local address
    NoticeWriter notices;        ///< to the other's memory
    std::uint64_t messages = 0;  ///< received so far
    std::uint64_t chunks_read = 0;
    std::uint64_t ready_for = 0;             ///< number of the last message whose sender may send its chunks, from 1
    std::int64_t unacknowledged = 0;         ///< messages
    std::uint64_t unacknowledged_bytes = 0;  ///< of the eager buffer
};

struct Peer {
    unsigned rank = 0;
    Outgoing out;
    Incoming in;
};

/// One rank's end of an MPI library for SCI, by size of message [002 III.C, IV.A]:
///
/// - short: envelope and message inline in as many 64-byte blocks as they need, each with its identifier;
/// - eager: envelope and message to the receiver's buffer for this sender, a store barrier, a control block; the
/// receiver copies the message out when all of it has arrived;
/// - rendez-vous: a request, which the receiver answers when it is ready; then chunk by chunk into buffers in its
/// segment,
///   each with a store barrier and a control block. The receiver copies one out while the next is transmitted:
///
///     sender                                      receiver
///     request ----------------------------------> polls its ring
///     waits <------------------------------------ ready
///     stores chunk 0, barrier, control block ---> copies chunk 0 to the user's buffer
///     stores chunk 1, ...            <----------- chunk 0 is read
///
/// A rank has a segment with a part for each sender: | ring of 64-byte blocks | eager buffer | chunk buffers |
/// If there are too many ranks for that, only those have one that send to each other (PeerMemory).
/// Messages of one sender come in order. User buffers lie in local memory. Blocks and data are stored by MMX, padded to
/// a multiple of 64 bytes, as in DECK.
///
/// Timing: `call` cycles for each message at its sender before any other action and at its receiver after the copy, and
/// the processor's time for stores, loads, polls and barriers; loads of sent data take no additional time. With `check`
/// a send ends with a barrier after the message was signalled: the receiver does not wait for it. If software has to
/// repair what faults lose (recovery.tries=0), there is such a barrier behind each block, notice and piece of data
/// instead, and what failed is stored again, as in DECK. Without `check` a failure ends the run. Two ranks that both
/// send by rendez-vous, or to full buffers, before they receive deadlock, as MPI's standard send may; labelled
/// messages, of which several may be under way, take the same steps (MpiLabelled).
class MpiRank final : public Rank {
public:
    /// @param options outlive it @param ranks that take part, from 0 @param all memories of their ranks
    /// @throws UserError if the options contradict each other
    MpiRank(PcProcessor& processor, const Options& options, unsigned ranks,
            std::shared_ptr<PeerMemory<Peer>::All> all = nullptr);

    Processor& processor() const override { return processor_; }
    using Rank::create_buffer;
    BufferId create_buffer(std::uint32_t size, std::uint32_t largest_part) override;
    void export_memory() override;
    void import_memory() override;
    std::uint64_t address(BufferId buffer) const override { return buffers_.at(buffer).address; }

    using Rank::receive;
    using Rank::send;
    Task<> send(unsigned to, Part bytes, Tag tag) override;
    Task<Received> receive(unsigned from, Part room, Tag tag) override;
    bool has_mail() const override;
    LabelledMessages* labelled() override;
    MessagingStatistics statistics() const override
    {
        MessagingStatistics all = statistics_;
        if (check_) all.repeated = check_->again();
        return all;
    }

private:
    friend class MpiLabelled;
    struct Buffer {
        std::uint32_t size = 0;
        std::uint64_t address = 0;
    };
    /// What a sender waits for.
    enum class Room : std::uint8_t { kBlock, kEager, kReady, kChunk };

    std::uint64_t eager_bytes() const { return static_cast<std::uint64_t>(options_.eager_buffer); }
    RingShape ring() const { return options_.ring(processor_.gathered_block()); }
    /// To a rank with which nothing was exchanged yet, if memory is too small for all.
    Task<> connect(unsigned to);
    Task<> send_short(Peer& to, std::uint64_t from, std::uint32_t size);
    Task<> send_eager(Peer& to, std::uint64_t from, std::uint32_t size);
    Task<> send_chunks(Peer& to, std::uint64_t from, std::uint32_t size);
    Task<> store_chunk(Peer& to, std::uint64_t from, std::uint32_t size);
    /// Offset of the n-th chunk in the chunk buffers.
    std::uint64_t chunk_place(std::uint64_t number) const
    {
        return number % static_cast<std::uint64_t>(options_.chunk_buffers) * options_.chunk_place_bytes();
    }
    Task<> send_control(Peer& to, Envelope::Kind kind, std::uint32_t size);
    Task<> send_block(Peer& to, std::span<const std::byte> payload);
    Task<> store_barrier();
    /// A store barrier if what was stored is to be checked at once.
    Task<> barrier_if_checked();
    /// Whether what was stored last for a message has to be stored again.
    bool failed(const Peer& to, std::string_view what, std::uint64_t number, unsigned& tried)
    {
        return check_ && check_->failed(to.rank, what, number, tried);
    }
    /// Gathers envelope and message, padded with zeros, in the source buffer of the stores. Takes no time.
    void gather(const Envelope& envelope, std::uint64_t from, std::uint32_t size);
    Task<> wait_for(Peer& to, Room room, std::uint64_t bytes);
    /// Takes over what a notice tells. Takes no time. @return whether there is a new one
    bool look(Outgoing& out);
    bool has_room(const Outgoing& out, Room room, std::uint64_t bytes) const;

    Task<> take_short(Peer& from, Envelope first, std::uint64_t into);
    Task<> take_eager(Peer& from, Envelope control, std::uint64_t into);
    Task<> take_chunks(Peer& from, Envelope request, std::uint64_t into);
    /// Reads the block at the read position into block_.
    Task<> take_block(Peer& from);
    /// @throws ModelError if `found` is not the expected envelope
    void require(const Peer& from, const Envelope& found, const Envelope& expected) const;
    Task<> finish_message(Peer& from, std::uint64_t eager_bytes, bool at_once);
    Task<> notify(Peer& from);

    PcProcessor& processor_;
    Options const& options_;
    PeerMemory<Peer> memory_;
    LocalCopy copy_;
    std::optional<TransferCheck> check_;  // with the option of that name
    MessagingStatistics statistics_;
    std::vector<Buffer> buffers_;
    std::uint64_t buffer_bytes_ = 0;
    std::vector<PollRequest> places_;
    std::vector<Peer*> candidates_;  // the owners of the polled locations
    std::vector<std::byte> data_;    // in flight
    std::vector<std::byte> block_;
    Label label_;  // of the message that is being sent
    std::unique_ptr<LabelledMessages> labelled_;
};

}  // namespace ringmesh::workloads::mpi
