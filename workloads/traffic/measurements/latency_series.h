// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tlm/statistics/statistics.h"
#include "workloads/traffic/measurements/batch_means.h"
#include "workloads/workload.h"

namespace ringmesh::workloads {

/// Doubts (Results::doubt) of a network whose latencies grow with the duration.
inline constexpr std::string_view kSaturated = "saturated";
inline constexpr std::string_view kNotSettled = "not settled";

/// Latencies of packets in the order of their arrival, at one time by target, and their columns of a table.
class LatencySeries {
public:
    /// Of a packet that has come to its target. @param at not before that of the packet before
    void add(Duration latency, unsigned target, Duration at);
    std::uint64_t count() const { return distribution_.count(); }
    double mean_ns() const { return distribution_.mean_ns(); }
    double sum_ns() const { return distribution_.sum_ns(); }
    /// Half the 95 % confidence interval of the mean, if there are enough packets.
    std::optional<double> half_width_95_ns() const;

    /// "latency_min_ns", then mean, ci95, p50, p95, p99, p999, max.
    static void add_columns(Results& results) { add_columns(results, true); }
    /// The same without ci95, and their cells.
    static void add_columns_of_distribution(Results& results) { add_columns(results, false); }
    static void add_cells(std::vector<Cell>& row, const Distribution& latencies);
    std::string_view percentiles_note() const { return distribution_.percentiles_note(); }
    /// Empty cells if nothing was measured.
    void add_cells(std::vector<Cell>& row) const;

private:
    struct Arrival {
        unsigned target;
        Duration latency;
    };

    static void add_columns(Results& results, bool interval);
    static void add_in_order(std::vector<Arrival>& arrivals, BatchMeans& means_ns);

    Distribution distribution_;
    BatchMeans means_ns_;          // of all but the latest
    std::vector<Arrival> latest_;  // those of one time
    Duration latest_at_;
};

/// Packets in a time window of constant offered load.
struct InWindow {
    std::uint64_t born = 0;
    std::uint64_t delivered = 0;
};
/// Why the means are no lasting ones: few packets, a saturated network, a backlog that still rises, a short warm-up. A
/// note for each, and the first as the results' doubt.
/// @param results with the backlog, if it is known
void add_doubts(Results& results, const LatencySeries& latency, Duration warm_up, const InWindow& packets);

}  // namespace ringmesh::workloads
