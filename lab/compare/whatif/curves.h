// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Curves through points, straight between neighbours, both axes linear.
namespace ringmesh::lab {

/// Where two curves change places.
struct Meeting {
    double at = 0;           ///< where they meet; the first point, if they are equal at several
    double below = 0;        ///< the last point before at which they differ
    double above = 0;        ///< the first point behind it
    int lower = 0;           ///< from here on: negative if the first curve is the lower one, positive if the second is
    std::size_t before = 0;  ///< place of `below` among the points
    std::size_t behind = 0;  ///< likewise of `above`
};
/// @pre as many values as points, which rise
std::vector<Meeting> meetings(std::span<const double> points, std::span<const double> a, std::span<const double> b);

enum class Better : std::uint8_t { kSmaller, kLarger };

/// Which curves are the best ones from here to there.
struct BestRange {
    double from = 0;
    double to = 0;
    std::vector<std::size_t> curves;  ///< at least one; several if they are equal
};
/// From the first point to the last. @pre at least two points, which rise, and one curve; a value of each at each point
std::vector<BestRange> best_ranges(std::span<const double> points, std::span<const std::vector<double>> curves,
                                   Better better);

}  // namespace ringmesh::lab
