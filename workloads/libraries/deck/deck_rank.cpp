// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/deck/deck_rank.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "tlm/error.h"

namespace ringmesh::workloads::deck {
namespace {

constexpr SegmentId kObjects = 3;
constexpr std::int64_t kSmallBuffer = 64 * 1024;
constexpr std::array<std::byte, 4> kRing{std::byte{1}};

// A control packet: the sign, the size from the fifth byte on, a label.
constexpr std::size_t kSizeAt = 4;
constexpr std::size_t kLabelAt = 8;
constexpr std::size_t kControlBytes = kLabelAt + sizeof(Label);

/// Of a message in the buffer: its size, and the low word of its number.
using Header = std::array<std::uint32_t, 2>;
static_assert(sizeof(Header) == kHeaderBytes);

Header header(std::uint32_t size, std::uint64_t number) { return {size, static_cast<std::uint32_t>(number)}; }

}  // namespace

DeckRank::DeckRank(PcProcessor& processor, const Options& options, unsigned ranks)
    : processor_(processor),
      options_(options),
      objects_(options),
      memory_(processor, ranks, part_bytes()),
      copy_(processor),
      check_(processor, "deck", ranks)
{
    options.require_valid(processor);
    statistics_.sent = {{"protocol 1"}, {"protocol 2"}, {"protocol 3"}};
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
    const std::int64_t smaller = options_.buffer > kSmallBuffer ? kSmallBuffer : 2 * kBlockBytes;
    memory_.create("deck: the mail box",
                   fmt::format("buffer={} in each part; write buffer={}", options_.buffer, smaller),
                   "deck: the control segment");
    SegmentDriver& driver = processor_.segments();
    const std::uint64_t shared = driver.create_segment(kObjects, objects_.shared_bytes());
    objects_.place(shared, driver.allocate(objects_.local_bytes()));
    memory_.export_parts([this](Peer& peer, std::uint64_t part) {
        if (part % static_cast<std::uint64_t>(options_.packet) != 0) {
            throw ModelError(
                fmt::format("deck: the mail box of rank {} does not begin on a packet", processor_.rank()));
        }
        peer.in.short_ring = BlockReader(part, options_.short_ring(gathered()));
        peer.in.control_ring = BlockReader(part + control_ring_at(), options_.control_ring(gathered()));
        peer.in.buffer = ByteRing(part + buffer_at(), static_cast<std::uint64_t>(options_.buffer));
    });
    driver.export_segment(kObjects);
}

void DeckRank::import_memory()
{
    SegmentDriver& driver = processor_.segments();
    memory_.import_parts([&](Peer& peer, std::uint64_t part) {
        peer.out.short_ring = BlockWriter(part, options_.short_ring(gathered()));
        peer.out.control_ring = BlockWriter(part + control_ring_at(), options_.control_ring(gathered()));
        peer.out.buffer = ByteRingWriter(ByteRing(part + buffer_at(), static_cast<std::uint64_t>(options_.buffer)));
        peer.out.objects = driver.import_and_map(processor_.node_of(peer.rank), kObjects);
        if (options_.notification == Notification::kInterrupt)
            peer.out.doorbell = driver.map_doorbell(processor_.node_of(peer.rank));
    });
}

Task<> DeckRank::send(unsigned to, Part bytes, Tag /*tag*/)
{
    const MessageObject& object = objects_.at(bytes.buffer);
    const std::uint32_t size = bytes.size_in(object.size);
    Peer& receiver = peer(to);
    if (!is_parted(bytes)) {
        co_await send_object(receiver, object, size);
    } else {
        const MessageObject& part = objects_.at(part_);
        co_await copy_.run(object.address + bytes.offset, part.address, size);
        co_await send_object(receiver, part, size);
    }
    if (transfer_.from == nullptr) co_return;
    co_await wait_for_end_of_transfer();
    handler_->arrived(received_);
}

Task<> DeckRank::send_object(Peer& to, const MessageObject& object, std::uint32_t size)
{
    const Choice protocol = objects_.protocol_for(object, size);
    co_await processor_.compute({processor_.cycles(options_.call), "library call"});
    ended(Step::kCall);
    auto& sent = statistics_.sent.at(static_cast<std::size_t>(protocol) - 1);
    ++sent.messages;
    sent.bytes += size;
    if (protocol == Choice::kShort) {
        co_await send_short(to, object, size);
    } else if (protocol == Choice::kGeneral) {
        co_await send_general(to, object, size);
    } else {
        co_await send_zero_copy(to, object, size);
    }
}

Task<> DeckRank::send_short(Peer& to, const MessageObject& object, std::uint32_t size)
{
    co_await wait_for(to, Room::kShortSlot, 0);
    std::array<std::byte, kLargestBlock> bytes{};
    const auto payload = std::span(bytes).first(size);
    processor_.peek(object.address, payload);
    const StoreRequest block = to.out.short_ring.write(payload, to.out.messages, options_.stores);
    const std::uint64_t message = to.out.messages++;
    co_await send_block(to, block, message);
    ended(Step::kPacketStored);
}

Task<> DeckRank::send_general(Peer& to, const MessageObject& object, std::uint32_t size)
{
    const auto room = static_cast<std::uint32_t>(padded(kHeaderBytes + size));
    co_await wait_for(to, Room::kBuffer, room);
    // The object has room for the header before its buffer, so both leave together.
    const std::uint64_t image = object.address - kHeaderBytes;
    const Header head = header(size, to.out.messages);
    processor_.poke(image, std::as_bytes(std::span(head)));
    const auto pieces = to.out.buffer.write(room);
    unsigned tried = 0;
    do {
        for (const ByteRing::Piece& piece : pieces) co_await send_data(image + piece.from, piece.address, piece.size);
        ended(Step::kDataStored);
        co_await settle();
    } while (check_.failed(to.rank, "message", to.out.messages, tried));
    const Control control{.sign = Control::Sign::kInBuffer, .size = size};
    co_await send_control(to, control);
    ended(Step::kControlStored);
    ++to.out.messages;
}

Task<> DeckRank::send_zero_copy(Peer& to, const MessageObject& object, std::uint32_t size)
{
    co_await wait_for(to, Room::kControlSlot, 0);
    const Control request{.sign = Control::Sign::kRequest, .size = size};
    co_await send_control(to, request);
    ended(Step::kRequestStored);
    co_await wait_for(to, Room::kAnswer, 0);
    ended(Step::kArrived);
    const std::uint64_t target = to.out.objects + to.out.notices.words()[kOffset];
    unsigned tried = 0;
    do {
        co_await send_data(object.address, target, size);
        ended(Step::kDataStored);
        co_await settle();
    } while (check_.failed(to.rank, "message", to.out.messages, tried));
    co_await wait_for(to, Room::kControlSlot, 0);
    const Control end{.sign = Control::Sign::kEnd, .size = size};
    co_await send_control(to, end);
    ended(Step::kEndStored);
    ++to.out.messages;
}

Task<> DeckRank::send_block(Peer& to, StoreRequest block, std::uint64_t message)
{
    unsigned tried = 0;
    do {
        co_await processor_.store(block);
        co_await settle_if_checked();
    } while (check_.failed(to.rank, "message", message, tried));
    if (options_.notification != Notification::kInterrupt) co_return;
    const StoreRequest ring{
        .kind = StoreKind::kSingle, .address = to.out.doorbell, .data = kRing.data(), .size = kRing.size()};
    tried = 0;
    do {  // it may ring twice: whoever takes an interrupt then polls
        co_await processor_.store(ring);
        if (!check_.on()) co_await processor_.flush();
        co_await settle_if_checked();
    } while (check_.failed(to.rank, "message", message, tried));
}

Task<> DeckRank::send_control(Peer& to, Control control)
{
    std::array<std::byte, kControlBytes> content{};
    content[0] = static_cast<std::byte>(control.sign);
    std::memcpy(&content.at(kSizeAt), &control.size, sizeof control.size);
    std::memcpy(&content.at(kLabelAt), &control.label, sizeof control.label);
    const StoreRequest block = to.out.control_ring.write(content, to.out.messages, options_.stores);
    co_await send_block(to, block, to.out.messages);
}

Task<> DeckRank::send_data(std::uint64_t from, std::uint64_t to, std::uint32_t bytes)
{
    const auto size = static_cast<std::uint32_t>(padded(bytes));
    if (size == 0) co_return;
    if (options_.transfer == Transfer::kDma) {
        const DmaRequest transfer{.from = from, .to = to, .size = size};
        co_await processor_.dma(transfer);
        co_return;
    }
    data_.resize(size);
    processor_.peek(from, data_);
    const StoreRequest store{.kind = options_.stores, .address = to, .data = data_.data(), .size = size};
    co_await processor_.store(store);
}

Task<> DeckRank::settle_if_checked()
{
    if (!check_.on()) co_return;
    ++statistics_.barriers;
    co_await processor_.barrier();
}

Task<> DeckRank::settle()
{
    if (options_.transfer == Transfer::kDma) co_return;
    ++statistics_.barriers;
    co_await processor_.barrier();
    ended(Step::kSettled);
}

Task<> DeckRank::wait_for(Peer& to, Room room, std::uint32_t bytes)
{
    Outgoing& out = to.out;
    for (bool waited = room == Room::kAnswer;; waited = true) {  // without an answer it always waits
        look(to);
        if (has_room(to, room, bytes)) co_return;
        if (!waited) ++statistics_.waits;
        places_.assign(1, out.notices.awaited(processor_));
        candidates_.clear();
        if (transfer_.from != nullptr) {
            places_.push_back(end_place());
        } else if (handler_ != nullptr) {
            memory_.in_turn([this](Peer& peer) { add_places(peer); });
        }
        const PollAnyRequest request = all_places();
        const std::uint32_t found = co_await processor_.poll_any(request);
        if (found == 0) continue;
        co_await take_interrupt();
        bool whole = true;
        if (transfer_.from != nullptr) {
            co_await end_transfer();
        } else {
            whole = co_await take(candidates_.at(found - 1), handler_->buffer());
        }
        if (whole) handler_->arrived(received_);
    }
}

bool DeckRank::look(Peer& to)
{
    Outgoing& out = to.out;
    if (!out.notices.look(processor_)) return false;
    const NoticeWords& words = out.notices.words();
    out.short_ring.acknowledge(words[kShortRead]);
    out.control_ring.acknowledge(words[kControlRead]);
    out.buffer.acknowledge(words[kBufferRead]);
    return true;
}

bool DeckRank::has_room(const Peer& to, Room room, std::uint32_t bytes) const
{
    const Outgoing& out = to.out;
    switch (room) {
        case Room::kShortSlot: return !out.short_ring.full();
        case Room::kControlSlot: return !out.control_ring.full();
        case Room::kBuffer: return !out.control_ring.full() && out.buffer.has_room(bytes);
        case Room::kAnswer: break;
    }
    return out.notices.words()[kAnswered] == out.messages + 1;
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
        co_await copy_.run(objects_.at(part_).address, object.address + room.offset, received_.size);
    }
    co_return received_;
}

