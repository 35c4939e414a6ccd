// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <systemc>

#include "lab/commands/command.h"
#include "lab/commands/program.h"
#include "lab/commands/shapes.h"
#include "lab/process/standard_streams.h"
#include "lab/store/point.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

constexpr CommandHelp kHelp{.name = "help",
                            .meaning = "Show the help of a command, or the manual page",
                            .arguments = "help [COMMAND [ACTION]] [--man]",
                            .examples = R"(Examples:
  ringmesh help study query
  ringmesh help --man > ringmesh.1 && man -l ringmesh.1
)"};

constexpr CommandHelp kVersion{.name = "version",
                               .meaning = "Show the versions of the program, the model and SystemC, and the commit",
                               .arguments = "version",
                               .examples = R"(
Programs with the same model version give the same results.
)"};

constexpr CommandHelp kCompletion{.name = "completion",
                                  .meaning = "Write what a shell needs to complete commands, options and names by Tab",
                                  .arguments = "completion bash|zsh|fish",
                                  .examples = R"(Examples:
  source <(ringmesh completion bash)      in ~/.bashrc
  source <(ringmesh completion zsh)       in ~/.zshrc, after compinit
  ringmesh completion fish | source       in ~/.config/fish/config.fish
)"};

class HelpCommand final : public Command {
public:
    const CommandHelp& help() const override { return kHelp; }
    void describe(OptionList& list) override
    {
        list.arguments("COMMAND", names_, "A command, and its action");
        list.flag("--man", manual_, "Write the manual page, for man -l");
    }
    int execute() override
    {
        print(manual_ ? manual_page() : help_text(names_));
        return 0;
    }

private:
    std::vector<std::string> names_;
    bool manual_ = false;
};

class VersionCommand final : public Command {
public:
    const CommandHelp& help() const override { return kVersion; }
    void describe(OptionList&) override {}
    int execute() override
    {
        print(version_text());
        return 0;
    }
};

class CompletionCommand final : public Command {
public:
    const CommandHelp& help() const override { return kCompletion; }
    void describe(OptionList& list) override { list.argument("SHELL", shell_, "bash, zsh or fish"); }
    int execute() override
    {
        print(completion_script(shell_));
        return 0;
    }

private:
    std::string shell_;
};

}  // namespace

std::string version_text()
{
    const std::string commit = program_commit();
    return fmt::format("ringmesh {}{}, model {}, SystemC {}\n", RINGMESH_VERSION,
                       commit.empty() ? "" : fmt::format(" (commit {})", commit), model_version(),
                       sc_core::sc_version_string);
}

std::unique_ptr<Command> make_help() { return std::make_unique<HelpCommand>(); }
std::unique_ptr<Command> make_version() { return std::make_unique<VersionCommand>(); }
std::unique_ptr<Command> make_completion() { return std::make_unique<CompletionCommand>(); }

}  // namespace ringmesh::lab
