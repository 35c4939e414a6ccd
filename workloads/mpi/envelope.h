// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ringmesh::workloads::mpi {

/// The header of a block, unless it only continues a message. The bytes after it, up to Options::envelope, are reserved
/// for tag and communicator, which are not modelled.
struct Envelope {
    static constexpr std::size_t kBytes = 16;
    enum class Kind : std::uint32_t {
        kShort = 1,  ///< the message follows in this block and the next
        kEager,      ///< the message is in the eager buffer
        kRequest,    ///< the message waits until the receiver is ready
        kChunk,      ///< the next chunk has arrived
    };

    Kind kind = Kind::kShort;
    std::uint32_t size = 0;     ///< bytes of the message or of the chunk
    std::uint64_t message = 0;  ///< its number among those of its sender to its receiver, from 0

    bool operator==(const Envelope&) const = default;
};

/// @pre both spans have at least Envelope::kBytes
void write_envelope(const Envelope& envelope, std::span<std::byte> bytes);
Envelope read_envelope(std::span<const std::byte> bytes);

}  // namespace ringmesh::workloads::mpi
