// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ringmesh::lab {

struct CommandHelp {
    std::string_view name;
    std::string_view meaning;    ///< one line
    std::string_view arguments;  ///< behind "ringmesh" in the usage line
    std::string_view examples;   ///< below the options
};

/// The help of a command; of the program for any other name.
const CommandHelp& help_of(std::string_view command);

/// "; see 'ringmesh run --help'", the end of a message about a mistake. The program's own help for an empty name.
std::string see_help(std::string_view command);

/// The examples of one action of a command, and what stands below all of them.
std::string examples_of(std::string_view command, std::string_view action);

}  // namespace ringmesh::lab
