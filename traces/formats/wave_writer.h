// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "tlm/simulation/journey.h"
#include "tlm/units/units.h"
#include "traces/formats/wave_signal.h"

namespace ringmesh {

/// The two signals of an activity.
struct ActivitySignals {
    std::uint32_t word = 0;  ///< "idle" between periods
    std::uint32_t id = 0;
};

/// A Stage with names that last as long as the call.
struct StageOfPlace {
    std::string_view where;
    StageKind kind = StageKind::kWork;
    std::string_view what;
    std::uint64_t packet = 0;
    Duration from;
    Duration to;
};

/// A file of a recording: what the changes are written to. Independent of the kernel. The same calls give the same
/// bytes.
///
/// Order of calls: begin(), one value per signal, end_of_initial_values(), then changes in order of time, finish().
/// Errors of writing are UserErrors, from any of the calls.
class WaveWriter {
public:
    virtual ~WaveWriter() = default;

    /// @param signals of which the changes will be; outlive the writer
    virtual void begin(const SignalTable& signals, Duration at) = 0;
    virtual void end_of_initial_values() {}

    /// The changes that follow happen at `time`. Without any, nothing is written.
    virtual void set_time(Duration time) = 0;
    virtual void change_number(std::uint32_t signal, std::uint64_t value) = 0;
    virtual void change_real(std::uint32_t signal, double value) = 0;
    /// `word` is printable, without white space, not empty.
    virtual void change_word(std::uint32_t signal, std::string_view word) = 0;
    /// `digits` of 0, 1, x and z
    virtual void change_bits(std::uint32_t signal, std::string_view digits) = 0;
    virtual void trigger(std::uint32_t signal) = 0;
    /// A resource's state changes. @param word "idle": there is no number now
    virtual void change_activity(const ActivitySignals& signals, std::string_view word, bool idle, std::uint64_t id)
    {
        change_word(signals.word, word);
        if (idle) {
            change_bits(signals.id, "z");
        } else {
            change_number(signals.id, id);
        }
    }
    virtual void comment(std::string_view) {}
    /// A block has worked on a packet. Not in order of time.
    virtual void stage(const StageOfPlace& /*stage*/) {}

    /// Writes what is left, ends the waveform at `end` if that is later than all changes, and renames the file to its
    /// target. Without a begin() the file has the signals and no values.
    /// @param stopped what stopped the run before its end, "interrupted at 12.5 us: SIGINT", which the file then says;
    /// empty: nothing did
    virtual void finish(const SignalTable& signals, std::optional<Duration> end, std::string_view stopped) = 0;

    virtual const std::filesystem::path& target() const = 0;
};

}  // namespace ringmesh
