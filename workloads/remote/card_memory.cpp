// SPDX-License-Identifier: Apache-2.0
#include "workloads/remote/card_memory.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "tlm/error.h"

namespace ringmesh::workloads {

std::unique_ptr<CardMemory> CardMemory::of(Processor& processor)
{
    auto* const pc = dynamic_cast<PcProcessor*>(&processor);
    if (pc == nullptr || pc->check_transfers() > 0) return nullptr;
    return std::make_unique<CardMemory>(*pc);
}

CardMemory::Piece CardMemory::take(std::uint64_t bytes)
{
    if (bytes == 0 || bytes > most_bytes_) return {};
    const std::uint64_t size = std::max(std::bit_ceil(bytes), kLeastBytes);
    const auto known = std::ranges::find(free_, size, &Piece::bytes);
    if (known != free_.end()) {
        const Piece piece = *known;
        free_.erase(known);
        return piece;
    }
    SegmentDriver& driver = processor_.segments();
    if (taken_ == kMost || taken_bytes_ + size > most_bytes_ || size > driver.memory_left()) return {};
    Piece piece{.segment = kFirst + taken_, .bytes = size};
    try {
        piece.address = driver.create_segment(piece.segment, size);
        driver.export_segment(piece.segment);
    } catch (const UserError&) {  // the node has no more segments
        return {};
    }
    ++taken_;
    taken_bytes_ += size;
    return piece;
}

void CardMemory::give_back(const Piece& piece)
{
    if (piece.segment != 0) free_.push_back(piece);
}

std::optional<std::uint64_t> CardMemory::map(unsigned rank, const Piece& piece, std::uint64_t offset)
{
    const Mapped wanted{rank, piece.segment, offset / kMapping};
    auto found = mapped_.find(wanted);
    if (found == mapped_.end()) {
        if (mapped_.size() == kMostMappings) return std::nullopt;  // entries are the library's, too
        found = mapped_.emplace(wanted, std::nullopt).first;
        SegmentDriver& driver = processor_.segments();
        const std::uint64_t begin = wanted.number * kMapping;
        try {
            const RemoteSegment segment = driver.import_segment(processor_.node_of(rank), piece.segment);
            found->second = driver.map_segment(segment, begin, std::min(kMapping, piece.bytes - begin));
        } catch (const UserError&) {  // no translation entry is left, or that node is this one
        }
    }
    if (!found->second) return std::nullopt;
    return *found->second + offset % kMapping;
}

void CardMemory::update(std::uint64_t address, std::span<const std::byte> program)
{
    std::vector<Range> outside{{address, address + program.size()}};
    for (const Range& coming : coming_) {
        std::vector<Range> left;
        for (const Range& range : outside) {
            if (coming.begin > range.begin) left.push_back({range.begin, std::min(range.end, coming.begin)});
            if (coming.end < range.end) left.push_back({std::max(range.begin, coming.end), range.end});
        }
        std::erase_if(left, [](const Range& range) { return range.begin >= range.end; });
        outside = std::move(left);
    }
    for (const Range& range : outside) {
        processor_.poke(range.begin, program.subspan(range.begin - address, range.end - range.begin));
    }
}

void CardMemory::arrived(std::uint64_t address, std::span<std::byte> program)
{
    const auto it = std::ranges::find_if(
        coming_, [&](const Range& range) { return range.begin == address && range.end == address + program.size(); });
    coming_.erase(it);
    processor_.peek(address, program);
}

Task<> CardMemory::store(std::uint64_t to, std::span<const std::byte> bytes)
{
    co_await processor_.store({.kind = StoreKind::kMmx,
                               .address = to,
                               .data = bytes.data(),
                               .size = static_cast<std::uint32_t>(bytes.size())});
}

Task<> CardMemory::load(std::uint64_t from, std::span<std::byte> into)
{
    constexpr std::uint32_t kWidth = 8;  // MMX, as the stores
    co_await processor_.load(
        {.address = from, .data = into.data(), .size = static_cast<std::uint32_t>(into.size()), .width = kWidth});
}

Task<> CardMemory::settle() { co_await processor_.barrier(); }

}  // namespace ringmesh::workloads
