// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lab/commands.h"

namespace ringmesh::lab {

/// The options of all commands as given on the command line; make_command() turns them into a command.
struct CommandOptions {
    std::string subject;
    bool markdown = false;
    bool json = false;
    std::string seed = "1";
    bool no_wall_time = false;
    ListCommand list;
    RunCommand run;
    ValidateCommand validate;
    WhatIfCommand whatif;
    ExplainCommand explain;
    std::string from;
    std::string to;
    std::string bytes = "64";
    SaturateCommand saturate;
};

/// Checks the options together and moves them out. @pre `name` is a command
/// @throws UserError for options that are missing, wrong or do not go together
Command make_command(const std::string& name, CommandOptions& options);

}  // namespace ringmesh::lab
