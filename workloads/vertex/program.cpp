// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertex/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "tlm/error.h"
#include "workloads/sizes.h"
#include "workloads/vertex/pattern.h"

namespace ringmesh::workloads::vertex {
namespace {

constexpr NameTable<Program, 6> kPrograms{{{{"message", Program::kMessage},
                                            {"chain", Program::kChain},
                                            {"exchange", Program::kExchange},
                                            {"stream", Program::kStream},
                                            {"broadcast", Program::kBroadcast},
                                            {"all-to-all", Program::kAllToAll}}}};

/// A round begins at a multiple of this; a longer round is an error.
constexpr Duration kRoundTime = 10_s;
/// After this time without a read there is a deadlock: background computations end, and the run reports what waits for
/// what.
constexpr Duration kDeadlockTime = 3_s;

}  // namespace

void ProgramOptions::visit(ParameterVisitor& visitor)
{
    visitor.choice({"program", "which program", assumed()}, program, kPrograms);
    visitor.text({"sizes", "bytes of the messages, as '16,500' or '1..4096 x2'", seed("001 App. A")}, sizes);
    visitor.field({"length", "hops of a message or chain, exchanges, or messages of a stream", assumed()}, length,
                  {1, 100'000});
    visitor.field({"compute", "nodes without a part in it compute", assumed()}, compute);
}

void VertexProgram::start_on(NcubeMachine& machine)
{
    machine_ = &machine;
    if (machine.dimension() == 0) {
        throw UserError(
            "vertex-program: a single node has no other node to write to; set topology.dimension to 1 or more");
    }
    const bool hops = options_.program == Program::kMessage;
    if (hops && options_.length > machine.dimension()) {
        throw UserError(
            fmt::format("vertex-program: length = {}: no node of this cube is farther than {} hops; write "
                        "that or less",
                        options_.length, machine.dimension()));
    }
    sizes_ = parse_sizes(options_.sizes);
    rounds_.resize(sizes_.size());
    const std::uint32_t largest = *std::max_element(sizes_.begin(), sizes_.end());
    if (options_.program == Program::kAllToAll) {
        seen_.resize(sizes_.size() * machine.nodes() * machine.nodes());
    }
    for (unsigned rank = 0; rank < machine.nodes(); ++rank) {
        vertices_.push_back(std::make_unique<Vertex>(machine, rank));
        Vertex& vertex = *vertices_.back();
        from_.push_back(vertex.allocate(largest));
        to_.push_back(vertex.allocate(largest));
        fill_pattern(vertex.cpu(), from_.back(), largest);
    }
    for (unsigned rank = 0; rank < machine.nodes(); ++rank) machine.processor(rank).run(node(rank), "vertex-program");
}

/// Neighbours along a Gray code, wrapping around the cube.
unsigned VertexProgram::on_chain(unsigned step) const
{
    const unsigned place = step % machine_->nodes();
    return place ^ (place >> 1U);
}

std::uint64_t VertexProgram::messages() const
{
    const std::uint64_t nodes = machine_->nodes();
    switch (options_.program) {
        case Program::kMessage: return 1;
        case Program::kChain:
        case Program::kStream: return static_cast<std::uint64_t>(options_.length);
        case Program::kExchange: return 2 * static_cast<std::uint64_t>(options_.length);
        case Program::kBroadcast: return nodes - 1;
        case Program::kAllToAll: return nodes * (nodes - 1);
    }
    return 0;
}

Task<> VertexProgram::node(unsigned rank)
{
    NcubeProcessor& cpu = machine_->processor(rank);
    for (std::size_t number = 0; number < sizes_.size(); ++number) {
        const Duration begin = kRoundTime * static_cast<std::int64_t>(number);
        if (cpu.time() > begin) {
            throw UserError(
                fmt::format("vertex-program: a round of {} bytes takes longer than {:.0f} s; write fewer "
                            "sizes, or a smaller length",
                            sizes_[number - 1], kRoundTime.seconds()));
        }
        while (cpu.time() < begin) co_await cpu.compute(begin - cpu.time());
        rounds_[number].began = std::min(rounds_[number].began, cpu.time());
        co_await round(rank, number);
    }
}

Task<> VertexProgram::round(unsigned rank, std::size_t number)
{
    const auto length = static_cast<unsigned>(options_.length);
    switch (options_.program) {
        case Program::kMessage: {
            const unsigned peer = (1U << length) - 1;
            if (rank == 0) co_await write(0, peer, number);
            if (rank == peer) co_await read(rank, 0, number);
            break;
        }
        case Program::kChain: co_await chain(rank, number); break;
        case Program::kExchange: co_await exchange(rank, number); break;
        case Program::kStream:
            for (unsigned i = 0; i < length && rank == 0; ++i) co_await write(0, 1, number);
            for (unsigned i = 0; i < length && rank == 1; ++i) co_await read(1, 0, number);
            break;
        case Program::kBroadcast: co_await broadcast(rank, number); break;
        case Program::kAllToAll: co_await all_to_all(rank, number); break;
    }
    if (!options_.compute) co_return;
    NcubeProcessor& cpu = machine_->processor(rank);
    const Round& all = rounds_[number];
    while (all.read < messages() && cpu.time() < std::max(all.began, all.ended) + kDeadlockTime) {
        co_await cpu.compute(100_us);
    }
}

Task<> VertexProgram::chain(unsigned rank, std::size_t number)
{
    const auto length = static_cast<unsigned>(options_.length);
    for (unsigned step = 0; step <= length; ++step) {
        if (on_chain(step) != rank) continue;
        if (step > 0) co_await read(rank, static_cast<int>(on_chain(step - 1)), number);
        if (step < length) co_await write(rank, on_chain(step + 1), number);
    }
}

Task<> VertexProgram::exchange(unsigned rank, std::size_t number)
{
    if (rank > 1) co_return;
    for (std::int64_t i = 0; i < options_.length; ++i) {
        co_await write(rank, 1 - rank, number);
        co_await read(rank, static_cast<int>(1 - rank), number);
    }
}

Task<> VertexProgram::broadcast(unsigned rank, std::size_t number)
{
    unsigned below = machine_->dimension();
    if (rank != 0) {
        below = static_cast<unsigned>(std::countr_zero(rank));
        co_await read(rank, static_cast<int>(rank & (rank - 1)), number);
    }
    for (unsigned dimension = below; dimension-- > 0;) co_await write(rank, rank | (1U << dimension), number);
}

/// To the others in the order of the dimensions in which they differ, so that no node is the first target of all.
Task<> VertexProgram::all_to_all(unsigned rank, std::size_t number)
{
    for (unsigned other = 1; other < machine_->nodes(); ++other) {
        co_await write(rank, rank ^ other, number);
        co_await read(rank, kAny, number);
    }
}

Task<> VertexProgram::write(unsigned rank, unsigned to, std::size_t number)
{
    co_await vertices_[rank]->nwrite(from_[rank], sizes_[number], to, static_cast<int>(number));
}

/// @throws ModelError if a byte is wrong or the message is a duplicate
Task<> VertexProgram::read(unsigned rank, int from, std::size_t number)
{
    Vertex& vertex = *vertices_[rank];
    const Received got = co_await vertex.nread(to_[rank], sizes_[number], from, static_cast<int>(number));
    const auto source = static_cast<unsigned>(got.source);
    const auto wrong = wrong_byte(vertex.cpu(), to_[rank], sizes_[number], got.source);
    if (wrong || got.size != sizes_[number]) {
        throw ModelError(
            fmt::format("vertex-program: byte {} of a message of {} bytes from node {} is wrong at node {}",
                        wrong.value_or(got.size), got.size, source, rank));
    }
    if (options_.program == Program::kAllToAll) {
        const std::size_t nodes = machine_->nodes();
        auto seen = seen_[(number * nodes + rank) * nodes + source];
        if (seen) {
            throw ModelError(fmt::format("vertex-program: node {} read two messages of node {}", rank, source));
        }
        seen = true;
    }
    Round& round = rounds_[number];
    ++round.read;
    round.ended = std::max(round.ended, vertex.cpu().time());
}

void VertexProgram::check() const
{
    for (std::size_t i = 0; i < rounds_.size(); ++i) {
        if (rounds_[i].read == messages()) continue;
        throw ModelError(fmt::format("vertex-program: {} of {} messages of {} bytes were read", rounds_[i].read,
                                     messages(), sizes_[i]));
    }
    for (const auto& vertex : vertices_) {
        if (vertex->unread() == 0 && vertex->buffers().used() == 0) continue;
        throw ModelError(fmt::format("vertex-program: node {} holds messages at the end", vertex->rank()));
    }
}

Results VertexProgram::results() const
{
    Results results;
    results.columns = {{"size_bytes", "bytes"},
                       {"messages", ""},
                       {"time_us", "us"},
                       {"us_per_message", "us"},
                       {"buffers_bytes", "bytes"}};
    std::uint64_t highest = 0;
    for (const auto& vertex : vertices_) highest = std::max(highest, vertex->buffers().highest());
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
        const double us = (rounds_[i].ended - rounds_[i].began).us();
        const std::uint64_t read = rounds_[i].read;
        results.rows.push_back({std::int64_t{sizes_[i]}, static_cast<std::int64_t>(read), us,
                                us / static_cast<double>(read), static_cast<std::int64_t>(highest)});
    }
    results.notes.push_back(
        fmt::format("{}: from the first call until the last read has returned", kPrograms.name(options_.program)));
    results.notes.emplace_back("buffers: the most that a node's system buffers held in the whole run");
    return results;
}

}  // namespace ringmesh::workloads::vertex
