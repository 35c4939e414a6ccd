// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tlm/parameters/parameters.h"
#include "workloads/libraries/messaging/block_ring.h"

/// ScaMPI and SCI-MPICH, as far as described in [002]: three protocols by size of message.
namespace ringmesh::workloads::mpi {

/// The paper gives the eager limit, the overlap of transmission and copying by rendez-vous, and results. The rest,
/// mostly internal to the libraries, is assumed: 64-byte blocks, rings and read positions as in DECK; a chunk has the
/// size that is fastest for messages of 64 KiB on this model, because rendez-vous begins at 32 KiB and gains only if a
/// message has several chunks.
struct Options {
    std::int64_t short_limit = 128;
    std::int64_t eager_limit = 32 * 1024;
    std::int64_t envelope = 24;
    std::int64_t slots = 64;
    std::int64_t eager_buffer = 128 * 1024;
    std::int64_t chunk = 4 * 1024;
    std::int64_t chunk_buffers = 2;
    std::int64_t acknowledge = 1;
    bool check = true;
    Cycles call{945};

    void visit(ParameterVisitor& visitor);
    /// @throws UserError if they contradict each other
    void require_valid() const;

    /// @param gathered bytes that the card gathers
    RingShape ring(std::uint32_t gathered) const
    {
        return {.slots = static_cast<std::uint32_t>(slots), .block = kBlockBytes, .gathered = gathered};
    }
    static constexpr std::uint32_t kBlockPayload = RingShape{}.payload();
    std::uint32_t envelope_bytes() const { return static_cast<std::uint32_t>(envelope); }
    /// Space of the longest eager message in the buffer.
    std::uint64_t largest_eager() const { return padded(static_cast<std::uint64_t>(envelope + eager_limit)); }
    /// Space of a chunk in the segment.
    std::uint64_t chunk_place_bytes() const { return padded(static_cast<std::uint64_t>(chunk)); }
    std::uint64_t chunk_bytes() const { return static_cast<std::uint64_t>(chunk_buffers) * chunk_place_bytes(); }
};

}  // namespace ringmesh::workloads::mpi
