// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/machine/processor.h"
#include "tlm/statistics/totals.h"
#include "workloads/ranks/labelled.h"
#include "workloads/ranks/message.h"

/// Programs and the message passing libraries that they run over.
namespace ringmesh::workloads {

/// Number of a message buffer of one rank, from 0 in the order of creation.
using BufferId = std::uint32_t;

inline constexpr unsigned kAnyRank = ~0U;

/// The tag of a message. A library without tags receives messages in the order of their source.
enum class Tag : std::int32_t { kAny = -1, kNone = 0 };

/// Bytes of a buffer: to send, or room to receive.
struct Part {
    static constexpr std::uint32_t kWhole = ~0U;
    BufferId buffer = 0;
    std::uint32_t offset = 0;
    std::uint32_t size = kWhole;

    /// Of a buffer of so many bytes.
    std::uint32_t size_in(std::uint32_t all) const { return size == kWhole ? all - offset : size; }
};

/// Number of a group (the first ranks, for barriers), from 0 in the order of creation.
using Group = std::uint32_t;

struct Received {
    unsigned from = 0;
    std::uint32_t size = 0;  ///< bytes; of a message that carries no length, those of the room that may be its own
    bool tells_size = true;  ///< the message carries its length
};

/// Takes the messages that arrive while a send waits.
class ReceiveHandler {
public:
    virtual ~ReceiveHandler() = default;
    /// The buffer for the next one.
    virtual BufferId buffer() = 0;
    virtual void arrived(const Received& received) = 0;
};

/// A library's counters for one rank.
struct MessagingStatistics {
    struct Protocol {
        std::string_view name;
        std::uint64_t messages = 0;  ///< that this rank sent by it
        std::uint64_t bytes = 0;     ///< payload of these messages
    };
    std::vector<Protocol> sent;
    std::uint64_t barriers = 0;          ///< store barriers
    std::uint64_t acknowledgements = 0;  ///< read positions that this rank wrote back to senders
    std::uint64_t waits = 0;             ///< sends that waited for room
    std::uint64_t overtaken = 0;         ///< messages whose last word arrived before other bytes
    std::uint64_t repeated = 0;          ///< transfers that were sent again after a fault
};

/// Adds those of another rank that uses the same library.
MessagingStatistics& operator+=(MessagingStatistics& sum, const MessagingStatistics& more);
/// The same of a rank that another process runs.
void add_up(Totals& totals, MessagingStatistics& sum);
/// One line: messages by protocol, then the rest, without zeros.
std::string describe(const MessagingStatistics& statistics);

/// Messages that return before they have gone. A program numbers them, sends and receives apart.
class Requests {
public:
    virtual ~Requests() = default;
    /// @pre the request of this number is not under way
    virtual Task<> isend(unsigned to, Part bytes, std::uint32_t request) = 0;
    virtual Task<> irecv(unsigned from, Part room, std::uint32_t request) = 0;
    /// Until one receive is finished.
    virtual Task<> wait_received(std::uint32_t request) = 0;
    /// Until all that were begun since the last such call are finished.
    virtual Task<> wait_all() = 0;
};

/// Memory of each rank, its window, that all others read and write without it, and flags beside the window. A flag is a
/// byte at each rank, 0 at the start.
class OneSided {
public:
    using Flag = std::uint32_t;

    virtual ~OneSided() = default;
    /// All ranks make the same calls, before any message.
    virtual Flag create_flag() = 0;
    /// Bytes of a window. @pre all flags have been created
    virtual std::uint32_t window() const = 0;
    /// The software that a message made of these costs either side beside them: as much as a call of the library's
    /// own send or receive.
    virtual Task<> begin_message() { co_return; }
    /// From the own memory into a rank's window, and back.
    virtual Task<> put(Part from, unsigned rank, std::uint32_t offset) = 0;
    virtual Task<> get(Part to, unsigned rank, std::uint32_t offset) = 0;
    /// From a rank's window to the same place of the own one.
    virtual Task<> fetch(unsigned rank, std::uint32_t offset, std::uint32_t size) = 0;
    virtual Task<> set_flag(Flag flag, std::uint8_t value, unsigned at) = 0;
    /// Until the own flag has the value.
    virtual Task<> wait_flag(Flag flag, std::uint8_t value) = 0;
};

/// One rank's end of a message passing library. Set-up has two phases, because a segment can be imported only after its
/// owner has exported it; it takes no simulated time:
///
///     all ranks: create_buffer ... --> export_memory      all ranks: import_memory --> begin, send, receive, ..., end
///
/// Each processor runs one program, so a rank has one operation at a time. Message bytes are in simulated memory: the
/// program pokes them before a send and peeks at them after a receive.
class Rank {
public:
    virtual ~Rank() = default;

