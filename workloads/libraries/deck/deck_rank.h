// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tlm/pc/pc_processor.h"
#include "workloads/libraries/deck/message_object.h"
#include "workloads/libraries/deck/steps.h"
#include "workloads/libraries/messaging/block_ring.h"
#include "workloads/libraries/messaging/byte_ring.h"
#include "workloads/libraries/messaging/local_copy.h"
#include "workloads/libraries/messaging/notice_board.h"
#include "workloads/libraries/messaging/parted_segment.h"
#include "workloads/libraries/messaging/transfer_check.h"
#include "workloads/ranks/labelled.h"
#include "workloads/ranks/rank.h"

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

struct Peer {
    unsigned rank = 0;
    Outgoing out;
    Incoming in;
};

/// The words of a notice.
enum NoticeWord : std::size_t {
    kShortRead,    ///< blocks
    kControlRead,  ///< blocks
    kBufferRead,   ///< bytes
    kAnswered,
    kOffset,
};

/// A control packet of protocols 2 and 3: a block of 64 bytes in the ring of control locations, with sequence number
/// and identifier as protocol 1's. The locations form a ring, so that several messages can be outstanding.
struct Control {
    enum class Sign : std::uint8_t {
        kInBuffer = 1,  ///< a message of protocol 2 is in the buffer
        kRequest,       ///< protocol 3: requests an address for a message of this size
        kEnd,           ///< protocol 3: it is written
    };
    Sign sign = Sign::kInBuffer;
    std::uint32_t size = 0;  ///< of the message
    Label label = {};        ///< of a request, if messages have labels (DeckLabelled)
};

/// One rank's end of DECK/SCI [002 III]. Each rank has one mail box, in which every other rank has its own part:
///
///     mail box   for each sender: | ring of protocol 1 | ring of control packets | buffer of protocol 2 |
///     control    for each receiver: what it writes back
///     objects    the buffers of message objects in shared memory
///
/// Buffers are message objects. By size of message and object:
///
/// Protocol 1, up to 62 bytes: data, sequence number and identifier in one packet, no flush, no barrier. A packet
/// carries no length: the receiver's message object gives it. All 62 bytes are copied for any length; 126 with a packet
/// of 128 bytes.
///
///     sender                                    receiver
///     store a block into its ring ------------> polls the last byte at its read position of all rings
///                                               copies the data to the message object
///     checks its local copy <---------------- writes its read position back
///
/// Protocol 2, more bytes: the message goes to a buffer in the receiver's mail box, followed by a control packet.
/// Header and data are padded to a multiple of 64 bytes and wrap at the buffer's end.
///
///     store header and data into its buffer
///     barrier: packets may overtake
///     store a control packet -----------------> polls all control locations
///                                               reads the header, copies the data to the message object
///     checks its local copy <---------------- writes its read position back
///
/// Protocol 3, of objects created above the limit, zero-copy: the message goes to the buffer of the receiver's object.
/// The answer also acknowledges the request: it makes room for the end. Data is padded to a multiple of 64 bytes.
///
///     store a control packet: request --------> polls all control locations
///     polls for the answer <------------------- the address of its message object
///     store data to that address
///     barrier: packets may overtake
///     store a control packet: end ------------> polls for it, returns
///     checks its local copy <---------------- writes its read position back
///
/// Messages of one sender arrive in order, across protocols: the sequence number counts them all. Received::size of
/// protocol 1 is that of the receiver's object, at most 62.
///
/// If software has to repair what faults lose (recovery.tries=0), each packet, notice and piece of data is followed by
/// a store barrier and a check, and stored again at the same place if it failed (TransferCheck): until its control
/// packet has come, nobody looks at data, and a reader passes by a block or notice that it has seen.
///
/// Timing: `call` cycles for each message at its sender and at its receiver, and what the processor needs for its
/// stores, loads, polls and barriers. Cache and memory supply sent data faster than the bus: its loads take no
/// additional time. Checking read positions in local memory takes none either, unless the sender must wait. Not
/// modelled: threads, semaphores, several mail boxes of a rank.
class DeckRank final : public Rank {
public:
    /// @param options outlive it @param ranks that take part, from 0 @throws UserError if the machine has not what they
    /// need
    DeckRank(PcProcessor& processor, const Options& options, unsigned ranks);

    Processor& processor() const override { return processor_; }
    using Rank::create_buffer;
    BufferId create_buffer(std::uint32_t size, std::uint32_t largest_part) override;
    void export_memory() override;
    void import_memory() override;
    std::uint64_t address(BufferId buffer) const override { return objects_.at(buffer).address; }

    using Rank::receive;
    using Rank::send;
    /// A part that is not at the beginning of its object is copied through an object of its own.
    Task<> send(unsigned to, Part bytes, Tag tag) override;
    Task<Received> receive(unsigned from, Part room, Tag tag) override;
    MessagingStatistics statistics() const override
    {
        MessagingStatistics all = statistics_;
        all.repeated = check_.again();
        return all;
    }

