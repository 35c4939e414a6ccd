// SPDX-License-Identifier: Apache-2.0
#include "workloads/recording/goal_recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tlm/error.h"

namespace ringmesh::workloads {
namespace {

constexpr std::int64_t kNanosecond = 1000;  // ps

/// A message of no bytes, as of a barrier, is one of one byte: RCCE sends nothing if there is nothing to send.
std::uint32_t some(std::uint32_t bytes) { return std::max(1U, bytes); }

std::string send_text(unsigned to, std::uint32_t bytes, std::int32_t tag)
{
    return fmt::format("send {}b to {} tag {}", bytes, to, std::max(0, tag));
}

std::string receive_text(unsigned from, std::uint32_t bytes, std::int32_t tag)
{
    return fmt::format("recv {}b from {} tag {}", bytes, from, std::max(0, tag));
}

}  // namespace

GoalRecorder::Rank& GoalRecorder::of(unsigned rank)
{
    if (rank >= ranks_.size()) ranks_.resize(rank + 1);
    return ranks_[rank];
}

std::uint64_t GoalRecorder::add(Rank& rank, std::string operation)
{
    rank.operations.push_back({std::move(operation), rank.behind, rank.beside});
    return rank.operations.size();
}

std::string GoalRecorder::text_of(Rank& rank)
{
    std::string text;
    std::uint64_t number = 0;
    for (Operation& operation : rank.operations) {
        ++number;
        // What required one that was taken back requires what that required
        std::set<std::uint64_t> behind, beside;
        const auto add_all = [&](const std::vector<std::uint64_t>& all, std::set<std::uint64_t>& to) {
            for (const std::uint64_t before : all) {
                const Operation& other = rank.operations[before - 1];
                if (!other.text.empty()) {
                    to.insert(before);
                } else {
                    behind.insert(other.behind.begin(), other.behind.end());
                    beside.insert(other.beside.begin(), other.beside.end());
                }
            }
        };
        add_all(operation.behind, behind);
        add_all(operation.beside, beside);
        if (operation.text.empty()) {
            operation.behind.assign(behind.begin(), behind.end());
            operation.beside.assign(beside.begin(), beside.end());
            continue;
        }
        text += fmt::format("l{}: {}\n", number, operation.text);
        for (const std::uint64_t before : behind) text += fmt::format("l{} requires l{}\n", number, before);
        for (const std::uint64_t before : beside) text += fmt::format("l{} irequires l{}\n", number, before);
    }
    return text;
}

/// What comes next waits for no more than its start.
std::uint64_t GoalRecorder::begin_message(Rank& rank, std::string operation)
{
    const std::uint64_t number = add(rank, std::move(operation));
    rank.behind.clear();
    rank.beside = {number};
    return number;
}

std::uint64_t GoalRecorder::sends(unsigned number, unsigned to, std::uint32_t bytes)
{
    ++messages_;
    const std::uint32_t order = ++begun_[{number, to}];
    return begin_message(of(number), send_text(to, some(bytes), static_cast<std::int32_t>(order)));
}

std::uint64_t GoalRecorder::expects(unsigned number) { return begin_message(of(number), {}); }

void GoalRecorder::gets(unsigned number, std::uint64_t receive, unsigned from, std::uint32_t order, std::uint32_t bytes)
{
    ++taken_[{from, number}];
    of(number).operations[receive - 1].text = receive_text(from, some(bytes), static_cast<std::int32_t>(order));
}

void GoalRecorder::knows(unsigned number, std::uint64_t done) { of(number).behind.push_back(done); }

void GoalRecorder::refuse(std::string what)
{
    if (refused_.empty()) refused_ = std::move(what);
}

void GoalRecorder::add_blocking(Rank& rank, std::string operation)
{
    const std::uint64_t number = add(rank, std::move(operation));
    rank.behind = {number};
    rank.beside.clear();
}

void GoalRecorder::add_request(Rank& rank, std::string operation, bool receives)
{
    const std::uint64_t number = add(rank, std::move(operation));
    rank.beside = {number};
    rank.under_way.push_back(number);
    if (receives) rank.receives[rank.call.tag] = number;
}

/// A receive waits only for the start of its round's send, so that it can be replayed where sends wait for receivers.
void GoalRecorder::add_barrier(unsigned number, unsigned members)
{
    Rank& rank = of(number);
    for (unsigned distance = 1; distance < members; distance *= 2) {
        const std::uint64_t send = add(rank, send_text((number + distance) % members, 1, 0));
        rank.beside = {send};
        const std::uint64_t receive = add(rank, receive_text((number + members - distance) % members, 1, 0));
        rank.behind = {send, receive};
        rank.beside.clear();
        messages_ += 1;
    }
}

void GoalRecorder::note_sent(unsigned from, unsigned to, Sent sent)
{
    ++messages_;
    const auto owed = owed_.find({from, to});
    if (owed == owed_.end()) {
        under_way_[{from, to}].push_back(sent);
    } else if (--owed->second == 0) {
        owed_.erase(owed);
    }
}

/// The message that a receive got: without tags the first one.
GoalRecorder::Sent GoalRecorder::matched(unsigned from, unsigned to, std::int32_t tag)
{
    auto& sent = under_way_[{from, to}];
    auto found = std::find_if(sent.begin(), sent.end(), [tag](const Sent& one) { return tag < 0 || one.tag == tag; });
    if (found == sent.end()) found = sent.begin();
    if (found == sent.end()) throw ModelError(fmt::format("rank {} received what rank {} did not send", to, from));
    const Sent one = *found;
    sent.erase(found);
    return one;
}

void GoalRecorder::begins(unsigned number, Duration at, const RankCall& call)
{
    Rank& rank = of(number);
    rank.call = call;
    if (rank.calls++ == 0 && call.word != "begin") {
        const std::int64_t passed = (at - rank.last).ps() + rank.left_ps;
        const std::int64_t span = (passed + kNanosecond / 2) / kNanosecond;
        rank.left_ps = passed - span * kNanosecond;
        if (span > 0) add_blocking(rank, fmt::format("calc {}", span));
    }
    if (by_messages_) return;
    if (call.word == "send") {
        note_sent(number, call.peer, {std::max(0, call.tag), call.bytes});
        add_blocking(rank, send_text(call.peer, call.bytes, call.tag));
    } else if (call.word == "isend") {
        note_sent(number, call.peer, {0, call.bytes});
        add_request(rank, send_text(call.peer, call.bytes, 0), false);
    } else if (call.word == "irecv") {
        auto& sent = under_way_[{call.peer, number}];
        if (sent.empty()) {
            ++owed_[{call.peer, number}];
        } else {
            sent.pop_front();
        }
        add_request(rank, receive_text(call.peer, call.bytes, 0), true);
    } else if (call.word == "wait") {
        rank.behind.push_back(rank.receives.at(call.tag));
    } else if (call.word == "wait all") {
        rank.behind.insert(rank.behind.end(), rank.under_way.begin(), rank.under_way.end());
        rank.under_way.clear();
    } else if (call.word == "barrier") {
        add_barrier(number, call.members);
    } else if (call.word != "begin" && call.word != "end" && call.word != "receive") {
        throw UserError(
            fmt::format("--record goal: the program of rank {} calls {}, and GOAL has messages alone; record a program "
                        "that sends and receives",
                        number, call.word));
    }
}

void GoalRecorder::returns(unsigned number, Duration at, unsigned from)
{
    Rank& rank = of(number);
    rank.last = at;
    --rank.calls;
    if (by_messages_ || rank.call.word != "receive") return;
    const Sent sent = matched(from, number, rank.call.tag);
    add_blocking(rank, receive_text(from, sent.bytes, sent.tag));
}

void GoalRecorder::require_received() const
{
    if (!refused_.empty()) {
        throw UserError(
            fmt::format("--record goal: the {}, and GOAL has messages alone; record a program that sends and "
                        "receives, or leave --record out",
                        refused_));
    }
    for (const auto& [way, begun] : begun_) {
        const auto taken = taken_.find(way);
        if (taken != taken_.end() && taken->second == begun) continue;
        throw UserError(
            fmt::format("--record goal: of {} messages from rank {} to rank {} a receive got {}; record a "
                        "program that ends with all its messages, or leave --record out",
                        begun, way.first, way.second, taken == taken_.end() ? 0 : taken->second));
    }
    for (const auto& [way, sent] : under_way_) {
        if (sent.empty()) continue;
        throw UserError(fmt::format(
            "--record goal: {} from rank {} to rank {} were taken by no receive that the program called: the library "
            "takes them by itself, or memory is read as it is. GOAL has no word for that; record a program that "
            "receives each message, or leave --record out",
            sent.size() == 1 ? "1 message" : fmt::format("{} messages", sent.size()), way.first, way.second));
    }
    if (owed_.empty()) return;
    const auto& [from, to] = owed_.begin()->first;
    throw UserError(
        fmt::format("--record goal: rank {} asked for a message of rank {} that was never sent; record a "
                    "program that ends with all its messages",
                    to, from));
}

std::uint64_t GoalRecorder::commit()
{
    require_received();
    file_->append(fmt::format("num_ranks {}\n", ranks_.size()));
    for (std::size_t number = 0; number < ranks_.size(); ++number) {
        if (ranks_[number].operations.empty()) continue;
        file_->append(fmt::format("\nrank {} {{\n", number));
        file_->append(text_of(ranks_[number]));
        file_->append("}\n");
    }
    file_->commit();
    return messages_;
}

}  // namespace ringmesh::workloads
