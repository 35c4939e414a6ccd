// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <systemc>

#include "lab/program.h"

/// The library wants it, but nothing calls it: commands that simulate start the kernel by themselves, so that the
/// others never touch it and start at once.
int sc_main(int, char**) { return EXIT_FAILURE; }

int main(int argc, char** argv) { ringmesh::lab::run_program(argc, argv); }
