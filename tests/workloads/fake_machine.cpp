// SPDX-License-Identifier: Apache-2.0
#include "tests/workloads/fake_machine.h"

#include <algorithm>
#include <utility>

namespace ringmesh::test {
namespace {

constexpr unsigned kRankShift = 40;
constexpr std::uint64_t kOffsetMask = (std::uint64_t{1} << kRankShift) - 1;

}  // namespace

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

std::uint64_t FakeProcessor::map_remote(unsigned rank, std::uint64_t offset, std::uint64_t size)
{
    auto& peer = machine_.processor(rank);
    peer.mapped = std::max(peer.mapped, size);
    return std::uint64_t{rank + 1} << kRankShift | offset;
}

void FakeProcessor::peek(std::uint64_t address, std::span<std::byte> into) const
{
    for (auto& byte : into) byte = memory_.at(address++);
}

void FakeProcessor::poke(std::uint64_t address, std::span<const std::byte> from)
{
    for (const auto byte : from) memory_.at(address++) = byte;
}

void FakeProcessor::run(Task<> program, std::string)
{
    program_task_ = std::move(program);
    machine_.agenda.at(now(), [this] {
        program_task_.start();
        report_end();
    });
}

void FakeProcessor::land(std::uint64_t address, const std::vector<std::byte>& bytes)
{
    poke(address, bytes);
    if (!polling_ || !holds(polled_)) return;
    polling_ = false;
    begin(machine_.costs.poll);
}

void FakeProcessor::begin(const StoreRequest& request)
{
    auto& peer = machine_.processor(static_cast<unsigned>(request.address >> kRankShift) - 1);
    const auto number = machine_.stores_made++;
    std::vector<std::byte> bytes(request.data, request.data + request.size);
    machine_.costs.spoil(number, bytes);
    const Duration done = now() + machine_.costs.store;
    machine_.agenda.at(done + machine_.costs.flight(number),
                       [&peer, offset = request.address & kOffsetMask, bytes] { peer.land(offset, bytes); });
    stores.push_back(request);
    begin(machine_.costs.store);
}

void FakeProcessor::begin(const LoadRequest& request)
{
    peek(request.address, {request.data, request.size});
    begin(machine_.costs.poll);
}

void FakeProcessor::begin(const PollRequest& request)
{
    polled_ = request;
    polling_ = !holds(request);
    if (!polling_) begin(machine_.costs.poll);
}

void FakeProcessor::begin(Duration span)
{
    machine_.agenda.at(now() + span, [this] { resume(); });
}

Duration FakeProcessor::library_cost() const { return machine_.costs.library; }

void FakeProcessor::resume()
{
    std::exchange(program_, {}).resume();
    report_end();
}

void FakeProcessor::report_end()
{
    if (!program_task_.done()) return;
    try {
        program_task_.result();
    } catch (...) {
        machine_.simulation().fail(std::current_exception());
    }
}

bool FakeProcessor::holds(const PollRequest& request) const
{
    std::uint64_t value = 0;
    for (std::uint32_t i = request.size; i-- > 0;) {
        value = value << 8 | std::to_integer<std::uint64_t>(memory_.at(request.address + i));
    }
    return value == request.value;
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

void FakeMachine::resume_traffic(sci::NodeId source)
{
    if (!asked_.at(source)) carry_next(source);
}

void FakeMachine::carry_traffic()
{
    for (unsigned node = 0; node < nodes_; ++node) carry_next(static_cast<sci::NodeId>(node));
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

std::vector<Booked> FakeMachine::busy(Resource sort) const
{
    if (sort != Resource::kLink) return {};
    const Duration busy = link_time(sci::Command::kWrite64) * static_cast<std::int64_t>(injections.size());
    return std::vector<Booked>(nodes_, {busy, now() + booked_ahead});
}

void FakeMachine::carry_next(sci::NodeId source)
{
    const Injection injection = model->next(source);
    asked_.at(source) = injection.at != Duration::never();
    if (injection.at == Duration::never()) return;
    agenda.at(injection.at, [this, source, injection] {
        carry(source, injection);
        carry_next(source);
    });
}

void FakeMachine::carry(sci::NodeId source, const Injection& injection)
{
    const auto number = injections.size();
    injections.push_back(injection);
    packet_hops_ += nodes_;
    sci::Packet packet;
    packet.command = injection.command;
    packet.source = source;
    packet.target = injection.to;
    packet.born_ps = injection.at.ps();
    const Duration flight = costs.flight(0);
    for (int copy = 0; copy < deliveries(number); ++copy) {
        agenda.at(now() + flight, [this, packet] { model->delivered(packet, now()); });
    }
    if (!sci::wants_response(packet.command)) return;
    packet.command = sci::Command::kResponse0;
    std::swap(packet.source, packet.target);
    for (int copy = 0; copy < answers(number); ++copy) {
        agenda.at(now() + flight * 2, [this, packet] { model->answered(packet, now()); });
    }
}

}  // namespace ringmesh::test
