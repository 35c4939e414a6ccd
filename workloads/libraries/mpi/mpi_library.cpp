// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/mpi/mpi_library.h"

#include <fmt/format.h>

#include "tlm/pc/pc_machine.h"

namespace ringmesh::workloads::mpi {

std::vector<std::unique_ptr<Rank>> MpiLibrary::make_ranks(Machine& machine, const Placement& ranks)
{
    auto& pcs = machine_as<PcMachine>(machine);
    options_.require_valid();
    std::vector<std::unique_ptr<Rank>> all;
    const auto memories = std::make_shared<PeerMemory<Peer>::All>();
    memories->divided = machine.simulation().division() != nullptr;
    memories_ = memories;
    for (unsigned rank = 0; rank < ranks.ranks(); ++rank) {
        all.push_back(std::make_unique<MpiRank>(pcs.processor(ranks.node(rank)), options_, ranks.ranks(), memories));
    }
    return all;
}

std::vector<std::string> MpiLibrary::notes(const MessagingStatistics& /*sum*/) const
{
    std::vector<std::string> notes{
        fmt::format("{}: short to {} bytes, eager to {}, then rendez-vous in chunks of {}; but for eager's limit these "
                    "are assumed, and no source tells ScaMPI's mechanism from SCI-MPICH's",
                    name_, options_.short_limit, options_.eager_limit, options_.chunk)};
    if (memories_ != nullptr && memories_->on_demand.value_or(false)) {
        notes.push_back(
            fmt::format("{}: some node has no memory for the buffers of all ranks, so two of them connect when one "
                        "first sends to the other",
                        name_));
    }
    return notes;
}

}  // namespace ringmesh::workloads::mpi
