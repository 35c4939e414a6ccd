// SPDX-License-Identifier: Apache-2.0
#include "workloads/programs/point_to_point.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "tlm/error.h"
#include "workloads/libraries/messaging/message_bytes.h"
#include "workloads/programs/machine_shape.h"
#include "workloads/ranks/rank_pair.h"
#include "workloads/sizes.h"

namespace ringmesh::workloads {
namespace {

constexpr std::uint32_t kInt = 4;
constexpr std::uint32_t kSizeStep = 64;  // step of proposed sizes
constexpr std::string_view kOpposite = "opposite";
constexpr std::string_view kAuto = "auto";
constexpr std::array<unsigned, 5> kThesisPartners{1, 2, 37, 10, 47};  // [004 3.2]
constexpr NameTable<By, 3> kBys{{{{"messages", By::kMessages}, {"put", By::kPut}, {"get", By::kGet}}}};
constexpr NameTable<Answer, 2> kAnswers{{{{"int", Answer::kInt}, {"same", Answer::kSame}}}};

std::string_view name_of(Exchange exchange) { return exchange == Exchange::kPingPong ? "ping-pong" : "one-way"; }

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

}  // namespace

void PointToPointOptions::visit(ParameterVisitor& visitor, Exchange exchange)
{
    visitor.field({"from", "rank that starts and takes the time", assumed()}, from, {0, kHighestRank});
    visitor.numbers({"to",
                     "ranks that answer, one after another, as '1,2,47'; opposite: the one half-way round; "
                     "auto: those of [004 3.2] that there are, 1,2,37,10,47",
                     assumed()},
                    to);
    visitor.numbers({"sizes", "message sizes in bytes: '64', '1,2,4,8', '64..512 step 64', '1..4096 x2'", assumed()},
                    sizes);
    visitor.field({"repetitions", "messages in each series", assumed()}, repetitions, {1, 1'000'000});
    visitor.field({"series", "series of which minimum, maximum and average are taken", assumed()}, series,
                  {1, 1'000'000});
    visitor.field({"any_source", "ranks receive from any rank, as one that may get messages from all", seed("002 IV")},
                  any_source);
    if (exchange == Exchange::kOneWay) {
        visitor.choice(
            {"answer", "to the last message of a series: one int, or a message of the same size", seed("000 app. A")},
            answer, kAnswers);
        return;
    }
    visitor.field({"meet", "all ranks meet in a barrier before each pair and size", seed("004 3.2")}, meet);
    visitor.field({"pause",
                   "largest pause of the first rank before a series, in processor cycles, not timed; each pause is "
                   "random, so that polls have different phases",
                   assumed()},
                  pause, {Cycles(0), Cycles(1'000'000)});
    visitor.choice({"by",
                    "how a message is carried: by the library's messages, by a put to the receiver's memory, or by a "
                    "get from the sender's memory, each with a flag",
                    assumed()},
                   by, kBys);
}

PointToPointOptions as_measured(Measured by, Exchange exchange)
{
    const bool streams = exchange == Exchange::kOneWay;
    switch (by) {
        case Measured::kScibench:
            if (streams) return {.sizes = "1", .repetitions = 100, .answer = Answer::kSame};
            return {.sizes = "64..512 step 64", .repetitions = 20};
        case Measured::kMpibench:
            if (streams) return {.sizes = "4", .repetitions = 1000, .series = 1};
            return {.sizes = "0,4..1048576 x2", .repetitions = 20, .series = 1};
        case Measured::kThesis:
            if (streams) return {.sizes = "32,256..8192 x2", .repetitions = 10, .series = 1};
            return {.to = std::string(kAuto),
                    .sizes = "32,256..8192 step 256",
                    .repetitions = 1,
                    .series = 10,
                    .meet = true,
                    .pause = Cycles(200)};
        case Measured::kVertex: return {.sizes = "16,500,1000,1500,2000", .repetitions = 10, .series = 1};
        case Measured::kDeck: break;
    }
    return {.sizes = "64..2048 step 64", .repetitions = 100, .series = 1, .any_source = true};
}

PointToPoint::PointToPoint(Exchange exchange, std::unique_ptr<Library> library, PointToPointOptions options)
    : RankProgram(name_of(exchange), std::move(library)), exchange_(exchange), options_(std::move(options))
{}

ProgramUse PointToPoint::uses() { return options_.by == By::kMessages ? RankProgram::uses() : ProgramUse{}; }

std::vector<unsigned> PointToPoint::partners()
{
    std::vector<unsigned> all;
    if (options_.to == kAuto) {
        for (const unsigned number : kThesisPartners) {
            if (number < ranks() && number != options_.from) all.push_back(number);
        }
        options_.to = all.empty() ? std::string(kOpposite) : fmt::format("{}", fmt::join(all, ","));
        all.clear();
    }
    if (options_.to == kOpposite) return {choose_pair(options_.from, -1).to};
    const auto numbers = parse_sizes(options_.to, {.name = "to",
                                                   .owner = "a list of ranks",
                                                   .unit = "ranks",
                                                   .examples = "'1,2,47', '1..47 step 1' or 'opposite'",
                                                   .step = 1,
                                                   .smallest = 0,
                                                   .largest = kHighestRank});
    all.reserve(numbers.size());
    for (const std::uint32_t number : numbers) all.push_back(choose_pair(options_.from, number).to);
    return all;
}

void PointToPoint::prepare()
{
    const bool waits = used_library().has(Offer::kQueues);
    if (options_.meet) require_offers("meet = true", {Offer::kQueues});
    if (options_.any_source) require_offers("any_source = true", {Offer::kAnySource});
    if (options_.by != By::kMessages) {
        require_offers(fmt::format("by = {}", kBys.name(options_.by)), {Offer::kOneSided});
    }
    sizes_ = parse_sizes(options_.sizes, {.smallest = waits ? 0 : kSmallestMessage});
    const auto cure = [](std::uint32_t most) {
        return fmt::format("sizes=0..{} step {}", most, most < kSizeStep ? 1 : kSizeStep);
    };
    for (const std::uint32_t size : sizes_) used_library().require_carried(size, name() + ": a message has", cure);
    const auto to = partners();
    for (std::size_t size = 0; size < sizes_.size(); ++size) {
        for (const unsigned partner : to) pairs_.push_back({.to = partner, .size = size, .elapsed = {}});
    }
    if (options_.by != By::kMessages) create_flags();
    buffers_.resize(ranks());
    current_.resize(ranks());
    const bool streams = exchange_ == Exchange::kOneWay;
    const std::uint32_t answer = streams && options_.answer == Answer::kInt ? kInt : 0;
    for (unsigned number = 0; number < ranks(); ++number) {
        if (options_.meet) all_ = rank(number).create_group(ranks());
        if (!takes_part(number)) continue;
        auto& buffers = buffers_[number];
        if (used_library().buffers() == Library::Buffers::kEachSize) {
            for (const std::uint32_t size : sizes_) buffers.push_back(rank(number).create_buffer(size));
            if (answer > 0) buffers.push_back(rank(number).create_buffer(answer));
        } else {
            const std::uint32_t largest = *std::max_element(sizes_.begin(), sizes_.end());
            buffers.assign(sizes_.size() + 1, rank(number).create_buffer(std::max(largest, answer)));
        }
    }
}

void PointToPoint::create_flags()
{
    for (unsigned number = 0; number < ranks(); ++number) flag_ = rank(number).one_sided()->create_flag();
    signalled_.resize(ranks());
    received_.resize(ranks());
    const std::uint32_t room = rank(0).one_sided()->window();
    for (const std::uint32_t size : sizes_) {
        if (size <= room) continue;
        throw UserError(
            fmt::format("{}: by = {}: a message has {} bytes, and a rank's window {}; take sizes of at "
                        "most that",
                        name(), kBys.name(options_.by), size, room));
    }
}

bool PointToPoint::takes_part(unsigned number) const
{
    return number == static_cast<unsigned>(options_.from) ||
           std::any_of(pairs_.begin(), pairs_.end(), [number](const Pair& pair) { return pair.to == number; });
}

RankProgram::Started PointToPoint::program(unsigned number)
{
    if (!takes_part(number) && !options_.meet && !used_library().has(Offer::kBarrier)) return {};
    const bool answers = number != static_cast<unsigned>(options_.from);
    return {run(number), name() + (answers ? " answer" : "")};
}

Task<> PointToPoint::run(unsigned number)
{
    Rank& me = rank(number);
    const auto from = static_cast<unsigned>(options_.from);
    co_await me.begin();
    if (number != from && takes_part(number)) expect_next(number, 0, 0);
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
        if (options_.meet) co_await me.barrier(all_);
        if (number == from) {
            co_await measure(pair);
        } else if (number == pairs_[pair].to) {
            co_await answer(pair);
        }
    }
    co_await me.end();
}

