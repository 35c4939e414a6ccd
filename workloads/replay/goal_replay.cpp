// SPDX-License-Identifier: Apache-2.0
#include "workloads/replay/goal_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include "tlm/error.h"
#include "workloads/libraries/messaging/message_bytes.h"

namespace ringmesh::workloads {

using goal::Operation;

/// Of simulated time: half of what 64 bits of picoseconds hold, so that what follows may add to it.
constexpr Duration kLatest = Duration::picoseconds(INT64_MAX / 2);

namespace {

goal::Rules rules_of(const Library& library)
{
    goal::Rules rules{.library = "this library",
                      .buffered = library.buffered(),
                      .any_source = library.has(Offer::kAnySource),
                      .one_at_a_time = !library.has(Offer::kQueues),
                      .smallest = library.has(Offer::kQueues) ? 0U : 1U};
    for (const LibraryInfo& info : libraries()) {
        const auto made = info.make();
        const Library& other = *made;
        if (typeid(other) == typeid(library) && other.offers() == library.offers()) {
            rules.library = info.name;
            break;
        }
    }
    return rules;
}

}  // namespace

std::string GoalReplay::refusal(const Library& library) const
{
    // A sweep asks once for each of its points
    using Asked = std::tuple<std::string, std::filesystem::file_time_type, std::string>;
    static std::map<Asked, std::string> known;
    if (path_.empty()) return {};
    try {
        const std::string name = file_named(folder(), "goal", path_);
        const goal::Rules rules = rules_of(library);
        const auto [found, is_new] = known.try_emplace({name, std::filesystem::last_write_time(name), rules.library});
        if (!is_new) return found->second;
        try {
            const goal::File file(name);
            goal::Order(file, rules).check();
        } catch (const UserError& error) {
            found->second = error.what();
        }
        return found->second;
    } catch (const UserError&) {
        return {};  // start() tells
    }
}

void GoalReplay::visit_options(ParameterVisitor& visitor)
{
    visitor.text({"goal", "file of the program, as GOAL text", assumed()}, path_);
}

/// As many as the program has, so that a library is set up for those alone.
unsigned GoalReplay::choose_rank_count(const std::string& asked, unsigned nodes)
{
    if (path_.empty()) {
        throw UserError("replay: no trace; write replay:goal=FILE, or replay:packets=FILE for packet sources");
    }
    file_ = std::make_unique<goal::File>(file_named(folder(), "goal", path_));
    if (file_->ranks() > nodes) {
        std::uint32_t line = 1;
        for (unsigned rank = nodes; rank < file_->ranks(); ++rank) {
            if (file_->line_of(rank) == 0) continue;
            line = file_->line_of(rank);
            break;
        }
        throw file_->problem(line,
                             fmt::format("the program has {} ranks, and this machine {}; take a larger machine, or "
                                         "a program of at most {}",
                                         file_->ranks(), nodes, nodes));
    }
    const unsigned count = asked == "all" ? file_->ranks() : parse_ranks(asked, nodes);
    if (count >= file_->ranks()) return count;
    throw UserError(fmt::format("ranks = {}: the program has {}; write ranks={} or more, or leave it out", asked,
                                file_->ranks(), file_->ranks()));
}

void GoalReplay::prepare()
{
    const Library& library = used_library();
    rules_ = rules_of(library);
    goal::Order(*file_, rules_).check();
    order_ = std::make_unique<goal::Order>(*file_, rules_);
    const auto largest = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, file_->largest()));
    sizes_ = library.buffer_sizes(largest);
    if (file_->messages() > 0) {
        library.require_carried(static_cast<std::uint32_t>(file_->largest()),
                                fmt::format("{}:{}: a message has", path_, file_->line_of_largest()),
                                [](std::uint32_t most) { return fmt::format("messages of at most {}", most); });
    }
    for (unsigned number = 0; number < ranks(); ++number) {
        Participant& me = participants_.emplace_back();
        me.program = this;
        me.number = number;
        for (const std::uint32_t size : sizes_) me.out.push_back(rank(number).create_buffer(size));
        me.in = rank(number).create_buffer(sizes_.back());
        rank(number).receive_while_sending(me);
    }
}

