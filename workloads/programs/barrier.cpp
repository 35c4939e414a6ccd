// SPDX-License-Identifier: Apache-2.0
#include "workloads/programs/barrier.h"

#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"
#include "workloads/sizes.h"

namespace ringmesh::workloads {

void BarrierOptions::visit(ParameterVisitor& visitor)
{
    visitor.numbers(
        {"members", "numbers of ranks that meet, as '2,12,48' or '2..48 step 2'; auto: powers of two, and all",
         assumed()},
        members);
    visitor.field({"repetitions", "timed barriers of each number", assumed()}, repetitions, {1, 1'000'000});
}

std::vector<std::uint32_t> BarrierProgram::sizes() const
{
    if (options_.members != "auto") {
        return parse_sizes(options_.members, {.name = "members",
                                              .owner = "a barrier of this program",
                                              .unit = "ranks",
                                              .examples = "'2,12,48' or '2..48 step 2'",
                                              .step = 2,
                                              .smallest = 1,
                                              .largest = ranks()});
    }
    std::vector<std::uint32_t> all;
    for (unsigned size = 2; size < ranks(); size *= 2) all.push_back(size);
    all.push_back(ranks());
    return all;
}

void BarrierProgram::prepare()
{
    at_.resize(ranks());
    for (const std::uint32_t members : sizes()) {
        series_.push_back({members, std::vector<Round>(static_cast<std::size_t>(options_.repetitions + 1))});
    }
    for (unsigned number = 0; number < ranks(); ++number) {
        all_ = rank(number).create_group(ranks());
        for (const Series& series : series_) rank(number).create_group(series.members);
    }
}

Task<> BarrierProgram::run(unsigned number)
{
    Rank& me = rank(number);
    const Processor& processor = me.processor();
    co_await me.begin();
    for (std::size_t i = 0; i < series_.size(); ++i) {
        at_[number] = i;
        co_await me.barrier(all_);
        if (number >= series_[i].members) continue;
        const Group group = all_ + 1 + static_cast<Group>(i);
        Duration before = processor.time();
        for (Round& round : series_[i].rounds) {
            round.last_came = std::max(round.last_came, processor.time());
            co_await me.barrier(group);
            const Duration left = processor.time();
            round.first_left = std::min(round.first_left, left);
            if (number == 0) round.took = left - before;
            before = left;
        }
        if (number != 0) continue;
        machine().simulation().report_progress(static_cast<double>(i + 1) / static_cast<double>(series_.size()));
    }
    co_await me.end();
}

std::string BarrierProgram::doing(unsigned number) const
{
    return fmt::format("the barriers of {} ranks", series_[at_[number]].members);
}

void BarrierProgram::add_up_ranks(Totals& totals)
{
    for (Series& series : series_) {
        for (Round& round : series.rounds) {
            totals.highest(round.last_came);
            totals.lowest(round.first_left);
            totals.highest(round.took);
        }
    }
}

void BarrierProgram::check() const
{
    RankProgram::check();
    for (const Series& series : series_) {
        for (const Round& round : series.rounds) {
            if (series.members == 1 || round.last_came <= round.first_left) continue;
            throw ModelError(fmt::format("barrier: of {} ranks one left at {:.3f} us, before another came at {:.3f} us",
                                         series.members, round.first_left.us(), round.last_came.us()));
        }
    }
}

Results BarrierProgram::results() const
{
    Results results;
    results.columns = {{"members", ""}, {"min_cycles", ""}, {"avg_cycles", ""}, {"min_ns", "ns"}, {"avg_ns", "ns"}};
    const auto declared = used_library().declared_clock();
    if (declared) results.columns.push_back({"declared_avg_us", "us"});
    const double cycle = rank(0).processor().clock().period_ns();
    for (const Series& series : series_) {
        Duration least = Duration::never();
        Duration total;
        for (auto round = series.rounds.begin() + 1; round != series.rounds.end(); ++round) {
            least = std::min(least, round->took);
            total += round->took;
        }
        const double mean = total.ns() / static_cast<double>(options_.repetitions);
        auto& row = results.rows.emplace_back();
        row = {std::int64_t{series.members}, least.ns() / cycle, mean / cycle, least.ns(), mean};
        if (declared) row.emplace_back(1e6 / static_cast<double>(declared->hz()) * (mean / cycle));
    }
    results.notes.emplace_back(
        "from rank 0's return from one barrier to that from the next, in which all members are at once");
    results.notes.emplace_back(used_library().has(Offer::kBarrier)
                                   ? "the library's own barrier"
                                   : "the library has no barrier: a dissemination over messages of one byte");
    return results;
}

}  // namespace ringmesh::workloads
