// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <utility>

#include "analytic/scc.h"
#include "lab/sql/functions/broadcast_model.h"
#include "tests/workloads/fakes/fake_scc.h"
#include "workloads/broadcast/broadcast_program.h"
#include "workloads/libraries/rcce/rcce_library.h"

namespace ringmesh::workloads::broadcast {

inline std::ostream& operator<<(std::ostream& out, Algorithm algorithm) { return out << word(algorithm); }
inline std::ostream& operator<<(std::ostream& out, Method method) { return out << word(method); }
inline std::ostream& operator<<(std::ostream& out, FinalExchange final_exchange)
{
    return out << kFinalExchanges.name(final_exchange);
}

}  // namespace ringmesh::workloads::broadcast

namespace ringmesh::test {

/// Costs of a message on the fake cores.
inline analytic::SccMessageCosts costs_of(const FakeScc& machine, const workloads::rcce::LibraryOptions& library,
                                          Cycles call, workloads::rcce::Copying copying)
{
    const auto number = [](Cycles count) { return static_cast<double>(count.count()); };
    const double line = number(machine.costs.line);
    const double step = number(library.step);
    const double words = 2.0 * SccProcessor::kLine / copying.width * number(machine.costs.instruction);
    // Four flags are written, each by two stores after CL1INVMB, and two are looked at
    return {.call = number(call),
            .put_line = words + line,
            .get_line = words + line,
            .line_hop = number(machine.costs.hop),
            .handshake = 4 * (step + 3 + line) + 2 * (step + 1 + line),
            .handshake_hop = 2 * number(machine.costs.hop),
            .payload = 8032};
}

/// Calls are cheap here: DOPL makes most of them at the start of a round, while the schedule's model counts some with
/// each message.
inline constexpr Cycles kCheapCall{50};

/// A broadcast over iRCCE.
struct BroadcastCase : workloads::broadcast::Options {
    std::int64_t cores = 48;
    workloads::rcce::LibraryOptions library;
};

struct BroadcastBench {
    Simulation simulation{1};
    FakeScc machine;
    workloads::broadcast::BroadcastProgram workload;

    explicit BroadcastBench(const BroadcastCase& what, unsigned nodes = 48)
        : machine(simulation, nodes),
          workload(std::make_unique<workloads::rcce::RcceLibrary>(workloads::rcce::RcceLibrary::Requests::kIrcce,
                                                                  what.library),
                   what, std::to_string(what.cores))
    {}
    workloads::Results run() { return test::run_workload(workload, machine); }
    lab::BroadcastCosts costs(workloads::broadcast::Algorithm algorithm)
    {
        const workloads::rcce::LibraryOptions library;
        const auto costs = algorithm == workloads::broadcast::Algorithm::kDopl
                               ? costs_of(machine, library, kCheapCall, library.ircce_copying())
                               : costs_of(machine, library, library.call, library.copying());
        return lab::broadcast_costs(costs, [this](unsigned from, unsigned to) { return machine.hops(from, to); });
    }
};

}  // namespace ringmesh::test
