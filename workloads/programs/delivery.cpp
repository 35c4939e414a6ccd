// SPDX-License-Identifier: Apache-2.0
#include "workloads/programs/delivery.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tlm/error.h"
#include "workloads/libraries/messaging/message_bytes.h"

namespace ringmesh::workloads {
namespace {

constexpr std::int64_t kMostMessages = 10'000'000;
constexpr std::int64_t kLargestOfAll = 1 << 20;

std::uint32_t log_uniform(std::uint32_t largest, Random& random)
{
    const double doublings = std::log2(largest + 1.0);
    const auto size = static_cast<std::uint32_t>(std::exp2(random.unit() * doublings)) - 1;
    return std::min(size, largest);
}

std::uint64_t total(const std::vector<std::uint64_t>& counts, unsigned first, unsigned last)
{
    return std::accumulate(counts.begin() + first, counts.begin() + last, std::uint64_t{0});
}

/// A node's system buffers under Vertex hold 64 KiB.
DeliveryOptions options_for(const Library& library)
{
    if (library.measured() == Measured::kVertex) return {.largest = 2000};
    return {};
}

}  // namespace

DeliveryPlan::DeliveryPlan(unsigned ranks, std::uint64_t messages, std::uint32_t largest, Random random)
    : sendings_(ranks), sizes_(ranks, std::vector<std::vector<std::uint32_t>>(ranks))
{
    for (std::uint64_t i = 0; i < messages; ++i) {
        const auto from = static_cast<unsigned>(random.below(ranks));
        const auto to = static_cast<unsigned>((from + 1 + random.below(ranks - 1)) % ranks);
        const std::uint32_t size = log_uniform(largest, random);
        sendings_[from].push_back({to, size});
        sizes_[from][to].push_back(size);
    }
}

void DeliveryOptions::visit(ParameterVisitor& visitor)
{
    visitor.field({"messages", "messages of all ranks together", assumed()}, messages, {1, kMostMessages});
    visitor.field({"largest", "bytes of the largest message; sizes are log-uniform from 0", assumed()}, largest,
                  {0, kLargestOfAll});
}

DeliveryProgram::DeliveryProgram(std::unique_ptr<Library> library)
    : RankProgram("delivery", std::move(library)), options_(options_for(used_library()))
{}

void DeliveryProgram::prepare()
{
    require_two();
    sizes_ = used_library().buffer_sizes(static_cast<std::uint32_t>(options_.largest));
    const auto cure = [](std::uint32_t most) { return fmt::format("largest={}", most); };
    for (auto size = sizes_.rbegin(); size != sizes_.rend(); ++size) {
        used_library().require_carried(*size, "delivery: a message may have", cure);
    }
    // Renaming this generator changes the runs of all seeds
    plan_ = DeliveryPlan(ranks(), static_cast<std::uint64_t>(options_.messages), sizes_.back(),
                         machine().simulation().random_for("deck-delivery"));
    participants_.resize(ranks());
    for (unsigned number = 0; number < ranks(); ++number) {
        Participant& me = participants_[number];
        me.program = this;
        me.number = number;
        const bool receives = rank(number).receive_while_sending(me);
        two_phases_ = !receives && !used_library().has(Offer::kBuffered);
        for (const std::uint32_t size : sizes_) me.out.push_back(rank(number).create_buffer(size));
        me.received_in = rank(number).create_buffer(sizes_.back());
        me.sent.resize(ranks());
        me.received.resize(ranks());
    }
}

Task<> DeliveryProgram::run(unsigned number)
{
    Rank& me = rank(number);
    co_await me.begin();
    if (two_phases_) co_await receive_from(number, 0, number);
    co_await send_to(number, two_phases_ ? number : 0, ranks());
    co_await receive_from(number, 0, ranks());
    if (two_phases_) co_await send_to(number, 0, number);
    end_ = std::max(end_, me.processor().time());
    co_await me.end();
}

Task<> DeliveryProgram::send_to(unsigned number, unsigned first, unsigned last)
{
    Rank& me = rank(number);
    Participant& mine = participants_[number];
    for (const DeliveryPlan::Sending& next : plan_.of(number)) {
        if (next.to < first || next.to >= last) continue;
        const auto holds = std::lower_bound(sizes_.begin(), sizes_.end(), next.size);
        const BufferId buffer = mine.out[static_cast<std::size_t>(holds - sizes_.begin())];
        const Message sending = message(number, next.to, mine.sent[next.to]++);
        poke_message(me.processor(), me.address(buffer), sending);
        const Part bytes{.buffer = buffer, .offset = 0, .size = next.size};
        co_await me.send(next.to, bytes);
        while (me.has_mail()) co_await receive_one(number);
    }
}

Task<> DeliveryProgram::receive_from(unsigned number, unsigned first, unsigned last)
{
    const std::uint64_t all = expected(number, first, last);
    while (total(participants_[number].received, first, last) < all) co_await receive_one(number);
}

Task<> DeliveryProgram::receive_one(unsigned number)
{
    const Part room{participants_[number].received_in};
    const Received received = co_await rank(number).receive(kAnyRank, room);
    take(number, received);
}

void DeliveryProgram::take(unsigned number, const Received& received)
{
    const Rank& me = rank(number);
    Participant& mine = participants_[number];
    const std::uint64_t count = mine.received[received.from]++;
    if (count == plan_.sizes(received.from, number).size()) {
        throw ModelError(fmt::format("rank {} received more messages of rank {} than the {} that were sent", number,
                                     received.from, count));
    }
    require_message(me.processor(), me.address(mine.received_in), message(received.from, number, count), received,
                    received.from);
    ++delivered_;
    machine().simulation().report_progress(static_cast<double>(delivered_) / static_cast<double>(options_.messages));
}

/// Numbered so that messages that could be confused differ: of one pair, or to one rank.
Message DeliveryProgram::message(unsigned from, unsigned to, std::uint64_t number) const
{
    return {.size = plan_.sizes(from, to).at(number), .sequence = number * ranks() + from};
}

std::uint64_t DeliveryProgram::expected(unsigned number, unsigned first, unsigned last) const
{
    std::uint64_t sum = 0;
    for (unsigned from = first; from < last; ++from) sum += plan_.sizes(from, number).size();
    return sum;
}

std::string DeliveryProgram::doing(unsigned number) const
{
    const Participant& mine = participants_[number];
    return fmt::format("{} of {} messages sent, {} of {} received", total(mine.sent, 0, ranks()),
                       plan_.of(number).size(), total(mine.received, 0, ranks()), expected(number, 0, ranks()));
}

std::string DeliveryProgram::problem_of(unsigned number) const
{
    if (!rank(number).has_mail()) return {};
    return fmt::format("rank {} has a message that was not sent to it", number);
}

void DeliveryProgram::add_up_ranks(Totals& totals)
{
    totals.sum(delivered_);
    totals.highest(end_);
}

void DeliveryProgram::check() const
{
    RankProgram::check();
    if (delivered_ == static_cast<std::uint64_t>(options_.messages)) return;
    throw ModelError(fmt::format("{} of {} messages were delivered", delivered_, options_.messages));
}

Results DeliveryProgram::results() const
{
    const MessagingStatistics sum = statistics();
    Results results;
    results.columns = {{"protocol", ""}, {"messages", ""}, {"bytes", "bytes"}};
    for (const auto& protocol : sum.sent) {
        results.rows.push_back({std::string(protocol.name), static_cast<std::int64_t>(protocol.messages),
                                static_cast<std::int64_t>(protocol.bytes)});
    }
    results.notes.push_back(
        fmt::format("{} messages between {} ranks in {:.1f} us: each came once, in the order of its "
                    "sender, all bytes as they were sent",
                    delivered_, ranks(), end_.ns() / 1000));
    if (two_phases_) {
        results.notes.emplace_back(
            "first all messages to higher ranks, then those to lower ones: sends of this library may wait for their "
            "receiver");
    }
    results.notes.push_back(describe(sum));
    for (const auto& note : used_library().notes(sum)) results.notes.push_back(note);
    return results;
}

}  // namespace ringmesh::workloads
