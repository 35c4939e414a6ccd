// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <sstream>
#include <string_view>
#include <systemc>

#include "lab/commands/line/command.h"
#include "lab/commands/line/program.h"
#include "lab/commands/line/shapes.h"
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

/// A text as roff has it: '-' would become a hyphen, '.' and ''' at the beginning of a line a request.
std::string roff(std::string_view text)
{
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool begins = i == 0 || text[i - 1] == '\n';
        if (begins && (text[i] == '.' || text[i] == '\'')) result += "\\&";
        if (text[i] == '\\') {
            result += "\\e";
        } else if (text[i] == '-') {
            result += "\\-";
        } else {
            result += text[i];
        }
    }
    return result;
}

/// As it stands, not filled.
std::string block(std::string_view text) { return fmt::format(".PP\n.nf\n{}.fi\n", roff(text)); }

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

}  // namespace

std::string version_text()
{
    const std::string commit = program_commit();
    return fmt::format("ringmesh {}{}, model {}, SystemC {}\n", RINGMESH_VERSION,
                       commit.empty() ? "" : fmt::format(" (commit {})", commit), model_version(),
                       sc_core::sc_version_string);
}

std::string manual_page()
{
    const CommandShapes shapes;
    std::string page = fmt::format(
        ".\\\" SPDX-License-Identifier: Apache-2.0\n"
        ".TH RINGMESH 1 \"\" \"ringmesh {}\" \"User Commands\"\n.SH NAME\n"
        "ringmesh \\- simulates parallel machines from the literature: SCI rings and tori, DECK/SCI, SCC, NCUBE/seven\n"
        ".SH SYNOPSIS\n",
        RINGMESH_VERSION);
    std::string commands;
    for (const CommandShape& shape : shapes.all) {
        std::istringstream usages(shape.usage);
        for (std::string usage; std::getline(usages, usage);) {
            page += fmt::format("{}\\fBringmesh\\fR {}\n", shape.name.empty() ? "" : ".br\n", roff(usage));
        }
        if (shape.name.empty()) continue;
        commands += fmt::format(".SS {}\n{}.\n", roff(shape.name), roff(shape.meaning));
        for (const OptionList::Option& option : shape.options) {
            commands += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(option.long_name()),
                                    option.value.empty() ? "" : fmt::format(" \\fI{}\\fR", roff(option.value)),
                                    roff(option.meaning));
        }
        commands += block(shape.examples());
        if (shape.command != nullptr && shape.chosen == nullptr && !shape.command->help().status_1.empty()) {
            commands += fmt::format(".P\nThe exit status is 1 if {}.\n", roff(shape.command->help().status_1));
        }
    }
    page += ".SH COMMANDS\n" + commands;
    page +=
        ".SH EXIT STATUS\n"
        ".TP\n0\nsuccess\n"
        ".TP\n1\nthe answer is no: a row is out of its tolerance, a point failed, a circle was found; or a fault ended "
        "a run\n"
        ".TP\n2\nbad input; the message says where and what helps\n"
        ".TP\n3\nthe simulated machine makes no progress, or an invariant of the model is violated\n"
        ".TP\n130\ninterrupted by Ctrl\\-C; other signals: 128 and their number\n"
        ".SH ENVIRONMENT\n"
        ".TP\nRINGMESH_STORE\nfolder of finished points; without it ringmesh/store in $XDG_DATA_HOME, or in "
        "~/.local/share\n"
        ".TP\nRINGMESH_DATA\nfolder that has platforms/, studies/ and skeletons/; without it ../share/ringmesh beside "
        "the "
        "program's folder\n"
        ".TP\nRINGMESH_PLATFORMS\nfolder of platforms and overlays, in place of platforms/machines/ there\n"
        ".TP\nRINGMESH_STUDIES\nfolder of the studies that have names, in place of studies/ there\n"
        ".TP\nRINGMESH\nfor the Python module: the program, where it is not on the path\n"
        ".SH FILES\n"
        ".TP\nSTORE/points/\nfinished points, a JSON file each; any number of processes may share a store\n"
        ".TP\nSTORE/index.sqlite\nmade by store index: the points as SQL tables\n"
        ".TP\nSTORE/slurm/\nbatch scripts and logs of study submit\n"
        ".TP\n\\&../share/ringmesh/platforms/machines/*.toml, platforms/machines/overlays/*.toml\nmachines and changes "
        "to them, by their "
        "names\n"
        ".TP\n\\&../share/ringmesh/studies/*/\nstudies that have names: study.toml, published.csv, queries\n"
        ".TP\n\\&../share/ringmesh/skeletons/*/\nwhat new writes\n"
        ".TP\n\\&../share/doc/ringmesh/\ndocuments and examples; docs/reference/results/formats.md describes every "
        "file that is written\n"
        ".SH SIGNALS\n"
        "SIGUSR1: a running simulation writes to standard error where it stands: progress, simulated time, packets\n"
        "under way with the oldest, blocks that are not idle. SIGINT stops it with the same words.\n";
    return page;
}

std::unique_ptr<Command> make_help() { return std::make_unique<HelpCommand>(); }
std::unique_ptr<Command> make_version() { return std::make_unique<VersionCommand>(); }

}  // namespace ringmesh::lab
