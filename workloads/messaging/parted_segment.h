// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tlm/pc/pc_processor.h"

namespace ringmesh::workloads {

/// A segment that each rank has under the same number, with a part of equal size for each other rank:
///
///     of rank 1: | part for rank 0 | part for rank 2 | part for rank 3 | ...
///
/// The owner reads it in its memory; each other rank maps its own part.
class PartedSegment {
public:
    /// @param ranks that take part, from 0 @param part_bytes a multiple of 128
    PartedSegment(PcProcessor& processor, SegmentId id, unsigned ranks, std::uint64_t part_bytes)
        : processor_(processor), id_(id), others_(ranks - 1), part_bytes_(part_bytes)
    {}

    /// Creates this rank's own. @param what its name in messages @param options that decide the size of a part, and
    /// what to write instead
    /// @throws UserError if the memory is too small
    void create(std::string_view what, std::string_view options);
    void export_it() { processor_.segments().export_segment(id_); }
    /// Local address of the part that another rank writes to. @pre it is created
    std::uint64_t part_for(unsigned other) const { return address_ + number(processor_.rank(), other) * part_bytes_; }
    /// Maps this rank's part of another's. @pre that one has exported it
    /// @throws UserError if the card has no translation entry left
    std::uint64_t map_part_of(unsigned owner) const;

private:
    static std::uint64_t number(unsigned owner, unsigned other) { return other < owner ? other : other - 1; }

    PcProcessor& processor_;
    SegmentId id_;
    std::uint64_t others_;
    std::uint64_t part_bytes_;
    std::uint64_t address_ = 0;
};

/// State for each other rank: `Peer` has a member `rank`.
template <class Peer>
std::vector<Peer> peers_of(unsigned self, unsigned ranks)
{
    std::vector<Peer> peers;
    for (unsigned rank = 0; rank < ranks; ++rank) {
        if (rank == self) continue;
        peers.emplace_back();
        peers.back().rank = rank;
    }
    return peers;
}

[[noreturn]] void no_connection(std::string_view library, unsigned self, unsigned rank);

/// @throws UserError if there is no such rank, or it is this one
template <class Peer>
Peer& peer_in(std::vector<Peer>& peers, std::string_view library, unsigned self, unsigned rank)
{
    for (Peer& peer : peers) {
        if (peer.rank == rank) return peer;
    }
    no_connection(library, self, rank);
}

}  // namespace ringmesh::workloads
