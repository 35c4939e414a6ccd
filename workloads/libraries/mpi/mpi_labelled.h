// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/libraries/messaging/labelled_peers.h"
#include "workloads/libraries/mpi/mpi_rank.h"

namespace ringmesh::workloads::mpi {

/// The labelled messages of MpiRank: its protocols, of which several messages may be under way. Every block, or the
/// blocks of one short message, have a number of their own, so that pieces of messages may follow each other; a
/// receiver calls for one message of a sender at a time, which bounds the chunk buffers.
class MpiLabelled final : public LabelledPeers {
public:
    /// @throws UserError if an envelope has no room for a label
    explicit MpiLabelled(MpiRank& rank);

    std::uint64_t allocate(std::uint32_t size) override { return rank_.processor_.segments().allocate(size); }
    Task<> begin(Sending& sending) override;
    Task<> call_for(Arrival arrival, std::uint64_t into) override;
    Task<> copy(std::uint64_t from, std::uint64_t to, std::uint32_t size) override
    {
        return rank_.copy_.run(from, to, size);
    }
    Task<> call() override;

private:
    Peer& peer(unsigned rank) const { return rank_.memory_.peer(rank, "mpi"); }
    const std::vector<unsigned>& connected() const override { return rank_.memory_.connected(); }
    std::optional<PollRequest> awaited_connection() const override { return rank_.memory_.awaited_request(); }
    void add_arrivals(unsigned from, std::vector<PollRequest>& places) const override
    {
        const Incoming& in = peer(from).in;
        places.push_back(in.ring.awaited(rank_.processor_, in.messages));
    }
    bool has_come(unsigned from) const override
    {
        const Incoming& in = peer(from).in;
        return in.ring.has_come(rank_.processor_, in.messages);
    }
    bool look(unsigned to) override { return rank_.look(peer(to).out); }
    PollRequest awaited_notice(unsigned to) const override { return peer(to).out.notices.awaited(rank_.processor_); }
    Task<> take(unsigned from) override;
    Task<bool> push(unsigned to) override;
    Task<> send_chunk(Peer& to, Sending& sending);
    Task<> finish(Sending& sending);
    Task<> take_chunk(Peer& from, const Envelope& envelope);

    MpiRank& rank_;
};

}  // namespace ringmesh::workloads::mpi
