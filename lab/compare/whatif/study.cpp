// SPDX-License-Identifier: Apache-2.0
#include "lab/compare/whatif/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "lab/study/catalog.h"
#include "lab/truth/ledger/published.h"
#include "platforms/files/catalog.h"
#include "tlm/torus_shape.h"

namespace ringmesh::lab {
namespace {

constexpr const char* kPingPong = "ping-pong:sizes=64,repetitions={},series=5,to={}";
constexpr const char* kMap = "latency-map:size=64,repetitions={}";

/// One message per pair is enough on large machines, where thousands of pairs average out the phase of the poll loops.
unsigned repetitions(unsigned nodes, unsigned messages) { return std::max(1U, messages / nodes); }

std::string name_of(Which which, const std::string& experiment)
{
    return fmt::format("{} system, {}", which == Which::kCurrent ? "current" : "changed", experiment);
}
std::string map_name(const SizedTorus& torus) { return fmt::format("latencies on {}", fmt::join(torus.sizes, "x")); }

constexpr const char* kOneHop = "one hop";
constexpr const char* kFourHops = "four hops";
constexpr const char* kOneRing = "torus, one ring";
constexpr const char* kTwoRings = "torus, two rings";

std::int64_t root(unsigned nodes, int dimensions)
{
    return std::llround(std::pow(static_cast<double>(nodes), 1.0 / dimensions));
}

std::int64_t power(std::int64_t base, int exponent)
{
    std::int64_t result = 1;
    for (int i = 0; i < exponent; ++i) result *= base;
    return result;
}

std::vector<analytic::SizedLatency> series(const std::vector<LatencyPoint>& points, int dimensions, Which which)
{
    std::vector<analytic::SizedLatency> all;
    for (const LatencyPoint& point : points) {
        if (point.torus.dimensions != dimensions) continue;
        all.push_back({.nodes = static_cast<double>(point.torus.nodes), .latency_ns = point.simulated_ns.of(which)});
    }
    return all;
}

double published(int dimensions, const char* system, const char* application)
{
    return published_for_testbed(
        fmt::format("wulfkit.crossover.{}d_{}d.{}.{}", dimensions, dimensions + 1, system, application));
}

}  // namespace

double published_for_testbed(std::string_view id)
{
    static const Published papers(find_study("wulfkit") / "published.csv");
    return papers.value(id);
}

std::vector<SizedTorus> equal_tori(const std::vector<unsigned>& nodes)
{
    const std::set<unsigned> sorted(nodes.begin(), nodes.end());
    std::vector<SizedTorus> tori;
    for (int dimensions = 1; dimensions <= kDimensions; ++dimensions) {
        for (const unsigned count : sorted) {
            const std::int64_t size = root(count, dimensions);
            if (size < TorusShape::kSmallestRing || power(size, dimensions) != count) continue;
            tori.push_back({dimensions, count, std::vector<std::int64_t>(static_cast<std::size_t>(dimensions), size)});
        }
    }
    return tori;
}

std::vector<unsigned> usual_sizes()
{
    constexpr unsigned kMost = 1024;
    std::vector<unsigned> sizes;
    for (unsigned n = 2; n <= 24; ++n) sizes.push_back(n);  // closely around the first crossover
    for (unsigned n = 5; n * n <= kMost; n += n < 16 ? 1 : 4) sizes.push_back(n * n);
    for (unsigned n = 2; n * n * n <= kMost; ++n) sizes.push_back(n * n * n);
    for (unsigned n = 2; n * n * n * n <= kMost; ++n) sizes.push_back(n * n * n * n);
    return sizes;
}

void WhatIf::plan(Experiments& experiments) const
{
    for (const Which which : kBoth) {
        const System& system = systems.of(which);
        const auto add = [&](const char* name, const std::vector<std::int64_t>& dimensions, int to) {
            experiments.plan(name_of(which, name),
                             system.with(dimensions, fmt::format(kPingPong, std::max(1U, messages_ / 4), to)));
        };
        if (system.has_equations()) {
            add(kOneHop, {2}, 1);
            add(kFourHops, {8}, 4);
            add(kOneRing, {3, 3}, 2);   // two hops there, one back
            add(kTwoRings, {3, 3}, 5);  // two hops on one ring and one on the other, there and back
        }
        for (const SizedTorus& torus : tori) {
            experiments.plan(name_of(which, map_name(torus)),
                             system.with(torus.sizes, fmt::format(kMap, repetitions(torus.nodes, messages_))));
        }
    }
}

void WhatIf::evaluate(const Experiments& experiments)
{
    for (const Which which : kBoth) {
        const System& system = systems.of(which);
        if (!system.has_equations()) continue;
        derived.of(which) = derive(which, experiments);
        stage_sum_ns.of(which) = stage_sum(system);
    }
    if (systems.current.has_equations()) ways_to_halve = remedies(systems.current);
    compare_latencies(experiments);
    find_crossovers();
    if (!has_equations()) return;
    for (const double nodes : {100.0, 1000.0}) {
        const auto& current = derived.current.components;
        const auto& changed = derived.changed.components;
        auto overhead_kept = changed;
        overhead_kept.overhead_ns = current.overhead_ns;
        gains.push_back({.nodes = nodes,
                         .best = {analytic::best_torus(nodes, current), analytic::best_torus(nodes, changed)},
                         .percent = analytic::gain_percent(nodes, current, changed),
                         .overhead_kept_percent = analytic::gain_percent(nodes, current, overhead_kept),
                         .published_components_percent = analytic::gain_percent(
                             nodes, analytic::published_components(64_B), analytic::enhanced_components(64_B))});
    }
}

Derived WhatIf::derive(Which which, const Experiments& experiments) const
{
    const auto latency = [&](const char* name) {
        return result(experiments.outcome(name_of(which, name)), "latency_avg_ns", "size_bytes", 64);
    };
    Derived found;
    analytic::Components& components = found.components;
    components.propagation_ns = systems.of(which).propagation_ns();
    components.overhead_ns = analytic::overhead_from_ping_pong(latency(kOneHop), components.propagation_ns);
    components.forwarding_ns =
        analytic::forwarding_from_ping_pongs(latency(kOneHop), latency(kFourHops), components.propagation_ns);
    found.switching_by_equation_20 =
        analytic::switching_from_ping_pongs(latency(kOneRing), latency(kTwoRings), components.propagation_ns);
    components.switching_ns =
        found.switching_by_equation_20 - (components.forwarding_ns + components.propagation_ns) / 2;
    return found;
}

void WhatIf::compare_latencies(const Experiments& experiments)
{
    for (const SizedTorus& torus : tori) {
        LatencyPoint point{.torus = torus, .formula_ns = {}, .simulated_ns = {}};
        const std::vector<double> sizes(torus.sizes.begin(), torus.sizes.end());
        for (const Which which : kBoth) {
            const Outcome& outcome = experiments.outcome(name_of(which, map_name(torus)));
            point.simulated_ns.of(which) = result(outcome, "latency_mean_ns", "size_bytes", 64);
            if (!systems.of(which).has_equations()) continue;
            point.formula_ns.of(which) =
                analytic::average_latency(analytic::average_way(sizes), derived.of(which).components);
        }
        latencies.push_back(std::move(point));
    }
}

void WhatIf::find_crossovers()
{
    const PerSystem<analytic::Components> papers{analytic::published_components(64_B),
                                                 analytic::enhanced_components(64_B)};
    for (int dimensions = 1; dimensions < kDimensions; ++dimensions) {
        Crossover row{.dimensions = dimensions,
                      .published_average = published(dimensions, "current", "average"),
                      .published_multicast = published(dimensions, "current", "multi_unicast"),
                      .enhanced_average = published(dimensions, "enhanced", "average"),
                      .enhanced_multicast = published(dimensions, "enhanced", "multi_unicast"),
                      .by_published_components = {},
                      .formula = {},
                      .simulated = {}};
        for (const Which which : kBoth) {
            row.by_published_components.of(which) = analytic::crossover(dimensions, papers.of(which));
            if (systems.of(which).has_equations()) {
                row.formula.of(which) = analytic::crossover(dimensions, derived.of(which).components);
            }
            const auto lower = series(latencies, dimensions, which);
            const auto higher = series(latencies, dimensions + 1, which);
            if (!lower.empty() && !higher.empty()) row.simulated.of(which) = analytic::crossover(lower, higher);
        }
        crossovers.push_back(row);
    }
}

double stage_sum(const System& system) { return analytic::switching_latency(system.stages(), system.switch_mode()); }

std::vector<Remedy> remedies(const System& system)
{
    constexpr std::array kOverlays{"blink-100MHz",        "blink-128bit", "blink-unlimited", "lc2-fast-fifos",
                                   "cut-through-receive", "cut-through",  kHalfSwitching};
    const auto known = platforms::list_overlays();
    std::vector<Remedy> all;
    for (const char* overlay : kOverlays) {
        const auto entry = std::ranges::find(known, overlay, &platforms::CatalogEntry::name);
        if (entry == known.end()) continue;  // a user's own platforms folder may lack it
        all.push_back({overlay, entry->description, stage_sum(system.overlaid(overlay))});
    }
    return all;
}

}  // namespace ringmesh::lab
