// SPDX-License-Identifier: Apache-2.0
#include "workloads/mesh/mesh_traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "tlm/error.h"
#include "tlm/kernel_time.h"
#include "tlm/quantity.h"

namespace ringmesh::workloads {
namespace {

/// Time for queues to fill: more than a packet needs across the mesh, several times over.
Cycles fitting_warm_up(const MeshMachine& machine)
{
    return Cycles(2'000 + 100 * std::int64_t{machine.columns() + machine.rows()});
}

double as_hops(const MeshMachine&, unsigned hops, std::uint32_t) { return hops; }

double zero_load_cycles(const MeshMachine& machine, unsigned hops, std::uint32_t flits)
{
    const unsigned x = std::min(hops, machine.columns() - 1);
    return machine.zero_load_latency(0, x + machine.columns() * (hops - x), flits) / machine.clock().period();
}

unsigned distance(unsigned a, unsigned b) { return a < b ? b - a : a - b; }

}  // namespace

void MeshTraffic::start_on(MeshMachine& machine)
{
    if (machine.nodes() < 2) throw UserError("mesh-traffic: needs two nodes, and this mesh has 1; take a larger one");
    machine_ = &machine;
    pattern_ = make_pattern("mesh-traffic", options_.pattern, layout_of(machine), options_.places);
    const Clock clock = machine.clock();
    warm_up_ = options_.warm_up_time(clock, fitting_warm_up(machine));
    const Duration duration = options_.duration_time(clock);
    window_end_ = warm_up_ + duration;
    gap_ = nanoseconds(clock.period().ns() * static_cast<double>(options_.flits) / options_.load);
    if (duration < gap_ / machine.nodes()) {
        throw UserError(fmt::format(
            "mesh-traffic: the {} sources together offer a packet every {:.0f} cycles, and the duration is {}; raise "
            "duration, or offer more",
            machine.nodes(), gap_ / clock.period() / machine.nodes(), options_.duration));
    }
    arrivals_.emplace(options_.arrivals, gap_, clock);
    accounts_.emplace(machine.nodes());
    hops_.resize(machine.columns() + machine.rows() - 1);
    sources_.reserve(machine.nodes());
    for (unsigned node = 0; node < machine.nodes(); ++node) {
        sources_.push_back({.random = machine.simulation().random_for(fmt::format("mesh-traffic.{}", node))});
    }
    machine.start_traffic(*this);
}

mesh::Injection MeshTraffic::next(std::uint32_t node)
{
    watch(now());
    Source& source = sources_[node];
    if (source.births.started && in_window(source.births.last)) ++in_window_.born;
    const auto to = pattern_->next(node, source.random);
    if (!to) return {};
    source.sends = true;
    const Duration birth = arrivals_->next(source.births, source.random);
    if (birth >= window_end_) return {};
    accounts_->offered(node, birth);
    if (node == 0) machine_->simulation().report_progress(birth / window_end_);
    return {
        .at = birth, .to = *to, .flits = static_cast<std::uint32_t>(options_.flits), .kind = class_of(source.random)};
}

mesh::Class MeshTraffic::class_of(Random& random) const
{
    if (options_.kind == MeshClasses::kMixed)
        return random.below(2) == 0 ? mesh::Class::kRequest : mesh::Class::kResponse;
    return options_.kind == MeshClasses::kRequest ? mesh::Class::kRequest : mesh::Class::kResponse;
}

/// Looks at the links when the window begins and when it ends: at the first packet from then on.
void MeshTraffic::watch(Duration time)
{
    if (time < warm_up_ || at_end_) return;
    if (!at_begin_) at_begin_ = LinkLook{time, machine_->link_flits()};
    if (time >= window_end_) at_end_ = LinkLook{time, machine_->link_flits()};
}

void MeshTraffic::delivered(const mesh::Packet& packet, Duration at)
{
    watch(at);
    const auto birth = Duration::picoseconds(packet.born_ps);
    accounts_->delivered(packet.source, birth);
    if (in_window(at)) ++in_window_.delivered;
    if (birth < warm_up_) return;
    latency_.add(at - birth);
    ++hops_[distance(packet.from.x, packet.to.x) + distance(packet.from.y, packet.to.y)];
}

unsigned MeshTraffic::senders() const
{
    return static_cast<unsigned>(
        std::count_if(sources_.begin(), sources_.end(), [](const auto& one) { return one.sends; }));
}

std::optional<MeshTraffic::LinkUse> MeshTraffic::link_use() const
{
    if (!at_begin_ || at_begin_->flits.empty()) return std::nullopt;
    const LinkLook end =
        at_end_.value_or(LinkLook{window_end_, machine_->link_flits()});  // nothing moved after the window
    const double cycles = (end.at - at_begin_->at) / machine_->clock().period();
    if (cycles <= 0) return std::nullopt;
    LinkUse use;
    std::size_t busiest = 0;
    for (std::size_t i = 0; i < end.flits.size(); ++i) {
        const double part = static_cast<double>(end.flits[i] - at_begin_->flits[i]) / cycles;
        use.mean += part / static_cast<double>(end.flits.size());
        if (part <= use.highest) continue;
        use.highest = part;
        busiest = i;
    }
    use.busiest = machine_->link_name(busiest);
    return use;
}

double MeshTraffic::mean_over_hops(double (*of)(const MeshMachine&, unsigned, std::uint32_t)) const
{
    double sum = 0;
    for (unsigned hops = 0; hops < hops_.size(); ++hops) {
        if (hops_[hops] == 0) continue;
        sum += static_cast<double>(hops_[hops]) * of(*machine_, hops, static_cast<std::uint32_t>(options_.flits));
    }
    return sum / static_cast<double>(latency_.count());
}

Results MeshTraffic::results() const
{
    Results results;
    results.columns = {{"pattern", ""},
                       {"detail", ""},
                       {"flits", ""},
                       {"offered_load", "flits/cycle"},
                       {"accepted_load", "flits/cycle"},
                       {"accepted_part", ""},
                       {"senders", ""},
                       {"hops_mean", ""},
                       {"zero_load_mean_cycles", "cycles"}};
    LatencySeries::add_columns(results, "cycles");
    LatencySeries::add_columns(results, "ns");
    for (const auto* column : {"link_use_mean", "link_use_highest", "busiest_link", "delivered", "flit_hops"}) {
        results.columns.push_back({column, ""});
    }
    const auto flits = static_cast<double>(in_window_.delivered) * static_cast<double>(options_.flits);
    const auto part =
        static_cast<double>(in_window_.delivered) / static_cast<double>(std::max<std::uint64_t>(1, in_window_.born));
    const bool measured = latency_.count() > 0;
    auto& row = results.rows.emplace_back();
    row = {options_.pattern,
           std::string(machine_->detail()),
           options_.flits,
           options_.load,
           flits / window_cycles() / senders(),
           part,
           std::int64_t{senders()},
           measured ? Cell(mean_over_hops(as_hops)) : Cell(std::monostate()),
           measured ? Cell(mean_over_hops(zero_load_cycles)) : Cell(std::monostate())};
    latency_.add_cells(row, machine_->clock().period());
    latency_.add_cells(row, 1_ns);
    const auto use = link_use();
    row.insert(row.end(),
               {use ? Cell(use->mean) : Cell(std::monostate()), use ? Cell(use->highest) : Cell(std::monostate()),
                use ? Cell(use->busiest) : Cell(std::monostate()), static_cast<std::int64_t>(latency_.count()),
                static_cast<std::int64_t>(machine_->flit_hops())});
    add_notes(results);
    return results;
}

void MeshTraffic::add_notes(Results& results) const
{
    auto& notes = results.notes;
    const Clock clock = machine_->clock();
    notes.push_back(
        fmt::format("{} of {} nodes send, each a packet every {:.1f} cycles of {} on average; load: flits per "
                    "sending node and cycle",
                    senders(), machine_->nodes(), gap_ / clock.period(), to_string(clock.period())));
    notes.push_back(
        machine_->detail() == "path"
            ? "detail path: each packet reserves the links of its way when it enters; no virtual channels, so "
              "high loads are less exact"
            : "detail flit: routers allocate channels and switches flit by flit");
    notes.push_back(
        fmt::format("window: {:.0f} cycles from cycle {:.0f} on, after the warm-up; accepted part: packets delivered "
                    "by packets born, "
                    "both in the window; flit hops: flits over links between routers, of the whole run",
                    window_cycles(), warm_up_ / clock.period()));
    notes.push_back(
        "latency: from birth to the arrival of the last flit, the wait at the source included; ci95: half the 95 % "
        "confidence interval of its mean, by batch means; zero load: what the same packets would take alone; "
        "percentiles: "
        "to 1 %");
    add_doubts(notes, latency_, warm_up_, in_window_);
}

}  // namespace ringmesh::workloads
