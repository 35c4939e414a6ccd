// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "analytic/sci/components.h"
#include "tlm/machine/torus_shape.h"

/// Which number of dimensions is best for a number of nodes [000 ch.6]. Tori have equal dimensions of n = N^(1/D)
/// nodes, where n may lie between whole numbers: that is how the papers extrapolate.
///
/// One-to-all multi-unicast is N - 1 times the average latency for all tori of N nodes: both have the same crossovers
/// and gains, so one function serves both (docs/reference/evidence/analytic.md).
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

/// 2 (l_s - l_f) / (l_f + l_p), which is what crossover(1, ...) finds (docs/reference/evidence/analytic.md). Components
/// with l_f
/// + l_p above zero. Below 4, the smallest two-dimensional torus, it means that the torus is always faster.
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
    double below = 0;  ///< the sizes of either series that enclose it: at none between them do the two differ
    double above = 0;
};

/// The crossover of two series, each with its own sizes and linear in log N between its points: the first of their
/// crossings() from which `higher` is faster; nothing if no pair of sizes within the common range encloses one. Each
/// series has at least one point, sizes that rise, numbers above zero.
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

/// The published closed-form latency of SCI tori of 1 to 4 dimensions without load [000 4.1, 4.2]: a torus of D
/// dimensions is made of unidirectional rings, n_1 to n_D nodes each, and a packet takes one ring after the other.
///
/// Derivations, and where the printed equations are in error: docs/reference/evidence/analytic.md. Not modelled: as in
/// analytic/sci/ring.h.
///
/// Every function throws std::domain_error if an argument is out of the range it states or is no finite number.

inline constexpr int kMostDimensions = 4;

/// The part of a path in one dimension.
struct DimensionPath {
    int nodes = 0;  ///< of a ring of this dimension, at least 2
    int hops = 0;   ///< of the request, from 0 (not used) to nodes - 1
};

// A path: 1 to 4 dimensions, at least one of them with hops.

/// [000 eq. 8], of which eq. 2, 4 and 6 are the cases of one and two dimensions: with h hops in all, u of the
/// dimensions used, 2 o + h l_p + (h - u) l_f + (u - 1) l_s.
double request_latency(std::span<const DimensionPath> path, const Components& components);

/// The same between two nodes. @throws std::domain_error if the torus has no such node
double request_latency(const TorusShape& torus, int from, int to, const Components& components);

/// [000 eq. 9], with eq. 3, 5 and 7: the same with n - h hops in each dimension that the request used.
double response_latency(std::span<const DimensionPath> path, const Components& components);

/// [000 eq. 1]
double transaction_latency(std::span<const DimensionPath> path, const Components& components);

/// Averages over all paths, with every node but the source equally often the destination.
struct AverageWay {
    double nodes = 0;        ///< of the torus
    double hops = 0;         ///< of a request, and of a response
    double switches = 0;     ///< changes of dimension
    double forwardings = 0;  ///< nodes passed along a ring
};

/// Exact for any torus of 1 to 4 dimensions with at least 2 nodes in each and up to 1e6 in all; sizes between whole
/// numbers are the papers' extrapolation. For equal sizes [000 eq. 14 to 16].
AverageWay average_way(std::span<const double> sizes);

/// The sizes of its dimensions, for average_way().
std::vector<double> sizes_of(const TorusShape& torus);

/// The torus of `nodes` in 1 to 4 equal dimensions, n = nodes^(1/D); from least_nodes() to 1e6 nodes.
AverageWay average_way(int dimensions, double nodes);

/// 2^D: a ring has at least 2 nodes. For 1 to 4 dimensions.
double least_nodes(int dimensions);

/// [000 eq. 10, 12]: hops of a request averaged by summing over all destinations, for 1 to 4 dimensions of equal whole
/// size from 2 to 64.
double summed_request_hops(int dimensions, int nodes_per_dimension);
/// [000 eq. 11, 13] as intended: n - h hops back in each dimension that the request used. Same range.
double summed_response_hops(int dimensions, int nodes_per_dimension);
/// [000 eq. 11, 13] as printed: the sums include h = 0, where no response is due. n = 8 gives 5.14 instead of 4. For
/// comparison only. Same range.
double summed_response_hops_as_printed(int dimensions, int nodes_per_dimension);

/// [000 eq. 17]: 2 o + hops l_p + forwardings l_f + switches l_s
double average_latency(const AverageWay& way, const Components& components);

/// One-to-all by unicasts one after the other [000 ch.6]: the sum of the request latencies to all other nodes, which is
/// nodes - 1 times the average.
double multi_unicast_latency(const AverageWay& way, const Components& components);

}  // namespace ringmesh::analytic