std::uint64_t PointToPoint::per_pair() const
{
    return 1 + static_cast<std::uint64_t>(options_.series) * static_cast<std::uint64_t>(options_.repetitions);
}

bool PointToPoint::awaited(std::uint64_t number) const
{
    return exchange_ == Exchange::kPingPong || number % static_cast<std::uint64_t>(options_.repetitions) == 0;
}

Task<> PointToPoint::measure(std::size_t pair)
{
    Processor& processor = rank(static_cast<unsigned>(options_.from)).processor();
    // Renaming this generator changes the simulated rows of the thesis
    Random random = machine().simulation().random_for(fmt::format("rcce-ping-pong {}", pair));
    std::uint64_t next = 0;
    for (std::int64_t series = -1; series < options_.series; ++series) {
        const std::uint64_t count = series < 0 ? 1 : static_cast<std::uint64_t>(options_.repetitions);
        if (options_.pause > Cycles(0)) {
            const auto pause = random.below(static_cast<std::uint64_t>(options_.pause.count()) + 1);
            co_await processor.compute(processor.cycles(Cycles(static_cast<std::int64_t>(pause))));
        }
        const Duration begin = processor.time();
        co_await exchange(pair, next, count);
        next += count;
        if (series < 0) continue;
        pairs_[pair].elapsed.push_back(processor.time() - begin);
        const double all = static_cast<double>(pairs_.size()) * static_cast<double>(options_.series);
        machine().simulation().report_progress(static_cast<double>(++done_) / all);
    }
}

