// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tlm/files/atomic_file.h"
#include "traces/formats/wave_writer.h"

namespace ringmesh {

/// A timeline for Perfetto (ui.perfetto.dev): a track for each block and, below it, one for each of its signals: slices
/// for busy periods and words, counters for numbers; and tracks of slices for stages of packets, as many as the block
/// has at a time. Flows tie the slices of one packet together.
///
/// Of a long run only the first part has single slices: from then on each track has slices that stand for many, so few
/// that the file can still be looked at.
///
/// Perfetto's time unit is the nanosecond, and there is no smaller one: a picosecond is written as one of its
/// nanoseconds. The names of tracks say so.
class TimelineWriter final : public WaveWriter {
public:
    /// Slices and changes of counters that are written singly.
    static constexpr std::uint64_t kSingles = 500'000;

    /// @throws UserError
    explicit TimelineWriter(const std::filesystem::path& target, std::uint64_t singles = kSingles)
        : file_(target, kUnit), singles_left_(singles)
    {}

    void begin(const SignalTable& signals, Duration at) override;
    void set_time(Duration time) override { time_ = time; }
    void change_number(std::uint32_t signal, std::uint64_t value) override;
    void change_real(std::uint32_t signal, double value) override;
    void change_word(std::uint32_t signal, std::string_view word) override;
    void change_bits(std::uint32_t signal, std::string_view digits) override;
    void trigger(std::uint32_t signal) override;
    void change_activity(const ActivitySignals& signals, std::string_view word, bool idle, std::uint64_t id) override;
    void stage(const StageOfPlace& stage) override;
    void finish(const SignalTable& signals, std::optional<Duration> end, std::string_view stopped) override;
    const std::filesystem::path& target() const override { return file_.target(); }
    /// Until when all is single; none: to the end.
    std::optional<Duration> singles_until() const { return singles_until_; }

private:
    using Track = std::uint64_t;
    static constexpr std::string_view kUnit = " [1 ns is 1 ps]";

    /// What a slice of a track stands for, and how long such slices are.
    struct Sum {
        std::uint64_t slices = 0;
        Duration from{};
        Duration to{};  ///< also of the last slice before it
        Duration busy{};
        Duration span{};
        unsigned written = 0;  ///< of this span
    };
    /// Of a signal: its track, and the slice that is open there.
    struct Line {
        Track track = 0;
        Sum sum = {};
        SignalKind kind = SignalKind::kBit;
        unsigned width = 1;
        std::uint64_t name = 0;  ///< of the open slice; 0: none is open
        std::uint64_t packet = 0;
        Duration since{};
        std::string last;  ///< of a counter: the last change, if it is not yet written
    };
    /// Tracks for what one block does at a time.
    struct Lane {
        Track track = 0;
        Sum sum = {};
    };
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    template <class T>
    using ByText = std::unordered_map<std::string, T, Hash, std::equal_to<>>;

    Track add_track(Track parent, const std::string& name, bool counter = false);
    Track block(std::string_view name);
    std::uint64_t name_of(std::string_view text);
    /// Any name if there are no single slices any more.
    std::uint64_t name_of_single(std::string_view text) { return singles_left_ == 0 ? 1 : name_of(text); }
    void close(Line& line, Duration end);
    void slice(Track track, Sum& sum, std::uint64_t name, std::uint64_t packet, Duration from, Duration to);
    /// Whether there is one more that is written singly.
    bool is_single();
    void add(Track track, Sum& sum, Duration from, Duration to);
    void write(Track track, Sum& sum);
    /// Notes that one has been written. @return it
    Sum& next_span(Sum& sum) const;
    template <class Write>
    void change_counter(Line& line, Write write);
    void instant(Duration at, Track track, std::string_view name);

    AtomicFile file_;
    std::vector<Line> lines_;
    std::map<std::string, Track, std::less<>> blocks_;
    ByText<std::vector<Lane>> stages_, calls_;  // by block
    ByText<std::uint64_t> names_;
    Track tracks_ = 0;
    std::uint64_t singles_left_;
    std::optional<Duration> singles_until_;
    Duration time_;
    bool begun_ = false;
};

}  // namespace ringmesh
