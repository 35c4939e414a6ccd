// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/deck/deck_labelled.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "tlm/error.h"

namespace ringmesh::workloads::deck {
namespace {

constexpr SegmentId kPool = 4;

/// What stands before a message of protocol 1; the last bytes are free.
struct ShortFront {
    Label label;
    std::uint32_t size = 0;
    std::uint32_t unused = 0;
};
/// Of protocol 2; the first half is that of a message without a label.
struct GeneralFront {
    std::uint32_t size = 0;
    std::uint32_t number = 0;  ///< low word
    Label label;
};

std::uint64_t memory_for_messages(SegmentDriver& driver)
{
    return driver.memory_left() / 8 * 7 / kLargestBlock * kLargestBlock;
}

}  // namespace

DeckLabelled::DeckLabelled(DeckRank& rank)
    : LabelledPeers(rank.processor_, rank.memory_.ranks(), rank.processor_.segments().allocate(kBlockBytes)),
      rank_(rank),
      pools_(rank.memory_.ranks())
{
    static_assert(sizeof(ShortFront) == kFront && sizeof(GeneralFront) == kFront);
    const Options& options = rank_.options_;
    if (options.protocol != Choice::kAutomatic) {
        throw UserError(
            fmt::format("deck: protocol = {}: messages with tags go by the protocol of their size; write "
                        "protocol=auto",
                        kChoiceNames.name(options.protocol)));
    }
    if (options.notification != Notification::kPolling) {
        throw UserError(
            "deck: notification = interrupt: a rank that waits for messages with tags polls; write "
            "notification=polling");
    }
    SegmentDriver& driver = rank_.processor_.segments();
    pool_bytes_ = memory_for_messages(driver);
    pool_ = driver.create_segment(kPool, pool_bytes_);
    driver.export_segment(kPool);
    image_ = allocate(static_cast<std::uint32_t>(padded(kFront + largest_general())));
}

LabelledMessages* DeckRank::labelled()
{
    if (!labelled_) labelled_ = std::make_unique<DeckLabelled>(*this);
    return labelled_.get();
}

std::uint64_t DeckLabelled::allocate(std::uint32_t size)
{
    const std::uint64_t bytes = on_large_blocks(size);  // what is padded stays inside
    if (bytes > pool_bytes_ - used_) {
        throw UserError(
            fmt::format("deck: rank {} has {} bytes left for messages, too few for one of {}; use fewer, or raise "
                        "host.memory",
                        rank_.processor_.rank(), pool_bytes_ - used_, size));
    }
    used_ += bytes;
    return pool_ + used_ - bytes;
}

Task<> DeckLabelled::call()
{
    co_await rank_.processor_.compute({rank_.processor_.cycles(rank_.options_.call), "library call"});
}

std::uint32_t DeckLabelled::largest_general() const
{
    const Options& options = rank_.options_;
    return std::min(static_cast<std::uint32_t>(options.limit), options.largest_general() - kFront);
}

Choice DeckLabelled::protocol_of(const Sending& sending) const
{
    const Options& options = rank_.options_;
    if (sending.synchronous) return Choice::kZeroCopy;
    if (sending.size + kFront <= options.largest_short()) return Choice::kShort;
    return sending.size <= largest_general() ? Choice::kGeneral : Choice::kZeroCopy;
}

Task<> DeckLabelled::begin(Sending& sending)
{
    co_await call();
    auto& sent = rank_.statistics_.sent.at(static_cast<std::size_t>(protocol_of(sending)) - 1);
    ++sent.messages;
    sent.bytes += sending.size;
    traffic(sending.to).unsent.push_back(&sending);
    co_await push(sending.to);
}

Task<bool> DeckLabelled::push(unsigned rank)
{
    Traffic& all = traffic(rank);
    Peer& to = peer(rank);
    rank_.look(to);
    bool moved = false;
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        const auto called = all.asked_with(to.out.notices.words()[kAnswered]);
        if (called != all.asked.end() && rank_.has_room(to, DeckRank::Room::kControlSlot, 0)) {
            Sending& sending = **called;
            all.asked.erase(called);
            co_await send_zero_copy(to, sending);
            finish(sending);
            goes_on = moved = true;
        } else if (!all.unsent.empty()) {
            Sending& sending = *all.unsent.front();
            const Choice protocol = protocol_of(sending);
            const auto room = protocol == Choice::kShort     ? DeckRank::Room::kShortSlot
                              : protocol == Choice::kGeneral ? DeckRank::Room::kBuffer
                                                             : DeckRank::Room::kControlSlot;
            if (!rank_.has_room(to, room, static_cast<std::uint32_t>(padded(kFront + sending.size)))) {
                ++rank_.statistics_.waits;
                break;
            }
            all.unsent.pop_front();
            if (protocol == Choice::kShort) {
                co_await send_short(to, sending);
                finish(sending);
            } else if (protocol == Choice::kGeneral) {
                co_await send_general(to, sending);
                finish(sending);
            } else {
                const Control request{.sign = Control::Sign::kRequest, .size = sending.size, .label = sending.label};
                co_await rank_.send_control(to, request);
                sending.number = ++to.out.messages;
                all.asked.push_back(&sending);
            }
            goes_on = moved = true;
        }
        rank_.look(to);
    }
    co_return moved;
}

