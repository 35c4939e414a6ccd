// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lab/commands.h"

namespace ringmesh::lab {

/// The options of all commands as the command line has them; a command is made of them when all have been read.
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

/// Checks what the options say together and moves them out. @pre `name` is a command
/// @throws UserError for options that are missing, wrong or do not go together
Command make_command(const std::string& name, CommandOptions& options);

}  // namespace ringmesh::lab
