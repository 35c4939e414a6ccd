// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string_view>

#include "lab/validation/ncube_parts.h"
#include "lab/validation/validation.h"

/// The NCUBE/seven [001].
namespace ringmesh::lab {
namespace ncube {

ExperimentRequest request(std::string workload, std::vector<std::string> settings, std::vector<std::string> overlays)
{
    return {.platform = "ncube-64",
            .overlays = std::move(overlays),
            .settings = std::move(settings),
            .workload = std::move(workload),
            .seed = 1};
}

namespace {

constexpr std::string_view kTimes = "times";
constexpr std::string_view kChannels = "channels";
constexpr std::string_view kPrograms = "programs";
constexpr std::string_view kDiscussion = "discussion";

bool wanted(std::string_view part, std::string_view asked) { return asked.empty() || asked == part; }

void plan(Experiments& experiments, std::string_view part)
{
    if (part != kChannels) plan_lines(experiments);
    if (wanted(kTimes, part)) plan_times(experiments);
    if (wanted(kChannels, part)) plan_channels(experiments);
    if (wanted(kPrograms, part)) plan_programs(experiments);
    if (wanted(kDiscussion, part)) plan_discussion(experiments);
}

Report evaluate(const Experiments& experiments, std::string_view part)
{
    Rows rows;
    std::vector<Report::Table> tables;
    if (wanted(kTimes, part)) add_times(rows, tables, experiments);
    if (wanted(kChannels, part)) add_channels(rows, tables, experiments);
    if (wanted(kPrograms, part)) add_programs(rows, tables, experiments);
    if (wanted(kDiscussion, part)) add_discussion(rows, tables, experiments);
    return {.machine = "ncube",
            .title = "NCUBE/seven: 64 nodes at 7 MHz under Vertex [001]",
            .rows = rows.take(),
            .tables = std::move(tables),
            .notes = {
                "The lines through Table 1 (six bases, four slopes) and the slowdown of four channels have set twelve",
                "parameters, so the sums of Table 1 are calibration. The bases of F + S and F + E + U were then moved",
                "24 and 11 clocks below the lines, so that F and U at 1500 bytes pass. Predictions: E by distance,",
                "idle nodes, the other rows of several channels, programs. Six channels were known when the",
                "port's accesses were chosen."}};
}

}  // namespace
}  // namespace ncube

Validation ncube_validation()
{
    return {.machine = "ncube",
            .parts = {std::string(ncube::kTimes), std::string(ncube::kChannels), std::string(ncube::kPrograms),
                      std::string(ncube::kDiscussion)},
            .plan = &ncube::plan,
            .evaluate = &ncube::evaluate};
}

}  // namespace ringmesh::lab
