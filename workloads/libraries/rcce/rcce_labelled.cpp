// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/rcce/rcce_labelled.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "tlm/error.h"

namespace ringmesh::workloads::rcce {
namespace {

constexpr std::uint8_t kFetched = 1;
constexpr std::uint8_t kCleared = 0;
constexpr std::uint32_t kHeaderLine = SccProcessor::kLine;

constexpr std::uint32_t in_lines(std::uint32_t size) { return (size + kHeaderLine - 1) / kHeaderLine * kHeaderLine; }

}  // namespace

RcceLabelled::RcceLabelled(Rcce& rcce) : rcce_(rcce), line_(rcce.processor().allocate(2 * kHeaderLine))
{
    static_assert(sizeof(Header) <= kHeaderLine);
}

std::uint64_t RcceLabelled::allocate(std::uint32_t size)
{
    // A get reads one line more than it copies
    return rcce_.processor().allocate(std::uint64_t{in_lines(size)} + kHeaderLine);
}

Task<> RcceLabelled::call()
{
    co_await rcce_.processor().compute({rcce_.processor().cycles(rcce_.options().call), "library call"});
}

Task<> RcceLabelled::copy(std::uint64_t from, std::uint64_t to, std::uint32_t size)
{
    if (size == 0) co_return;
    const CopyRequest bytes{.to = to, .from = from, .size = size, .width = rcce_.options().copying().width};
    co_await rcce_.processor().copy(bytes);
}

bool RcceLabelled::is_set(Flag flag) const
{
    std::array<std::byte, 1> value{};
    rcce_.processor().peek(rcce_.poll_for(flag, kFetched, rcce_.ue()).address, value);
    return std::to_integer<std::uint8_t>(value[0]) == kFetched;
}

Task<> RcceLabelled::begin(Sending& sending)
{
    rcce_.require_peer("send", sending.to);
    co_await call();
    sending.number = ++numbers_;
    const bool asks = sending.synchronous || sending.size > most();
    Piece piece{.to = sending.to, .from = sending.from, .size = asks ? 0 : sending.size, .sending = &sending};
    piece.header = {asks ? Kind::kRequest : Kind::kMessage, sending.size, sending.label, sending.number};
    if (asks) asked_.push_back(&sending);
    pieces_.push_back(piece);
    co_await offer();
}

Task<> RcceLabelled::call_for(Arrival arrival, std::uint64_t into)
{
    called_.push_back({arrival, into});
    Piece piece{.to = arrival.from};
    piece.header = {Kind::kReady, arrival.size, arrival.label, arrival.number};
    pieces_.push_back(piece);
    co_await offer();
}

Task<> RcceLabelled::offer()
{
    if (offered_ || pieces_.empty()) co_return;
    offered_ = true;
    const Piece piece = pieces_.front();
    std::array<std::byte, kHeaderLine> header{};
    std::memcpy(header.data(), &piece.header, sizeof piece.header);
    rcce_.processor().poke(line_, header);
    const Copying copying = rcce_.options().copying();
    co_await rcce_.put(rcce_.payload(rcce_.ue()), line_, kHeaderLine, copying.put(kHeaderLine), copying.width);
    if (piece.size > 0) {
        const std::uint32_t size = in_lines(piece.size);
        co_await rcce_.put(rcce_.payload(rcce_.ue(), kHeaderLine), piece.from, size, copying.put(size), copying.width);
    }
    co_await rcce_.flag_write(rcce_.layout().sent(rcce_.ue()), kFetched, piece.to);
}

void RcceLabelled::add_chunk(Sending& sending)
{
    const std::uint32_t size = std::min(most(), sending.size - sending.sent);
    Piece piece{.to = sending.to, .from = sending.from + sending.sent, .size = size, .sending = &sending};
    piece.header = {Kind::kChunk, size, sending.label, sending.number};
    pieces_.push_back(piece);
}

Task<> RcceLabelled::conclude()
{
    const Piece piece = pieces_.front();
    co_await rcce_.flag_write(rcce_.layout().ready(piece.to), kCleared, rcce_.ue());
    pieces_.pop_front();
    offered_ = false;
    if (piece.header.kind == Kind::kChunk) piece.sending->sent += piece.size;
    const bool is_whole = piece.header.kind == Kind::kMessage ||
                          (piece.header.kind == Kind::kChunk && piece.sending->sent == piece.sending->size);
    if (is_whole) {
        piece.sending->done = true;
        addressee_->left(*piece.sending);
    } else if (piece.header.kind == Kind::kChunk) {
        add_chunk(*piece.sending);
    }
    co_await offer();
}

Task<> RcceLabelled::wait(const Sources& /*sources*/)
{
    places_.clear();
    for (unsigned core = 0; core < rcce_.num_ues(); ++core) {
        if (core == rcce_.ue()) continue;
        places_.push_back(rcce_.poll_for(rcce_.layout().sent(core), kFetched, rcce_.ue()));
    }
    if (offered_) places_.push_back(rcce_.poll_for(rcce_.layout().ready(pieces_.front().to), kFetched, rcce_.ue()));
    if (places_.empty()) places_.push_back(rcce_.poll_for(rcce_.layout().sent(rcce_.ue()), kFetched, rcce_.ue()));
    co_await rcce_.processor().compute({rcce_.processor().cycles(rcce_.options().step), "library wait"});
    const PollAnyRequest any{places_.data(), static_cast<std::uint32_t>(places_.size())};
    const std::uint32_t found = co_await rcce_.processor().poll_any(any);
    if (found + 1 >= rcce_.num_ues()) {
        co_await conclude();
    } else {
        co_await take(found < rcce_.ue() ? found : found + 1);
    }
}

Task<> RcceLabelled::advance(const Sources& /*sources*/)
{
    for (unsigned core = 0; core < rcce_.num_ues(); ++core) {
        if (core != rcce_.ue() && is_set(rcce_.layout().sent(core))) co_await take(core);
    }
    if (offered_ && is_set(rcce_.layout().ready(pieces_.front().to))) co_await conclude();
}

Task<> RcceLabelled::take(unsigned from)
{
    const Copying copying = rcce_.options().copying();
    co_await rcce_.flag_write(rcce_.layout().sent(from), kCleared, rcce_.ue());
    const std::uint64_t line = line_ + kHeaderLine;
    co_await rcce_.get(line, rcce_.payload(from), kHeaderLine, CopyKind::kPlain, copying.width);
    std::array<std::byte, kHeaderLine> bytes{};
    rcce_.processor().peek(line, bytes);
    Header header;
    std::memcpy(&header, bytes.data(), sizeof header);
    const Arrival arrival{.from = from,
                          .size = header.size,
                          .label = header.label,
                          .number = header.number,
                          .waits = header.kind == Kind::kRequest};
    std::uint64_t into = 0;
    std::uint32_t size = 0;
    bool asks = false;
    auto called = called_.end();
    if (header.kind == Kind::kReady) {
        const auto found = std::find_if(asked_.begin(), asked_.end(),
                                        [&](const Sending* each) { return each->number == header.number; });
        if (found == asked_.end()) {
            throw ModelError(fmt::format("rcce: core {} calls for a message that core {} has not", from, rcce_.ue()));
        }
        add_chunk(**found);
        asked_.erase(found);
    } else if (header.kind == Kind::kChunk) {
        called = std::find_if(called_.begin(), called_.end(), [&](const Called& each) {
            return each.arrival.from == from && each.arrival.number == header.number;
        });
        if (called == called_.end()) {
            throw ModelError(fmt::format("rcce: core {} has not called for a piece of core {}", rcce_.ue(), from));
        }
        into = called->into + called->done;
        size = header.size;
    } else {
        const auto place = addressee_->arrived(arrival);
        asks = arrival.waits && place.has_value();
        into = place.value_or(0);
        if (!arrival.waits) size = header.size;
    }
    if (size > 0) {
        const std::uint32_t whole = in_lines(size);
        co_await rcce_.get(into, rcce_.payload(from, kHeaderLine), whole, copying.get(), copying.width);
    }
    co_await rcce_.flag_write(rcce_.layout().ready(rcce_.ue()), kFetched, from);
    if (asks) {
        co_await call_for(arrival, into);
    } else if (header.kind == Kind::kMessage) {
        co_await call();
        addressee_->delivered(arrival);
    } else if (header.kind == Kind::kChunk) {
        called->done += size;
        if (called->done < called->arrival.size) co_return;
        const Arrival whole = called->arrival;
        called_.erase(called);
        co_await call();
        addressee_->delivered(whole);
    } else if (header.kind == Kind::kReady) {
        co_await offer();
    }
}

}  // namespace ringmesh::workloads::rcce
