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

/// What a program does with messages that come while it waits for room to send: they stand for another thread that
/// receives from the mail box meanwhile [002 III]. Without it two ranks with full rings that send to each other, or
/// that both ask for an address by protocol 3, wait for ever.
class Arrivals {
public:
    virtual ~Arrivals() = default;
    /// The message object for the next one.
    virtual BufferId object() = 0;
    virtual void arrived(const Received& received) = 0;
};

/// One rank's end of DECK/SCI. Buffers are message objects; by size of message and object goes
///
///     up to 62 bytes   protocol 1 (protocol_1.h)
///     more             protocol 2 (protocol_2.h), of objects created above the limit protocol 3 (protocol_3.h)
///
/// Messages of one sender come in order, whatever carries them: the sequence number counts them all. Received::size of
/// protocol 1 is that of the receiver's object, at most 62.
///
/// Timing: `call` cycles for each message at its sender and at its receiver, and what the processor needs for its
/// stores, loads, polls and barriers. Data that is sent comes out of the cache or the memory faster than the bus takes
/// it: loads of it take no time of their own. Nor has looking at read positions in local memory, unless the sender must
/// wait. Not modelled: threads, semaphores, several mail boxes of a rank.
class DeckRank final : public Rank, private Waiting {
public:
    /// @param options outlive it @param ranks that take part, from 0 @throws UserError if the machine has not what they
    /// need
    DeckRank(SciProcessor& processor, const Options& options, unsigned ranks);

    Processor& processor() const override { return side_.processor; }
    using Rank::create_buffer;
    BufferId create_buffer(std::uint32_t size, std::uint32_t largest_part) override;
    void export_memory() override;
    void import_memory() override { mail_box_.import_segments(); }
    std::uint64_t address(BufferId buffer) const override { return objects_.at(buffer).address; }

    using Rank::receive;
    using Rank::send;
    /// A part of an object that is not its beginning, and any into which another part comes, is copied by the program:
    /// through an object of its own.
    Task<> send(unsigned to, Part bytes, Tag tag) override;
    Task<Received> receive(unsigned from, Part room, Tag tag) override;
    MessagingStatistics statistics() const override { return side_.statistics; }

    /// @param arrivals outlives the run; its program sends nothing in answer
    void receive_while_sending(Arrivals& arrivals) { arrivals_ = &arrivals; }
    /// Has the steps of all messages told from now on. @param listener outlives the run, or is null
    void tell_steps(StepListener* listener) { side_.listener = listener; }
    /// Whether a message lies in the mail box. Takes no time.
    bool has_mail() const;

private:
    /// A place in the mail box where a block may come.
    struct Candidate {
        Peer* peer = nullptr;
        bool short_message = false;
    };
    Task<> wait_for(Peer& to, Room room, std::uint32_t bytes) override;
    static bool has_room(const Peer& to, Room room, std::uint32_t bytes);
    static void take_notices(const SciProcessor& processor, Outgoing& out);
    /// Adds the places of a peer to those that are polled.
    void add_places(Peer& peer);
    /// Those of all peers, from the one after that which came last: a real loop goes round them.
    void add_all_places();
    PollAnyRequest all_places() const;
    /// Takes a block that has come. @return whether it was a whole message, which is then in received_; if not, a
    /// transfer by protocol 3 has begun
    Task<bool> take(Candidate candidate, BufferId buffer);
    /// Takes the end of the transfer, which has come; the message is then in received_.
    Task<> end_transfer();
    Task<> wait_for_end_of_transfer();

    Task<> send_object(Peer& to, const MessageObject& object, std::uint32_t size);
    Task<> receive_object(unsigned from, BufferId object);

    Options const& options_;
    MessageObjects objects_;
    std::uint32_t largest_part_ = 0;
    BufferId part_ = 0;  // the object through which parts go, if there are any
    MailBox mail_box_;
    Side side_;
    Arrivals* arrivals_ = nullptr;
    std::size_t next_ = 0;  // peer to poll first
    /// While it is under way, a sender that waits takes nothing else. It does not stop to wait for the end: ranks that
    /// answer each other's requests in a circle would all do so, and none send.
    IncomingTransfer transfer_;
    Received received_;
    std::vector<PollRequest> places_;
    std::vector<Candidate> candidates_;  // what the places are, but for a notice's in front
};

}  // namespace ringmesh::workloads::deck
