// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/experiments.h"
#include "lab/validation/report.h"

namespace ringmesh::lab {

/// A point of a curve over the size of messages or blocks.
struct CurvePoint {
    std::string figure;  ///< of the paper
    std::string curve;
    double size_bytes = 0;
    double latency_us = 0;  ///< of one message or block of this size
    double mb_per_s = 0;    ///< 10^6 bytes per second
};
/// figure,curve,size_bytes,latency_us,mb_per_s
std::string curves_csv(const std::vector<CurvePoint>& points);

/// The validation of one machine: its experiments and their evaluation.
struct Validation {
    std::string machine;
    std::vector<std::string> parts;  ///< that can be selected with --part
    /// @param part one of `parts`; empty for all
    void (*plan)(Experiments& experiments, std::string_view part);
    Report (*evaluate)(const Experiments& experiments, std::string_view part);
    /// Plans long experiments, if any: `evaluate` makes rows of those that have run and lists the others as left out.
    /// @param part as above
    void (*plan_full)(Experiments& experiments, std::string_view part) = nullptr;
    /// The papers' curves over size, if any: planned on request.
    void (*plan_curves)(Experiments& experiments) = nullptr;
    std::vector<CurvePoint> (*curves)(const Experiments& experiments) = nullptr;
};

/// In the order in which they are reported.
const std::vector<Validation>& validations();

/// [000], [003]: rings of Wulfkit cards.
Validation wulfkit_validation();
/// [002]: the DECK/SCI cluster.
Validation deck_validation();
/// [BF], [PG]: the SCC chip.
Validation scc_validation();
/// [BOOKSIM2]: meshes of routers under uniform traffic.
Validation mesh_validation();
/// [001]: the NCUBE/seven under Vertex.
Validation ncube_validation();

}  // namespace ringmesh::lab
