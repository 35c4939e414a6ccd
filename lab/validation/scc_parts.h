// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analytic/scc.h"
#include "lab/experiments.h"
#include "lab/published_broadcast.h"
#include "lab/validation/report.h"
#include "lab/validation/rows.h"
#include "workloads/rcce/options.h"

/// The parts of the validation of the SCC that are about RCCE and broadcasts [004]. Each plans its experiments, long
/// ones separately, and makes rows of those that have run. Libraries and machine have their defaults.
namespace ringmesh::lab::scc {

/// The output of the parts.
struct Findings {
    Rows rows;
    std::vector<Report::Table> tables;
    std::vector<std::string> left_out;
};

/// Of the platform's default preset.
inline constexpr analytic::SccClocks kClocks{.core = Frequency::hertz(533'333'333), .mesh = 800_MHz, .memory = 800_MHz};
/// Maximum payload of a handshake of RCCE 1.1 between 48 cores, in bytes.
inline constexpr std::int64_t kPayload = 8032;

/// Bytes that a load or store of a copy moves, by the libraries' defaults.
/// Over which library the thesis ran an algorithm.
inline std::string library_for(std::string_view algorithm) { return algorithm == "dopl" ? "ircce" : "rcce"; }

inline int rcce_width() { return static_cast<int>(workloads::rcce::LibraryOptions{}.copy_width); }
inline int ircce_width() { return static_cast<int>(workloads::rcce::LibraryOptions{}.ircce_copy_width); }

ExperimentRequest request(std::string workload, std::vector<std::string> settings = {},
                          std::vector<std::string> overlays = {});

/// Round trips by distance and size [004 3.2].
void plan_ping_pong(Experiments& experiments);
void add_ping_pong(Findings& findings, const Experiments& experiments);

/// A published table of broadcasts beside the model's.
enum class PublishedTable : std::uint8_t {
    kPartSizes,  ///< Cube [004 5.5]
    kPipeSizes,  ///< DOPL [004 6.3]
};
struct TableInfo {
    std::string_view word;  ///< of the algorithm
    std::string_view cut;   ///< what is varied
    std::string options;    ///< what the workload needs to be the table's program
    std::string title;
    std::string_view source;
    std::span<const PublishedTime> times;
};
TableInfo info_of(PublishedTable which);
void plan_table(Experiments& experiments, PublishedTable which);
void plan_whole_table(Experiments& experiments, PublishedTable which);
void add_table(Findings& findings, const Experiments& experiments, PublishedTable which);

/// The thesis' statements about its curves [004 ch. 7].
void plan_statements(Experiments& experiments);
void plan_long_statements(Experiments& experiments);
void add_statements(Findings& findings, const Experiments& experiments);

/// Both tables for the settings of machine and libraries that the thesis does not state.
void plan_grid(Experiments& experiments);
void add_grid(Findings& findings, const Experiments& experiments);

}  // namespace ringmesh::lab::scc
