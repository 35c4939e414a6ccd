// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/connections.h"

#include <fmt/format.h>

#include <algorithm>

namespace ringmesh::workloads::mpi {
namespace {

constexpr SegmentId kMessages = 1;
constexpr SegmentId kNotices = 2;

}  // namespace

Connections::Connections(PcProcessor& processor, const Options& options, unsigned ranks)
    : processor_(processor),
      options_(options),
      messages_(processor, kMessages, ranks, part_bytes()),
      notices_(processor, kNotices, ranks, kNoticeBoardBytes),
      peers_(peers_of<Peer>(processor.rank(), ranks))
{}

void Connections::export_segments()
{
    const std::uint64_t chunk = padded(static_cast<std::uint64_t>(options_.chunk));
    messages_.create(
        "mpi: the segment of buffers",
        fmt::format("eager_buffer={} and chunk_buffers={} of chunk={} in each part; write eager_buffer={}, "
                    "chunk={}",
                    options_.eager_buffer, options_.chunk_buffers, options_.chunk, options_.largest_eager(),
                    std::max<std::uint64_t>(chunk / 4, kBlockBytes)));
    notices_.create("mpi: the segment of notices", "a board in each part; take a machine of fewer nodes");
    for (Peer& peer : peers_) {
        const std::uint64_t part = messages_.part_for(peer.rank);
        const std::uint64_t eager = part + options_.ring(gathered()).bytes();
        peer.in.ring = BlockReader(part, options_.ring(gathered()));
        peer.in.eager = ByteRing(eager, eager_bytes());
        peer.in.chunks = eager + eager_bytes();
        peer.out.notices = NoticeReader(notices_.part_for(peer.rank), NoticePlaces(gathered()));
    }
    messages_.export_it();
    notices_.export_it();
}

void Connections::import_segments()
{
    for (Peer& peer : peers_) {
        const std::uint64_t part = messages_.map_part_of(peer.rank);
        const std::uint64_t eager = part + options_.ring(gathered()).bytes();
        peer.out.ring = BlockWriter(part, options_.ring(gathered()));
        peer.out.eager = ByteRingWriter(ByteRing(eager, eager_bytes()));
        peer.out.chunks = eager + eager_bytes();
        peer.in.notices = NoticeWriter(notices_.map_part_of(peer.rank), NoticePlaces(gathered()));
    }
}

}  // namespace ringmesh::workloads::mpi
