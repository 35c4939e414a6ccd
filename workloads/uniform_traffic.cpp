// SPDX-License-Identifier: Apache-2.0
#include "workloads/uniform_traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tlm/error.h"
#include "tlm/quantity.h"

namespace ringmesh::workloads {
namespace {

constexpr NameTable<sci::Command, 3> kCommandNames{
    {{{"write64", sci::Command::kWrite64}, {"move64", sci::Command::kMove64}, {"write16", sci::Command::kWrite16}}}};
constexpr NameTable<Arrivals, 2> kArrivalsNames{{{{"poisson", Arrivals::kPoisson}, {"periodic", Arrivals::kPeriodic}}}};

/// Pairs of nodes a link apart, which are the links, and the hops of all pairs together.
struct Ways {
    std::uint64_t links = 0;
    std::uint64_t hops = 0;
};

Ways count_ways(const Machine& machine)
{
    Ways ways;
    for (unsigned from = 0; from < machine.nodes(); ++from) {
        for (unsigned to = 0; to < machine.nodes(); ++to) {
            if (from == to) continue;
            const unsigned hops = machine.hops(from, to);
            ways.hops += hops;
            if (hops == 1) ++ways.links;
        }
    }
    return ways;
}

Cell nanoseconds_or_none(const Distribution& distribution, double value_ns)
{
    if (distribution.count() == 0) return std::monostate();
    return value_ns;
}

}  // namespace

Duration mean_gap(const Machine& machine, sci::Command command, double load)
{
    const auto ways = count_ways(machine);
    const auto nodes = static_cast<double>(machine.nodes());
    const double mean_hops = static_cast<double>(ways.hops) / (nodes * (nodes - 1));
    const Duration echo = machine.link_time(sci::Command::kEcho);
    Duration circle = machine.link_time(command) + echo;
    if (sci::wants_response(command)) circle += machine.link_time(sci::Command::kResponse0) + echo;
    return nanoseconds(nodes * mean_hops * circle.ns() / (static_cast<double>(ways.links) * load));
}

void UniformTrafficOptions::visit(ParameterVisitor& visitor)
{
    visitor.choice({"command", "what sources send: writes, or moves that are not answered", assumed()}, command,
                   kCommandNames);
    visitor.choice({"arrivals", "how the packets of a source follow each other", assumed()}, arrivals, kArrivalsNames);
    visitor.field({"load", "mean part of the time that links are to be busy, echoes and responses included", assumed()},
                  load, {1e-6, 10.0});
    visitor.field({"warm_up", "packets born before this time are not measured", assumed()}, warm_up, {0_ns, 1_s});
    visitor.field({"duration", "time after the warm-up in which sources offer packets", assumed()}, duration,
                  {1_ns, 1_s});
    visitor.field({"packets", "packets per source after the warm-up; 0: as many as the duration holds", assumed()},
                  packets, {0, 1'000'000'000});
}

void UniformTraffic::start(Machine& machine)
{
    if (machine.nodes() < 2) {
        throw UserError(fmt::format("uniform-traffic needs two nodes, and this machine has {}; take a larger one",
                                    machine.nodes()));
    }
    machine_ = &machine;
    gap_ = mean_gap(machine, options_.command, options_.load);
    if (options_.packets == 0) {
        if (options_.duration < gap_ / machine.nodes()) {
            throw UserError(
                fmt::format("uniform-traffic: at load {} the {} sources together offer a packet every {:.3f} "
                            "us, and the duration is {}; raise one of them",
                            options_.load, machine.nodes(), gap_.us() / machine.nodes(), to_string(options_.duration)));
        }
        window_end_ = options_.warm_up + options_.duration;
    }
    sources_.reserve(machine.nodes());
    for (unsigned node = 0; node < machine.nodes(); ++node) {
        sources_.push_back({.random = machine.simulation().random_for(fmt::format("traffic.{}", node))});
    }
    machine.start_traffic(*this);
}

Injection UniformTraffic::next(sci::NodeId node)
{
    Source& source = sources_[node];
    const Duration birth = next_birth(source);
    if (stops_before(source, birth)) {
        // In packets mode the first source to stop ends the window of constant load.
        window_end_ = std::min(window_end_, birth);
        return {};
    }
    source.last = birth;
    source.offered.add(birth.ps());
    if (is_measured(birth)) ++source.measured;
    if (node == 0 && options_.packets == 0) machine_->simulation().report_progress(birth / window_end_);
    return {.at = birth, .to = other_node(node, source.random), .command = options_.command};
}

Duration UniformTraffic::next_birth(Source& source)
{
    if (options_.arrivals == Arrivals::kPoisson) return source.last + source.random.exponential(gap_);
    if (source.offered.packets > 0) return source.last + gap_;
    return Duration::picoseconds(static_cast<std::int64_t>(source.random.below(static_cast<std::uint64_t>(gap_.ps()))));
}

bool UniformTraffic::stops_before(const Source& source, Duration birth) const
{
    return options_.packets > 0 ? source.measured == options_.packets : birth >= window_end_;
}

sci::NodeId UniformTraffic::other_node(sci::NodeId source, Random& random) const
{
    const auto node = static_cast<sci::NodeId>(random.below(sources_.size() - 1));
    return node < source ? node : static_cast<sci::NodeId>(node + 1);
}

void UniformTraffic::delivered(const sci::Packet& packet, Duration at)
{
    sources_[packet.source].delivered.add(packet.born_ps);
    if (at >= options_.warm_up && at < window_end_) bytes_in_window_ += sci::data_bytes(packet.command);
    const auto birth = Duration::picoseconds(packet.born_ps);
    if (is_measured(birth)) latency_.add(at - birth);
}

void UniformTraffic::answered(const sci::Packet& response, Duration at)
{
    sources_[response.target].answered.add(response.born_ps);
    const auto birth = Duration::picoseconds(response.born_ps);
    if (is_measured(birth)) transaction_.add(at - birth);
}

void UniformTraffic::dropped(sci::NodeId source, Duration born) { sources_[source].dropped.add(born.ps()); }

void UniformTraffic::check() const
{
    const bool answers = sci::wants_response(options_.command);
    for (std::size_t node = 0; node < sources_.size(); ++node) {
        const Source& source = sources_[node];
        const Account sent = source.offered - source.dropped;
        if (source.delivered == sent && source.answered == (answers ? sent : Account{})) continue;
        throw ModelError(
            fmt::format("node {} sent {} requests; {} were delivered and {} answered, not each exactly once", node,
                        sent.packets, source.delivered.packets, source.answered.packets));
    }
}

double UniformTraffic::accepted_mb_per_s() const
{
    const Duration window = window_end_ - options_.warm_up;
    return static_cast<double>(bytes_in_window_) / static_cast<double>(sources_.size()) / window.us();
}

std::int64_t UniformTraffic::dropped_packets() const
{
    std::uint64_t packets = 0;
    for (const Source& source : sources_) packets += source.dropped.packets;
    return static_cast<std::int64_t>(packets);
}

Results UniformTraffic::results() const
{
    Results results;
    results.columns = {{"offered_load", ""},
                       {"offered_mb_per_s", "MB/s"},
                       {"accepted_mb_per_s", "MB/s"},
                       {"latency_min_ns", "ns"},
                       {"latency_mean_ns", "ns"},
                       {"latency_p50_ns", "ns"},
                       {"latency_p99_ns", "ns"},
                       {"latency_max_ns", "ns"},
                       {"transaction_mean_ns", "ns"},
                       {"delivered", ""},
                       {"answered", ""},
                       {"dropped", ""},
                       {"packet_hops", ""}};
    const double offered = static_cast<double>(sci::data_bytes(options_.command)) / gap_.us();
    results.rows.push_back(
        {options_.load, offered, accepted_mb_per_s(), nanoseconds_or_none(latency_, latency_.minimum().ns()),
         nanoseconds_or_none(latency_, latency_.mean_ns()),
         nanoseconds_or_none(latency_, latency_.percentile(0.5).ns()),
         nanoseconds_or_none(latency_, latency_.percentile(0.99).ns()),
         nanoseconds_or_none(latency_, latency_.maximum().ns()),
         nanoseconds_or_none(transaction_, transaction_.mean_ns()), static_cast<std::int64_t>(latency_.count()),
         static_cast<std::int64_t>(transaction_.count()), dropped_packets(),
         static_cast<std::int64_t>(machine_->packet_hops())});
    results.notes.push_back(
        fmt::format("each node offers a packet every {:.3f} us on average; MB/s are 10^6 payload bytes a "
                    "second and node",
                    gap_.us()));
    results.notes.push_back(
        "latency: from birth to delivery whole, the wait at the source included; transaction: to the "
        "response; both of packets born after the warm-up");
    results.notes.push_back(
        "accepted: payload delivered after the warm-up while all sources were active; dropped and "
        "packet hops: of the whole run");
    results.notes.push_back(
        "load: part of the link rate, echoes, responses and idle symbols included; percentiles: to 1 %");
    results.notes.push_back("the sources sit on the link controllers: B-Link, PSB, PCI and hosts are not in this run");
    add_warnings(results, offered);
    return results;
}

/// What makes these numbers less than they look.
void UniformTraffic::add_warnings(Results& results, double offered_mb_per_s) const
{
    constexpr double kKeptUp = 0.95;
    constexpr std::uint64_t kFew = 200;
    if (latency_.count() < kFew) {
        results.notes.push_back(fmt::format("only {} packets were measured: raise duration", latency_.count()));
    } else if (accepted_mb_per_s() < kKeptUp * offered_mb_per_s) {
        results.notes.push_back(
            "less was accepted than offered: the network is saturated, or the duration is short beside the "
            "latency; latencies then grow with the duration");
    }
    if (options_.warm_up < nanoseconds(latency_.mean_ns())) {
        results.notes.push_back("the warm-up is shorter than the mean latency: raise warm_up");
    }
}

}  // namespace ringmesh::workloads
