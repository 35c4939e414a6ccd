// SPDX-License-Identifier: Apache-2.0
#include "lab/sql/functions/broadcast_model.h"

#include <utility>

#include "workloads/broadcast/dopl_schedule.h"
#include "workloads/broadcast/parts.h"

namespace ringmesh::lab {
namespace {

using analytic::MessageStep;
using analytic::MessageStepKind;
using workloads::broadcast::Algorithm;
using workloads::broadcast::CubeSchedule;
using workloads::broadcast::cut;
using workloads::broadcast::Cut;
using workloads::broadcast::DoplGrid;
using workloads::broadcast::DoplRound;
using workloads::broadcast::DoplSchedule;
using workloads::broadcast::pieces;
using workloads::broadcast::whole;

constexpr MessageStep kDrain{MessageStepKind::kDrain, 0, 0, 0};

/// The steps of one core, as they are called.
class Program {
public:
    Program(unsigned core, const BroadcastCosts& costs) : core_(core), costs_(costs) {}

    void put(unsigned to, std::int64_t message, std::int64_t bytes)
    {
        steps_.push_back({MessageStepKind::kPut, to, message, costs_.put(bytes)});
    }
    void get(unsigned from, std::int64_t message, std::int64_t bytes)
    {
        steps_.push_back({MessageStepKind::kGet, from, message, costs_.get(from, core_, bytes)});
    }
    void drain() { steps_.push_back(kDrain); }
    void send(unsigned to, std::int64_t message, std::int64_t bytes)
    {
        put(to, message, bytes);
        drain();
    }
    std::vector<MessageStep> take() { return std::move(steps_); }

private:
    unsigned core_;
    const BroadcastCosts& costs_;
    std::vector<MessageStep> steps_;
};

void add_rcce(Program& program, const BroadcastCase& what, unsigned core)
{
    if (core != 0) {
        program.get(0, 0, what.size);
        return;
    }
    for (unsigned other = 1; other < what.cores; ++other) program.send(other, 0, what.size);
}

void add_cube(Program& program, const BroadcastCase& what, unsigned core)
{
    const Cut parts = cut(what.size, what.part);
    const CubeSchedule schedule(what.cores, core, parts.count, what.final_exchange);
    for (std::int64_t step = 0; step < schedule.steps(); ++step) {
        for (const auto& call : schedule.at(step)) {
            const std::int64_t bytes = parts.size(call.part);
            if (call.sends) {
                program.send(call.peer, call.part, bytes);
            } else {
                program.get(call.peer, call.part, bytes);
            }
        }
    }
}

void add_dopl(Program& program, const BroadcastCase& what, unsigned core)
{
    const Cut parts = cut(what.size, what.part);
    const std::int64_t numbers = cut(what.part, what.pipe).count;  // of the pieces of a part
    const DoplSchedule schedule(DoplGrid::of_tiles(what.cores), core, parts.count);
    const auto pieces_of = [&](std::int64_t part, bool in_one) {
        const std::int64_t size = parts.size(part);
        return in_one ? whole(size) : pieces(size, what.part, what.pipe, what.equal_pieces);
    };
    for (std::int64_t i = 0; i < schedule.rounds(); ++i) {
        const DoplRound round = schedule.at(i);
        const Cut in = round.received < 0 ? Cut{} : pieces_of(round.received, round.receives_whole);
        const Cut out = round.sent < 0 ? Cut{} : pieces_of(round.sent, round.sends_whole);
        const auto get = [&](std::int64_t k) { program.get(round.previous, round.received * numbers + k, in.size(k)); };
        const bool passes_on = round.sent == round.received;
        for (std::int64_t k = 0; k < out.count; ++k) {
            if (passes_on) get(k);
            program.put(round.next, round.sent * numbers + k, out.size(k));
        }
        for (std::int64_t k = 0; k < in.count && !passes_on; ++k) get(k);
        program.drain();
    }
}

std::vector<MessageStep> broadcast_steps(const BroadcastCase& what, unsigned core, const BroadcastCosts& costs)
{
    Program program(core, costs);
    switch (what.algorithm) {
        case Algorithm::kOwn:
        case Algorithm::kLinear: add_rcce(program, what, core); break;
        case Algorithm::kCube: add_cube(program, what, core); break;
        case Algorithm::kDopl: add_dopl(program, what, core); break;
        case Algorithm::kBinomial:
        case Algorithm::kScatterAllgather:
        case Algorithm::kTree: break;
    }
    return program.take();
}

}  // namespace

BroadcastCosts broadcast_costs(const analytic::SccMessageCosts& costs, std::function<unsigned(unsigned, unsigned)> hops)
{
    return {.put = [costs](std::int64_t bytes) { return analytic::scc_preparation(costs, bytes); },
            .get =
                [costs, hops = std::move(hops)](unsigned from, unsigned to, std::int64_t bytes) {
                    return analytic::scc_message(costs, bytes, hops(from, to)) -
                           analytic::scc_preparation(costs, bytes);
                }};
}

std::vector<std::vector<MessageStep>> broadcast_programs(const BroadcastCase& what, const BroadcastCosts& costs)
{
    std::vector<std::vector<MessageStep>> steps;
    for (unsigned core = 0; core < what.cores; ++core) steps.push_back(broadcast_steps(what, core, costs));
    return steps;
}

std::vector<double> broadcast_returns(const BroadcastCase& what, const BroadcastCosts& costs)
{
    return analytic::program_ends({.steps = broadcast_programs(what, costs)});
}

}  // namespace ringmesh::lab