void DeckLabelled::finish(Sending& sending)
{
    sending.done = true;
    addressee().left(sending);
}

Task<> DeckLabelled::send_short(Peer& to, const Sending& sending)
{
    std::array<std::byte, kLargestBlock> bytes{};
    const ShortFront front{.label = sending.label, .size = sending.size};
    std::memcpy(bytes.data(), &front, sizeof front);
    rank_.processor_.peek(sending.from, std::span(bytes).subspan(kFront, sending.size));
    const auto content = std::span(bytes).first(kFront + sending.size);
    const StoreRequest block = to.out.short_ring.write(content, to.out.messages, rank_.options_.stores);
    const std::uint64_t message = to.out.messages++;
    co_await rank_.send_block(to, block, message);
}

Task<> DeckLabelled::send_general(Peer& to, const Sending& sending)
{
    const auto room = static_cast<std::uint32_t>(padded(kFront + sending.size));
    const GeneralFront front{
        .size = sending.size, .number = static_cast<std::uint32_t>(to.out.messages), .label = sending.label};
    std::vector<std::byte> bytes(kFront + sending.size);
    std::memcpy(bytes.data(), &front, sizeof front);
    rank_.processor_.peek(sending.from, std::span(bytes).subspan(kFront));
    rank_.processor_.poke(image_, bytes);
    const auto pieces = to.out.buffer.write(room);
    unsigned tried = 0;
    do {
        for (const ByteRing::Piece& piece : pieces) {
            co_await rank_.send_data(image_ + piece.from, piece.address, piece.size);
        }
        co_await rank_.settle();
    } while (rank_.check_.failed(to.rank, "message", to.out.messages, tried));
    const Control control{.sign = Control::Sign::kInBuffer, .size = sending.size};
    co_await rank_.send_control(to, control);
    ++to.out.messages;
}

Task<> DeckLabelled::send_zero_copy(Peer& to, const Sending& sending)
{
    std::uint64_t& pool = pools_.at(to.rank);
    if (pool == 0) pool = rank_.processor_.segments().import_and_map(rank_.processor_.node_of(to.rank), kPool);
    const std::uint64_t target = pool + to.out.notices.words()[kOffset];
    unsigned tried = 0;
    do {
        co_await rank_.send_data(sending.from, target, sending.size);
        co_await rank_.settle();
    } while (rank_.check_.failed(to.rank, "message", to.out.messages, tried));
    const Control end{.sign = Control::Sign::kEnd, .size = sending.size};
    co_await rank_.send_control(to, end);
    ++to.out.messages;
}

void DeckLabelled::add_arrivals(unsigned from, std::vector<PollRequest>& places) const
{
    const Incoming& in = peer(from).in;
    places.push_back(in.short_ring.awaited(rank_.processor_, in.messages));
    places.push_back(in.control_ring.awaited(rank_.processor_, in.messages));
}

bool DeckLabelled::has_come(unsigned from) const
{
    const Incoming& in = peer(from).in;
    return in.short_ring.has_come(rank_.processor_, in.messages) ||
           in.control_ring.has_come(rank_.processor_, in.messages);
}

