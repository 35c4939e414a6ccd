// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/message.h"
#include "workloads/programs/rank_program.h"

namespace ringmesh::workloads {

/// The messages of a round.
enum class RoundPattern : std::uint8_t {
    kChain,       ///< rank by rank, on a hypercube neighbour by neighbour along a Gray code: one message at a time
    kExchange,    ///< ranks 0 and 1, 2 and 3, ... to each other
    kAllToAll,    ///< every rank to every other
    kNeighbours,  ///< every rank to all that are one link away
};

struct RankMessage {
    unsigned from = 0;
    unsigned to = 0;
    bool operator==(const RankMessage&) const = default;
};

/// The messages of a pattern in a deadlock-free order of each rank's calls, even if a send waits for its receiver: the
/// first pending message always has both ranks ready. Messages without a common rank run in parallel.
/// @throws UserError if the machine has no such neighbours
std::vector<RankMessage> round_messages(RoundPattern pattern, Machine& machine, unsigned ranks);

struct RoundsOptions {
    std::string sizes = "4,64,1024";
    std::int64_t repetitions = 3;

    void visit(ParameterVisitor& visitor);
};

/// After a barrier all ranks send and receive the messages of a pattern once, for each size. The time is from the first
/// rank's begin to the last one's end; the first repetition of each size is a warm-up. Every byte is checked.
class RoundsProgram final : public RankProgram {
public:
    RoundsProgram(RoundPattern pattern, std::unique_ptr<Library> library, RoundsOptions options = {},
                  std::string ranks = "all");
    static std::string_view name_of(RoundPattern pattern);

    Results results() const override;

private:
    struct Round {
        Duration began = Duration::never();
        Duration ended;
    };
    void visit_options(ParameterVisitor& visitor) override { options_.visit(visitor); }
    void prepare() override;
    Started program(unsigned rank) override { return {run(rank), name()}; }
    std::string doing(unsigned rank) const override;

    Task<> run(unsigned rank);
    /// @param number of a repetition among all
    Task<> take_part(unsigned rank, std::size_t size, std::size_t number);
    Message message(RankMessage way, std::size_t size, std::size_t number) const;
    std::size_t per_size() const { return static_cast<std::size_t>(options_.repetitions) + 1; }

    RoundPattern pattern_;
    RoundsOptions options_;
    std::vector<std::uint32_t> sizes_;
    std::vector<RankMessage> messages_;
    std::vector<std::vector<BufferId>> out_;  // of each rank, by size
    std::vector<std::vector<BufferId>> in_;
    std::vector<Round> rounds_;    // by size and repetition
    std::vector<std::size_t> at_;  // in rounds_, of each rank
    Group all_ = 0;
};

}  // namespace ringmesh::workloads
