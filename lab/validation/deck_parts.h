// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/experiments.h"
#include "lab/validation/report.h"
#include "lab/validation/rows.h"
#include "lab/validation/validation.h"

/// The parts of the validation of the DECK/SCI cluster. Each plans its experiments and makes rows from their results.
namespace ringmesh::lab::deck {

/// Bytes of the message whose throughput stands for all long ones.
inline constexpr std::int64_t kLong = 1024 * 1024;

/// A workload between neighbours on the cluster's ring.
ExperimentRequest request(std::string workload, std::vector<std::string> settings = {},
                          std::vector<std::string> overlays = {});

/// A row that is not judged, because the papers' numbers contradict each other or do not say what was measured.
Row shown(Row row, double simulated, double analytic_number);

/// Stores and loads of remote memory.
void plan_raw(Experiments& experiments);
void add_raw(Rows& rows, const Experiments& experiments);
Report::Table remote_reads(const Experiments& experiments);

/// DECK's three protocols.
void plan_protocols(Experiments& experiments);
void add_protocols(Rows& rows, const Experiments& experiments);

/// The times of the smallest and of a long message.
struct ProtocolLine {
    double latency_us = 0;
    double peak_mb_per_s = 0;
};
/// Of a protocol on the unchanged cluster, measured by plan_protocols.
ProtocolLine protocol_line(const Experiments& experiments, int protocol);
/// The size from which protocol 3 is faster, of two experiments over the same sizes; 0: from the first on; empty: at
/// none.
std::optional<double> crossover(const Outcome& protocol_2, const Outcome& protocol_3);

/// A message of protocol 2 and one of protocol 3 step by step, and the published figure that they support.
/// @pre of stages: plan_protocols has been called too
void plan_stages(Experiments& experiments);
std::vector<Report::Table> stages(const Experiments& experiments);

/// ScaMPI and SCI-MPICH.
void plan_mpi(Experiments& experiments);
void add_mpi(Rows& rows, const Experiments& experiments);

/// What-ifs: other cards, and the alternatives that the paper rejects.
void plan_alternatives(Experiments& experiments);
std::vector<Report::Table> alternatives(const Experiments& experiments);

/// The paper's figures, as curves.
void plan_curves(Experiments& experiments);
std::vector<CurvePoint> curves(const Experiments& experiments);

}  // namespace ringmesh::lab::deck
