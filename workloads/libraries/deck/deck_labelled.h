// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/libraries/deck/deck_rank.h"
#include "workloads/libraries/messaging/labelled_peers.h"

namespace ringmesh::workloads::deck {

/// The labelled messages of DeckRank: its three protocols, of which several messages may be under way. DECK has no
/// labels, so this is an assumption: they stand before the message.
///
///     protocol 1   | label | size | - | message |       in one packet
///     protocol 2   | size | number | label | message |  in the buffer
///     protocol 3   label in the control packet that requests the address
///
/// A message with its label goes by protocol 1 if one packet holds it, by protocol 2 up to `limit`, else by protocol 3,
/// as do all that are synchronous. Messages lie in a segment that the library gives out, 7/8 of the memory that is
/// left, so that protocol 3 can write to them. Each control packet has a number of its own, and a receiver answers one
/// request of a sender at a time.
class DeckLabelled final : public LabelledPeers {
public:
    /// @throws UserError if one protocol is to carry all, or interrupts are to tell of messages
    explicit DeckLabelled(DeckRank& rank);

    std::uint64_t allocate(std::uint32_t size) override;
    Task<> begin(Sending& sending) override;
    Task<> call_for(Arrival arrival, std::uint64_t into) override;
    Task<> copy(std::uint64_t from, std::uint64_t to, std::uint32_t size) override
    {
        return rank_.copy_.run(from, to, size);
    }
    Task<> call() override;

private:
    /// Before a message of protocol 1 or 2.
    static constexpr std::uint32_t kFront = 16;

    Peer& peer(unsigned rank) const { return rank_.peer(rank); }
    const std::vector<unsigned>& connected() const override { return rank_.memory_.connected(); }
    Choice protocol_of(const Sending& sending) const;
    /// Bytes of the largest message of protocol 2.
    std::uint32_t largest_general() const;
    void add_arrivals(unsigned from, std::vector<PollRequest>& places) const override;
    bool has_come(unsigned from) const override;
    bool look(unsigned to) override { return rank_.look(peer(to)); }
    PollRequest awaited_notice(unsigned to) const override;
    Task<> take(unsigned from) override;
    Task<bool> push(unsigned to) override;
    Task<> send_short(Peer& to, const Sending& sending);
    Task<> send_general(Peer& to, const Sending& sending);
    Task<> send_zero_copy(Peer& to, const Sending& sending);
    void finish(Sending& sending);
    Task<> take_short(Peer& from);
    Task<> take_general(Peer& from);
    Task<> take_request(Peer& from, const Control& control);
    Task<> take_end(Peer& from, const Control& control);
    /// Where the first message that was called for goes.
    void answer(Peer& from);

    DeckRank& rank_;
    std::uint64_t pool_ = 0;  // address of the segment with messages
    std::uint64_t pool_bytes_ = 0;
    std::uint64_t used_ = 0;
    std::uint64_t image_ = 0;           // of a message of protocol 2, as it leaves
    std::vector<std::uint64_t> pools_;  // of the others, as mapped; 0: not yet
};

}  // namespace ringmesh::workloads::deck
