// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "tlm/simulation/fault.h"

namespace ringmesh::hw {

/// What can happen to a core, "core5".
inline constexpr std::array<FaultWord, 1> kCoreFaults{{
    {"halt", "the core stops: it sends nothing more, and what was on its way is done", FaultSpan::kForEver},
}};

/// To a memory controller, "mc0".
enum class MemoryFault : std::uint8_t { kSlow, kStop };
inline constexpr std::array<FaultWord, 2> kMemoryFaults{{
    {"slow", "each request takes the controller for recovery.slow_memory more", FaultSpan::kTime},
    {"stop", "no request is answered any more", FaultSpan::kForEver},
}};

/// To the message-passing buffer of a tile, "tile3.mpb".
enum class BufferFault : std::uint8_t { kLoseWrite, kLoseFlag };
inline constexpr std::array<FaultWord, 2> kBufferFaults{{
    {"lose-write", "a write is acknowledged and changes no byte", FaultSpan::kAny, true},
    {"lose-flag", "the same of writes of less than a line, as RCCE sets its flags", FaultSpan::kAny, true},
}};

/// To the test-and-set bits of a tile, "tile3.registers".
enum class RegisterFault : std::uint8_t { kTaken, kLoseRelease };
inline constexpr std::array<FaultWord, 2> kRegisterFaults{{
    {"taken", "the test-and-set bits read as held: nobody gets them", FaultSpan::kTime},
    {"lose-release", "a write that releases one changes nothing"},
}};

}  // namespace ringmesh::hw
