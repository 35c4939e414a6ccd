// SPDX-License-Identifier: Apache-2.0
#include "workloads/deck/side.h"

#include <array>

namespace ringmesh::workloads::deck {
namespace {

constexpr std::array<std::byte, 4> kRing{std::byte{1}};

}  // namespace

Task<> Side::send_block(Peer& to, StoreRequest block)
{
    co_await processor.store(block);
    if (options.notification != Notification::kInterrupt) co_return;
    const StoreRequest ring{
        .kind = StoreKind::kSingle, .address = to.out.doorbell, .data = kRing.data(), .size = kRing.size()};
    co_await processor.store(ring);
    co_await processor.flush();
}

Task<> Side::send_data(std::uint64_t from, std::uint64_t to, std::uint32_t bytes)
{
    const auto size = static_cast<std::uint32_t>(padded(bytes));
    if (size == 0) co_return;
    if (options.transfer == Transfer::kDma) {
        const DmaRequest transfer{.from = from, .to = to, .size = size};
        co_await processor.dma(transfer);
        co_return;
    }
    data.resize(size);
    processor.peek(from, data);
    const StoreRequest store{.kind = options.stores, .address = to, .data = data.data(), .size = size};
    co_await processor.store(store);
}

Task<> Side::settle()
{
    if (options.transfer == Transfer::kDma) co_return;
    ++statistics.barriers;
    co_await processor.barrier();
    ended(Step::kSettled);
}

Task<> Side::finish_message(Peer& from, std::uint32_t buffer_bytes)
{
    Incoming& in = from.in;
    ++in.messages;
    in.buffer.advance(buffer_bytes);
    in.unacknowledged_bytes += buffer_bytes;
    if (++in.unacknowledged < options.acknowledge && 2 * in.unacknowledged_bytes < in.buffer.size()) co_return;
    co_await notify(from);
    ended(Step::kReadPositionStored);
}

Task<> Side::notify(Peer& from)
{
    Incoming& in = from.in;
    in.unacknowledged = 0;
    in.unacknowledged_bytes = 0;
    ++statistics.acknowledgements;
    NoticeWords words{};
    words[NoticeWord::kShortRead] = in.short_ring.read();
    words[NoticeWord::kControlRead] = in.control_ring.read();
    words[NoticeWord::kBufferRead] = in.buffer.position();
    words[NoticeWord::kAnswered] = in.answered;
    words[NoticeWord::kOffset] = in.offset;
    const StoreRequest notice = in.notices.write(words, options.stores);
    co_await processor.store(notice);
}

Task<> Side::take_interrupt()
{
    if (options.notification == Notification::kInterrupt) co_await processor.interrupt();
}

}  // namespace ringmesh::workloads::deck
