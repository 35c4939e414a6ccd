// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/kinds/closed_loop.h"

#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"
#include "tlm/time/kernel_time.h"
#include "workloads/traffic/measurements/latency_series.h"

namespace ringmesh::workloads {
namespace {

constexpr std::uint64_t kMostRows = 100'000;

}  // namespace

ClosedLoop::ClosedLoop(TrafficMachine& machine, const TrafficOptions& options, const PacketForm& packets,
                       std::unique_ptr<Pattern> pattern)
    : machine_(machine),
      options_(options),
      packets_(packets),
      pattern_(std::move(pattern)),
      accounts_(machine.nodes()),
      use_(machine)
{
    if (shows_messages() && pattern_->messages() > kMostRows) {
        throw UserError(
            fmt::format("traffic: show = messages: the operation has {} messages, and the table holds {}; leave "
                        "it out",
                        pattern_->messages(), kMostRows));
    }
    const std::string_view random = machine.traffic_defaults(packets).random;
    sources_.reserve(machine.nodes());
    for (unsigned node = 0; node < machine.nodes(); ++node) {
        sources_.push_back({.random = machine.simulation().random_for(fmt::format("{}.{}", random, node))});
    }
}

void ClosedLoop::start(TrafficModel& seen)
{
    machine_.simulation().calendar().join_places();  // that a message has come is known at once
    use_.begin(now());
    machine_.start_traffic(seen, packets_);
}

Injection ClosedLoop::next(unsigned node)
{
    Source& source = sources_[node];
    if (source.on_their_way == options_.window) return {};
    const auto to = pattern_->next(node, source.random);
    if (!to) return {};
    ++source.on_their_way;
    source.sends = true;
    const Duration birth = std::max(now(), source.ready);
    accounts_.offered(node, birth);
    if (shows_messages()) messages_.push_back({.from = node, .to = *to, .started = birth});
    return {.at = birth, .to = *to, .size = packets_.size, .kind = kind_of(packets_, source.random)};
}

void ClosedLoop::delivered(const OfferedPacket& packet, Duration at)
{
    accounts_.delivered(packet.source, packet.born);
    const Duration latency = at - packet.born;
    latency_.add(latency);
    last_delivery_ = std::max(last_delivery_, at);
    if (shows_messages()) message(packet.source, packet.target).delivered = at;
    pattern_->reached(packet.target);
    Source& target = sources_[packet.target];
    target.ready = std::max(target.ready, at);
    machine_.resume_traffic(packet.target);
    if (!answers()) complete(packet.source, at);
}

void ClosedLoop::answered(const OfferedPacket& packet, Duration at)
{
    accounts_.answered(packet.source, packet.born);
    transaction_.add(at - packet.born);
    if (shows_messages()) message(packet.source, packet.target).answered = at;
    complete(packet.source, at);
}

/// One of a node's packets is complete.
void ClosedLoop::complete(unsigned node, Duration at)
{
    Source& source = sources_[node];
    --source.on_their_way;
    source.ready = std::max(source.ready, at);
    makespan_ = std::max(makespan_, at);
    if (++complete_ == pattern_->messages()) use_.end(at);
    machine_.simulation().report_progress(static_cast<double>(complete_) / static_cast<double>(pattern_->messages()));
    machine_.resume_traffic(node);
}

ClosedLoop::Message& ClosedLoop::message(unsigned from, unsigned to)
{
    const auto found = std::find_if(messages_.rbegin(), messages_.rend(),
                                    [&](const Message& one) { return one.from == from && one.to == to; });
    if (found == messages_.rend()) throw ModelError(fmt::format("nothing was sent from node {} to node {}", from, to));
    return *found;
}

void ClosedLoop::check() const
{
    accounts_.require_balanced(answers());
    if (complete_ != pattern_->messages()) {
        throw ModelError(fmt::format("{}: {} of {} messages were sent and done with", options_.pattern->name, complete_,
                                     pattern_->messages()));
    }
}

Results ClosedLoop::results() const
{
    Results results = shows_messages() ? messages_table() : summary_table();
    if (!shows_messages()) results.notes.emplace_back(latency_.percentiles_note());
    results.notes.push_back(
        fmt::format("{}: a node sends its next packet when one before was {}, at most {} on their way",
                    options_.pattern->name, answers() ? "answered" : "delivered", options_.window));
    results.notes.push_back("latency: from the packet's birth to its delivery whole; transaction: to its response");
    results.notes.push_back(fmt::format(
        "{} messages, sum of latencies {:.3f} us, mean {:.3f} us, makespan {:.3f} us: from the start to the last {}",
        pattern_->messages(), latency_.sum_ns() / 1e3, latency_.mean_ns() / 1e3, makespan_.us(),
        answers() ? "response" : "delivery"));
    return results;
}

Results ClosedLoop::messages_table() const
{
    Results results;
    results.columns = {{"from", ""},           {"to", ""},           {"start_ns", "ns"},
                       {"delivered_ns", "ns"}, {"latency_ns", "ns"}, {"transaction_ns", "ns"}};
    for (const Message& one : messages_) {
        results.rows.push_back({std::int64_t{one.from}, std::int64_t{one.to}, one.started.ns(), one.delivered.ns(),
                                (one.delivered - one.started).ns(),
                                one.answered ? Cell((*one.answered - one.started).ns()) : Cell(std::monostate())});
    }
    return results;
}

Results ClosedLoop::summary_table() const
{
    Results results;
    results.columns = {{"pattern", ""},
                       {"senders", ""},
                       {"messages", ""},
                       {"makespan_ns", "ns"},
                       {"last_delivery_ns", "ns"},
                       {"accepted_total_mb_per_s", "MB/s"},
                       {"latency_sum_ns", "ns"}};
    LatencySeries::add_columns_of_distribution(results);
    results.columns.push_back({"transaction_mean_ns", "ns"});
    use_.add_columns(results);
    for (const auto* column : {"delivered", "answered", "dropped", "retries", "link_crossings"}) {
        results.columns.push_back({column, ""});
    }
    const auto bytes = static_cast<double>(pattern_->messages()) * packets_.bytes;
    const auto senders =
        std::count_if(sources_.begin(), sources_.end(), [](const auto& source) { return source.sends; });
    auto& row = results.rows.emplace_back();
    row = {std::string(options_.pattern->name),
           std::int64_t{senders},
           static_cast<std::int64_t>(pattern_->messages()),
           makespan_.ns(),
           last_delivery_.ns(),
           bytes / makespan_.us(),
           latency_.sum_ns()};
    LatencySeries::add_cells(row, latency_);
    row.push_back(answers() ? Cell(transaction_.mean_ns()) : Cell(std::monostate()));
    use_.add_cells(row);
    row.insert(row.end(), {static_cast<std::int64_t>(latency_.count()), static_cast<std::int64_t>(transaction_.count()),
                           accounts_.dropped(), static_cast<std::int64_t>(machine_.retries()),
                           static_cast<std::int64_t>(machine_.link_crossings())});
    return results;
}

}  // namespace ringmesh::workloads
