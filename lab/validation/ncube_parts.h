// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "analytic/ncube.h"
#include "lab/experiments.h"
#include "lab/validation/report.h"
#include "lab/validation/rows.h"

/// The parts of the NCUBE's validation.
namespace ringmesh::lab::ncube {

inline constexpr std::array kSizes{16, 500, 1000, 1500, 2000};

ExperimentRequest request(std::string workload, std::vector<std::string> settings = {},
                          std::vector<std::string> overlays = {});

/// The report's tests with integer arithmetic underneath.
inline constexpr const char* kInteger = "ncube times, integer";

/// The experiments shared by several parts: the simulated lines and the sums.
void plan_lines(Experiments& experiments);
/// A quantity of such an experiment in microseconds: "E", "F_S".
double timed(const Experiments& experiments, const char* name, std::string_view quantity, int size);

/// The sums, the six values and their lines (Tables 1 to 3); E by distance; idle nodes.
void plan_times(Experiments& experiments);
void add_times(Rows& rows, std::vector<Report::Table>& tables, const Experiments& experiments);
/// The least-squares lines through the simulated values.
analytic::NcubeModel fitted(const Experiments& experiments);

/// Several channels active on one node.
void plan_channels(Experiments& experiments);
void add_channels(Rows& rows, std::vector<Report::Table>& tables, const Experiments& experiments);

/// Programs that the six times predict. @pre for all from here on: plan_lines
void plan_programs(Experiments& experiments);
void add_programs(Rows& rows, std::vector<Report::Table>& tables, const Experiments& experiments);

/// Topics of the report's discussion: unbuffered messages, natural prevention of deadlock.
void plan_discussion(Experiments& experiments);
void add_discussion(Rows& rows, std::vector<Report::Table>& tables, const Experiments& experiments);

}  // namespace ringmesh::lab::ncube