    bool has_mail() const override;
    LabelledMessages* labelled() override;
    /// Replaces the second thread, which receives from the mail box [002 III]. Without it, two ranks with full rings
    /// that send to each other, or that both request an address by protocol 3, deadlock.
    bool receive_while_sending(ReceiveHandler& handler) override
    {
        handler_ = &handler;
        return true;
    }
    /// Reports the steps of all messages from now on. @param listener outlives the run, or is null
    void tell_steps(StepListener* listener) { listener_ = listener; }
    std::string problem() const override { return has_mail() ? "; a message lies in its mail box" : ""; }

private:
    friend class DeckLabelled;
    /// What a sender waits for.
    enum class Room : std::uint8_t { kShortSlot, kControlSlot, kBuffer, kAnswer };
    /// A location in the mail box where a block may arrive.
    struct Candidate {
        Peer* peer = nullptr;
        bool short_message = false;
    };
    /// A transfer by protocol 3 whose request has been answered, until its end.
    struct IncomingTransfer {
        Peer* from = nullptr;  ///< null: no transfer
        std::uint32_t size = 0;
    };
    std::uint32_t gathered() const { return processor_.gathered_block(); }
    /// The rings at the start of a part, as they lie in it.
    std::uint64_t control_ring_at() const { return options_.short_ring(gathered()).bytes(); }
    std::uint64_t buffer_at() const { return control_ring_at() + options_.control_ring(gathered()).bytes(); }
    std::uint64_t part_bytes() const
    {
        return on_large_blocks(buffer_at() + static_cast<std::uint64_t>(options_.buffer));
    }
    Peer& peer(unsigned rank) { return memory_.peer(rank, "deck"); }
    void ended(Step step) const
    {
        if (listener_ != nullptr) listener_->ended(processor_.rank(), step, processor_.time());
    }
    /// Parts of an object that was created for parts go through the object for them, unless they are all of it: both
    /// ranks must choose alike, because that object decides by which protocol they go.
    bool is_parted(Part bytes) const;

    Task<> send_object(Peer& to, const MessageObject& object, std::uint32_t size);
    Task<> send_short(Peer& to, const MessageObject& object, std::uint32_t size);
    Task<> send_general(Peer& to, const MessageObject& object, std::uint32_t size);
    Task<> send_zero_copy(Peer& to, const MessageObject& object, std::uint32_t size);
    /// Stores a block of a message into one of a peer's rings; rings its doorbell with notification by interrupt.
    Task<> send_block(Peer& to, StoreRequest block, std::uint64_t message);
    /// @pre there is room. It belongs to the message with number `to.out.messages`.
    Task<> send_control(Peer& to, Control control);
    /// Copies message bytes from local memory to a peer's, padded. @param to a multiple of 64
    Task<> send_data(std::uint64_t from, std::uint64_t to, std::uint32_t bytes);
    /// A store barrier if what was stored is to be checked at once.
    Task<> settle_if_checked();
    /// Waits until all sent data is in the peer's memory. A DMA transfer has already waited.
    Task<> settle();
    /// @param bytes of the buffer, a multiple of 64
    Task<> wait_for(Peer& to, Room room, std::uint32_t bytes);
    bool has_room(const Peer& to, Room room, std::uint32_t bytes) const;
    /// Takes over what a notice tells. Takes no time. @return whether there is a new one
    bool look(Peer& to);

    Task<> receive_object(unsigned from, BufferId object);
    /// Adds a peer's locations to the polled ones.
    void add_places(Peer& peer);
    PollAnyRequest all_places() const
    {
        return {.places = places_.data(), .count = static_cast<std::uint32_t>(places_.size())};
    }
    /// Takes an arrived block. @return whether it was a whole message, which is then in received_; if not, a transfer
    /// by protocol 3 has begun
    Task<bool> take(Candidate candidate, BufferId buffer);
    Task<> take_short(Peer& from, const MessageObject& into);
    Task<> take_general(Peer& from, const MessageObject& into);
    /// Reads the packet at the read position and steps over it.
    Task<Control> take_control(Peer& from);
    /// Answers a request for so many bytes. From then on the sender does not depend on the receiver.
    /// @throws UserError if the object is smaller or its buffer is not in shared memory
    Task<> answer_request(Peer& from, const MessageObject& into, std::uint32_t size);
    /// Where the end of the transfer will arrive.
    PollRequest end_place() const
    {
        const Incoming& in = transfer_.from->in;
        return in.control_ring.awaited(processor_, in.messages);
    }
    /// Takes the arrived end of the transfer; the message is then in received_. @throws ModelError if it is another
    Task<> end_transfer();
    Task<> wait_for_end_of_transfer();
    /// @throws UserError if a message from another rank is larger than the object that is to hold it
    void require_fits(const Peer& from, std::uint32_t size, const MessageObject& into) const;
    /// Counts a received message, and writes the read positions back if due.
    Task<> finish_message(Peer& from, std::uint32_t buffer_bytes);
    /// Writes the read positions and the last answer back to a sender.
    Task<> notify(Peer& from);
    /// Each arriving block has an interrupt, which is taken once: before the block is polled, or after it was found
    /// without waiting.
    Task<> take_interrupt();

    PcProcessor& processor_;
    Options const& options_;
    MessageObjects objects_;
    std::vector<bool> parted_;  // of each object
    std::uint32_t largest_part_ = 0;
    BufferId part_ = 0;  // the object through which parts go, if there are any
    PeerMemory<Peer> memory_;
    LocalCopy copy_;
    TransferCheck check_;
    MessagingStatistics statistics_;
    StepListener* listener_ = nullptr;  // null: no listener
    ReceiveHandler* handler_ = nullptr;
    /// While it is outstanding, a waiting sender takes nothing else. It does not block until the end: ranks that answer
    /// each other's requests in a cycle would deadlock.
    IncomingTransfer transfer_;
    Received received_;
    std::vector<PollRequest> places_;
    std::vector<Candidate> candidates_;  // what the places are, but for a notice's in front
    std::vector<std::byte> data_;        // in flight
    std::unique_ptr<LabelledMessages> labelled_;
};

}  // namespace ringmesh::workloads::deck
