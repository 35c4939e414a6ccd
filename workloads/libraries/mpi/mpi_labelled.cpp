// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/mpi/mpi_labelled.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "tlm/error.h"

namespace ringmesh::workloads::mpi {

MpiLabelled::MpiLabelled(MpiRank& rank)
    : LabelledPeers(rank.processor_, rank.memory_.ranks(), rank.processor_.segments().allocate(kBlockBytes)),
      rank_(rank)
{
    if (rank_.options_.envelope < static_cast<std::int64_t>(Envelope::kWithLabel)) {
        throw UserError(fmt::format("envelope = {}: has no room for tag and communicator; write {} or more",
                                    rank_.options_.envelope, Envelope::kWithLabel));
    }
}

LabelledMessages* MpiRank::labelled()
{
    if (!labelled_) labelled_ = std::make_unique<MpiLabelled>(*this);
    return labelled_.get();
}

Task<> MpiLabelled::call()
{
    co_await rank_.processor_.compute({rank_.processor_.cycles(rank_.options_.call), "library call"});
}

Task<> MpiLabelled::begin(Sending& sending)
{
    co_await call();
    if (!rank_.memory_.is_connected(sending.to)) co_await rank_.connect(sending.to);
    const Protocol protocol = sending.synchronous ? kRendezVous : protocol_for(sending.size, rank_.options_);
    ++rank_.statistics_.sent.at(protocol).messages;
    rank_.statistics_.sent.at(protocol).bytes += sending.size;
    traffic(sending.to).unsent.push_back(&sending);
    co_await push(sending.to);
}

Task<bool> MpiLabelled::push(unsigned rank)
{
    Traffic& all = traffic(rank);
    Peer& to = peer(rank);
    Outgoing& out = to.out;
    rank_.look(out);
    const Options& options = rank_.options_;
    bool moved = false;
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        const auto called = all.asked_with(out.notices.words()[kReadyFor]);
        if (called != all.asked.end() && rank_.has_room(out, MpiRank::Room::kChunk, 0) && out.ring.room() > 0) {
            Sending& sending = **called;
            co_await send_chunk(to, sending);
            goes_on = moved = true;
            if (sending.sent == sending.size) {
                all.asked.erase(all.asked_with(sending.number));
                co_await finish(sending);
            }
        } else if (!all.unsent.empty()) {
            Sending& sending = *all.unsent.front();
            const Protocol protocol = sending.synchronous ? kRendezVous : protocol_for(sending.size, options);
            const std::uint32_t total = options.envelope_bytes() + sending.size;
            const std::uint32_t blocks =
                protocol == kShort ? (total + Options::kBlockPayload - 1) / Options::kBlockPayload : 1;
            const bool has_room = out.ring.room() >= blocks &&
                                  (protocol != kEager || rank_.has_room(out, MpiRank::Room::kEager, padded(total)));
            if (!has_room) {
                ++rank_.statistics_.waits;
                break;
            }
            all.unsent.pop_front();
            rank_.label_ = sending.label;
            if (protocol == kShort) {
                co_await rank_.send_short(to, sending.from, sending.size);
            } else if (protocol == kEager) {
                co_await rank_.send_eager(to, sending.from, sending.size);
            } else {
                co_await rank_.send_control(to, Envelope::Kind::kRequest, sending.size);
                sending.number = out.messages + 1;
                all.asked.push_back(&sending);
            }
            ++out.messages;
            if (protocol != kRendezVous) co_await finish(sending);
            goes_on = moved = true;
        }
        rank_.look(out);
    }
    co_return moved;
}

Task<> MpiLabelled::finish(Sending& sending)
{
    if (rank_.options_.check && !rank_.check_->on()) co_await rank_.store_barrier();
    sending.done = true;
    addressee().left(sending);
}

Task<> MpiLabelled::send_chunk(Peer& to, Sending& sending)
{
    const std::uint32_t bytes = std::min(static_cast<std::uint32_t>(rank_.options_.chunk), sending.size - sending.sent);
    rank_.label_ = sending.label;
    if (bytes > 0) co_await rank_.store_chunk(to, sending.from + sending.sent, bytes);
    co_await rank_.send_control(to, Envelope::Kind::kChunk, bytes);
    ++to.out.messages;
    sending.sent += bytes;
}

Task<> MpiLabelled::take(unsigned rank)
{
    Peer& from = peer(rank);
    Incoming& in = from.in;
    co_await rank_.take_block(from);
    const Envelope envelope = read_envelope(rank_.block_);
    if (envelope.kind == Envelope::Kind::kChunk) {
        co_await take_chunk(from, envelope);
        co_return;
    }
    Arrival arrival{.from = rank,
                    .size = envelope.size,
                    .number = in.messages + 1,
                    .waits = envelope.kind == Envelope::Kind::kRequest};
    std::memcpy(&arrival.label, rank_.block_.data() + Envelope::kBytes, sizeof arrival.label);
    const auto into = addressee().arrived(arrival);
    if (arrival.waits) {
        if (into && traffic(rank).called.empty()) {
            ++in.messages;
            co_await call_for(arrival, *into);
        } else {
            co_await rank_.finish_message(from, 0, false);
            if (into) co_await call_for(arrival, *into);
        }
        co_return;
    }
    if (envelope.kind == Envelope::Kind::kShort) {
        co_await rank_.take_short(from, envelope, into.value());
    } else {
        co_await rank_.take_eager(from, envelope, into.value());
    }
    co_await call();
    addressee().delivered(arrival);
}

Task<> MpiLabelled::call_for(Arrival arrival, std::uint64_t into)
{
    auto& called = traffic(arrival.from).called;
    called.push_back({arrival, into});
    if (called.size() > 1) co_return;
    Peer& from = peer(arrival.from);
    from.in.ready_for = arrival.number;
    co_await rank_.notify(from);
}

Task<> MpiLabelled::take_chunk(Peer& from, const Envelope& envelope)
{
    auto& called = traffic(from.rank).called;
    if (called.empty()) {
        throw ModelError(fmt::format("mpi: rank {} finds a chunk of rank {} that it did not call for",
                                     rank_.processor_.rank(), from.rank));
    }
    Called& first = called.front();
    const std::uint32_t bytes =
        std::min(static_cast<std::uint32_t>(rank_.options_.chunk), first.arrival.size - first.done);
    rank_.require(from, envelope, {.kind = Envelope::Kind::kChunk, .size = bytes, .message = from.in.messages});
    if (bytes > 0) {
        co_await rank_.copy_.run(from.in.chunks + rank_.chunk_place(from.in.chunks_read), first.into + first.done,
                                 bytes);
        ++from.in.chunks_read;
    }
    first.done += bytes;
    ++from.in.messages;
    if (first.done < first.arrival.size) {
        co_await rank_.notify(from);
        co_return;
    }
    const Arrival arrival = first.arrival;
    called.pop_front();
    if (!called.empty()) from.in.ready_for = called.front().arrival.number;
    co_await rank_.notify(from);
    co_await call();
    addressee().delivered(arrival);
}

}  // namespace ringmesh::workloads::mpi
