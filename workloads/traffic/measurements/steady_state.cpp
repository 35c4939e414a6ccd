// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/measurements/steady_state.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "tlm/statistics/student_t.h"

namespace ringmesh::workloads {
namespace {

constexpr std::size_t kInMserBatch = 5;
constexpr std::size_t kVarianceBatches = 8;
constexpr std::size_t kFewestValues = 8 * kVarianceBatches;  // four in a batch

/// Means of batches of this size; what does not fill one is left out at the start.
std::vector<double> means_of_batches(std::span<const std::int64_t> values, std::size_t size)
{
    std::vector<double> means;
    for (std::size_t at = values.size() % size; at < values.size(); at += size) {
        const auto batch = values.subspan(at, size);
        means.push_back(std::accumulate(batch.begin(), batch.end(), 0.0) / static_cast<double>(size));
    }
    return means;
}

/// Of the deviations from their mean.
double sum_of_squares(std::span<const double> values)
{
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    return squares;
}

}  // namespace

std::size_t warm_up_by_mser5(std::span<const std::int64_t> values)
{
    const std::vector<double> means = means_of_batches(values, kInMserBatch);
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t cut = 0; 2 * cut < means.size(); ++cut) {
        const auto rest = std::span(means).subspan(cut);
        const auto n = static_cast<double>(rest.size());
        const double error = sum_of_squares(rest) / (n * n);
        if (error >= least) continue;
        least = error;
        best = cut;
    }
    return best == 0 ? 0 : values.size() % kInMserBatch + best * kInMserBatch;
}

std::optional<RiseTest> test_for_rise(std::span<const std::int64_t> values)
{
    if (values.size() < kFewestValues) return std::nullopt;
    const auto n = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    double sum = 0;
    double weighted = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto k = static_cast<double>(i + 1);
        sum += static_cast<double>(values[i]);
        weighted += (1 - k / n) * (k * mean - sum);
    }
    const std::size_t size = values.size() / 2 / kVarianceBatches;
    const auto batches = means_of_batches(values.subspan(values.size() - size * kVarianceBatches), size);
    constexpr double kDegrees = kVarianceBatches - 1;
    const double variance = static_cast<double>(size) * sum_of_squares(batches) / kDegrees;
    if (variance <= 0) return RiseTest{};
    const double statistic = std::sqrt(45 / (n * n * n * variance)) * weighted;
    return RiseTest{statistic, student_chance_above(statistic, kDegrees)};
}

bool still_rises(const Backlog& backlog)
{
    const std::span<const std::int64_t> all = backlog.packets;
    const auto test = test_for_rise(all.subspan(warm_up_by_mser5(all)));
    return test && test->chance < kFalseAlarms;
}

}  // namespace ringmesh::workloads
