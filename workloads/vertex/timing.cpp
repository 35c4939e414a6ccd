// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertex/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tlm/error.h"
#include "workloads/sizes.h"
#include "workloads/vertex/pattern.h"
#include "workloads/vertex/timing_lengths.h"

namespace ringmesh::workloads::vertex {
namespace {

constexpr NameTable<Measure, 3> kMeasures{
    {{{"values", Measure::kValues}, {"distances", Measure::kDistances}, {"channels", Measure::kChannels}}}};
constexpr NameTable<Underlying, 2> kUnderlyings{{{{"integer", Underlying::kInteger}, {"float", Underlying::kFloat}}}};

}  // namespace

void TimingOptions::visit(ParameterVisitor& visitor)
{
    visitor.choice({"measure", "values: tests 1 to 7; distances: the echoes; channels: test 8", seed("001 App. A")},
                   measure, kMeasures);
    visitor.choice({"underlying", "the arithmetic underneath the communication", seed("001 3.1")}, underlying,
                   kUnderlyings);
    visitor.text({"sizes", "bytes of the messages, as '16,500,1000'", seed("001 App. A")}, sizes);
    visitor.field({"trials", "timed trials of each test, after one that is not", seed("001 App. A")}, trials,
                  {1, 100'000});
    visitor.field({"offset_trials", "spread the trials evenly over the timer's grain", assumed()}, offset_trials);
    visitor.field({"integer_turn", "clocks of one turn of the integer loop", assumed()}, integer_turn, {1, 100'000});
    visitor.field({"float_turn", "clocks of one turn of the floating-point loop", assumed()}, float_turn, {1, 100'000});
    visitor.field({"channel_bytes", "test 8: bytes of each message", seed("001 App. A")}, channel_bytes, {1, 65536});
    visitor.field({"outstanding", "test 8: messages of each sender that are not answered", seed("001 App. A")},
                  outstanding, {1, 64});
    visitor.field({"channel_blocks", "test 8: long computations that are timed", seed("001 App. A")}, channel_blocks,
                  {1, 100'000});
}

void VertexTiming::start_on(NcubeMachine& machine)
{
    machine_ = &machine;
    if (machine.dimension() < 2) {
        throw UserError(
            fmt::format("vertex-timing: a cube of dimension {} is too small: node 0 needs two neighbours; "
                        "set topology.dimension to 2 or more",
                        machine.dimension()));
    }
    sizes_ = parse_sizes(options_.sizes);
    const auto largest =
        std::max(*std::max_element(sizes_.begin(), sizes_.end()), static_cast<std::uint32_t>(options_.channel_bytes));
    sums_.resize(sizes_.size());
    for (Sums& sums : sums_) {
        sums.echo.resize(farthest());
        sums.idle_echo.resize(farthest());
    }
    for (unsigned i = 0; i < streams(); ++i) streams_.push_back({.sender = 1U << (2 * i)});
    for (unsigned rank = 0; rank <= machine.nodes(); ++rank) {
        vertices_.push_back(std::make_unique<Vertex>(machine, rank));
        Vertex& vertex = *vertices_.back();
        buffers_.push_back(vertex.allocate(largest));
        patterns_.push_back(vertex.allocate(largest));
        fill_pattern(vertex.cpu(), patterns_.back(), largest);
    }
    machine.processor(0).run(node0(), "vertex-timing");
    for (unsigned rank = 1; rank < machine.nodes(); ++rank) machine.processor(rank).run(other(rank), "vertex-timing");
    machine.processor(machine.host()).run(host(), "vertex-timing host");
}

unsigned VertexTiming::farthest() const { return std::min(machine_->dimension(), 5U); }

/// Each takes two dimensions.
unsigned VertexTiming::streams() const { return std::min(machine_->dimension() / 2, 3U); }

double VertexTiming::grain_us() const { return machine_->processor(0).cycles(machine_->vertex().timer_grain).us(); }

Duration VertexTiming::q_time(std::int64_t repetitions) const
{
    const bool integer = options_.underlying == Underlying::kInteger;
    const std::int64_t clocks = integer ? kIntegerTurns * options_.integer_turn : kFloatTurns * options_.float_turn;
    return machine_->processor(0).cycles(Cycles(repetitions * clocks));
}

Task<> VertexTiming::q(Vertex& vertex, std::int64_t repetitions) { co_await vertex.cpu().compute(q_time(repetitions)); }

/// Node 0 waits so that the timer's phase differs in each trial.
Task<> VertexTiming::align(std::int64_t trial)
{
    if (!options_.offset_trials) co_return;
    NcubeProcessor& cpu = machine_->processor(0);
    const Duration grain = cpu.cycles(machine_->vertex().timer_grain);
    const std::int64_t phase = grain.ps() * (2 * std::max<std::int64_t>(trial, 0) + 1) / (2 * options_.trials);
    const std::int64_t missing = phase - cpu.time().ps() % grain.ps();
    co_await cpu.compute(Duration::picoseconds(missing < 0 ? missing + grain.ps() : missing));
}

Task<std::int64_t> VertexTiming::tick()
{
    const std::int64_t ticks = co_await vertices_[0]->ntime();
    co_return ticks;
}

Task<> VertexTiming::write(Vertex& vertex, std::uint32_t size, unsigned to)
{
    co_await vertex.nwrite(patterns_[vertex.rank()], size, to, kType);
}

/// @throws ModelError if it differs from that node's message
Task<> VertexTiming::read(Vertex& vertex, std::uint32_t size, int from)
{
    const Received got = co_await vertex.nread(buffers_[vertex.rank()], size, from, kType);
    const auto wrong = wrong_byte(vertex.cpu(), buffers_[vertex.rank()], std::min(size, got.size), got.source);
    if (wrong) {
        throw ModelError(fmt::format("vertex-timing: byte {} of a message from node {} is wrong at node {}", *wrong,
                                     got.source, vertex.rank()));
    }
    ++checked_;
}

/// The differences are valid only if each transfer is covered by its computation. The number of messages at node 0
/// shows it: none after its own message has left and before the answer arrives, one when the answer has arrived.
/// @throws UserError otherwise
void VertexTiming::require_held(std::uint32_t size, unsigned messages) const
{
    const Vertex& vertex = *vertices_[0];
    if (vertex.unread() == messages && vertex.buffers().used() == messages * BufferPool::rounded(size)) return;
    not_covered(size);
}

void VertexTiming::not_covered(std::uint32_t size) const
{
    throw UserError(fmt::format(
        "vertex-timing: the computations, {:.0f} us the short one, do not cover the transfers of messages of "
        "{} bytes; raise integer_turn or float_turn, or write smaller sizes",
        q_time(kShort).us(), size));
}

void VertexTiming::check() const
{
    for (unsigned rank = 0; rank <= machine_->nodes(); ++rank) {
        if (!machine_->processor(rank).finished()) {
            throw ModelError(fmt::format("vertex-timing: the program of node {} did not finish", rank));
        }
        if (vertices_[rank]->unread() != 0 || vertices_[rank]->buffers().used() != 0) {
            throw ModelError(fmt::format("vertex-timing: node {} holds {} messages and {} bytes of buffers at the end",
                                         rank, vertices_[rank]->unread(), vertices_[rank]->buffers().used()));
        }
    }
    for (const Stream& stream : streams_) {
        if (stream.sent != stream.delivered) {
            throw ModelError(fmt::format("vertex-timing: {} of {} messages of node {} came", stream.delivered,
                                         stream.sent, stream.sender));
        }
    }
}

}  // namespace ringmesh::workloads::vertex
