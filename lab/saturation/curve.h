// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "lab/saturation/search.h"

namespace ringmesh::lab {

/// All that is known of one load: the mean of its longest runs.
struct CurvePoint {
    double load = 0;
    int times = 1;      ///< the duration of these runs
    int runs = 0;       ///< that did not get stuck
    int saturated = 0;  ///< of all runs
    int all = 0;
    LoadState state = LoadState::kBelow;  ///< of the first saturated one
    LoadPoint mean;                       ///< stuck: all were; ci95 between the runs, if there are several
};

/// By rising load. @pre searched
std::vector<CurvePoint> curve_of(const SaturationSearch& search);

/// The row that accepted most of those whose every run is as long as the last ones of a sound search: what short runs
/// accept near saturation is no lasting rate, while queues fill. Null if the search is not sound. @pre searched
const CurvePoint* most_accepted(const SaturationSearch& search, const std::vector<CurvePoint>& curve);

}  // namespace ringmesh::lab
