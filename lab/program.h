// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ringmesh::lab {

/// The whole program: runs the command, reports errors, ends the process. Exit status 0, or 1 if a validation failed, 2
/// for errors of the user, 3 for errors of the model.
[[noreturn]] void run_program(int argc, const char* const* argv);

/// The commit that the program is built from, "-changed" behind it if files differed; empty if that is not known, as in
/// tests that link these sources.
[[gnu::weak]] const char* program_commit();

}  // namespace ringmesh::lab
