// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analytic/sci_topology.h"
#include "lab/validation/wulfkit_parts.h"
#include "lab/whatif/study.h"

/// Chapter 6 of [000]: the crossovers of Table 2 and the gains of switching in half the time. The formulas with the
/// published components are judged by what was published, the simulation by the formulas at the sizes that were run.
namespace ringmesh::lab::wulfkit {
namespace {

/// Simulated averages are within a nanosecond of the formula. That moves a crossover by up to about a percent, because
/// per node the curves diverge by only 0.3 ns (3-D and 4-D) to 33 ns (1-D and 2-D).
constexpr double kCrossoverTolerance = 1;

/// A poll loop takes 10 ns, so a mean over n messages has a standard deviation of 10 / sqrt(12 n) ns. The components
/// come from the fewest messages; a tenth of a nanosecond in forwarding moves a crossover by half of the tolerance.
constexpr unsigned kMessages = 2000;

constexpr std::array kSystems{std::pair{Which::kCurrent, "current"}, std::pair{Which::kChanged, "enhanced"}};

/// Sizes on both sides of the crossovers below a thousand nodes.
const std::vector<SizedTorus>& tori()
{
    static const std::vector<SizedTorus> all = [] {
        const std::array<std::vector<unsigned>, kDimensions> nodes{{{6, 7, 8, 9, 10, 16, 17, 18, 19},
                                                                    {4, 9, 16, 25, 36, 49, 144, 169, 196},
                                                                    {27, 64, 125, 216, 343},
                                                                    {81, 256}}};
        std::vector<SizedTorus> tori;
        for (int dimensions = 1; dimensions <= kDimensions; ++dimensions) {
            for (const SizedTorus& torus : equal_tori(nodes[static_cast<std::size_t>(dimensions) - 1])) {
                if (torus.dimensions == dimensions) tori.push_back(torus);
            }
        }
        return tori;
    }();
    return all;
}

/// The papers' question, asked of their own machine.
WhatIf study()
{
    const ExperimentRequest current{
        .platform = "wulfkit-torus-2d", .overlays = {}, .settings = {}, .workload = {}, .seed = 1};
    ExperimentRequest changed = current;
    changed.overlays = {"half-switching"};
    return {System(current), System(changed), tori(), kMessages};
}

WhatIf evaluated(const Experiments& experiments)
{
    WhatIf done = study();
    done.evaluate(experiments);
    return done;
}

/// Tori with whole numbers of nodes at the sizes of the papers' gains.
struct GainShapes {
    int nodes;
    std::vector<std::vector<std::int64_t>> shapes;  ///< of the best numbers of dimensions
};
const std::vector<GainShapes>& gain_shapes()
{
    static const std::vector<GainShapes> all{{100, {{10, 10}, {4, 5, 5}}}, {1000, {{10, 10, 10}, {5, 5, 5, 8}}}};
    return all;
}

std::string gain_name(const char* system, const std::vector<std::int64_t>& shape)
{
    return fmt::format("wulfkit {} system on {}", system, fmt::join(shape, "x"));
}

analytic::Components published_components(Which which)
{
    return which == Which::kCurrent ? analytic::published_components(64_B) : analytic::enhanced_components(64_B);
}

/// By how many nodes the crossover moves if each component moves by half of its last printed digit. The halved
/// switching latency has half the uncertainty.
double rounding_of(int dimensions, Which which)
{
    const analytic::Components nominal = published_components(which);
    const double crossover = analytic::crossover(dimensions, nominal).value();
    const double switching_digit = which == Which::kCurrent ? 0.5 : 0.25;
    double most = 0;
    for (const double p : {-0.5, 0.5}) {
        for (const double f : {-0.5, 0.5}) {
            for (const double s : {-1, 1}) {
                analytic::Components moved = nominal;
                moved.propagation_ns += p;
                moved.forwarding_ns += f;
                moved.switching_ns += s * switching_digit;
                most = std::max(most, std::abs(analytic::crossover(dimensions, moved).value() - crossover));
            }
        }
    }
    return most;
}

std::string crossover_id(int dimensions, const char* system, const char* what)
{
    return fmt::format("wulfkit.crossover.{}d_{}d.{}.{}", dimensions, dimensions + 1, system, what);
}

Row formula_row(Row row, double formula, int dimensions, Which which)
{
    const double rounding = rounding_of(dimensions, which);
    row.analytic = formula;
    row.role = Role::kPrediction;
    row.tested = Tested::kFormula;
    row.tolerance_percent = percent_of(row.published.value(), rounding + 1);
    row.note += fmt::format(
        "; calculated: equation 17 with the published components and sizes between whole numbers; tolerance: one node, "
        "and {:.2f} that components rounded to 1 ns leave open",
        rounding);
    return row;
}

void add_published_crossovers(Rows& rows)
{
    rows.section("Crossovers by equation 17 with the published components, against Table 2");
    for (const auto& [which, system] : kSystems) {
        for (int dimensions = 1; dimensions < kDimensions; ++dimensions) {
            const analytic::Components components = published_components(which);
            const double formula = analytic::crossover(dimensions, components).value();
            rows.add(
                formula_row(published_as_row(crossover_id(dimensions, system, "average")), formula, dimensions, which));
            if (dimensions > 1) continue;
            Row closed = published_as_row(crossover_id(dimensions, system, "average"));
            closed.id = crossover_id(dimensions, system, "closed_form");
            closed = formula_row(closed, analytic::crossover_of_ring_and_torus(components), dimensions, which);
            closed.note = "2 (l_s - l_f) / (l_f + l_p), to which equation 17 can be solved here";
            rows.add(std::move(closed));
        }
    }
    rows.section("Crossovers of one-to-all multi-unicast, which is N - 1 times the average latency");
    for (const auto& [which, system] : kSystems) {
        for (int dimensions = 1; dimensions < kDimensions; ++dimensions) {
            const analytic::Components components = published_components(which);
            Row row = published_as_row(crossover_id(dimensions, system, "multi_unicast"));
            row.analytic = analytic::crossover(dimensions, components);
            row.tested = Tested::kFormula;
            const double penalty = analytic::penalty_percent(dimensions, row.published.value(), components);
            row.note += fmt::format(
                "; cannot follow from the papers' equations, in which both applications cross at the same size; at {} "
                "nodes {} dimensions are {} {:.1f} % {}",
                row.published.value(), dimensions + 1, penalty > 0 ? "still" : "already", std::abs(penalty),
                penalty > 0 ? "slower" : "faster");
            rows.add(std::move(row));
        }
    }
}

using Series = std::vector<analytic::SizedLatency>;

/// The formula at the simulated sizes.
Series formula_series(const WhatIf& study, int dimensions, Which which)
{
    Series series;
    for (const LatencyPoint& point : study.latencies) {
        if (point.torus.dimensions != dimensions) continue;
        series.push_back({static_cast<double>(point.torus.nodes), point.formula_ns.of(which).value()});
    }
    return series;
}

void add_simulated_crossovers(Rows& rows, const WhatIf& study)
{
    rows.section("Crossovers simulated, on lines in log N between the sizes that were run");
    for (const auto& [which, system] : kSystems) {
        for (const Crossover& crossover : study.crossovers) {
            const int dimensions = crossover.dimensions;
            const auto simulated = crossover.simulated.of(which);
            const auto formula = analytic::crossover(formula_series(study, dimensions, which),
                                                     formula_series(study, dimensions + 1, which));
            Row row = plain_row(
                crossover_id(dimensions, system, "simulated"),
                fmt::format("number of nodes above which {} dimensions are faster than {}; {}", dimensions + 1,
                            dimensions, which == Which::kCurrent ? "the testbed's cards" : "overlay half-switching"),
                "nodes");
            row.source = "[000 eq. 17, Table 2]";
            const double continuous = crossover.formula.of(which).value();
            if (!simulated && !formula) {
                row.analytic = continuous;
                row.note = fmt::format("no two sizes below a thousand nodes enclose it; published: {}",
                                       published(crossover_id(dimensions, system, "average")));
            } else {
                if (simulated) row.simulated = simulated->nodes;
                if (formula) row.analytic = formula->nodes;
                row.role = Role::kPrediction;
                row.tolerance_percent = kCrossoverTolerance;
                row.note = fmt::format(
                    "calculated: at the same sizes, with the components of the simulated machine (l_s {:.1f} ns); "
                    "between whole numbers {:.2f}; published: {}",
                    study.derived.of(which).components.switching_ns, continuous,
                    published(crossover_id(dimensions, system, "average")));
                if (simulated) row.note += fmt::format("; between {} and {}", simulated->below, simulated->above);
            }
            rows.add(std::move(row));
        }
    }
}

/// The best latency, averaged over all destinations.
double best(const Experiments& experiments, const char* system, const GainShapes& shapes)
{
    double least = std::numeric_limits<double>::infinity();
    for (const auto& shape : shapes.shapes) {
        least =
            std::min(least, result(experiments.outcome(gain_name(system, shape)), "latency_mean_ns", "size_bytes", 64));
    }
    return least;
}

void add_gains(Rows& rows, const Experiments& experiments, const WhatIf& study)
{
    rows.section("Gain of the best topology when switching takes half the time");
    const auto overhead = [&study](Which which) { return study.derived.of(which).components.overhead_ns; };
    const double saved = 2 * (overhead(Which::kCurrent) - overhead(Which::kChanged));
    for (const GainShapes& shapes : gain_shapes()) {
        const double current = best(experiments, "current", shapes);
        const double enhanced = best(experiments, "enhanced", shapes);
        const std::string note = fmt::format(
            "simulated: overlay half-switching, whole tori of 2 to 4 dimensions, its gain in overhead not counted; "
            "with it {:.1f} %",
            100 * (1 - enhanced / current));
        const double formula = analytic::gain_percent(shapes.nodes, published_components(Which::kCurrent),
                                                      published_components(Which::kChanged));
        for (const char* application : {"average", "multi_unicast"}) {
            const std::string id = fmt::format("wulfkit.enhanced.{}_gain_{}_nodes", application, shapes.nodes);
            const bool is_published = (shapes.nodes == 100) == (application == std::string_view("average"));
            Row row =
                is_published
                    ? published_as_row(id)
                    : plain_row(id,
                                fmt::format("gain when switching takes half the time; {} nodes, {}", shapes.nodes,
                                            application == std::string_view("average") ? "average latency"
                                                                                       : "one-to-all multi-unicast"),
                                "%");
            row.analytic = formula;
            row.simulated = 100 * (1 - (enhanced + saved) / current);
            if (!is_published) {
                row.source = "[000 eq. 17]";
                row.note = "the same number as for the other application, which differs by the factor N - 1 alone";
                if (shapes.nodes == 100) row.note += "; published: no real gain at medium sizes";
            }
            row.note += (row.note.empty() ? "" : "; ") + note;
            rows.add(std::move(row));
        }
    }
}

std::string simulated_text(const std::optional<analytic::BracketedCrossover>& crossover)
{
    if (!crossover) return "no two sizes";
    return fmt::format("{:.1f} ({:.0f} to {:.0f})", crossover->nodes, crossover->below, crossover->above);
}

}  // namespace

void plan_topologies(Experiments& experiments)
{
    const WhatIf asked = study();
    asked.plan(experiments);
    for (const auto& [which, system] : kSystems) {
        for (const GainShapes& shapes : gain_shapes()) {
            for (const auto& shape : shapes.shapes) {
                experiments.plan(gain_name(system, shape),
                                 asked.systems.of(which).with(shape, "latency-map:size=64,repetitions=1"));
            }
        }
    }
}

void add_topologies(Rows& rows, const Experiments& experiments)
{
    const WhatIf done = evaluated(experiments);
    add_published_crossovers(rows);
    add_simulated_crossovers(rows, done);
    add_gains(rows, experiments, done);
}

Report::Table table_2(const Experiments& experiments)
{
    const WhatIf done = evaluated(experiments);
    TextTable table({{"from D to D + 1 dimensions"},
                     {"published: average", Align::kRight, "nodes"},
                     {"multi-unicast", Align::kRight, "nodes"},
                     {"equation 17", Align::kRight, "nodes"},
                     {"with simulated components", Align::kRight, "nodes"},
                     {"simulated", Align::kRight, "nodes"}});
    for (const auto& [which, system] : kSystems) {
        for (const Crossover& crossover : done.crossovers) {
            const auto of_papers = [&, system = system](const char* application) {
                return fmt::format("{:.0f}", published(crossover_id(crossover.dimensions, system, application)));
            };
            table.row({fmt::format("{} to {}, {}", crossover.dimensions, crossover.dimensions + 1, system),
                       of_papers("average"), of_papers("multi_unicast"),
                       with_thousands(crossover.by_published_components.of(which).value(), 2),
                       with_thousands(crossover.formula.of(which).value(), 2),
                       simulated_text(crossover.simulated.of(which))});
        }
    }
    // The testbed's l_s without the half hop that equation 20 counts too much
    analytic::Components corrected = published_components(Which::kCurrent);
    corrected.switching_ns -= (corrected.forwarding_ns + corrected.propagation_ns) / 2;
    const auto with_corrected = [&corrected](int dimensions) {
        return with_thousands(analytic::crossover(dimensions, corrected).value(), 2);
    };
    return {"Table 2 of the papers: number of nodes from which another dimension is faster",
            std::move(table),
            {fmt::format("The current system crosses earlier than published because equation 20 is half a hop too "
                         "high: with l_s = {:.1f} ns, equation 17 gives {}, {} and {} nodes.",
                         corrected.switching_ns, with_corrected(1), with_corrected(2), with_corrected(3)),
             "Enhanced: published with l_s = 335 ns, simulated with overlay half-switching. Both applications have the "
             "same crossovers by the papers' equations."}};
}

}  // namespace ringmesh::lab::wulfkit
