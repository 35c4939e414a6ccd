// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <string>

#include "lab/validation/deck_parts.h"

/// ScaMPI and SCI-MPICH [002 IV.A, Fig. 6 to 8]. Their one software cost was calibrated on the Wulfkit ring by a
/// streaming test [000 ch.5]; all measurements on this cluster are predicted.
namespace ringmesh::lab::deck {
namespace {

struct Mpi {
    const char* name;
    const char* id;
};
constexpr std::array<Mpi, 2> kLibraries{{{"scampi", "scampi"}, {"sci-mpich", "scimpich"}}};
/// The papers describe only the protocols of the libraries: one model stands for two measured values, which are 10 and
/// 6 % apart, and its software cost in processor clocks is that of another machine.
constexpr double kMpiTolerance = 20;

/// The cycles of a call that give the streaming one-way figure of [000] without the check.
constexpr int kCallWithoutCheck = 2337;
constexpr const char* kNoCheck = "deck mpi scampi without check";

std::string ping_pong_name(const Mpi& library) { return fmt::format("deck mpi {}", library.id); }

}  // namespace

void plan_mpi(Experiments& experiments)
{
    for (const Mpi& library : kLibraries) {
        experiments.plan(
            ping_pong_name(library),
            over(library.name, request(fmt::format("ping-pong:sizes=0,{},repetitions=2,series=5", kLong))));
    }
    experiments.plan(kNoCheck, over(fmt::format("scampi:check=false,call={} cycles", kCallWithoutCheck),
                                    request("ping-pong:sizes=0,repetitions=20")));
}

void add_mpi(Rows& rows, const Experiments& experiments)
{
    rows.section("ScaMPI and SCI-MPICH");
    for (const Mpi& library : kLibraries) {
        const Outcome& outcome = experiments.outcome(ping_pong_name(library));
        Row latency = judged(published_as_row(fmt::format("deck.{}_min_latency", library.id)), Role::kPrediction,
                             kMpiTolerance, result(outcome, "latency_avg_ns", "size_bytes", 0) / 1e3);
        latency.note = "has set no number, but supports the check that ends a send: see the row without it";
        rows.add(std::move(latency));
        Row peak = judged(published_as_row(fmt::format("deck.{}_peak_bandwidth", library.id)), Role::kPrediction,
                          kMpiTolerance, result(outcome, "throughput_mb_per_s", "size_bytes", kLong));
        peak.note = "not blind: the chunk became 8 KiB after 32 KiB had given 85.2 MB/s here, for its time at 64 KiB";
        rows.add(std::move(peak));
    }
    Row unchecked = published_as_row("deck.scampi_min_latency");
    unchecked.id += "_no_check";
    unchecked.simulated = result(experiments.outcome(kNoCheck), "latency_avg_ns", "size_bytes", 0) / 1e3;
    unchecked.note =
        fmt::format("check = false, and the {} cycles of a call that give the one-way figure then", kCallWithoutCheck);
    rows.add(std::move(unchecked));
}

}  // namespace ringmesh::lab::deck
