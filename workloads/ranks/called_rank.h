// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <systemc>
#include <vector>

#include "tlm/simulation/simulation.h"
#include "tlm/statistics/component.h"
#include "tlm/statistics/shown.h"
#include "workloads/ranks/rank.h"

namespace ringmesh::workloads {

/// A call of a library by a rank's program.
struct RankCall {
    std::string_view word = "program";
    std::uint32_t peer = 0;     ///< the other rank; of a broadcast, its root
    std::int32_t tag = 0;       ///< -1: any; of requests and flags, the number
    std::uint32_t bytes = 0;    ///< of the message, or of the room for it, if that is known
    std::uint32_t members = 0;  ///< of a barrier
};

/// Is told each call when it begins and when it returns.
class CallListener {
public:
    virtual ~CallListener() = default;
    virtual void begins(unsigned rank, Duration at, const RankCall& call) = 0;
    /// @param from the sender of what a receive got
    virtual void returns(unsigned rank, Duration at, unsigned from) = 0;
};

/// A rank whose calls of its library can be seen: in the waveform as `rank3.call` and what is known of the call, in
/// journeys as a stage (StageKind::kCall) that contains those of the blocks. Takes no simulated time.
class CalledRank final : public sc_core::sc_object, public Rank, public Component {
public:
    /// @param number the rank's. @pre one for each number in a run
    /// @param listener outlives it; null: none
    CalledRank(unsigned number, std::unique_ptr<Rank> rank, const Simulation& simulation,
               CallListener* listener = nullptr);

    Processor& processor() const override { return rank_->processor(); }
    using Rank::create_buffer;
    BufferId create_buffer(std::uint32_t size, std::uint32_t largest_part) override;
    void export_memory() override { rank_->export_memory(); }
    void import_memory() override { rank_->import_memory(); }
    std::uint64_t address(BufferId buffer) const override { return rank_->address(buffer); }

    Task<> begin() override { return heard({.word = "begin"}, rank_->begin()); }
    Task<> end() override { return heard({.word = "end"}, rank_->end()); }
    using Rank::receive;
    using Rank::send;
    Task<> send(unsigned to, Part bytes, Tag tag) override;
    Task<> send_constant(unsigned to, Part bytes, Tag tag) override;
    Task<Received> receive(unsigned from, Part room, Tag tag) override;
    Task<> barrier(Group group) override;
    Task<> broadcast(Part bytes, unsigned root, Group group) override;

    bool has_mail() const override { return rank_->has_mail(); }
    bool receive_while_sending(ReceiveHandler& handler) override { return rank_->receive_while_sending(handler); }
    Group create_group(unsigned members) override;
    Requests* requests() override { return requests_.of == nullptr ? nullptr : &requests_; }
    OneSided* one_sided() override { return one_sided_.of == nullptr ? nullptr : &one_sided_; }
    LabelledMessages* labelled() override { return rank_->labelled(); }
    void program_calls(std::string_view word, unsigned peer, std::int32_t tag, std::uint32_t bytes) override
    {
        called_ = rank_->processor().time();
        begins({word, peer, tag, bytes});
    }
    void program_returns() override { returns(called_, call_.peer); }
    Task<> touch(Part bytes, bool stores) override { return rank_->touch(bytes, stores); }
    void expect(unsigned from, const Message& message) override { rank_->expect(from, message); }
    MessagingStatistics statistics() const override { return rank_->statistics(); }
    std::string problem() const override { return rank_->problem(); }
    Rank& of_library() override { return rank_->of_library(); }

    void trace(sc_core::sc_trace_file* file) const override;
    std::string component_name() const override { return name(); }
    /// The library counts.
    void statistics(StatisticsVisitor&) const override {}
    std::string pending() const override { return {}; }

private:
    using Call = RankCall;
    struct CalledRequests final : Requests {
        Task<> isend(unsigned to, Part bytes, std::uint32_t request) override;
        Task<> irecv(unsigned from, Part room, std::uint32_t request) override;
        Task<> wait_received(std::uint32_t request) override;
        Task<> wait_all() override;
        CalledRequests(CalledRank& calls, Requests* library) : caller(calls), of(library) {}
        CalledRank& caller;
        Requests* of;
    };
    struct CalledOneSided final : OneSided {
        Flag create_flag() override { return of->create_flag(); }
        std::uint32_t window() const override { return of->window(); }
        Task<> begin_message() override { return of->begin_message(); }
        Task<> put(Part from, unsigned rank, std::uint32_t offset) override;
        Task<> get(Part to, unsigned rank, std::uint32_t offset) override;
        Task<> fetch(unsigned rank, std::uint32_t offset, std::uint32_t size) override;
        Task<> set_flag(Flag flag, std::uint8_t value, unsigned at) override;
        Task<> wait_flag(Flag flag, std::uint8_t value) override;
        CalledOneSided(CalledRank& calls, OneSided* library) : caller(calls), of(library) {}
        CalledRank& caller;
        OneSided* of;
    };

    /// The whole call, which the waveform and a stage show.
    Task<> within(Call call, Task<> of_library);
    /// The same for the listener alone.
    Task<> heard(Call call, Task<> of_library);
    void enter(const Call& call);
    void begins(const Call& call);
    void returns(Duration began, unsigned from);
    std::uint32_t bytes_of(Part part) const;
    unsigned me() const { return rank_->processor().rank(); }

    std::unique_ptr<Rank> rank_;
    const Simulation& simulation_;
    Call call_;
    Duration called_;                    // when a program of labelled messages called
    std::array<ValueWatch, 4> watches_;  // of its word, peer, tag and bytes
    CallListener* listener_;
    std::vector<std::uint32_t> sizes_;   // of the program's buffers
    std::vector<std::uint32_t> groups_;  // members of each
    CalledRequests requests_;
    CalledOneSided one_sided_;
};

}  // namespace ringmesh::workloads
