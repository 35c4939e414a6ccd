// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "workloads/libraries/deck/steps.h"
#include "workloads/programs/rank_program.h"
#include "workloads/ranks/message.h"
#include "workloads/ranks/rank_pair.h"

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
class DeckStages final : public RankProgram, private StepListener {
public:
    /// @param library DECK
    explicit DeckStages(std::unique_ptr<Library> library, const DeckStagesOptions& options = {})
        : RankProgram("deck-stages", std::move(library)), options_(options)
    {}

    /// @throws ModelError also if the steps do not join up to the picosecond
    void check() const override;
    Results results() const override;

private:
    struct Row {
        Step step;
        unsigned rank;
        Duration begin;
        Duration end;
    };
    void visit_options(ParameterVisitor& visitor) override { options_.visit(visitor); }
    void prepare() override;
    Started program(unsigned rank) override;
    std::string doing(unsigned) const override { return fmt::format("its messages, after {} steps", rows_.size()); }
    void ended(unsigned rank, Step step, Duration now) override;

    Task<> send_all();
    Task<> receive_all();
    Task<> send(unsigned from, unsigned to, std::uint64_t number);
    Task<> receive(unsigned at, unsigned from, std::uint64_t number);
    /// Counts both directions: one there, one back in each exchange.
    Message message(std::uint64_t number) const;
    std::uint64_t measured() const { return 2 * static_cast<std::uint64_t>(options_.warm_up); }

    DeckStagesOptions options_;
    RankPair ranks_{};
    BufferId object_ = 0;  // of either rank
    Duration begun_;
    Duration received_;
    std::vector<Row> rows_;
};

}  // namespace ringmesh::workloads::deck
