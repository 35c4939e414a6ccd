// SPDX-License-Identifier: Apache-2.0
#include "workloads/probes/deck_stages.h"

#include <algorithm>
#include <string>

#include "tlm/error.h"
#include "workloads/libraries/deck/deck_library.h"
#include "workloads/libraries/deck/deck_rank.h"
#include "workloads/libraries/messaging/message_bytes.h"

namespace ringmesh::workloads::deck {
namespace {

constexpr std::int64_t kLargest = 1 << 20;
constexpr std::int64_t kMostExchanges = 10'000;

}  // namespace

void DeckStagesOptions::visit(ParameterVisitor& visitor)
{
    visit_ranks(visitor, from, to);
    visitor.field({"size", "bytes of the message", assumed()}, size, {0, kLargest});
    visitor.field({"warm_up", "exchanges before the message; they advance the places in the rings", assumed()}, warm_up,
                  {1, kMostExchanges});
}

void DeckStages::prepare()
{
    ranks_ = choose_pair(options_.from, options_.to);
    const auto size = static_cast<std::uint32_t>(options_.size);
    used_library().require_carried(size, "deck-stages: the message has",
                                   [](std::uint32_t most) { return fmt::format("size={}", most); });
    for (const unsigned number : {ranks_.from, ranks_.to}) object_ = rank(number).create_buffer(size);
}

RankProgram::Started DeckStages::program(unsigned number)
{
    if (number == ranks_.from) return {send_all(), name()};
    if (number == ranks_.to) return {receive_all(), name() + " answer"};
    return {};
}

Task<> DeckStages::send_all()
{
    const auto [from, to] = ranks_;
    for (std::uint64_t number = 0; number < measured(); number += 2) {
        co_await send(from, to, number);
        co_await receive(from, to, number + 1);
    }
    // The receiver polls by now: it has sent its last reply.
    dynamic_cast<DeckRank&>(rank(from).of_library()).tell_steps(this);
    dynamic_cast<DeckRank&>(rank(to).of_library()).tell_steps(this);
    begun_ = rank(from).processor().time();
    co_await send(from, to, measured());
}

Task<> DeckStages::receive_all()
{
    const auto [from, to] = ranks_;
    for (std::uint64_t number = 0; number < measured(); number += 2) {
        co_await receive(to, from, number);
        co_await send(to, from, number + 1);
    }
    co_await receive(to, from, measured());
    received_ = rank(to).processor().time();
}

Task<> DeckStages::send(unsigned from, unsigned to, std::uint64_t number)
{
    const Message sent = message(number);
    poke_message(rank(from).processor(), rank(from).address(object_), sent);
    const Part bytes{.buffer = object_, .offset = 0, .size = sent.size};
    co_await rank(from).send(to, bytes);
}

Task<> DeckStages::receive(unsigned at, unsigned from, std::uint64_t number)
{
    const Part room{object_};
    const Received received = co_await rank(at).receive(kAnyRank, room);
    require_message(rank(at).processor(), rank(at).address(object_), message(number), received, from);
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
    RankProgram::check();
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
                    options_.size, ranks_.from, ranks_.to, (received_ - begun_).ns()));
    results.notes.push_back(
        fmt::format("on the way: from the end of one rank's store until the other's poll{} ends",
                    dynamic_cast<const DeckLibrary&>(used_library()).options().notification == Notification::kInterrupt
                        ? " (before the receiver's, the interrupt)"
                        : ""));
    for (const auto& note : used_library().notes(rank(ranks_.from).statistics())) results.notes.push_back(note);
    return results;
}

}  // namespace ringmesh::workloads::deck
