// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "workloads/deck/deck_library.h"
#include "workloads/deck/deck_rank.h"
#include "workloads/deck/options.h"
#include "workloads/deck/steps.h"
#include "workloads/message.h"
#include "workloads/sci_workload.h"

namespace ringmesh::workloads::deck {

struct DeckStagesOptions {
    std::int64_t from = 0;
    std::int64_t to = -1;
    std::int64_t size = 64;
    std::int64_t warm_up = 1;

    void visit(ParameterVisitor& visitor);
};

/// One message over DECK/SCI, step by step, after warm-up exchanges: every row of the result is a step of the sender, a
/// step of the receiver, or the transfer between them, and begins where the row above ends. The last ends when the
/// receiver's call returns: that is the latency one way. Both ranks poll their whole mail boxes, as in the ping-pong.
class DeckStages final : public SciWorkload, private StepListener {
public:
    explicit DeckStages(const DeckStagesOptions& options = {}, const Options& library = {})
        : options_(options), library_(library)
    {}

    Library* library() override { return &library_; }
    void visit(ParameterVisitor& visitor) override { options_.visit(visitor); }
    NodeKind needs() const override { return NodeKind::kProcessor; }
    void start_on(SciMachine& machine) override;
    /// @throws ModelError also if the steps do not join up to the picosecond
    void check() const override;
    Results results() const override;

private:
    struct Side {
        unsigned rank = 0;
        PcProcessor* processor = nullptr;
        DeckRank* library = nullptr;
        BufferId object = 0;
    };
    struct Row {
        Step step;
        unsigned rank;
        Duration begin;
        Duration end;
    };
    void ended(unsigned rank, Step step, Duration now) override;
    Task<> send_all();
    Task<> receive_all();
    Task<> send(Side& from, const Side& to, std::uint64_t number);
    Task<> receive(Side& at, const Side& from, std::uint64_t number);
    /// Counts both directions: one there, one back in each exchange.
    Message message(std::uint64_t number) const;
    std::uint64_t measured() const { return 2 * static_cast<std::uint64_t>(options_.warm_up); }

    DeckStagesOptions options_;
    DeckLibrary library_;
    std::vector<std::unique_ptr<Rank>> ranks_;
    Side from_;
    Side to_;
    Duration begun_;
    Duration received_;
    std::vector<Row> rows_;
};

}  // namespace ringmesh::workloads::deck
