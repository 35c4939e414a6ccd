// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tlm/scc/scc_machine.h"
#include "workloads/broadcast/algorithms.h"
#include "workloads/broadcast/options.h"
#include "workloads/broadcast/tree.h"
#include "workloads/workload.h"

namespace ringmesh::workloads::broadcast {

/// How long a broadcast takes, measured as the thesis' programs measured [004 app. 10.2, 10.5, 10.7]: all cores meet in
/// a barrier, the root takes the time, all broadcast, and by the method the root takes the time again at once or after
/// one more barrier. Before the timed repetitions comes a whole one that warms up.
///
/// After each repetition every byte of every core is checked and rewritten, outside the time. That takes no time
/// itself, but each core then loads a word of each line and stores one, so that the caches are as the thesis' programs
/// left them; of a buffer several times as large as the caches, the end alone. What is sent differs from repetition to
/// repetition.
class BroadcastBenchmark final : public WorkloadOn<SccMachine> {
public:
    explicit BroadcastBenchmark(Options options = {}) : options_(std::move(options)) {}

    void visit(ParameterVisitor& visitor) override { options_.visit(visitor); }
    NodeKind needs() const override { return NodeKind::kProcessor; }
    void start_on(SccMachine& machine) override;
    /// @throws ModelError if a program did not finish
    void check() const override;
    Results results() const override;

private:
    /// One broadcast, from the root's begin.
    struct Time {
        Duration taken;                 ///< as the method has it
        std::vector<Duration> returns;  ///< of each core
    };
    struct Measurement {
        Case sizes;
        std::vector<Time> times;      ///< of each repetition, the one that warms up first
        std::size_t first_timed = 1;  ///< 0: none warms up
        const Time& fastest() const;
        double mean_ns() const;
    };

    void require_room_for_tree() const;
    Task<> program(unsigned core);
    Task<> broadcast(unsigned core, const Case& sizes);
    Task<> touch(unsigned core, std::uint32_t size, bool stores);
    void require_right(unsigned core, std::uint32_t size, std::size_t repetition) const;
    const std::byte* sent(std::size_t repetition) const;
    void add_case(std::vector<Cell>& row, const Case& sizes) const;
    void add_notes(Results& results) const;

    Options options_;
    SccMachine* machine_ = nullptr;
    std::vector<std::unique_ptr<rcce::Rcce>> rcce_;
    std::vector<std::unique_ptr<rcce::Ircce>> ircce_;  // if the algorithm needs it
    std::vector<TreeBroadcast> trees_;                 // likewise
    std::vector<std::uint64_t> buffers_;               // of each core
    std::vector<Measurement> measurements_;
    std::vector<std::byte> pattern_;
    std::vector<std::byte> wrong_;  // differs from the pattern in every byte
    Duration begin_;                // of the root's broadcast
    std::size_t done_ = 0;          // repetitions
    std::size_t all_ = 0;
};

}  // namespace ringmesh::workloads::broadcast
