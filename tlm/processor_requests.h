// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "tlm/units.h"

/// Requests of a program to its processor. All are trivially copyable: g++ 12 would destroy others twice.
namespace ringmesh {

/// How software writes to memory behind an I/O bus, which determines the bus transactions.
enum class StoreKind : std::uint8_t {
    kSingle,  ///< assignments of up to 8 bytes: one transaction per dword
    kMemcpy,  ///< the C library's copy loop: the bridge gathers by its parameters
    kMmx,     ///< consecutive 8-byte MMX stores: the bridge gathers whole bursts
};

struct StoreRequest {
    StoreKind kind = StoreKind::kSingle;
    std::uint64_t address = 0;
    const std::byte* data = nullptr;  ///< must live until the store returns
    std::uint32_t size = 0;
    std::uint32_t width = 4;  ///< bytes of each store instruction if the kind does not set it: 1, 2, 4 or 8
};

struct LoadRequest {
    std::uint64_t address = 0;
    std::byte* data = nullptr;  ///< must live until the load returns
    std::uint32_t size = 0;
    std::uint32_t width = 4;  ///< bytes of each load instruction that reads remote memory: 1, 2, 4 or 8
};

/// Number of load instructions for so many bytes from a multiple of the width on; the rest takes narrower ones.
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

/// Wait until one of several locations matches.
struct PollAnyRequest {
    const PollRequest* places = nullptr;  ///< must live until the poll returns
    std::uint32_t count = 0;              ///< at least 1
};

}  // namespace ringmesh
