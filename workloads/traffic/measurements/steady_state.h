// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "workloads/workload.h"

/// Whether a queue comes to rest.
namespace ringmesh::workloads {

/// The warm-up by MSER-5 [MSER5]: of the means of five values each, so many at the start are left out that the standard
/// error of what remains is the smallest.
/// @return the number of values to leave out, at most half of them; 0 for fewer than ten
std::size_t warm_up_by_mser5(std::span<const std::int64_t> values);

/// Schruben's test for a rise [SCHRUBEN], with the variance of the means of eight batches in the second half. If the
/// values are stationary, the statistic has Student's distribution with seven degrees of freedom.
struct RiseTest {
    double statistic = 0;
    double chance = 1;  ///< that stationary values give such a statistic or a larger one
};
/// @return none for fewer than 64 values
std::optional<RiseTest> test_for_rise(std::span<const std::int64_t> values);

/// So often the test finds a rise in a queue that is stable.
inline constexpr double kFalseAlarms = 0.002;
/// Whether the backlog still rises after the warm-up by MSER-5, by the test with this rate of false alarms.
bool still_rises(const Backlog& backlog);

}  // namespace ringmesh::workloads
