// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "tlm/pc/pc_processor.h"
#include "workloads/libraries/messaging/block_ring.h"

namespace ringmesh::workloads {

/// Acknowledgements of a receiver to a sender: seven words and the number of the notice, in a block of 64 bytes. The
/// library defines the words; each notice is cumulative, so that the sender needs only the newest, need not wait for
/// any, and may miss some.
///
/// The paper writes read positions to one address [002 III.A]. Here notices go to several places in turn: packets may
/// overtake each other, and an older position that arrives last must not replace the newest one. Safe if at most
/// kNoticePlaces of them are in flight to one sender, which holds if a card has no more stream buffers than that, or
/// assigns them by address; the reader detects more.
using NoticeWords = std::array<std::uint64_t, 7>;
inline constexpr std::uint32_t kNoticePlaces = 16;
/// A place has the size of the largest gathered block; the notice is at the end of it, or of its first half.
inline constexpr std::uint64_t kNoticeBoardBytes = std::uint64_t{kNoticePlaces} * kLargestBlock;

/// The positions of notices on a board, for a card that gathers so many bytes. The first place is a quarter of the
/// board away from the first slot of a ring with the same alignment: with stream buffers assigned by address, each
/// notice would otherwise wait for the block sent just before it.
class NoticePlaces {
public:
    explicit NoticePlaces(std::uint32_t gathered = kBlockBytes) : stride_(gathered) {}
    std::uint64_t offset(std::uint64_t number) const
    {
        return (number + kNoticePlaces / 4) % kNoticePlaces * stride_ + stride_ - kBlockBytes;
    }

private:
    std::uint64_t stride_;
};

/// The end of the receiver of messages.
class NoticeWriter {
public:
    NoticeWriter() = default;
    /// @param board mapped address of the board at the sender of messages, a multiple of 128
    NoticeWriter(std::uint64_t board, NoticePlaces places) : board_(board), places_(places) {}

    /// The store that sends the next notice. The data stays valid until the next call.
    StoreRequest write(const NoticeWords& words, StoreKind kind);

private:
    std::uint64_t board_ = 0;
    NoticePlaces places_;
    std::uint64_t written_ = 0;
    std::array<std::byte, kBlockBytes> block_{};
};

/// The end of the sender of messages, which checks its local copy.
class NoticeReader {
public:
    NoticeReader() = default;
    /// @param board the board's local address
    NoticeReader(std::uint64_t board, NoticePlaces places) : board_(board), places_(places) {}

    /// The place of the next notice, and its current value. @pre look() was just called
    PollRequest awaited(const PcProcessor& processor) const;
    /// Takes all arrived notices. Takes no time: the words are cached until a notice replaces them, and the library's
    /// call cost includes the check. @return whether there was one
    /// @throws ModelError if an older notice has replaced one that was there already
    bool look(const PcProcessor& processor);
    /// The words of the newest notice; zeros before the first.
    const NoticeWords& words() const { return words_; }

private:
    std::uint64_t next_place() const { return board_ + places_.offset(seen_ + 1); }
    std::uint64_t& held_by_next_place() { return held_.at((seen_ + 1) % kNoticePlaces); }

    std::uint64_t board_ = 0;
    NoticePlaces places_;
    std::uint64_t seen_ = 0;  // number of the newest notice, from 1
    NoticeWords words_{};
    std::array<std::uint64_t, kNoticePlaces> held_{};  // by place, at the last look()
};

}  // namespace ringmesh::workloads
