// SPDX-License-Identifier: Apache-2.0
#include "workloads/remote/card_memory.h"

#include <algorithm>

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
    const auto smaller = [](const Piece& a, const Piece& b) { return a.bytes < b.bytes; };
    std::vector<Piece> fitting;
    std::ranges::copy_if(free_, std::back_inserter(fitting), [&](const Piece& each) { return each.bytes >= bytes; });
    if (!fitting.empty()) {
        const Piece piece = *std::ranges::min_element(fitting, smaller);
        std::erase_if(free_, [&](const Piece& each) { return each.segment == piece.segment; });
        return piece;
    }
    SegmentDriver& driver = processor_.segments();
    // Half as much again for what else is in the memory
    if (bytes == 0 || taken_ == kMost || driver.memory_left() < bytes + bytes / 2) return {};
    Piece piece{.segment = kFirst + taken_, .bytes = bytes};
    try {
        piece.address = driver.create_segment(piece.segment, bytes);
        driver.export_segment(piece.segment);
    } catch (const UserError&) {  // the node has no more segments
        return {};
    }
    ++taken_;
    return piece;
}

void CardMemory::give_back(const Piece& piece)
{
    if (piece.segment != 0) free_.push_back(piece);
}

std::optional<std::uint64_t> CardMemory::map(unsigned rank, SegmentId segment)
{
    const auto [place, is_new] = mapped_.try_emplace({rank, segment});
    if (is_new) {
        try {
            place->second = processor_.segments().import_and_map(processor_.node_of(rank), segment);
        } catch (const UserError&) {  // no translation entry is left, or that node is this one
            place->second.reset();
        }
    }
    return place->second;
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
    constexpr std::uint32_t kWidth = 8;
    co_await processor_.load(
        {.address = from, .data = into.data(), .size = static_cast<std::uint32_t>(into.size()), .width = kWidth});
}

Task<> CardMemory::settle() { co_await processor_.barrier(); }

}  // namespace ringmesh::workloads
