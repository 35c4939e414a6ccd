// SPDX-License-Identifier: Apache-2.0
#include "workloads/deck/deck_stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "tlm/error.h"
#include "workloads/messaging/message_bytes.h"
#include "workloads/rank_pair.h"

namespace ringmesh::workloads::deck {
namespace {

constexpr std::int64_t kLargest = 1 << 20;
constexpr std::int64_t kMostExchanges = 10'000;

}  // namespace

void DeckStagesOptions::visit(ParameterVisitor& visitor)
{
    visit_ranks(visitor, from, to);
    visitor.field({"size", "bytes of the message", assumed()}, size, {0, kLargest});
    visitor.field({"warm_up", "exchanges before it; they move the rings' places on", assumed()}, warm_up,
                  {1, kMostExchanges});
}

void DeckStages::start_on(SciMachine& machine)
{
    const RankPair ranks = choose_ranks("deck-stages", options_.from, options_.to, machine.nodes());
    const auto size = static_cast<std::uint32_t>(options_.size);
    library_.require_carried(size, "deck-stages: the message has",
                             [](std::uint32_t most) { return fmt::format("size={}", most); });
    ranks_ = library_.make_ranks(machine, machine.nodes());
    for (Side* side : {&from_, &to_}) {
        const unsigned rank = side == &from_ ? ranks.from : ranks.to;
        auto& library = dynamic_cast<DeckRank&>(*ranks_[rank]);
        *side = {.rank = rank,
                 .processor = &machine.processor(rank),
                 .library = &library,
                 .object = library.create_buffer(size)};
    }
    connect(ranks_);
    from_.processor->run(send_all(), "deck-stages");
    to_.processor->run(receive_all(), "deck-stages answer");
}

Task<> DeckStages::send_all()
{
    for (std::uint64_t number = 0; number < measured(); number += 2) {
        co_await send(from_, to_, number);
        co_await receive(from_, to_, number + 1);
    }
    // The receiver polls by now: it has sent its last reply.
    for (const Side* side : {&from_, &to_}) side->library->tell_steps(this);
    begun_ = from_.processor->time();
    co_await send(from_, to_, measured());
}

Task<> DeckStages::receive_all()
{
    for (std::uint64_t number = 0; number < measured(); number += 2) {
        co_await receive(to_, from_, number);
        co_await send(to_, from_, number + 1);
    }
    co_await receive(to_, from_, measured());
    received_ = to_.processor->time();
}

Task<> DeckStages::send(Side& from, const Side& to, std::uint64_t number)
{
    const Message sent = message(number);
    poke_message(*from.processor, from.library->address(from.object), sent);
    const Part bytes{.buffer = from.object, .offset = 0, .size = sent.size};
    co_await from.library->send(to.rank, bytes);
}

Task<> DeckStages::receive(Side& at, const Side& from, std::uint64_t number)
{
    const Received received = co_await at.library->receive(kAnyRank, {at.object});
    require_message(*at.processor, at.library->address(at.object), message(number), received, from.rank);
}

Message DeckStages::message(std::uint64_t number) const
{
    return {.size = static_cast<std::uint32_t>(options_.size), .sequence = number};
}

/// An arrival follows the other rank's last step; all other steps follow the rank's own.
void DeckStages::ended(unsigned rank, Step step, Duration now)
{
    const bool other = step == Step::kArrived;
    const auto before =
        std::find_if(rows_.rbegin(), rows_.rend(), [&](const Row& row) { return (row.rank != rank) == other; });
    rows_.push_back({step, rank, before == rows_.rend() ? begun_ : before->end, now});
}

void DeckStages::check() const
{
    for (const Side* side : {&from_, &to_}) {
        if (side->processor->finished()) continue;
        throw ModelError(fmt::format("deck-stages: the program of rank {} ended in the middle, after {} steps",
                                     side->rank, rows_.size()));
    }
    Duration at = begun_;
    for (const Row& row : rows_) {
        if (row.begin != at || row.end < row.begin) {
            throw ModelError(
                fmt::format("deck-stages: '{}' of rank {} lasts from {} to {} ps, and the step before it "
                            "ends at {} ps",
                            kStepNames.name(row.step), row.rank, row.begin.ps(), row.end.ps(), at.ps()));
        }
        at = row.end;
    }
    if (at != received_) {
        throw ModelError(fmt::format("deck-stages: the last step ends at {} ps, and the message was received at {} ps",
                                     at.ps(), received_.ps()));
    }
}

Results DeckStages::results() const
{
    Results results;
    results.columns = {{"step", ""}, {"rank", ""}, {"begin_ns", "ns"}, {"end_ns", "ns"}, {"duration_ns", "ns"}};
    for (const Row& row : rows_) {
        results.rows.push_back({std::string(kStepNames.name(row.step)), std::int64_t{row.rank},
                                (row.begin - begun_).ns(), (row.end - begun_).ns(), (row.end - row.begin).ns()});
    }
    results.notes.push_back(
        fmt::format("one message of {} bytes from rank {} to rank {}: {:.3f} ns from the sender's "
                    "call until the receiver's returns, the sum of all rows",
                    options_.size, from_.rank, to_.rank, (received_ - begun_).ns()));
    results.notes.push_back(fmt::format(
        "on the way: from the end of one rank's store until the other's poll{} ends",
        library_.options().notification == Notification::kInterrupt ? " (before the receiver's, the interrupt)" : ""));
    for (const auto& note : library_.notes(from_.library->statistics())) results.notes.push_back(note);
    return results;
}

}  // namespace ringmesh::workloads::deck
