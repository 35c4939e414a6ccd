// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analytic/scc.h"
#include "lab/experiments.h"
#include "lab/validation/scc_parts.h"
#include "lab/validation/validation.h"

/// The SCC: reads and writes of one core on an idle chip [BF], beside the programmer's guide [PG]; and its other parts.
namespace ringmesh::lab {
namespace scc {

ExperimentRequest request(std::string workload, std::vector<std::string> settings, std::vector<std::string> overlays)
{
    return {.platform = "scc",
            .overlays = std::move(overlays),
            .settings = std::move(settings),
            .workload = std::move(workload),
            .seed = 1};
}

namespace {

constexpr const char* kBufferRead = "scc mpb read by distance";
constexpr const char* kBypassRead = "scc mpb read by distance, bypass";
constexpr const char* kBufferWrite = "scc mpb line write by distance";
constexpr const char* kMemoryRead = "scc memory read by distance";
constexpr const char* kContiguous = "scc cached read by size, contiguous pages";
constexpr const char* kRandom = "scc cached read by size, random pages";

constexpr std::string_view kLatency = "latency";
constexpr std::string_view kCaches = "caches";
constexpr std::string_view kPingPong = "ping-pong";
constexpr std::string_view kPartSizes = "part-sizes";
constexpr std::string_view kPipeSizes = "pipe-sizes";
constexpr std::string_view kBroadcasts = "broadcasts";
constexpr std::string_view kGrid = "grid";

constexpr double kTolerance = 3;  // percent, of the measured points
constexpr int kFarthest = 8;
constexpr int kFarthestMemory = 3;
/// Cycles missing in the guide's constants, by [BF]: the load, and the loop around it.
constexpr double kLoopOfBuffer = 7;
constexpr double kLoopOfMemory = 20;

ExperimentRequest probe(const std::string& workload, std::vector<std::string> settings = {})
{
    return request("memory-probe:" + workload, std::move(settings));
}

bool wanted(std::string_view part, std::string_view asked) { return asked.empty() || asked == part; }

void plan(Experiments& experiments, std::string_view part)
{
    if (wanted(kLatency, part)) {
        experiments.plan(kBufferRead, probe("target=mpb"));
        experiments.plan(kBypassRead, probe("target=mpb", {"mpb.bypass=true"}));
        experiments.plan(kBufferWrite, probe("target=mpb,operation=write,bytes=32"));
        experiments.plan(kMemoryRead, probe("target=memory"));
    }
    if (wanted(kCaches, part)) {
        const std::string walk = "target=cached,by=size,accesses=65536,sizes=8192,65536,131072..262144/32768,524288";
        experiments.plan(kContiguous, probe(walk, {"core.page_placement=contiguous"}));
        experiments.plan(kRandom, probe(walk));
    }
    // The longest parts first
    if (part == kGrid) plan_grid(experiments);
    if (wanted(kPartSizes, part)) plan_table(experiments, PublishedTable::kPartSizes);
    if (wanted(kBroadcasts, part)) plan_statements(experiments);
    if (wanted(kPipeSizes, part)) plan_table(experiments, PublishedTable::kPipeSizes);
    if (wanted(kPingPong, part)) plan_ping_pong(experiments);
}

void plan_full(Experiments& experiments, std::string_view part)
{
    if (wanted(kPartSizes, part)) plan_whole_table(experiments, PublishedTable::kPartSizes);
    if (wanted(kBroadcasts, part)) plan_long_statements(experiments);
    if (wanted(kPipeSizes, part)) plan_whole_table(experiments, PublishedTable::kPipeSizes);
    if (part.empty()) plan_grid(experiments);
}

double cycles(const Experiments& experiments, const char* name, int hops)
{
    return result(experiments.outcome(name), "mean_cycles", "hops", hops);
}

Row shown(std::string id, std::string quantity, double simulated, double analytic_number, std::string note)
{
    Row row = plain_row(std::move(id), std::move(quantity), "cycles");
    row.simulated = simulated;
    row.analytic = analytic_number;
    row.source = "[PG]";
    row.note = std::move(note);
    return row;
}

void add_buffer_reads(Rows& rows, const Experiments& experiments)
{
    rows.section("Reads of one dword of a message-passing buffer");
    for (int hops = 0; hops <= kFarthest; ++hops) {
        const std::string id = fmt::format("scc.mpb_read.hops{}", hops);
        const double simulated = cycles(experiments, kBufferRead, hops);
        const double guide = analytic::scc_buffer_read(kClocks, hops);
        if (hops == 1 || hops == kFarthest) {
            Row row =
                judged(published_as_row(id), hops == 1 ? Role::kCalibration : Role::kPrediction, kTolerance, simulated);
            row.analytic = guide;
            rows.add(std::move(row));
            continue;
        }
        rows.add(shown(id, fmt::format("read of a dword {} hops away", hops), simulated, guide,
                       hops == 0 ? "the own buffer, through the mesh interface and the own router" : ""));
    }
    rows.add(shown("scc.mpb_read.own_bypass", "read of a dword of the own buffer, bypass on",
                   cycles(experiments, kBypassRead, 0), analytic::scc_own_buffer_read(),
                   fmt::format("the guide leaves out about {} cycles of load and loop", kLoopOfBuffer)));
    const double slope =
        (cycles(experiments, kBufferRead, kFarthest) - cycles(experiments, kBufferRead, 0)) / kFarthest;
    rows.add(shown("scc.mpb_read.per_hop", "what one more hop adds to a read", slope, analytic::scc_hop(kClocks),
                   "4 mesh cycles a router and way; [BF] has (102 - 63) / 7 = 5.57"));
}

void add_writes(Rows& rows, const Experiments& experiments)
{
    rows.section("Writes of a line of 32 bytes to a message-passing buffer");
    Row near = judged(published_as_row("scc.mpb_write_line.hops1"), Role::kCalibration, kTolerance,
                      cycles(experiments, kBufferWrite, 1));
    rows.add(std::move(near));
    for (const int hops : {0, 4, kFarthest}) {
        Row row = plain_row(fmt::format("scc.mpb_write_line.hops{}", hops),
                            fmt::format("write of a line {} hops away", hops), "cycles");
        row.simulated = cycles(experiments, kBufferWrite, hops);
        rows.add(std::move(row));
    }
}

void add_memory(Rows& rows, const Experiments& experiments)
{
    rows.section("Reads of one dword of memory, uncached");
    for (int hops = 0; hops <= kFarthestMemory; ++hops) {
        const std::string id = fmt::format("scc.memory_read.hops{}", hops);
        const double simulated = cycles(experiments, kMemoryRead, hops);
        const double guide = analytic::scc_memory_read(kClocks, hops);
        if (hops == 0) {
            Row row = judged(published_as_row(id), Role::kCalibration, kTolerance, simulated);
            row.analytic = guide;
            row.note += fmt::format("; the guide leaves out about {} cycles of load and loop", kLoopOfMemory);
            rows.add(std::move(row));
            continue;
        }
        rows.add(shown(id, fmt::format("read of a dword, controller {} hops away", hops), simulated, guide, ""));
    }
}

Report::Table caches(const Experiments& experiments)
{
    TextTable table({{"buffer", Align::kRight, "KiB"},
                     {"pages contiguous", Align::kRight, "cycles"},
                     {"pages at random", Align::kRight, "cycles"}});
    const auto sizes = column(experiments.outcome(kContiguous), "size_bytes");
    const auto contiguous = column(experiments.outcome(kContiguous), "mean_cycles");
    const auto random = column(experiments.outcome(kRandom), "mean_cycles");
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        table.row({fmt::format("{:.0f}", sizes[i] / 1024), fmt::format("{:.1f}", contiguous.at(i)),
                   fmt::format("{:.1f}", random.at(i))});
    }
    return {"A read of each line of a buffer, over and over: where the second-level cache of 256 KiB ends",
            std::move(table),
            {"Pages of 4 KiB at random places share sets of the cache by chance, so that a buffer well below 256 KiB",
             "already misses."}};
}

Report evaluate(const Experiments& experiments, std::string_view part)
{
    Findings findings;
    if (wanted(kLatency, part)) {
        add_buffer_reads(findings.rows, experiments);
        add_writes(findings.rows, experiments);
        add_memory(findings.rows, experiments);
    }
    if (wanted(kCaches, part)) findings.tables.push_back(caches(experiments));
    if (wanted(kPingPong, part)) add_ping_pong(findings, experiments);
    if (wanted(kPartSizes, part)) add_table(findings, experiments, PublishedTable::kPartSizes);
    if (wanted(kPipeSizes, part)) add_table(findings, experiments, PublishedTable::kPipeSizes);
    if (wanted(kBroadcasts, part)) add_statements(findings, experiments);
    if (wanted(kGrid, part)) add_grid(findings, experiments);
    return {.machine = "scc",
            .title = "SCC: one core on an idle chip [BF], [PG]; RCCE and broadcasts on 48 cores [004]; 533/800/800 MHz",
            .rows = findings.rows.take(),
            .tables = std::move(findings.tables),
            .notes = {"Analytic: the programmer's guide, which [BF] found lower than the silicon by a constant.",
                      "Of broadcasts: their schedules with the guide's latencies, buffers in a cache or past it,",
                      "without contention, no closing barrier.",
                      "Clock, copies and version were chosen from all cells of 50000 and 190000 B in the two tables:",
                      "those test less than \"prediction\" says. Cells of 1900000 B have chosen nothing.",
                      "Cycles are the core's, 533.3 MHz; rows without a published number are for information.",
                      "The thesis timed its broadcasts in seconds of a clock declared as 1 GHz: a second is 10^9",
                      "core cycles, whatever they ran at."},
            .left_out = std::move(findings.left_out)};
}

}  // namespace
}  // namespace scc

Validation scc_validation()
{
    std::vector<std::string> parts;
    for (const auto part : {scc::kLatency, scc::kCaches, scc::kPingPong, scc::kPartSizes, scc::kPipeSizes,
                            scc::kBroadcasts, scc::kGrid}) {
        parts.emplace_back(part);
    }
    return {.machine = "scc",
            .parts = std::move(parts),
            .plan = &scc::plan,
            .evaluate = &scc::evaluate,
            .plan_full = &scc::plan_full};
}

}  // namespace ringmesh::lab
