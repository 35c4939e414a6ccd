// SPDX-License-Identifier: Apache-2.0
#include "analytic/sci_topology.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "analytic/domain.h"
#include "analytic/sci_torus.h"

namespace ringmesh::analytic {
namespace {

constexpr double kPrecision = 1e-12;

void check_pair(int dimensions)
{
    require(dimensions >= 1 && dimensions < kMostDimensions, "compared are D and D + 1 dimensions, with D from 1 to 3");
}

double average_latency_at(int dimensions, double nodes, const Components& components)
{
    return average_latency(average_way(dimensions, nodes), components);
}

void check(std::span<const SizedLatency> series)
{
    require(!series.empty(), "a series of latencies has at least one point");
    double last = 0;
    for (const SizedLatency& point : series) {
        require(is_finite_above(point.nodes, last), "the sizes of a series rise from above 0");
        require(is_finite_above(point.latency_ns, 0), "a latency is a number of nanoseconds above 0");
        last = point.nodes;
    }
}

/// On a straight line in log N between the points around `nodes`, which lies within the series.
double interpolated(std::span<const SizedLatency> series, double nodes)
{
    const auto above = std::ranges::lower_bound(series, nodes, {}, &SizedLatency::nodes);
    if (above->nodes <= nodes) return above->latency_ns;
    const SizedLatency& below = *(above - 1);
    const double part = std::log(nodes / below.nodes) / std::log(above->nodes / below.nodes);
    return below.latency_ns + part * (above->latency_ns - below.latency_ns);
}

/// The sizes of either series within the range that both cover.
std::vector<double> common_sizes(std::span<const SizedLatency> lower, std::span<const SizedLatency> higher)
{
    const double least = std::max(lower.front().nodes, higher.front().nodes);
    const double most = std::min(lower.back().nodes, higher.back().nodes);
    std::vector<double> sizes;
    for (const auto series : {lower, higher}) {
        for (const SizedLatency& point : series) {
            if (point.nodes >= least && point.nodes <= most) sizes.push_back(point.nodes);
        }
    }
    std::ranges::sort(sizes);
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
}

}  // namespace

std::optional<double> crossover(int dimensions, const Components& components, SizeRange range)
{
    check_pair(dimensions);
    require(is_finite_from(range.least, 2) && std::isfinite(range.most) && range.least <= range.most,
            "a range of sizes begins at 2 nodes or more and ends no earlier");
    double below = std::max(range.least, least_nodes(dimensions + 1));
    double above = range.most;
    if (below > above) return std::nullopt;
    const auto higher_is_faster = [&](double nodes) { return penalty_percent(dimensions, nodes, components) < 0; };
    if (higher_is_faster(below) || !higher_is_faster(above)) return std::nullopt;
    while (above - below > kPrecision * above) {
        const double middle = (below + above) / 2;
        (higher_is_faster(middle) ? above : below) = middle;
    }
    return above;
}

double crossover_of_ring_and_torus(const Components& components)
{
    check(components);
    const double hop = components.forwarding_ns + components.propagation_ns;
    require(hop > 0, "the crossover needs a hop that takes more than 0 ns");
    return 2 * (components.switching_ns - components.forwarding_ns) / hop;
}

double penalty_percent(int dimensions, double nodes, const Components& components)
{
    check_pair(dimensions);
    const double lower = average_latency_at(dimensions, nodes, components);
    require(lower > 0, "latencies of 0 ns cannot be compared");
    return 100 * (average_latency_at(dimensions + 1, nodes, components) / lower - 1);
}

std::optional<BracketedCrossover> crossover(std::span<const SizedLatency> lower, std::span<const SizedLatency> higher)
{
    check(lower);
    check(higher);
    const std::vector<double> sizes = common_sizes(lower, higher);
    const auto advantage = [&](double nodes) { return interpolated(lower, nodes) - interpolated(higher, nodes); };
    for (std::size_t i = 1; i < sizes.size(); ++i) {
        const double before = advantage(sizes[i - 1]);
        const double after = advantage(sizes[i]);
        if (before > 0 || after <= 0) continue;
        // Both are straight in log N between neighbouring sizes, and so is their difference.
        const double part = before / (before - after);
        return BracketedCrossover{
            .nodes = sizes[i - 1] * std::pow(sizes[i] / sizes[i - 1], part), .below = sizes[i - 1], .above = sizes[i]};
    }
    return std::nullopt;
}

BestTorus best_torus(double nodes, const Components& components)
{
    BestTorus best{.dimensions = 1, .latency_ns = average_latency_at(1, nodes, components)};
    for (int dimensions = 2; dimensions <= kMostDimensions && nodes >= least_nodes(dimensions); ++dimensions) {
        const double latency = average_latency_at(dimensions, nodes, components);
        if (latency < best.latency_ns) best = {.dimensions = dimensions, .latency_ns = latency};
    }
    return best;
}

double gain_percent(double nodes, const Components& current, const Components& enhanced)
{
    const double before = best_torus(nodes, current).latency_ns;
    require(before > 0, "latencies of 0 ns cannot be compared");
    return 100 * (1 - best_torus(nodes, enhanced).latency_ns / before);
}

}  // namespace ringmesh::analytic