Task<> PointToPoint::exchange(std::size_t pair, std::uint64_t first, std::uint64_t count)
{
    const auto from = static_cast<unsigned>(options_.from);
    const unsigned to = pairs_[pair].to;
    for (std::uint64_t number = first; number < first + count; ++number) {
        const Message message = outgoing(pair, number);
        const Message reply = reply_to(message);
        if (message.awaited && options_.by == By::kMessages) rank(from).expect(to, reply);
        co_await send(from, to, pairs_[pair].size, message);
        if (message.awaited) co_await receive(from, to, reply_buffer(pair), reply);
    }
}

Task<> PointToPoint::answer(std::size_t pair)
{
    const auto from = static_cast<unsigned>(options_.from);
    const unsigned me = pairs_[pair].to;
    const bool all = used_library().has(Offer::kQueues);
    for (std::uint64_t number = 0; number < per_pair(); ++number) {
        if (!all && !awaited(number)) continue;
        const Message message = outgoing(pair, number);
        co_await receive(me, from, pairs_[pair].size, message);
        expect_next(me, pair, number + 1);
        if (!message.awaited) continue;
        const Message reply = reply_to(message);
        co_await send(me, from, reply_buffer(pair), reply);
    }
}

/// The from-rank sends no more before it gets an answer.
void PointToPoint::expect_next(unsigned at, std::size_t pair, std::uint64_t number)
{
    if (options_.by != By::kMessages) return;
    const auto from = static_cast<unsigned>(options_.from);
    for (; pair < pairs_.size(); ++pair, number = 0) {
        if (pairs_[pair].to != at) continue;
        while (number < per_pair() && !awaited(number)) ++number;
        if (number == per_pair()) continue;
        rank(at).expect(from, outgoing(pair, number));
        return;
    }
}

Task<> PointToPoint::send(unsigned at, unsigned to, std::size_t buffer, Message message)
{
    Rank& me = rank(at);
    current_[at] = message;
    const Part bytes{.buffer = buffers_[at][buffer], .offset = 0, .size = message.size};
    poke_message(me.processor(), me.address(bytes.buffer), message);
    if (options_.by == By::kMessages) {
        co_await me.send(to, bytes);
        co_return;
    }
    OneSided& memory = *me.one_sided();
    if (message.size > 0) co_await memory.put(bytes, options_.by == By::kPut ? to : at, 0);
    // Several ranks answer the from-rank, one after another
    const bool answers = to == static_cast<unsigned>(options_.from);
    co_await memory.set_flag(flag_, flag_value(answers ? message.sequence / 2 : signalled_[to]++), to);
}

Task<> PointToPoint::receive(unsigned at, unsigned from, std::size_t buffer, Message message)
{
    Rank& me = rank(at);
    current_[at] = message;
    const Part room{.buffer = buffers_[at][buffer], .offset = 0, .size = message.size};
    Received received{from, message.size};
    if (options_.by == By::kMessages) {
        received = co_await me.receive(options_.any_source ? kAnyRank : from, room);
    } else {
        OneSided& memory = *me.one_sided();
        co_await memory.wait_flag(flag_, flag_value(received_[at]++));
        if (message.size > 0) co_await memory.get(room, options_.by == By::kPut ? at : from, 0);
    }
    require_message(me.processor(), me.address(room.buffer), message, received, from);
}

/// Counts both directions, so that no message equals the previous one in the same buffer.
Message PointToPoint::outgoing(std::size_t pair, std::uint64_t number) const
{
    return {.size = sizes_[pairs_[pair].size],
            .repetition = static_cast<std::uint32_t>(number),
            .sequence = 2 * (pair * per_pair() + number),
            .awaited = awaited(number)};
}

