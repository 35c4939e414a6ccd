// SPDX-License-Identifier: Apache-2.0
#include "workloads/deck/mail_box.h"

#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"

namespace ringmesh::workloads::deck {
namespace {

constexpr SegmentId kMailBox = 1;
constexpr SegmentId kControl = 2;
constexpr SegmentId kObjects = 3;

/// Which part of `owner`'s mail box or control segment belongs to `other`.
std::uint64_t part_of(unsigned owner, unsigned other) { return other < owner ? other : other - 1; }

}  // namespace

MailBox::MailBox(Processor& processor, const Options& options, unsigned ranks)
    : processor_(processor), options_(options)
{
    for (unsigned rank = 0; rank < ranks; ++rank) {
        if (rank == processor.rank()) continue;
        peers_.emplace_back();
        peers_.back().rank = rank;
    }
}

std::uint64_t MailBox::control_ring_at() const { return options_.short_ring(gathered()).bytes(); }
std::uint64_t MailBox::buffer_at() const { return control_ring_at() + options_.control_ring(gathered()).bytes(); }
std::uint64_t MailBox::part_bytes() const
{
    return on_large_blocks(buffer_at() + static_cast<std::uint64_t>(options_.buffer));
}

void MailBox::export_segments(MessageObjects& objects)
{
    SegmentDriver& driver = processor_.segments();
    const std::uint64_t mail_box = driver.create_segment(kMailBox, peers_.size() * part_bytes());
    if (mail_box % static_cast<std::uint64_t>(options_.packet) != 0) {
        throw ModelError(fmt::format("deck: the mail box of rank {} does not begin on a packet", processor_.rank()));
    }
    const std::uint64_t control = driver.create_segment(kControl, peers_.size() * kNoticeBoardBytes);
    const std::uint64_t shared = driver.create_segment(kObjects, objects.shared_bytes());
    objects.place(shared, driver.allocate(objects.local_bytes()));
    for (Peer& peer : peers_) {
        const std::uint64_t number = part_of(processor_.rank(), peer.rank);
        const std::uint64_t part = mail_box + number * part_bytes();
        peer.in.short_ring = BlockReader(part, options_.short_ring(gathered()));
        peer.in.control_ring = BlockReader(part + control_ring_at(), options_.control_ring(gathered()));
        peer.in.buffer = ByteRing(part + buffer_at(), static_cast<std::uint64_t>(options_.buffer));
        peer.out.notices = NoticeReader(control + number * kNoticeBoardBytes, NoticePlaces(gathered()));
    }
    for (const SegmentId segment : {kMailBox, kControl, kObjects}) driver.export_segment(segment);
}

void MailBox::import_segments()
{
    SegmentDriver& driver = processor_.segments();
    for (Peer& peer : peers_) {
        const std::uint64_t number = part_of(peer.rank, processor_.rank());
        const RemoteSegment mail_box = driver.import_segment(peer.rank, kMailBox);
        const std::uint64_t part = driver.map_segment(mail_box, number * part_bytes(), part_bytes());
        peer.out.short_ring = BlockWriter(part, options_.short_ring(gathered()));
        peer.out.control_ring = BlockWriter(part + control_ring_at(), options_.control_ring(gathered()));
        peer.out.buffer = ByteRingWriter(ByteRing(part + buffer_at(), static_cast<std::uint64_t>(options_.buffer)));
        const RemoteSegment control = driver.import_segment(peer.rank, kControl);
        peer.in.notices = NoticeWriter(driver.map_segment(control, number * kNoticeBoardBytes, kNoticeBoardBytes),
                                       NoticePlaces(gathered()));
        peer.out.objects = driver.import_and_map(peer.rank, kObjects);
        if (options_.notification == Notification::kInterrupt) peer.out.doorbell = driver.map_doorbell(peer.rank);
    }
}

Peer& MailBox::peer(unsigned rank)
{
    const auto found =
        std::find_if(peers_.begin(), peers_.end(), [rank](const Peer& peer) { return peer.rank == rank; });
    if (found != peers_.end()) return *found;
    throw UserError(fmt::format("deck: rank {} has no connection to rank {}", processor_.rank(), rank));
}

}  // namespace ringmesh::workloads::deck
