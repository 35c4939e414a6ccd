// SPDX-License-Identifier: Apache-2.0
#include "workloads/messaging/messaging_benchmark.h"

#include <fmt/format.h>

#include <utility>

#include "tlm/error.h"
#include "workloads/messaging/message_bytes.h"
#include "workloads/sizes.h"

namespace ringmesh::workloads {
namespace {

constexpr std::uint32_t kInt = 4;

}  // namespace

void MessagingBenchmarkOptions::visit(ParameterVisitor& visitor)
{
    visit_series(visitor, from, to, sizes, repetitions, series);
}

MessagingBenchmark::MessagingBenchmark(std::string_view name, Exchange exchange, MessagingBenchmarkOptions options)
    : name_(name), exchange_(exchange), options_(std::move(options))
{}

void MessagingBenchmark::visit(ParameterVisitor& visitor)
{
    options_.visit(visitor);
    visit_library(visitor);
}

void MessagingBenchmark::start_on(SciMachine& machine)
{
    const auto ranks = choose_ranks(name_, options_.from, options_.to, machine.nodes());
    const auto repetitions = static_cast<std::uint32_t>(options_.repetitions);
    const bool streams = exchange_ == Exchange::kOneWay;
    schedule_ = Schedule(parse_sizes(options_.sizes, {.smallest = smallest()}),
                         {.series = static_cast<std::uint32_t>(options_.series),
                          .repetitions = repetitions,
                          .answer_every = streams ? repetitions : 1});
    require_carried(schedule_.sizes());
    simulation_ = &machine.simulation();
    const auto make = [this, &machine](unsigned rank) { return messenger(machine, rank); };
    const auto prepare = [this, ranks](unsigned rank, Messenger& library) {
        if (rank == ranks.from) prepare_side(from_, library);
        if (rank == ranks.to) prepare_side(to_, library);
    };
    from_ = {.rank = ranks.from, .peer = ranks.to, .processor = &machine.processor(ranks.from)};
    to_ = {.rank = ranks.to, .peer = ranks.from, .processor = &machine.processor(ranks.to)};
    messengers_ = connect(machine.nodes(), make, prepare);
    from_.processor->run(measure(), name_);
    to_.processor->run(answer(), name_ + " answer");
}

void MessagingBenchmark::prepare_side(Side& side, Messenger& library) const
{
    side.messenger = &library;
    side.source = receives_from_any() ? kAnyRank : side.peer;
    for (const auto size : schedule_.sizes()) side.buffers.push_back(library.create_buffer(size));
    if (exchange_ == Exchange::kOneWay) side.answer = library.create_buffer(kInt);
}

Task<> MessagingBenchmark::measure()
{
    const bool there_and_back = exchange_ == Exchange::kPingPong;
    const double messages = schedule_.repetitions() * (there_and_back ? 2.0 : 1.0);
    std::uint64_t next = 0;
    for (std::size_t size = 0; size < schedule_.sizes().size(); ++size) {
        measured_.push_back({schedule_.sizes()[size], {}});
        co_await exchange(size, next, 1);
        next += 1;
        for (std::uint32_t series = 0; series < schedule_.series(); ++series) {
            const Duration begin = from_.processor->time();
            co_await exchange(size, next, schedule_.repetitions());
            const Duration elapsed = from_.processor->time() - begin;
            next += schedule_.repetitions();
            measured_.back().latencies_ns.push_back(elapsed.ns() / messages);
            simulation_->report_progress(static_cast<double>(next) / static_cast<double>(schedule_.messages()));
        }
    }
}

Task<> MessagingBenchmark::exchange(std::size_t size, std::uint64_t first, std::uint64_t count)
{
    for (std::uint64_t number = first; number < first + count; ++number) {
        const Message message = outgoing(number);
        co_await send(from_, from_.buffers[size], message);
        if (!message.awaited) continue;
        const Message reply = reply_to(message);
        co_await receive(from_, reply_buffer(from_, size), reply);
    }
}

Task<> MessagingBenchmark::answer()
{
    const std::uint64_t per_size = schedule_.messages() / schedule_.sizes().size();
    for (std::uint64_t number = 0; number < schedule_.messages(); ++number) {
        const auto size = static_cast<std::size_t>(number / per_size);
        const Message message = outgoing(number);
        co_await receive(to_, to_.buffers[size], message);
        if (!message.awaited) continue;
        const Message reply = reply_to(message);
        co_await send(to_, reply_buffer(to_, size), reply);
    }
}

Task<> MessagingBenchmark::send(Side& side, BufferId buffer, Message message)
{
    side.current = message;
    poke_message(*side.processor, side.messenger->address(buffer), message);
    co_await side.messenger->send(side.peer, buffer, message.size);
}

Task<> MessagingBenchmark::receive(Side& side, BufferId buffer, Message message)
{
    side.current = message;
    const Received received = co_await side.messenger->receive(side.source, buffer);
    require_message(*side.processor, side.messenger->address(buffer), message, received, side.peer);
}

/// Both ways count together, so that no message looks like the one before it in the same buffer.
Message MessagingBenchmark::outgoing(std::uint64_t number) const
{
    Message message = schedule_.message(number);
    message.sequence = 2 * message.sequence;
    return message;
}

Message MessagingBenchmark::reply_to(const Message& message) const
{
    Message reply = message;
    reply.sequence += 1;
    if (exchange_ == Exchange::kOneWay) reply.size = kInt;
    return reply;
}

BufferId MessagingBenchmark::reply_buffer(const Side& side, std::size_t size) const
{
    return exchange_ == Exchange::kOneWay ? side.answer : side.buffers[size];
}

void MessagingBenchmark::check() const
{
    for (const Side* side : {&from_, &to_}) {
        if (side->processor->finished()) continue;
        throw ModelError(fmt::format("the program of rank {} did not get past repetition {} of {} bytes", side->rank,
                                     side->current.repetition, side->current.size));
    }
}

Results MessagingBenchmark::results() const
{
    Results results = latency_table(measured_);
    const bool there_and_back = exchange_ == Exchange::kPingPong;
    results.notes.push_back(fmt::format("latency: elapsed time / {}{} repetitions; min, max and avg of {} series{}",
                                        there_and_back ? "2 / " : "", schedule_.repetitions(), schedule_.series(),
                                        there_and_back ? "" : "; the last message of a series is answered by one int"));
    results.notes.push_back("throughput: size by least latency; MB are 10^6 bytes, MiB are 2^20");
    MessagingStatistics sum;
    for (const Side* side : {&from_, &to_}) {
        sum += side->messenger->statistics();
        results.notes.push_back(fmt::format("rank {}: {}", side->rank, describe(side->messenger->statistics())));
    }
    for (const auto& note : library_notes(sum)) results.notes.push_back(note);
    return results;
}

}  // namespace ringmesh::workloads
