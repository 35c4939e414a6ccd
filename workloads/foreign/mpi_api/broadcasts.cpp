// SPDX-License-Identifier: Apache-2.0
#include "workloads/broadcast/cube_schedule.h"
#include "workloads/broadcast/dopl_schedule.h"
#include "workloads/broadcast/parts.h"
#include "workloads/foreign/mpi_api/process.h"

/// MPI_Bcast by the algorithms that [004] compares, whose schedules the workload `broadcast` has, too.
namespace ringmesh::workloads::mpi_api {

using broadcast::Cut;

void Process::bcast_by_cube(std::span<std::byte> data, int root, const Comm& comm)
{
    const int size = comm->size();
    const TypePointer byte = predefined_type(MPI_BYTE);
    const Cut parts = broadcast::cut(static_cast<std::int64_t>(data.size()), broadcast::kCubePart);
    const int place = (comm->rank - root + size) % size;
    const broadcast::CubeSchedule schedule(static_cast<unsigned>(size), static_cast<unsigned>(place), parts.count,
                                           broadcast::FinalExchange::kCorrect);
    for (std::int64_t step = 0; step < schedule.steps(); ++step) {
        for (const broadcast::Transfer& each : schedule.at(step)) {
            const int peer = (static_cast<int>(each.peer) + root) % size;
            std::byte* const at = data.data() + parts.offset(each.part);
            const auto bytes = static_cast<std::size_t>(parts.size(each.part));
            if (each.sends) {
                send(comm, peer, at, bytes, byte);
            } else {
                receive(comm, peer, at, bytes, byte);
            }
        }
    }
}

/// In each round all receives are posted at once, and each piece goes on when it has come.
void Process::bcast_by_dopl(std::span<std::byte> data, int root, const Comm& comm)
{
    const TypePointer byte = predefined_type(MPI_BYTE);
    const Cut parts = broadcast::cut(static_cast<std::int64_t>(data.size()), broadcast::kDoplPart);
    const broadcast::DoplSchedule schedule(*algorithms_.grid_of(comm->size()), static_cast<unsigned>(comm->rank),
                                           parts.count, static_cast<unsigned>(root));
    const auto pieces_of = [&](std::int64_t part, bool in_one_piece) {
        if (part < 0) return Cut{};
        const std::int64_t bytes = parts.size(part);
        return in_one_piece ? broadcast::whole(bytes) : broadcast::cut(bytes, broadcast::kDoplPipe);
    };
    for (std::int64_t i = 0; i < schedule.rounds(); ++i) {
        const broadcast::DoplRound round = schedule.at(i);
        const Cut in = pieces_of(round.received, round.receives_whole);
        const Cut out = pieces_of(round.sent, round.sends_whole);
        std::vector<Request> coming;
        std::vector<Request> going;
        coming.reserve(static_cast<std::size_t>(in.count));  // a request that is under way stays where it is
        going.reserve(static_cast<std::size_t>(out.count));
        for (std::int64_t k = 0; k < in.count; ++k) {
            std::byte* const at = data.data() + parts.offset(round.received) + in.offset(k);
            start(coming.emplace_back(
                receiving(comm, static_cast<int>(round.previous), at, static_cast<std::size_t>(in.size(k)), byte)));
        }
        for (std::int64_t k = 0; k < out.count; ++k) {
            if (round.sent == round.received) wait(coming[static_cast<std::size_t>(k)]);
            const std::byte* const at = data.data() + parts.offset(round.sent) + out.offset(k);
            start(going.emplace_back(
                sending(comm, static_cast<int>(round.next), at, static_cast<std::size_t>(out.size(k)), byte)));
        }
        wait_for_all(coming);
        wait_for_all(going);
    }
}

}  // namespace ringmesh::workloads::mpi_api
