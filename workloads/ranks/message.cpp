// SPDX-License-Identifier: Apache-2.0
#include "workloads/ranks/message.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "tlm/error.h"

namespace ringmesh::workloads {
namespace {

constexpr std::uint64_t kBoundary = 64;
constexpr std::uint32_t kLargestAssignment = 8;

bool fits_one_assignment(std::uint32_t size) { return size <= kLargestAssignment && std::has_single_bit(size); }

std::byte byte_of(std::uint64_t word, std::uint64_t index)
{
    return static_cast<std::byte>((word >> (8 * index)) & 0xff);
}

/// The byte that a message has at `index`: its pattern, then its word, least significant byte first.
class Content {
public:
    explicit Content(const Message& message)
        : sequence_(message.sequence),
          word_begin_(message.size - polled_bytes(message.size)),
          word_(polled_value(message))
    {}
    std::byte at(std::uint64_t index) const
    {
        return index < word_begin_ ? pattern_byte(sequence_, index) : byte_of(word_, index - word_begin_);
    }

private:
    std::uint64_t sequence_;
    std::uint64_t word_begin_;
    std::uint64_t word_;
};

}  // namespace

StoreKind store_kind(Stores stores, std::uint32_t size)
{
    switch (stores) {
        case Stores::kAuto: return fits_one_assignment(size) ? StoreKind::kSingle : StoreKind::kMemcpy;
        case Stores::kMemcpy: return StoreKind::kMemcpy;
        case Stores::kMmx: return StoreKind::kMmx;
        case Stores::kSingle: return StoreKind::kSingle;
    }
    throw ModelError("a kind of stores without a meaning");
}

ProgramUse use_of(Stores stores)
{
    return {.single_stores = stores == Stores::kAuto || stores == Stores::kSingle,
            .memcpy_stores = stores == Stores::kAuto || stores == Stores::kMemcpy,
            .mmx_stores = stores == Stores::kMmx,
            .loads = false,
            .barriers = false,
            .dma = false,
            .interrupts = false};
}

std::uint32_t assignment_bytes(std::uint64_t address, std::uint32_t left)
{
    std::uint32_t bytes = std::min(std::bit_floor(left), kLargestAssignment);
    while (address % bytes != 0) bytes /= 2;
    return bytes;
}

std::uint64_t message_offset(std::uint32_t size, bool aligned) { return aligned ? kBoundary - size % kBoundary : 0; }

std::uint64_t area_bytes(std::uint32_t largest)
{
    return kBoundary + (largest + kBoundary - 1) / kBoundary * kBoundary;
}

std::uint32_t polled_bytes(std::uint32_t size)
{
    if (fits_one_assignment(size)) return size;
    return size % 4 == 0 ? 4 : 1;
}

std::uint64_t polled_value(const Message& message)
{
    const std::uint64_t awaited_bit = std::uint64_t{1} << (8 * polled_bytes(message.size) - 1);
    const std::uint64_t number = message.sequence & (awaited_bit - 1);
    return message.awaited ? awaited_bit | number : number;
}

void write_message(const Message& message, std::span<std::byte> bytes)
{
    const Content content(message);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = content.at(i);
}

std::optional<WrongByte> first_wrong_byte(const Message& message, std::span<const std::byte> bytes)
{
    const Content content(message);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (bytes[i] != content.at(i)) return WrongByte{i, bytes[i], content.at(i)};
    }
    return std::nullopt;
}

Schedule::Schedule(std::vector<std::uint32_t> sizes, Shape shape) : sizes_(std::move(sizes)), shape_(shape) {}

Message Schedule::message(std::uint64_t number) const
{
    const auto repetition = static_cast<std::uint32_t>(number % per_size());
    return {.size = sizes_[number / per_size()],
            .repetition = repetition,
            .sequence = number,
            .awaited = repetition % shape_.answer_every == 0};
}

std::optional<Message> Schedule::awaited_from(std::uint64_t number) const
{
    for (; number < messages(); ++number) {
        const Message candidate = message(number);
        if (candidate.awaited) return candidate;
    }
    return std::nullopt;
}

}  // namespace ringmesh::workloads
