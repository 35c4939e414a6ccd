// SPDX-License-Identifier: Apache-2.0
#include "workloads/deck/deck_messenger.h"

#include <fmt/format.h>

#include <algorithm>

#include "workloads/deck/protocol_1.h"
#include "workloads/deck/protocol_2.h"
#include "workloads/deck/protocol_3.h"

namespace ringmesh::workloads::deck {
DeckMessenger::DeckMessenger(SciProcessor& processor, const Options& options, unsigned ranks)
    : options_(options),
      objects_(options),
      mail_box_(processor, options, ranks),
      rank_{
          .processor = processor, .options = options, .waiting = *this, .statistics = {}, .copy = LocalCopy(processor)}
{
    options.require_valid(processor);
    rank_.statistics.sent = {{"protocol 1"}, {"protocol 2"}, {"protocol 3"}};
}

Task<> DeckMessenger::send(unsigned to, BufferId buffer, std::uint32_t size)
{
    const MessageObject& object = objects_.at(buffer);
    Peer& peer = mail_box_.peer(to);
    const Choice protocol = objects_.protocol_for(object, size);
    co_await rank_.processor.compute(rank_.processor.cycles(options_.call));
    rank_.ended(Step::kCall);
    auto& sent = rank_.statistics.sent.at(static_cast<std::size_t>(protocol) - 1);
    ++sent.messages;
    sent.bytes += size;
    if (protocol == Choice::kShort) {
        co_await send_short(rank_, peer, object, size);
    } else if (protocol == Choice::kGeneral) {
        co_await send_general(rank_, peer, object, size);
    } else {
        co_await send_zero_copy(rank_, peer, object, size);
    }
    if (transfer_.from == nullptr) co_return;
    co_await wait_for_end_of_transfer();
    arrivals_->arrived(received_);
}

Task<Received> DeckMessenger::receive(unsigned from, BufferId buffer)
{
    co_await rank_.take_interrupt();
    places_.clear();
    candidates_.clear();
    if (from == kAnyRank) {
        add_all_places();
    } else {
        add_places(mail_box_.peer(from));
    }
    const PollAnyRequest request = all_places();
    const std::uint32_t found = co_await rank_.processor.poll_any(request);
    rank_.ended(Step::kArrived);
    const bool whole = co_await take(candidates_.at(found), buffer);
    if (!whole) co_await wait_for_end_of_transfer();
    co_return received_;
}

Task<bool> DeckMessenger::take(Candidate candidate, BufferId buffer)
{
    Peer& peer = *candidate.peer;
    const MessageObject& object = objects_.at(buffer);
    next_ = static_cast<std::size_t>(&peer - mail_box_.peers().data()) + 1;
    if (candidate.short_message) {
        received_ = co_await take_short(rank_, peer, object);
    } else {
        const Control control = co_await take_control(rank_, peer);
        if (control.sign == Sign::kRequest) {
            co_await answer_request(rank_, peer, object, control.size);
            transfer_ = {&peer, control.size};
            co_return false;
        }
        received_ = co_await take_general(rank_, peer, object);
    }
    co_await rank_.processor.compute(rank_.processor.cycles(options_.call));
    rank_.ended(Step::kReturned);
    co_return true;
}

Task<> DeckMessenger::end_transfer()
{
    received_ = co_await end_zero_copy(rank_, transfer_);
    transfer_ = {};
    co_await rank_.processor.compute(rank_.processor.cycles(options_.call));
    rank_.ended(Step::kReturned);
}

Task<> DeckMessenger::wait_for_end_of_transfer()
{
    co_await rank_.take_interrupt();
    const PollRequest end = transfer_.end(rank_.processor);
    co_await rank_.processor.poll(end);
    rank_.ended(Step::kArrived);
    co_await end_transfer();
}

bool DeckMessenger::has_mail() const
{
    const auto& peers = mail_box_.peers();
    return std::any_of(peers.begin(), peers.end(), [this](const Peer& peer) {
        const Incoming& in = peer.in;
        return in.short_ring.has_come(rank_.processor, in.messages) ||
               in.control_ring.has_come(rank_.processor, in.messages);
    });
}

Task<> DeckMessenger::wait_for(Peer& to, Room room, std::uint32_t bytes)
{
    bool waited = room == Room::kAnswer;  // nobody does without an answer
    for (;;) {
        take_notices(rank_.processor, to.out);
        if (has_room(to, room, bytes)) co_return;
        if (!waited) ++rank_.statistics.waits;
        waited = true;
        places_.assign(1, to.out.notices.awaited(rank_.processor));
        candidates_.clear();
        if (transfer_.from != nullptr) {
            places_.push_back(transfer_.end(rank_.processor));
        } else if (arrivals_ != nullptr) {
            add_all_places();
        }
        const PollAnyRequest request = all_places();
        const std::uint32_t found = co_await rank_.processor.poll_any(request);
        if (found == 0) continue;
        co_await rank_.take_interrupt();
        bool whole = true;
        if (transfer_.from != nullptr) {
            co_await end_transfer();
        } else {
            whole = co_await take(candidates_.at(found - 1), arrivals_->object());
        }
        if (whole) arrivals_->arrived(received_);
    }
}

bool DeckMessenger::has_room(const Peer& to, Room room, std::uint32_t bytes)
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

void DeckMessenger::take_notices(const SciProcessor& processor, Outgoing& out)
{
    if (!out.notices.look(processor)) return;
    const NoticeWords& words = out.notices.words();
    out.short_ring.acknowledge(words[NoticeWord::kShortRead]);
    out.control_ring.acknowledge(words[NoticeWord::kControlRead]);
    out.buffer.acknowledge(words[NoticeWord::kBufferRead]);
}

void DeckMessenger::add_places(Peer& peer)
{
    const Incoming& in = peer.in;
    places_.push_back(in.short_ring.awaited(rank_.processor, in.messages));
    candidates_.push_back({&peer, true});
    places_.push_back(in.control_ring.awaited(rank_.processor, in.messages));
    candidates_.push_back({&peer, false});
}

void DeckMessenger::add_all_places()
{
    auto& peers = mail_box_.peers();
    for (std::size_t i = 0; i < peers.size(); ++i) add_places(peers[(next_ + i) % peers.size()]);
}

PollAnyRequest DeckMessenger::all_places() const
{
    return {.places = places_.data(), .count = static_cast<std::uint32_t>(places_.size())};
}

std::vector<std::string> notes(const Options& options, const MessagingStatistics& sum)
{
    std::vector<std::string> notes;
    if (sum.sent.at(0).messages != 0) {
        notes.push_back(
            fmt::format("protocol 1 carries no length: the receiver's message object tells how many of {} bytes count",
                        options.largest_short()));
    }
    if (options.transfer == Transfer::kDma && sum.sent.at(1).messages + sum.sent.at(2).messages == 0) {
        notes.emplace_back("transfer=dma had no effect: it moves what goes by protocols 2 and 3, and nothing did");
    }
    return notes;
}

}  // namespace ringmesh::workloads::deck
