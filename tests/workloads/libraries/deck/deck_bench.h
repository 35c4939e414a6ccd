// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/workloads/fakes/fake_machine.h"
#include "workloads/libraries/deck/deck_rank.h"
#include "workloads/libraries/messaging/message_bytes.h"
#include "workloads/ranks/message.h"

namespace ringmesh::test {

namespace deck = workloads::deck;

inline bool is_remote(const StoreRequest& store) { return store.address >> 40 != 0; }

/// Ranks of DECK/SCI on a machine of constant costs, driven by programs of a test.
struct DeckBench {
    Simulation simulation{1};
    FakeMachine machine;
    deck::Options options;
    std::vector<std::unique_ptr<deck::DeckRank>> ranks;

    explicit DeckBench(deck::Options library = {}, FakeCosts costs = {}, unsigned nodes = 2)
        : machine(simulation, nodes, std::move(costs)), options(library)
    {
        for (unsigned rank = 0; rank < nodes; ++rank) {
            ranks.push_back(std::make_unique<deck::DeckRank>(machine.processor(rank), options, nodes));
        }
    }
    /// Creates the same object at every rank. @return its number
    workloads::BufferId create(std::uint32_t size)
    {
        workloads::BufferId number = 0;
        for (const auto& rank : ranks) number = rank->create_buffer(size);
        return number;
    }
    void connect()
    {
        for (const auto& rank : ranks) rank->export_memory();
        for (const auto& rank : ranks) rank->import_memory();
    }
    Duration call() { return machine.processor(0).cycles(options.call); }
    /// All stores of a rank to other ranks, in order.
    std::vector<StoreRequest> remote_stores(unsigned rank)
    {
        std::vector<StoreRequest> stores;
        for (const auto& store : machine.processor(rank).stores) {
            if (is_remote(store)) stores.push_back(store);
        }
        return stores;
    }

    /// Sends messages with the numbers from `first` on.
    Task<> send(unsigned from, unsigned to, workloads::BufferId object, std::vector<std::uint32_t> sizes)
    {
        auto& cpu = machine.processor(from);
        for (const auto size : sizes) {
            const workloads::Message message{.size = size, .sequence = sent++};
            workloads::poke_message(cpu, ranks[from]->address(object), message);
            const workloads::Part bytes{.buffer = object, .offset = 0, .size = size};
            co_await ranks[from]->send(to, bytes);
            sent_at.push_back(cpu.time());
        }
    }
    /// Starts after a delay; checks every byte.
    Task<> receive(unsigned at, unsigned from, workloads::BufferId object, std::vector<std::uint32_t> sizes,
                   Duration after = {})
    {
        auto& cpu = machine.processor(at);
        co_await cpu.compute(after);
        for (const auto size : sizes) {
            const workloads::Message message{.size = size, .sequence = received++};
            workloads::Received got = co_await ranks[at]->receive(from, {object});
            if (size <= options.largest_short()) got.size = size;
            workloads::require_message(cpu, ranks[at]->address(object), message, got, 0);
            received_at.push_back(cpu.time());
        }
    }
    /// Rank 0 sends to rank 1, from an object of this size. Both finish.
    void exchange(std::int64_t object_size, const std::vector<std::uint32_t>& sizes, Duration receive_after = {})
    {
        const auto object = create(static_cast<std::uint32_t>(object_size));
        connect();
        run(object, sizes, receive_after);
        BOOST_TEST_REQUIRE(finished());
        BOOST_TEST(received == sizes.size());
    }
    /// Rank 0 sends to rank 1.
    void run(workloads::BufferId object, const std::vector<std::uint32_t>& sizes, Duration receive_after = {})
    {
        machine.processor(0).run(send(0, 1, object, sizes), "send");
        machine.processor(1).run(receive(1, 0, object, sizes, receive_after), "receive");
        simulation.run();
    }
    bool finished() { return machine.processor(0).finished() && machine.processor(1).finished(); }

    std::uint64_t sent = 0;
    std::uint64_t received = 0;
    std::vector<Duration> sent_at;
    std::vector<Duration> received_at;
};

/// The action throws a UserError or ModelError of exactly this text.
template <class Error, class Action>
void check_error(Action action, const std::string& text)
{
    BOOST_CHECK_EXCEPTION(action(), Error, [&text](const auto& error) {
        BOOST_TEST(error.what() == text);
        return true;
    });
}

}  // namespace ringmesh::test
