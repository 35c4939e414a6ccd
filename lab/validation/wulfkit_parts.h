// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "analytic/sci_components.h"
#include "lab/experiments.h"
#include "lab/validation/report.h"
#include "lab/validation/rows.h"
#include "tlm/line_fit.h"

/// The parts of the validation of Wulfkit machines. Each plans its experiments and makes rows from their results.
namespace ringmesh::lab::wulfkit {

/// The message sizes over which the papers average components.
inline constexpr std::array<std::int64_t, 8> kSizes{64, 128, 192, 256, 320, 384, 448, 512};

/// Tolerance for a change of message size: the published slope has three digits.
inline constexpr double kSlopeTolerance = 3;
/// The published components are whole nanoseconds.
inline constexpr double kNanosecond = 1;

/// The components of the latency that the papers' method finds on simulated rings.
struct RingFindings {
    double propagation_ns = 0;          ///< as published
    std::vector<double> forwarding_ns;  ///< for each of kSizes
    std::vector<double> overhead_ns;    ///< likewise
    double hop_ns = 0;                  ///< at 64 B: forwarding and propagation
    double forwarding_mean_ns = 0;
    LineFit overhead;
    double straightness = 0;  ///< slope of the overhead over the smaller half of the sizes by that over the larger
};

/// The same for the testbed as a torus of 3x3.
struct TorusFindings {
    std::vector<double> equation_20_ns;  ///< switching latency for each of kSizes
    double equation_20_mean_ns = 0;
    double switching_ns = 0;           ///< the mean, less (l_f + l_p) / 2
    analytic::Components at_64_bytes;  ///< with the switching latency less (l_f + l_p) / 2
};

/// An experiment on rings or tori of Wulfkit cards.
ExperimentRequest request(std::string workload, std::vector<std::string> settings);

void plan_rings(Experiments& experiments);
RingFindings find_on_rings(const Experiments& experiments);
void add_rings(Rows& rows, const Experiments& experiments, const RingFindings& ring);

void plan_tori(Experiments& experiments);
TorusFindings find_on_torus(const Experiments& experiments, const RingFindings& ring);
/// Switching latency, and requests between all pairs of several tori.
void add_tori(Rows& rows, const Experiments& experiments, const RingFindings& ring, const TorusFindings& torus);

/// Numbers mentioned in passing: a link, a cable, a write of four bytes, a ring of a thousand nodes.
void plan_claims(Experiments& experiments);
void add_claims(Rows& rows, const Experiments& experiments);
/// The latency that one metre of cable adds to a ping-pong, in ns.
double simulated_propagation(const Experiments& experiments);

/// Table 2: the sizes from which another dimension is faster, and the gain of halving the switching latency.
void plan_topologies(Experiments& experiments);
void add_topologies(Rows& rows, const Experiments& experiments);
Report::Table table_2(const Experiments& experiments);

/// Latency on loaded rings and the load at which they saturate, by the closed form; the bottleneck of a saturated
/// torus.
void plan_load(Experiments& experiments);
void add_load(Rows& rows, const Experiments& experiments);

}  // namespace ringmesh::lab::wulfkit