PollRequest DeckLabelled::awaited_notice(unsigned to) const { return peer(to).out.notices.awaited(rank_.processor_); }

Task<> DeckLabelled::take(unsigned rank)
{
    Peer& from = peer(rank);
    if (from.in.short_ring.has_come(rank_.processor_, from.in.messages)) {
        co_await take_short(from);
        co_return;
    }
    const Control control = co_await rank_.take_control(from);
    if (control.sign == Control::Sign::kInBuffer) {
        co_await take_general(from);
    } else if (control.sign == Control::Sign::kRequest) {
        co_await take_request(from, control);
    } else {
        co_await take_end(from, control);
    }
}

Task<> DeckLabelled::take_short(Peer& from)
{
    ShortFront front;
    const std::uint64_t block = from.in.short_ring.address();
    const LoadRequest load{
        .address = block, .data = std::as_writable_bytes(std::span(&front, 1)).data(), .size = kFront, .width = 8};
    co_await rank_.processor_.load(load);
    const Arrival arrival{.from = from.rank, .size = front.size, .label = front.label, .number = from.in.messages + 1};
    const std::uint64_t into = addressee().arrived(arrival).value();
    co_await rank_.copy_.run(block + kFront, into, front.size);
    from.in.short_ring.advance();
    co_await rank_.finish_message(from, 0);
    co_await call();
    addressee().delivered(arrival);
}

Task<> DeckLabelled::take_general(Peer& from)
{
    GeneralFront front;
    const LoadRequest load{.address = from.in.buffer.pieces(kFront)[0].address,
                           .data = std::as_writable_bytes(std::span(&front, 1)).data(),
                           .size = kFront,
                           .width = 8};
    co_await rank_.processor_.load(load);
    if (front.number != static_cast<std::uint32_t>(from.in.messages)) {
        throw ModelError(fmt::format("deck: rank {} finds the header of message {} of rank {} instead of {}'s",
                                     rank_.processor_.rank(), front.number, from.rank, from.in.messages));
    }
    const Arrival arrival{.from = from.rank, .size = front.size, .label = front.label, .number = from.in.messages + 1};
    const std::uint64_t into = addressee().arrived(arrival).value();
    co_await rank_.copy_.out_of(from.in.buffer, kFront, front.size, into);
    co_await rank_.finish_message(from, static_cast<std::uint32_t>(padded(kFront + front.size)));
    co_await call();
    addressee().delivered(arrival);
}

Task<> DeckLabelled::take_request(Peer& from, const Control& control)
{
    const Arrival arrival{
        .from = from.rank, .size = control.size, .label = control.label, .number = from.in.messages + 1, .waits = true};
    const auto into = addressee().arrived(arrival);
    if (into && traffic(from.rank).called.empty()) {
        ++from.in.messages;  // the answer says that the request was read
    } else {
        co_await rank_.finish_message(from, 0);
    }
    if (into) co_await call_for(arrival, *into);
}

Task<> DeckLabelled::call_for(Arrival arrival, std::uint64_t into)
{
    auto& called = traffic(arrival.from).called;
    called.push_back({arrival, into});
    if (called.size() > 1) co_return;
    Peer& from = peer(arrival.from);
    answer(from);
    co_await rank_.notify(from);
}

void DeckLabelled::answer(Peer& from)
{
    const Called& next = traffic(from.rank).called.front();
    from.in.answered = next.arrival.number;
    from.in.offset = next.into - pool_;
}

Task<> DeckLabelled::take_end(Peer& from, const Control& control)
{
    auto& called = traffic(from.rank).called;
    if (called.empty() || control.sign != Control::Sign::kEnd || control.size != called.front().arrival.size) {
        throw ModelError(
            fmt::format("deck: rank {} finds no end of the message of rank {}", rank_.processor_.rank(), from.rank));
    }
    const Arrival arrival = called.front().arrival;
    called.pop_front();
    ++from.in.messages;
    if (!called.empty()) answer(from);
    co_await rank_.notify(from);
    co_await call();
    addressee().delivered(arrival);
}

}  // namespace ringmesh::workloads::deck
