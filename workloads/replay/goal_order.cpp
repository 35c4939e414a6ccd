// SPDX-License-Identifier: Apache-2.0
#include "workloads/replay/goal_order.h"

#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"

namespace ringmesh::workloads::goal {
namespace {

bool fits(const Operation& receive, unsigned source, std::uint32_t tag)
{
    return (receive.peer == kAny || receive.peer == source) && (receive.tag == kAny || receive.tag == tag);
}

}  // namespace

Order::Order(const File& file, const Rules& rules) : file_(file), rules_(rules)
{
    if (!rules_.any_source && file.line_of_any_source() != 0) {
        throw file.problem(file.line_of_any_source(),
                           fmt::format("a receive of any source, which {} does not have; write the source, or take a "
                                       "library that offers any-source (ringmesh list libraries)",
                                       rules_.library));
    }
    ranks_.reserve(file.ranks());
    for (unsigned rank = 0; rank < file.ranks(); ++rank) {
        ranks_.emplace_back(File::Reader(file, rank));
        if (rules_.one_at_a_time) ranks_.back().knows.resize(file.ranks());
    }
    received_.resize(file.ranks());
    received_in_.resize(file.ranks());
    for (unsigned rank = 0; rank < file.ranks(); ++rank) fill(rank, kWindow);
}

void Order::fill(unsigned rank, std::size_t wanted)
{
    Rank& mine = ranks_[rank];
    while (mine.open.size() < wanted && !mine.reader.at_end()) {
        const Indexed one = mine.reader.next();
        const std::uint32_t index = mine.read++;
        Node& added = mine.open[index];
        added.operation = one.operation;
        added.available = 0;
        if (one.operation.kind != Operation::Kind::kCalc && one.operation.amount < rules_.smallest) {
            throw file_.problem(one.operation.line,
                                fmt::format("'{}': over {} a message has {} byte at least; write {}b, or take another "
                                            "library",
                                            text_of(one.operation), rules_.library, rules_.smallest, rules_.smallest));
        }
        for (const Dependency& needed : one.dependencies) {
            const auto found = mine.open.find(needed.on);
            if (found == mine.open.end()) continue;  // it is over
            Node& before = found->second;
            if (needed.on_start) {
                if (before.posted && before.operation.kind != Operation::Kind::kCalc) {
                    added.available = std::max(added.available, before.available);
                    continue;
                }
                before.then_start.push_back(index);
            } else {
                before.then.push_back(index);
            }
            ++added.waits;
        }
        if (added.waits == 0) post(id(rank, index));
    }
}

void Order::post(std::uint64_t who)
{
    Node& mine = node(who);
    mine.posted = true;
    const unsigned rank = rank_of(who);
    switch (mine.operation.kind) {
        case Operation::Kind::kCalc: offer(who); return;
        case Operation::Kind::kSend:
            ranks_[rank].unsent[{mine.operation.peer, mine.operation.tag}].push_back(index_of(who));
            match_send(who);
            if (is_buffered(mine.operation)) offer(who);
            break;
        case Operation::Kind::kReceive: match_receive(who); break;
    }
    started(who, node(who).available);
}

void Order::match_send(std::uint64_t send)
{
    const Operation& operation = node(send).operation;
    const unsigned source = rank_of(send);
    const Posted posted{.number = number_++, .who = send, .operation = operation};
    Rank& target = ranks_[operation.peer];
    const auto exact = target.receives.find({source, operation.tag});
    const bool has_exact = exact != target.receives.end();
    const auto wild = std::find_if(target.wild.begin(), target.wild.end(),
                                   [&](const auto& one) { return fits(one.operation, source, operation.tag); });
    if (wild != target.wild.end() && (!has_exact || wild->number < exact->second.front().number)) {
        const std::uint64_t receive = wild->who;
        target.wild.erase(wild);
        pair(posted, receive);
    } else if (has_exact) {
        const std::uint64_t receive = exact->second.front().who;
        exact->second.pop_front();
        if (exact->second.empty()) target.receives.erase(exact);
        pair(posted, receive);
    } else {
        target.sends[{source, operation.tag}].push_back(posted);
    }
}

void Order::match_receive(std::uint64_t receive)
{
    const Operation& operation = node(receive).operation;
    Rank& mine = ranks_[rank_of(receive)];
    const bool is_wild = operation.peer == kAny || operation.tag == kAny;
    auto found = mine.sends.end();
    if (is_wild) {
        for (auto at = mine.sends.begin(); at != mine.sends.end(); ++at) {
            if (!fits(operation, at->first.first, at->first.second)) continue;
            if (found == mine.sends.end() || at->second.front().number < found->second.front().number) found = at;
        }
    } else {
        found = mine.sends.find({operation.peer, operation.tag});
    }
    if (found != mine.sends.end()) {
        const Posted send = found->second.front();
        found->second.pop_front();
        if (found->second.empty()) mine.sends.erase(found);
        pair(send, receive);
        return;
    }
    const Posted posted{.number = number_++, .who = receive, .operation = operation};
    if (is_wild) {
        mine.wild.push_back(posted);
    } else {
        mine.receives[{operation.peer, operation.tag}].push_back(posted);
    }
}

void Order::pair(const Posted& send, std::uint64_t receive)
{
    Node& to = node(receive);
    to.partner = send.who;
    to.has_left = send.has_left;
    to.arrival = send.arrival;
    if (!send.has_left) node(send.who).partner = receive;
    const std::uint64_t bytes = send.operation.amount;
    const bool needs_equal = rules_.buffered == 0;
    if (bytes > to.operation.amount || (needs_equal && bytes != to.operation.amount)) {
        throw file_.problem(
            to.operation.line,
            fmt::format("'{}' of rank {} is to get the message of line {}, '{}'; {}", text_of(to.operation),
                        rank_of(receive), send.operation.line, text_of(send.operation),
                        needs_equal ? fmt::format("over {} both must have the same size", rules_.library)
                                    : "give it room for as many bytes"));
    }
    offer(receive);
}

bool Order::is_first_unsent(std::uint64_t send)
{
    const Operation& operation = node(send).operation;
    return ranks_[rank_of(send)].unsent.at({operation.peer, operation.tag}).front() == index_of(send);
}

/// When it could begin; none: not before something else.
std::optional<double> Order::time_of(std::uint64_t who)
{
    const Node& mine = node(who);
    const double here = std::max(ranks_[rank_of(who)].free, mine.available);
    if (mine.operation.kind == Operation::Kind::kCalc) return here;
    if (mine.operation.kind == Operation::Kind::kSend) {
        return is_first_unsent(who) ? std::optional(here) : std::nullopt;
    }
    if (mine.has_left) return std::max(here, mine.arrival);
    const Node& send = node(mine.partner);
    if (is_buffered(send.operation) || !is_first_unsent(mine.partner)) return std::nullopt;
    return std::max({here, ranks_[rank_of(mine.partner)].free, send.available});
}

void Order::offer(std::uint64_t who)
{
    if (const auto time = time_of(who)) candidates_.push({*time, number_++, who});
}

bool Order::advance()
{
    for (;;) {
        if (candidates_.empty()) {
            bool has_read = false;
            bool is_over = true;
            for (unsigned rank = 0; rank < ranks_.size(); ++rank) {
                Rank& mine = ranks_[rank];
                is_over = is_over && mine.open.empty();
                if (mine.reader.at_end()) continue;
                fill(rank, 2 * std::max(mine.open.size(), kWindow));
                has_read = true;
            }
            if (has_read) continue;
            if (is_over) return false;
            refuse_circle();
        }
        const Candidate first = candidates_.top();
        candidates_.pop();
        const auto time = time_of(first.who);
        if (!time) throw ModelError("GOAL: a call that could be made cannot be made any more");
        if (*time > first.time) {
            candidates_.push({*time, first.number, first.who});
            continue;
        }
        place(first);
        return true;
    }
}

void Order::place(const Candidate& candidate)
{
    const std::uint64_t who = candidate.who;
    const double begin = candidate.time;
    const Node& mine = node(who);
    const auto amount = static_cast<double>(mine.operation.amount);
    const double end = begin + (mine.operation.kind == Operation::Kind::kCalc ? amount : kStart + kPerByte * amount);
    if (mine.operation.kind == Operation::Kind::kCalc) {
        started(who, begin);
    } else if (mine.operation.kind == Operation::Kind::kSend) {
        const std::uint64_t receive = mine.partner;
        if (receive == kNone) {
            // Those of one way leave in the order of their posting
            auto& posted = ranks_[mine.operation.peer].sends.at({rank_of(who), mine.operation.tag});
            const auto entry =
                std::partition_point(posted.begin(), posted.end(), [](const Posted& one) { return one.has_left; });
            entry->has_left = true;
            entry->arrival = end;
        } else {
            node(receive).has_left = true;
            node(receive).arrival = end;
            offer(receive);
        }
        leave(who);
    } else if (!mine.has_left) {
        const std::uint64_t send = mine.partner;
        if (rules_.one_at_a_time) require_known(rank_of(send), who, send);
        leave(send);
        call(send, begin, end);
    }
    call(who, begin, end);
}

/// The next one of its way may leave.
void Order::leave(std::uint64_t send)
{
    const unsigned rank = rank_of(send);
    const Way way{node(send).operation.peer, node(send).operation.tag};
    auto& unsent = ranks_[rank].unsent.at(way);
    unsent.pop_front();
    if (unsent.empty()) {
        ranks_[rank].unsent.erase(way);
        return;
    }
    const std::uint64_t next = id(rank, unsent.front());
    if (is_buffered(node(next).operation)) {
        offer(next);
    } else if (node(next).partner != kNone) {
        offer(node(next).partner);
    }
}

/// A message over such a library is overwritten by the next one to its rank, whoever sends it: that one's sender must
/// know that it has been received.
void Order::require_known(unsigned sender, std::uint64_t receive, std::uint64_t send)
{
    const unsigned target = rank_of(receive);
    if (ranks_[sender].knows[target] < received_[target]) {
        throw file_.problem(
            node(send).operation.line,
            fmt::format("'{}' of rank {} may overwrite the message that rank {} receives in line {}: {} carries one "
                        "message at a time, and nothing tells rank {} that it was received; let it wait for an answer, "
                        "or take a library with queues",
                        text_of(node(send).operation), sender, target, received_in_[target], rules_.library, sender));
    }
    ++received_[target];
    received_in_[target] = node(receive).operation.line;
    auto& knows = ranks_[target].knows;
    for (std::size_t i = 0; i < knows.size(); ++i) knows[i] = std::max(knows[i], ranks_[sender].knows[i]);
    knows[target] = received_[target];
}

void Order::call(std::uint64_t who, double begin, double end)
{
    const unsigned rank = rank_of(who);
    Rank& mine = ranks_[rank];
    const auto found = mine.open.find(index_of(who));
    const std::vector<std::uint32_t> then = std::move(found->second.then);
    if (keeps_calls_) mine.calls.push_back(found->second.operation);
    mine.open.erase(found);
    mine.free = std::max({mine.free, begin, end});
    satisfied(rank, then, end);
    if (mine.open.size() < kWindow / 2) fill(rank, kWindow);
}

void Order::started(std::uint64_t who, double at)
{
    const std::vector<std::uint32_t> those = std::exchange(node(who).then_start, {});
    satisfied(rank_of(who), those, at);
}

void Order::satisfied(unsigned rank, const std::vector<std::uint32_t>& those, double at)
{
    for (const std::uint32_t index : those) {
        Node& one = ranks_[rank].open.at(index);
        one.available = std::max(one.available, at);
        if (--one.waits == 0) post(id(rank, index));
    }
}

std::optional<Operation> Order::next(unsigned rank)
{
    auto& calls = ranks_[rank].calls;
    while (calls.empty()) {
        if (!advance()) return std::nullopt;
    }
    const Operation first = calls.front();
    calls.pop_front();
    return first;
}

const Operation* Order::next_receive(unsigned rank)
{
    const auto& calls = ranks_[rank].calls;
    for (std::size_t i = 0;; ++i) {
        while (i == calls.size()) {
            if (!advance()) return nullptr;
        }
        if (calls[i].kind == Operation::Kind::kReceive) return &calls[i];
    }
}

void Order::check()
{
    keeps_calls_ = false;
    while (advance()) {
    }
}

std::pair<std::uint64_t, std::string> Order::reason(std::uint64_t who)
{
    const unsigned rank = rank_of(who);
    const Node& mine = node(who);
    if (!mine.posted) {
        for (const auto& [index, other] : ranks_[rank].open) {
            for (const auto* those : {&other.then, &other.then_start}) {
                if (std::find(those->begin(), those->end(), index_of(who)) != those->end()) {
                    return {id(rank, index), "which it requires"};
                }
            }
        }
    }
    if (mine.partner != kNone) {
        const bool sends = mine.operation.kind == Operation::Kind::kSend;
        const std::uint64_t send = sends ? who : mine.partner;
        const Operation& operation = node(send).operation;
        const std::uint64_t front =
            id(rank_of(send), ranks_[rank_of(send)].unsent.at({operation.peer, operation.tag}).front());
        return {front == who ? mine.partner : front, "its message"};
    }
    const bool sends = mine.operation.kind == Operation::Kind::kSend;
    std::optional<std::uint32_t> first;
    const auto look = [&](unsigned at) {
        for (const auto& [index, other] : ranks_[at].open) {
            if (other.posted || other.operation.kind == Operation::Kind::kCalc ||
                other.operation.kind == mine.operation.kind)
                continue;
            const bool matches = sends ? fits(other.operation, rank, mine.operation.tag)
                                       : other.operation.peer == rank && fits(mine.operation, at, other.operation.tag);
            if (matches && (!first || index < *first)) first = index;
        }
        return first.has_value();
    };
    if (mine.operation.peer != kAny) {
        if (look(mine.operation.peer)) return {id(mine.operation.peer, *first), "its partner"};
    } else {
        for (unsigned at = 0; at < ranks_.size(); ++at) {
            if (look(at)) return {id(at, *first), "its partner"};
        }
    }
    return {kNone, {}};
}

void Order::refuse_circle()
{
    unsigned rank = 0;
    while (ranks_[rank].open.empty()) ++rank;
    std::uint32_t lowest = ranks_[rank].open.begin()->first;
    for (const auto& [index, open] : ranks_[rank].open) lowest = std::min(lowest, index);
    std::vector<std::uint64_t> way;
    std::uint64_t at = id(rank, lowest);
    while (at != kNone && std::find(way.begin(), way.end(), at) == way.end()) {
        way.push_back(at);
        at = reason(at).first;
    }
    if (at != kNone) way.erase(way.begin(), std::find(way.begin(), way.end(), at));
    std::string chain;
    for (const std::uint64_t one : way) {
        chain += fmt::format("{}rank {}, line {}: '{}'", chain.empty() ? "" : ", waits for ", rank_of(one),
                             node(one).operation.line, text_of(node(one).operation));
    }
    const std::uint32_t line = node(way.front()).operation.line;
    if (at == kNone) {
        throw file_.problem(line, fmt::format("ranks wait for ever: {}, whose message another receive of any source or "
                                              "tag took; write source and tag",
                                              chain));
    }
    throw file_.problem(
        line, fmt::format("ranks wait for each other: {}, waits for line {}; {}", chain, line,
                          rules_.buffered == ~0U
                              ? "take a dependency out"
                              : fmt::format("over {} a send of more than {} bytes waits for its receiver: take a "
                                            "dependency out, or a library that buffers (ringmesh list libraries)",
                                            rules_.library, rules_.buffered)));
}

}  // namespace ringmesh::workloads::goal
