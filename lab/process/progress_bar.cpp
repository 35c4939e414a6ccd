// SPDX-License-Identifier: Apache-2.0
#include "lab/process/progress_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "lab/process/standard_streams.h"

namespace ringmesh::lab {
namespace {

std::string left_text(double part, std::chrono::seconds passed)
{
    constexpr double kEnoughToTell = 0.05;
    constexpr std::chrono::seconds kLongEnough{20};
    if (part <= 0 || (part < kEnoughToTell && passed < kLongEnough) || part >= 1) return {};
    return fmt::format(", about {} left", duration_text(static_cast<double>(passed.count()) * (1 - part) / part));
}

/// A program that has started this one shows the progress.
bool wants_progress_lines()
{
    const char* const asked = std::getenv("RINGMESH_PROGRESS");
    return asked != nullptr && std::string_view(asked) == "lines";
}

}  // namespace

ProgressBar::ProgressBar(std::string what)
    : what_(std::move(what)), lines_(wants_progress_lines()), wanted_(lines_ || error_is_terminal())
{}

ProgressBar::~ProgressBar()
{
    if (shown_) print_error("\r\033[K");
}

void ProgressBar::show(double part)
{
    if (!wanted_) return;
    const Clock::time_point time = Clock::now();
    if (time < next_) return;
    next_ = time + std::chrono::milliseconds(200);
    if (lines_) return print_error(fmt::format("progress {:.4f} {}\n", std::clamp(part, 0.0, 1.0), what_));
    shown_ = true;
    const auto passed = std::chrono::duration_cast<std::chrono::seconds>(time - started_);
    print_error("\r" + progress_line(what_, part, passed, error_width(), details_) + "\033[K");
}

std::string duration_text(double seconds)
{
    constexpr double kMinute = 60;
    constexpr double kHour = 60 * kMinute;
    constexpr double kDay = 24 * kHour;
    constexpr double kMostInSeconds = 100;
    if (seconds <= kMostInSeconds) return fmt::format("{:.0f} s", std::max(1.0, std::ceil(seconds)));
    if (seconds <= kMostInSeconds * kMinute) return fmt::format("{:.0f} min", seconds / kMinute);
    if (seconds <= 2 * kDay) return fmt::format("{:.0f} h", seconds / kHour);
    return fmt::format("{:.0f} days", seconds / kDay);
}

std::string progress_text(double part)
{
    return fmt::format("{:.0f} %", std::min(100 * part, part < 1 ? 99.0 : 100.0));
}

std::string progress_line(const std::string& what, double part, std::chrono::seconds passed, std::size_t width,
                          const std::string& details)
{
    constexpr std::size_t kWidest = 40;
    constexpr std::size_t kNarrowest = 8;
    part = std::clamp(part, 0.0, 1.0);
    std::string end = fmt::format("{:>5}, {} s{}", progress_text(part), passed.count(), left_text(part, passed));
    std::size_t words = what.size() + end.size() + std::string_view(" [] ").size();
    if (const std::string more = "; " + details; !details.empty() && words + more.size() + kNarrowest < width) {
        end += more;
        words += more.size();
    }
    const std::size_t room = width > words ? std::min(width - 1 - words, kWidest) : 0;
    if (room < kNarrowest) {
        std::string line = what + ", " + end.substr(end.find_first_not_of(' '));
        return line.substr(0, width - 1);
    }
    std::string bar(static_cast<std::size_t>(part * static_cast<double>(room)), '=');
    if (part < 1) bar += '>';
    bar.resize(room, ' ');
    return fmt::format("{} [{}] {}", what, bar, end);
}

}  // namespace ringmesh::lab
