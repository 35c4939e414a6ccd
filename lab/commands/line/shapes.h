// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lab/commands/line/command.h"

/// The commands as data, from which the command line is read, and help, manual and completion are written.
namespace ringmesh::lab {

/// A command, or an action of one, as it is typed; the program itself has no name.
struct CommandShape {
    const Command* command = nullptr;  ///< null: the program
    std::string name;                  ///< "run"; of an action "study query"
    std::string meaning;
    std::string usage;                        ///< behind "ringmesh"
    std::vector<OptionList::Option> options;  ///< and arguments; the first is --help
    std::string* chosen = nullptr;            ///< of an action: where its command finds its name

    std::vector<const OptionList::Option*> arguments() const;
    std::string examples() const;  ///< what stands below the options
};

/// All of them: the program, then commands in the order of the help, each before its actions.
struct CommandShapes {
    CommandShapes();
    /// Null if there is none.
    const CommandShape* find(std::string_view name) const;
    /// Commands of the program, actions of a command; as they are typed behind it.
    std::vector<std::string> below(std::string_view name) const;

    std::vector<std::unique_ptr<Command>> commands = all_commands();
    std::vector<CommandShape> all;
};

/// Candidates for the last of the words behind "ringmesh", which may be empty: commands, actions, options, platforms,
/// overlays, studies, workloads and libraries with their options, keys of parameters. None where a file is wanted, or
/// anything. A candidate that goes on ends in ':', '=' or ','.
std::vector<std::string> completions(const std::vector<std::string>& words);

/// What `--help` shows: of the program, of a command, or of its action. @throws UserError for another name
std::string help_text(const std::vector<std::string>& names);
/// The exit statuses of a command and when each is given; a sentence. Null: those of the program.
std::string exit_statuses(const Command* command);
/// What `version` shows.
std::string version_text();

/// The command of the words, with its options; null if it was answered at once, as help is.
/// @throws UserError for a mistake in the words
std::unique_ptr<Command> parse_command_line(int argc, const char* const* argv);

/// The manual page, for man(1).
std::string manual_page();

}  // namespace ringmesh::lab
