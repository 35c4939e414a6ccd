// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tlm/machine/traffic.h"
#include "tlm/pools/pool.h"

/// SCI packets as they travel over links and B-Links [IEEE 1596, SCINET].
namespace ringmesh::sci {

/// The upper 16 bits of an SCI address.
using NodeId = std::uint16_t;

inline constexpr std::size_t kSymbolBytes = 2;
/// Requests from this offset on address a card's doorbell, far above any memory.
inline constexpr std::uint64_t kDoorbellOffset = std::uint64_t{1} << 47;
inline constexpr std::size_t kLargestBytes = 128;  ///< payload of the largest transaction, on newer cards
inline constexpr std::size_t kBlockBytes = 64;     ///< payload of the large transactions
inline constexpr std::size_t kSubBlockBytes = 16;  ///< payload of the selected-byte transactions

enum class Command : std::uint8_t {
    kWrite64,     ///< NWRITE64: 64 bytes, answered by a data-less response
    kWrite128,    ///< 128 bytes, answered by a data-less response; newer cards [MPMPICH], not in the standard
    kWrite16,     ///< WRITESB: selected bytes of one 16-byte block, answered
    kMove64,      ///< DMOVE64: 64 bytes without response
    kRead64,      ///< NREAD64: answered by 64 bytes
    kRead16,      ///< READSB: answered by 16 bytes
    kResponse0,   ///< answer without data
    kResponse16,  ///< answer with 16 bytes
    kResponse64,  ///< answer with 64 bytes
    kEcho,        ///< closes a subaction on one ring
};

inline constexpr std::size_t kCommands = 10;
constexpr std::size_t index(Command command) { return static_cast<std::size_t>(command); }

/// A send packet's request for a receive-queue entry: without or with the wish for a reservation if there is none, or
/// by a reservation; the generations A and B order retries by age [SCINET].
enum class Phase : std::uint8_t { kNoTry, kDoTry, kRetryA, kRetryB };

/// Accepted, or busy: without a reservation, or with one in generation A or B.
enum class EchoStatus : std::uint8_t { kDone, kBusyD, kBusyA, kBusyB };

/// Separate queues prevent deadlock: a response must never wait for a request.
enum class Class : std::uint8_t { kRequest, kResponse };
inline constexpr std::size_t kClasses = 2;
constexpr std::size_t index(Class kind) { return static_cast<std::size_t>(kind); }

struct Packet {
    Command command = Command::kWrite64;
    Phase phase = Phase::kNoTry;
    EchoStatus status = EchoStatus::kDone;  ///< of an echo
    Class echo_of = Class::kRequest;        ///< of an echo: the class of its send packet
    bool again = false;                     ///< a retry: refused before on this ring, or its echo did not come
    bool old = false;                       ///< set by the scrubber: seen once on this ring
    bool stop = false;                      ///< the idle symbols behind it carry no go bit
    bool bad = false;                       ///< its CRC is wrong: a symbol was corrupted on the way
    NodeId target = 0;                      ///< first symbol: the destination on this ring
    NodeId sender = 0;                      ///< the node that put it on this ring and waits for the echo
    NodeId source = 0;                      ///< the node that created it
    std::uint16_t slot = 0;                 ///< the sender's queue slot, copied into the echo
    std::uint16_t tag = 0;                  ///< the requester's transaction, copied into the response
    std::uint16_t selected = 0;             ///< one bit per byte of a selected-byte transaction
    std::uint32_t made = 0;                 ///< its source's count of requests: the order in which it made them
    std::uint64_t offset = 0;               ///< lower 48 bits of the SCI address; of a busy echo, if journeys are
                                            ///< recorded: the packet at the head of the full queue, or 0
    std::uint64_t id = 0;                   ///< number of the transaction, docs/reference/machines/timing_model.md
    std::int64_t born_ps = 0;               ///< when the requester made it
    std::int64_t written_ps = 0;            ///< of a response: when the responder had written the request's bytes
    std::array<std::byte, kLargestBytes> data{};

