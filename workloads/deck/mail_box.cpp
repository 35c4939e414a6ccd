// SPDX-License-Identifier: Apache-2.0
#include "workloads/deck/mail_box.h"

#include <fmt/format.h>

#include "tlm/error.h"

namespace ringmesh::workloads::deck {
namespace {

constexpr SegmentId kMailBox = 1;
constexpr SegmentId kControl = 2;
constexpr SegmentId kObjects = 3;

constexpr std::int64_t kSmallBuffer = 64 * 1024;

}  // namespace

MailBox::MailBox(PcProcessor& processor, const Options& options, unsigned ranks)
    : processor_(processor),
      options_(options),
      mail_box_(processor, kMailBox, ranks, part_bytes()),
      control_(processor, kControl, ranks, kNoticeBoardBytes),
      peers_(peers_of<Peer>(processor.rank(), ranks))
{}

std::uint64_t MailBox::control_ring_at() const { return options_.short_ring(gathered()).bytes(); }
std::uint64_t MailBox::buffer_at() const { return control_ring_at() + options_.control_ring(gathered()).bytes(); }
std::uint64_t MailBox::part_bytes() const
{
    return on_large_blocks(buffer_at() + static_cast<std::uint64_t>(options_.buffer));
}

void MailBox::export_segments(MessageObjects& objects)
{
    SegmentDriver& driver = processor_.segments();
    const std::int64_t smaller = options_.buffer > kSmallBuffer ? kSmallBuffer : 2 * kBlockBytes;
    mail_box_.create("deck: the mail box",
                     fmt::format("buffer={} in each part; write buffer={}", options_.buffer, smaller));
    control_.create("deck: the control segment", "a board in each part; take a machine of fewer nodes");
    const std::uint64_t shared = driver.create_segment(kObjects, objects.shared_bytes());
    objects.place(shared, driver.allocate(objects.local_bytes()));
    for (Peer& peer : peers_) {
        const std::uint64_t part = mail_box_.part_for(peer.rank);
        if (part % static_cast<std::uint64_t>(options_.packet) != 0) {
            throw ModelError(
                fmt::format("deck: the mail box of rank {} does not begin on a packet", processor_.rank()));
        }
        peer.in.short_ring = BlockReader(part, options_.short_ring(gathered()));
        peer.in.control_ring = BlockReader(part + control_ring_at(), options_.control_ring(gathered()));
        peer.in.buffer = ByteRing(part + buffer_at(), static_cast<std::uint64_t>(options_.buffer));
        peer.out.notices = NoticeReader(control_.part_for(peer.rank), NoticePlaces(gathered()));
    }
    mail_box_.export_it();
    control_.export_it();
    driver.export_segment(kObjects);
}

void MailBox::import_segments()
{
    SegmentDriver& driver = processor_.segments();
    for (Peer& peer : peers_) {
        const std::uint64_t part = mail_box_.map_part_of(peer.rank);
        peer.out.short_ring = BlockWriter(part, options_.short_ring(gathered()));
        peer.out.control_ring = BlockWriter(part + control_ring_at(), options_.control_ring(gathered()));
        peer.out.buffer = ByteRingWriter(ByteRing(part + buffer_at(), static_cast<std::uint64_t>(options_.buffer)));
        peer.in.notices = NoticeWriter(control_.map_part_of(peer.rank), NoticePlaces(gathered()));
        peer.out.objects = driver.import_and_map(peer.rank, kObjects);
        if (options_.notification == Notification::kInterrupt) peer.out.doorbell = driver.map_doorbell(peer.rank);
    }
}

}  // namespace ringmesh::workloads::deck
