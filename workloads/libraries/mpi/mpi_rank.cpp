// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/mpi/mpi_rank.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "tlm/error.h"

namespace ringmesh::workloads::mpi {
namespace {

constexpr StoreKind kStores = StoreKind::kMmx;

static_assert(sizeof(Envelope) == Envelope::kBytes);

}  // namespace

void write_envelope(const Envelope& envelope, const Label& label, std::span<std::byte> bytes)
{
    std::memcpy(bytes.data(), &envelope, Envelope::kBytes);
    if (bytes.size() >= Envelope::kWithLabel) std::memcpy(bytes.data() + Envelope::kBytes, &label, sizeof label);
}

Envelope read_envelope(std::span<const std::byte> bytes)
{
    Envelope envelope;
    std::memcpy(&envelope, bytes.data(), Envelope::kBytes);
    return envelope;
}

Protocol protocol_for(std::uint32_t size, const Options& options)
{
    if (size <= options.short_limit) return kShort;
    return size <= options.eager_limit ? kEager : kRendezVous;
}

MpiRank::MpiRank(PcProcessor& processor, const Options& options, unsigned ranks,
                 std::shared_ptr<PeerMemory<Peer>::All> all)
    : processor_(processor),
      options_(options),
      memory_(processor, ranks, on_large_blocks(ring().bytes() + eager_bytes() + options.chunk_bytes()),
              std::move(all)),
      copy_(processor)
{
    options.require_valid();
    if (options.check) check_.emplace(processor, "mpi", ranks);
    statistics_.sent = {{"short"}, {"eager"}, {"rendez-vous"}};
    block_.resize(kBlockBytes);
}

BufferId MpiRank::create_buffer(std::uint32_t size, std::uint32_t /*largest_part*/)
{
    buffers_.push_back({.size = size, .address = buffer_bytes_});
    buffer_bytes_ += padded(size) + kBlockBytes;
    return static_cast<BufferId>(buffers_.size() - 1);
}

void MpiRank::export_memory()
{
    const std::uint64_t memory = processor_.segments().allocate(buffer_bytes_ + kBlockBytes);
    for (Buffer& buffer : buffers_) buffer.address += memory;
    const std::uint64_t chunk = padded(static_cast<std::uint64_t>(options_.chunk));
    memory_.create(
        "mpi: the segment of buffers",
        fmt::format("eager_buffer={} and chunk_buffers={} of chunk={} in each part; write eager_buffer={}, chunk={}",
                    options_.eager_buffer, options_.chunk_buffers, options_.chunk, options_.largest_eager(),
                    std::max<std::uint64_t>(chunk / 4, kBlockBytes)),
        "mpi: the segment of notices");
    memory_.export_parts([this](Peer& peer, std::uint64_t part) {
        const std::uint64_t eager = part + ring().bytes();
        peer.in.ring = BlockReader(part, ring());
        peer.in.eager = ByteRing(eager, eager_bytes());
        peer.in.chunks = eager + eager_bytes();
    });
}

void MpiRank::import_memory()
{
    memory_.import_parts([this](Peer& peer, std::uint64_t part) {
        const std::uint64_t eager = part + ring().bytes();
        peer.out.ring = BlockWriter(part, ring());
        peer.out.eager = ByteRingWriter(ByteRing(eager, eager_bytes()));
        peer.out.chunks = eager + eager_bytes();
    });
}

Task<> MpiRank::send(unsigned to, Part bytes, Tag /*tag*/)
{
    const Buffer buffer = buffers_.at(bytes.buffer);
    const std::uint32_t size = bytes.size_in(buffer.size);
    const std::uint64_t from = buffer.address + bytes.offset;
    if (bytes.offset + std::uint64_t{size} > buffer.size) {
        throw UserError(fmt::format("mpi: rank {} sends {} bytes out of a buffer of {}", processor_.rank(),
                                    bytes.offset + std::uint64_t{size}, buffer.size));
    }
    memory_.require_other(to, "mpi");
    co_await processor_.compute({processor_.cycles(options_.call), "library call"});
    if (!memory_.is_connected(to)) co_await connect(to);
    Peer& peer = memory_.peer(to, "mpi");
    const Protocol protocol = protocol_for(size, options_);
    ++statistics_.sent.at(protocol).messages;
    statistics_.sent.at(protocol).bytes += size;
    if (protocol == kShort) {
        co_await send_short(peer, from, size);
    } else if (protocol == kEager) {
        co_await send_eager(peer, from, size);
    } else {
        co_await send_chunks(peer, from, size);
    }
    ++peer.out.messages;
    if (options_.check && !check_->on()) co_await store_barrier();
}

Task<> MpiRank::connect(unsigned to)
{
    auto request = memory_.connect(to, "mpi");
    std::array<std::byte, kBlockBytes> block{};
    const StoreRequest store{.kind = kStores, .address = request.address, .data = block.data(), .size = kBlockBytes};
    unsigned tried = 0;
    do {
        request = memory_.again(request, to);
        std::memcpy(block.data(), &request.number, sizeof request.number);
        co_await processor_.store(store);
        co_await barrier_if_checked();
    } while (failed(memory_.peer(to, "mpi"), "connection", request.number, tried));
}

Task<> MpiRank::send_short(Peer& to, std::uint64_t from, std::uint32_t size)
{
    const Envelope envelope{.kind = Envelope::Kind::kShort, .size = size, .message = to.out.messages};
    gather(envelope, from, size);
    const std::uint32_t total = options_.envelope_bytes() + size;
    const std::uint32_t payload = Options::kBlockPayload;
    for (std::uint32_t done = 0; done < total; done += payload) {
        co_await send_block(to, std::span(data_).subspan(done, std::min(payload, total - done)));
    }
}

Task<> MpiRank::send_eager(Peer& to, std::uint64_t from, std::uint32_t size)
{
    const Envelope envelope{.kind = Envelope::Kind::kEager, .size = size, .message = to.out.messages};
    const auto room = static_cast<std::uint32_t>(padded(options_.envelope_bytes() + size));
    co_await wait_for(to, Room::kEager, room);
    gather(envelope, from, size);
    const auto pieces = to.out.eager.write(room);
    unsigned tried = 0;
    do {
        for (const ByteRing::Piece& piece : pieces) {
            if (piece.size == 0) continue;
            const StoreRequest store{
                .kind = kStores, .address = piece.address, .data = data_.data() + piece.from, .size = piece.size};
            co_await processor_.store(store);
        }
        co_await store_barrier();
    } while (failed(to, "message", to.out.messages, tried));
    co_await send_control(to, Envelope::Kind::kEager, size);
}

Task<> MpiRank::send_chunks(Peer& to, std::uint64_t from, std::uint32_t size)
{
    co_await send_control(to, Envelope::Kind::kRequest, size);
    co_await wait_for(to, Room::kReady, 0);
    const auto chunk = static_cast<std::uint32_t>(options_.chunk);
    for (std::uint32_t done = 0; done < size; done += chunk) {
        co_await wait_for(to, Room::kChunk, 0);
        const std::uint32_t bytes = std::min(chunk, size - done);
        co_await store_chunk(to, from + done, bytes);
        co_await send_control(to, Envelope::Kind::kChunk, bytes);
    }
}

Task<> MpiRank::store_chunk(Peer& to, std::uint64_t from, std::uint32_t size)
{
    data_.assign(padded(size), std::byte{0});
    processor_.peek(from, std::span(data_).first(size));
    const StoreRequest store{.kind = kStores,
                             .address = to.out.chunks + chunk_place(to.out.chunks_sent++),
                             .data = data_.data(),
                             .size = static_cast<std::uint32_t>(data_.size())};
    unsigned tried = 0;
    do {
        co_await processor_.store(store);
        co_await store_barrier();
    } while (failed(to, "message", to.out.messages, tried));
}

Task<> MpiRank::send_control(Peer& to, Envelope::Kind kind, std::uint32_t size)
{
    const Envelope envelope{.kind = kind, .size = size, .message = to.out.messages};
    data_.assign(options_.envelope_bytes(), std::byte{0});
    write_envelope(envelope, label_, data_);
    co_await send_block(to, data_);
}

Task<> MpiRank::send_block(Peer& to, std::span<const std::byte> payload)
{
    co_await wait_for(to, Room::kBlock, 0);
    const StoreRequest block = to.out.ring.write(payload, to.out.messages, kStores);
    unsigned tried = 0;
    do {
        co_await processor_.store(block);
        co_await barrier_if_checked();
    } while (failed(to, "message", to.out.messages, tried));
}

Task<> MpiRank::barrier_if_checked()
{
    if (check_ && check_->on()) co_await store_barrier();
}

Task<> MpiRank::store_barrier()
{
    ++statistics_.barriers;
    co_await processor_.barrier();
}

void MpiRank::gather(const Envelope& envelope, std::uint64_t from, std::uint32_t size)
{
    data_.assign(padded(options_.envelope_bytes() + size), std::byte{0});
    write_envelope(envelope, label_, data_);
    processor_.peek(from, std::span(data_).subspan(options_.envelope_bytes(), size));
}

Task<> MpiRank::wait_for(Peer& to, Room room, std::uint64_t bytes)
{
    Outgoing& out = to.out;
    for (bool waited = room == Room::kReady;; waited = true) {  // without an answer it always waits
        look(out);
        if (has_room(out, room, bytes)) co_return;
        if (!waited) ++statistics_.waits;
        const PollRequest notice = out.notices.awaited(processor_);
        co_await processor_.poll(notice);
    }
}

bool MpiRank::look(Outgoing& out)
{
    if (!out.notices.look(processor_)) return false;
    const NoticeWords& words = out.notices.words();
    out.ring.acknowledge(words[kRingRead]);
    out.eager.acknowledge(words[kEagerRead]);
    return true;
}

bool MpiRank::has_room(const Outgoing& out, Room room, std::uint64_t bytes) const
{
    const NoticeWords& words = out.notices.words();
    switch (room) {
        case Room::kBlock: return !out.ring.full();
        case Room::kEager: return out.eager.has_room(bytes);
        case Room::kReady: return words[kReadyFor] == out.messages + 1;
        case Room::kChunk: break;
    }
    const std::uint64_t unread = out.chunks_sent - words[kChunksRead];
    return unread < static_cast<std::uint64_t>(options_.chunk_buffers);
}

Task<Received> MpiRank::receive(unsigned from, Part room, Tag /*tag*/)
{
    if (from != kAnyRank) memory_.require_other(from, "mpi");
    std::uint32_t found = 0;
    do {  // again if there is another connection
        places_.clear();
        candidates_.clear();
        memory_.in_turn([&](Peer& peer) {
            if (from == kAnyRank || from == peer.rank) candidates_.push_back(&peer);
        });
        for (const Peer* peer : candidates_) places_.push_back(peer->in.ring.awaited(processor_, peer->in.messages));
        if (const auto request = memory_.awaited_request()) places_.push_back(*request);
        const PollAnyRequest first{.places = places_.data(), .count = static_cast<std::uint32_t>(places_.size())};
        found = co_await processor_.poll_any(first);
    } while (found >= candidates_.size());
    Peer& peer = *candidates_.at(found);
    memory_.served(peer);
    co_await take_block(peer);
    const Envelope envelope = read_envelope(block_);
    const Buffer buffer = buffers_.at(room.buffer);
    const std::uint64_t into = buffer.address + room.offset;
    if (envelope.size > room.size_in(buffer.size)) {
        throw UserError(fmt::format("mpi: rank {} receives {} bytes of rank {} in a buffer of {}; take a larger one",
                                    processor_.rank(), envelope.size, peer.rank, room.size_in(buffer.size)));
    }
    switch (envelope.kind) {
        case Envelope::Kind::kShort: co_await take_short(peer, envelope, into); break;
        case Envelope::Kind::kEager: co_await take_eager(peer, envelope, into); break;
        case Envelope::Kind::kRequest: co_await take_chunks(peer, envelope, into); break;
        case Envelope::Kind::kChunk:
            throw ModelError(
                fmt::format("mpi: rank {} finds a chunk of rank {} without a request", processor_.rank(), peer.rank));
    }
    co_await processor_.compute({processor_.cycles(options_.call), "library call"});
    co_return Received{peer.rank, envelope.size};
}

bool MpiRank::has_mail() const
{
    const auto& ranks = memory_.connected();
    return std::any_of(ranks.begin(), ranks.end(), [this](unsigned rank) {
        const Incoming& in = memory_.peer(rank, "mpi").in;
        return in.ring.has_come(processor_, in.messages);
    });
}

Task<> MpiRank::take_short(Peer& from, Envelope first, std::uint64_t into)
{
    const Envelope expected{.kind = Envelope::Kind::kShort, .size = first.size, .message = from.in.messages};
    require(from, first, expected);
    std::uint32_t at = options_.envelope_bytes();  // in the block
    for (std::uint32_t done = 0;;) {
        const std::uint32_t bytes = std::min(Options::kBlockPayload - at, first.size - done);
        if (bytes > 0) {
            const StoreRequest store{
                .kind = StoreKind::kMemcpy, .address = into + done, .data = block_.data() + at, .size = bytes};
            co_await processor_.store(store);
        }
        done += bytes;
        if (done == first.size) break;
        const PollRequest next = from.in.ring.awaited(processor_, from.in.messages);
        co_await processor_.poll(next);
        co_await take_block(from);
        at = 0;
    }
    co_await finish_message(from, 0, false);
}

Task<> MpiRank::take_eager(Peer& from, Envelope control, std::uint64_t into)
{
    const std::uint32_t front = options_.envelope_bytes();
    const LoadRequest load{
        .address = from.in.eager.pieces(front)[0].address, .data = block_.data(), .size = front, .width = 8};
    co_await processor_.load(load);
    const Envelope expected{.kind = Envelope::Kind::kEager, .size = control.size, .message = from.in.messages};
    require(from, read_envelope(block_), expected);
    co_await copy_.out_of(from.in.eager, front, control.size, into);
    co_await finish_message(from, padded(front + control.size), false);
}

Task<> MpiRank::take_chunks(Peer& from, Envelope request, std::uint64_t into)
{
    Incoming& in = from.in;
    in.ready_for = in.messages + 1;
    co_await notify(from);
    const auto chunk = static_cast<std::uint32_t>(options_.chunk);
    for (std::uint32_t done = 0; done < request.size;) {
        const PollRequest next = in.ring.awaited(processor_, in.messages);
        co_await processor_.poll(next);
        co_await take_block(from);
        const std::uint32_t bytes = std::min(chunk, request.size - done);
        const Envelope expected{.kind = Envelope::Kind::kChunk, .size = bytes, .message = in.messages};
        require(from, read_envelope(block_), expected);
        co_await copy_.run(in.chunks + chunk_place(in.chunks_read), into + done, bytes);
        ++in.chunks_read;
        done += bytes;
        if (done < request.size) co_await notify(from);
    }
    co_await finish_message(from, 0, true);
}

Task<> MpiRank::take_block(Peer& from)
{
    const LoadRequest load{.address = from.in.ring.address(), .data = block_.data(), .size = kBlockBytes, .width = 8};
    co_await processor_.load(load);
    from.in.ring.advance();
}

void MpiRank::require(const Peer& from, const Envelope& found, const Envelope& expected) const
{
    if (found == expected) return;
    throw ModelError(
        fmt::format("mpi: rank {} finds an envelope of kind {} with {} bytes of message {} of rank {}, where "
                    "kind {} with {} of message {} must be",
                    processor_.rank(), static_cast<unsigned>(found.kind), found.size, found.message, from.rank,
                    static_cast<unsigned>(expected.kind), expected.size, expected.message));
}

Task<> MpiRank::finish_message(Peer& from, std::uint64_t eager_bytes, bool at_once)
{
    Incoming& in = from.in;
    ++in.messages;
    in.eager.advance(eager_bytes);
    in.unacknowledged_bytes += eager_bytes;
    ++in.unacknowledged;
    // The longest eager message must fit without an acknowledgement.
    const bool tight = in.unacknowledged_bytes + options_.largest_eager() > in.eager.size();
    if (at_once || tight || in.unacknowledged >= options_.acknowledge) co_await notify(from);
}

Task<> MpiRank::notify(Peer& from)
{
    Incoming& in = from.in;
    in.unacknowledged = 0;
    in.unacknowledged_bytes = 0;
    ++statistics_.acknowledgements;
    NoticeWords words{};
    words[kRingRead] = in.ring.read();
    words[kEagerRead] = in.eager.position();
    words[kReadyFor] = in.ready_for;
    words[kChunksRead] = in.chunks_read;
    const StoreRequest notice = in.notices.write(words, kStores);
    unsigned tried = 0;
    do {
        co_await processor_.store(notice);
        co_await barrier_if_checked();
    } while (failed(from, "acknowledgement of message", in.messages, tried));
}

}  // namespace ringmesh::workloads::mpi
