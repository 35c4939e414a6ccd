// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/deck/mail_box.h"
#include "workloads/deck/message_object.h"
#include "workloads/deck/protocol_3.h"
#include "workloads/deck/side.h"
#include "workloads/rank.h"

namespace ringmesh::workloads::deck {

/// Handles messages that arrive while a program waits for room to send; replaces a second thread that receives from the
/// mail box [002 III]. Without it, two ranks with full rings that send to each other, or that both request an address
/// by protocol 3, deadlock.
class Arrivals {
public:
    virtual ~Arrivals() = default;
    /// The message object for the next one.
    virtual BufferId object() = 0;
    virtual void arrived(const Received& received) = 0;
};

/// One rank's end of DECK/SCI. Buffers are message objects; by size of message and object:
///
///     up to 62 bytes   protocol 1 (protocol_1.h)
///     more             protocol 2 (protocol_2.h), of objects created above the limit protocol 3 (protocol_3.h)
///
/// Messages of one sender arrive in order, across protocols: the sequence number counts them all. Received::size of
/// protocol 1 is that of the receiver's object, at most 62.
///
/// Timing: `call` cycles for each message at its sender and at its receiver, and what the processor needs for its
/// stores, loads, polls and barriers. Cache and memory supply sent data faster than the bus: its loads take no
/// additional time. Checking read positions in local memory takes none either, unless the sender must wait. Not
/// modelled: threads, semaphores, several mail boxes of a rank.
class DeckRank final : public Rank, private Waiting {
public:
    /// @param options outlive it @param ranks that take part, from 0 @throws UserError if the machine has not what they
    /// need
    DeckRank(PcProcessor& processor, const Options& options, unsigned ranks);

    Processor& processor() const override { return side_.processor; }
    using Rank::create_buffer;
    BufferId create_buffer(std::uint32_t size, std::uint32_t largest_part) override;
    void export_memory() override;
    void import_memory() override { mail_box_.import_segments(); }
    std::uint64_t address(BufferId buffer) const override { return objects_.at(buffer).address; }

    using Rank::receive;
    using Rank::send;
    /// A part that is not at the beginning of its object is copied through an object of its own.
    Task<> send(unsigned to, Part bytes, Tag tag) override;
    Task<Received> receive(unsigned from, Part room, Tag tag) override;
    MessagingStatistics statistics() const override { return side_.statistics; }

    /// @param arrivals outlives the run; its program sends no replies
    void receive_while_sending(Arrivals& arrivals) { arrivals_ = &arrivals; }
    /// Reports the steps of all messages from now on. @param listener outlives the run, or is null
    void tell_steps(StepListener* listener) { side_.listener = listener; }
    /// Whether a message lies in the mail box. Takes no time.
    bool has_mail() const;

private:
    /// A location in the mail box where a block may arrive.
    struct Candidate {
        Peer* peer = nullptr;
        bool short_message = false;
    };
    Task<> wait_for(Peer& to, Room room, std::uint32_t bytes) override;
    static bool has_room(const Peer& to, Room room, std::uint32_t bytes);
    static void take_notices(const PcProcessor& processor, Outgoing& out);
    /// Adds a peer's locations to the polled ones.
    void add_places(Peer& peer);
    /// The locations of all peers, starting after the last served one: round-robin, like a real loop.
    void add_all_places();
    PollAnyRequest all_places() const;
    /// Takes an arrived block. @return whether it was a whole message, which is then in received_; if not, a transfer
    /// by protocol 3 has begun
    Task<bool> take(Candidate candidate, BufferId buffer);
    /// Takes the arrived end of the transfer; the message is then in received_.
    Task<> end_transfer();
    Task<> wait_for_end_of_transfer();

    Task<> send_object(Peer& to, const MessageObject& object, std::uint32_t size);
    Task<> receive_object(unsigned from, BufferId object);

    Options const& options_;
    MessageObjects objects_;
    /// Parts of an object that was created for parts go through the object for them, unless they are all of it: both
    /// ranks must choose alike, because that object decides by which protocol they go.
    bool is_parted(Part bytes) const;

    std::vector<bool> parted_;  // of each object
    std::uint32_t largest_part_ = 0;
    BufferId part_ = 0;  // the object through which parts go, if there are any
    MailBox mail_box_;
    Side side_;
    Arrivals* arrivals_ = nullptr;
    std::size_t next_ = 0;  // peer to poll first
    /// While it is outstanding, a waiting sender takes nothing else. It does not block until the end: ranks that answer
    /// each other's requests in a cycle would deadlock.
    IncomingTransfer transfer_;
    Received received_;
    std::vector<PollRequest> places_;
    std::vector<Candidate> candidates_;  // what the places are, but for a notice's in front
};

}  // namespace ringmesh::workloads::deck
