// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <filesystem>
#include <functional>
#include <vector>

#include "tlm/units/units.h"
#include "traces/changes/change_log.h"
#include "traces/playback/player.h"

namespace ringmesh {

/// Keeps the blocks of a recording until its window is known: in a file without a name beside the waveform.
class Spool {
public:
    /// @throws UserError if there is no room for such a file
    explicit Spool(std::filesystem::path beside);
    Spool(const Spool&) = delete;
    Spool& operator=(const Spool&) = delete;
    ~Spool();

    void append(RecordBlock block);
    /// All blocks in their order, as often as wanted.
    void read(const std::function<void(RecordBlock)>& reader) const;

private:
    [[noreturn]] void fail(int error) const;

    std::filesystem::path beside_;
    int descriptor_ = -1;
    std::vector<std::size_t> sizes_;  ///< words of each block
};

/// Keeps the blocks of the last stretch of a recording in memory, and the state before them in a player.
class FlightRecorder {
public:
    FlightRecorder(Player& player, Duration span) : player_(player), span_(span) {}

    void append(RecordBlock block);
    /// Plays what is left, from `span` before the end.
    void finish(Duration end);

private:
    struct Kept {
        std::vector<std::uint64_t> words;
        Duration last_step;
    };

    Player& player_;
    Duration span_;
    std::deque<Kept> kept_;
};

}  // namespace ringmesh
