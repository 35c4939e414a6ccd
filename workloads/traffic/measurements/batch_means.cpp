// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/measurements/batch_means.h"

#include <cmath>
#include <numeric>

#include "tlm/statistics/student_t.h"

namespace ringmesh::workloads {
namespace {

constexpr std::size_t kMostBatches = 2 * BatchMeans::kFewestBatches;

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
    return student_975(n - 1) * std::sqrt(squares / (n - 1) / n);
}

}  // namespace ringmesh::workloads
