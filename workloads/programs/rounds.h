// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/programs/quiet_rounds.h"
#include "workloads/programs/rank_program.h"
#include "workloads/ranks/message.h"

namespace ringmesh::workloads {

/// The messages of a round.
enum class RoundPattern : std::uint8_t {
    kChain,       ///< rank by rank, on a hypercube neighbour by neighbour along a Gray code: one message at a time
    kExchange,    ///< ranks 0 and 1, 2 and 3, ... to each other
    kAllToAll,    ///< every rank to every other
    kNeighbours,  ///< every rank to all that are one link away
    kStream,      ///< rank 0 to one other, in a row
};

struct RankMessage {
    unsigned from = 0;
    unsigned to = 0;
    bool operator==(const RankMessage&) const = default;
};

struct RoundsOptions {
    std::string sizes = "4,64,1024";
    std::int64_t repetitions = 3;
    bool quiet = false;
    bool overlap = false;       ///< of patterns with messages in both directions
    std::int64_t length = 0;    ///< of a chain
    std::int64_t messages = 8;  ///< of a stream
    std::int64_t to = 1;        ///< likewise

    void visit(ParameterVisitor& visitor, RoundPattern pattern);
};

/// The messages of a pattern in the order of each sender. In a round all ranks follow one order, `in_rounds`.
/// @throws UserError if the machine has no such neighbours
std::vector<RankMessage> round_messages(RoundPattern pattern, const RoundsOptions& options, Machine& machine,
                                        unsigned ranks);
/// A deadlock-free order of each rank's calls, even if a send waits for its receiver: the first pending message always
/// has both ranks ready. Messages without a common rank run in parallel.
std::vector<RankMessage> in_rounds(const std::vector<RankMessage>& messages, unsigned ranks);

/// All ranks send and receive the messages of a pattern once, for each size, after a barrier or `quiet`. The time is
/// from the first rank's begin to the last one's end. After a barrier the first repetition of each size is a warm-up.
/// Every byte is checked. Messages have the number of their round as a tag.
///
/// With `overlap` a rank sends whether or not its peers receive, and after each send takes the next message of any
/// rank.
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
    struct Participant {
        std::vector<RankMessage> messages;  // sent and, unless they overlap, received, in order
        std::size_t receives = 0;           // in a round
        std::vector<BufferId> out;          // by size
        std::vector<BufferId> in;
        std::size_t at = 0;  // in rounds_
    };
    void visit_options(ParameterVisitor& visitor) override { options_.visit(visitor, pattern_); }
    void prepare() override;
    Started program(unsigned rank) override { return {run(rank), name()}; }
    std::string doing(unsigned rank) const override;
    std::string ranks_share() const override { return options_.quiet ? QuietRounds::kShared : ""; }
    void add_up_ranks(Totals& totals) override;

    Task<> run(unsigned rank);
    Task<> in_order(unsigned rank);
    Task<> overlapped(unsigned rank);
    Task<> send(unsigned rank, unsigned to);
    /// @return the sender
    Task<unsigned> receive(unsigned rank, unsigned from);
    Message message(RankMessage way, std::size_t round) const;
    std::size_t size_at(std::size_t round) const { return round / per_size(); }
    std::size_t warm_up() const { return options_.quiet ? 0 : 1; }
    std::size_t per_size() const { return static_cast<std::size_t>(options_.repetitions) + warm_up(); }

    RoundPattern pattern_;
    RoundsOptions options_;
    std::vector<std::uint32_t> sizes_;
    std::size_t messages_ = 0;  // of a round
    std::vector<Participant> participants_;
    std::vector<Round> rounds_;  // by size and repetition
    std::optional<QuietRounds> quiet_;
    Group all_ = 0;
};

}  // namespace ringmesh::workloads
