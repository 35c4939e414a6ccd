// SPDX-License-Identifier: Apache-2.0
#include "workloads/programs/rank_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "tlm/error.h"
#include "workloads/ranks/called_rank.h"

namespace ringmesh::workloads {

RankProgram::RankProgram(std::string_view name, std::unique_ptr<Library> library, std::string ranks)
    : name_(name), library_(std::move(library)), ranks_option_(std::move(ranks))
{}

void RankProgram::visit(ParameterVisitor& visitor)
{
    visit_options(visitor);
    visitor.numbers({"ranks", "number of ranks, from rank 0 on, or all", assumed()}, ranks_option_);
    visitor.text({"map", Mapping::kMeaning, assumed()}, mapping_.map);
}

std::vector<std::string> RankProgram::files() const
{
    std::vector<std::string> all = own_files();
    for (std::string& file : mapping_.files()) all.push_back(std::move(file));
    return all;
}

std::vector<std::string> RankProgram::notes() const
{
    if (mapping_.map == Mapping().map) return {};
    return {fmt::format("map = {}: ranks 0, 1, ... on nodes {}", mapping_.map, fmt::join(placement_.nodes(), " "))};
}

void RankProgram::start(Machine& machine)
{
    machine_ = &machine;
    auto& with_processors = machine_as<ProcessorMachine>(machine, name_);
    placement_ = mapping_.placement(with_processors, choose_rank_count(ranks_option_, with_processors.processors()));
    ranks_option_ = fmt::to_string(placement_.ranks());  // so that a comparison of machines sees it
    for (unsigned rank = 0; rank < placement_.ranks(); ++rank) {
        with_processors.processor(placement_.node(rank)).place(placement_, rank);
    }
    for (auto& rank : library_->make_ranks(machine, placement_)) {
        const auto number = static_cast<unsigned>(ranks_.size());
        ranks_.push_back(
            std::make_unique<CalledRank>(number, std::move(rank), machine.simulation(), recorder_.listener()));
    }
    prepare();
    connect(ranks_);
    for (unsigned number = 0; number < ranks(); ++number) {
        if (!runs(number)) continue;
        Started started = program(number);
        if (started.name.empty()) continue;
        started_.push_back(number);
        ranks_[number]->processor().run(std::move(started.task), started.name);
    }
}

unsigned RankProgram::choose_rank_count(const std::string& asked, unsigned nodes) { return parse_ranks(asked, nodes); }

void RankProgram::require_offers(std::string_view option, const std::vector<Offer>& needed) const
{
    const auto has_all = [&needed](const Library& library) {
        return std::all_of(needed.begin(), needed.end(), [&library](Offer offer) { return library.has(offer); });
    };
    if (has_all(*library_)) return;
    std::vector<std::string_view> missing;
    for (const Offer offer : needed) {
        if (!library_->has(offer)) missing.push_back(kOfferNames.name(offer));
    }
    std::vector<std::string_view> here;
    std::vector<std::string_view> elsewhere;
    for (const LibraryInfo& info : libraries()) {
        if (!has_all(*info.make())) continue;
        const bool runs = sorts_.empty() || std::find(sorts_.begin(), sorts_.end(), info.runs_on) != sorts_.end();
        (runs ? here : elsewhere).push_back(info.name);
    }
    throw UserError(fmt::format("{}: {}: it needs {}, which this library lacks; leave it out, or take {}--library {}",
                                name_, option, fmt::join(missing, ", "),
                                here.empty() ? "another machine (ringmesh list workloads) and " : "",
                                fmt::join(here.empty() ? elsewhere : here, ", ")));
}

void RankProgram::require_two() const { workloads::require_two(name_, ranks(), machine_->nodes()); }

RankPair RankProgram::choose_pair(std::int64_t from, std::int64_t to) const
{
    return choose_ranks(name_, from, to, ranks(), machine_->nodes());
}

bool RankProgram::finished() const
{
    return std::all_of(started_.begin(), started_.end(),
                       [this](unsigned number) { return ranks_[number]->processor().finished(); });
}

RankProgram::Problem RankProgram::problem() const
{
    for (const unsigned number : started_) {
        const Rank& one = *ranks_[number];
        if (one.processor().finished()) continue;
        return {number,
                fmt::format("the program of rank {} did not get past {}{}", number, doing(number), one.problem())};
    }
    for (const unsigned number : started_) {
        if (std::string wrong = problem_of(number); !wrong.empty()) return {ranks() + number, std::move(wrong)};
    }
    return {UINT64_MAX, {}};
}

void RankProgram::check() const
{
    const Problem wrong = ended_ ? ended_->problem : problem();
    if (!wrong.second.empty()) throw ModelError(wrong.second);
}

std::string RankProgram::undivided() const
{
    return recorder_.records() ? "--record goal needs the calls of all ranks in their order" : ranks_share();
}

bool RankProgram::runs(unsigned number) const
{
    return machine_as<ProcessorMachine>(*machine_).runs(placement_.node(number));
}

void RankProgram::add_up(Totals& totals)
{
    if (!ended_) {
        ended_ = Ended{problem(), {}};
        for (const auto& one : ranks_) ended_->statistics.push_back(one->statistics());
    }
    totals.first(ended_->problem);
    for (MessagingStatistics& one : ended_->statistics) workloads::add_up(totals, one);
    add_up_ranks(totals);
}

MessagingStatistics RankProgram::statistics() const
{
    MessagingStatistics sum;
    for (unsigned number = 0; number < ranks(); ++number) sum += statistics(number);
    return sum;
}

unsigned parse_ranks(const std::string& text, unsigned nodes)
{
    if (text == "all") return nodes;
    unsigned count = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, count);
    if (read.ec != std::errc() || read.ptr != end) {
        throw UserError(fmt::format("ranks = {}: not a number of ranks; write 1 to {}, or all", text, nodes));
    }
    if (count == 0 || count > nodes) {
        throw UserError(fmt::format("ranks = {}: this machine has {}; write 1 to {}", text, nodes, nodes));
    }
    return count;
}

}  // namespace ringmesh::workloads
