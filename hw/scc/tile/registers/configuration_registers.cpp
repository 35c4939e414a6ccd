// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/tile/registers/configuration_registers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "tlm/error.h"
#include "tlm/pools/payload_pool.h"

namespace ringmesh::hw {

namespace {

constexpr std::size_t kWidth = 4;

/// RCCE's formula: the tile's divider and clock ratio with the router's ratio of 2, above eight bits of resets.
constexpr std::uint32_t clock_word(std::int64_t divider)
{
    return static_cast<std::uint32_t>(0x3800 * divider + 0xE0 + divider - 1) << 8;
}

}  // namespace

void ConfigurationRegisters::check(std::uint64_t offset, std::size_t size, bool write)
{
    const std::uint64_t at = offset - offset % kWidth;
    const bool lock = std::find(kTestAndSet.begin(), kTestAndSet.end(), at) != kTestAndSet.end();
    if (!lock && at != kClock && at != kTileId) {
        throw UserError(
            fmt::format("there is no register at {:#x}; there are {:#x} (clock), {:#x} (tile id), {:#x} and {:#x} "
                        "(test-and-set bits)",
                        offset, kClock, kTileId, kTestAndSet[0], kTestAndSet[1]));
    }
    if (offset % kWidth + size > kWidth) {
        throw UserError(
            fmt::format("{} bytes at {:#x} exceed the register; a register has {} bytes", size, offset, kWidth));
    }
    if (write && !lock) {
        throw UserError(
            fmt::format("the register at {:#x} is read-only: its setting is a parameter of the model", offset));
    }
}

std::uint32_t ConfigurationRegisters::peek(std::uint64_t offset) const
{
    check(offset, 1, false);
    const std::uint64_t at = offset - offset % kWidth;
    if (at == kClock) return clock_word(divider_);
    if (at == kTileId) return static_cast<std::uint32_t>(here_.x << 3 | here_.y << 7);
    return taken_[at == kTestAndSet[0] ? 0 : 1] ? 0 : 1;
}

void ConfigurationRegisters::poke(std::uint64_t offset)
{
    check(offset, 1, true);
    taken_[offset - offset % kWidth == kTestAndSet[0] ? 0 : 1] = false;
    ++releases_;
}

void ConfigurationRegisters::serve(::tlm::tlm_generic_payload& payload, std::uint64_t offset, unsigned core)
{
    if (payload.is_write()) {
        poke(offset);
        return;
    }
    const std::uint64_t at = offset - offset % kWidth;
    std::uint32_t value = peek(at);
    if (at == kTileId) {
        value |= core;
    } else if (at != kClock) {
        ++(value == 1 ? taken_count_ : found_taken_);
        taken_[at == kTestAndSet[0] ? 0 : 1] = true;
    }
    std::memcpy(payload.get_data_ptr(), reinterpret_cast<const unsigned char*>(&value) + offset % kWidth,
                payload.get_data_length());
}

void ConfigurationRegisters::statistics(StatisticsVisitor& visitor) const
{
    visitor.counter("locks_taken", taken_count_, "reads", "reads of a test-and-set bit that acquired it");
    visitor.counter("locks_busy", found_taken_, "reads", "reads of a test-and-set bit that was held");
    visitor.counter("locks_released", releases_, "writes", "writes to a test-and-set bit");
}

}  // namespace ringmesh::hw
