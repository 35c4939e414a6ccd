// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tlm>

#include "tlm/machine/traffic.h"
#include "tlm/pools/pool.h"

/// Packets of a two-dimensional mesh of routers, as the SCC has one [JSSC].
namespace ringmesh::mesh {

/// Ports of a router. A router at the mesh's edge has its outer ports free: for a memory controller, the system
/// interface, or a stub.
enum class Port : std::uint8_t { kLocal, kNorth, kEast, kSouth, kWest };
inline constexpr std::size_t kPorts = 5;
constexpr std::size_t index(Port port) { return static_cast<std::size_t>(port); }

constexpr std::string_view word(Port port)
{
    constexpr std::string_view kWords[kPorts] = {"local", "north", "east", "south", "west"};
    return kWords[index(port)];
}

/// The port of a router to which a sender or receiver of packets is attached. x counts from the west, y from the south.
struct Terminal {
    std::uint16_t x = 0;
    std::uint16_t y = 0;
    Port port = Port::kLocal;

    auto operator<=>(const Terminal&) const = default;
};

/// The number of a terminal among those of its mesh: the local ports by router, then the outer ports that are used.
struct TerminalIndex {
    std::uint32_t number = 0;

    constexpr TerminalIndex() = default;
    constexpr explicit TerminalIndex(std::size_t terminal) : number(static_cast<std::uint32_t>(terminal)) {}
    auto operator<=>(const TerminalIndex&) const = default;
};

/// The local port of a mesh's router, numbered x + columns * y.
constexpr Terminal local_port(unsigned number, unsigned columns)
{
    return {.x = static_cast<std::uint16_t>(number % columns), .y = static_cast<std::uint16_t>(number / columns)};
}

/// Separate classes prevent deadlock: a response must never wait for a request.
enum class Class : std::uint8_t { kRequest, kResponse };
inline constexpr std::size_t kClasses = 2;
constexpr std::size_t index(Class kind) { return static_cast<std::size_t>(kind); }
constexpr std::string_view word(Class kind) { return kind == Class::kRequest ? "request" : "response"; }

inline constexpr std::uint32_t kMostFlits = 64;
inline constexpr std::size_t kFlitBytes = 16;  ///< data of a flit [JSSC]

/// One packet. It travels by reference; its target releases it to the pool.
struct Packet {
    std::uint64_t id = 0;  ///< number of the transaction, for waveforms and logs; a response has that of its request
    Terminal from;
    Terminal to;
    Class kind = Class::kRequest;
    std::uint32_t flits = 1;              ///< 1 to kMostFlits, the header's included
    mutable std::uint32_t head_edge = 0;  ///< of the mesh: when its head came to its router, lower half
    std::int64_t born_ps = 0;             ///< when its terminal made it
    std::int64_t injected_ps = 0;         ///< when its head entered the first router; set by the mesh
    std::uint32_t source = 0;             ///< free for the terminal: its requester, or source_and_stream()
    /// What it carries, if it is a memory transaction: goes with the request, comes back with the response.
    ::tlm::tlm_generic_payload* payload = nullptr;
};

static_assert(sizeof(Packet) == 64);  // a cache line: a larger one slows meshes down by a tenth

struct PacketPool : Pool<Packet> {
    static constexpr std::string_view kKind = "mesh packets";
    std::size_t counted_elsewhere = 0;  ///< their heads are in another process of a divided run
    /// "request from (0,0) to (3,2)"
    static std::string describe(const Packet& packet)
    {
        return fmt::format("{} from ({},{}) to ({},{})", word(packet.kind), packet.from.x, packet.from.y, packet.to.x,
                           packet.to.y);
    }
};

/// Packet::source of what packet sources send: the source's number, and which of its streams.
constexpr std::uint32_t source_and_stream(std::uint32_t source, std::uint8_t stream) { return source << 8U | stream; }
constexpr std::uint32_t source_of(const Packet& packet) { return packet.source >> 8U; }
constexpr std::uint8_t stream_of(const Packet& packet) { return static_cast<std::uint8_t>(packet.source); }

/// Injection::kind and size on a mesh.
inline Injection injection(Duration at, std::uint32_t to, std::uint32_t flits, Class kind)
{
    return {.at = at, .to = to, .size = flits, .kind = static_cast<std::uint8_t>(kind)};
}
inline Class class_of(const Injection& injection) { return static_cast<Class>(injection.kind); }

}  // namespace ringmesh::mesh
