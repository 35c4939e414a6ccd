// SPDX-License-Identifier: Apache-2.0
#include "workloads/probes/latency_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "tlm/error.h"
#include "workloads/libraries/messaging/message_bytes.h"

namespace ringmesh::workloads {
namespace {

constexpr std::int64_t kEveryRank = -1;
constexpr std::int64_t kLastRank = 65'535;
constexpr std::int64_t kLargestSize = 1 << 20;
constexpr std::int64_t kUsualSize = 64;
/// The first interval at which a sender checks for an idle network; it doubles each time. Not part of any measured
/// time.
constexpr Duration kFirstLook = 1_us;
/// The largest interval: then it gives up, because no message takes that long.
constexpr Duration kPatience = 1000_s;

constexpr NameTable<MapRows, 2> kRowsNames{{{{"summary", MapRows::kSummary}, {"pairs", MapRows::kPairs}}}};
constexpr NameTable<MapBetween, 3> kMapBetweens{
    {{{"auto", MapBetween::kAuto}, {"processors", MapBetween::kProcessors}, {"sources", MapBetween::kSources}}}};

}  // namespace

void LatencyMapOptions::visit(ParameterVisitor& visitor)
{
    visitor.choice({"between",
                    "processors, through the library, or packet sources; auto: processors if they are PCs with SCI "
                    "cards",
                    assumed()},
                   between, kMapBetweens);
    visitor.only_if(between != MapBetween::kProcessors,
                    "processors send messages, and packet sources packets; write between=sources",
                    [&] { packet.visit_form(visitor); });
    packet.visit_size(visitor);
    visitor.field({"from", "rank that sends to all others; -1: every rank in turn", assumed()}, from,
                  {kEveryRank, kLastRank});
    visitor.only_if(
        between != MapBetween::kSources,
        "packet sources send one packet for each pair; choose between=processors on a platform of PCs with "
        "SCI cards",
        [&] {
            visitor.field({"repetitions", "messages for each pair", assumed()}, repetitions, {1, 100'000});
            visitor.choice({"stores", "how the processor writes messages", seed("000 5.1")}, stores, kStoresNames);
        });
    visitor.choice({"rows", "one row over all pairs, or a row for each", assumed()}, rows, kRowsNames);
}

void LatencyMap::choose_among(std::span<const std::string_view> sorts)
{
    const bool pcs = std::find(sorts.begin(), sorts.end(), SciMachine::kIs) != sorts.end();
    if (options_.between == MapBetween::kProcessors && !pcs) {
        throw UserError(
            fmt::format("latency-map: between = processors: needs {}, and this platform is none; write "
                        "between=sources",
                        SciMachine::kIs));
    }
    if (options_.between != MapBetween::kAuto) return;
    options_.between = pcs ? MapBetween::kProcessors : MapBetween::kSources;
}

void LatencyMap::write_out_auto(const UsualTraffic& usual)
{
    if (between_sources()) {
        options_.packet.complete(usual.packet);
    } else if (options_.packet.size == PacketOptions::kAuto) {
        options_.packet.size = std::to_string(kUsualSize);
    }
}

NodeKind LatencyMap::needs() const
{
    if (!between_sources()) return NodeKind::kProcessor;
    return options_.packet.inject == "blink" ? NodeKind::kCardSource : NodeKind::kPacketSource;
}

void LatencyMap::start_on(NetworkMachine& machine)
{
    const unsigned nodes = machine.nodes();
    if (options_.from >= static_cast<std::int64_t>(nodes)) {
        throw UserError(fmt::format("latency-map: this machine has no rank from = {}; choose one of 0 to {}, or -1",
                                    options_.from, nodes - 1));
    }
    network_ = &machine;
    if (options_.from == kEveryRank) {
        senders_.resize(nodes);
        std::iota(senders_.begin(), senders_.end(), 0U);
    } else {
        senders_ = {static_cast<unsigned>(options_.from)};
    }
    if (between_sources()) {
        if (nodes < 2) throw UserError("latency-map: needs two nodes, and this machine has 1; take a larger one");
        const PacketForm packets = machine.packets(options_.packet);
        auto& with_sources = machine_as<TrafficMachine>(machine, "latency-map between sources");
        sources_ = std::make_unique<PairLatencies>(with_sources, packets, senders_);
        sources_->start();
    } else {
        start_programs(machine_as<SciMachine>(machine, "latency-map between processors"));
    }
}

void LatencyMap::start_programs(SciMachine& machine)
{
    size_ = number_of("size", options_.packet.size, kUsualSize, 1, kLargestSize);
    machine_ = &machine;
    const unsigned nodes = machine.nodes();
    library_ = std::make_unique<RawLibrary>(RawOptions{.stores = options_.stores});
    ranks_ = library_->make_ranks(machine, nodes);
    for (const auto& rank : ranks_) rank->create_buffer(static_cast<std::uint32_t>(size_));
    connect(ranks_);
    for (unsigned rank = 0; rank < nodes; ++rank) machine.processor(rank).run(program(rank), "latency-map");
}

/// All messages to one receiver are numbered, so that bytes of an earlier message are never taken for a later one's.
Message LatencyMap::message(unsigned sender, unsigned repetition) const
{
    const auto repetitions = static_cast<std::uint64_t>(options_.repetitions);
    return {.size = static_cast<std::uint32_t>(size_),
            .repetition = repetition,
            .sequence = sender * repetitions + repetition};
}

Task<> LatencyMap::program(unsigned rank)
{
    for (const unsigned sender : senders_) {
        if (sender == rank) {
            co_await send_to_all(rank);
        } else {
            co_await receive_from(sender, rank);
        }
    }
}

/// The next rank comes last: the message starts its own turn, and this one polls again at once.
Task<> LatencyMap::send_to_all(unsigned rank)
{
    const unsigned nodes = machine_->nodes();
    PcProcessor& processor = machine_->processor(rank);
    for (unsigned i = 1; i < nodes; ++i) {
        const unsigned to = (rank + 1 + i % (nodes - 1)) % nodes;
        for (unsigned repetition = 0; repetition < options_.repetitions; ++repetition) {
            co_await wait_until_quiet(processor);
            if (repetition == 0) pairs_.push_back({.from = rank, .to = to, .latencies_ns = {}});
            on_its_way_ = true;
            sent_at_ = processor.time();
            const Part bytes{.buffer = 0, .offset = 0, .size = static_cast<std::uint32_t>(size_)};
            poke_message(processor, ranks_[rank]->address(0), message(rank, repetition));
            co_await ranks_[rank]->send(to, bytes);
        }
        const auto all = static_cast<double>(senders_.size()) * (nodes - 1);
        machine_->simulation().report_progress(static_cast<double>(pairs_.size()) / all);
    }
}

Task<> LatencyMap::wait_until_quiet(PcProcessor& processor)
{
    const Simulation& simulation = machine_->simulation();
    for (Duration look = kFirstLook;; look = look * 2) {
        // Beside background traffic it never is
        if (!on_its_way_ && (machine_->sources() != nullptr || simulation.objects_in_use() == 0)) co_return;
        if (look > kPatience) {
            require_arrived();
            throw ModelError("latency-map: the network does not come to rest");
        }
        co_await processor.compute(look);
    }
}

Task<> LatencyMap::receive_from(unsigned sender, unsigned rank)
{
    Rank& me = *ranks_[rank];
    const Part room{.buffer = 0, .offset = 0, .size = static_cast<std::uint32_t>(size_)};
    for (unsigned repetition = 0; repetition < options_.repetitions; ++repetition) {
        me.expect(sender, message(sender, repetition));  // it is sent after this
        co_await me.receive(sender, room);
        pairs_.back().latencies_ns.push_back((me.processor().time() - sent_at_).ns());
        on_its_way_ = false;
    }
}

/// @throws ModelError naming the message in flight, if any
void LatencyMap::require_arrived() const
{
    if (!on_its_way_) return;
    const Pair& pair = pairs_.back();
    throw ModelError(fmt::format("the program of rank {} did not get past repetition {} of {} bytes{}", pair.to,
                                 pair.latencies_ns.size(), size_, ranks_[pair.to]->problem()));
}

bool LatencyMap::finished() const
{
    if (sources_) return sources_->finished();
    return std::all_of(ranks_.begin(), ranks_.end(), [](const auto& rank) { return rank->processor().finished(); });
}

void LatencyMap::check() const
{
    if (sources_) {
        sources_->check();
        return;
    }
    require_arrived();
    const std::size_t expected = senders_.size() * (ranks_.size() - 1);
    const auto repetitions = static_cast<std::size_t>(options_.repetitions);
    const auto measured = std::count_if(pairs_.begin(), pairs_.end(), [repetitions](const Pair& pair) {
        return pair.latencies_ns.size() == repetitions;
    });
    if (static_cast<std::size_t>(measured) == expected && pairs_.size() == expected) return;
    throw ModelError(fmt::format("latency-map measured {} of {} pairs", measured, expected));
}

double LatencyMap::mean_of(const Pair& pair) const
{
    return std::accumulate(pair.latencies_ns.begin(), pair.latencies_ns.end(), 0.0) /
           static_cast<double>(pair.latencies_ns.size());
}

Results LatencyMap::pair_rows() const
{
    Results results;
    results.columns = {{"from", ""}, {"to", ""}, {"rings", ""}, {"hops", ""}, {"latency_ns", "ns"}};
    for (const Pair& pair : pairs_) {
        const auto rings = machine_->route(pair.from, pair.to, sci::Class::kRequest).count;
        results.rows.push_back({std::int64_t{pair.from}, std::int64_t{pair.to}, static_cast<std::int64_t>(rings),
                                std::int64_t{machine_->hops(pair.from, pair.to)}, mean_of(pair)});
    }
    return results;
}

Results LatencyMap::summary() const
{
    std::vector<double> means;
    double hops = 0;
    double rings = 0;
    for (const Pair& pair : pairs_) {
        means.push_back(mean_of(pair));
        hops += machine_->hops(pair.from, pair.to);
        rings += static_cast<double>(machine_->route(pair.from, pair.to, sci::Class::kRequest).count);
    }
    const auto [low, high] = std::minmax_element(means.begin(), means.end());
    const double sum = std::accumulate(means.begin(), means.end(), 0.0);
    const auto pairs = static_cast<double>(means.size());
    Results results;
    results.columns = {{"pairs", ""},
                       {"size_bytes", "bytes"},
                       {"latency_mean_ns", "ns"},
                       {"latency_min_ns", "ns"},
                       {"latency_max_ns", "ns"},
                       {"latency_sum_ns", "ns"},
                       {"mean_hops", ""},
                       {"mean_dimension_changes", ""}};
    results.rows.push_back({static_cast<std::int64_t>(means.size()), size_, sum / pairs, *low, *high, sum, hops / pairs,
                            rings / pairs - 1});
    return results;
}

Results LatencyMap::source_results() const
{
    const auto& pairs = sources_->pairs();
    Results results;
    results.notes = network_->traffic_notes();
    if (options_.rows == MapRows::kPairs) {
        results.columns = {{"from", ""}, {"to", ""}, {"hops", ""}, {"latency_ns", "ns"}};
        for (const PairLatencies::Pair& pair : pairs) {
            results.rows.push_back({std::int64_t{pair.from}, std::int64_t{pair.to},
                                    std::int64_t{network_->hops(pair.from, pair.to)}, pair.latency.ns()});
        }
        return results;
    }
    const auto [low, high] = std::minmax_element(pairs.begin(), pairs.end(),
                                                 [](const auto& a, const auto& b) { return a.latency < b.latency; });
    double sum_ns = 0;
    double hops = 0;
    for (const PairLatencies::Pair& pair : pairs) {
        sum_ns += pair.latency.ns();
        hops += network_->hops(pair.from, pair.to);
    }
    const auto count = static_cast<double>(pairs.size());
    results.columns = {{"pairs", ""},
                       {"latency_mean_ns", "ns"},
                       {"latency_min_ns", "ns"},
                       {"latency_max_ns", "ns"},
                       {"latency_sum_ns", "ns"},
                       {"mean_hops", ""}};
    results.rows.push_back({static_cast<std::int64_t>(pairs.size()), sum_ns / count, low->latency.ns(),
                            high->latency.ns(), sum_ns, hops / count});
    return results;
}

Results LatencyMap::results() const
{
    if (sources_) {
        Results results = source_results();
        results.notes.emplace_back(
            "latency: from a packet's birth to its delivery whole, one packet at a time on a quiet network");
        return results;
    }
    Results results = options_.rows == MapRows::kPairs ? pair_rows() : summary();
    results.notes.push_back(
        fmt::format("latency: from the call at the sender to the return at the receiver; mean of {} "
                    "message{} for each pair, one at a time on a quiet network",
                    options_.repetitions, options_.repetitions == 1 ? "" : "s"));
    if (options_.rows == MapRows::kSummary && senders_.size() == 1) {
        results.notes.push_back("sum: the papers' one-to-all multi-unicast, its messages one after another");
    }
    return results;
}

}  // namespace ringmesh::workloads
