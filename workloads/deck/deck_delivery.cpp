// SPDX-License-Identifier: Apache-2.0
#include "workloads/deck/deck_delivery.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "tlm/error.h"
#include "workloads/messaging/message_bytes.h"

namespace ringmesh::workloads::deck {
namespace {

constexpr std::int64_t kMostMessages = 10'000'000;
constexpr std::int64_t kLargestOfAll = 1 << 20;

}  // namespace

void DeckDeliveryOptions::visit(ParameterVisitor& visitor)
{
    visitor.field({"messages", "messages of all ranks together", assumed()}, messages, {1, kMostMessages});
    visitor.field({"largest", "bytes of the largest message; sizes are log-uniform from 0", assumed()}, largest,
                  {0, kLargestOfAll});
}

void DeckDelivery::start_on(SciMachine& machine)
{
    const unsigned ranks = machine.nodes();
    if (ranks < 2) {
        throw UserError(
            fmt::format("deck-delivery needs two nodes, and this machine has {}; take a larger one", ranks));
    }
    simulation_ = &machine.simulation();
    const auto largest = static_cast<std::uint32_t>(options_.largest);
    const auto small = static_cast<std::uint32_t>(std::min(options_.largest, library_.options().limit));
    const auto cure = [](std::uint32_t most) { return fmt::format("largest={}", most); };
    for (const std::uint32_t size : {largest, small}) {
        library_.require_carried(size, "deck-delivery: a message may have", cure);
    }
    plan_ = DeliveryPlan(ranks, static_cast<std::uint64_t>(options_.messages), largest,
                         simulation_->random_for("deck-delivery"));
    ranks_ = library_.make_ranks(machine, ranks);
    participants_.resize(ranks);
    for (unsigned rank = 0; rank < ranks; ++rank) {
        Participant& me = participants_[rank];
        me.delivery = this;
        me.processor = &machine.processor(rank);
        me.library = &dynamic_cast<DeckRank&>(*ranks_[rank]);
        me.library->receive_while_sending(me);
        me.small = me.library->create_buffer(small);
        me.large = me.library->create_buffer(largest);
        me.received_in = me.library->create_buffer(largest);
        me.sent.resize(ranks);
        me.received.resize(ranks);
    }
    connect(ranks_);
    for (Participant& me : participants_) me.processor->run(program(me), "deck-delivery");
}

Task<> DeckDelivery::program(Participant& me)
{
    const unsigned rank = me.processor->rank();
    for (const DeliveryPlan::Sending& next : plan_.of(rank)) {
        const BufferId object = object_for(me, next.size);
        const Message sending = message(rank, next.to, me.sent[next.to]++);
        poke_message(*me.processor, me.library->address(object), sending);
        const Part bytes{.buffer = object, .offset = 0, .size = next.size};
        co_await me.library->send(next.to, bytes);
        while (me.library->has_mail()) co_await receive_one(me);
    }
    while (me.all_received < plan_.expected_by(rank)) co_await receive_one(me);
    end_ = std::max(end_, me.processor->time());
}

Task<> DeckDelivery::receive_one(Participant& me)
{
    const Received received = co_await me.library->receive(kAnyRank, {me.received_in});
    take(me, received);
}

void DeckDelivery::take(Participant& me, const Received& received)
{
    const unsigned rank = me.processor->rank();
    const std::uint64_t number = me.received[received.from]++;
    if (number == plan_.sizes(received.from, rank).size()) {
        throw ModelError(fmt::format("rank {} received more messages of rank {} than the {} that were sent", rank,
                                     received.from, number));
    }
    const Message expected = message(received.from, rank, number);
    // Protocol 1 carries no length; this program knows it from the plan.
    const bool tells = expected.size > library_.options().largest_short() ||
                       library_.options().protocol == Choice::kGeneral ||
                       library_.options().protocol == Choice::kZeroCopy;
    const Received told{received.from, tells ? received.size : expected.size};
    require_message(*me.processor, me.library->address(me.received_in), expected, told, received.from);
    ++me.all_received;
    ++delivered_;
    simulation_->report_progress(static_cast<double>(delivered_) / static_cast<double>(options_.messages));
}

/// Numbered so that messages that could be confused differ: of one pair, or to one rank.
Message DeckDelivery::message(unsigned from, unsigned to, std::uint64_t number) const
{
    return {.size = plan_.sizes(from, to).at(number), .sequence = number * participants_.size() + from};
}

BufferId DeckDelivery::object_for(const Participant& me, std::uint32_t size) const
{
    return size <= library_.options().limit ? me.small : me.large;
}

void DeckDelivery::check() const
{
    for (const Participant& me : participants_) {
        const unsigned rank = me.processor->rank();
        const bool has_mail = me.library->has_mail();  // reports an overrun ring, on which a program waits forever
        if (!me.processor->finished()) {
            throw ModelError(
                fmt::format("the program of rank {} ended in the middle: {} of {} messages sent, {} of {} "
                            "received",
                            rank, std::accumulate(me.sent.begin(), me.sent.end(), std::uint64_t{0}),
                            plan_.of(rank).size(), me.all_received, plan_.expected_by(rank)));
        }
        if (has_mail) {
            throw ModelError(fmt::format("the mail box of rank {} holds a message that was not sent", rank));
        }
    }
    if (delivered_ == static_cast<std::uint64_t>(options_.messages)) return;
    throw ModelError(fmt::format("{} of {} messages were delivered", delivered_, options_.messages));
}

Results DeckDelivery::results() const
{
    MessagingStatistics sum;
    for (const Participant& me : participants_) sum += me.library->statistics();
    Results results;
    results.columns = {{"protocol", ""}, {"messages", ""}, {"bytes", "bytes"}};
    for (const auto& protocol : sum.sent) {
        results.rows.push_back({std::string(protocol.name), static_cast<std::int64_t>(protocol.messages),
                                static_cast<std::int64_t>(protocol.bytes)});
    }
    results.notes.push_back(
        fmt::format("{} messages between {} ranks in {:.1f} us: each came once, in the order of its "
                    "sender, all bytes as they were sent",
                    delivered_, participants_.size(), end_.ns() / 1000));
    results.notes.push_back(describe(sum));
    for (const auto& note : library_.notes(sum)) results.notes.push_back(note);
    return results;
}

}  // namespace ringmesh::workloads::deck
