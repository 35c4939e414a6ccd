// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tlm/pc/pc_processor.h"

namespace ringmesh::workloads {

/// Memory that a rank gives out and that others store to and load from through their cards, without its help: a copy,
/// in its node, of what its program has. A driver never frees a segment, so those that are given back are used again;
/// their sizes are powers of two, and all of them together take a quarter of the node's memory at most.
class CardMemory {
public:
    /// Bytes of a segment of the rank's own.
    struct Piece {
        SegmentId segment = 0;      ///< 0: there is none
        std::uint64_t address = 0;  ///< in the node's memory
        std::uint64_t bytes = 0;
    };
    /// Bytes of a mapping: one entry of the card's table if its pages have that size or more.
    static constexpr std::uint64_t kMapping = 512 * 1024;

    explicit CardMemory(PcProcessor& processor)
        : processor_(processor), most_bytes_(processor.segments().memory_left() / 4)
    {}
    /// @return null if the processor has no card that maps memory, or software must check each transfer for faults
    static std::unique_ptr<CardMemory> of(Processor& processor);

    Processor& processor() const { return processor_; }
    /// @return segment 0 if no memory, or no segment, is left
    Piece take(std::uint64_t bytes);
    void give_back(const Piece& piece);
    /// Where this rank stores to reach a byte of another's piece, and those behind it up to a multiple of kMapping.
    /// @return none if the card cannot, or both are on one node
    std::optional<std::uint64_t> map(unsigned rank, const Piece& piece, std::uint64_t offset);

    /// Copies what the program has, but for bytes that others are storing. @param address of the copy
    void update(std::uint64_t address, std::span<const std::byte> program);
    /// Somebody is about to store there.
    void expect(std::uint64_t address, std::uint64_t bytes) { coming_.push_back({address, address + bytes}); }
    /// It has come: the program has it, too. @pre expect() was told of it
    void arrived(std::uint64_t address, std::span<std::byte> program);

    /// Returns when the bytes have left the processor.
    Task<> store(std::uint64_t to, std::span<const std::byte> bytes);
    Task<> load(std::uint64_t from, std::span<std::byte> into);
    /// Until all that was stored is in the memory of its target.
    Task<> settle();

private:
    static constexpr SegmentId kFirst = 32;  // beyond those of libraries
    static constexpr SegmentId kMost = 32;   // up to those of connections on demand
    static constexpr std::size_t kMostMappings = 2048;
    static constexpr std::uint64_t kLeastBytes = 4096;
    struct Range {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
    };
    struct Mapped {
        unsigned rank = 0;
        SegmentId segment = 0;
        std::uint64_t number = 0;  // of kMapping bytes
        auto operator<=>(const Mapped&) const = default;
    };

    PcProcessor& processor_;
    const std::uint64_t most_bytes_;
    std::uint64_t taken_bytes_ = 0;
    SegmentId taken_ = 0;
    std::vector<Piece> free_;
    std::vector<Range> coming_;
    std::map<Mapped, std::optional<std::uint64_t>> mapped_;
};

}  // namespace ringmesh::workloads
