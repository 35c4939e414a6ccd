// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "analytic/sci_ring.h"
#include "analytic/sci_topology.h"
#include "lab/validation/wulfkit_parts.h"

/// Numbers that [000] and [003] mention in passing, or extrapolate to sizes that were not built.
namespace ringmesh::lab::wulfkit {
namespace {

constexpr const char* kOneMetre = "wulfkit cable of 1 m";
constexpr const char* kTwoMetres = "wulfkit cable of 2 m";
constexpr const char* kFourBytes = "wulfkit ping-pong of 4 bytes";
constexpr const char* kLargeRing = "wulfkit requests on a ring of 1000";
constexpr int kLargeNodes = 1000;

/// 7 ns are 6.67 rounded: half of the last digit.
const double kPropagationTolerance = percent_of(7, 0.5);
/// Link clocks are given exactly.
constexpr double kLinkTolerance = 0.01;

/// Link time of a transaction on a two-node ring apart from the request: the response, and an echo for each of the two
/// [SCINET].
double rest_of_transaction_ns(Duration symbol_time)
{
    constexpr std::int64_t kEchoSymbols = 4;
    return analytic::send_time(analytic::packet_symbols(0_B) + 2 * kEchoSymbols, symbol_time).ns();
}

void add_link(Rows& rows, const Experiments& experiments)
{
    const Outcome& outcome = experiments.outcome(kOneMetre);
    const Duration symbol_time = analytic::symbol_time(3.2);
    const double busy = statistic(outcome, "node*.lc2", "link_busy") / statistic(outcome, "node*.psb", "blocks");
    Row row = judged(published_as_row("wulfkit.link.request_40_symbols"), Role::kPrediction, kLinkTolerance,
                     busy - rest_of_transaction_ns(symbol_time));
    row.analytic = analytic::send_time(analytic::packet_symbols(64_B), symbol_time).ns();
    row.note += "; simulated: the time that a link is busy for each transaction, less response and two echoes";
    rows.add(std::move(row));
}

void add_cable(Rows& rows, const Experiments& experiments)
{
    Row row = judged(published_as_row("wulfkit.component.propagation"), Role::kPrediction, kPropagationTolerance,
                     simulated_propagation(experiments));
    row.analytic = analytic::propagation_ns(1_m);
    row.note += "; simulated: a ping-pong over one metre more";
    rows.add(std::move(row));
}

void add_small_write(Rows& rows, const Experiments& experiments)
{
    Row row = published_as_row("wulfkit.remote_write_4B");
    row.simulated = result(experiments.outcome(kFourBytes), "latency_avg_ns", "size_bytes", 4) / 1e3;
    row.note += "; simulated: half the round trip of a ping-pong of 4 B, its poll loop included";
    rows.add(std::move(row));
}

void add_large_ring(Rows& rows, const Experiments& experiments)
{
    const Outcome& outcome = experiments.outcome(kLargeRing);
    const std::vector<double> destinations = column(outcome, "to");  // from node 0: the hops
    const std::vector<double> latencies = column(outcome, "latency_ns");
    const analytic::Components components = analytic::published_components(64_B);
    double largest = 0;
    for (std::size_t i = 0; i < latencies.size(); ++i) {
        const double formula =
            analytic::request_latency({.nodes = kLargeNodes, .hops = static_cast<int>(destinations[i])}, components);
        largest = std::max(largest, 100 * std::abs(latencies[i] / formula - 1));
    }
    Row claim = published_as_row("wulfkit.analytic.error_to_1000_nodes");
    claim.simulated = largest;
    claim.note += "; simulated: of equation 2 with the published components, over all destinations on a ring of 1000";
    rows.add(std::move(claim));

    Row average =
        judged(plain_row("wulfkit.request.1000.average", "latency of a request, average; ring of 1000", "ns"),
               Role::kPrediction, published("wulfkit.analytic.error_to_1000_nodes"),
               std::accumulate(latencies.begin(), latencies.end(), 0.0) / static_cast<double>(latencies.size()));
    average.analytic = analytic::average_latency(analytic::average_way(1, kLargeNodes), components);
    average.kind = "claim";
    average.source = "[000 eq. 17, 5.4]";
    average.note = "with the published components; the tolerance is the papers' own";
    rows.add(std::move(average));
}

}  // namespace

void plan_claims(Experiments& experiments)
{
    const auto ping_pong = [](int size, const char* cable) {
        return request(fmt::format("ping-pong:sizes={},repetitions=50,series=5", size),
                       {"topology.dimensions=2", fmt::format("cable.length={}", cable)});
    };
    experiments.plan(kOneMetre, ping_pong(64, "1 m"));
    experiments.plan(kTwoMetres, ping_pong(64, "2 m"));
    experiments.plan(kFourBytes, ping_pong(4, "1 m"));
    experiments.plan(kLargeRing,
                     request("latency-map:size=64,rows=pairs", {fmt::format("topology.dimensions={}", kLargeNodes)}));
}

double simulated_propagation(const Experiments& experiments)
{
    const auto latency = [&](const char* name) {
        return result(experiments.outcome(name), "latency_avg_ns", "size_bytes", 64);
    };
    return latency(kTwoMetres) - latency(kOneMetre);
}

void add_claims(Rows& rows, const Experiments& experiments)
{
    rows.section("What the papers say in passing");
    add_cable(rows, experiments);
    add_link(rows, experiments);
    add_small_write(rows, experiments);
    add_large_ring(rows, experiments);
}

}  // namespace ringmesh::lab::wulfkit
