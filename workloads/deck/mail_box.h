// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/deck/message_object.h"
#include "workloads/deck/side.h"
#include "workloads/messaging/parted_segment.h"

namespace ringmesh::workloads::deck {

/// The segments of a rank. Each rank has one mail box, in which every other rank has its own part:
///
///     mail box   for each sender: | ring of protocol 1 | ring of control packets | buffer of protocol 2 |
///     control    for each receiver: what it writes back
///     objects    the buffers of message objects in shared memory
///
/// DECK has any number of mail boxes, and semaphores; here there is one thread with one mail box.
class MailBox {
public:
    MailBox(PcProcessor& processor, const Options& options, unsigned ranks);

    /// @throws UserError if the memory is too small
    void export_segments(MessageObjects& objects);
    /// @pre all ranks have exported @throws UserError if the card has no translation entry left
    void import_segments();

    /// All other ranks, by rank.
    std::vector<Peer>& peers() { return peers_; }
    const std::vector<Peer>& peers() const { return peers_; }
    /// @throws UserError if there is no such rank, or it is this one
    Peer& peer(unsigned rank) { return peer_in(peers_, "deck", processor_.rank(), rank); }

private:
    std::uint32_t gathered() const { return processor_.gathered_block(); }
    std::uint64_t part_bytes() const;
    /// The rings at the start of a part, as they lie in it.
    std::uint64_t control_ring_at() const;
    std::uint64_t buffer_at() const;

    PcProcessor& processor_;
    const Options& options_;
    PartedSegment mail_box_;
    PartedSegment control_;
    std::vector<Peer> peers_;
};

}  // namespace ringmesh::workloads::deck
