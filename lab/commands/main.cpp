// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "lab/commands/command_line.h"

/// At once: destroying static objects has no effect that anybody waits for.
int main(int argc, char** argv) { std::_Exit(ringmesh::command_line(argc, argv)); }
