// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

#include "tlm/units/checked.h"

namespace ringmesh {

/// A span of simulated time, or a point in it counted from the start: signed, in whole picoseconds (+-106 days).
class Duration {
public:
    constexpr Duration() = default;
    static constexpr Duration picoseconds(std::int64_t count) { return Duration(count); }
    static constexpr Duration zero() { return Duration(0); }
    /// Later than any time of a run.
    static constexpr Duration never() { return Duration(INT64_MAX); }

    constexpr std::int64_t ps() const { return ps_; }
    constexpr double ns() const { return static_cast<double>(ps_) / 1e3; }
    constexpr double us() const { return static_cast<double>(ps_) / 1e6; }
    constexpr double seconds() const { return static_cast<double>(ps_) / 1e12; }

    constexpr auto operator<=>(const Duration&) const = default;
    constexpr Duration operator-() const { return Duration(detail::checked_subtract(0, ps_)); }
    constexpr Duration& operator+=(Duration other) { return *this = *this + other; }
    constexpr Duration& operator-=(Duration other) { return *this = *this - other; }

    friend constexpr Duration operator+(Duration a, Duration b) { return Duration(detail::checked_add(a.ps_, b.ps_)); }
    friend constexpr Duration operator-(Duration a, Duration b)
    {
        return Duration(detail::checked_subtract(a.ps_, b.ps_));
    }
    friend constexpr Duration operator*(Duration a, std::int64_t n)
    {
        return Duration(detail::checked_multiply(a.ps_, n));
    }
    friend constexpr Duration operator*(std::int64_t n, Duration a) { return a * n; }
    /// Rounds towards zero.
    friend constexpr Duration operator/(Duration a, std::int64_t n)
    {
        return Duration(detail::checked_divide(a.ps_, n));
    }
    /// The exact ratio, as a number without unit.
    friend constexpr double operator/(Duration a, Duration b)
    {
        return static_cast<double>(a.ps_) / static_cast<double>(b.ps_);
    }

private:
    explicit constexpr Duration(std::int64_t ps) : ps_(ps) {}
    std::int64_t ps_ = 0;
};

/// Nearest picosecond to a computed number of nanoseconds; for analytic results, never for hardware costs.
constexpr Duration nanoseconds(double ns)
{
    if (!(ns > -9.2e15 && ns < 9.2e15)) throw std::overflow_error("quantity out of the 64-bit range");
    return Duration::picoseconds(static_cast<std::int64_t>(ns * 1e3 + (ns < 0 ? -0.5 : 0.5)));
}

/// A mean or a ratio of times, which is no whole number of picoseconds.
class MeanTime {
public:
    constexpr MeanTime() = default;
    constexpr MeanTime(Duration exact) : ps_(static_cast<double>(exact.ps())) {}  // NOLINT(google-explicit-constructor)
    static constexpr MeanTime picoseconds(double count) { return MeanTime(count); }

    constexpr double ps() const { return ps_; }
    constexpr double ns() const { return ps_ / 1e3; }
    constexpr double us() const { return ps_ / 1e6; }
    constexpr auto operator<=>(const MeanTime&) const = default;

private:
    explicit constexpr MeanTime(double ps) : ps_(ps) {}
    double ps_ = 0;
};

}  // namespace ringmesh
