// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "tests/workloads/fakes/fake_machine.h"
#include "workloads/libraries/messaging/message_bytes.h"
#include "workloads/libraries/mpi/mpi_rank.h"

namespace ringmesh::test {

/// Every rank but 0 sends messages of given sizes to rank 0 through an MPI library; rank 0 receives all of them in a
/// buffer of `room` bytes and checks every byte.
class MpiSending {
public:
    static constexpr std::uint32_t kLargest = 256 * 1024;

    explicit MpiSending(SciMachine& machine, const workloads::mpi::Options& library = {}, std::uint32_t room = kLargest)
        : machine_(machine), options_(library)
    {
        const unsigned ranks = machine.nodes();
        const auto memories = std::make_shared<workloads::PeerMemory<workloads::mpi::Peer>::All>();
        for (unsigned number = 0; number < ranks; ++number) {
            all.push_back(
                std::make_unique<workloads::mpi::MpiRank>(machine_.processor(number), options_, ranks, memories));
            all.back()->create_buffer(number == 0 ? room : kLargest);
        }
        workloads::connect(all);
    }
    /// @param late delay of rank 0's first receive
    void run(const std::vector<std::uint32_t>& sizes, Duration late = {})
    {
        const unsigned ranks = machine_.nodes();
        for (unsigned rank = 1; rank < ranks; ++rank) machine_.processor(rank).run(send(rank, sizes), "send");
        machine_.processor(0).run(receive(sizes, late), "receive");
        machine_.simulation().run();
    }
    /// Messages of rank 1 by protocol: short, eager, rendezvous.
    std::vector<std::uint64_t> sent_by_protocol() const
    {
        std::vector<std::uint64_t> counts;
        for (const auto& protocol : all[1]->statistics().sent) counts.push_back(protocol.messages);
        return counts;
    }

    std::vector<std::unique_ptr<workloads::Rank>> all;
    std::vector<unsigned> received_from;

private:
    static workloads::Message message(unsigned rank, std::uint64_t number, std::uint32_t size)
    {
        return {.size = size, .sequence = 5 * number + rank};
    }
    Task<> send(unsigned rank, std::vector<std::uint32_t> sizes)
    {
        workloads::Rank& library = *all[rank];
        for (std::uint64_t i = 0; i < sizes.size(); ++i) {
            workloads::poke_message(machine_.processor(rank), library.address(0), message(rank, i, sizes[i]));
            const workloads::Part bytes{.buffer = 0, .offset = 0, .size = sizes[i]};
            co_await library.send(0, bytes);
        }
    }
    Task<> receive(std::vector<std::uint32_t> sizes, Duration late)
    {
        std::vector<std::uint64_t> next(all.size());
        co_await machine_.processor(0).compute(late);
        for (std::size_t i = 0; i < sizes.size() * (all.size() - 1); ++i) {
            const workloads::Received received = co_await all[0]->receive(workloads::kAnyRank, {0});
            const std::uint64_t number = next.at(received.from)++;
            received_from.push_back(received.from);
            workloads::require_message(machine_.processor(0), all[0]->address(0),
                                       message(received.from, number, sizes.at(number)), received, received.from);
        }
    }

    SciMachine& machine_;
    workloads::mpi::Options options_;
};

/// The same on the fake machine.
struct MpiBench {
    Simulation simulation{1};
    FakeMachine machine;
    MpiSending sending;

    explicit MpiBench(const workloads::mpi::Options& library = {}, FakeCosts costs = {}, unsigned ranks = 2,
                      std::uint32_t room = MpiSending::kLargest)
        : machine(simulation, ranks, std::move(costs)), sending(machine, library, room)
    {}
};

}  // namespace ringmesh::test
