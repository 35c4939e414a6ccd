// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tlm/files/atomic_file.h"
#include "workloads/ranks/called_rank.h"
#include "workloads/recording/recorder.h"

namespace ringmesh::workloads {

/// Writes what a program's ranks call of their library as GOAL text: sends and receives with the sources and tags that
/// matched, barriers as a dissemination over messages of one byte, and the time between calls as calc. Each call
/// requires the ones before it; what begins without waiting (isend) is required from its wait on. Keeps the text in
/// memory until the end.
class GoalRecorder final : public Recorder, private CallListener {
public:
    std::string_view format() const override { return "goal"; }
    void record_to(const std::string& file) override { file_ = std::make_unique<AtomicFile>(file); }
    std::uint64_t commit() override;
    /// Of the calls of all ranks; null if nothing is recorded.
    CallListener* listener() { return file_ ? this : nullptr; }

private:
    struct Sent {
        std::int32_t tag = 0;
        std::uint32_t bytes = 0;
    };
    struct Rank {
        std::string text;
        std::uint64_t operations = 0;
        Duration last;                                   // the program was last seen at
        std::int64_t left_ps = 0;                        // of times that were rounded
        RankCall call;                                   // that it is in
        std::vector<std::uint64_t> requires_;            // of the next operation
        std::vector<std::uint64_t> irequires_;           // likewise
        std::vector<std::uint64_t> under_way;            // requests
        std::map<std::int32_t, std::uint64_t> receives;  // by number of their request
    };

    /// @throws UserError for a call that GOAL has no word for
    void begins(unsigned rank, Duration at, const RankCall& call) override;
    void returns(unsigned rank, Duration at, unsigned from) override;

    Rank& of(unsigned rank);
    /// @return its number
    std::uint64_t add(Rank& rank, const std::string& operation);
    void add_blocking(Rank& rank, const std::string& operation);
    void add_request(Rank& rank, const std::string& operation, bool receives);
    void add_barrier(unsigned number, unsigned members);
    void sends(unsigned from, unsigned to, Sent sent);
    /// A file with messages that nobody receives could not be replayed. @throws UserError
    void require_received() const;
    Sent matched(unsigned from, unsigned to, std::int32_t tag);

    std::unique_ptr<AtomicFile> file_;
    std::vector<Rank> ranks_;
    std::map<std::pair<unsigned, unsigned>, std::deque<Sent>> under_way_;  // by source and target
    std::map<std::pair<unsigned, unsigned>, std::uint64_t> owed_;  // receives of requests before their sends began
    std::uint64_t messages_ = 0;
};

}  // namespace ringmesh::workloads
