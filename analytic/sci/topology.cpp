// SPDX-License-Identifier: Apache-2.0
#include "analytic/sci/topology.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <vector>

#include "analytic/curves.h"
#include "analytic/domain.h"

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
    std::vector<double> of_lower;
    std::vector<double> of_higher;
    for (const double nodes : sizes) {
        of_lower.push_back(interpolated(lower, nodes));
        of_higher.push_back(interpolated(higher, nodes));
    }
    // Both are straight in log N between neighbouring sizes
    for (const Crossing& each : crossings(sizes, of_lower, of_higher, Abscissa::kLogarithmic)) {
        if (each.lower > 0) return BracketedCrossover{.nodes = each.at, .below = each.below, .above = each.above};
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

namespace {

constexpr double kMostTorusNodes = 1e6;
constexpr int kMostSummed = 64;  // 64^4 destinations are summed in less than a second

void check_dimensions(std::int64_t dimensions)
{
    require(dimensions >= 1 && dimensions <= kMostDimensions, "a torus has 1 to 4 dimensions");
}

struct Way {
    int hops = 0;
    int used = 0;  // dimensions
};

void check(std::span<const DimensionPath> path)
{
    check_dimensions(std::ssize(path));
    for (const DimensionPath& part : path) {
        require(part.nodes >= 2, "a ring has at least 2 nodes");
        require(part.hops >= 0, "the number of hops in a dimension must not be negative");
        require(part.hops < part.nodes, "a path has fewer hops than its ring has nodes");
    }
    require(std::ranges::any_of(path, [](const DimensionPath& part) { return part.hops > 0; }),
            "a path has at least 1 hop");
}

/// @param hops_of the hops in a dimension that the request used
template <typename HopsOf>
double latency(std::span<const DimensionPath> path, const Components& components, HopsOf hops_of)
{
    check(path);
    Way way;
    for (const DimensionPath& part : path) {
        if (part.hops == 0) continue;
        way.hops += hops_of(part);
        ++way.used;
    }
    return one_way_latency(way.hops, way.used - 1, components);
}

/// The average over all destinations of a sum over dimensions, written as the papers write it.
template <typename HopsOf>
double average_over_destinations(int dimensions, int nodes, HopsOf hops_of)
{
    check_dimensions(dimensions);
    require(nodes >= 2 && nodes <= kMostSummed, "sums are taken over dimensions of 2 to 64 nodes");
    double destinations = 1;
    for (int i = 0; i < dimensions; ++i) destinations *= nodes;
    double total = 0;
    std::array<int, kMostDimensions> hops{};
    for (double done = 0; done < destinations; ++done) {
        for (int i = 0; i < dimensions; ++i) total += hops_of(hops[static_cast<std::size_t>(i)]);
        for (int i = 0; i < dimensions; ++i) {
            int& digit = hops[static_cast<std::size_t>(i)];
            if (++digit < nodes) break;
            digit = 0;
        }
    }
    return total / (destinations - 1);
}

}  // namespace

double request_latency(std::span<const DimensionPath> path, const Components& components)
{
    return latency(path, components, [](const DimensionPath& part) { return part.hops; });
}

double request_latency(const TorusShape& torus, int from, int to, const Components& components)
{
    const auto has = [&torus](int node) { return node >= 0 && node < static_cast<int>(torus.nodes()); };
    require(has(from) && has(to), "no such node on the torus");
    std::vector<DimensionPath> path;
    for (unsigned d = 0; d < torus.dimensions(); ++d) {
        const unsigned hops = torus.distance(static_cast<unsigned>(from), static_cast<unsigned>(to), d);
        path.push_back({.nodes = static_cast<int>(torus.size(d)), .hops = static_cast<int>(hops)});
    }
    return request_latency(path, components);
}

double response_latency(std::span<const DimensionPath> path, const Components& components)
{
    return latency(path, components, [](const DimensionPath& part) { return part.nodes - part.hops; });
}

double transaction_latency(std::span<const DimensionPath> path, const Components& components)
{
    return request_latency(path, components) + response_latency(path, components);
}

AverageWay average_way(std::span<const double> sizes)
{
    check_dimensions(std::ssize(sizes));
    double nodes = 1;
    for (const double size : sizes) {
        require(is_finite_from(size, 2) && size <= kMostTorusNodes, "a ring of a torus has 2 to 1e6 nodes");
        nodes *= size;
    }
    require(nodes <= kMostTorusNodes * (1 + 1e-9), "a torus has up to 1e6 nodes");
    // A destination is h hops away in a dimension of n nodes for each h from 0 to n - 1 equally often.
    AverageWay way{.nodes = nodes};
    double used = 0;
    for (const double size : sizes) {
        way.hops += nodes / (nodes - 1) * (size - 1) / 2;
        used += nodes / (nodes - 1) * (size - 1) / size;
    }
    way.switches = sizes.size() == 1 ? 0 : used - 1;               // no rounding where there is none to change to
    way.forwardings = std::max(0.0, way.hops - 1 - way.switches);  // 0 on rings of 2, but for rounding
    return way;
}

std::vector<double> sizes_of(const TorusShape& torus)
{
    std::vector<double> sizes;
    for (unsigned d = 0; d < torus.dimensions(); ++d) sizes.push_back(torus.size(d));
    return sizes;
}

AverageWay average_way(int dimensions, double nodes)
{
    check_dimensions(dimensions);
    require(is_finite_from(nodes, least_nodes(dimensions)) && nodes <= kMostTorusNodes,
            "a torus has at least 2 nodes in each dimension and up to 1e6 in all");
    std::array<double, kMostDimensions> sizes{};
    sizes.fill(std::max(2.0, std::pow(nodes, 1.0 / dimensions)));  // against rounding below 2
    return average_way(std::span(sizes.data(), static_cast<std::size_t>(dimensions)));
}

double least_nodes(int dimensions)
{
    check_dimensions(dimensions);
    return std::exp2(dimensions);
}

double summed_request_hops(int dimensions, int nodes_per_dimension)
{
    return average_over_destinations(dimensions, nodes_per_dimension, [](int hops) { return hops; });
}

double summed_response_hops(int dimensions, int nodes_per_dimension)
{
    return average_over_destinations(dimensions, nodes_per_dimension,
                                     [=](int hops) { return hops == 0 ? 0 : nodes_per_dimension - hops; });
}

double summed_response_hops_as_printed(int dimensions, int nodes_per_dimension)
{
    return average_over_destinations(dimensions, nodes_per_dimension,
                                     [=](int hops) { return nodes_per_dimension - hops; });
}

double average_latency(const AverageWay& way, const Components& components)
{
    return one_way_latency(way.hops, way.switches, components);
}

double multi_unicast_latency(const AverageWay& way, const Components& components)
{
    require(is_finite_from(way.nodes, 2), "a torus has at least 2 nodes");
    return (way.nodes - 1) * average_latency(way, components);
}

}  // namespace ringmesh::analytic
