// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "tlm/scc/scc_processor.h"
#include "workloads/libraries/rcce/options.h"

namespace ringmesh::workloads::rcce {

/// Where the pieces of a message lie in the buffer of their sender, and the flags that tell of them.
struct Way {
    std::uint32_t offset = 0;
    std::uint32_t room = 0;  ///< bytes of the largest piece
    Flag sent = 0;           ///< at the receiver
    Flag ready = 0;          ///< at the sender
};

/// A partly transferred message: full payloads first, then the rest's whole lines, then its last bytes padded to a
/// line. Each such piece is one handshake.
struct Transfer {
    std::uint64_t buffer = 0;
    std::uint32_t size = 0;
    unsigned peer = 0;
    std::uint32_t done = 0;  ///< bytes
    Way way = {};

    bool finished() const { return done == size; }
    std::uint32_t next() const { return next(way.room); }
    std::uint32_t left() const { return size - done; }
    /// Bytes of the next piece; fewer than a line: it goes through a padded line.
    std::uint32_t next(std::uint32_t payload) const
    {
        const std::uint32_t lines = left() / SccProcessor::kLine * SccProcessor::kLine;
        return lines == 0 ? left() : std::min(lines, payload);
    }
};

/// Handshakes that a message takes.
constexpr std::uint32_t handshakes(std::uint32_t size, std::uint32_t payload)
{
    const std::uint32_t rest = size % payload;
    return size / payload + (rest >= SccProcessor::kLine ? 1 : 0) + (rest % SccProcessor::kLine != 0 ? 1 : 0);
}

/// A core's unfinished iRCCE requests.
class PendingRequests {
public:
    virtual bool sending() const = 0;
    virtual bool receiving_from(unsigned core) const = 0;

protected:
    ~PendingRequests() = default;
};

}  // namespace ringmesh::workloads::rcce
