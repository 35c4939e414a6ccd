// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "lab/commands/line/shapes.h"
#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"

namespace {

using namespace ringmesh::lab;
using namespace ringmesh::test;
using Words = std::vector<std::string>;

bool has(const Words& words, const std::string& word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(completion)

BOOST_AUTO_TEST_CASE(commands_actions_and_options_are_completed)
{
    BOOST_TEST(completions({"va"}) == Words{"validate"}, boost::test_tools::per_element());
    BOOST_TEST(completions({"study", "qu"}) == Words{"query"}, boost::test_tools::per_element());
    BOOST_TEST(
        completions({"run", "wulfkit-ring", "--st"}) == (Words{"--stack", "--status", "--statistics", "--store"}),
        boost::test_tools::per_element());
    BOOST_TEST(completions({"study", "query", "rings", "--cs"}) == Words{"--csv"}, boost::test_tools::per_element());
    BOOST_TEST(has(completions({""}), "run"));
    BOOST_TEST(completions({"no-such", ""}).empty());
}

BOOST_AUTO_TEST_CASE(names_are_completed_where_they_are_wanted)
{
    BOOST_TEST(completions({"run", "sc"}) == Words{"scc"}, boost::test_tools::per_element());
    BOOST_TEST(has(completions({"validate", ""}), "ncube"));
    BOOST_TEST(has(completions({"explain", "--overlay", "link"}), "link-4.0Gbps"));
    BOOST_TEST(completions({"list", "para"}) == Words{"parameters"}, boost::test_tools::per_element());
    BOOST_TEST(completions({"list", "workloads", "ping"}) == Words{"ping-pong"}, boost::test_tools::per_element());
    // A platform once; then nothing, so the shell offers files
    BOOST_TEST(completions({"run", "scc", ""}).empty());
    BOOST_TEST(completions({"run", "scc", "--json", ""}).empty());
}

BOOST_AUTO_TEST_CASE(keys_of_parameters_are_those_of_the_platform)
{
    BOOST_TEST(completions({"run", "wulfkit-ring", "--set", "link.sy"}) == Words{"link.symbol_time="},
               boost::test_tools::per_element());
    BOOST_TEST(completions({"run", "scc", "--set", "link.sy"}).empty());
    BOOST_TEST(has(completions({"sweep", "--axis", ""}), "link.symbol_time="));
    BOOST_TEST(completions({"run", "no-such-platform", "--set", "link"}).empty());
    BOOST_TEST(completions({"run", "wulfkit-ring", "--set", "link.symbol_time=5"}).empty());
}

BOOST_AUTO_TEST_CASE(options_of_workloads_and_libraries_are_completed_once)
{
    BOOST_TEST(has(completions({"run", "scc", "--workload", "ping-pong:"}), "ping-pong:sizes="));
    BOOST_TEST(
        completions({"run", "scc", "--workload", "ping-pong:sizes=64,rep"}) == Words{"ping-pong:sizes=64,repetitions="},
        boost::test_tools::per_element());
    BOOST_TEST(!has(completions({"run", "scc", "--workload", "ping-pong:sizes=64,"}), "ping-pong:sizes=64,sizes="));
    BOOST_TEST(has(completions({"run", "deck-cluster", "--library", "deck:"}), "deck:protocol="));
    BOOST_TEST(completions({"run", "scc", "--workload", "no-such:"}).empty());
}

BOOST_AUTO_TEST_CASE(the_manual_has_every_command_and_option)
{
    const std::string page = manual_page();
    for (const CommandShape& command : CommandShapes().all) {
        BOOST_TEST((command.name.empty() || page.find(".SS " + command.name + '\n') != std::string::npos),
                   command.name);
        BOOST_TEST(!command.meaning.empty(), command.name);
        for (const auto& option : command.options) BOOST_TEST(!option.meaning.empty(), option.names);
    }
    BOOST_TEST(page.find("\\fB\\-\\-workload\\fR") != std::string::npos);
    for (const char* variable : {"RINGMESH_STORE", "RINGMESH_DATA", "RINGMESH_PLATFORMS", "RINGMESH_STUDIES"}) {
        BOOST_TEST(page.find(std::string(".TP\n") + variable + '\n') != std::string::npos, variable);
    }
    for (std::size_t at = 0; (at = page.find("\n..", at)) != std::string::npos; ++at) BOOST_ERROR(page.substr(at, 60));
    for (std::size_t at = 0; (at = page.find("\n'", at)) != std::string::npos; ++at) BOOST_ERROR(page.substr(at, 60));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(completion)

/// Runs a line of bash with the completion loaded; `ringmesh` is the program under test.
std::string in_bash(const std::string& typed)
{
    const TemporaryFolder folder;
    folder.write("try.sh", "ringmesh() { '" RINGMESH_EXECUTABLE
                           "' \"$@\"; }\n"
                           "compopt() { printf 'nospace '; }\n"
                           "eval \"$(ringmesh completion bash)\"\n"
                           "COMP_LINE='" +
                               typed + "' COMP_POINT=" + std::to_string(typed.size()) +
                               "\n"
                               "_ringmesh\nprintf '%s\\n' \"${COMPREPLY[*]}\" >out.txt\n");
    BOOST_TEST(std::system("bash try.sh >log.txt 2>&1") == 0);
    return read_file("out.txt");
}

BOOST_AUTO_TEST_CASE(bash_gets_what_stands_behind_its_word_break)
{
    BOOST_TEST(in_bash("ringmesh vali") == "validate\n");
    BOOST_TEST(in_bash("ringmesh run scc --workload ping-pong:rep") == "repetitions=\n");
    BOOST_TEST(in_bash("ringmesh run wulfkit-ring --set cable.l") == "cable.length=\n");
}

BOOST_AUTO_TEST_CASE(help_and_version_are_commands_too)
{
    BOOST_TEST(Program({"help", "run"}).wait().out == Program({"run", "--help"}).wait().out);
    BOOST_TEST(Program({"help"}).wait().out == Program({"--help"}).wait().out);
    BOOST_TEST(Program({"help", "study", "query"}).wait().out == Program({"study", "query", "--help"}).wait().out);
    BOOST_TEST(Program({"help", "rum"}).wait().status == 2);
    BOOST_TEST(Program({"version"}).wait().out == Program({"--version"}).wait().out);
    BOOST_TEST(Program({"version"}).wait().out.find("model ") != std::string::npos);
    BOOST_TEST(Program({"completion", "tcsh"}).wait().status == 2);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
