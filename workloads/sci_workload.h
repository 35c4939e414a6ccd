// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tlm/sci/sci_machine.h"
#include "workloads/workload.h"

namespace ringmesh::workloads {

using SciWorkload = WorkloadOn<SciMachine>;

}  // namespace ringmesh::workloads