Task<> DeckRank::receive_object(unsigned from, BufferId object)
{
    co_await take_interrupt();
    places_.clear();
    candidates_.clear();
    if (from == kAnyRank) {
        memory_.in_turn([this](Peer& peer) { add_places(peer); });
    } else {
        add_places(peer(from));
    }
    const PollAnyRequest request = all_places();
    const std::uint32_t found = co_await processor_.poll_any(request);
    ended(Step::kArrived);
    const bool whole = co_await take(candidates_.at(found), object);
    if (!whole) co_await wait_for_end_of_transfer();
}

void DeckRank::add_places(Peer& peer)
{
    const Incoming& in = peer.in;
    places_.push_back(in.short_ring.awaited(processor_, in.messages));
    candidates_.push_back({&peer, true});
    places_.push_back(in.control_ring.awaited(processor_, in.messages));
    candidates_.push_back({&peer, false});
}

bool DeckRank::has_mail() const
{
    const auto& ranks = memory_.connected();
    return std::any_of(ranks.begin(), ranks.end(), [this](unsigned rank) {
        const Incoming& in = memory_.peer(rank, "deck").in;
        return in.short_ring.has_come(processor_, in.messages) || in.control_ring.has_come(processor_, in.messages);
    });
}

Task<bool> DeckRank::take(Candidate candidate, BufferId buffer)
{
    Peer& from = *candidate.peer;
    const MessageObject& object = objects_.at(buffer);
    memory_.served(from);
    if (candidate.short_message) {
        co_await take_short(from, object);
    } else {
        const Control control = co_await take_control(from);
        if (control.sign == Control::Sign::kRequest) {
            co_await answer_request(from, object, control.size);
            transfer_ = {&from, control.size};
            co_return false;
        }
        co_await take_general(from, object);
    }
    co_await processor_.compute({processor_.cycles(options_.call), "library call"});
    ended(Step::kReturned);
    co_return true;
}

