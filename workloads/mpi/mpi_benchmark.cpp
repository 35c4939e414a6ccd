// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/mpi_benchmark.h"

#include <fmt/format.h>

#include <utility>

#include "workloads/mpi/mpi_messenger.h"

namespace ringmesh::workloads::mpi {

MpiBenchmark::MpiBenchmark(std::string_view name, Exchange exchange, MessagingBenchmarkOptions series,
                           const Options& library)
    : MessagingBenchmark(name, exchange, std::move(series)), library_(library)
{}

std::unique_ptr<Messenger> MpiBenchmark::messenger(SciMachine& machine, unsigned rank)
{
    return std::make_unique<MpiMessenger>(machine.processor(rank), library_, machine.nodes());
}

std::vector<std::string> MpiBenchmark::library_notes(const MessagingStatistics&) const
{
    return {
        fmt::format("{}: short to {} bytes, eager to {}, then rendez-vous in chunks of {}; but for eager's limit these "
                    "are assumed, and no source tells ScaMPI's mechanism from SCI-MPICH's",
                    kLibraryNames.name(library_.library), library_.short_limit, library_.eager_limit, library_.chunk)};
}

MpiPingPong::MpiPingPong(MessagingBenchmarkOptions series, const Options& library)
    : MpiBenchmark("mpi-ping-pong", Exchange::kPingPong, std::move(series), library)
{}

MpiOneWay::MpiOneWay(MessagingBenchmarkOptions series, const Options& library)
    : MpiBenchmark("mpi-one-way", Exchange::kOneWay, std::move(series), library)
{}

}  // namespace ringmesh::workloads::mpi
