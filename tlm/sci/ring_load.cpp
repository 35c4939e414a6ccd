// SPDX-License-Identifier: Apache-2.0
#include "tlm/sci/ring_load.h"

#include <algorithm>

namespace ringmesh::sci {
namespace {

constexpr std::size_t kGroups = 2 * Route::kMost;  // dimensions, two directions each

double mean_busy_ns(const RingUse& use, Duration packet, Duration echo)
{
    return (packet.ns() * use.hops + echo.ns() * (use.nodes - use.hops)) / use.nodes;
}

}  // namespace

RingLoad::RingLoad(const SciNetwork& machine, Command command)
    : machine_(machine),
      command_(command),
      request_(machine.link_time(command)),
      response_(machine.link_time(Command::kResponse0)),
      echo_(machine.link_time(Command::kEcho)),
      answered_(wants_response(command)),
      groups_(kGroups),
      rings_ns_(machine.rings()),
      ring_groups_(machine.rings()),
      first_ns_(machine.nodes() * kGroups),
      parts_(machine.nodes())
{}

void RingLoad::on_ring(const RingUse& use, double part, Duration packet)
{
    rings_ns_.at(use.ring) += part * mean_busy_ns(use, packet, echo_);
    ring_groups_[use.ring] = use.group;
}

void RingLoad::flow(unsigned from, unsigned to, double part)
{
    if (part <= 0) return;
    parts_.at(from) += part;
    const Route there = machine_.route(from, to, Class::kRequest);
    unsigned circle = 0;
    for (const RingUse& use : there) {
        on_ring(use, part, request_);
        circle += use.nodes;
    }
    longest_circle_ = std::max(longest_circle_, circle);
    first_ns_.at(from * kGroups + there.begin()->group) += part * request_.ns();
    if (!answered_) return;
    for (const RingUse& use : machine_.route(to, from, Class::kResponse)) on_ring(use, part, response_);
}

void RingLoad::spread(unsigned from, unsigned to, double part)
{
    // One ring's packets of N nodes are those of one node on the N / nodes rings of the group: nodes times as many on
    // each
    const Route there = machine_.route(from, to, Class::kRequest);
    unsigned circle = 0;
    for (const RingUse& use : there) {
        groups_.at(use.group).busy_ns += part * mean_busy_ns(use, request_, echo_) * use.nodes;
        circle += use.nodes;
    }
    longest_circle_ = std::max(longest_circle_, circle);
    groups_.at(there.begin()->group).first_ns += part * request_.ns();
    if (!answered_) return;
    for (const RingUse& use : machine_.route(to, from, Class::kResponse)) {
        groups_.at(use.group).busy_ns += part * mean_busy_ns(use, response_, echo_) * use.nodes;
    }
}

void RingLoad::alike(unsigned to, double part)
{
    if (part <= 0) return;
    if (machine_.torus() != nullptr) {
        alike_part_ += part;
        spread(0, to, part);
        return;
    }
    const unsigned nodes = machine_.nodes();
    for (unsigned from = 0; from < nodes; ++from) flow(from, (from + to) % nodes, part);
}

void RingLoad::alike_to_all_others(double part)
{
    const unsigned others = machine_.nodes() - 1;
    for (unsigned to = 1; to <= others; ++to) alike(to, part / others);
}

MeanTime RingLoad::gap_at_full_load() const
{
    double most = 0;
    for (const Group& group : groups_) most = std::max(most, group.busy_ns);
    for (std::size_t ring = 0; ring < rings_ns_.size(); ++ring) {
        most = std::max(most, rings_ns_[ring] + groups_[ring_groups_[ring]].busy_ns);
    }
    return nanoseconds(most);
}

ExpectedLoad::Limit RingLoad::source_limit() const
{
    double most = 0;
    for (std::size_t i = 0; i < first_ns_.size(); ++i) {
        most = std::max(most, first_ns_[i] + groups_[i % kGroups].first_ns);
    }
    const Duration bus = machine_.source_bus_time(command_);
    if (bus.ns() > most) return {bus, "B-Link"};
    return {nanoseconds(most), "link"};
}

Duration RingLoad::warm_up() const
{
    constexpr Duration kCards = 20_us;
    constexpr std::int64_t kTurns = 4;
    const Duration exact = kCards + machine_.hop_time() * longest_circle_ * kTurns;
    return 1_us * ((exact.ps() - 1) / (1_us).ps() + 1);
}

unsigned RingLoad::senders() const
{
    if (alike_part_ > 0) return machine_.nodes();
    return static_cast<unsigned>(std::count_if(parts_.begin(), parts_.end(), [](double part) { return part > 0; }));
}

}  // namespace ringmesh::sci
