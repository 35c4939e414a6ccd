// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tlm/simulation/random.h"
#include "workloads/programs/rank_program.h"
#include "workloads/ranks/message.h"

namespace ringmesh::workloads {

/// A random plan of messages: sender, receiver, size and order.
class DeliveryPlan {
public:
    struct Sending {
        unsigned to = 0;
        std::uint32_t size = 0;
    };
    DeliveryPlan() = default;
    /// Sizes are 0 to `largest`, log-uniform: each doubling of the size plus 1 is as likely.
    DeliveryPlan(unsigned ranks, std::uint64_t messages, std::uint32_t largest, Random random);

    /// The messages that a rank sends, in order.
    const std::vector<Sending>& of(unsigned rank) const { return sendings_.at(rank); }
    /// Sizes of the messages from one rank to another, in their order.
    const std::vector<std::uint32_t>& sizes(unsigned from, unsigned to) const { return sizes_.at(from).at(to); }

private:
    std::vector<std::vector<Sending>> sendings_;
    std::vector<std::vector<std::vector<std::uint32_t>>> sizes_;
};

struct DeliveryOptions {
    std::int64_t messages = 1000;
    std::int64_t largest = 64 * 1024;

    void visit(ParameterVisitor& visitor);
};

/// Messages of random size between random ranks at full rate: each must arrive once, in the order of its sender, with
/// all bytes intact. Each rank receives from any source.
///
/// If sends do not wait for their receivers, or receive while they wait, a rank sends its messages in order, receives
/// between them, and waits for the rest at the end. If not, ranks that send to each other would deadlock: messages then
/// go in two phases, first those to higher ranks, then those to lower ones. A rank begins to send upwards when it has
/// received all from below, so of the ranks that have not, the lowest can always go on; likewise downwards.
class DeliveryProgram final : public RankProgram {
public:
    explicit DeliveryProgram(std::unique_ptr<Library> library, DeliveryOptions options, std::string ranks = "all")
        : RankProgram("delivery", std::move(library), std::move(ranks)), options_(options)
    {}
    /// With the defaults for this library.
    explicit DeliveryProgram(std::unique_ptr<Library> library);

    /// @throws ModelError also if a message is lost or doubled
    void check() const override;
    Results results() const override;

private:
    struct Participant final : ReceiveHandler {
        BufferId buffer() override { return received_in; }
        void arrived(const Received& message) override { program->take(number, message); }

        DeliveryProgram* program = nullptr;
        unsigned number = 0;
        std::vector<BufferId> out;  // one for each of sizes_
        BufferId received_in = 0;
        std::vector<std::uint64_t> sent;      // by rank
        std::vector<std::uint64_t> received;  // by rank
    };
    void visit_options(ParameterVisitor& visitor) override { options_.visit(visitor); }
    void prepare() override;
    Started program(unsigned rank) override { return {run(rank), name()}; }
    std::string doing(unsigned rank) const override;
    std::string problem_of(unsigned rank) const override;
    std::string ranks_share() const override { return {}; }
    void add_up_ranks(Totals& totals) override;

    Task<> run(unsigned rank);
    /// To ranks first to last - 1.
    Task<> send_to(unsigned rank, unsigned first, unsigned last);
    /// Until all messages of these have been received.
    Task<> receive_from(unsigned rank, unsigned first, unsigned last);
    Task<> receive_one(unsigned rank);
    /// Checks a received message.
    void take(unsigned rank, const Received& received);
    /// The n-th message from one rank to another.
    Message message(unsigned from, unsigned to, std::uint64_t number) const;
    std::uint64_t expected(unsigned rank, unsigned first, unsigned last) const;

    DeliveryOptions options_;
    DeliveryPlan plan_;
    std::vector<std::uint32_t> sizes_;  // of the buffers to send from, ascending
    std::vector<Participant> participants_;
    bool two_phases_ = false;
    std::uint64_t delivered_ = 0;
    Duration end_;
};

}  // namespace ringmesh::workloads
