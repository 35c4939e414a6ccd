// SPDX-License-Identifier: Apache-2.0
#include "workloads/point_to_point.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "tlm/error.h"
#include "tlm/sci/packet.h"
#include "workloads/sizes.h"

namespace ringmesh::workloads {
namespace {

constexpr std::int64_t kOpposite = -1;
constexpr std::int64_t kHighestRank = 65'535;

void require_rank(std::string_view workload, std::string_view option, std::int64_t rank, unsigned nodes)
{
    if (rank >= 0 && rank < nodes) return;
    throw UserError(
        fmt::format("{}: this machine has no rank {} = {}; choose one of 0 to {}", workload, option, rank, nodes - 1));
}

double average(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

void visit_ranks(ParameterVisitor& visitor, std::int64_t& from, std::int64_t& to)
{
    visitor.field({"from", "rank that starts and takes the time", assumed()}, from, {0, kHighestRank});
    visitor.field({"to", "rank that answers; -1 is the one half-way round", assumed()}, to, {kOpposite, kHighestRank});
}

void visit_series(ParameterVisitor& visitor, std::int64_t& from, std::int64_t& to, std::string& sizes,
                  std::int64_t& repetitions, std::int64_t& series)
{
    visit_ranks(visitor, from, to);
    visitor.text({"sizes", "message sizes in bytes: '64', '1,2,4,8', '64..512 step 64', '1..4096 x2'", assumed()},
                 sizes);
    visitor.field({"repetitions", "messages in each series", assumed()}, repetitions, {1, 1'000'000});
    visitor.field(
        {"series", "series of which minimum, maximum and average are taken; the original takes 15", assumed()}, series,
        {1, 1000});
}

void PointToPointOptions::visit(ParameterVisitor& visitor)
{
    visit_series(visitor, from, to, sizes, repetitions, series);
    visitor.field({"aligned", "messages end on a 64-byte boundary, so that the bridge flushes", seed("000 app.A")},
                  aligned);
    visitor.choice({"stores", "how the processor writes messages", seed("000 5.1")}, stores, kStoresNames);
}

RankPair choose_ranks(std::string_view workload, std::int64_t from, std::int64_t to, unsigned nodes)
{
    if (nodes < 2) {
        throw UserError(fmt::format("{} needs two nodes, and this machine has {}; take a larger one", workload, nodes));
    }
    require_rank(workload, "from", from, nodes);
    if (to == kOpposite) to = (from + nodes / 2) % nodes;
    require_rank(workload, "to", to, nodes);
    if (from == to) {
        throw UserError(fmt::format("{0}: from and to are both {1}; choose two different ranks of 0 to {2}", workload,
                                    from, nodes - 1));
    }
    return {static_cast<unsigned>(from), static_cast<unsigned>(to)};
}

Results latency_table(const std::vector<SizeLatency>& measured)
{
    Results results;
    results.columns = {{"size_bytes", "bytes"},          {"latency_min_ns", "ns"}, {"latency_max_ns", "ns"},
                       {"latency_avg_ns", "ns"},         {"spread_percent", "%"},  {"throughput_mb_per_s", "MB/s"},
                       {"throughput_mib_per_s", "MiB/s"}};
    for (const auto& [size, latencies] : measured) {
        if (latencies.empty()) continue;
        const auto [low, high] = std::minmax_element(latencies.begin(), latencies.end());
        const double bytes_per_second = size / (*low * 1e-9);
        results.rows.push_back({std::int64_t{size}, *low, *high, average(latencies), 100 * (*high - *low) / *low,
                                bytes_per_second / 1e6, bytes_per_second / (1024 * 1024)});
    }
    return results;
}

PointToPoint::PointToPoint(const Method& method, PointToPointOptions options)
    : method_(method), options_(std::move(options))
{}

void PointToPoint::start_on(SciMachine& machine)
{
    const auto ranks = choose_ranks(method_.name, options_.from, options_.to, machine.nodes());
    const auto repetitions = static_cast<std::uint32_t>(options_.repetitions);
    schedule_ =
        Schedule(parse_sizes(options_.sizes), {.series = static_cast<std::uint32_t>(options_.series),
                                               .repetitions = repetitions,
                                               .answer_every = method_.answers_every_message ? 1 : repetitions});
    const auto& sizes = schedule_.sizes();
    const Endpoint::Layout layout{.largest = *std::max_element(sizes.begin(), sizes.end()),
                                  .aligned = options_.aligned,
                                  .stores = options_.stores};
    simulation_ = &machine.simulation();
    SciProcessor& from = machine.processor(ranks.from);
    SciProcessor& to = machine.processor(ranks.to);
    largest_transaction_ = from.largest_transaction();
    const std::uint64_t from_area = export_receive_area(from, layout.largest);
    const std::uint64_t to_area = export_receive_area(to, layout.largest);
    from_.emplace(from, from_area, ranks.to, layout);
    to_.emplace(to, to_area, ranks.from, layout);
    to_->expect(schedule_.message(0));
    from.run(measure(), std::string(method_.name));
    to.run(answer(), std::string(method_.name) + " answer");
}

Task<> PointToPoint::measure()
{
    std::uint64_t next = 0;
    for (const auto size : schedule_.sizes()) {
        measured_.push_back({size, {}});
        co_await exchange(next, 1);
        next += 1;
        for (std::uint32_t series = 0; series < schedule_.series(); ++series) {
            const Duration begin = from_->time();
            co_await exchange(next, schedule_.repetitions());
            const Duration elapsed = from_->time() - begin;
            next += schedule_.repetitions();
            measured_.back().latencies_ns.push_back(elapsed.ns() / schedule_.repetitions() /
                                                    method_.messages_per_repetition);
            simulation_->report_progress(static_cast<double>(next) / static_cast<double>(schedule_.messages()));
        }
    }
}

Task<> PointToPoint::answer()
{
    for (auto message = schedule_.awaited_from(0); message;) {
        co_await to_->receive(*message);
        const auto next = schedule_.awaited_from(message->sequence + 1);
        // The peer sends no more until it has the answer.
        if (next) to_->expect(*next);
        co_await to_->send(*message);
        message = next;
    }
}

void PointToPoint::check() const
{
    from_->require_finished();
    to_->require_finished();
}

Results PointToPoint::results() const
{
    Results results = latency_table(measured_);
    results.notes.push_back(fmt::format("latency: elapsed time / {} repetitions / {}; min, max and avg of {} series",
                                        schedule_.repetitions(), method_.messages_per_repetition, schedule_.series()));
    results.notes.push_back("throughput: size by least latency; MB are 10^6 bytes, MiB are 2^20");
    results.notes.push_back(fmt::format(
        "a block of {} bytes that a message fills leaves as one packet, {} as packets of up to 16 bytes, one "
        "after the other",
        largest_transaction_,
        largest_transaction_ > sci::kBlockBytes ? "another as one for each half that it fills, and what is left"
                                                : "one that it touches"));
    if (const auto overtaken = from_->overtaken() + to_->overtaken(); overtaken > 0) {
        results.notes.push_back(
            fmt::format("in {} messages the last word came before other bytes, and the receiver waited "
                        "for these; the original looks at the last word alone",
                        overtaken));
    }
    return results;
}

}  // namespace ringmesh::workloads
