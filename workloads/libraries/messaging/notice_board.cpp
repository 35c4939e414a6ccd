// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/messaging/notice_board.h"

#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"

namespace ringmesh::workloads {
namespace {

constexpr std::uint32_t kWord = 8;
constexpr std::uint32_t kNumberAt = kBlockBytes - kWord;

void put_word(std::uint64_t word, std::span<std::byte> bytes)
{
    for (auto& byte : bytes) {
        byte = static_cast<std::byte>(word & 0xff);
        word >>= 8;
    }
}

std::uint64_t word_of(std::span<const std::byte> bytes)
{
    std::uint64_t word = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) word = word << 8 | std::to_integer<std::uint64_t>(bytes[i]);
    return word;
}

}  // namespace

StoreRequest NoticeWriter::write(const NoticeWords& words, StoreKind kind)
{
    ++written_;
    const std::span<std::byte> block(block_);
    for (std::size_t i = 0; i < words.size(); ++i) put_word(words.at(i), block.subspan(i * kWord, kWord));
    put_word(written_, block.subspan(kNumberAt, kWord));
    return {.kind = kind, .address = board_ + places_.offset(written_), .data = block_.data(), .size = kBlockBytes};
}

PollRequest NoticeReader::awaited(const PcProcessor& processor) const
{
    std::array<std::byte, kWord> held{};
    processor.peek(next_place() + kNumberAt, held);
    return {.address = next_place() + kNumberAt, .size = kWord, .value = word_of(held), .until_other = true};
}

bool NoticeReader::look(const PcProcessor& processor)
{
    std::array<std::byte, kBlockBytes> block{};
    const std::span<const std::byte> bytes(block);
    const std::uint64_t before = seen_;
    for (;;) {
        processor.peek(next_place(), block);
        const std::uint64_t number = word_of(bytes.subspan(kNumberAt, kWord));
        if (number < held_by_next_place()) {
            throw ModelError(
                fmt::format("rank {} finds notice {} in the place of notice {}: more than {} were under way at a time",
                            processor.rank(), number, held_by_next_place(), kNoticePlaces));
        }
        held_by_next_place() = number;
        if (number <= seen_) return seen_ != before;
        seen_ = number;
        for (std::size_t i = 0; i < words_.size(); ++i) words_.at(i) = word_of(bytes.subspan(i * kWord, kWord));
    }
}

}  // namespace ringmesh::workloads
