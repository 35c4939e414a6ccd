// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "workloads/foreign/program/table.h"

namespace ringmesh::workloads::foreign {

/// Where the calls of Fortran programs go: each of mpi_calls.inc, in its order.
ringmesh_fortran_call* fortran_calls();

/// What ringmesh fc compiles with a compiler of Fortran, and what it includes: made of the list of calls and of mpi.h,
/// so that they are the same in both languages.
struct FortranSources {
    std::string calls;       ///< in C: each name of Fortran's goes to its place in fortran_calls()
    std::string constants;   ///< for fixed and for free form
    std::string mpif;        ///< these, and the types of functions
    std::string interfaces;  ///< of the calls, for the module mpi
};
/// @param mpi_h text of mpi.h
FortranSources fortran_sources(std::string_view mpi_h);

}  // namespace ringmesh::workloads::foreign