RankProgram::Started GoalReplay::program(unsigned number) { return {run(number), name()}; }

Task<> GoalReplay::run(unsigned number)
{
    Rank& me = rank(number);
    Participant& mine = participants_[number];
    Processor& processor = me.processor();
    Duration before = processor.time();
    // The time since the last one
    const auto spent = [&] {
        const Duration now = processor.time();
        return now - std::exchange(before, now);
    };
    if (rules_.one_at_a_time) announce(number);
    co_await me.begin();
    mine.library += spent();
    while (number < file_->ranks()) {
        mine.doing = order_->next(number);
        if (!mine.doing) break;
        const Operation operation = *mine.doing;
        if (operation.kind == Operation::Kind::kCalc) {
            const Duration span = Duration::picoseconds(static_cast<std::int64_t>(operation.amount) * 1000);
            if (processor.time() > kLatest - span) {
                throw file_->problem(operation.line,
                                     fmt::format("'{}' ends later than {:g} s after the start, beyond which no time "
                                                 "can be told; write shorter times",
                                                 goal::text_of(operation), kLatest.us() / 1e6));
            }
            if (operation.amount > 0) co_await processor.compute(span);
            mine.calc += spent();
        } else if (operation.kind == Operation::Kind::kSend) {
            co_await send(number, operation);
            mine.sending += spent();
        } else {
            co_await receive(number, operation);
            mine.receiving += spent();
        }
        ++mine.operations;
        constexpr std::uint64_t kProgress = 256;
        if (++done_ % kProgress == 0) {
            machine().simulation().report_progress(static_cast<double>(done_) /
                                                   static_cast<double>(file_->operations()));
        }
    }
    co_await me.end();
    mine.library += spent();
    mine.end = processor.time();
}

Task<> GoalReplay::send(unsigned number, Operation operation)
{
    Rank& me = rank(number);
    const auto bytes = static_cast<std::uint32_t>(operation.amount);
    const auto holds = std::lower_bound(sizes_.begin(), sizes_.end(), bytes);
    const BufferId buffer = participants_[number].out[static_cast<std::size_t>(holds - sizes_.begin())];
    const Message message{.size = bytes, .sequence = note_sent(number, operation)};
    poke_message(me.processor(), me.address(buffer), message);
    participants_[number].bytes_sent += bytes;
    const Part part{.buffer = buffer, .offset = 0, .size = bytes};
    co_await me.send(operation.peer, part, static_cast<Tag>(operation.tag));
}

Task<> GoalReplay::receive(unsigned number, Operation operation)
{
    Rank& me = rank(number);
    Participant& mine = participants_[number];
    const auto fits = [&operation](const Kept& one) {
        return (operation.peer == goal::kAny || operation.peer == one.from) &&
               (operation.tag == goal::kAny || operation.tag == one.tag);
    };
    const auto found = std::find_if(mine.kept.begin(), mine.kept.end(), fits);
    if (found != mine.kept.end()) {
        mine.kept.erase(found);
        ++kept_;
        co_return;
    }
    const bool has_tags = used_library().has(Offer::kTags);
    const Tag tag = has_tags && operation.tag != goal::kAny ? static_cast<Tag>(operation.tag) : Tag::kAny;
    const unsigned from = operation.peer == goal::kAny ? kAnyRank : operation.peer;
    // Where a message carries no length, the next one is the one that is meant
    Part room{.buffer = mine.in};
    if (rules_.buffered == 0) room.size = static_cast<std::uint32_t>(operation.amount);
    for (;;) {
        const Received received = co_await me.receive(from, room, tag);
        const Kept got = take(number, received, tag);
        if (rules_.one_at_a_time) announce(number);
        if (fits(got)) break;
        mine.kept.push_back(got);
    }
}

std::uint64_t GoalReplay::note_sent(unsigned from, const Operation& send)
{
    Way& way = ways_[{from, send.peer}];
    way.under_way.push_back({send.tag, static_cast<std::uint32_t>(send.amount), way.sent});
    return way.sent++;
}

