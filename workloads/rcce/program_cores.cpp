// SPDX-License-Identifier: Apache-2.0
#include "workloads/rcce/program_cores.h"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

#include "tlm/error.h"

namespace ringmesh::workloads::rcce {

void visit_cores(ParameterVisitor& visitor, std::string& cores)
{
    visitor.text({"cores", "how many run the program, from core 0 on, or all", assumed()}, cores);
}

unsigned program_cores(const SccMachine& machine, const std::string& cores)
{
    if (cores == kAllCores) return machine.nodes();
    unsigned count = 0;
    const char* const end = cores.data() + cores.size();
    const auto read = std::from_chars(cores.data(), end, count);
    if (read.ec == std::errc() && read.ptr == end) return count;
    throw UserError(fmt::format("cores = {}: no number of cores; write 1 to {}, or all", cores, machine.nodes()));
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
