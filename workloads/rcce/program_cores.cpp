// SPDX-License-Identifier: Apache-2.0
#include "workloads/rcce/program_cores.h"

#include <fmt/format.h>

#include "tlm/error.h"

namespace ringmesh::workloads::rcce {

void visit_cores(ParameterVisitor& visitor, std::int64_t& cores)
{
    visitor.field({"cores", "that run the program, from core 0 on; 0: all of the machine", assumed()}, cores,
                  {0, kMostCores});
}

unsigned program_cores(const SccMachine& machine, std::int64_t cores)
{
    return cores == 0 ? machine.nodes() : static_cast<unsigned>(cores);
}

void require_finished(SccMachine& machine, std::size_t cores, std::string_view workload)
{
    for (unsigned core = 0; core < cores; ++core) {
        if (machine.processor(core).finished()) continue;
        throw ModelError(fmt::format("{}: the program of core {} did not end", workload, core));
    }
}

double cycle_ns(const SccProcessor& core)
{
    constexpr std::int64_t kMany = 1'000'000;
    return core.cycles(Cycles(kMany)).ns() / static_cast<double>(kMany);
}

}  // namespace ringmesh::workloads::rcce
