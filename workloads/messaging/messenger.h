// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/sci/sci_processor.h"

/// Message passing libraries: what they have in common, and the benchmarks that drive them.
namespace ringmesh::workloads {

/// Number of a message buffer of one rank, from 0 in the order of creation.
using BufferId = std::uint32_t;

inline constexpr unsigned kAnyRank = ~0U;

struct Received {
    unsigned from = 0;
    std::uint32_t size = 0;  ///< bytes; a protocol that carries no length takes it from the buffer
};

/// What a library did for one rank.
struct MessagingStatistics {
    struct Protocol {
        std::string_view name;
        std::uint64_t messages = 0;  ///< that this rank sent by it
        std::uint64_t bytes = 0;     ///< of these messages, as the user counts
    };
    std::vector<Protocol> sent;
    std::uint64_t barriers = 0;          ///< store barriers
    std::uint64_t acknowledgements = 0;  ///< read positions that this rank wrote back to senders
    std::uint64_t waits = 0;             ///< sends that found no room and waited
};

/// Adds those of another rank that uses the same library.
MessagingStatistics& operator+=(MessagingStatistics& sum, const MessagingStatistics& more);
/// One line: messages by protocol, then the rest; what did not happen is left out.
std::string describe(const MessagingStatistics& statistics);

/// One rank's end of a message passing library. It is set up in two phases, because a segment can be imported only when
/// its owner has exported it; none of this takes simulated time:
///
///     all ranks: create_buffer ... --> export_memory      all ranks: import_memory --> send, receive
///
/// Each processor runs one program, so a rank has one operation at a time. Message bytes lie in simulated memory: the
/// program pokes them before it sends and peeks at them when it has received.
class Messenger {
public:
    virtual ~Messenger() = default;

    /// A buffer for messages of up to `size` bytes; the library decides in which memory. @pre before export_memory
    virtual BufferId create_buffer(std::uint32_t size) = 0;
    /// @throws UserError if the rank's memory is too small for all that the library needs
    virtual void export_memory() = 0;
    /// @pre every rank has exported @throws UserError if the card has no translation entries left
    virtual void import_memory() = 0;
    /// Where the buffer's bytes are now, a local address. @pre after export_memory
    virtual std::uint64_t address(BufferId buffer) const = 0;

    /// Sends the first `size` bytes of the buffer; when it returns, the buffer may be changed.
    /// @throws UserError if no protocol that may be used carries so many bytes
    virtual Task<> send(unsigned to, BufferId buffer, std::uint32_t size) = 0;
    /// Waits for the next message of a rank, or of any. @throws UserError if it is larger than the buffer
    virtual Task<Received> receive(unsigned from, BufferId buffer) = 0;

    virtual const MessagingStatistics& statistics() const = 0;
};

}  // namespace ringmesh::workloads
