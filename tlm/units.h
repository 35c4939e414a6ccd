// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <stdexcept>

#include "tlm/checked.h"
#include "tlm/duration.h"

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

/// Turns cycles into time. The product is rounded once, to the nearest picosecond, so that a long burst on a clock
/// whose period is no whole number of picoseconds (33 MHz) does not drift.
class Clock {
public:
    explicit constexpr Clock(Frequency frequency) : frequency_(frequency)
    {
        if (frequency.hz() <= 0) throw std::invalid_argument("a clock needs a frequency above 0 Hz");
    }
    constexpr Frequency frequency() const { return frequency_; }
    constexpr Duration period() const { return Cycles(1) * *this; }

    friend constexpr Duration operator*(Cycles cycles, const Clock& clock)
    {
        const auto hz = static_cast<detail::Wide>(clock.frequency_.hz());
        const auto exact = static_cast<detail::Wide>(cycles.count()) * 1'000'000'000'000;
        const auto rounded = (exact + (exact < 0 ? -hz / 2 : hz / 2)) / hz;
        if (rounded > INT64_MAX || rounded < INT64_MIN) throw std::overflow_error("quantity out of the 64-bit range");
        return Duration::picoseconds(static_cast<std::int64_t>(rounded));
    }

private:
    __extension__ using Wide = __int128;
    Frequency frequency_;
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
