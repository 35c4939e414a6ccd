// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <string>

#include "lab/validation/deck_parts.h"

/// ScaMPI and SCI-MPICH [002 IV.A, Fig. 6 to 8]. Their one software cost was set on the Wulfkit ring by a streaming test
/// [000 ch.5]; all that was measured on this cluster is predicted.
namespace ringmesh::lab::deck {
namespace {

struct Mpi {
    const char* workload;
    const char* id;
};
constexpr std::array<Mpi, 2> kLibraries{{{"scampi", "scampi"}, {"sci-mpich", "scimpich"}}};
constexpr std::int64_t kLong = 1024 * 1024;
/// The papers tell no more of either library than its protocols, and nothing of their software.
constexpr double kTolerance = 20;

std::string ping_pong_name(const Mpi& library) { return fmt::format("deck mpi {}", library.id); }

}  // namespace

void plan_mpi(Experiments& experiments)
{
    for (const Mpi& library : kLibraries) {
        experiments.plan(ping_pong_name(library),
                         request(fmt::format("mpi-ping-pong:library={},sizes=0,{},repetitions=2,series=5",
                                             library.workload, kLong)));
    }
}

void add_mpi(Rows& rows, const Experiments& experiments)
{
    rows.section("ScaMPI and SCI-MPICH");
    for (const Mpi& library : kLibraries) {
        const Outcome& outcome = experiments.outcome(ping_pong_name(library));
        rows.add(judged(published_as_row(fmt::format("deck.{}_min_latency", library.id)), Role::kPrediction, kTolerance,
                        result(outcome, "latency_avg_ns", "size_bytes", 0) / 1e3));
        rows.add(judged(published_as_row(fmt::format("deck.{}_peak_bandwidth", library.id)), Role::kPrediction,
                        kTolerance, result(outcome, "throughput_mb_per_s", "size_bytes", kLong)));
    }
}

}  // namespace ringmesh::lab::deck
