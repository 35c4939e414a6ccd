// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/measurements/latency_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "workloads/traffic/measurements/latency_series.h"

namespace ringmesh::workloads {
namespace {

constexpr double kBins = 30;  ///< of a histogram, from the minimum to the 99.9th percentile, or up to twice as many

/// 1, 2 or 5 times a power of ten, at least this.
double round_step(double least)
{
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double digit : {1.0, 2.0, 5.0}) {
        if (digit * power >= least) return digit * power;
    }
    return 10 * power;
}

Cell count_cell(std::uint64_t count) { return static_cast<std::int64_t>(count); }

void add_cells(std::vector<Cell>& row, const Distribution& latencies)
{
    row.push_back(count_cell(latencies.count()));
    LatencySeries::add_cells(row, latencies);
}

}  // namespace

void LatencyTable::add(unsigned from, unsigned to, unsigned hops, Duration latency)
{
    if (rows_ == Show::kDistances) {
        distances_[hops].add(latency);
    } else if (rows_ == Show::kPairs) {
        auto found = pairs_.find({from, to});
        if (found == pairs_.end() && pairs_.size() < kMostPairs) {
            found = pairs_.try_emplace({from, to}, kExactOfPair).first;
        }
        (found == pairs_.end() ? all_ : found->second).add(latency);
    } else {
        all_.add(latency);
    }
}

void LatencyTable::put_into(Results& results) const
{
    results.columns.clear();
    results.rows.clear();
    if (rows_ == Show::kHistogram) return put_histogram(results);
    if (rows_ == Show::kPairs) results.columns = {{"from", ""}, {"to", ""}};
    results.columns.push_back({"hops", ""});
    if (rows_ == Show::kDistances) results.columns.push_back({"zero_load_ns", "ns"});
    results.columns.push_back({"packets", ""});
    LatencySeries::add_columns_of_distribution(results);
    for (const auto& [hops, latencies] : distances_) {
        // Sizes that vary have no common one
        const auto alone = packets_.mean > 0 ? std::nullopt : machine_.unloaded_latency(hops, packets_);
        auto& row = results.rows.emplace_back();
        row = {count_cell(hops), alone ? Cell(alone->ns()) : Cell(std::monostate())};
        add_cells(row, latencies);
    }
    for (const auto& [pair, latencies] : pairs_) {
        auto& row = results.rows.emplace_back();
        row = {count_cell(pair.first), count_cell(pair.second), count_cell(machine_.hops(pair.first, pair.second))};
        add_cells(row, latencies);
    }
    if (rows_ == Show::kPairs && all_.count() > 0) {
        auto& row = results.rows.emplace_back();
        row = {std::monostate(), std::monostate(), std::monostate()};
        add_cells(row, all_);
        results.notes.push_back(
            fmt::format("pairs: the first {} that had a packet; the last row is of all others together", kMostPairs));
    }
}

void LatencyTable::put_histogram(Results& results) const
{
    results.columns = {{"from_ns", "ns"}, {"to_ns", "ns"}, {"packets", ""}, {"part", ""}, {"part_up_to", ""}};
    if (all_.count() == 0) return;
    const auto packets = static_cast<double>(all_.count());
    const double lowest = all_.minimum().ns();
    const double highest = all_.percentile(0.999).ns();
    const double step = round_step(std::max((highest - lowest) / kBins, 1e-3));
    double from = std::max(0.0, (std::ceil(lowest / step) - 1) * step);
    for (std::uint64_t before = 0; before < all_.count();) {
        const bool last = from > highest;
        const double to = last ? all_.maximum().ns() : from + step;
        const std::uint64_t up_to = last ? all_.count() : all_.at_most(nanoseconds(to));
        results.rows.push_back({from, to, count_cell(up_to - before), static_cast<double>(up_to - before) / packets,
                                static_cast<double>(up_to) / packets});
        before = up_to;
        from = to;
    }
    results.notes.push_back(
        "histogram: packets above from_ns, up to to_ns; the last row goes from the 99.9th percentile to the maximum");
}

}  // namespace ringmesh::workloads
