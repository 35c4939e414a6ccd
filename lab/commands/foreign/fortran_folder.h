// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace ringmesh::lab {

/// What programs in Fortran include and link, made by and for one compiler, as its modules and its run-time library are
/// its own: mpif.h, mpi.mod, start.o, fortran.o, libgfortran.a. It is made once and kept in the user's cache; another
/// compiler, library or simulator has another folder.
struct FortranTools {
    std::string fortran;            ///< GNU Fortran
    std::string c;                  ///< a compiler of C
    std::filesystem::path sources;  ///< workloads/foreign/program
    std::string self;               ///< option with the simulator's name, for start.c
};
/// @throws UserError if the compiler is none or the folder cannot be made
std::filesystem::path fortran_folder(const FortranTools& tools);

/// What programs in C and C++ link, as an archive for command lines of others; kept likewise.
/// @param tools without the one of Fortran @throws UserError if it cannot be made
std::filesystem::path start_archive(const FortranTools& tools);

}  // namespace ringmesh::lab
