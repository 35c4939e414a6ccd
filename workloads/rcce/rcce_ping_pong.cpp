// SPDX-License-Identifier: Apache-2.0
#include "workloads/rcce/rcce_ping_pong.h"

#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"
#include "workloads/messaging/message_bytes.h"
#include "workloads/rcce/program_cores.h"
#include "workloads/sizes.h"

namespace ringmesh::workloads::rcce {

void PingPongOptions::visit(ParameterVisitor& visitor)
{
    visitor.field({"from", "the core that begins and measures", seed("004 3.2")}, from, {0, kMostCores});
    visitor.text({"partners", "cores with which it exchanges messages, as '1,2,47' or '1..47 step 1'", seed("004 3.2")},
                 partners);
    visitor.text({"sizes", "bytes of the messages, as '32,256..8192 step 256'", seed("004 3.2")}, sizes);
    visitor.field({"repetitions", "timed exchanges of each pair and size", assumed()}, repetitions, {1, 1'000'000});
    visitor.field(
        {"pause",
         "core cycles that the first core computes before an exchange, outside the time, at most: each draws its "
         "own, so that looks at flags fall on all moments",
         assumed()},
        pause, {Cycles(0), Cycles(1'000'000)});
    visit_cores(visitor, cores);
    library.visit(visitor);
}

void RccePingPong::start_on(SccMachine& machine)
{
    machine_ = &machine;
    rcce_ = make_rcce(machine, program_cores(machine, options_.cores), options_.library);
    const auto with = partners();
    const auto sizes = parse_sizes(options_.sizes);
    for (const std::uint32_t size : sizes) {
        for (const unsigned partner : with) pairs_.push_back({.partner = partner, .size = size});
    }
    const std::uint32_t largest = *std::max_element(sizes.begin(), sizes.end());
    buffers_.resize(rcce_.size());
    const auto from = static_cast<unsigned>(options_.from);
    buffers_[from] = machine.processor(from).allocate(largest);
    for (const unsigned partner : with) {
        if (buffers_[partner] == 0) buffers_[partner] = machine.processor(partner).allocate(largest);
    }
    for (unsigned core = 0; core < rcce_.size(); ++core) machine.processor(core).run(program(core), "rcce-ping-pong");
}

std::vector<unsigned> RccePingPong::partners() const
{
    const auto require = [this](std::string_view name, std::uint32_t core) {
        if (core < rcce_.size()) return;
        throw UserError(fmt::format("rcce-ping-pong: {}: there is no core {}; cores 0 to {} run the program", name,
                                    core, rcce_.size() - 1));
    };
    require("from", static_cast<std::uint32_t>(options_.from));
    const auto all = parse_sizes(options_.partners, {.name = "partners",
                                                     .owner = "a list of partners",
                                                     .unit = "cores",
                                                     .examples = "'1,2,47' or '1..47 step 1'",
                                                     .step = 1,
                                                     .smallest = 0,
                                                     .largest = kMostCores});
    for (const std::uint32_t partner : all) {
        require("partners", partner);
        if (partner != static_cast<std::uint32_t>(options_.from)) continue;
        throw UserError(
            fmt::format("rcce-ping-pong: partners: core {} is the one that begins; write other ones", partner));
    }
    return {all.begin(), all.end()};
}

Task<> RccePingPong::program(unsigned core)
{
    Rcce& rcce = *rcce_[core];
    co_await rcce.init();
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
        co_await rcce.barrier(rcce.world());
        if (core == static_cast<unsigned>(options_.from)) {
            co_await measure(pair);
        } else if (core == pairs_[pair].partner) {
            co_await answer(pair);
        }
    }
    co_await rcce.finalize();
}

