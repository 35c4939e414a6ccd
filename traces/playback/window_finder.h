// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tlm/units/units.h"
#include "traces/changes/change_log.h"
#include "traces/windows/window.h"

namespace ringmesh {

/// Looks in the records of a run for the window that was asked for. Reads them once, or, for the first packet with a
/// word, twice. Takes memory for each packet or call only if all
/// are compared (slowest, call).
class WindowFinder {
public:
    explicit WindowFinder(WindowRequest request) : request_(std::move(request)) {}

    void read(RecordBlock block);
    /// Whether the records have to be read once more.
    bool again();
    /// The window with a twentieth of its length on both sides; empty if there is none.
    std::optional<Window> found() const;
    /// When what it was asked for happens: the first period with the word; empty for other windows.
    std::optional<Duration> happened() const { return first_; }
    /// The packet that it follows; 0 if there is none.
    std::uint64_t packet() const;
    /// Of a window that is not there: "no packet 99; 12 packets, 1 to 12".
    std::string what_there_is() const;

    // For read_records
    void step(Duration time) { time_ = time; }
    void number(std::uint32_t, std::uint64_t) {}
    void real(std::uint32_t, double) {}
    void word(std::uint32_t signal, std::uint32_t word);
    void trigger(std::uint32_t) {}
    void text(std::uint32_t, std::string_view) {}
    void busy(std::uint32_t slot, Duration from, Duration to, std::uint32_t word, std::uint64_t id);
    void new_word(std::string_view text);
    void comment(std::string_view) {}
    void stage(std::uint32_t place, std::uint32_t kind, std::uint32_t word, std::uint64_t packet, Duration from,
               Duration to);

private:
    void seen(std::uint64_t packet, Duration from, Duration to);
    void seen_word(std::uint32_t word, Duration from, std::uint64_t packet);

    WindowRequest request_;
    std::vector<std::string> words_;
    std::vector<char> shown_;  ///< words that a signal has shown
    std::optional<std::uint32_t> wanted_;
    Duration time_;
    std::unordered_map<std::uint64_t, Window> packets_;
    std::vector<Window> calls_;
    std::optional<Duration> first_;  ///< time of the word
    std::uint64_t first_packet_ = 0;
    std::uint64_t below_ = 0, above_ = UINT64_MAX;  // packets there are, nearest to the one that is asked for
    bool second_ = false;
};

}  // namespace ringmesh
