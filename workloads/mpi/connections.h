// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/pc/pc_processor.h"
#include "workloads/messaging/block_ring.h"
#include "workloads/messaging/byte_ring.h"
#include "workloads/messaging/notice_board.h"
#include "workloads/messaging/parted_segment.h"
#include "workloads/mpi/options.h"

namespace ringmesh::workloads::mpi {

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

/// The words of a notice.
struct NoticeWord {
    static constexpr std::size_t kRingRead = 0;   ///< blocks
    static constexpr std::size_t kEagerRead = 1;  ///< bytes
    static constexpr std::size_t kReadyFor = 2;
    static constexpr std::size_t kChunksRead = 3;
};

struct Peer {
    unsigned rank = 0;
    Outgoing out;
    Incoming in;
};

/// One rank's memory for all others: a segment with a part for each sender, and one with a notice board for each
/// receiver.
///
///     part: | ring of 64-byte blocks | eager buffer | chunk buffers |
class Connections {
public:
    Connections(PcProcessor& processor, const Options& options, unsigned ranks);

    /// @throws UserError if the memory is too small
    void export_segments();
    /// @pre all ranks have exported @throws UserError if the card has no translation entry left
    void import_segments();

    /// All other ranks, by rank.
    std::vector<Peer>& peers() { return peers_; }
    /// @throws UserError if there is no such rank, or it is this one
    Peer& peer(unsigned rank) { return peer_in(peers_, "mpi", processor_.rank(), rank); }

private:
    std::uint64_t eager_bytes() const { return static_cast<std::uint64_t>(options_.eager_buffer); }
    std::uint32_t gathered() const { return processor_.gathered_block(); }
    std::uint64_t part_bytes() const
    {
        return on_large_blocks(options_.ring(gathered()).bytes() + eager_bytes() + options_.chunk_bytes());
    }

    PcProcessor& processor_;
    const Options& options_;
    PartedSegment messages_;
    PartedSegment notices_;
    std::vector<Peer> peers_;
};

}  // namespace ringmesh::workloads::mpi
