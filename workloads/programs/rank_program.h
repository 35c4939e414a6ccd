// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/libraries/library.h"
#include "workloads/programs/machine_shape.h"
#include "workloads/ranks/mapping.h"
#include "workloads/ranks/rank_pair.h"
#include "workloads/recording/goal_recorder.h"
#include "workloads/workload.h"

namespace ringmesh::workloads {

/// A program over ranks that runs over any library with the needed capabilities. Every rank of the machine is connected
/// to all others, or the first `ranks` of them, as in a parallel program.
class RankProgram : public Workload {
public:
    Library* library() final { return library_.get(); }
    Recorder* recorder() override { return &recorder_; }
    void visit(ParameterVisitor& visitor) final;
    NodeKind needs() const final { return NodeKind::kProcessor; }
    void choose_among(std::span<const std::string_view> sorts) final { sorts_.assign(sorts.begin(), sorts.end()); }
    void start(Machine& machine) final;
    bool finished() const final;
    /// @throws ModelError also if a program did not end
    void check() const override;
    /// Of its own, and that of its mapping.
    std::vector<std::string> files() const final;
    void name_files_from(const std::string& folder) final { mapping_.folder = folder; }
    std::vector<std::string> notes() const final;
    std::string undivided() const final;
    void add_up(Totals& totals) final;

protected:
    RankProgram(std::string_view name, std::unique_ptr<Library> library, std::string ranks = "all");

    /// How many ranks the library is set up for. @param asked the value of `ranks` @throws UserError
    virtual unsigned choose_rank_count(const std::string& asked, unsigned nodes);
    virtual void visit_options(ParameterVisitor& visitor) = 0;
    /// Creates the buffers of all ranks, which are created but not connected. @throws UserError for unsuitable options
    virtual void prepare() = 0;
    /// A rank's program and its name; empty: it takes no part. All ranks are connected.
    struct Started {
        Task<> task;
        std::string name;
    };
    virtual Started program(unsigned rank) = 0;
    virtual std::vector<std::string> own_files() const { return {}; }
    /// The message at which an unfinished rank stopped: "repetition 3 of 64 bytes".
    virtual std::string doing(unsigned rank) const = 0;
    /// What is wrong with a rank after the run, as a sentence without its end; empty: nothing.
    virtual std::string problem_of(unsigned /*rank*/) const { return {}; }
    /// What its ranks share while they run, so that one process has to run them all, as a sentence without its end;
    /// empty: nothing but messages. A program that says so adds up in add_up_ranks() what several ranks have measured.
    virtual std::string ranks_share() const { return "the ranks of this program may share variables"; }
    virtual void add_up_ranks(Totals& /*totals*/) {}

    /// @throws UserError if there are not two ranks, or not these; both know ranks and machine
    void require_two() const;
    RankPair choose_pair(std::int64_t from, std::int64_t to) const;
    /// @param option "meet = true" @throws UserError if the library lacks what that needs, naming those that have it
    void require_offers(std::string_view option, const std::vector<Offer>& needed) const;

    const std::string& name() const { return name_; }
    const std::string& folder() const { return mapping_.folder; }
    unsigned ranks() const { return static_cast<unsigned>(ranks_.size()); }
    Rank& rank(unsigned number) const { return *ranks_[number]; }
    /// Whether this process runs it.
    bool runs(unsigned rank) const;
    MessagingStatistics statistics(unsigned rank) const
    {
        return ended_ ? ended_->statistics.at(rank) : ranks_[rank]->statistics();
    }
    /// Of all ranks.
    MessagingStatistics statistics() const;
    /// Links between two ranks' nodes; none: the machine does not say.
    std::optional<unsigned> hops(unsigned from, unsigned to) const
    {
        return workloads::hops(*machine_, placement_.node(from), placement_.node(to));
    }
    const Placement& placement() const { return placement_; }
    Machine& machine() const { return *machine_; }
    /// Of a program of labelled messages; null if nothing is recorded.
    MessageListener* message_listener() { return recorder_.messages(); }
    const Library& used_library() const { return *library_; }

private:
    std::string name_;
    std::unique_ptr<Library> library_;
    std::string ranks_option_;
    Mapping mapping_;
    Placement placement_{0};
    std::vector<std::string_view> sorts_;  // of machine that the platform can be; empty: not said
    Machine* machine_ = nullptr;
    GoalRecorder recorder_;
    std::vector<std::unique_ptr<Rank>> ranks_;
    std::vector<unsigned> started_;
    using Problem = std::pair<std::uint64_t, std::string>;  // its order among those of all ranks; empty: there is none
    Problem problem() const;
    struct Ended {
        Problem problem;
        std::vector<MessagingStatistics> statistics;  // by rank
    };
    std::optional<Ended> ended_;  // of a divided run, of which it adds up all
};

/// The number of ranks of an option: a number, or all. @throws UserError
unsigned parse_ranks(const std::string& text, unsigned nodes);

}  // namespace ringmesh::workloads
