// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <numeric>
#include <stdexcept>

#include "tlm/units/checked.h"
#include "tlm/units/duration.h"

/// Quantities with mandatory units. No SystemC here: parameters, recorders and the analytic models use these alone.
/// Every operation that could leave the 64-bit range throws std::overflow_error instead of wrapping.
namespace ringmesh {

/// A rate in whole hertz.
class Frequency {
public:
    constexpr Frequency() = default;
    static constexpr Frequency hertz(std::int64_t count) { return Frequency(count); }
    constexpr std::int64_t hz() const { return hz_; }
    constexpr auto operator<=>(const Frequency&) const = default;

private:
    explicit constexpr Frequency(std::int64_t hz) : hz_(hz) {}
    std::int64_t hz_ = 0;
};

/// A number of bytes.
class Bytes {
public:
    constexpr Bytes() = default;
    explicit constexpr Bytes(std::int64_t count) : count_(count) {}
    constexpr std::int64_t count() const { return count_; }
    constexpr auto operator<=>(const Bytes&) const = default;

private:
    std::int64_t count_ = 0;
};

/// A length in whole micrometres.
class Length {
public:
    constexpr Length() = default;
    static constexpr Length micrometres(std::int64_t count) { return Length(count); }
    constexpr std::int64_t um() const { return um_; }
    constexpr double metres() const { return static_cast<double>(um_) / 1e6; }
    constexpr auto operator<=>(const Length&) const = default;

private:
    explicit constexpr Length(std::int64_t um) : um_(um) {}
    std::int64_t um_ = 0;
};

/// A number of clock cycles of some clock.
class Cycles {
public:
    constexpr Cycles() = default;
    explicit constexpr Cycles(std::int64_t count) : count_(count) {}
    constexpr std::int64_t count() const { return count_; }
    constexpr auto operator<=>(const Cycles&) const = default;
    friend constexpr Cycles operator+(Cycles a, Cycles b) { return Cycles(detail::checked_add(a.count_, b.count_)); }
    friend constexpr Cycles operator*(Cycles a, std::int64_t n)
    {
        return Cycles(detail::checked_multiply(a.count_, n));
    }

private:
    std::int64_t count_ = 0;
};

/// Turns cycles into time and time into cycles, from its exact period: a fraction of picoseconds. There is no period as
/// a Duration to divide by or to multiply, because that of most clocks (33 MHz, 9.95 GHz) would be rounded.
class Clock {
public:
    explicit constexpr Clock(Frequency frequency) : Clock(1'000'000'000'000, frequency.hz())
    {
        if (frequency.hz() <= 0) throw std::invalid_argument("a clock needs a frequency above 0 Hz");
    }
    static constexpr Clock of_period(Duration period)
    {
        if (period <= Duration::zero()) throw std::invalid_argument("a clock needs a period above 0 ps");
        return {period.ps(), 1};
    }

    /// Its period is a whole number of picoseconds.
    constexpr bool is_whole() const { return parts_ == 1; }
    constexpr double period_ps() const { return static_cast<double>(ps_) / static_cast<double>(parts_); }
    constexpr double period_ns() const { return period_ps() / 1e3; }

    /// Rounded once, to the nearest picosecond, so that a long burst does not drift.
    friend constexpr Duration operator*(Cycles cycles, const Clock& clock)
    {
        if (clock.parts_ == 1) return Duration::picoseconds(clock.ps_) * cycles.count();
        const auto parts = static_cast<detail::Wide>(clock.parts_);
        const auto exact = static_cast<detail::Wide>(cycles.count()) * clock.ps_;
        const auto rounded = (exact + (exact < 0 ? -parts / 2 : parts / 2)) / parts;
        if (rounded > INT64_MAX || rounded < INT64_MIN) throw std::overflow_error("quantity out of the 64-bit range");
        return Duration::picoseconds(static_cast<std::int64_t>(rounded));
    }
    /// The first edge that is not before this time, edge 0 being at time 0: the fewest cycles that take as long.
    /// @pre not negative
    constexpr Cycles edge_from(Duration time) const
    {
        // Edge n, rounded, is not before the time if n * ps / parts >= time - 1/2
        const auto wanted = (2 * static_cast<detail::Wide>(time.ps()) - 1) * parts_;
        const auto two_periods = 2 * static_cast<detail::Wide>(ps_);
        return Cycles(wanted <= 0 ? 0 : static_cast<std::int64_t>((wanted + two_periods - 1) / two_periods));
    }
    /// The last edge that is not after this time: its whole cycles. @pre not negative
    constexpr Cycles edge_until(Duration time) const
    {
        return Cycles(edge_from(time + Duration::picoseconds(1)).count() - 1);
    }

private:
    constexpr Clock(std::int64_t ps, std::int64_t parts)
        : ps_(ps / std::gcd(ps, parts)), parts_(parts / std::gcd(ps, parts))
    {}

    std::int64_t ps_;     // of so many
    std::int64_t parts_;  // periods
};

inline namespace literals {
constexpr Duration operator""_ps(unsigned long long n) { return Duration::picoseconds(detail::checked_literal(n, 1)); }
constexpr Duration operator""_ns(unsigned long long n)
{
    return Duration::picoseconds(detail::checked_literal(n, 1'000));
}
constexpr Duration operator""_us(unsigned long long n)
{
    return Duration::picoseconds(detail::checked_literal(n, 1'000'000));
}
constexpr Duration operator""_ms(unsigned long long n)
{
    return Duration::picoseconds(detail::checked_literal(n, 1'000'000'000));
}
constexpr Duration operator""_s(unsigned long long n)
{
    return Duration::picoseconds(detail::checked_literal(n, 1'000'000'000'000));
}
constexpr Frequency operator""_Hz(unsigned long long n) { return Frequency::hertz(detail::checked_literal(n, 1)); }
constexpr Frequency operator""_MHz(unsigned long long n)
{
    return Frequency::hertz(detail::checked_literal(n, 1'000'000));
}
constexpr Bytes operator""_B(unsigned long long n) { return Bytes(detail::checked_literal(n, 1)); }
constexpr Bytes operator""_KiB(unsigned long long n) { return Bytes(detail::checked_literal(n, 1024)); }
constexpr Bytes operator""_MiB(unsigned long long n) { return Bytes(detail::checked_literal(n, 1024 * 1024)); }
constexpr Length operator""_m(unsigned long long n)
{
    return Length::micrometres(detail::checked_literal(n, 1'000'000));
}
constexpr Cycles operator""_cycles(unsigned long long n) { return Cycles(detail::checked_literal(n, 1)); }
}  // namespace literals

}  // namespace ringmesh