Message PointToPoint::reply_to(const Message& message) const
{
    Message reply = message;
    reply.sequence += 1;
    if (exchange_ == Exchange::kOneWay && options_.answer == Answer::kInt) reply.size = kInt;
    return reply;
}

std::size_t PointToPoint::reply_buffer(std::size_t pair) const
{
    const bool is_int = exchange_ == Exchange::kOneWay && options_.answer == Answer::kInt;
    return is_int ? sizes_.size() : pairs_[pair].size;
}

std::string PointToPoint::doing(unsigned number) const
{
    return fmt::format("repetition {} of {} bytes", current_[number].repetition, current_[number].size);
}

void PointToPoint::add_up_ranks(Totals& totals)
{
    for (Pair& pair : pairs_) totals.sum_list(pair.elapsed);
}

Results PointToPoint::results() const
{
    const bool there_and_back = exchange_ == Exchange::kPingPong;
    Results results;
    results.columns = {{"size_bytes", "bytes"},
                       {"from", ""},
                       {"to", ""},
                       {"hops", ""},
                       {"latency_min_ns", "ns"},
                       {"latency_max_ns", "ns"},
                       {"latency_avg_ns", "ns"},
                       {"spread_percent", "%"},
                       {"throughput_mb_per_s", "MB/s"},
                       {"throughput_mib_per_s", "MiB/s"}};
    if (there_and_back) {
        results.columns.insert(results.columns.end(), {{"round_trip_min_ns", "ns"},
                                                       {"round_trip_avg_ns", "ns"},
                                                       {"round_trip_min_cycles", ""},
                                                       {"round_trip_avg_cycles", ""}});
        if (used_library().declared_clock()) results.columns.push_back({"declared_avg_us", "us"});
        for (const Column& column : used_library().columns()) results.columns.push_back(column);
    }
    const auto from = static_cast<unsigned>(options_.from);
    const double cycle = rank(from).processor().clock().period_ns();
    const auto repetitions = static_cast<double>(options_.repetitions);
    for (const Pair& pair : pairs_) {
        if (pair.elapsed.empty()) continue;
        std::vector<double> latencies;
        for (const Duration elapsed : pair.elapsed) {
            latencies.push_back(elapsed.ns() / (there_and_back ? 2 * repetitions : repetitions));
        }
        const auto [low, high] = std::minmax_element(latencies.begin(), latencies.end());
        const std::uint32_t size = sizes_[pair.size];
        const double bytes_per_second = size / (*low * 1e-9);
        const auto links = hops(from, pair.to);
        auto& row = results.rows.emplace_back();
        row = {std::int64_t{size},
               std::int64_t{from},
               std::int64_t{pair.to},
               links ? Cell(std::int64_t{*links}) : Cell(),
               *low,
               *high,
               sum(latencies) / static_cast<double>(latencies.size()),
               100 * (*high - *low) / *low,
               bytes_per_second / 1e6,
               bytes_per_second / (1024 * 1024)};
        if (!there_and_back) continue;
        const double least = std::min_element(pair.elapsed.begin(), pair.elapsed.end())->ns() / repetitions;
        const Duration total = std::accumulate(pair.elapsed.begin(), pair.elapsed.end(), Duration());
        const double mean = total.ns() / (repetitions * static_cast<double>(options_.series));
        row.insert(row.end(), {least, mean, least / cycle, mean / cycle});
        if (const auto declared = used_library().declared_clock()) {
            row.emplace_back(1e6 / static_cast<double>(declared->hz()) * (mean / cycle));
        }
        for (const Cell& cell : used_library().cells(size)) row.push_back(cell);
    }
    add_notes(results);
    return results;
}

void PointToPoint::add_notes(Results& results) const
{
    const bool there_and_back = exchange_ == Exchange::kPingPong;
    const std::string_view answered = options_.answer == Answer::kInt ? "one int" : "one of the same size";
    results.notes.push_back(
        fmt::format("latency: elapsed time / {}{} repetitions; min, max and avg of {} series{}",
                    there_and_back ? "2 / " : "", options_.repetitions, options_.series,
                    there_and_back ? "" : fmt::format("; the last message of a series is answered by {}", answered)));
    results.notes.emplace_back("throughput: size by least latency; MB are 10^6 bytes, MiB are 2^20");
    MessagingStatistics sum;
    for (unsigned number = 0; number < ranks(); ++number) {
        if (!takes_part(number)) continue;
        const MessagingStatistics one = statistics(number);
        sum += one;
        if (!one.sent.empty()) results.notes.push_back(fmt::format("rank {}: {}", number, describe(one)));
    }
    for (const auto& note : used_library().notes(sum)) results.notes.push_back(note);
}

}  // namespace ringmesh::workloads
