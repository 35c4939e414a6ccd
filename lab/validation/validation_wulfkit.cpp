// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/validation/validation.h"
#include "lab/validation/wulfkit_parts.h"

namespace ringmesh::lab {
namespace wulfkit {

ExperimentRequest request(std::string workload, std::vector<std::string> settings)
{
    return {.platform = "wulfkit-ring",
            .overlays = {},
            .settings = std::move(settings),
            .workload = std::move(workload),
            .seed = 1};
}

namespace {

std::string range_of(const std::vector<double>& by_size)
{
    const auto [low, high] = std::minmax_element(by_size.begin(), by_size.end());
    return fmt::format("{:.1f} to {:.1f}", *low, *high);
}

Report::Table table_1(const RingFindings& ring, const TorusFindings& torus, double propagation_ns)
{
    const double propagation = published("wulfkit.component.propagation");
    const double forwarding = published("wulfkit.component.forwarding");
    const double switching = published("wulfkit.component.switching");
    TextTable table(
        {{"component"}, {"published", Align::kRight, "ns"}, {"simulated", Align::kRight, "ns"}, {"over 64 to 512 B"}});
    table.row({"propagation l_p", fmt::format("{:.0f}", propagation), fmt::format("{:.2f}", propagation_ns),
               "64 B over one metre more; the equations take it as published, as in the papers"});
    table.row({"forwarding l_f", fmt::format("{:.0f}", forwarding), fmt::format("{:.1f}", ring.forwarding_mean_ns),
               range_of(ring.forwarding_ns)});
    table.row({"switching l_s, equation 20", fmt::format("{:.0f}", switching),
               fmt::format("{:.1f}", torus.equation_20_mean_ns), range_of(torus.equation_20_ns)});
    table.row({"switching l_s, less (l_f + l_p) / 2", fmt::format("{:.1f}", switching - (forwarding + propagation) / 2),
               fmt::format("{:.1f}", torus.switching_ns), "the excess of equation 20 on rings of three"});
    table.row({"overhead o, 64 B", with_thousands(published("wulfkit.component.overhead_64B"), 0),
               with_thousands(ring.overhead_ns.front(), 1),
               fmt::format("{} + {:.2f} (m - 64)", with_thousands(ring.overhead.at(64), 1), ring.overhead.slope)});
    return {"Table 1 of the papers: o(m) = 2085 + 11.6 (m - 64) ns", std::move(table), {}};
}

constexpr std::string_view kRings = "rings";
constexpr std::string_view kTori = "tori";
constexpr std::string_view kTopologies = "topologies";
constexpr std::string_view kLoad = "load";
constexpr std::string_view kClaims = "claims";

void plan(Experiments& experiments, std::string_view part)
{
    const bool all = part.empty();
    if (all || part == kRings || part == kTori) plan_rings(experiments);  // tori need the rings' components
    if (all || part == kTori) plan_tori(experiments);
    if (all || part == kTopologies) plan_topologies(experiments);
    if (all || part == kLoad) plan_load(experiments);
    if (all || part == kClaims) plan_claims(experiments);
}

Report evaluate(const Experiments& experiments, std::string_view part)
{
    const bool all = part.empty();
    Rows rows;
    std::vector<Report::Table> tables;
    if (all || part == kRings || part == kTori) {
        const RingFindings ring = find_on_rings(experiments);
        if (part != kTori) add_rings(rows, experiments, ring);
        if (part != kRings) {
            const TorusFindings torus = find_on_torus(experiments, ring);
            add_tori(rows, experiments, ring, torus);
            if (all) tables.push_back(table_1(ring, torus, simulated_propagation(experiments)));
        }
    }
    if (all || part == kTopologies) {
        add_topologies(rows, experiments);
        tables.push_back(table_2(experiments));
    }
    if (all || part == kLoad) add_load(rows, experiments);
    if (all || part == kClaims) add_claims(rows, experiments);
    return {.machine = "wulfkit",
            .title = "Wulfkit: SCI rings and tori of PCs [000], [003]",
            .rows = rows.take(),
            .tables = std::move(tables),
            .notes = {"Latencies are the smallest of five series of 50 repetitions, as in the papers; hop time, "
                      "forwarding and switching come from the averages,",
                      "because here only the phases of the poll loops vary, to both sides alike."}};
}

}  // namespace
}  // namespace wulfkit

Validation wulfkit_validation()
{
    std::vector<std::string> parts;
    for (const auto part : {wulfkit::kRings, wulfkit::kTori, wulfkit::kTopologies, wulfkit::kLoad, wulfkit::kClaims})
        parts.emplace_back(part);
    return {.machine = "wulfkit", .parts = std::move(parts), .plan = &wulfkit::plan, .evaluate = &wulfkit::evaluate};
}

}  // namespace ringmesh::lab
