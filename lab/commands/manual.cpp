// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string_view>

#include "lab/commands/shapes.h"

namespace ringmesh::lab {
namespace {

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

void add_options(std::string& page, const std::vector<OptionShape>& options)
{
    for (const OptionShape& option : options) {
        page += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(option.name),
                            option.value.empty() ? "" : fmt::format(" \\fI{}\\fR", roff(option.value)),
                            roff(option.meaning));
    }
}

/// As it stands, not filled.
std::string block(std::string_view text) { return fmt::format(".PP\n.nf\n{}.fi\n", roff(text)); }

}  // namespace

std::string manual_page()
{
    const auto shapes = command_shapes();
    std::string page = fmt::format(
        ".\\\" SPDX-License-Identifier: Apache-2.0\n"
        ".TH RINGMESH 1 \"\" \"ringmesh {}\" \"User Commands\"\n.SH NAME\n"
        "ringmesh \\- simulates parallel machines from the literature: SCI rings and tori, DECK/SCI, SCC, NCUBE/seven\n"
        ".SH SYNOPSIS\n",
        RINGMESH_VERSION);
    for (const CommandShape& command : shapes) {
        page += fmt::format("{}\\fBringmesh\\fR {}\n", &command == shapes.data() ? "" : ".br\n", roff(command.usage));
    }
    page += ".SH COMMANDS\n";
    for (const CommandShape& command : shapes) {
        page += fmt::format(".SS {}\n{}.\n", roff(command.name), roff(command.meaning));
        add_options(page, command.arguments);
        add_options(page, command.options);
        if (!command.examples.empty()) page += block(command.examples);
    }
    page +=
        ".SH EXIT STATUS\n"
        ".TP\n0\nsuccess\n"
        ".TP\n1\na row of a validation is out of its tolerance, and no miss is stated\n"
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
        ".TP\nSLURM_ARRAY_TASK_ID, SLURM_ARRAY_TASK_COUNT\nwhat \\-\\-shard slurm reads\n"
        ".SH FILES\n"
        ".TP\nSTORE/points/\nfinished points, a JSON file each; any number of processes may share a store\n"
        ".TP\nSTORE/index.sqlite\nmade by store index: the points as SQL tables\n"
        ".TP\nSTORE/slurm/\nbatch scripts and logs of study submit\n"
        ".TP\n\\&../share/ringmesh/platforms/machines/*.toml, platforms/machines/overlays/*.toml\nmachines and changes "
        "to them, by their "
        "names\n"
        ".TP\n\\&../share/ringmesh/studies/*/\nstudies that have names: study.toml, published.csv, queries\n"
        ".TP\n\\&../share/ringmesh/skeletons/*/\nwhat new writes\n"
        ".TP\n\\&../share/doc/ringmesh/\ndocuments and examples; docs/reference/formats.md describes every "
        "file that is written\n"
        ".SH SIGNALS\n"
        "SIGUSR1: a running simulation writes to standard error where it stands: progress, simulated time, packets\n"
        "under way with the oldest, blocks that are not idle. SIGINT stops it with the same words.\n";
    return page;
}

}  // namespace ringmesh::lab