Task<> DeckRank::take_short(Peer& from, const MessageObject& into)
{
    const std::uint32_t payload = options_.largest_short();
    co_await copy_.run(from.in.short_ring.address(), into.address, payload);
    ended(Step::kCopied);
    from.in.short_ring.advance();
    co_await finish_message(from, 0);
    received_ = {from.rank, std::min(into.size, payload), false};
}

Task<> DeckRank::take_general(Peer& from, const MessageObject& into)
{
    const auto start = from.in.buffer.pieces(kHeaderBytes);
    Header head{};
    const LoadRequest load{.address = start[0].address,
                           .data = std::as_writable_bytes(std::span(head)).data(),
                           .size = kHeaderBytes,
                           .width = 8};
    co_await processor_.load(load);
    ended(Step::kHeaderRead);
    if (head != header(head[0], from.in.messages)) {
        throw ModelError(fmt::format("deck: rank {} finds the header of message {} of rank {} instead of {}'s",
                                     processor_.rank(), head[1], from.rank, from.in.messages));
    }
    require_fits(from, head[0], into);
    co_await copy_.out_of(from.in.buffer, kHeaderBytes, head[0], into.address);
    ended(Step::kCopied);
    co_await finish_message(from, static_cast<std::uint32_t>(padded(kHeaderBytes + head[0])));
    received_ = {from.rank, head[0]};
}

