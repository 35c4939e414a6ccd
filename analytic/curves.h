// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Curves through points, straight between neighbours.
namespace ringmesh::analytic {

enum class Abscissa : std::uint8_t { kLinear, kLogarithmic };

/// Where two curves change places.
struct Crossing {
    double at = 0;           ///< where they are equal; the first point, if they are equal at several
    double below = 0;        ///< the last point before at which they differ
    double above = 0;        ///< the first point behind it at which they differ
    int lower = 0;           ///< from here on: negative if the first curve is the lower one, positive if the second is
    std::size_t before = 0;  ///< index of `below`
    std::size_t behind = 0;  ///< index of `above`
};

/// Two curves cross where one is the lower one at a point, and the other at the next point at which they differ. So
/// curves that touch do not cross, nor do those that are equal at the first points, or at the last.
/// @param x rises; above zero if logarithmic @pre as many values as points
std::vector<Crossing> crossings(std::span<const double> x, std::span<const double> a, std::span<const double> b,
                                Abscissa abscissa = Abscissa::kLinear);

enum class Better : std::uint8_t { kSmaller, kLarger };

/// Which curves are the best ones from here to there.
struct BestRange {
    double from = 0;
    double to = 0;
    std::vector<std::size_t> curves;  ///< at least one; several if they are equal
};

/// From the first point to the last. @pre at least two points, which rise, and one curve; a value of each at each point
std::vector<BestRange> best_ranges(std::span<const double> x, std::span<const std::vector<double>> curves,
                                   Better better);

/// When a network under load counts as saturated.
struct SaturationRule {
    double accepted_part = 0.95;  ///< less than this part of what is offered is accepted,
    double latency_factor = 10;   ///< or the mean latency is above so many times that of the lowest load

    bool accepts_too_little(double part) const { return part < accepted_part; }
    /// @param unloaded latency of the lowest load, in the same unit
    bool is_late(double latency, double unloaded) const { return latency > latency_factor * unloaded; }
};

}  // namespace ringmesh::analytic
