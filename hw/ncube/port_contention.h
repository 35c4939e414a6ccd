// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>

#include "hw/ncube/params.h"

namespace ringmesh::hw {

/// Whose code the processor runs.
enum class PortCode : std::uint8_t { kProgram, kSystem };

/// How DMA slows a node's software: the memory port clock by clock, with the program's loop on the processor, or with
/// the operating system's code, which is a loop of many moves of words.
///
///     refresh -----+
///     inputs ------+
///     data --------+--> one access at a time --> memory of 16-bit words
///     outputs -----+
///     fetch ahead -+
///
/// Timing: every access takes `memory.access`; an active channel needs one for each word that its wire carries, a
/// refresh is due at fixed intervals. The processor fetches code into a small buffer, executes an instruction for some
/// clocks (evenly distributed about `processor.instruction`), and waits for each word that it reads or writes. The end
/// of a turn branches back and empties the buffer, unless the whole loop fits in it. The result depends on the
/// parameters alone, not on the seed. Not modelled: writes of single bytes, which would read the word first; words
/// that an overloaded port loses, as the wire has no flow control; outputs whose wire pauses because they wait.
class PortContention {
public:
    explicit PortContention(const NcubeNodeParams& params);

    /// Work done in a clock while so many channels are active, over that without; above 0 and at most 1.
    double speed(unsigned receiving, unsigned sending, PortCode code = PortCode::kProgram) const;
    /// Clocks of a turn of this code's loop without DMA.
    double turn(PortCode code = PortCode::kProgram) const;

private:
    /// Calculated when first asked for.
    struct Measured {
        double turn = 0;
        std::map<std::pair<unsigned, unsigned>, double> speeds;
    };

    Measured& measured(PortCode code) const;
    double rate(const Measured& measured, unsigned receiving, unsigned sending) const;

    const NcubeNodeParams params_, system_;
    mutable std::array<Measured, 2> measured_;
};

}  // namespace ringmesh::hw
