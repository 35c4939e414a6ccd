// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/foreign/program/table.h"

namespace ringmesh::workloads::foreign {

int rcce_init(RCCE_COMM* world);

/// The calls of RCCE and iRCCE, by their names in C.
namespace rcce_calls {
#define CALL(result, name, parameters, arguments) result name parameters;
#include "workloads/foreign/program/rcce_calls.inc"
#undef CALL
}  // namespace rcce_calls

}  // namespace ringmesh::workloads::foreign
