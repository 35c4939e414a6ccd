// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/machine/task.h"
#include "tlm/pc/pc_processor.h"
#include "workloads/libraries/messaging/byte_ring.h"

namespace ringmesh::workloads {

/// Copies bytes of local memory by the processor: loads and stores take their time on the machine.
class LocalCopy {
public:
    explicit LocalCopy(PcProcessor& processor) : processor_(processor) {}

    Task<> run(std::uint64_t from, std::uint64_t to, std::uint32_t size)
    {
        if (size == 0) co_return;
        bytes_.resize(size);
        const LoadRequest load{.address = from, .data = bytes_.data(), .size = size, .width = 8};
        co_await processor_.load(load);
        const StoreRequest store{.kind = StoreKind::kMemcpy, .address = to, .data = bytes_.data(), .size = size};
        co_await processor_.store(store);
    }

    /// Copies a message out of a ring, from its current position, after a header.
    Task<> out_of(const ByteRing& ring, std::uint32_t header, std::uint32_t size, std::uint64_t to)
    {
        const auto pieces = ring.pieces(header + size);
        for (const ByteRing::Piece& piece : pieces) {
            // Skip the header in the first piece.
            const std::uint32_t skipped = piece.from == 0 ? header : 0;
            if (piece.size <= skipped) continue;
            co_await run(piece.address + skipped, to + piece.from + skipped - header, piece.size - skipped);
        }
    }

private:
    PcProcessor& processor_;
    std::vector<std::byte> bytes_;  // in flight
};

}  // namespace ringmesh::workloads
