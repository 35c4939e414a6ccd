// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>

namespace ringmesh::lab {

/// Shows progress on standard error: only on a terminal, and only after two seconds. The destructor erases it.
class ProgressBar {
public:
    explicit ProgressBar(std::string what);
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    /// `part` from 0 to 1. Cheap enough to be called very often.
    void show(double part);
    /// @param details shown where there is room for them
    void describe(std::string what, std::string details = {})
    {
        what_ = std::move(what);
        details_ = std::move(details);
    }

private:
    using Clock = std::chrono::steady_clock;

    std::string what_;
    std::string details_;
    bool lines_;
    bool wanted_;
    bool shown_ = false;
    Clock::time_point started_ = Clock::now();
    Clock::time_point next_ = started_ + std::chrono::seconds(2);
};

/// "54 %": below 100 until all is done.
std::string progress_text(double part);
/// "12 s", "40 min", "14 h", "3 days"
std::string duration_text(double seconds);

/// The line that the bar shows: "ping-pong [=====> ] 54 %, 12 s, about 10 s left; DETAILS". The remaining time is
/// estimated from the elapsed time, once a twentieth of the work is done. It is shorter than `width`: the bar has at
/// most 40 characters, the details go where there is no room for them, then the bar when there is no room for 8, then
/// the words are cut off.
std::string progress_line(const std::string& what, double part, std::chrono::seconds passed,
                          std::size_t width = std::string::npos, const std::string& details = {});

}  // namespace ringmesh::lab
