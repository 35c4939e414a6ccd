// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/units/units.h"
#include "traces/changes/busy_periods.h"
#include "traces/changes/change_log.h"
#include "traces/formats/wave_writer.h"
#include "traces/windows/window.h"

namespace ringmesh {

/// What a recording is about.
struct Recorded {
    SignalTable signals;
    std::vector<ActivitySignals> activities;  ///< of each slot
};

/// Reads the blocks of a recording in their order and writes what lies in a window, beginning with the state at its
/// start. A window that is not known yet may be set between two blocks, if it begins after them.
class Player {
public:
    /// @param about may grow until the first block; it and the writers outlive the player
    Player(const Recorded& about, std::vector<WaveWriter*> writers, Window window);

    /// @throws ModelError for a period that overlaps another of its slot; UserError
    void play(RecordBlock block);
    void set_window(Window window) { window_ = window; }
    /// Remembers where this packet goes. @pre nothing has been played
    void follow(std::uint64_t packet) { followed_ = packet; }
    std::uint64_t followed() const { return followed_; }
    /// The activities of the packet that is followed, by their slots, in the order of their first period.
    std::vector<std::uint32_t> path() const;

    /// @param end of the run @param stopped as of WaveWriter
    void finish(Duration end, std::string_view stopped = {});

    /// The recorded window, known after finish(); empty if the run did not reach it.
    std::optional<Window> recorded() const;
    /// Whether it has changed since its initial value.
    bool changed(std::uint32_t signal) const { return signal < changed_.size() && changed_[signal]; }

    // For read_records
    void step(Duration time);
    void number(std::uint32_t signal, std::uint64_t value);
    void real(std::uint32_t signal, double value);
    void word(std::uint32_t signal, std::uint32_t word);
    void trigger(std::uint32_t signal);
    void text(std::uint32_t signal, std::string_view text);
    void busy(std::uint32_t slot, Duration from, Duration to, std::uint32_t word, std::uint64_t id);
    void new_word(std::string_view text);
    void comment(std::string_view text);
    void stage(std::uint32_t place, std::uint32_t kind, std::uint32_t word, std::uint64_t packet, Duration from,
               Duration to);

private:
    /// The last value of a polled signal, until the window begins.
    struct Value {
        enum class Sort : std::uint8_t { kNone, kNumber, kReal, kWord, kText } sort = Sort::kNone;
        std::uint64_t bits = 0;
        std::string text{};
    };

    /// Told since the last step, or before the window begins, and reaches into it.
    struct ToldStage {
        std::uint32_t place, kind, word;
        std::uint64_t packet;
        Duration from, to;
    };

    void prepare();
    void begin();
    void write_state();
    void write_activity(std::uint32_t slot);
    void take_before(Duration end);
    void write_stages();
    template <class Write>
    void change(std::uint32_t signal, Write write);

    const Recorded& about_;
    std::vector<WaveWriter*> writers_;
    Window window_;
    BusyPeriods periods_;
    std::vector<std::string> words_;
    std::vector<Value> state_;
    std::vector<ToldStage> stages_;
    std::size_t told_in_window_ = 0;  ///< of these
    std::uint64_t followed_ = 0;
    std::map<std::uint32_t, Duration> followed_slots_;
    std::vector<char> changed_;
    Duration time_;
    Duration last_;  ///< change written, or the end
    bool begun_ = false;
    bool over_ = false;
};

}  // namespace ringmesh
