// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/commands/options.h"

namespace CLI {  // NOLINT(readability-identifier-naming): not ours
class App;
}

namespace ringmesh::lab {

/// The commands with their actions, arguments and options, whose values go to `options`.
void add_commands(CLI::App& app, CommandOptions& options);

}  // namespace ringmesh::lab
