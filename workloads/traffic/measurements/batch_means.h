// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ringmesh::workloads {

/// Mean of a series of samples with its confidence interval, by the method of batch means: successive samples are
/// correlated (they met the same congestion), so their own deviation is too small. The means of long batches are nearly
/// independent, and Student's t distribution turns their deviation into an interval.
///
/// Between 20 and 39 batches of one size are kept for any length: when 40 are full, pairs are merged. An incomplete
/// batch counts for the mean, but not for the interval.
class BatchMeans {
public:
    static constexpr std::size_t kFewestBatches = 20;

    void add(double sample);
    std::uint64_t count() const { return count_; }
    /// @pre count() > 0
    double mean() const { return sum_ / static_cast<double>(count_); }
    std::size_t batches() const { return means_.size(); }
    std::uint64_t batch_size() const { return batch_size_; }
    /// Half the width of the 95 % confidence interval of the mean; none with fewer than 20 batches.
    std::optional<double> half_width_95() const;

private:
    void merge_pairs();

    std::vector<double> means_;
    std::uint64_t batch_size_ = 1;
    double batch_sum_ = 0;
    std::uint64_t in_batch_ = 0;
    double sum_ = 0;
    std::uint64_t count_ = 0;
};

}  // namespace ringmesh::workloads
