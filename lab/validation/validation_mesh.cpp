// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analytic/scc.h"
#include "lab/experiments.h"
#include "lab/validation/report.h"
#include "lab/validation/rows.h"
#include "lab/validation/validation.h"

/// Meshes under uniform traffic: flit by flit against another simulator [BOOKSIM2], and the two details against each
/// other.
namespace ringmesh::lab {
namespace {

/// The figures have three digits, and the details of arbitration differ between simulators.
constexpr double kSingleFlitTolerance = 2;
constexpr double kPacketTolerance = 5;
constexpr double kDetailTolerance = 2;

/// Practically no load: packets rarely contend.
constexpr double kNoLoad = 0.004;
constexpr std::array kLoads{kNoLoad, 0.1, 0.3};
constexpr std::array kFlits{1, 5};

/// Loads around saturation, which lies between the last one below it and the first one above.
constexpr std::array kNearSaturation{0.41, 0.42, 0.43, 0.44, 0.45};
constexpr double kStationaryPart = 0.95;  ///< accepted of what is offered
constexpr double kLate = 10;              ///< times the latency without load

/// Packets of the SCC's cores: lines of 32 bytes with their header.
constexpr int kLineFlits = 3;
constexpr std::array kChipLoads{0.02, 0.1, 0.2};

constexpr int kColumns = 8;
constexpr int kRows = 8;
constexpr int kRouterCycles = 5;
constexpr int kTerminalCycles = 2;

std::string peer_name(int flits, double load) { return fmt::format("mesh 8x8, {} flits at load {}", flits, load); }
std::string chip_name(double load, std::string_view detail)
{
    return fmt::format("mesh of the SCC at load {}, {}", load, detail);
}

ExperimentRequest request(std::string platform, std::string options, std::vector<std::string> settings = {})
{
    return {.platform = std::move(platform),
            .overlays = {},
            .settings = std::move(settings),
            .workload = "traffic:" + std::move(options),
            .seed = 1};
}

ExperimentRequest peer(int flits, double load, int cycles)
{
    return request("mesh-8x8", fmt::format("self=true,flits={},load={},duration={}cycles", flits, load, cycles));
}

void plan(Experiments& experiments, std::string_view)
{
    for (const int flits : kFlits) {
        // The same number of packets at each load
        for (const double load : kLoads) {
            experiments.plan(peer_name(flits, load), peer(flits, load, static_cast<int>(flits * 3'000 / load)));
        }
    }
    for (const double load : kNearSaturation) experiments.plan(peer_name(1, load), peer(1, load, 40'000));
    for (const double load : kChipLoads) {
        for (const char* detail : {"flit", "path"}) {
            experiments.plan(chip_name(load, detail),
                             request("scc",
                                     fmt::format("kind=mixed,flits={},load={},duration={}cycles", kLineFlits, load,
                                                 static_cast<int>(6'000 / load)),
                                     {fmt::format("mesh.detail={}", detail)}));
        }
    }
}

double only(const Outcome& outcome, std::string_view name) { return column(outcome, name).at(0); }

std::string load_id(double load, int flits)
{
    return fmt::format("mesh.{}.{}_flit{}", load == kNoLoad ? "zero_load" : fmt::format("load_{}", load), flits,
                       flits == 1 ? "" : "s");
}

void add_latencies(Rows& rows, const Experiments& experiments)
{
    rows.section("Latency of packets on an 8x8 mesh, from birth to the last flit");
    for (const int flits : kFlits) {
        for (const double load : kLoads) {
            const Outcome& outcome = experiments.outcome(peer_name(flits, load));
            Row row =
                judged(published_as_row(load_id(load, flits)), Role::kPrediction,
                       flits == 1 ? kSingleFlitTolerance : kPacketTolerance, only(outcome, "latency_mean_cycles"));
            if (load == kNoLoad) {
                row.analytic = analytic::mean_mesh_latency(kColumns, kRows, kRouterCycles, kTerminalCycles, flits);
            }
            row.note = fmt::format("ci95 {:.2f} cycles", only(outcome, "latency_ci95_cycles"));
            rows.add(std::move(row));
        }
    }
}

bool is_saturated(const Experiments& experiments, double load)
{
    const Outcome& outcome = experiments.outcome(peer_name(1, load));
    const double unloaded = only(experiments.outcome(peer_name(1, kNoLoad)), "latency_mean_cycles");
    return only(outcome, "accepted_part") < kStationaryPart || only(outcome, "latency_mean_cycles") > kLate * unloaded;
}

void add_saturation(Rows& rows, const Experiments& experiments)
{
    rows.section("Saturation of an 8x8 mesh");
    double below = 0;
    double above = 0;
    for (const double load : kNearSaturation) {
        if (!is_saturated(experiments, load)) {
            below = load;
        } else if (above == 0) {
            above = load;
        }
    }
    Row row = published_as_row("mesh.saturation.1_flit");
    row.analytic = analytic::mesh_capacity(kColumns, kRows);
    const std::string rule = fmt::format("; here: less than {:g} % accepted, or {:g} times the latency without load",
                                         100 * kStationaryPart, kLate);
    row.note += rule + "; the formula is a bound, of links that never idle";
    if (below > 0 && above > below)
        row = judged(std::move(row), Role::kPrediction, kPacketTolerance, (below + above) / 2);
    rows.add(std::move(row));
}

void add_details(Rows& rows, const Experiments& experiments)
{
    rows.section("The mesh of the SCC by path against flit by flit");
    for (const double load : kChipLoads) {
        const double flit = only(experiments.outcome(chip_name(load, "flit")), "latency_mean_cycles");
        const double path = only(experiments.outcome(chip_name(load, "path")), "latency_mean_cycles");
        Row row = plain_row(
            fmt::format("mesh.path_over_flit.load_{}", load),
            fmt::format("latency by path over that flit by flit; 6x4, {} flits, load {}", kLineFlits, load), "x");
        row.analytic = 1;
        row.note = fmt::format("{:.2f} and {:.2f} cycles", path, flit);
        rows.add(judged(std::move(row), Role::kPrediction, kDetailTolerance, path / flit));
    }
}

Report evaluate(const Experiments& experiments, std::string_view)
{
    Rows rows;
    add_latencies(rows, experiments);
    add_saturation(rows, experiments);
    add_details(rows, experiments);
    return {
        .machine = "mesh",
        .title = "Meshes of routers under uniform traffic, compared with another simulator [BOOKSIM2]",
        .rows = rows.take(),
        .tables = {},
        .notes = {"8x8, XY, 8 virtual channels of 8 flits, routers of four stages, links of one cycle; nodes send to "
                  "themselves, too. Loads are flits per node and cycle.",
                  "The settings are that simulator's own; channel_choice = per-output was chosen with the figures "
                  "known: per-input gives 37.0 instead of 36.9."}};
}

}  // namespace

Validation mesh_validation() { return {.machine = "mesh", .parts = {}, .plan = &plan, .evaluate = &evaluate}; }

}  // namespace ringmesh::lab
