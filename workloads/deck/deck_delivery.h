// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "workloads/deck/deck_library.h"
#include "workloads/deck/deck_rank.h"
#include "workloads/deck/delivery_plan.h"
#include "workloads/deck/options.h"
#include "workloads/message.h"
#include "workloads/sci_workload.h"

namespace ringmesh::workloads::deck {

struct DeckDeliveryOptions {
    std::int64_t messages = 1000;
    std::int64_t largest = 64 * 1024;

    void visit(ParameterVisitor& visitor);
};

/// Messages of random size between random ranks over DECK/SCI at full rate: each must arrive once, in the order of its
/// sender, with all bytes intact. Each rank sends and receives in one program: it sends its messages in order, receives
/// from its mail box between them and while it waits for room, and waits for the rest at the end.
class DeckDelivery final : public SciWorkload {
public:
    explicit DeckDelivery(DeckDeliveryOptions options = {}, const Options& library = {})
        : options_(options), library_(library)
    {}

    Library* library() override { return &library_; }
    void visit(ParameterVisitor& visitor) override { options_.visit(visitor); }
    NodeKind needs() const override { return NodeKind::kProcessor; }
    void start_on(SciMachine& machine) override;
    void check() const override;
    Results results() const override;

private:
    struct Participant final : Arrivals {
        BufferId object() override { return received_in; }
        void arrived(const Received& message) override { delivery->take(*this, message); }

        DeckDelivery* delivery = nullptr;
        PcProcessor* processor = nullptr;
        DeckRank* library = nullptr;
        BufferId small = 0;  // for messages up to the limit
        BufferId large = 0;
        BufferId received_in = 0;
        std::vector<std::uint64_t> sent;      // by rank
        std::vector<std::uint64_t> received;  // by rank
        std::uint64_t all_received = 0;
    };
    Task<> program(Participant& me);
    Task<> receive_one(Participant& me);
    /// Checks a received message.
    void take(Participant& me, const Received& received);
    /// The n-th message from one rank to another.
    Message message(unsigned from, unsigned to, std::uint64_t number) const;
    BufferId object_for(const Participant& me, std::uint32_t size) const;

    DeckDeliveryOptions options_;
    DeckLibrary library_;
    std::vector<std::unique_ptr<Rank>> ranks_;
    Simulation* simulation_ = nullptr;
    DeliveryPlan plan_;
    std::vector<Participant> participants_;  // by rank
    std::uint64_t delivered_ = 0;
    Duration end_;
};

}  // namespace ringmesh::workloads::deck
