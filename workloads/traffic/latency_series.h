// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tlm/statistics.h"
#include "workloads/batch_means.h"
#include "workloads/workload.h"

namespace ringmesh::workloads {

/// Latencies of packets in the order of their arrival, and what a table says of them.
class LatencySeries {
public:
    void add(Duration latency)
    {
        distribution_.add(latency);
        means_ns_.add(latency.ns());
    }
    std::uint64_t count() const { return distribution_.count(); }
    double mean_ns() const { return distribution_.mean_ns(); }
    /// Half the 95 % confidence interval of the mean, if there were enough packets to tell.
    std::optional<double> half_width_95_ns() const { return means_ns_.half_width_95(); }

    /// "latency_min_ns", then mean, ci95, p50, p95, p99, max.
    static void add_columns(Results& results);
    /// Nothing where nothing was measured.
    void add_cells(std::vector<Cell>& row) const;

private:
    Distribution distribution_;
    BatchMeans means_ns_;
};

/// Packets of a window of time in which the offered load was constant.
struct InWindow {
    std::uint64_t born = 0;
    std::uint64_t delivered = 0;
};
/// Why the numbers may say little: few packets, a saturated network, a short warm-up. A sentence for each.
void add_doubts(std::vector<std::string>& notes, const LatencySeries& latency, Duration warm_up,
                const InWindow& packets);

}  // namespace ringmesh::workloads
