// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "workloads/libraries/mpi/mpi_rank.h"
#include "workloads/ranks/labelled.h"

namespace ringmesh::workloads::mpi {

/// The labelled messages of MpiRank: its protocols, of which several messages may be under way. Every block, or the
/// blocks of one short message, have a number of their own, so that pieces of messages may follow each other; a
/// receiver calls for one message of a sender at a time, which bounds the chunk buffers.
class MpiLabelled final : public LabelledMessages {
public:
    /// @throws UserError if an envelope has no room for a label
    explicit MpiLabelled(MpiRank& rank);

    void deliver_to(Addressee& addressee) override { addressee_ = &addressee; }
    std::uint64_t allocate(std::uint32_t size) override { return rank_.processor_.segments().allocate(size); }
    Task<> begin(Sending& sending) override;
    Task<> call_for(Arrival arrival, std::uint64_t into) override;
    Task<> wait(const Sources& sources) override;
    Task<> advance(const Sources& sources) override;
    Task<> copy(std::uint64_t from, std::uint64_t to, std::uint32_t size) override
    {
        return rank_.copy_.run(from, to, size);
    }
    Task<> call() override;

private:
    struct Called {
        Arrival arrival;
        std::uint64_t into = 0;
        std::uint32_t done = 0;
    };
    /// What is under way to and from a peer.
    struct Traffic {
        std::deque<Sending*> unsent;  // of the first nothing has left
        std::vector<Sending*> asked;  // their receiver will call for them
        std::deque<Called> called;    // the first one's chunks come
    };

    Traffic& traffic(const Peer& peer) { return traffic_[peer.rank]; }
    /// Whatever there is room for. Tells whether anything left.
    Task<bool> push(Peer& to);
    Task<> send_chunk(Peer& to, Sending& sending);
    Task<> finish(Sending& sending);
    Task<> take(Peer& from);
    Task<> take_chunk(Peer& from, const Envelope& envelope);
    bool is_wanted(const Sources& sources, const Peer& peer);

    MpiRank& rank_;
    Addressee* addressee_ = nullptr;
    std::vector<Traffic> traffic_;  // by rank
    std::uint64_t never_;           // address of a word that stays 0
    std::vector<PollRequest> places_;
    std::vector<Peer*> owners_;
};

}  // namespace ringmesh::workloads::mpi
