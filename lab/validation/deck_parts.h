// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lab/experiments.h"
#include "lab/validation/report.h"
#include "lab/validation/rows.h"
#include "lab/validation/validation.h"

/// The parts of the validation of the DECK/SCI cluster. Each plans its experiments, and makes rows of what came out.
namespace ringmesh::lab::deck {

/// A workload between neighbours on the cluster's ring.
ExperimentRequest request(std::string workload, std::vector<std::string> settings = {},
                          std::vector<std::string> overlays = {});

/// A prediction judged by nothing: where the papers' numbers contradict each other, or do not say what was measured.
Row shown(Row row, double simulated, double analytic_number);

/// Stores and loads of remote memory.
void plan_raw(Experiments& experiments);
void add_raw(Rows& rows, const Experiments& experiments);
Report::Table remote_reads(const Experiments& experiments);

/// DECK's three protocols.
void plan_protocols(Experiments& experiments);
void add_protocols(Rows& rows, const Experiments& experiments);

/// What the smallest message and a long one cost.
struct ProtocolLine {
    double latency_us = 0;
    double peak_mb_per_s = 0;
};
/// Of a protocol on the cluster as it is, on which plan_protocols had it measured.
ProtocolLine protocol_line(const Experiments& experiments, int protocol);
/// The size from which on protocol 3 is faster, of two experiments over the same sizes; 0: from the first on; nothing:
/// up to the last not.
std::optional<double> crossover(const Outcome& protocol_2, const Outcome& protocol_3);

/// A message of protocol 2 and one of protocol 3 step by step, and which published figure that supports.
/// @pre of stages: plan_protocols has been called too
void plan_stages(Experiments& experiments);
std::vector<Report::Table> stages(const Experiments& experiments);

/// ScaMPI and SCI-MPICH.
void plan_mpi(Experiments& experiments);
void add_mpi(Rows& rows, const Experiments& experiments);

/// What other cards, and the ways that the paper argues against, would gain or lose.
void plan_alternatives(Experiments& experiments);
std::vector<Report::Table> alternatives(const Experiments& experiments);

/// The paper's figures, as curves.
void plan_curves(Experiments& experiments);
std::vector<CurvePoint> curves(const Experiments& experiments);

}  // namespace ringmesh::lab::deck