GoalReplay::Kept GoalReplay::take(unsigned number, const Received& received, Tag tag)
{
    const Rank& me = rank(number);
    Way& way = ways_[{received.from, number}];
    auto& sent = way.under_way;
    const auto find = [&] {
        return std::find_if(sent.begin(), sent.end(), [tag](const Sent& one) {
            return tag == Tag::kAny || one.tag == static_cast<std::uint32_t>(tag);
        });
    };
    auto found = find();
    // What another process's rank has sent follows from its order of calls
    while (found == sent.end() && !runs(received.from)) {
        const auto call = order_->next(received.from);
        if (!call) break;
        if (call->kind != Operation::Kind::kSend) continue;
        note_sent(received.from, *call);
        if (call->peer == number) found = find();
    }
    if (found == sent.end()) {
        throw ModelError(
            fmt::format("replay: rank {} received a message of rank {} that was not sent", number, received.from));
    }
    const Sent message = *found;
    sent.erase(found);
    ++way.received;
    require_message(me.processor(), me.address(participants_[number].in),
                    {.size = message.bytes, .sequence = message.number}, received, received.from);
    return {received.from, message.tag};
}

void GoalReplay::announce(unsigned number)
{
    if (number >= file_->ranks()) return;
    const Operation* next = order_->next_receive(number);
    if (next == nullptr) return;
    rank(number).expect(next->peer, {.size = static_cast<std::uint32_t>(next->amount),
                                     .sequence = ways_[{next->peer, number}].received});
}

std::string GoalReplay::doing(unsigned number) const
{
    const auto& operation = participants_[number].doing;
    if (!operation) return "its last operation";
    return fmt::format("{}:{}: '{}'", path_, operation->line, goal::text_of(*operation));
}

std::string GoalReplay::problem_of(unsigned number) const
{
    if (participants_[number].kept.empty() && !rank(number).has_mail()) return {};
    return fmt::format("replay: rank {} has a message left that nobody asked for", number);
}

void GoalReplay::add_up_ranks(Totals& totals)
{
    for (Participant& one : participants_) {
        totals.sum(one.operations);
        totals.sum(one.bytes_sent);
        for (Duration* time : {&one.calc, &one.sending, &one.receiving, &one.library, &one.end}) totals.sum(*time);
    }
    totals.sum(done_);
    totals.sum(kept_);
}

void GoalReplay::check() const
{
    RankProgram::check();
    if (done_ == file_->operations()) return;
    throw ModelError(fmt::format("replay: {} of {} operations were done", done_, file_->operations()));
}

Results GoalReplay::results() const
{
    Results results;
    results.columns = {{"rank", ""},         {"end_ns", "ns"},   {"idle_ns", "ns"},
                       {"calc_ns", "ns"},    {"send_ns", "ns"},  {"receive_ns", "ns"},
                       {"library_ns", "ns"}, {"operations", ""}, {"sent_bytes", "bytes"}};
    const MessagingStatistics sum = statistics();
    Duration last;
    for (const Participant& one : participants_) last = std::max(last, one.end);
    for (const Participant& one : participants_) {
        results.rows.push_back({std::int64_t{one.number}, one.end.ns(), (last - one.end).ns(), one.calc.ns(),
                                one.sending.ns(), one.receiving.ns(), one.library.ns(),
                                static_cast<std::int64_t>(one.operations), static_cast<std::int64_t>(one.bytes_sent)});
    }
    results.notes.push_back(fmt::format("{} operations, {} messages, {} ranks: {:.3f} us until the last rank ended",
                                        file_->operations(), file_->messages(), file_->ranks(), last.us()));
    results.notes.emplace_back(
        "calc, send, receive: in these operations, receive with the wait for its message; library: its first and last "
        "call; idle: from the rank's end to the last one's");
    if (file_->streams() > 1) {
        results.notes.push_back(
            fmt::format("{} cpu streams share the one processor of a rank: their operations take "
                        "turns",
                        file_->streams()));
    }
    if (kept_ > 0) {
        results.notes.push_back(fmt::format("{} messages came before they were asked for, and were kept", kept_));
    }
    for (const auto& note : used_library().notes(sum)) results.notes.push_back(note);
    return results;
}

}  // namespace ringmesh::workloads
