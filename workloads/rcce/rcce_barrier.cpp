// SPDX-License-Identifier: Apache-2.0
#include "workloads/rcce/rcce_barrier.h"

#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"
#include "workloads/rcce/program_cores.h"
#include "workloads/sizes.h"

namespace ringmesh::workloads::rcce {

void BarrierOptions::visit(ParameterVisitor& visitor)
{
    visitor.text({"members", "numbers of cores that meet, as '2,12,48' or '2..48 step 2'; auto: powers of two, and all",
                  assumed()},
                 members);
    visitor.field({"repetitions", "timed barriers of each number", assumed()}, repetitions, {1, 1'000'000});
    visit_cores(visitor, cores);
    library.visit(visitor);
}

std::vector<std::uint32_t> RcceBarrier::sizes(unsigned cores) const
{
    if (options_.members != "auto") {
        return parse_sizes(options_.members, {.name = "members",
                                              .owner = "a barrier of this program",
                                              .unit = "cores",
                                              .examples = "'2,12,48' or '2..48 step 2'",
                                              .step = 2,
                                              .smallest = 1,
                                              .largest = cores});
    }
    std::vector<std::uint32_t> all;
    for (unsigned size = 2; size < cores; size *= 2) all.push_back(size);
    all.push_back(cores);
    return all;
}

void RcceBarrier::start_on(SccMachine& machine)
{
    machine_ = &machine;
    rcce_ = make_rcce(machine, program_cores(machine, options_.cores), options_.library);
    const auto cores = static_cast<unsigned>(rcce_.size());
    for (const std::uint32_t size : sizes(cores)) {
        groups_.push_back({size, std::vector<Round>(static_cast<std::size_t>(options_.repetitions + 1))});
    }
    for (unsigned core = 0; core < cores; ++core) {
        std::vector<Communicator> communicators;
        for (const Group& group : groups_) communicators.push_back(rcce_[core]->comm_split(group.size));
        machine.processor(core).run(program(core, std::move(communicators)), "rcce-barrier");
    }
}

Task<> RcceBarrier::program(unsigned core, std::vector<Communicator> communicators)
{
    Rcce& rcce = *rcce_[core];
    const SccProcessor& processor = rcce.processor();
    co_await rcce.init();
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        co_await rcce.barrier(rcce.world());
        if (core >= groups_[i].size) continue;
        Duration before = processor.time();
        for (Round& round : groups_[i].rounds) {
            round.last_came = std::max(round.last_came, processor.time());
            co_await rcce.barrier(communicators[i]);
            const Duration left = processor.time();
            round.first_left = std::min(round.first_left, left);
            if (core == 0) round.took = left - before;
            before = left;
        }
        if (core != 0) continue;
        machine_->simulation().report_progress(static_cast<double>(i + 1) / static_cast<double>(groups_.size()));
    }
    co_await rcce.finalize();
}

void RcceBarrier::check() const
{
    require_finished(*machine_, rcce_.size(), "rcce-barrier");
    for (const Group& group : groups_) {
        for (const Round& round : group.rounds) {
            if (group.size == 1 || round.last_came < round.first_left) continue;
            throw ModelError(
                fmt::format("rcce-barrier: of {} cores one left at {:.3f} us, before another came at {:.3f} us",
                            group.size, round.first_left.us(), round.last_came.us()));
        }
    }
}

Results RcceBarrier::results() const
{
    Results results;
    results.columns = {{"members", ""},  {"min_cycles", ""}, {"avg_cycles", ""},
                       {"min_ns", "ns"}, {"avg_ns", "ns"},   {"declared_avg_us", "us"}};
    const double cycle = cycle_ns(machine_->processor(0));
    const double declared_us = 1e6 / static_cast<double>(options_.library.declared_clock.hz());
    for (const Group& group : groups_) {
        Duration least = Duration::never();
        Duration total;
        for (auto round = group.rounds.begin() + 1; round != group.rounds.end(); ++round) {
            least = std::min(least, round->took);
            total += round->took;
        }
        const double mean = total.ns() / static_cast<double>(options_.repetitions);
        results.rows.push_back(
            {std::int64_t{group.size}, least.ns() / cycle, mean / cycle, least.ns(), mean, mean / cycle * declared_us});
    }
    results.notes.emplace_back(
        "from core 0's return from one barrier to that from the next, in which all cores are at once");
    results.notes.push_back(fmt::format("declared: what the library's wtime would say, core cycles by {} MHz",
                                        options_.library.declared_clock.hz() / 1'000'000));
    return results;
}

}  // namespace ringmesh::workloads::rcce