    virtual Processor& processor() const = 0;

    /// A buffer of `size` bytes; the library decides in which memory. @pre before export_memory
    /// @param largest_part if not 0, messages of at most so many bytes may be a part of it, at any place
    virtual BufferId create_buffer(std::uint32_t size, std::uint32_t largest_part) = 0;
    BufferId create_buffer(std::uint32_t size) { return create_buffer(size, 0); }
    /// @throws UserError if the rank's memory is too small for the library
    virtual void export_memory() {}
    /// @pre every rank has exported @throws UserError if the card has no translation entries left
    virtual void import_memory() {}
    /// Local address of the buffer's bytes. @pre after export_memory
    virtual std::uint64_t address(BufferId buffer) const = 0;

    /// A program's first and last call of the library.
    virtual Task<> begin() { co_return; }
    virtual Task<> end() { co_return; }

    /// Returns when the bytes may be changed. @throws UserError if the library cannot carry so many bytes
    virtual Task<> send(unsigned to, Part bytes, Tag tag) = 0;
    Task<> send(unsigned to, Part bytes) { return send(to, bytes, Tag::kNone); }
    /// The same for bytes that stay as they are until the receiver has them: may return before they have left.
    virtual Task<> send_constant(unsigned to, Part bytes, Tag tag) { return send(to, bytes, tag); }
    /// Waits for the next message of a rank, or of any. @throws UserError if it is larger than the room
    virtual Task<Received> receive(unsigned from, Part room, Tag tag) = 0;
    Task<Received> receive(unsigned from, Part room) { return receive(from, room, Tag::kAny); }

    /// Whether a message waits to be received; false, too, if the library does not say. Takes no time.
    virtual bool has_mail() const { return false; }
    /// From now on a send that waits receives what arrives meanwhile, in place of a second thread. Without it, ranks
    /// that send to each other may wait for each other for ever, unless sends are buffered.
    /// @param handler outlives the run @return false: the library cannot, and programs order their sends
    virtual bool receive_while_sending(ReceiveHandler& /*handler*/) { return false; }

    /// The first `members` ranks as a group; all ranks create the same ones in the same order. The default barrier is a
    /// dissemination barrier over messages of one byte; a library with its own overrides both functions.
    /// @pre before export_memory, 1 <= members
    virtual Group create_group(unsigned members);
    /// Returns when all members have called it. @pre this rank is one of them
    virtual Task<> barrier(Group group);

    /// The library's own broadcast among all members. @pre it offers one
    virtual Task<> broadcast(Part bytes, unsigned root, Group group);

    /// Null if the library has none.
    virtual Requests* requests() { return nullptr; }
    virtual OneSided* one_sided() { return nullptr; }

    /// Null if the library has none, or none over this machine. No other call carries messages then.
    virtual LabelledMessages* labelled() { return nullptr; }
    /// A call of a program that makes its messages of labelled ones, and its return: for observers, takes no time.
    virtual void program_calls(std::string_view /*word*/, unsigned /*peer*/, std::int32_t /*tag*/,
                               std::uint32_t /*bytes*/)
    {}
    virtual void program_returns() {}

    /// The program reads a word of each cache line of these bytes or, storing, writes one, so that caches hold them.
    /// Takes no time where the model has no caches.
    virtual Task<> touch(Part /*bytes*/, bool /*stores*/) { co_return; }

    /// Announces the next message from a rank, before that can send it. Needed only for segments without a protocol,
    /// where the last word of a message shows its arrival. Takes no time.
    virtual void expect(unsigned /*from*/, const Message& /*message*/) {}

    /// The library's own end, behind what observes its calls.
    virtual Rank& of_library() { return *this; }

    virtual MessagingStatistics statistics() const { return {}; }
    /// After a run in which this rank's program did not end: "; there, byte 3 of ...".
    virtual std::string problem() const { return {}; }

private:
    std::vector<unsigned> groups_;  // members of each
    BufferId token_ = 0;            // buffer of a barrier's messages
};

/// Connects all ranks after their buffers have been created.
void connect(const std::vector<std::unique_ptr<Rank>>& ranks);

}  // namespace ringmesh::workloads
