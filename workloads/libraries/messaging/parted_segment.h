// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tlm/error.h"
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
/// @param options as PartedSegment::create @param why as the driver says it
[[noreturn]] void no_room_to_connect(std::string_view library, unsigned self, unsigned rank, std::string_view options,
                                     std::string_view why);

/// @param bytes that the buffers for all ranks need in each node
[[noreturn]] void refuse_to_divide(std::uint64_t bytes);

/// Visits these ranks in rising order, beginning with the first that is not below `first`: a round.
template <class Visit>
void in_turn_from(unsigned first, const std::vector<unsigned>& ranks, Visit visit)
{
    const auto begin = std::lower_bound(ranks.begin(), ranks.end(), first);
    std::for_each(begin, ranks.end(), visit);
    std::for_each(ranks.begin(), begin, visit);
}

/// One rank's memory for all others, and what it knows of them: a segment with a part for each sender, and one with a
/// notice board for each receiver. A `Peer` has `rank`, and `out.notices` and `in.notices` that are set here.
///
/// If the parts for all others do not fit into the memory, and the library can do it, two ranks are connected when one
/// of them first sends to the other: both then get a part and a board, and the sender stores a request into a word of
/// the other, which polls it. How real libraries connect is not known; the driver's work takes no time.
template <class Peer>
class PeerMemory {
public:
    /// Those of all ranks.
    struct All {
        std::vector<PeerMemory*> memories;  ///< by rank
        std::optional<bool> on_demand;      ///< connections, if some rank has no room for all; not yet known
        bool divided = false;               ///< several processes run the ranks, which cannot connect on demand
    };

    /// @param ranks that take part, from 0 @param part_bytes a multiple of 128
    /// @param all in which this one enters itself, for connections on demand; null: there are none
    PeerMemory(PcProcessor& processor, unsigned ranks, std::uint64_t part_bytes, std::shared_ptr<All> all = nullptr)
        : processor_(processor),
          part_bytes_(part_bytes),
          parts_(processor, kParts, ranks, part_bytes),
          notices_(processor, kNotices, ranks, kNoticeBoardBytes),
          peers_(ranks),
          all_(std::move(all))
    {
        if (all_ == nullptr) return;
        all_->memories.resize(ranks);
        all_->memories[processor.rank()] = this;
    }
    /// @param parts, notices names in messages @param options as PartedSegment::create
    /// @throws UserError if the memory is too small
    void create(std::string_view parts, const std::string& options, std::string_view notices)
    {
        if (connects_on_demand()) {
            options_ = options;
            requests_ = processor_.segments().create_segment(kRequests, kBlockBytes);
            return;
        }
        parts_.create(parts, options);
        notices_.create(notices, "a board in each part; take a machine of fewer nodes");
        for (unsigned rank = 0; rank < peers_.size(); ++rank) {
            if (rank != processor_.rank()) add(rank);
        }
    }
    /// @param place of each peer and its part's local address; also of those that are connected later
    void export_parts(std::function<void(Peer&, std::uint64_t)> place)
    {
        place_own_ = std::move(place);
        if (requests_) return processor_.segments().export_segment(kRequests);
        for (const unsigned rank : connected_) place_own(*peers_[rank], parts_.part_for(rank), notices_.part_for(rank));
        parts_.export_it();
        notices_.export_it();
    }
    /// @param place of each peer and this rank's part there, as mapped; also of those that are connected later
    /// @pre all ranks have exported @throws UserError if the card has no translation entry left
    void import_parts(std::function<void(Peer&, std::uint64_t)> place)
    {
        place_theirs_ = std::move(place);
        for (const unsigned rank : connected_) {
            const std::uint64_t part = parts_.map_part_of(rank);
            place_theirs(*peers_[rank], part, notices_.map_part_of(rank));
        }
    }

