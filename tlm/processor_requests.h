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
    std::uint32_t width = 4;  ///< bytes of each store instruction where the kind leaves it open: 1, 2, 4 or 8
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

}  // namespace ringmesh
