// SPDX-License-Identifier: Apache-2.0
// What somebody else wrote, or named badly: refused with a message, at once, and nothing is lost.
#include <sys/stat.h>
#include <sys/wait.h>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/program.h"
#include "tlm/pools/pool.h"  // RINGMESH_SANITIZED

namespace {

namespace data = boost::unit_test::data;
namespace files = std::filesystem;
using namespace ringmesh::test;

const std::string kRing = "machine = \"wulfkit\"\ndescription = \"a ring\"\nbased_on = \"wulfkit-ring\"\n";

std::string repeated(const std::string& part, int times)
{
    std::string text;
    for (int i = 0; i < times; ++i) text += part;
    return text;
}

/// A mistake of the user's, told on standard error alone.
std::string refusal(const Program::Arguments& arguments)
{
    const Ended ended = ringmesh::test::ringmesh(arguments);
    BOOST_TEST(ended.status == 2, ended.err);
    BOOST_TEST(ended.out.empty());
    BOOST_TEST(!ended.err.empty());
    BOOST_TEST(ended.err.find('\x1b') == std::string::npos);
    return ended.err;
}

Program::Arguments run_of(const std::string& platform, const Program::Arguments& more = {})
{
    Program::Arguments all{"run", platform, "--workload", "ping-pong:sizes=64,repetitions=1,series=1"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

/// By a shell, with the program in $RINGMESH. @return its exit status
int shell(const std::string& command)
{
    ::setenv("RINGMESH", RINGMESH_EXECUTABLE, 1);
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(hostile)

BOOST_AUTO_TEST_CASE(keys_of_very_many_parts_are_refused_by_file_and_line)
{
    const TemporaryFolder folder;
    folder.write("deep.toml", kRing + repeated("a.", 10800) + "b = 1\n");
    BOOST_TEST(contains(refusal(run_of("deep.toml")), "deep.toml:4:"));
    refusal(run_of("wulfkit-ring", {"--set", "link={" + repeated("a.", 10800) + "b=1}"}));
    refusal(run_of("wulfkit-ring", {"--set", "link." + repeated("a.", 10800) + "b=1"}));
    folder.write("header.toml", kRing + "\n[" + repeated("a . ", 500) + "b]\n");
    BOOST_TEST(contains(refusal(run_of("header.toml")), "header.toml:5:"));
    // Dots in texts and comments are none of keys
    folder.write("dots.toml",
                 kRing + "# " + repeated("a.", 100) + "\n[topology]\ndimensions = 2  # " + repeated(".", 80) + "\n");
    BOOST_TEST(ringmesh::test::ringmesh(run_of("dots.toml")).status == 0);
}

BOOST_AUTO_TEST_CASE(a_wrong_file_in_the_platforms_folder_does_not_hide_the_others)
{
    const TemporaryFolder folder;
    files::copy(RINGMESH_SOURCE_DIR "/platforms/machines/wulfkit-ring.toml", "ring.toml");
    folder.write("all/deep.toml", repeated("a.", 10800) + "b = 1\n");
    files::copy("ring.toml", "all/ring.toml");
    files::create_symlink("/dev/zero", "all/zero.toml");
    files::create_symlink("loop.toml", "all/loop.toml");
    ::mkfifo("all/pipe.toml", 0600);
    ::setenv("RINGMESH_PLATFORMS", (folder.path() / "all").c_str(), 1);
    const Ended ended = ringmesh::test::ringmesh({"list", "platforms"});
    BOOST_TEST(ended.status == 0, ended.err);
    for (const char* name : {"deep", "ring", "zero", "loop", "pipe"}) BOOST_TEST(contains(ended.out, name), name);
}

BOOST_AUTO_TEST_CASE(what_has_no_end_or_is_no_file_is_not_read)
{
    const TemporaryFolder folder;
    ::mkfifo("pipe.toml", 0600);
    files::create_symlink("loop.toml", "loop.toml");
    files::create_symlink("/dev/zero", "zero.toml");
    folder.write("memory.toml", "machine = \"wulfkit\"\ndescription = \"x\"\nbased_on = \"/proc/self/mem\"\n");
    for (const std::string name : {"pipe.toml", "loop.toml", "zero.toml", "/dev/zero", "memory.toml"}) {
        refusal(run_of(name == "/dev/zero" ? "./../" + name : name));
        refusal(run_of("wulfkit-ring", {"--overlay", name}));
    }
    refusal({"run", "scc", "--workload", "replay:goal=pipe.toml"});
    refusal({"run", "mesh-8x8", "--workload", "replay:packets=pipe.toml"});
    refusal({"study", "run", "./pipe.toml"});
    const std::string large = repeated("x", 300) + ".toml";
    refusal(run_of(large));
    refusal(run_of("wulfkit-ring", {"--overlay", large}));
    refusal({"study", "run", "./" + large});
}

/// A study may be somebody else's. Only platforms and overlays may lie beside its folder.
BOOST_AUTO_TEST_CASE(a_study_reads_no_files_outside_of_its_folder)
{
    const TemporaryFolder folder;
    folder.write("secret", "root:x:0\n");
    folder.write("secret.csv", "load\n0.1\n");
    folder.write("ring.toml", kRing);
    const auto study = [&folder](const std::string& lines) {
        folder.write("mine/study.toml", "[test.a]\n" + lines);
        return std::vector<std::string>{"study", "run", "./mine", "--store", "store"};
    };
    const std::string traffic = "platform = \"../ring.toml\"\nprogram = \"traffic\"\n";
    BOOST_TEST(ringmesh::test::ringmesh(study(traffic + "options = { load = 0.1, packets = 20 }\n")).status == 0);
    for (const std::string& lines : std::vector<std::string>{
             traffic + "cells = { csv = \"../secret.csv\" }\n", traffic + "cells = { csv = \"/etc/passwd\" }\n",
             traffic + "overlays = [\"../secret\"]\n",
             std::string("platform = \"/etc/passwd\"\nprogram = \"traffic\"\n"),
             std::string("platform = \"scc\"\nprogram = \"replay\"\noptions = { goal = \"../secret\" }\n")}) {
        const std::string said = refusal(study(lines));
        BOOST_TEST(contains(said, "study.toml:"), said);
        BOOST_TEST(!contains(said, "root:x"), said);
    }
}

BOOST_AUTO_TEST_CASE(a_folder_that_is_gone_is_no_internal_error)
{
    const TemporaryFolder folder;
    const int status = shell("mkdir gone && cd gone && rmdir ../gone && \"$RINGMESH\" list platforms >/dev/null 2>&1");
    BOOST_TEST((status == 0 || status == 2), status);
    BOOST_TEST(shell("mkdir gone && cd gone && rmdir ../gone && \"$RINGMESH\" run ./x.toml >/dev/null 2>&1") == 2);
}

BOOST_AUTO_TEST_CASE(names_that_terminals_obey_or_that_are_no_text_are_refused)
{
    const TemporaryFolder folder;
    for (const std::string name : {"a\x1b[31m.toml", "a\nb.toml", "a\xff.toml"}) {
        folder.write(name, kRing);
        refusal(run_of(name, {"--json", "out.json"}));
        BOOST_TEST(!files::exists("out.json"));
    }
    folder.write("text.toml", kRing + "[link]\nsymbol_time = \"\\u001b[31m 5 ns\"\n");
    BOOST_TEST(contains(refusal(run_of("text.toml")), "x1b"));
}

BOOST_AUTO_TEST_CASE(a_message_does_not_repeat_a_very_long_value)
{
    const TemporaryFolder folder;
    folder.write("long.toml", kRing + "[link]\nsymbol_time = [" + repeated("1, ", 100'000) + "1]\n");
    const std::string said = refusal(run_of("long.toml"));
    BOOST_TEST(said.size() < 1'000u);
    BOOST_TEST(contains(said, "long.toml:5"));
}

BOOST_AUTO_TEST_CASE(an_output_does_not_replace_what_the_run_reads)
{
    const TemporaryFolder folder;
    folder.write("p.toml", kRing);
    folder.write("o.toml", "description = \"an overlay\"\n[link]\nsymbol_time = \"4 ns\"\n");
    files::create_symlink("p.toml", "link");
    for (const char* option : {"--json", "--csv", "--packets", "--vcd", "--status", "--report"}) {
        refusal(run_of("p.toml", {option, "p.toml"}));
        BOOST_TEST(read_file("p.toml") == kRing, option);
    }
    refusal(run_of("p.toml", {"--json", "link"}));
    refusal(run_of("wulfkit-ring", {"--overlay", "o.toml", "--csv", "./o.toml"}));
    BOOST_TEST(contains(read_file("o.toml"), "an overlay"));
}

BOOST_DATA_TEST_CASE(a_second_command_is_no_argument,
                     data::make({"explain wulfkit-ring --from 0 --to 1 saturate x y z --bogus", "validate run",
                                 "list platforms run", "run wulfkit-ring --workload ping-pong study list"}),
                     line)
{
    const TemporaryFolder folder;
    refusal(words(line));
}

BOOST_AUTO_TEST_CASE(a_replaced_file_keeps_its_mode)
{
    const TemporaryFolder folder;
    folder.write("out.json", "{\n  \"ringmesh\": {\n    \"version\": \"0.0.1\"\n  }\n}\n");
    files::permissions("out.json", files::perms::owner_read | files::perms::owner_write);
    BOOST_TEST_REQUIRE(ringmesh::test::ringmesh(run_of("wulfkit-ring", {"--json", "out.json"})).status == 0);
    BOOST_TEST((files::status("out.json").permissions() == (files::perms::owner_read | files::perms::owner_write)));
    BOOST_TEST(contains(read_file("out.json"), "ping-pong"));
}

/// Its own pool writes through a null pointer where memory ends, and is filled before main() begins.
BOOST_AUTO_TEST_CASE(systemc_takes_memory_from_operator_new)
{
    const TemporaryFolder folder;
    shell("LD_BIND_NOW=1 LD_DEBUG=bindings LD_DEBUG_OUTPUT=bindings \"$RINGMESH\" --version >out 2>err");
    for (const char* function : {"allocate", "release"}) {
        BOOST_TEST(shell(std::string("cat bindings.* | grep 'libsystemc.* to [^ ]*/ringmesh .*sc_mempool.*") +
                         function + "' >found") == 0,
                   function);
    }
}

#ifndef RINGMESH_SANITIZED  // needs terabytes of addresses
BOOST_AUTO_TEST_CASE(out_of_memory_says_so)
{
    const TemporaryFolder folder;
    // Several limits, since each ends another allocation first: of the model, of SystemC, of the library
    for (int kilobytes = 310'000; kilobytes < 400'000; kilobytes += 9'000) {
        BOOST_TEST_CONTEXT(kilobytes)
        {
            const std::string limit = "ulimit -v " + std::to_string(kilobytes);
            BOOST_TEST(shell(limit + "; \"$RINGMESH\" run wulfkit-torus-2d --set topology.dimensions=128x128 "
                                     "--workload latency-map >out 2>err") == 3);
            BOOST_TEST(contains(read_file("err"), "out of memory"), read_file("err"));
        }
    }
}
#endif

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
