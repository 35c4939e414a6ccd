// SPDX-License-Identifier: Apache-2.0
#include "lab/table/welch.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tlm/statistics/student_t.h"

namespace ringmesh::lab {
Sample sample_of(std::span<const double> values)
{
    Sample sample{.count = values.size()};
    if (values.empty()) return sample;
    const auto n = static_cast<double>(values.size());
    // Equal values have no spread, which the rounding of their sum would give them
    const bool equal = std::all_of(values.begin(), values.end(), [&](double value) { return value == values.front(); });
    sample.mean = equal ? values.front() : std::accumulate(values.begin(), values.end(), 0.0) / n;
    double squares = 0;
    for (const double value : values) squares += (value - sample.mean) * (value - sample.mean);
    if (values.size() > 1) sample.variance = squares / (n - 1);
    return sample;
}

std::optional<double> mean_interval(const Sample& sample)
{
    if (sample.count < 2) return std::nullopt;
    if (sample.variance <= 0) return 0;
    const auto n = static_cast<double>(sample.count);
    return student_975(n - 1) * std::sqrt(sample.variance / n);
}

std::optional<double> welch_interval(const Sample& a, const Sample& b)
{
    if (a.count < 2 || b.count < 2) return std::nullopt;
    const double of_a = a.variance / static_cast<double>(a.count);
    const double of_b = b.variance / static_cast<double>(b.count);
    const double variance = of_a + of_b;
    if (variance <= 0) return 0;
    const double degrees =
        variance * variance /
        (of_a * of_a / static_cast<double>(a.count - 1) + of_b * of_b / static_cast<double>(b.count - 1));
    return student_975(degrees) * std::sqrt(variance);
}

}  // namespace ringmesh::lab
