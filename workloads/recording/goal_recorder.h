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

/// Is told what a program does whose messages have labels: its calls may return before their messages are done.
class MessageListener {
public:
    virtual ~MessageListener() = default;
    /// A rank begins a message to another. @return names it
    virtual std::uint64_t sends(unsigned rank, unsigned to, std::uint32_t bytes) = 0;
    /// It is ready for one. @return names the receive
    virtual std::uint64_t expects(unsigned rank) = 0;
    /// This one. @param order among those of this sender to this rank: 1, 2, ...
    virtual void gets(unsigned rank, std::uint64_t receive, unsigned from, std::uint32_t order,
                      std::uint32_t bytes) = 0;
    /// It knows that one of these is done: what it does from now on comes behind.
    virtual void knows(unsigned rank, std::uint64_t done) = 0;
    /// The run does what a trace of messages cannot say. @param what "program of rank 3 calls RCCE"
    virtual void refuse(std::string what) = 0;
};

/// Writes what a program's ranks call of their library as GOAL text: sends and receives with the sources and tags that
/// matched, barriers as a dissemination over messages of one byte, and the time between calls as calc. Each call
/// requires the ones before it; what begins without waiting (isend) is required from its wait on. Of a program of
/// labelled messages each message has a tag of its own, collective calls are their messages, and those of a rank to
/// itself are left out. Keeps all in memory until the end.
class GoalRecorder final : public Recorder, private CallListener, private MessageListener {
public:
    std::string_view format() const override { return "goal"; }
    void record_to(const std::string& file) override { file_ = std::make_unique<AtomicFile>(file); }
    std::uint64_t commit() override;
    void give_up() override { file_.reset(); }
    bool records() const { return file_ != nullptr; }
    /// Of the calls of all ranks; null if nothing is recorded.
    CallListener* listener() { return file_ ? this : nullptr; }
    /// In place of the calls, of which only the times between them count; null if nothing is recorded.
    MessageListener* messages()
    {
        by_messages_ = true;
        return file_ ? this : nullptr;
    }

private:
    struct Sent {
        std::int32_t tag = 0;
        std::uint32_t bytes = 0;
    };
    struct Operation {
        std::string text;                           // empty: it was taken back
        std::vector<std::uint64_t> behind, beside;  // what it requires, irequires
    };
    struct Rank {
        std::vector<Operation> operations;
        unsigned calls = 0;                              // that it is in
        Duration last;                                   // the program was last seen at
        std::int64_t left_ps = 0;                        // of times that were rounded
        RankCall call;                                   // that it is in
        std::vector<std::uint64_t> behind;               // what the next operation requires
        std::vector<std::uint64_t> beside;               // what it irequires
        std::vector<std::uint64_t> under_way;            // requests
        std::map<std::int32_t, std::uint64_t> receives;  // by number of their request
    };

    std::uint64_t sends(unsigned rank, unsigned to, std::uint32_t bytes) override;
    std::uint64_t expects(unsigned rank) override;
    void gets(unsigned rank, std::uint64_t receive, unsigned from, std::uint32_t order, std::uint32_t bytes) override;
    void knows(unsigned rank, std::uint64_t done) override;
    void refuse(std::string what) override;

    /// @throws UserError for a call that GOAL has no word for
    void begins(unsigned rank, Duration at, const RankCall& call) override;
    void returns(unsigned rank, Duration at, unsigned from) override;

    Rank& of(unsigned rank);
    /// @return its number
    std::uint64_t add(Rank& rank, std::string operation);
    void add_blocking(Rank& rank, std::string operation);
    void add_request(Rank& rank, std::string operation, bool receives);
    std::uint64_t begin_message(Rank& rank, std::string operation);
    static std::string text_of(Rank& rank);
    void add_barrier(unsigned number, unsigned members);
    void note_sent(unsigned from, unsigned to, Sent sent);
    /// A file with messages that nobody receives could not be replayed. @throws UserError
    void require_received() const;
    Sent matched(unsigned from, unsigned to, std::int32_t tag);

    std::unique_ptr<AtomicFile> file_;
    std::vector<Rank> ranks_;
    std::map<std::pair<unsigned, unsigned>, std::deque<Sent>> under_way_;  // by source and target
    std::map<std::pair<unsigned, unsigned>, std::uint64_t> owed_;  // receives of requests before their sends began
    std::uint64_t messages_ = 0;
    bool by_messages_ = false;
    std::string refused_;                                           // why there is no trace
    std::map<std::pair<unsigned, unsigned>, std::uint32_t> begun_;  // messages, by source and target
    std::map<std::pair<unsigned, unsigned>, std::uint32_t> taken_;  // likewise
};

}  // namespace ringmesh::workloads
