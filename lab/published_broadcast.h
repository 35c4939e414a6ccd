// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "lab/published.h"

/// The thesis' results of broadcasts on the SCC [004]: two tables of times, and statements whose figures are lost. In
/// both tables the broadcast runs on all 48 cores, and the times are seconds of a clock declared as 1 GHz: core cycles
/// / 10^9.
namespace ringmesh::lab {

struct PublishedTime {
    std::int64_t cut = 0;     ///< bytes of the parts or pieces that the data is cut into
    std::int64_t size = 0;    ///< bytes broadcast
    double seconds = 0;       ///< least of the runs
    double mean_seconds = 0;  ///< 0: not printed
};

/// The sizes of both tables, from left to right.
inline constexpr std::array<std::int64_t, 3> kPublishedBroadcastSizes{50'000, 190'000, 1'900'000};

/// Cube by part size [004 5.5]: column by column, from the largest part to the smallest, without the cells that were
/// not run.
std::span<const PublishedTime> published_part_sizes();
/// DOPL by pipe size, parts of 8192 bytes [004 6.3]: likewise.
std::span<const PublishedTime> published_pipe_sizes();

/// The statements with a number.
std::span<const PublishedRow> published_broadcast();

}  // namespace ringmesh::lab
