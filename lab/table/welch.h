// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace ringmesh::lab {

/// Repetitions of one measurement.
struct Sample {
    double mean = 0;
    double variance = 0;  ///< of one repetition; 0 for fewer than two
    std::size_t count = 0;
};
Sample sample_of(std::span<const double> values);

/// Half the 95 % confidence interval of the mean; nothing for fewer than two values.
std::optional<double> mean_interval(const Sample& sample);

/// Half the 95 % confidence interval of the difference of two means whose variances may differ, by Welch's
/// approximation; nothing if there is a sample of fewer than two.
std::optional<double> welch_interval(const Sample& a, const Sample& b);

}  // namespace ringmesh::lab
