// SPDX-License-Identifier: Apache-2.0
#include "analytic/sci_torus.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "analytic/domain.h"

namespace ringmesh::analytic {
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
