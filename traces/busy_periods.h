// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/units.h"
#include "traces/vcd_writer.h"

namespace ringmesh {

/// Sorts busy periods that are reported ahead of time. Each slot has two signals: a word, "idle" between periods, and a
/// number. Back-to-back periods show no idle between them.
class BusyPeriods {
public:
    /// Declares NAME and NAME_id. @return the slot
    std::uint32_t add(VcdWriter& writer, const std::string& name);

    /// Nothing before `start` is shown; a period that spans it is shown from `start` on.
    void begin_at(Duration start) { written_until_ = start; }

    /// @throws ModelError if the period overlaps one of the same slot or begins before what has been written
    void report(const VcdWriter& writer, std::uint32_t slot, Duration from, Duration to, std::string_view what,
                std::uint64_t id);

    /// The state at the start.
    void write_all(VcdWriter& writer);
    /// The changes before `end`, each with its own time stamp.
    void write_before(VcdWriter& writer, Duration end);

private:
    struct State {
        std::uint32_t word = 0;  ///< its place in words_; 0 is idle
        std::uint64_t id = 0;
        bool operator==(const State&) const = default;
    };
    struct Span {
        Duration from;
        Duration to;
    };
    struct Slot {
        std::uint32_t word_signal;
        std::uint32_t id_signal;
        std::vector<Span> ahead{};  ///< reported and not known to be over
        State shown{};
        State next{};
    };
    struct Change {
        Duration at;
        std::uint64_t sequence;  ///< of one time, ends take effect before beginnings
        std::uint32_t slot;
        State state;
        bool operator>(const Change& other) const
        {
            if (at != other.at) return at > other.at;
            const bool begins = state.word != 0;
            const bool other_begins = other.state.word != 0;
            return begins != other_begins ? begins : sequence > other.sequence;
        }
    };

    void take_changes_of(Duration time);
    void write(VcdWriter& writer, const Slot& slot) const;

    std::vector<Slot> slots_;
    std::map<std::string, std::uint32_t, std::less<>> numbers_of_words_{{"idle", 0}};
    std::vector<std::string> words_{"idle"};
    std::priority_queue<Change, std::vector<Change>, std::greater<>> changes_;
    std::uint64_t sequence_ = 0;
    std::vector<std::uint32_t> touched_;  ///< slots whose `next` was set at the time that is being written
    Duration written_until_;              ///< what happens before has been written, or lies before the start
    bool begun_ = false;
};

}  // namespace ringmesh
