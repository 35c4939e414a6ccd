// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "analytic/scc.h"
#include "lab/validation/scc_parts.h"
#include "lab/validation/time_curve.h"

/// Messages of RCCE between two cores, by distance and size [004 3.2].
namespace ringmesh::lab::scc {
namespace {

/// The thesis states the clocks of its cores and memory, but not of its mesh.
struct Clocks {
    const char* name;  ///< in ids
    const char* overlay;
    const char* text;
};
constexpr std::array<Clocks, 3> kClockings{{{"533_800_800", nullptr, "533/800/800 MHz"},
                                            {"800_800_1066", "thesis-mesh-800", "800/800/1066 MHz"},
                                            {"800_1600_1066", "thesis-mesh-1600", "800/1600/1066 MHz"}}};

/// Sizes around which a message needs one more handshake.
struct Payload {
    const char* version;
    std::int64_t bytes;
    const char* sizes;
};
constexpr std::array<Payload, 2> kPayloads{
    {{"1.1", kPayload, "7904..8160 step 32"}, {"1.0.13", 5024, "4896..5152 step 32"}}};

constexpr double kSmallest = 256;  // bytes; the text's ordering begins there
constexpr std::int64_t kShown = 4096;
constexpr const char* kTime = "round_trip_min_cycles";

std::string name_of(const Clocks& clocks) { return fmt::format("scc ping-pong at {}", clocks.text); }
std::string name_of(const Payload& payload) { return fmt::format("scc ping-pong of RCCE {}", payload.version); }

using ByDistance = std::map<double, double>;  // cycles by hops
std::map<double, ByDistance> by_size(const Outcome& outcome)
{
    const auto hops = column(outcome, "hops");
    const auto sizes = column(outcome, "size_bytes");
    const auto times = column(outcome, kTime);
    std::map<double, ByDistance> all;
    for (std::size_t i = 0; i < sizes.size(); ++i) all[sizes[i]][hops.at(i)] = times.at(i);
    return all;
}

bool grows(const ByDistance& times)
{
    return std::adjacent_find(times.begin(), times.end(), [](const auto& nearer, const auto& farther) {
               return farther.second <= nearer.second;
           }) == times.end();
}

void add_distance(Findings& findings, const Clocks& clocks, const std::map<double, ByDistance>& all)
{
    std::size_t holds = 0;
    std::size_t cases = 0;
    for (const auto& [size, times] : all) {
        if (size < kSmallest) continue;
        ++cases;
        if (grows(times)) ++holds;
    }
    Row row = statement(
        fmt::format("scc.ping_pong.distance.{}", clocks.name),
        fmt::format("sizes from 256 to 8192 B at which a ping-pong takes longer over 0, 1, 3, 5 and 8 hops in turn; {}",
                    clocks.text),
        holds, cases);
    row.source = "[004 3.2]";
    row.note = "least round trips";
    findings.rows.add(std::move(row));
}

void add_formula(Findings& findings, const ByDistance& times)
{
    const auto costs = analytic::scc_message_costs(kClocks, analytic::scc_hitting_copies(rcce_width()), kPayload);
    for (const auto& [hops, time] : times) {
        Row row = plain_row(fmt::format("scc.ping_pong.{}B.hops{}", kShown, hops),
                            fmt::format("round trip of {} B over {} hops", kShown, hops), "cycles");
        row.simulated = time;
        row.analytic = analytic::scc_ping_pong(costs, kShown, hops);
        row.source = "[PG]";
        row.note = "analytic: the guide's latencies; all that is copied lies in first-level caches";
        findings.rows.add(std::move(row));
    }
}

void add_payload(Findings& findings, const Experiments& experiments, const Payload& payload)
{
    Row row =
        plain_row(fmt::format("scc.ping_pong.payload.{}", payload.version),
                  fmt::format("size after which one more line costs most, RCCE {}, 48 cores", payload.version), "B");
    row.published = static_cast<double>(payload.bytes);
    row.kind = "derived";
    row.source = "[RCCE]";
    row.note = "one more handshake";
    findings.rows.add(judged(std::move(row), Role::kPrediction, 0,
                             rises_after(time_curve(experiments.outcome(name_of(payload)), kTime)).value_or(0)));
}

Report::Table round_trips(const std::map<double, ByDistance>& all)
{
    std::vector<TableColumn> columns{{"message", Align::kRight, "bytes"}};
    for (const auto& [hops, time] : all.begin()->second) {
        columns.push_back({fmt::format("{} {}", hops, hops == 1 ? "hop" : "hops"), Align::kRight, "cycles"});
    }
    TextTable table(std::move(columns));
    for (const double size : {32, 256, 512, 1024, 2048, 4096, 7936, 8192}) {
        const ByDistance& times = all.at(size);
        std::vector<std::string> cells{fmt::format("{}", size)};
        for (const auto& [hops, time] : times) cells.push_back(fmt::format("{:.0f}", time));
        table.row(std::move(cells));
    }
    return {fmt::format("RCCE: least round trips of core 0, {}", kClockings[0].text), std::move(table), {}};
}

}  // namespace

void plan_ping_pong(Experiments& experiments)
{
    for (const Clocks& clocks : kClockings) {
        std::vector<std::string> overlays;
        if (clocks.overlay != nullptr) overlays.emplace_back(clocks.overlay);
        experiments.plan(name_of(clocks),
                         request("ping-pong:sizes=32,256..8192 step 256,series=5", {}, std::move(overlays)));
    }
    for (const Payload& payload : kPayloads) {
        experiments.plan(name_of(payload), over(fmt::format("rcce:version={}", payload.version),
                                                request(fmt::format("ping-pong:to=1,sizes={}", payload.sizes))));
    }
}

void add_ping_pong(Findings& findings, const Experiments& experiments)
{
    findings.rows.section("RCCE: ping-pong by distance, and where a message needs one more handshake");
    const auto all = by_size(experiments.outcome(name_of(kClockings[0])));
    for (const Clocks& clocks : kClockings) {
        add_distance(findings, clocks, by_size(experiments.outcome(name_of(clocks))));
    }
    for (const Payload& payload : kPayloads) add_payload(findings, experiments, payload);
    add_formula(findings, all.at(kShown));
    findings.tables.push_back(round_trips(all));
}

}  // namespace ringmesh::lab::scc
