// SPDX-License-Identifier: Apache-2.0
#include "workloads/programs/rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tlm/error.h"
#include "tlm/ncube/ncube_machine.h"
#include "workloads/machine_shape.h"
#include "workloads/messaging/message_bytes.h"
#include "workloads/sizes.h"

namespace ringmesh::workloads {
namespace {

constexpr NameTable<RoundPattern, 4> kPatternNames{{{{"chain", RoundPattern::kChain},
                                                     {"exchange", RoundPattern::kExchange},
                                                     {"all-to-all", RoundPattern::kAllToAll},
                                                     {"nearest-neighbour", RoundPattern::kNeighbours}}}};

std::vector<RankMessage> chain_of(Machine& machine, unsigned ranks)
{
    const bool is_cube = dynamic_cast<NcubeMachine*>(&machine) != nullptr && ranks == machine.nodes();
    const auto place = [is_cube](unsigned step) { return is_cube ? step ^ (step >> 1U) : step; };
    std::vector<RankMessage> all;
    for (unsigned step = 1; step < ranks; ++step) all.push_back({place(step - 1), place(step)});
    return all;
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

}  // namespace

std::vector<RankMessage> round_messages(RoundPattern pattern, Machine& machine, unsigned ranks)
{
    std::vector<RankMessage> all;
    if (pattern == RoundPattern::kChain) return chain_of(machine, ranks);
    for (unsigned a = 0; a < ranks; ++a) {
        // By distance, so that the first messages of a round have no rank in common
        for (unsigned distance = 1; distance < ranks; ++distance) {
            const unsigned b = (a + distance) % ranks;
            const bool wanted = pattern == RoundPattern::kAllToAll ||
                                (pattern == RoundPattern::kExchange && (a ^ b) == 1) ||
                                (pattern == RoundPattern::kNeighbours && hops(machine, a, b).value_or(2) <= 1);
            if (wanted) all.push_back({a, b});
        }
    }
    if (all.empty()) {
        throw UserError(fmt::format("{}: {} ranks have no two that send to each other; take more",
                                    kPatternNames.name(pattern), ranks));
    }
    return in_rounds(all, ranks);
}

void RoundsOptions::visit(ParameterVisitor& visitor)
{
    visitor.text({"sizes", "message sizes in bytes: '64', '1,2,4,8', '64..512 step 64', '1..4096 x2'", assumed()},
                 sizes);
    visitor.field({"repetitions", "timed ones of each size, after one that warms up", assumed()}, repetitions,
                  {1, 1'000'000});
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
    if (ranks() < 2) {
        throw UserError(fmt::format("{} needs two ranks, and {} is there; take a larger machine", name(), ranks()));
    }
    sizes_ = parse_sizes(options_.sizes, {.smallest = 0});
    for (const std::uint32_t size : sizes_) {
        used_library().require_carried(size, name() + ": a message has",
                                       [](std::uint32_t most) { return fmt::format("sizes of at most {}", most); });
    }
    messages_ = round_messages(pattern_, machine(), ranks());
    rounds_.resize(sizes_.size() * per_size());
    at_.resize(ranks());
    const bool each = used_library().buffers() == Library::Buffers::kEachSize;
    const std::uint32_t largest = *std::max_element(sizes_.begin(), sizes_.end());
    for (unsigned number = 0; number < ranks(); ++number) {
        all_ = rank(number).create_group(ranks());
        for (auto* buffers : {&out_, &in_}) {
            auto& mine = buffers->emplace_back();
            if (!each) mine.assign(sizes_.size(), rank(number).create_buffer(largest));
            for (std::size_t i = 0; each && i < sizes_.size(); ++i) {
                mine.push_back(rank(number).create_buffer(sizes_[i]));
            }
        }
    }
}

Task<> RoundsProgram::run(unsigned number)
{
    Rank& me = rank(number);
    co_await me.begin();
    for (std::size_t i = 0; i < rounds_.size(); ++i) {
        at_[number] = i;
        co_await me.barrier(all_);
        rounds_[i].began = std::min(rounds_[i].began, me.processor().time());
        co_await take_part(number, i / per_size(), i);
        rounds_[i].ended = std::max(rounds_[i].ended, me.processor().time());
        if (number != 0) continue;
        machine().simulation().report_progress(static_cast<double>(i + 1) / static_cast<double>(rounds_.size()));
    }
    co_await me.end();
}

Task<> RoundsProgram::take_part(unsigned number, std::size_t size, std::size_t round)
{
    Rank& me = rank(number);
    const std::uint32_t bytes = sizes_[size];
    const Part out{.buffer = out_[number][size], .offset = 0, .size = bytes};
    const Part in{.buffer = in_[number][size], .offset = 0, .size = bytes};
    for (const RankMessage& way : messages_) {
        const Message content = message(way, size, round);
        if (way.from == number) {
            poke_message(me.processor(), me.address(out.buffer), content);
            co_await me.send(way.to, out);
        } else if (way.to == number) {
            const Received received = co_await me.receive(way.from, in);
            require_message(me.processor(), me.address(in.buffer), content, received, way.from);
        }
    }
}

Message RoundsProgram::message(RankMessage way, std::size_t size, std::size_t number) const
{
    // A chain forwards the same bytes
    const std::uint64_t who = pattern_ == RoundPattern::kChain ? 0 : way.from + 7 * std::uint64_t{way.to};
    return {.size = sizes_[size], .repetition = static_cast<std::uint32_t>(number), .sequence = 3 * number + who};
}

std::string RoundsProgram::doing(unsigned number) const
{
    return fmt::format("repetition {} of {} bytes", at_[number] % per_size(), sizes_[at_[number] / per_size()]);
}

Results RoundsProgram::results() const
{
    Results results;
    results.columns = {{"size_bytes", "bytes"},
                       {"messages", ""},
                       {"time_min_ns", "ns"},
                       {"time_avg_ns", "ns"},
                       {"ns_per_message", "ns"}};
    const auto count = static_cast<double>(messages_.size());
    for (std::size_t size = 0; size < sizes_.size(); ++size) {
        Duration least = Duration::never();
        Duration total;
        for (std::size_t i = size * per_size() + 1; i < (size + 1) * per_size(); ++i) {
            const Duration took = rounds_[i].ended - rounds_[i].began;
            least = std::min(least, took);
            total += took;
        }
        const double mean = total.ns() / static_cast<double>(options_.repetitions);
        results.rows.push_back(
            {std::int64_t{sizes_[size]}, static_cast<std::int64_t>(messages_.size()), least.ns(), mean, mean / count});
    }
    results.notes.push_back(fmt::format(
        "{} ranks, from the first one's return from a barrier until the last has sent and received all", ranks()));
    MessagingStatistics sum;
    for (unsigned number = 0; number < ranks(); ++number) sum += rank(number).statistics();
    if (!sum.sent.empty()) results.notes.push_back("all ranks: " + describe(sum));
    for (const auto& note : used_library().notes(sum)) results.notes.push_back(note);
    return results;
}

}  // namespace ringmesh::workloads
