// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tlm/pc/pc_processor.h"
#include "workloads/libraries/messaging/notice_board.h"

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
    void export_it()
    {
        if (others_ > 0) processor_.segments().export_segment(id_);
    }
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

[[noreturn]] void no_connection(std::string_view library, unsigned self, unsigned rank);

/// One rank's memory for all others, and what it knows of them: a segment with a part for each sender, and one with a
/// notice board for each receiver. A `Peer` has `rank`, and `out.notices` and `in.notices` that are set here.
template <class Peer>
class PeerMemory {
public:
    /// @param ranks that take part, from 0 @param part_bytes a multiple of 128
    PeerMemory(PcProcessor& processor, unsigned ranks, std::uint64_t part_bytes)
        : processor_(processor),
          parts_(processor, 1, ranks, part_bytes),
          notices_(processor, 2, ranks, kNoticeBoardBytes)
    {
        for (unsigned rank = 0; rank < ranks; ++rank) {
            if (rank == processor.rank()) continue;
            peers_.emplace_back();
            peers_.back().rank = rank;
        }
    }
    /// @param parts, notices names in messages @param options as PartedSegment::create
    /// @throws UserError if the memory is too small
    void create(std::string_view parts, std::string_view options, std::string_view notices)
    {
        parts_.create(parts, options);
        notices_.create(notices, "a board in each part; take a machine of fewer nodes");
    }
    /// @param place of each peer and its part's local address
    template <class Place>
    void export_parts(Place place)
    {
        for (Peer& peer : peers_) {
            place(peer, parts_.part_for(peer.rank));
            peer.out.notices = NoticeReader(notices_.part_for(peer.rank), places());
        }
        parts_.export_it();
        notices_.export_it();
    }
    /// @param place of each peer and this rank's part there, as mapped @pre all ranks have exported
    /// @throws UserError if the card has no translation entry left
    template <class Place>
    void import_parts(Place place)
    {
        for (Peer& peer : peers_) {
            const std::uint64_t part = parts_.map_part_of(peer.rank);
            peer.in.notices = NoticeWriter(notices_.map_part_of(peer.rank), places());
            place(peer, part);
        }
    }

    /// All other ranks, by rank.
    const std::vector<Peer>& peers() const { return peers_; }
    /// @throws UserError if there is no such rank, or it is this one
    Peer& peer(unsigned rank, std::string_view library)
    {
        const unsigned self = processor_.rank();
        if (rank == self || rank > peers_.size()) no_connection(library, self, rank);
        return peers_[rank < self ? rank : rank - 1];
    }
    /// Visits all peers, starting after the last served one: round-robin, like a real loop.
    template <class Visit>
    void in_turn(Visit visit)
    {
        for (std::size_t i = 0; i < peers_.size(); ++i) visit(peers_[(next_ + i) % peers_.size()]);
    }
    void served(const Peer& peer) { next_ = static_cast<std::size_t>(&peer - peers_.data()) + 1; }

private:
    NoticePlaces places() const { return NoticePlaces(processor_.gathered_block()); }

    PcProcessor& processor_;
    PartedSegment parts_;
    PartedSegment notices_;
    std::vector<Peer> peers_;
    std::size_t next_ = 0;
};

}  // namespace ringmesh::workloads
