// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "workloads/programs/rank_program.h"

namespace ringmesh::workloads {

struct BarrierOptions {
    std::string members = "auto";
    std::int64_t repetitions = 10;

    void visit(ParameterVisitor& visitor);
};

/// The time of consecutive barriers of the first ranks, for several numbers of ranks: from rank 0's return from one to
/// that from the next. The first is not timed. Checks that no rank leaves before all have arrived.
class BarrierProgram final : public RankProgram {
public:
    explicit BarrierProgram(std::unique_ptr<Library> library, BarrierOptions options = {}, std::string ranks = "all")
        : RankProgram("barrier", std::move(library), std::move(ranks)), options_(std::move(options))
    {}

    /// @throws ModelError also if a rank left too early
    void check() const override;
    Results results() const override;

private:
    struct Round {
        Duration last_came;
        Duration first_left = Duration::never();
        Duration took;  ///< of rank 0
    };
    struct Series {
        unsigned members = 0;
        std::vector<Round> rounds;  ///< the first one warms up
    };
    void visit_options(ParameterVisitor& visitor) override { options_.visit(visitor); }
    void prepare() override;
    Started program(unsigned rank) override { return {run(rank), name()}; }
    std::string doing(unsigned rank) const override;
    std::string ranks_share() const override { return {}; }
    void add_up_ranks(Totals& totals) override;

    Task<> run(unsigned rank);
    std::vector<std::uint32_t> sizes() const;

    BarrierOptions options_;
    Group all_ = 0;  // groups of the series follow
    std::vector<Series> series_;
    std::vector<std::size_t> at_;  // in series_, of each rank
};

}  // namespace ringmesh::workloads
