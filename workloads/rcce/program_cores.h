// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tlm/parameters.h"
#include "tlm/scc/scc_machine.h"

/// What workloads over RCCE have in common.
namespace ringmesh::workloads::rcce {

inline constexpr std::int64_t kMostCores = 1'000'000;

/// The option `cores`: how many run the program, from core 0 on.
void visit_cores(ParameterVisitor& visitor, std::string& cores);
inline constexpr std::string_view kAllCores = "all";
/// @param cores the option's value @throws UserError if it is neither a number nor kAllCores
unsigned program_cores(const SccMachine& machine, const std::string& cores);
/// @throws ModelError naming the first of these cores whose program did not end
void require_finished(SccMachine& machine, std::size_t cores, std::string_view workload);
/// Of one core cycle; precise where a picosecond is not.
double cycle_ns(const SccProcessor& core);

}  // namespace ringmesh::workloads::rcce