    /// All but the data, which a command's sender writes.
    void renew();
};

inline constexpr Packet kNewPacket{};

inline void Packet::renew() { __builtin_memcpy(static_cast<void*>(this), &kNewPacket, offsetof(Packet, data)); }

constexpr bool is_echo(Command command) { return command == Command::kEcho; }
constexpr bool is_response(Command command)
{
    return command == Command::kResponse0 || command == Command::kResponse16 || command == Command::kResponse64;
}
constexpr Class class_of(Command command) { return is_response(command) ? Class::kResponse : Class::kRequest; }
constexpr bool wants_response(Command command)
{
    return command != Command::kMove64 && !is_response(command) && !is_echo(command);
}

constexpr bool is_write(Command command)
{
    return command == Command::kWrite64 || command == Command::kWrite128 || command == Command::kWrite16 ||
           command == Command::kMove64;
}

/// The write of a whole block. @pre bytes is 64 or 128
constexpr Command write_of(std::size_t bytes)
{
    return bytes == kLargestBytes ? Command::kWrite128 : Command::kWrite64;
}

constexpr std::size_t data_bytes(Command command)
{
    switch (command) {
        case Command::kWrite128: return kLargestBytes;
        case Command::kWrite64:
        case Command::kMove64:
        case Command::kResponse64: return kBlockBytes;
        case Command::kWrite16:
        case Command::kResponse16: return kSubBlockBytes;
        case Command::kRead64:
        case Command::kRead16:
        case Command::kResponse0:
        case Command::kEcho: return 0;
    }
    return 0;
}

inline constexpr std::int64_t kHeaderSymbols = 8;  ///< 16 bytes, with the CRC symbol
inline constexpr std::int64_t kEchoSymbols = 4;

/// Symbols of a packet on the link: echo 4; header 8 and two bytes of data each: 8, 16, 40 or 72 [WIKI, 000 ch.4].
constexpr std::int64_t symbols(Command command)
{
    if (is_echo(command)) return kEchoSymbols;
    return kHeaderSymbols + static_cast<std::int64_t>(data_bytes(command) / kSymbolBytes);
}

/// The same in bytes.
constexpr std::uint32_t link_bytes(Command command)
{
    return static_cast<std::uint32_t>(symbols(command)) * kSymbolBytes;
}

/// One word for waveforms and logs.
constexpr std::string_view word(Command command)
{
    if (is_echo(command)) return "echo";
    return is_response(command) ? "response" : "request";
}

/// The same, distinguishing busy echoes and retries.
constexpr std::string_view word(const Packet& packet)
{
    if (is_echo(packet.command)) return packet.status == EchoStatus::kDone ? "echo" : "busy echo";
    if (!packet.again) return word(packet.command);
    return is_response(packet.command) ? "response again" : "request again";
}

/// Those of its first bytes that a packet of this command uses.
constexpr std::size_t used_bytes(Command command) { return offsetof(Packet, data) + data_bytes(command); }

struct PacketPool : Pool<Packet> {
    static constexpr std::string_view kKind = "SCI packets";
    /// "request again of node 0 to node 3"
    static std::string describe(const Packet& packet);
};

inline std::string PacketPool::describe(const Packet& packet)
{
    return fmt::format("{} of node {} to node {}", word(packet), packet.source, packet.target);
}

/// A copy of a packet; data is copied only if the command carries any.
inline Packet& clone(PacketPool& pool, const Packet& original)
{
    Packet& copy = pool.acquire_unset();
    __builtin_memcpy(static_cast<void*>(&copy), &original, used_bytes(original.command));
    return copy;
}

/// Packets of sources have tags of their own, which say which stream they belong to; a host's tags are lower.
inline constexpr std::uint16_t kFirstTagOfSources = 0xff00;
constexpr std::uint16_t tag_of_source(std::uint8_t stream)
{
    return static_cast<std::uint16_t>(kFirstTagOfSources + stream);
}
constexpr bool is_of_source(const Packet& packet) { return packet.tag >= kFirstTagOfSources; }
/// @pre is_of_source(packet)
constexpr std::uint8_t stream_of(const Packet& packet)
{
    return static_cast<std::uint8_t>(packet.tag - kFirstTagOfSources);
}

/// Injection::kind on an SCI network; its size is unused.
inline Injection injection(Duration at, NodeId to, Command command)
{
    return {.at = at, .to = to, .size = 0, .kind = static_cast<std::uint8_t>(command)};
}
inline Command command_of(const Injection& injection) { return static_cast<Command>(injection.kind); }

}  // namespace ringmesh::sci
