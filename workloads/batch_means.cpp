// SPDX-License-Identifier: Apache-2.0
#include "workloads/batch_means.h"

#include <array>
#include <cmath>
#include <numeric>

namespace ringmesh::workloads {
namespace {

constexpr std::size_t kMostBatches = 2 * BatchMeans::kFewestBatches;

/// 97.5 % quantiles of Student's t distribution with 19 to 38 degrees of freedom, from any table of it.
constexpr std::array<double, BatchMeans::kFewestBatches> kStudent975{2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060,
                                                                     2.056, 2.052, 2.048, 2.045, 2.042, 2.040, 2.037,
                                                                     2.035, 2.032, 2.030, 2.028, 2.026, 2.024};

}  // namespace

void BatchMeans::add(double sample)
{
    sum_ += sample;
    ++count_;
    batch_sum_ += sample;
    if (++in_batch_ < batch_size_) return;
    means_.push_back(batch_sum_ / static_cast<double>(batch_size_));
    batch_sum_ = 0;
    in_batch_ = 0;
    if (means_.size() == kMostBatches) merge_pairs();
}

void BatchMeans::merge_pairs()
{
    for (std::size_t i = 0; i < means_.size() / 2; ++i) means_[i] = (means_[2 * i] + means_[2 * i + 1]) / 2;
    means_.resize(means_.size() / 2);
    batch_size_ *= 2;
}

std::optional<double> BatchMeans::half_width_95() const
{
    if (means_.size() < kFewestBatches) return std::nullopt;
    const auto n = static_cast<double>(means_.size());
    const double mean = std::accumulate(means_.begin(), means_.end(), 0.0) / n;
    double squares = 0;
    for (const double batch : means_) squares += (batch - mean) * (batch - mean);
    return kStudent975.at(means_.size() - kFewestBatches) * std::sqrt(squares / (n - 1) / n);
}

}  // namespace ringmesh::workloads