    /// Ranks that take part.
    unsigned ranks() const { return static_cast<unsigned>(peers_.size()); }
    bool is_connected(unsigned rank) const { return peers_.at(rank) != nullptr; }
    /// In rising order: of all others, unless they are connected on demand.
    const std::vector<unsigned>& connected() const { return connected_; }
    /// What the sender stores into the other's memory when it has connected to it.
    struct Request {
        std::uint64_t address = 0;
        std::uint32_t number = 0;  ///< of all requests to that rank, from 1 on
    };
    /// The same anew, with the number that is the newest now: an older one must not replace a newer one.
    Request again(Request request, unsigned rank) const
    {
        request.number = all_->memories.at(rank)->requested_;
        return request;
    }
    /// @pre they are not connected @throws UserError if there is no memory left at either, or no translation entry
    Request connect(unsigned rank, std::string_view library)
    {
        PeerMemory& other = *all_->memories.at(rank);
        try {
            add_connection(rank);
            other.add_connection(processor_.rank());
            map_connection(rank);
            other.map_connection(processor_.rank());
            return {processor_.segments().import_and_map(processor_.node_of(rank), kRequests), ++other.requested_};
        } catch (const UserError& error) {
            no_room_to_connect(library, processor_.rank(), rank, options_, error.what());
        }
    }
    /// Where the next request comes; none if all are connected.
    std::optional<PollRequest> awaited_request() const
    {
        if (!requests_) return std::nullopt;
        std::uint32_t seen = 0;
        processor_.peek(*requests_, std::as_writable_bytes(std::span(&seen, 1)));
        return PollRequest{.address = *requests_, .size = 4, .value = seen, .until_other = true};
    }
    /// @throws UserError if there is no such rank, or it is this one @pre it is connected
    Peer& peer(unsigned rank, std::string_view library) const
    {
        require_other(rank, library);
        return *peers_[rank];
    }
    void require_other(unsigned rank, std::string_view library) const
    {
        if (rank == processor_.rank() || rank >= peers_.size()) no_connection(library, processor_.rank(), rank);
    }
    /// Visits all peers, starting after the last served one: round-robin, like a real loop.
    template <class Visit>
    void in_turn(Visit visit) const
    {
        in_turn_from(next_, connected_, [&](unsigned rank) { visit(*peers_[rank]); });
    }
    void served(const Peer& peer) { next_ = peer.rank + 1; }

private:
    static constexpr SegmentId kParts = 1, kNotices = 2, kRequests = 3;
    static constexpr SegmentId kFirstOfConnections = 64;  // and those after it, beyond those of libraries
    /// Most connections in one segment: a node has few segments.
    static constexpr std::size_t kMostInSegment = 8;
    /// Where a connection lies: a part, then a board.
    struct Slot {
        SegmentId segment = 0;
        std::uint64_t offset = 0;
    };

    bool connects_on_demand() const
    {
        if (all_ == nullptr) return false;
        if (!all_->on_demand) {
            // Half as much again for the other contents of the memory, as PartedSegment::create advises
            const std::uint64_t bytes = (peers_.size() - 1) * slot_bytes() * 3 / 2;
            all_->on_demand = std::any_of(all_->memories.begin(), all_->memories.end(), [bytes](const auto* memory) {
                return memory->processor_.segments().memory_left() < bytes;
            });
            if (*all_->on_demand && all_->divided) refuse_to_divide(bytes);
        }
        return *all_->on_demand;
    }
    Peer& add(unsigned rank)
    {
        peers_[rank] = std::make_unique<Peer>();
        peers_[rank]->rank = rank;
        connected_.insert(std::lower_bound(connected_.begin(), connected_.end(), rank), rank);
        return *peers_[rank];
    }
    void add_connection(unsigned rank)
    {
        SegmentDriver& driver = processor_.segments();
        if (free_slots_ == 0) {
            free_slots_ = std::clamp<std::size_t>(connected_.size(), 1, kMostInSegment);
            if (4 * free_slots_ * slot_bytes() > driver.memory_left()) free_slots_ = 1;
            next_slot_ = {next_slot_.segment == 0 ? kFirstOfConnections : next_slot_.segment + 1, 0};
            slots_begin_ = driver.create_segment(next_slot_.segment, free_slots_ * slot_bytes());
            driver.export_segment(next_slot_.segment);
        }
        const std::uint64_t part = slots_begin_ + next_slot_.offset;
        place_own(add(rank), part, part + part_bytes_);
        slots_[rank] = next_slot_;
        next_slot_.offset += slot_bytes();
        --free_slots_;
    }
    void map_connection(unsigned rank)
    {
        SegmentDriver& driver = processor_.segments();
        const Slot slot = all_->memories[rank]->slots_.at(processor_.rank());
        const RemoteSegment segment = driver.import_segment(processor_.node_of(rank), slot.segment);
        const std::uint64_t part = driver.map_segment(segment, slot.offset, slot_bytes());
        place_theirs(*peers_[rank], part, part + part_bytes_);
    }
    std::uint64_t slot_bytes() const { return part_bytes_ + kNoticeBoardBytes; }
    void place_own(Peer& peer, std::uint64_t part, std::uint64_t notices)
    {
        place_own_(peer, part);
        peer.out.notices = NoticeReader(notices, places());
    }
    void place_theirs(Peer& peer, std::uint64_t part, std::uint64_t notices)
    {
        peer.in.notices = NoticeWriter(notices, places());
        place_theirs_(peer, part);
    }
    NoticePlaces places() const { return NoticePlaces(processor_.gathered_block()); }

    PcProcessor& processor_;
    const std::uint64_t part_bytes_;
    PartedSegment parts_;
    PartedSegment notices_;
    std::vector<std::unique_ptr<Peer>> peers_;  // by rank; null: not connected
    std::vector<unsigned> connected_;
    const std::shared_ptr<All> all_;
    std::optional<std::uint64_t> requests_;  // address of the word to which others store them; none: all are connected
    std::uint32_t requested_ = 0;
    std::unordered_map<unsigned, Slot> slots_;  // of connections on demand, by rank
    Slot next_slot_;
    std::size_t free_slots_ = 0;     // in the last segment
    std::uint64_t slots_begin_ = 0;  // its address
    std::string options_;
    std::function<void(Peer&, std::uint64_t)> place_own_, place_theirs_;
    unsigned next_ = 0;  // rank after the last served one
};

}  // namespace ringmesh::workloads
