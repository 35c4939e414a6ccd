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
    void describe(std::string what) { what_ = std::move(what); }

private:
    using Clock = std::chrono::steady_clock;

    std::string what_;
    bool wanted_;
    bool shown_ = false;
    Clock::time_point started_ = Clock::now();
    Clock::time_point next_ = started_ + std::chrono::seconds(2);
};

/// The line that the bar shows: "ping-pong [=====> ] 54 %, 12 s, about 10 s left". The remaining time is estimated from
/// the elapsed time, once a twentieth of the work is done. It is shorter than `width`: the bar has at most 40
/// characters and goes when there is no room for 8, then the words are cut off.
std::string progress_line(const std::string& what, double part, std::chrono::seconds passed,
                          std::size_t width = std::string::npos);

}  // namespace ringmesh::lab
