// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/connections.h"

#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"

namespace ringmesh::workloads::mpi {
namespace {

constexpr SegmentId kMessages = 1;
constexpr SegmentId kNotices = 2;

/// Which part of `owner`'s segments belongs to `other`.
std::uint64_t part_of(unsigned owner, unsigned other) { return other < owner ? other : other - 1; }

}  // namespace

Connections::Connections(Processor& processor, const Options& options, unsigned ranks)
    : processor_(processor), options_(options)
{
    for (unsigned rank = 0; rank < ranks; ++rank) {
        if (rank == processor.rank()) continue;
        peers_.emplace_back();
        peers_.back().rank = rank;
    }
}

void Connections::export_segments()
{
    SegmentDriver& driver = processor_.segments();
    const std::uint64_t messages = driver.create_segment(kMessages, peers_.size() * part_bytes());
    const std::uint64_t notices = driver.create_segment(kNotices, peers_.size() * kNoticeBoardBytes);
    for (Peer& peer : peers_) {
        const std::uint64_t number = part_of(processor_.rank(), peer.rank);
        const std::uint64_t part = messages + number * part_bytes();
        const std::uint64_t eager = part + options_.ring(gathered()).bytes();
        peer.in.ring = BlockReader(part, options_.ring(gathered()));
        peer.in.eager = ByteRing(eager, eager_bytes());
        peer.in.chunks = eager + eager_bytes();
        peer.out.notices = NoticeReader(notices + number * kNoticeBoardBytes, NoticePlaces(gathered()));
    }
    for (const SegmentId segment : {kMessages, kNotices}) driver.export_segment(segment);
}

void Connections::import_segments()
{
    SegmentDriver& driver = processor_.segments();
    for (Peer& peer : peers_) {
        const std::uint64_t number = part_of(peer.rank, processor_.rank());
        const RemoteSegment messages = driver.import_segment(peer.rank, kMessages);
        const std::uint64_t part = driver.map_segment(messages, number * part_bytes(), part_bytes());
        const std::uint64_t eager = part + options_.ring(gathered()).bytes();
        peer.out.ring = BlockWriter(part, options_.ring(gathered()));
        peer.out.eager = ByteRingWriter(ByteRing(eager, eager_bytes()));
        peer.out.chunks = eager + eager_bytes();
        const RemoteSegment notices = driver.import_segment(peer.rank, kNotices);
        peer.in.notices = NoticeWriter(driver.map_segment(notices, number * kNoticeBoardBytes, kNoticeBoardBytes),
                                       NoticePlaces(gathered()));
    }
}

Peer& Connections::peer(unsigned rank)
{
    const auto found =
        std::find_if(peers_.begin(), peers_.end(), [rank](const Peer& peer) { return peer.rank == rank; });
    if (found != peers_.end()) return *found;
    throw UserError(fmt::format("mpi: rank {} has no connection to rank {}", processor_.rank(), rank));
}

}  // namespace ringmesh::workloads::mpi
