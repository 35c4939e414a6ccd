// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/measurements/latency_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "workloads/traffic/measurements/steady_state.h"

namespace ringmesh::workloads {

void LatencySeries::add(Duration latency, unsigned target, Duration at)
{
    distribution_.add(latency);
    if (at != latest_at_) {
        add_in_order(latest_, means_ns_);
        latest_.clear();
        latest_at_ = at;
    }
    latest_.push_back({target, latency});
}

void LatencySeries::add_in_order(std::vector<Arrival>& arrivals, BatchMeans& means_ns)
{
    if (arrivals.size() > 1) std::ranges::stable_sort(arrivals, {}, &Arrival::target);
    for (const Arrival& arrival : arrivals) means_ns.add(arrival.latency.ns());
}

std::optional<double> LatencySeries::half_width_95_ns() const
{
    BatchMeans all = means_ns_;
    std::vector<Arrival> latest = latest_;
    add_in_order(latest, all);
    return all.half_width_95();
}

void LatencySeries::add_columns(Results& results, bool interval)
{
    for (const std::string_view name : {"min", "mean", "ci95", "p50", "p95", "p99", "p999", "max"}) {
        if (name != "ci95" || interval) results.columns.push_back({fmt::format("latency_{}_ns", name), "ns"});
    }
}

void LatencySeries::add_cells(std::vector<Cell>& row, const Distribution& latencies)
{
    if (latencies.count() == 0) {
        row.insert(row.end(), 7, std::monostate());
        return;
    }
    row.insert(row.end(), {latencies.minimum().ns(), latencies.mean_ns(), latencies.percentile(0.5).ns(),
                           latencies.percentile(0.95).ns(), latencies.percentile(0.99).ns(),
                           latencies.percentile(0.999).ns(), latencies.maximum().ns()});
}

void LatencySeries::add_cells(std::vector<Cell>& row) const
{
    const auto begin = static_cast<std::ptrdiff_t>(row.size());
    add_cells(row, distribution_);
    const auto half_width = half_width_95_ns();
    row.insert(row.begin() + begin + 2, half_width ? Cell(*half_width) : Cell(std::monostate()));
}

void add_doubts(Results& results, const LatencySeries& latency, Duration warm_up, const InWindow& packets)
{
    constexpr double kKeptUp = 0.95;
    constexpr std::uint64_t kFew = 200;
    const auto add = [&results](std::string_view doubt, std::string note) {
        results.notes.push_back(std::move(note));
        if (results.doubt.empty()) results.doubt = doubt;
    };
    if (latency.count() < kFew) {
        add("few packets", fmt::format("only {} packets were measured: raise duration", latency.count()));
    } else if (static_cast<double>(packets.delivered) < kKeptUp * static_cast<double>(packets.born)) {
        add(kSaturated,
            "less was accepted than offered: the network is saturated, or the duration is short beside the latency; "
            "latencies then grow with the duration");
    } else if (results.backlog && still_rises(*results.backlog)) {
        add(kNotSettled,
            "the number of packets under way still rises at the end, by Schruben's test: the network is saturated, or "
            "the duration is short; latencies then grow with the duration");
    }
    if (warm_up < nanoseconds(latency.mean_ns())) {
        add("short warm-up", "the warm-up is shorter than the mean latency: raise warm_up");
    }
}

}  // namespace ringmesh::workloads
