// SPDX-License-Identifier: Apache-2.0
#include "workloads/programs/rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "tlm/error.h"
#include "tlm/ncube/ncube_machine.h"
#include "workloads/libraries/messaging/message_bytes.h"
#include "workloads/programs/machine_shape.h"
#include "workloads/ranks/rank_pair.h"
#include "workloads/sizes.h"

namespace ringmesh::workloads {
namespace {

constexpr NameTable<RoundPattern, 5> kPatternNames{{{{"chain", RoundPattern::kChain},
                                                     {"exchange", RoundPattern::kExchange},
                                                     {"all-to-all", RoundPattern::kAllToAll},
                                                     {"nearest-neighbour", RoundPattern::kNeighbours},
                                                     {"stream", RoundPattern::kStream}}}};

std::vector<RankMessage> chain_of(std::int64_t length, Machine& machine, unsigned ranks)
{
    const bool gray = dynamic_cast<NcubeMachine*>(&machine) != nullptr && std::has_single_bit(ranks);
    const auto place = [gray, ranks](std::int64_t step) {
        const auto number = static_cast<unsigned>(step % ranks);
        return gray ? number ^ (number >> 1U) : number;
    };
    std::vector<RankMessage> all;
    for (std::int64_t step = 1; step <= (length == 0 ? ranks - 1 : length); ++step) {
        all.push_back({place(step - 1), place(step)});
    }
    return all;
}

/// Tells the messages of a round from those of others and of barriers, where the library has tags.
Tag tag_of(std::size_t round) { return Tag{static_cast<std::int32_t>(round) + 1}; }

}  // namespace

std::vector<RankMessage> round_messages(RoundPattern pattern, const RoundsOptions& options, Machine& machine,
                                        unsigned ranks)
{
    if (pattern == RoundPattern::kChain) return chain_of(options.length, machine, ranks);
    if (pattern == RoundPattern::kStream) {
        const unsigned to = choose_ranks("stream", 0, options.to, ranks, machine.nodes()).to;
        return std::vector<RankMessage>(static_cast<std::size_t>(options.messages), {0, to});
    }
    std::vector<RankMessage> all;
    const bool in_pairs = std::has_single_bit(ranks);
    for (unsigned a = 0; a < ranks; ++a) {
        // By distance, so that no rank is the first target of all
        for (unsigned distance = 1; distance < ranks; ++distance) {
            const unsigned b = in_pairs ? a ^ distance : (a + distance) % ranks;
            const bool wanted = pattern == RoundPattern::kAllToAll ||
                                (pattern == RoundPattern::kExchange && (a ^ b) == 1) ||
                                (pattern == RoundPattern::kNeighbours && hops(machine, a, b).value_or(2) <= 1);
            if (wanted) all.push_back({a, b});
        }
    }
    if (!all.empty()) return all;
    throw UserError(
        fmt::format("{}: {} ranks have no two that send to each other; take more", kPatternNames.name(pattern), ranks));
}

/// Assigns each message to the first round in which both its ranks are free.
std::vector<RankMessage> in_rounds(const std::vector<RankMessage>& messages, unsigned ranks)
{
    std::vector<std::vector<bool>> busy;  // by round and rank
    std::vector<std::pair<std::size_t, RankMessage>> placed;
    for (const RankMessage& message : messages) {
        std::size_t round = 0;
        while (round < busy.size() && (busy[round][message.from] || busy[round][message.to])) ++round;
        if (round == busy.size()) busy.emplace_back(ranks);
        busy[round][message.from] = busy[round][message.to] = true;
        placed.emplace_back(round, message);
    }
    std::stable_sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<RankMessage> all;
    all.reserve(placed.size());
    for (const auto& [round, message] : placed) all.push_back(message);
    return all;
}

void RoundsOptions::visit(ParameterVisitor& visitor, RoundPattern pattern)
{
    visitor.numbers({"sizes", "message sizes in bytes: '64', '1,2,4,8', '64..512 step 64', '1..4096 x2'", assumed()},
                    sizes);
    visitor.field(
        {"repetitions", "timed repetitions of each size, after one to warm up if there is a barrier", assumed()},
        repetitions, {1, 1'000'000});
    visitor.field({"quiet",
                   "rounds begin at fixed times on an idle machine, not after a barrier, and ranks with no part left "
                   "compute",
                   seed("001 4")},
                  quiet);
    if (pattern == RoundPattern::kChain) {
        visitor.field(
            {"length", "number of messages, round after round; 0: until all ranks had the message", assumed()}, length,
            {0, 100'000});
    } else if (pattern == RoundPattern::kStream) {
        visitor.field({"messages", "in a row", assumed()}, messages, {1, 100'000});
        visitor.field({"to", "the rank that receives; -1 is the one half-way round", assumed()}, to, {-1, 65'535});
    } else {
        visitor.field(
            {"overlap",
             "ranks send before their peers receive, and take messages in order of arrival, by tag and wild card",
             assumed()},
            overlap);
    }
}

std::string_view RoundsProgram::name_of(RoundPattern pattern) { return kPatternNames.name(pattern); }

RoundsProgram::RoundsProgram(RoundPattern pattern, std::unique_ptr<Library> library, RoundsOptions options,
                             std::string ranks)
    : RankProgram(name_of(pattern), std::move(library), std::move(ranks)),
      pattern_(pattern),
      options_(std::move(options))
{}

void RoundsProgram::prepare()
{
    require_two();
    if (options_.overlap) require_offers("overlap = true", {Offer::kBuffered, Offer::kTags, Offer::kAnySource});
    sizes_ = parse_sizes(options_.sizes, {.smallest = 0});
    for (const std::uint32_t size : sizes_) {
        used_library().require_carried(size, name() + ": a message has",
                                       [](std::uint32_t most) { return fmt::format("sizes of at most {}", most); });
    }
    participants_.resize(ranks());
    auto messages = round_messages(pattern_, options_, machine(), ranks());
    messages_ = messages.size();
    if (!options_.overlap && pattern_ != RoundPattern::kChain) messages = in_rounds(messages, ranks());
    for (const RankMessage& way : messages) {
        participants_[way.from].messages.push_back(way);
        ++participants_[way.to].receives;
        if (!options_.overlap) participants_[way.to].messages.push_back(way);
    }
    rounds_.resize(sizes_.size() * per_size());
    if (options_.quiet) quiet_.emplace(name(), ranks(), rounds_.size());
    const bool each = used_library().buffers() == Library::Buffers::kEachSize;
    const std::uint32_t largest = *std::max_element(sizes_.begin(), sizes_.end());
    for (unsigned number = 0; number < ranks(); ++number) {
        all_ = rank(number).create_group(ranks());
        for (auto* mine : {&participants_[number].out, &participants_[number].in}) {
            if (!each) mine->assign(sizes_.size(), rank(number).create_buffer(largest));
            for (std::size_t i = 0; each && i < sizes_.size(); ++i) {
                mine->push_back(rank(number).create_buffer(sizes_[i]));
            }
        }
    }
}

Task<> RoundsProgram::run(unsigned number)
{
    Rank& me = rank(number);
    co_await me.begin();
    for (std::size_t i = 0; i < rounds_.size(); ++i) {
        participants_[number].at = i;
        if (quiet_) {
            co_await quiet_->begin(me.processor(), i);
        } else {
            co_await me.barrier(all_);
        }
        rounds_[i].began = std::min(rounds_[i].began, me.processor().time());
        if (options_.overlap) {
            co_await overlapped(number);
        } else {
            co_await in_order(number);
        }
        rounds_[i].ended = std::max(rounds_[i].ended, me.processor().time());
        if (quiet_) co_await quiet_->end(me.processor(), i);
        if (number != 0) continue;
        machine().simulation().report_progress(static_cast<double>(i + 1) / static_cast<double>(rounds_.size()));
    }
    co_await me.end();
}

Task<> RoundsProgram::in_order(unsigned number)
{
    for (const RankMessage& way : participants_[number].messages) {
        if (way.from == number) {
            co_await send(number, way.to);
        } else {
            co_await receive(number, way.from);
        }
    }
}

Task<> RoundsProgram::overlapped(unsigned number)
{
    const Participant& mine = participants_[number];
    std::vector<bool> seen(ranks());
    for (std::size_t i = 0; i < std::max(mine.messages.size(), mine.receives); ++i) {
        if (i < mine.messages.size()) co_await send(number, mine.messages[i].to);
        if (i >= mine.receives) continue;
        const unsigned from = co_await receive(number, kAnyRank);
        if (seen[from]) throw ModelError(fmt::format("rank {} received two messages of rank {}", number, from));
        seen[from] = true;
    }
}

Task<> RoundsProgram::send(unsigned number, unsigned to)
{
    Rank& me = rank(number);
    const Participant& mine = participants_[number];
    const Message content = message({number, to}, mine.at);
    const Part out{.buffer = mine.out[size_at(mine.at)], .offset = 0, .size = content.size};
    poke_message(me.processor(), me.address(out.buffer), content);
    // Messages to one rank have the same bytes throughout a round
    const bool constant = std::all_of(mine.messages.begin(), mine.messages.end(), [number, to](const RankMessage& way) {
        return way.from != number || way.to == to;
    });
    if (constant) {
        co_await me.send_constant(to, out, tag_of(mine.at));
    } else {
        co_await me.send(to, out, tag_of(mine.at));
    }
}

Task<unsigned> RoundsProgram::receive(unsigned number, unsigned from)
{
    Rank& me = rank(number);
    const Participant& mine = participants_[number];
    const Part in{.buffer = mine.in[size_at(mine.at)], .offset = 0, .size = sizes_[size_at(mine.at)]};
    const Received received = co_await me.receive(from, in, tag_of(mine.at));
    const unsigned source = from == kAnyRank ? received.from : from;
    require_message(me.processor(), me.address(in.buffer), message({source, number}, mine.at), received, source);
    if (quiet_) quiet_->progressed(mine.at, me.processor().time());
    co_return source;
}

Message RoundsProgram::message(RankMessage way, std::size_t round) const
{
    // A chain forwards the same bytes
    const std::uint64_t who = pattern_ == RoundPattern::kChain ? 0 : way.from + 7 * std::uint64_t{way.to};
    return {
        .size = sizes_[size_at(round)], .repetition = static_cast<std::uint32_t>(round), .sequence = 3 * round + who};
}

std::string RoundsProgram::doing(unsigned number) const
{
    const std::size_t at = participants_[number].at;
    return fmt::format("repetition {} of {} bytes", at % per_size(), sizes_[size_at(at)]);
}

void RoundsProgram::add_up_ranks(Totals& totals)
{
    for (Round& round : rounds_) {
        totals.lowest(round.began);
        totals.highest(round.ended);
    }
}

Results RoundsProgram::results() const
{
    Results results;
    results.columns = {{"size_bytes", "bytes"},
                       {"messages", ""},
                       {"time_min_ns", "ns"},
                       {"time_avg_ns", "ns"},
                       {"ns_per_message", "ns"}};
    for (std::size_t size = 0; size < sizes_.size(); ++size) {
        Duration least = Duration::never();
        Duration total;
        for (std::size_t i = size * per_size() + warm_up(); i < (size + 1) * per_size(); ++i) {
            const Duration took = rounds_[i].ended - rounds_[i].began;
            least = std::min(least, took);
            total += took;
        }
        const double mean = total.ns() / static_cast<double>(options_.repetitions);
        results.rows.push_back({std::int64_t{sizes_[size]}, static_cast<std::int64_t>(messages_), least.ns(), mean,
                                mean / static_cast<double>(messages_)});
    }
    results.notes.push_back(fmt::format("{} ranks, from the first one's {} until the last has sent and received all",
                                        ranks(),
                                        options_.quiet ? "begin on an idle machine" : "return from a barrier"));
    const MessagingStatistics sum = statistics();
    if (!sum.sent.empty()) results.notes.push_back("all ranks: " + describe(sum));
    for (const auto& note : used_library().notes(sum)) results.notes.push_back(note);
    return results;
}

}  // namespace ringmesh::workloads
