// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "workloads/programs/library_choice.h"
#include "workloads/programs/rank_program.h"
#include "workloads/ranks/file_named.h"
#include "workloads/replay/goal.h"
#include "workloads/replay/goal_order.h"

namespace ringmesh::workloads {

/// Replays a program that is written as GOAL text over any library: each rank makes one blocking call after another, in
/// an order in which they cannot wait for each other in a circle (goal::Order). Messages match by source, tag and
/// order; where a library has no tags, a rank keeps what it has not asked for yet, as MPI does. Every byte is checked.
/// calc is time of the processor. docs/reference/programs/traces.md says what is modelled.
class GoalReplay final : public RankProgram, public LibraryChoice {
public:
    explicit GoalReplay(std::unique_ptr<Library> library, std::string file = {})
        : RankProgram("replay", std::move(library)), path_(std::move(file))
    {}

    /// @throws ModelError also if a message is left over
    void check() const override;
    Results results() const override;
    std::string refusal(const Library& library) const override;

private:
    /// A message that was sent and is not received yet.
    struct Sent {
        std::uint32_t tag = 0;
        std::uint32_t bytes = 0;
        std::uint64_t number = 0;  // among those of its source to its target
    };
    /// From one rank to another.
    struct Way {
        std::deque<Sent> under_way;
        std::uint64_t sent = 0;
        std::uint64_t received = 0;
    };
    struct Kept {
        unsigned from = 0;
        std::uint32_t tag = 0;
    };
    struct Participant final : ReceiveHandler {
        GoalReplay* program = nullptr;
        unsigned number = 0;
        std::vector<BufferId> out;  // by size
        BufferId in = 0;
        std::deque<Kept> kept;  // received before they were asked for
        std::optional<goal::Operation> doing;
        std::uint64_t operations = 0;
        std::uint64_t bytes_sent = 0;
        Duration calc, sending, receiving, library, end;

        BufferId buffer() override { return in; }
        void arrived(const Received& message) override { kept.push_back(program->take(number, message, Tag::kAny)); }
    };

    void visit_options(ParameterVisitor& visitor) override;
    unsigned choose_rank_count(const std::string& asked, unsigned nodes) override;
    void prepare() override;
    Started program(unsigned rank) override;
    std::string doing(unsigned rank) const override;
    std::string problem_of(unsigned rank) const override;
    std::string ranks_share() const override { return {}; }
    void add_up_ranks(Totals& totals) override;
    std::vector<std::string> own_files() const override { return {file_named(folder(), "goal", path_)}; }

    Task<> run(unsigned rank);
    Task<> send(unsigned rank, goal::Operation operation);
    Task<> receive(unsigned rank, goal::Operation operation);
    /// The next message of a rank to another, as sent. @return its number, which its bytes follow from
    std::uint64_t note_sent(unsigned from, const goal::Operation& send);
    /// What arrived, all bytes of it checked.
    Kept take(unsigned rank, const Received& received, Tag tag);
    /// Where the library has no queues, the receiver announces each message.
    void announce(unsigned rank);

    std::string path_;  // as the user names it
    std::unique_ptr<goal::File> file_;
    std::unique_ptr<goal::Order> order_;
    goal::Rules rules_;
    std::vector<std::uint32_t> sizes_;  // of the buffers to send from
    std::deque<Participant> participants_;
    std::map<std::pair<unsigned, unsigned>, Way> ways_;  // by source and target
    std::uint64_t done_ = 0;
    std::uint64_t kept_ = 0;
};

}  // namespace ringmesh::workloads
