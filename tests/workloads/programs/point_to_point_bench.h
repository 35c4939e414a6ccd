// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "tests/workloads/fakes/fake_machine.h"
#include "workloads/programs/point_to_point.h"

namespace ringmesh::test {

/// A ping-pong or a stream over a library, on a machine of constant costs.
template <workloads::Exchange kExchange, class SomeLibrary>
struct PointToPointBench {
    Simulation simulation{1};
    FakeMachine machine;
    workloads::PointToPoint workload;

    PointToPointBench(workloads::PointToPointOptions options, SomeLibrary library, FakeCosts costs, unsigned nodes)
        : machine(simulation, nodes, std::move(costs)),
          workload(kExchange, std::make_unique<SomeLibrary>(std::move(library)), std::move(options))
    {}
    workloads::Results run() { return test::run_workload(workload, machine); }
};

}  // namespace ringmesh::test