Task<> RccePingPong::measure(std::size_t pair)
{
    Pair& measured = pairs_[pair];
    Rcce& rcce = *rcce_[static_cast<unsigned>(options_.from)];
    SccProcessor& core = rcce.processor();
    const std::uint64_t buffer = buffers_[rcce.ue()];
    Random random = machine_->simulation().random_for(fmt::format("rcce-ping-pong {}", pair));
    for (std::int64_t exchange = 0; exchange <= options_.repetitions; ++exchange) {
        const Message ping = message(pair, exchange, false);
        poke_message(core, buffer, ping);
        const auto pause = random.below(static_cast<std::uint64_t>(options_.pause.count()) + 1);
        co_await core.compute(core.cycles(Cycles(static_cast<std::int64_t>(pause))));
        const Duration begin = core.time();
        const double declared_begin = rcce.wtime();
        co_await rcce.send(buffer, measured.size, measured.partner);
        co_await rcce.recv(buffer, measured.size, measured.partner);
        const Message pong = message(pair, exchange, true);
        require_bytes(core, buffer, pong, measured.partner);
        if (exchange == 0) continue;
        const Duration took = core.time() - begin;
        ++measured.count;
        measured.total += took;
        measured.least = std::min(measured.least, took);
        measured.declared_seconds += rcce.wtime() - declared_begin;
    }
    machine_->simulation().report_progress(static_cast<double>(pair + 1) / static_cast<double>(pairs_.size()));
}

Task<> RccePingPong::answer(std::size_t pair)
{
    const Pair& measured = pairs_[pair];
    const auto from = static_cast<unsigned>(options_.from);
    Rcce& rcce = *rcce_[measured.partner];
    SccProcessor& core = rcce.processor();
    const std::uint64_t buffer = buffers_[measured.partner];
    for (std::int64_t exchange = 0; exchange <= options_.repetitions; ++exchange) {
        co_await rcce.recv(buffer, measured.size, from);
        const Message ping = message(pair, exchange, false);
        require_bytes(core, buffer, ping, from);
        const Message pong = message(pair, exchange, true);
        poke_message(core, buffer, pong);
        co_await rcce.send(buffer, measured.size, from);
    }
}

Message RccePingPong::message(std::size_t pair, std::int64_t exchange, bool back) const
{
    const auto number = static_cast<std::uint64_t>(pair) * static_cast<std::uint64_t>(options_.repetitions + 1) +
                        static_cast<std::uint64_t>(exchange);
    return {.size = pairs_[pair].size, .sequence = 2 * number + (back ? 1 : 0)};
}

void RccePingPong::check() const
{
    require_finished(*machine_, rcce_.size(), "rcce-ping-pong");
    for (const Pair& pair : pairs_) {
        if (pair.count == options_.repetitions) continue;
        throw ModelError(fmt::format("rcce-ping-pong: {} of {} exchanges of {} bytes with core {}", pair.count,
                                     options_.repetitions, pair.size, pair.partner));
    }
}

Results RccePingPong::results() const
{
    Results results;
    results.columns = {{"partner", ""},
                       {"hops", ""},
                       {"size_bytes", "bytes"},
                       {"handshakes", ""},
                       {"round_trip_min_cycles", ""},
                       {"round_trip_avg_cycles", ""},
                       {"round_trip_min_ns", "ns"},
                       {"round_trip_avg_ns", "ns"},
                       {"declared_avg_us", "us"}};
    const auto from = static_cast<unsigned>(options_.from);
    const std::uint32_t payload = rcce_[from]->layout().payload();
    const double cycle = cycle_ns(machine_->processor(from));
    for (const Pair& pair : pairs_) {
        const auto count = static_cast<double>(pair.count);
        const double mean = pair.total.ns() / count;
        results.rows.push_back({std::int64_t{pair.partner}, std::int64_t{machine_->hops(from, pair.partner)},
                                std::int64_t{pair.size}, std::int64_t{handshakes(pair.size, payload)},
                                pair.least.ns() / cycle, mean / cycle, pair.least.ns(), mean,
                                pair.declared_seconds / count * 1e6});
    }
    results.notes.push_back(
        fmt::format("round trip of core {}: send and recv; the first exchange is outside the time, every byte was "
                    "checked; hops: links one way",
                    from));
    results.notes.push_back(
        fmt::format("declared: what the library's wtime says, core cycles by {} MHz; handshakes: of each message, with "
                    "{} bytes of payload",
                    options_.library.declared_clock.hz() / 1'000'000, payload));
    return results;
}

}  // namespace ringmesh::workloads::rcce
