// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

/// The commands as data, for the manual and for completion in a shell.
namespace ringmesh::lab {

class Command;

struct OptionShape {
    std::string name;     ///< "--json"; of an argument without an option "PLATFORM"
    std::string value;    ///< "FILE"; empty: a flag, or an argument without an option
    std::string meaning;  ///< one sentence
};

struct CommandShape {
    std::string name;  ///< "run"; of an action "study query"
    std::string meaning;
    std::string usage;     ///< behind "ringmesh"
    std::string examples;  ///< what stands below the options
    std::vector<OptionShape> arguments;
    std::vector<OptionShape> options;
};

/// Commands in the order of the help, each before its actions.
std::vector<CommandShape> command_shapes();

/// Candidates for the last of the words behind "ringmesh", which may be empty: commands, actions, options, platforms,
/// overlays, studies, workloads and libraries with their options, keys of parameters. None where a file is wanted, or
/// anything. A candidate that goes on ends in ':', '=' or ','.
std::vector<std::string> completions(const std::vector<std::string>& words);

/// Where a shell gets completions from. @param shell "bash", "zsh" or "fish" @throws UserError for another
std::string completion_script(const std::string& shell);

/// What `--help` shows: of the program, of a command, or of its action. @throws UserError for another name
std::string help_text(const std::vector<std::string>& names);
/// What `version` shows.
std::string version_text();

/// The command of the words, with its options; null if it was answered at once, as help is.
/// @throws UserError for a mistake in the words
std::unique_ptr<Command> parse_command_line(int argc, const char* const* argv);

/// The manual page, for man(1).
std::string manual_page();

}  // namespace ringmesh::lab
