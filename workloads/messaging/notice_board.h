// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "tlm/processor.h"
#include "workloads/messaging/block_ring.h"

namespace ringmesh::workloads {

/// What a receiver writes back to a sender: seven words and the number of the notice, in a block of 64 bytes. The words
/// mean what the library makes of them; each notice says all that the ones before it said, so that the sender needs the
/// newest alone, need not wait for any, and may miss some.
///
/// The paper writes read positions to one address [002 III.A]. Here notices go to places in turn: packets may overtake
/// each other, and an older position that comes last must not replace the newest one. (Safe as long as no more than
/// kNoticePlaces of them are under way to one sender.)
using NoticeWords = std::array<std::uint64_t, 7>;
inline constexpr std::uint32_t kNoticePlaces = 16;
/// Notices stay half a turn of the stream buffers away from blocks of the same number: a card that takes a stream buffer by
/// address would hold up the block that follows a notice until that has been answered.
constexpr std::uint64_t notice_offset(std::uint64_t number) { return (number + 4) % kNoticePlaces * kBlockBytes; }
inline constexpr std::uint64_t kNoticeBoardBytes = std::uint64_t{kNoticePlaces} * kBlockBytes;

/// The end of the receiver of messages.
class NoticeWriter {
public:
    NoticeWriter() = default;
    /// @param board where the board of the sender of messages is mapped, a multiple of 64
    explicit NoticeWriter(std::uint64_t board) : board_(board) {}

    /// The store that sends the next notice. The data stays valid until the next call.
    StoreRequest write(const NoticeWords& words, StoreKind kind);

private:
    std::uint64_t board_ = 0;
    std::uint64_t written_ = 0;
    std::array<std::byte, kBlockBytes> block_{};
};

/// The end of the sender of messages, which looks at its local copy.
class NoticeReader {
public:
    NoticeReader() = default;
    /// @param board the board's local address
    explicit NoticeReader(std::uint64_t board) : board_(board) {}

    /// The place of the next notice, and what it holds before that comes. @pre look() was called just now
    PollRequest awaited(const Processor& processor) const;
    /// Takes all notices that have come. Takes no time: the words lie in the cache until a notice replaces them, and
    /// the library's call has the cost of looking. @return whether there was one
    bool look(const Processor& processor);
    /// Of the newest notice; zeros before the first.
    const NoticeWords& words() const { return words_; }

private:
    std::uint64_t next_place() const { return board_ + notice_offset(seen_ + 1); }

    std::uint64_t board_ = 0;
    std::uint64_t seen_ = 0;  // number of the newest notice, from 1
    NoticeWords words_{};
};

}  // namespace ringmesh::workloads
