// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/mpi/mpi_library.h"

#include <fmt/format.h>

#include "tlm/pc/pc_machine.h"
#include "workloads/libraries/mpi/mpi_rank.h"

namespace ringmesh::workloads::mpi {

std::vector<std::unique_ptr<Rank>> MpiLibrary::make_ranks(Machine& machine, const Placement& ranks)
{
    auto& pcs = machine_as<PcMachine>(machine);
    options_.require_valid();
    std::vector<std::unique_ptr<Rank>> all;
    for (unsigned rank = 0; rank < ranks.ranks(); ++rank) {
        all.push_back(std::make_unique<MpiRank>(pcs.processor(ranks.node(rank)), options_, ranks.ranks()));
    }
    return all;
}

std::vector<std::string> MpiLibrary::notes(const MessagingStatistics& /*sum*/) const
{
    return {
        fmt::format("{}: short to {} bytes, eager to {}, then rendez-vous in chunks of {}; but for eager's limit these "
                    "are assumed, and no source tells ScaMPI's mechanism from SCI-MPICH's",
                    name_, options_.short_limit, options_.eager_limit, options_.chunk)};
}

}  // namespace ringmesh::workloads::mpi
