// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/validation/deck_parts.h"
#include "lab/validation/validation.h"

namespace ringmesh::lab {
namespace deck {

ExperimentRequest request(std::string workload, std::vector<std::string> settings, std::vector<std::string> overlays)
{
    return {.platform = "deck-cluster",
            .overlays = std::move(overlays),
            .settings = std::move(settings),
            .workload = std::move(workload) + ",from=0,to=1",
            .seed = 1};
}

Row shown(Row row, double simulated, double analytic_number)
{
    row.role = Role::kInformation;
    row.simulated = simulated;
    row.analytic = analytic_number;
    return row;
}

namespace {

constexpr std::string_view kRaw = "raw";
constexpr std::string_view kProtocols = "protocols";
constexpr std::string_view kMpi = "mpi";
constexpr std::string_view kAlternativesPart = "alternatives";

void plan(Experiments& experiments, std::string_view part)
{
    const bool all = part.empty();
    if (all || part == kRaw) plan_raw(experiments);
    if (all || part == kProtocols) plan_protocols(experiments);
    if (all || part == kProtocols) plan_stages(experiments);
    if (all || part == kMpi) plan_mpi(experiments);
    if (all || part == kAlternativesPart) plan_alternatives(experiments);
}

Report evaluate(const Experiments& experiments, std::string_view part)
{
    const bool all = part.empty();
    Rows rows;
    std::vector<Report::Table> tables;
    if (all || part == kRaw) {
        add_raw(rows, experiments);
        tables.push_back(remote_reads(experiments));
    }
    if (all || part == kProtocols) {
        add_protocols(rows, experiments);
        for (Report::Table& table : stages(experiments)) tables.push_back(std::move(table));
    }
    if (all || part == kMpi) add_mpi(rows, experiments);
    if (all || part == kAlternativesPart) {
        for (Report::Table& table : alternatives(experiments)) tables.push_back(std::move(table));
    }
    return {
        .machine = "deck",
        .title = "DECK/SCI: four PCs with D312 cards, three protocols and two MPIs [002]",
        .rows = rows.take(),
        .tables = std::move(tables),
        .notes = {
            "Of the published 8.56 us, 9.82 us and 1024 B no model can meet all three; the stages of protocol 3 say "
            "which they support.",
            "Bandwidths are in 10^6 bytes per second; the paper does not say whether its MB are these or 2^20 "
            "bytes, which are 4.9 % more.",
            "Ping-pongs are between neighbours on a ring of four: one hop there, three back."}};
}

}  // namespace
}  // namespace deck

Validation deck_validation()
{
    std::vector<std::string> parts;
    for (const auto part : {deck::kRaw, deck::kProtocols, deck::kMpi, deck::kAlternativesPart})
        parts.emplace_back(part);
    return {.machine = "deck",
            .parts = std::move(parts),
            .plan = &deck::plan,
            .evaluate = &deck::evaluate,
            .plan_curves = &deck::plan_curves,
            .curves = &deck::curves};
}

}  // namespace ringmesh::lab
