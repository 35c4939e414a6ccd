// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>

#include "tlm/units/units.h"

/// Random numbers that depend only on the run's seed.
namespace ringmesh {

namespace detail {
__extension__ using UnsignedWide = unsigned __int128;
}

/// FNV-1a over the bytes of a name, starting from a run's seed: a stable number for each traffic source.
constexpr std::uint64_t seed_for(std::uint64_t run_seed, std::string_view hierarchical_name)
{
    std::uint64_t hash = 0xcbf29ce484222325ULL ^ run_seed;
    for (const char c : hierarchical_name) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 0x100000001b3ULL;
    }
    return hash;
}

/// SplitMix64: small, fast, the same integers on every computer. One generator per source, never shared.
class Random {
public:
    explicit constexpr Random(std::uint64_t seed) : state_(seed) {}

    constexpr std::uint64_t next()
    {
        state_ += 0x9e3779b97f4a7c15ULL;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }
    /// Uniform over 0 .. bound-1; the bias is below bound / 2^64.
    constexpr std::uint64_t below(std::uint64_t bound)
    {
        return static_cast<std::uint64_t>((static_cast<detail::UnsignedWide>(next()) * bound) >> 64);
    }
    /// Uniform over [0, 1) in steps of 2^-53.
    constexpr double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
    /// Exponentially distributed, at least 1 ps: the gaps of a Poisson process. Uses the C library's log1p:
    /// another library may differ in the last bit, and so now and then by a picosecond.
    Duration exponential(MeanTime mean)
    {
        const double gap = -std::log1p(-unit()) * mean.ps();
        return Duration::picoseconds(1 + static_cast<std::int64_t>(gap));
    }

private:
    std::uint64_t state_;
};

}  // namespace ringmesh
