// SPDX-License-Identifier: Apache-2.0
#include "tests/workloads/fakes/fake_machine.h"

#include <algorithm>
#include <utility>

#include "tlm/error.h"
#include "tlm/sci/packet.h"

namespace ringmesh::test {

Agenda::Agenda(const sc_core::sc_module_name& module_name) : sc_module(module_name)
{
    SC_METHOD(run_due);
    sensitive << due_;
    dont_initialize();
}

void Agenda::at(Duration time, std::function<void()> call)
{
    calls_.emplace(time, std::move(call));
    due_.notify(to_kernel(calls_.begin()->first - now()));
}

void Agenda::run_due()
{
    while (!calls_.empty() && calls_.begin()->first <= now()) {
        const auto call = std::move(calls_.begin()->second);
        calls_.erase(calls_.begin());
        call();
    }
    if (!calls_.empty()) due_.notify(to_kernel(calls_.begin()->first - now()));
}

FakeMachine::FakeMachine(Simulation& simulation, unsigned nodes, FakeCosts fake_costs)
    : costs(std::move(fake_costs)),
      way([nodes](unsigned from, unsigned to) { return (to + nodes - from) % nodes; }),
      agenda(sc_core::sc_gen_unique_name("machine")),
      simulation_(simulation),
      nodes_(nodes),
      asked_(nodes)
{
    for (unsigned rank = 0; rank < nodes; ++rank) {
        processors_.push_back(std::make_unique<FakeProcessor>(*this, rank));
    }
}

void FakeMachine::resume_traffic(unsigned source, std::uint8_t)
{
    if (!asked_.at(source)) carry_next(source);
}

void FakeMachine::carry_traffic()
{
    for (unsigned node = 0; node < nodes_; ++node) carry_next(node);
}

unsigned FakeMachine::rings() const
{
    if (!shape) return 1;
    unsigned sum = 0;
    for (unsigned d = 0; d < shape->dimensions(); ++d) sum += nodes_ / shape->size(d);
    return sum;
}

Route FakeMachine::route(unsigned from, unsigned to, sci::Class kind) const
{
    Route route;
    if (from == to) return route;
    if (!shape) {
        route.add({.ring = 0, .nodes = nodes_, .hops = way(from, to)});
        return route;
    }
    unsigned at = from;
    for (unsigned i = 0; i < shape->dimensions(); ++i) {
        const unsigned d = kind == sci::Class::kRequest ? i : shape->dimensions() - 1 - i;
        unsigned first_ring = 0;
        for (unsigned before = 0; before < d; ++before) first_ring += nodes_ / shape->size(before);
        const unsigned hops = shape->distance(at, to, d);
        if (hops == 0) continue;
        route.add({.ring = first_ring + shape->ring(at, d), .nodes = shape->size(d), .hops = hops, .group = d});
        at = shape->moved(at, d, shape->coordinate(to, d));
    }
    return route;
}

std::vector<SharedResources> FakeMachine::shared() const
{
    const Duration busy = link_time(sci::Command::kWrite64) * static_cast<std::int64_t>(injections.size());
    return {{.sort = "link", .busy = std::vector<Booked>(nodes_, {busy, now() + booked_ahead})},
            {.sort = "blink", .busy = {}}};
}

void FakeMachine::carry_next(unsigned source)
{
    const Injection injection = model->next(source);
    asked_.at(source) = injection.at != Duration::never();
    if (injection.at == Duration::never()) return;
    agenda.at(injection.at, [this, source, injection] {
        carry(source, injection);
        carry_next(source);
    });
}

void FakeMachine::carry(unsigned source, const Injection& injection)
{
    const auto number = injections.size();
    injections.push_back(injection);
    link_crossings_ += nodes_;
    const OfferedPacket packet{.source = source, .target = injection.to, .born = injection.at, .size = injection.size};
    const Duration flight = costs.flight(0);
    for (int copy = 0; copy < deliveries(number); ++copy) {
        agenda.at(now() + flight, [this, packet] { model->delivered(packet, now()); });
    }
    if (!sci::wants_response(sci::command_of(injection))) return;
    for (int copy = 0; copy < answers(number); ++copy) {
        agenda.at(now() + flight * 2, [this, packet] { model->answered(packet, now()); });
    }
}

}  // namespace ringmesh::test
