// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "tlm/pc/pc_processor.h"

namespace ringmesh::workloads {

/// Memory that a rank gives out and that others store to and load from through their cards, without its help. Segments
/// that are given back are used again: a driver has few.
class CardMemory {
public:
    /// Bytes of a segment of the rank's own.
    struct Piece {
        SegmentId segment = 0;      ///< 0: there is none
        std::uint64_t address = 0;  ///< in the node's memory
        std::uint64_t bytes = 0;
    };

    explicit CardMemory(PcProcessor& processor) : processor_(processor) {}
    /// @return null if the processor has no card that maps memory, or software must check each transfer for faults
    static std::unique_ptr<CardMemory> of(Processor& processor);

    Processor& processor() const { return processor_; }
    /// @return segment 0 if no memory, or no segment, is left
    Piece take(std::uint64_t bytes);
    void give_back(const Piece& piece);
    /// Where this rank stores to reach another's segment; none if the card cannot, or both are on one node.
    std::optional<std::uint64_t> map(unsigned rank, SegmentId segment);

    /// Returns when the bytes have left the processor.
    Task<> store(std::uint64_t to, std::span<const std::byte> bytes);
    Task<> load(std::uint64_t from, std::span<std::byte> into);
    /// Until all that was stored is in the memory of its target.
    Task<> settle();

private:
    static constexpr SegmentId kFirst = 32;  // beyond those of libraries
    static constexpr SegmentId kMost = 32;   // up to those of connections on demand

    PcProcessor& processor_;
    std::vector<Piece> free_;
    SegmentId taken_ = 0;
    std::map<std::pair<unsigned, SegmentId>, std::optional<std::uint64_t>> mapped_;
};

}  // namespace ringmesh::workloads