Task<Control> DeckRank::take_control(Peer& from)
{
    std::array<std::byte, kBlockBytes> block{};
    const LoadRequest load{
        .address = from.in.control_ring.address(), .data = block.data(), .size = kBlockBytes, .width = 8};
    co_await processor_.load(load);
    ended(Step::kControlRead);
    from.in.control_ring.advance();
    Control control{.sign = static_cast<Control::Sign>(block[0])};
    std::memcpy(&control.size, &block.at(kSizeAt), sizeof control.size);
    std::memcpy(&control.label, &block.at(kLabelAt), sizeof control.label);
    co_return control;
}

Task<> DeckRank::answer_request(Peer& from, const MessageObject& into, std::uint32_t size)
{
    require_fits(from, size, into);
    if (!into.shared) {
        throw UserError(fmt::format(
            "deck: rank {} sends {} bytes by protocol 3, and the message object that rank {} receives in was "
            "created for {}, so that its buffer is in local memory; create it above limit = {}",
            from.rank, size, processor_.rank(), into.size, options_.limit));
    }
    from.in.answered = from.in.messages + 1;
    from.in.offset = into.offset;
    co_await notify(from);
    ended(Step::kAnswerStored);
}

Task<> DeckRank::end_transfer()
{
    Peer& from = *transfer_.from;
    const Control control = co_await take_control(from);
    if (control.sign != Control::Sign::kEnd || control.size != transfer_.size) {
        throw ModelError(
            fmt::format("deck: rank {} finds no end of the message of rank {}", processor_.rank(), from.rank));
    }
    co_await finish_message(from, 0);
    received_ = {from.rank, transfer_.size};
    transfer_ = {};
    co_await processor_.compute({processor_.cycles(options_.call), "library call"});
    ended(Step::kReturned);
}

Task<> DeckRank::wait_for_end_of_transfer()
{
    co_await take_interrupt();
    const PollRequest end = end_place();
    co_await processor_.poll(end);
    ended(Step::kArrived);
    co_await end_transfer();
}

void DeckRank::require_fits(const Peer& from, std::uint32_t size, const MessageObject& into) const
{
    if (size <= into.size) return;
    throw UserError(
        fmt::format("deck: rank {} receives {} bytes of rank {} in a message object created for {}; create "
                    "it for more",
                    processor_.rank(), size, from.rank, into.size));
}

Task<> DeckRank::finish_message(Peer& from, std::uint32_t buffer_bytes)
{
    Incoming& in = from.in;
    ++in.messages;
    in.buffer.advance(buffer_bytes);
    in.unacknowledged_bytes += buffer_bytes;
    if (++in.unacknowledged < options_.acknowledge && 2 * in.unacknowledged_bytes < in.buffer.size()) co_return;
    co_await notify(from);
    ended(Step::kReadPositionStored);
}

Task<> DeckRank::notify(Peer& from)
{
    Incoming& in = from.in;
    in.unacknowledged = 0;
    in.unacknowledged_bytes = 0;
    ++statistics_.acknowledgements;
    NoticeWords words{};
    words[kShortRead] = in.short_ring.read();
    words[kControlRead] = in.control_ring.read();
    words[kBufferRead] = in.buffer.position();
    words[kAnswered] = in.answered;
    words[kOffset] = in.offset;
    const StoreRequest notice = in.notices.write(words, options_.stores);
    unsigned tried = 0;
    do {
        co_await processor_.store(notice);
        co_await settle_if_checked();
    } while (check_.failed(from.rank, "acknowledgement of message", in.messages, tried));
}

Task<> DeckRank::take_interrupt()
{
    if (options_.notification == Notification::kInterrupt) co_await processor_.interrupt();
}

}  // namespace ringmesh::workloads::deck
