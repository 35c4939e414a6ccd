// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/workload.h"

namespace ringmesh::test {

/// What a workload finds on a machine, checked.
inline workloads::Results run_workload(workloads::Workload& workload, Machine& machine)
{
    workload.start(machine);
    machine.simulation().run();
    workload.check();
    return workload.results();
}

}  // namespace ringmesh::test
