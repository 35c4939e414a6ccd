// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tlm/units/units.h"

namespace ringmesh {

/// The part of a run that is recorded, both ends included.
struct Window {
    Duration from = Duration::zero();
    Duration to = Duration::never();

    bool operator==(const Window&) const = default;
};

/// A window as it is asked for. All but the first are known only after the run.
struct WindowRequest {
    enum class Kind : std::uint8_t {
        kTimes,    ///< "2us..4us", "..4us", "2us.."
        kPacket,   ///< "packet:7": from its first stage to its last
        kCall,     ///< "call:3": the third call of a library that begins in the run
        kFirst,    ///< "first:busy-echo": the packet of the first period with this word; of a word without a packet,
                   ///< a microsecond before and after
        kSlowest,  ///< "slowest": the packet that took longest
        kLast,     ///< "last:5us": the end of the run, also of one that stops with an error or is interrupted
    };
    Kind kind = Kind::kTimes;
    Window times{};
    std::uint64_t number = 0;  ///< of the packet or call
    std::string word{};        ///< with blanks for '-' and '_'
    Duration span{};           ///< of kLast
    std::string text{};        ///< as it was asked for

    bool known_before_the_run() const { return kind == Kind::kTimes; }
    bool needs_packets() const { return kind != Kind::kTimes && kind != Kind::kLast; }
    bool operator==(const WindowRequest&) const = default;
};

/// Reads the value of --window. @throws UserError with the cure
WindowRequest parse_window(std::string_view text);

}  // namespace ringmesh
