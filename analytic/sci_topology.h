// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "analytic/sci_components.h"

/// Which number of dimensions is best for a number of nodes [000 ch.6]. Tori have equal dimensions of n = N^(1/D)
/// nodes, where n may lie between whole numbers: that is how the papers extrapolate.
///
/// One-to-all multi-unicast is N - 1 times the average latency for all tori of N nodes: both have the same crossovers
/// and gains, so one function serves both (docs/analytic.md).
///
/// Every function throws std::domain_error if an argument is out of the range it states or is no finite number.
namespace ringmesh::analytic {

/// Numbers of nodes to compare, up to 1e6. Sizes below least_nodes() of the higher dimension are skipped.
struct SizeRange {
    double least = 2;
    double most = 1e6;
};

/// The number of nodes beyond which D + 1 dimensions have the lower average latency, for D from 1 to 3, by bisection on
/// [000 eq. 17] to 1e-9 of its value. Nothing if D is still at least as fast at the end of the range, or D + 1 is
/// faster from its start on.
std::optional<double> crossover(int dimensions, const Components& components, SizeRange range = {});

/// 2 (l_s - l_f) / (l_f + l_p), which is what crossover(1, ...) finds (docs/analytic.md). Components with l_f + l_p
/// above zero. Below 4, the smallest two-dimensional torus, it means that the torus is always faster.
double crossover_of_ring_and_torus(const Components& components);

/// How much slower D + 1 dimensions are than D at `nodes`, in percent of the average latency (of the multi-unicast
/// latency too); below zero if they are faster. D from 1 to 3, nodes from least_nodes(D + 1) to 1e6.
double penalty_percent(int dimensions, double nodes, const Components& components);

/// A latency known at one size, for example simulated.
struct SizedLatency {
    double nodes = 0;
    double latency_ns = 0;
};

struct BracketedCrossover {
    double nodes = 0;  ///< where the interpolated latencies are equal
    double below = 0;  ///< the sizes of either series that enclose it: no other size of the two lies between them
    double above = 0;
};

/// The crossover of two series, each with its own sizes and linear in log N between its points: the first size from
/// which `higher` is faster, if `lower` is at least as fast before it; nothing if no pair of sizes within the common
/// range encloses one. Each series has at least one point, sizes that rise, numbers above zero.
std::optional<BracketedCrossover> crossover(std::span<const SizedLatency> lower, std::span<const SizedLatency> higher);

struct BestTorus {
    int dimensions = 0;
    double latency_ns = 0;  ///< average
};

/// The best of 1 to 4 dimensions by [000 eq. 17], as far as each dimension has 2 nodes; the lower number if equal.
/// Nodes from 2 to 1e6.
BestTorus best_torus(double nodes, const Components& components);

/// By how many percent the best torus of the enhanced system is faster than the best of the current one: of average
/// latency and, being the same, of multi-unicast. Same range.
double gain_percent(double nodes, const Components& current, const Components& enhanced);

}  // namespace ringmesh::analytic
