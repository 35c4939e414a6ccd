// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <set>

#include "tlm/line_fit.h"
#include "workloads/vertex/timing.h"

namespace ringmesh::workloads::vertex {
namespace {

/// "E = 221.2 + 1.2857 n", for each of the six values.
std::vector<std::string> lines_of(const Results& results)
{
    constexpr std::string_view kUnit = "_us";
    std::vector<std::string> lines;
    for (const std::string_view value : {"E", "R", "S", "F", "U", "A"}) {
        std::size_t column = 0;
        while (results.columns.at(column).name != std::string(value) + std::string(kUnit)) ++column;
        std::vector<LinePoint> points;
        for (const auto& row : results.rows) {
            points.push_back({static_cast<double>(std::get<std::int64_t>(row.front())), std::get<double>(row[column])});
        }
        const LineFit line = fit_line(points);
        lines.push_back(fmt::format("{} = {:.1f} {} {:.4f} n", value, line.intercept, line.slope < 0 ? '-' : '+',
                                    std::abs(line.slope)));
    }
    return lines;
}

}  // namespace

double VertexTiming::us(double ticks) const { return ticks * grain_us(); }

Results VertexTiming::results() const
{
    switch (options_.measure) {
        case Measure::kValues: return value_rows();
        case Measure::kDistances: return distance_rows();
        case Measure::kChannels: return channel_rows();
    }
    return {};
}

Results VertexTiming::value_rows() const
{
    Results results;
    results.columns = {{"size_bytes", "bytes"}, {"E_us", "us"},     {"R_us", "us"},   {"R_S_us", "us"},
                       {"F_S_us", "us"},        {"F_E_U_us", "us"}, {"A_U_us", "us"}, {"S_us", "us"},
                       {"F_us", "us"},          {"U_us", "us"},     {"A_us", "us"},   {"E_idle_us", "us"}};
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
        const Sums& sums = sums_[i];
        const double hops = 2.0 * (farthest() - 1);
        const double e = us(sums.echo.back() - sums.echo.front()) / hops;
        const double idle = us(sums.idle_echo.back() - sums.idle_echo.front()) / hops;
        const double r = us(sums.r), rs = us(sums.rs), fs = us(sums.fs), feu = us(sums.efu2) / 2, au = us(sums.au);
        const double s = rs - r;
        const double f = fs - s;
        const double u = feu - e - f;
        results.rows.push_back({std::int64_t{sizes_[i]}, e, r, rs, fs, feu, au, s, f, u, au - u, idle});
    }
    results.notes.emplace_back(
        "E: a transfer over one hop, half of what one more adds to an echo; processor time: R of receiving, S of "
        "sending, "
        "F of the write call, A of a read call made before the message is there, U of one made after");
    results.notes.emplace_back(
        "R S: the sum R + S, as it was measured, and so on; S, F, U, A: differences of the sums");
    if (std::set<std::uint32_t>(sizes_.begin(), sizes_.end()).size() > 1) {
        results.notes.push_back(
            fmt::format("least-squares lines over n bytes, in us: {}", fmt::join(lines_of(results), ", ")));
    }
    results.notes.push_back(fmt::format("the timer: {:.1f} us a tick, {:.2f} us a call; the long computation {:.1f} us",
                                        grain_us(), us(timer_), us(long_q_)));
    results.notes.push_back(fmt::format("{} messages were read, every byte of them checked", checked_));
    return results;
}

Results VertexTiming::distance_rows() const
{
    Results results;
    results.columns = {
        {"size_bytes", "bytes"}, {"distance", ""}, {"echo_us", "us"}, {"E_us", "us"}, {"E_idle_us", "us"}};
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
        for (unsigned d = 0; d < farthest(); ++d) {
            Cell e = std::monostate{}, idle = std::monostate{};  // nothing came before the first
            if (d > 0) {
                e = us(sums_[i].echo[d] - sums_[i].echo[d - 1]) / 2;
                idle = us(sums_[i].idle_echo[d] - sums_[i].idle_echo[d - 1]) / 2;
            }
            results.rows.push_back({std::int64_t{sizes_[i]}, std::int64_t{d + 1}, us(sums_[i].echo[d]), e, idle});
        }
    }
    results.notes.emplace_back("E: half of what the last hop added to the echo; idle: with no computation underneath");
    return results;
}

Results VertexTiming::channel_rows() const
{
    Results results;
    results.columns = {{"active_channels", ""}, {"us_per_message", "us"}, {"slowdown", ""},
                       {"messages", ""},        {"refusals", ""},         {"buffers_bytes", "bytes"}};
    for (const Channels& each : channels_) {
        results.rows.push_back({std::int64_t{each.active}, each.us_per_message, each.slowdown,
                                static_cast<std::int64_t>(each.messages), static_cast<std::int64_t>(each.refusals),
                                static_cast<std::int64_t>(each.buffers)});
    }
    results.notes.push_back(fmt::format("messages of {} bytes through node 0, {} of each sender unanswered",
                                        options_.channel_bytes, options_.outstanding));
    results.notes.emplace_back("slowdown: node 0's computation over its time without messages");
    results.notes.emplace_back(
        "messages, refusals: while it was timed; buffers: the most that node 0's system buffers have held so far");
    return results;
}

}  // namespace ringmesh::workloads::vertex
