// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "analytic/sci_components.h"
#include "analytic/sci_topology.h"
#include "lab/validation/wulfkit_parts.h"
#include "tlm/torus_shape.h"

/// Tori of Wulfkit cards against [000] and [003]: the switching latency by the papers' own experiment on their testbed,
/// and the equations for requests on tori of 1 to 4 dimensions, with components from small machines only.
namespace ringmesh::lab::wulfkit {
namespace {

/// A cycle of the B-Link, the coarsest step in which the sum of the stages can be wrong, is 20 ns of 670.
const double kSwitchingTolerance = percent_of(670, 20);
/// The published switching latency is one number for all sizes.
constexpr double kFlatnessTolerance = 1;
/// Without load, simulation and formula differ only by the phases of poll loops and bus clocks, some ten of four
/// thousand nanoseconds.
constexpr double kRequestTolerance = 1;

constexpr const char* kOneRing = "wulfkit torus ping-pong on one ring";
constexpr const char* kTwoRings = "wulfkit torus ping-pong over two rings";
constexpr const char* kOneWay = "wulfkit torus requests of node 0";
constexpr std::int64_t kSameRing = 1;   ///< one hop from node 0 of 3x3
constexpr std::int64_t kOtherRing = 4;  ///< one hop in either dimension

/// A torus whose requests between all pairs of nodes are compared one by one with equation 8.
struct Shape {
    std::vector<std::int64_t> sizes;
    int repetitions;
};

const std::vector<Shape>& shapes()
{
    static const std::vector<Shape> all{
        {{8}, 20}, {{64}, 1}, {{4, 8}, 5}, {{16, 16}, 1}, {{3, 4, 5}, 2}, {{6, 6, 6}, 1}, {{4, 4, 4, 4}, 1},
    };
    return all;
}

std::string text_of(const Shape& shape) { return TorusShape(shape.sizes).text(); }
std::string name_of(const Shape& shape) { return "wulfkit requests on " + text_of(shape); }

ExperimentRequest on_testbed(std::string workload)
{
    ExperimentRequest on_torus = request(std::move(workload), {});
    on_torus.platform = "wulfkit-torus-3x3";
    return on_torus;
}

double average_ping_pong(const Experiments& experiments, const char* name, std::int64_t size)
{
    return result(experiments.outcome(name), "latency_avg_ns", "size_bytes", size);
}

double equation_20_error(const RingFindings& ring) { return (ring.forwarding_mean_ns + ring.propagation_ns) / 2; }

double published_equation_20_error()
{
    return (published("wulfkit.component.forwarding") + published("wulfkit.component.propagation")) / 2;
}

void add_switching(Rows& rows, const Experiments& experiments, const RingFindings& ring, const TorusFindings& torus)
{
    const double published_ns = published("wulfkit.component.switching");
    rows.section("Switching latency by the papers' method: equation 20 on nine PCs as a torus of 3x3");
    rows.add(judged(published_as_row("wulfkit.component.switching"), Role::kPrediction, kSwitchingTolerance,
                    torus.equation_20_mean_ns));
    for (std::size_t i = 0; i < kSizes.size(); ++i) {
        Row row = judged(plain_row(fmt::format("wulfkit.component.switching_{}B", kSizes[i]),
                                   fmt::format("latency of a change of dimension, equation 20; {} B", kSizes[i]), "ns"),
                         Role::kPrediction, kSwitchingTolerance, torus.equation_20_ns[i]);
        row.analytic = published_ns;
        row.kind = "derived";
        row.source = "[000 eq. 20, Table 1]";
        row.note = "ping-pong over two rings (node 0 with 5) less that on one ring (0 with 2) less l_p";
        rows.add(std::move(row));
    }
    const auto [low, high] = std::ranges::minmax(torus.equation_20_ns);
    Row flat =
        judged(plain_row("wulfkit.switching.flatness",
                         "switching latency of the size with the largest by that of the size with the smallest", ""),
               Role::kPrediction, kFlatnessTolerance, high / low);
    flat.analytic = 1;
    flat.kind = "claim";
    flat.source = "[000 Table 1]";
    flat.note = "one number for all sizes: each 64-byte packet of a message is switched for itself";
    rows.add(std::move(flat));

    Row corrected = judged(plain_row("wulfkit.switching.corrected",
                                     "latency of a change of dimension, equation 20 less (l_f + l_p) / 2", "ns"),
                           Role::kPrediction, kSwitchingTolerance, torus.switching_ns);
    corrected.analytic = published_ns - published_equation_20_error();
    corrected.kind = "derived";
    corrected.source = "[000 eq. 20, Table 1]";
    corrected.note = "a ping of two hops on a ring of three comes back in one, which the equation takes for two";
    rows.add(std::move(corrected));

    const auto one_way = [&](std::int64_t to) { return result(experiments.outcome(kOneWay), "latency_ns", "to", to); };
    const double by_requests = one_way(kOtherRing) - one_way(kSameRing) - ring.propagation_ns;
    Row error = judged(plain_row("wulfkit.switching.equation_20_error",
                                 "equation 20 less the switching latency that requests one way show; 64 B", "ns"),
                       Role::kPrediction, percent_of(published_equation_20_error(), kNanosecond),
                       torus.equation_20_ns.front() - by_requests);
    error.analytic = published_equation_20_error();
    error.source = "[000 eq. 8, eq. 20]";
    error.note = "(l_f + l_p) / 2; one way from node 0 to 4 less 0 to 1 less l_p, which does not involve the way back";
    rows.add(std::move(error));

    Row stages = judged(plain_row("wulfkit.switching.stages", "latency of a change of dimension, one way; 64 B", "ns"),
                        Role::kPrediction, percent_of(published_ns, kNanosecond), by_requests);
    stages.analytic = analytic::switching_latency({}, analytic::SwitchMode::kStoreAndForward);
    stages.source = "[SCINET], [000 ch.4]";
    stages.note = "calculated: the sum of the stages of two LC-2 and the B-Link between them";
    rows.add(std::move(stages));
}

/// The pair farthest from equation 8, over all pairs of an outcome.
struct Comparison {
    std::size_t pairs = 0;
    double mean_ns = 0;
    unsigned worst_from = 0;
    unsigned worst_to = 0;
    double worst_formula_ns = 0;
    double worst_simulated_ns = 0;
};

double request_latency(const TorusShape& shape, unsigned from, unsigned to, const analytic::Components& components)
{
    std::vector<analytic::DimensionPath> path;
    for (unsigned d = 0; d < shape.dimensions(); ++d) {
        path.push_back(
            {.nodes = static_cast<int>(shape.size(d)), .hops = static_cast<int>(shape.distance(from, to, d))});
    }
    return analytic::request_latency(path, components);
}

Comparison compare(const Outcome& outcome, const TorusShape& shape, const analytic::Components& components)
{
    const std::vector<double> froms = column(outcome, "from");
    const std::vector<double> tos = column(outcome, "to");
    const std::vector<double> latencies = column(outcome, "latency_ns");
    Comparison found{.pairs = latencies.size()};
    double worst = -1;
    for (std::size_t i = 0; i < latencies.size(); ++i) {
        const auto from = static_cast<unsigned>(froms[i]);
        const auto to = static_cast<unsigned>(tos[i]);
        const double formula = request_latency(shape, from, to, components);
        const double deviation = std::abs(latencies[i] / formula - 1);
        found.mean_ns += latencies[i] / static_cast<double>(latencies.size());
        if (deviation <= worst) continue;
        worst = deviation;
        found.worst_from = from;
        found.worst_to = to;
        found.worst_formula_ns = formula;
        found.worst_simulated_ns = latencies[i];
    }
    return found;
}

void add_requests(Rows& rows, const Experiments& experiments, const analytic::Components& components)
{
    rows.section("Requests of 64 bytes without load, by equations 8 and 17 with components from the experiments above");
    for (const Shape& shape : shapes()) {
        const TorusShape torus(shape.sizes);
        const Comparison found = compare(experiments.outcome(name_of(shape)), torus, components);
        const std::string id = "wulfkit.request." + torus.text();
        const std::string pairs = fmt::format("{} pairs", found.pairs);
        Row worst = judged(plain_row(id + ".worst_pair",
                                     fmt::format("latency of a request; {}, of {} the one farthest from the equation",
                                                 torus.text(), pairs),
                                     "ns"),
                           Role::kPrediction, kRequestTolerance, found.worst_simulated_ns);
        worst.analytic = found.worst_formula_ns;
        worst.source = "[000 eq. 8]";
        worst.note = fmt::format("from node {} to {}", found.worst_from, found.worst_to);
        rows.add(std::move(worst));
        Row average = judged(
            plain_row(id + ".average", fmt::format("latency of a request, average; {}, {}", torus.text(), pairs), "ns"),
            Role::kPrediction, kRequestTolerance, found.mean_ns);
        average.analytic = analytic::average_latency(
            analytic::average_way(std::vector<double>(shape.sizes.begin(), shape.sizes.end())), components);
        average.source = "[000 eq. 17]";
        rows.add(std::move(average));
    }
}

/// Hops of a response are those of the request the other way.
void add_printed_equations(Rows& rows, const Experiments& experiments)
{
    constexpr int kRing = 8;
    const std::vector<double> hops = column(experiments.outcome(name_of(shapes().front())), "hops");
    rows.section("Equations 11 and 13 as printed");
    Row row = plain_row("wulfkit.equation_11.as_printed", "hops of a response, average; ring of 8", "");
    row.analytic = analytic::summed_response_hops_as_printed(1, kRing);
    row.simulated = std::accumulate(hops.begin(), hops.end(), 0.0) / static_cast<double>(hops.size());
    row.kind = "derived";
    row.source = "[000 eq. 11, eq. 13]";
    row.note = fmt::format("as printed the sums include h = 0, where no response is due; without it {:.2f}",
                           analytic::summed_response_hops(1, kRing));
    rows.add(std::move(row));
}

}  // namespace

void plan_tori(Experiments& experiments)
{
    const auto ping_pong = [](int to) {
        return on_testbed(fmt::format("ping-pong:sizes={}..{} step 64,repetitions=50,series=5,to={}", kSizes.front(),
                                      kSizes.back(), to));
    };
    experiments.plan(kOneRing, ping_pong(2));   // two hops there, one back
    experiments.plan(kTwoRings, ping_pong(5));  // two hops on one ring and one on the other, there and back
    experiments.plan(kOneWay, on_testbed("latency-map:size=64,repetitions=200,rows=pairs"));
    for (const Shape& shape : shapes()) {
        experiments.plan(
            name_of(shape),
            request(fmt::format("latency-map:size=64,rows=pairs,from=-1,repetitions={}", shape.repetitions),
                    {fmt::format("topology.dimensions=[{}]", fmt::join(shape.sizes, ", "))}));
    }
}

TorusFindings find_on_torus(const Experiments& experiments, const RingFindings& ring)
{
    TorusFindings found;
    for (const std::int64_t size : kSizes) {
        found.equation_20_ns.push_back(
            analytic::switching_from_ping_pongs(average_ping_pong(experiments, kOneRing, size),
                                                average_ping_pong(experiments, kTwoRings, size), ring.propagation_ns));
    }
    found.equation_20_mean_ns = std::accumulate(found.equation_20_ns.begin(), found.equation_20_ns.end(), 0.0) /
                                static_cast<double>(kSizes.size());
    found.switching_ns = found.equation_20_mean_ns - equation_20_error(ring);
    const double forwarding = ring.forwarding_ns.front();
    found.at_64_bytes = {.propagation_ns = ring.propagation_ns,
                         .forwarding_ns = forwarding,
                         .overhead_ns = ring.overhead_ns.front(),
                         .switching_ns = found.equation_20_ns.front() - (forwarding + ring.propagation_ns) / 2};
    return found;
}

void add_tori(Rows& rows, const Experiments& experiments, const RingFindings& ring, const TorusFindings& torus)
{
    add_switching(rows, experiments, ring, torus);
    add_requests(rows, experiments, torus.at_64_bytes);
    add_printed_equations(rows, experiments);
}

}  // namespace ringmesh::lab::wulfkit
