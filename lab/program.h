// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ringmesh::lab {

/// The whole program: does what the arguments say, reports what goes wrong, ends the process. Exit status 0, or 1 if a
/// validation failed, 2 for the user's mistakes, 3 for the model's.
[[noreturn]] void run_program(int argc, const char* const* argv);

}  // namespace ringmesh::lab
