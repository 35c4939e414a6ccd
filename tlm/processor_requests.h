// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "tlm/units.h"

/// What a program asks its processor for. All are trivially copyable: g++ 12 would destroy others twice.
namespace ringmesh {

/// How software writes to memory behind an I/O bus, and so which bus transactions result.
enum class StoreKind : std::uint8_t {
    kSingle,  ///< assignments of up to 8 bytes: one transaction per dword
    kMemcpy,  ///< the C library's copy loop: the bridge gathers what its parameters let it
    kMmx,     ///< 8-byte MMX stores in a row: the bridge gathers whole bursts
};

struct StoreRequest {
    StoreKind kind = StoreKind::kSingle;
    std::uint64_t address = 0;
    const std::byte* data = nullptr;  ///< must live until the store returns
    std::uint32_t size = 0;
};

struct LoadRequest {
    std::uint64_t address = 0;
    std::byte* data = nullptr;  ///< must live until the load returns
    std::uint32_t size = 0;
    std::uint32_t width = 4;  ///< bytes of each load instruction that reads remote memory: 1, 2, 4 or 8
};

/// How many load instructions read so many bytes that begin at a multiple of the width: the rest takes narrower ones.
constexpr std::uint32_t load_instructions(std::uint32_t size, std::uint32_t width)
{
    return size / width + static_cast<std::uint32_t>(std::popcount(size % width));
}

/// Wait until `size` bytes (1, 2, 4 or 8) at a local address equal `value` (little endian).
struct PollRequest {
    std::uint64_t address = 0;
    std::uint32_t size = 0;
    std::uint64_t value = 0;
    bool until_other = false;  ///< wait until they differ from it instead
};

/// Wait until one of several places holds what is waited for.
struct PollAnyRequest {
    const PollRequest* places = nullptr;  ///< must live until the poll returns
    std::uint32_t count = 0;              ///< at least 1
};

/// Store barrier: send what the card still gathers, wait until everything stored so far is in its target's memory.
struct BarrierRequest {};

/// Make the card send what it still gathers, without waiting for anything.
struct FlushRequest {};

/// Wait until another node has stored to this one's doorbell; each such store ends one wait.
struct InterruptRequest {};

/// Have the card's DMA engine copy local memory to a mapped segment; wait until all of it is there.
struct DmaRequest {
    std::uint64_t from = 0;  ///< local address, a multiple of 4
    std::uint64_t to = 0;    ///< what map_segment returned, or further in the same mapping; a multiple of 64
    std::uint32_t size = 0;  ///< bytes, a multiple of 64
};

/// Into or out of a communication library.
struct LibraryCall {
    Duration cost;
};

}  // namespace ringmesh
