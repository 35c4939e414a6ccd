// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "workloads/broadcast/algorithms.h"
#include "workloads/broadcast/options.h"
#include "workloads/broadcast/tree.h"
#include "workloads/programs/quiet_rounds.h"
#include "workloads/programs/rank_program.h"

namespace ringmesh::workloads::broadcast {

/// The time of a broadcast, measured like the thesis' programs [004 app. 10.2, 10.5, 10.7]: a barrier of all cores, the
/// root reads the clock, all broadcast, and depending on the method the root reads the clock again at once or after one
/// more barrier. A whole warm-up repetition precedes the timed ones.
///
/// After each repetition every byte of every core is checked and rewritten, outside the measured time. The check takes
/// no simulated time, but each core then loads a word of each line and stores one, so that the caches are as after the
/// thesis' programs; for a buffer several times as large as the caches, only the end. The data differ between
/// repetitions.
class BroadcastProgram final : public RankProgram {
public:
    explicit BroadcastProgram(std::unique_ptr<Library> library, Options options = {}, std::string ranks = "all")
        : RankProgram("broadcast", std::move(library), std::move(ranks)), options_(std::move(options))
    {}
    /// The defaults, adapted to libraries with shorter messages.
    static Options options_for(const Library& library);

    void write_out_auto(const UsualTraffic& /*usual*/) override { options_.write_out_auto(); }
    Results results() const override;

private:
    /// One broadcast.
    struct Time {
        Duration began = Duration::never();  ///< of the root
        Duration ended;                      ///< by the method
        std::vector<Duration> returns;       ///< of each rank
        Duration taken() const { return ended - began; }
    };
    struct Measurement {
        Case sizes;
        std::vector<Time> times;      ///< of each repetition, the warm-up first
        std::size_t first_timed = 1;  ///< 0: none warms up
        const Time& fastest() const;
        double mean_ns() const;
    };

    void visit_options(ParameterVisitor& visitor) override { options_.visit(visitor); }
    void prepare() override;
    Started program(unsigned rank) override { return {run(rank), name()}; }
    std::string doing(unsigned rank) const override;
    std::string ranks_share() const override { return options_.method == Method::kQuiet ? QuietRounds::kShared : ""; }
    void add_up_ranks(Totals& totals) override;

    void require_room_for_tree();
    Task<> run(unsigned rank);
    Task<> broadcast(unsigned rank, Case sizes);
    /// @throws ModelError if a rank's bytes differ from the root's
    void require_right(unsigned rank, std::uint32_t size, std::size_t repetition) const;
    const std::byte* sent(std::size_t repetition) const;
    void add_case(std::vector<Cell>& row, const Case& sizes) const;
    void add_notes(Results& results) const;

    Options options_;
    std::vector<TreeBroadcast> trees_;  // if the algorithm needs them
    std::optional<DoplGrid> grid_;      // likewise
    std::optional<QuietRounds> quiet_;  // of method=quiet
    std::vector<BufferId> buffers_;     // of each rank
    std::uint32_t in_front_ = 0;        // of the data in a buffer
    Group all_ = 0;
    std::vector<Measurement> measurements_;
    std::vector<std::byte> pattern_;
    std::vector<std::byte> wrong_;  // differs from the pattern in every byte
    std::size_t all_repetitions_ = 0;
};

}  // namespace ringmesh::workloads::broadcast
