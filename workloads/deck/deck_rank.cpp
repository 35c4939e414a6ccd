// SPDX-License-Identifier: Apache-2.0
#include "workloads/deck/deck_rank.h"

#include <algorithm>

#include "workloads/deck/protocol_1.h"
#include "workloads/deck/protocol_2.h"
#include "workloads/deck/protocol_3.h"

namespace ringmesh::workloads::deck {
DeckRank::DeckRank(PcProcessor& processor, const Options& options, unsigned ranks)
    : options_(options),
      objects_(options),
      mail_box_(processor, options, ranks),
      side_{
          .processor = processor, .options = options, .waiting = *this, .statistics = {}, .copy = LocalCopy(processor)}
{
    options.require_valid(processor);
    side_.statistics.sent = {{"protocol 1"}, {"protocol 2"}, {"protocol 3"}};
}

BufferId DeckRank::create_buffer(std::uint32_t size, std::uint32_t largest_part)
{
    largest_part_ = std::max(largest_part_, largest_part);
    parted_.push_back(largest_part > 0);
    return objects_.create(size);
}

bool DeckRank::is_parted(Part bytes) const
{
    const std::uint32_t all = objects_.at(bytes.buffer).size;
    return parted_.at(bytes.buffer) && (bytes.offset != 0 || bytes.size_in(all) != all);
}

void DeckRank::export_memory()
{
    if (largest_part_ > 0) part_ = objects_.create(largest_part_);
    mail_box_.export_segments(objects_);
}

Task<> DeckRank::send(unsigned to, Part bytes, Tag /*tag*/)
{
    const MessageObject& object = objects_.at(bytes.buffer);
    const std::uint32_t size = bytes.size_in(object.size);
    Peer& peer = mail_box_.peer(to);
    if (!is_parted(bytes)) {
        co_await send_object(peer, object, size);
    } else {
        const MessageObject& part = objects_.at(part_);
        co_await side_.copy.run(object.address + bytes.offset, part.address, size);
        co_await send_object(peer, part, size);
    }
    if (transfer_.from == nullptr) co_return;
    co_await wait_for_end_of_transfer();
    arrivals_->arrived(received_);
}

Task<> DeckRank::send_object(Peer& to, const MessageObject& object, std::uint32_t size)
{
    const Choice protocol = objects_.protocol_for(object, size);
    co_await side_.processor.compute(side_.processor.cycles(options_.call));
    side_.ended(Step::kCall);
    auto& sent = side_.statistics.sent.at(static_cast<std::size_t>(protocol) - 1);
    ++sent.messages;
    sent.bytes += size;
    if (protocol == Choice::kShort) {
        co_await send_short(side_, to, object, size);
    } else if (protocol == Choice::kGeneral) {
        co_await send_general(side_, to, object, size);
    } else {
        co_await send_zero_copy(side_, to, object, size);
    }
}

Task<Received> DeckRank::receive(unsigned from, Part room, Tag /*tag*/)
{
    const MessageObject& object = objects_.at(room.buffer);
    const std::uint32_t size = room.size_in(object.size);
    if (!is_parted(room)) {
        co_await receive_object(from, room.buffer);
    } else {
        co_await receive_object(from, part_);
        // Protocol 1 carries no length: the room tells how much counts
        received_.size = std::min(received_.size, size);
        co_await side_.copy.run(objects_.at(part_).address, object.address + room.offset, received_.size);
    }
    co_return received_;
}

Task<> DeckRank::receive_object(unsigned from, BufferId object)
{
    co_await side_.take_interrupt();
    places_.clear();
    candidates_.clear();
    if (from == kAnyRank) {
        add_all_places();
    } else {
        add_places(mail_box_.peer(from));
    }
    const PollAnyRequest request = all_places();
    const std::uint32_t found = co_await side_.processor.poll_any(request);
    side_.ended(Step::kArrived);
    const bool whole = co_await take(candidates_.at(found), object);
    if (!whole) co_await wait_for_end_of_transfer();
}

Task<bool> DeckRank::take(Candidate candidate, BufferId buffer)
{
    Peer& peer = *candidate.peer;
    const MessageObject& object = objects_.at(buffer);
    next_ = static_cast<std::size_t>(&peer - mail_box_.peers().data()) + 1;
    if (candidate.short_message) {
        received_ = co_await take_short(side_, peer, object);
    } else {
        const Control control = co_await take_control(side_, peer);
        if (control.sign == Sign::kRequest) {
            co_await answer_request(side_, peer, object, control.size);
            transfer_ = {&peer, control.size};
            co_return false;
        }
        received_ = co_await take_general(side_, peer, object);
    }
    co_await side_.processor.compute(side_.processor.cycles(options_.call));
    side_.ended(Step::kReturned);
    co_return true;
}

Task<> DeckRank::end_transfer()
{
    received_ = co_await end_zero_copy(side_, transfer_);
    transfer_ = {};
    co_await side_.processor.compute(side_.processor.cycles(options_.call));
    side_.ended(Step::kReturned);
}

Task<> DeckRank::wait_for_end_of_transfer()
{
    co_await side_.take_interrupt();
    const PollRequest end = transfer_.end(side_.processor);
    co_await side_.processor.poll(end);
    side_.ended(Step::kArrived);
    co_await end_transfer();
}

bool DeckRank::has_mail() const
{
    const auto& peers = mail_box_.peers();
    return std::any_of(peers.begin(), peers.end(), [this](const Peer& peer) {
        const Incoming& in = peer.in;
        return in.short_ring.has_come(side_.processor, in.messages) ||
               in.control_ring.has_come(side_.processor, in.messages);
    });
}

Task<> DeckRank::wait_for(Peer& to, Room room, std::uint32_t bytes)
{
    bool waited = room == Room::kAnswer;  // without an answer it always waits
    for (;;) {
        take_notices(side_.processor, to.out);
        if (has_room(to, room, bytes)) co_return;
        if (!waited) ++side_.statistics.waits;
        waited = true;
        places_.assign(1, to.out.notices.awaited(side_.processor));
        candidates_.clear();
        if (transfer_.from != nullptr) {
            places_.push_back(transfer_.end(side_.processor));
        } else if (arrivals_ != nullptr) {
            add_all_places();
        }
        const PollAnyRequest request = all_places();
        const std::uint32_t found = co_await side_.processor.poll_any(request);
        if (found == 0) continue;
        co_await side_.take_interrupt();
        bool whole = true;
        if (transfer_.from != nullptr) {
            co_await end_transfer();
        } else {
            whole = co_await take(candidates_.at(found - 1), arrivals_->object());
        }
        if (whole) arrivals_->arrived(received_);
    }
}

bool DeckRank::has_room(const Peer& to, Room room, std::uint32_t bytes)
{
    const Outgoing& out = to.out;
    switch (room) {
        case Room::kShortSlot: return !out.short_ring.full();
        case Room::kControlSlot: return !out.control_ring.full();
        case Room::kBuffer: return !out.control_ring.full() && out.buffer.has_room(bytes);
        case Room::kAnswer: break;
    }
    return out.notices.words()[NoticeWord::kAnswered] == out.messages + 1;
}

void DeckRank::take_notices(const PcProcessor& processor, Outgoing& out)
{
    if (!out.notices.look(processor)) return;
    const NoticeWords& words = out.notices.words();
    out.short_ring.acknowledge(words[NoticeWord::kShortRead]);
    out.control_ring.acknowledge(words[NoticeWord::kControlRead]);
    out.buffer.acknowledge(words[NoticeWord::kBufferRead]);
}

void DeckRank::add_places(Peer& peer)
{
    const Incoming& in = peer.in;
    places_.push_back(in.short_ring.awaited(side_.processor, in.messages));
    candidates_.push_back({&peer, true});
    places_.push_back(in.control_ring.awaited(side_.processor, in.messages));
    candidates_.push_back({&peer, false});
}

void DeckRank::add_all_places()
{
    auto& peers = mail_box_.peers();
    for (std::size_t i = 0; i < peers.size(); ++i) add_places(peers[(next_ + i) % peers.size()]);
}

PollAnyRequest DeckRank::all_places() const
{
    return {.places = places_.data(), .count = static_cast<std::uint32_t>(places_.size())};
}

}  // namespace ringmesh::workloads::deck
