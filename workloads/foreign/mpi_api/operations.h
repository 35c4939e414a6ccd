// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "workloads/foreign/mpi_api/datatypes.h"

namespace ringmesh::workloads::mpi_api {

/// The operation of a reduction.
struct Operation {
    MPI_User_function* function = nullptr;  ///< of a program; null: a predefined one
    bool commutes = true;
    MPI_Op predefined = MPI_OP_NULL;
    bool is_freed = false;
};

/// inout = in op inout, element by element. @throws Failure if the operation is not for this type
void require_defined(MPI_Op op, MPI_Datatype basic);
void apply_predefined(MPI_Op op, MPI_Datatype basic, std::size_t count, const void* in, void* inout);

}  // namespace ringmesh::workloads::mpi_api
