// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/workloads/fakes/fake_scc.h"
#include "tests/workloads/libraries/rcce/scripts.h"

namespace ringmesh::test {

struct FakeSccRun {
    explicit FakeSccRun(unsigned cores) : machine(simulation, cores) {}
    Simulation simulation{1};
    FakeScc machine;
};

/// Scripts on a fake SCC.
class RcceBench : public FakeSccRun, public RcceScripts {
public:
    struct Shape {
        unsigned cores = 2;
        unsigned machine = 0;  ///< cores of the machine; 0: as many
        workloads::rcce::LibraryOptions options;
    };
    explicit RcceBench(const Shape& shape)
        : FakeSccRun(shape.machine == 0 ? shape.cores : shape.machine), RcceScripts(machine, shape.cores, shape.options)
    {}
    Duration cycles(std::int64_t count) const { return Cycles(count) * Clock(machine.costs.clock); }
};

}  // namespace ringmesh::test
