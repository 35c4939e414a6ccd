// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "platforms/configuration.h"
#include "tests/platforms/configuration/configuration_fixture.h"
#include "tests/platforms/configuration/user_error.h"
#include "tests/support/cases.h"

using namespace ringmesh;
using namespace ringmesh::platforms::test;
using ringmesh::platforms::Configuration;
using ringmesh::test::error_of;

namespace {

/// A mistake and a part of its message.
struct Mistake {
    std::string written;
    std::string message;
    friend std::ostream& operator<<(std::ostream& out, const Mistake& mistake) { return out << mistake.written; }
};

const std::vector<Mistake> kMistakesInFiles{
    {"link.symbol_time = 5", ":3: link.symbol_time = 5: a duration needs a unit; write \"5 ns\""},
    {"[link]\nsymbol_time = 2.5", ":4: link.symbol_time = 2.5: "},
    {"link.symbol_time = \"5 MHz\"", "'MHz' is not a unit of time; write ps, ns, us, ms or s"},
    {"link.symbol_time = -5", "a duration must not be negative; write \"5 ns\""},
    {"link.symbol_time = \"-5 ns\"", " = \"-5 ns\" is below \"1 ps\", the smallest allowed value; write a value from "},
    {"link.symbol_time = true", "'true' is not a duration; write a number and a unit, such as \"5 ns\""},
    {"link.symbol_time = \"2 us\"", " = \"2 us\" is above \"1 us\", the largest allowed value; write a value from "},
    {"link.cable = 3", "a length needs a unit; write \"3 m\""},
    {"clock = 50", "a frequency needs a unit; write \"50 MHz\""},
    {"fifo = 64", "a size needs a unit; write \"64 B\""},
    {"latency = 3", "a number of cycles needs a unit; write \"3 cycles\""},
    {"topology.nodes = 1", " = 1 is below 2, the smallest allowed value; write a value from 2 to 4096"},
    {"topology.nodes = 4097", " = 4097 is above 4096, the largest allowed value; write a value from 2 to 4096"},
    {"topology.nodes = \"8\"", "not a whole number; write it without quotes, unit and point, such as 8"},
    {"topology.nodes = 8.0", "= 8.0: not a whole number"},
    {"topology.nodes = [8, 8]", "= [ 8, 8 ]: not a whole number"},
    {"load = 2.1", " = 2.1 is above 1, the largest allowed value; write a value from 0 to 1"},
    {"load = \"half\"", "not a number; write it without quotes and unit, such as 0.5"},
    {"load = nan", ":3: load = nan: not a number"},
    {"checks = 1", "neither true nor false; write one of them, without quotes"},
    {"sizes = 64", ":3: sizes = 64: not a text; write it in quotes"},
    {"link.arbiter = \"rond_robin\"", "no such choice; did you mean 'round_robin'?"},
    {"link.arbiter = 1", ":3: link.arbiter = 1: no such choice; known: round_robin, fixed"},
    {"link.symbol_tiem = \"5 ns\"", ":3: unknown key 'link.symbol_tiem'; did you mean 'link.symbol_time'?"},
    {"[lnik]\nsymbol_time = \"5 ns\"", ":4: unknown key 'lnik.symbol_time'; did you mean 'link.symbol_time'?"},
    {"link.colour = 1", "unknown key 'link.colour'; known: link.symbol_time, link.cable, link.arbiter"},
    {"link.symbol_time.ns = 5", "unknown key 'link.symbol_time.ns'; did you mean 'link.symbol_time'?"},
    {"[colour]", "unknown key 'colour'; known: clock, fifo, latency, load, checks, sizes, topology, link"},
    {"link = 5", "'link' is a group of keys; set one of them: link.symbol_time, link.cable, link.arbiter"},
};

const std::vector<Mistake> kMistakesInSyntax{
    {"link.symbol_time = 5 ns", ":3:22: "},
    {"link.arbiter = fixed", "; write texts and quantities in quotes, as in \"5 ns\""},
    {"load = 1\nload = 1", "cannot redefine existing integer 'load'; keep one of the two"},
    {"[link]\n[link]\n", "cannot redefine existing table 'link'; keep one of the two"},
    {"[link\n", "; write lines such as [table], key = 5 or key = \"5 ns\""},
};

const std::vector<Mistake> kMistakesOnTheCommandLine{
    {"topology.nodes=1", ": topology.nodes = 1 is below 2, the smallest allowed value; write a value from 2 to 4096"},
    {"link.symbol_time=5", ": link.symbol_time = 5: a duration needs a unit; write \"5 ns\""},
    {"link.symbol_time=5MHz", ": link.symbol_time = \"5MHz\": 'MHz' is not a unit of time"},
    {"link.symbol_tiem=5ns", ": unknown key 'link.symbol_tiem'; did you mean 'link.symbol_time'?"},
    {"topology.nodes=8 # nine", ": topology.nodes = \"8 # nine\": not a whole number"},
    {"topology.nodes=8,", ": topology.nodes = \"8,\": not a whole number"},
    {"topology.nodes=8]\nload=[0", ": topology.nodes = \"8]\\nload=[0\": not a whole number"},
    {"topology.nodes=", ": topology.nodes = \"\": not a whole number"},
    {"topology.nodes", ": not an assignment; write --set KEY=VALUE"},
    {"=8", ": not an assignment; write --set KEY=VALUE"},
    {"machine=scc", ": 'machine' belongs to files alone; choose another platform or overlay"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_FIXTURE_TEST_SUITE(configuration_mistakes, ConfigurationFixture)

BOOST_DATA_TEST_CASE(a_mistake_in_a_file_is_told_with_line_key_value_and_cure, data::make(kMistakesInFiles), mistake)
{
    const Configuration configuration = with(mistake.written);
    const std::string error = error_of([&] { read(configuration); });
    BOOST_TEST(error.starts_with(kFile + ":"));
    BOOST_TEST(error.find(mistake.message) != std::string::npos, error);
}

BOOST_DATA_TEST_CASE(a_mistake_in_syntax_is_told_with_line_column_and_cure, data::make(kMistakesInSyntax), mistake)
{
    const std::string error = error_of([&] { with(mistake.written); });
    BOOST_TEST(error.starts_with(kFile + ":"));
    BOOST_TEST(error.find(mistake.message) != std::string::npos, error);
}

BOOST_DATA_TEST_CASE(a_mistake_on_the_command_line_is_told_with_the_assignment, data::make(kMistakesOnTheCommandLine),
                     mistake)
{
    Configuration configuration = with("");
    const auto act = [&] {
        configuration.set(mistake.written);
        read(configuration);
    };
    BOOST_TEST(error_of(act).starts_with("--set " + mistake.written + mistake.message));
}

BOOST_AUTO_TEST_CASE(line_numbers_in_messages_are_right)
{
    const Configuration configuration = with("# a\n# b\n# c\n\n\n\n\n[link]\n# d\nsymbol_time = 5\n");
    BOOST_TEST(error_of([&] { read(configuration); }) ==
               "platforms/wulfkit-ring.toml:12: link.symbol_time = 5: a duration needs a unit; write \"5 ns\"");
}

BOOST_AUTO_TEST_CASE(all_problems_are_told_in_the_order_of_layers_and_lines)
{
    folder.write("faster.toml", "description = \"Faster\"\nlaod = 0.3\n");
    Configuration configuration = with("zebra = 1\ntopology.nodes = 1\nclock = 5\n");
    configuration.overlay("faster.toml");
    configuration.set("checks=5");
    BOOST_TEST(error_of([&] { read(configuration); }) ==
               kFile + ":3: unknown key 'zebra'; known: clock, fifo, latency, load, checks, sizes, topology, link\n" +
                   kFile +
                   ":4: topology.nodes = 1 is below 2, the smallest allowed value; write a value from 2 to 4096\n" +
                   kFile + ":5: clock = 5: a frequency needs a unit; write \"5 MHz\"\n" +
                   "faster.toml:2: unknown key 'laod'; did you mean 'load'?\n"
                   "--set checks=5: checks = 5: neither true nor false; write one of them, without quotes");
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_read_is_named_with_the_reason)
{
    BOOST_TEST(error_of([] { Configuration::load("x.toml"); }) == "cannot read 'x.toml': No such file or directory");
    BOOST_TEST(error_of([&] { Configuration::load(folder.path()); }) ==
               "cannot read '" + folder.path().string() + "': Is a directory");
    Configuration configuration = with("");
    BOOST_TEST(error_of([&] { configuration.overlay("x.toml"); }) == "cannot read 'x.toml': No such file or directory");
}

BOOST_AUTO_TEST_CASE(an_absolute_path_below_the_current_folder_is_shown_from_there)
{
    folder.write(kFile, kHeader + "colour = 1\n");
    const Configuration configuration = Configuration::load(folder.path() / kFile);
    BOOST_TEST(configuration.origin_of("machine") == kFile + ":1");
    folder.write("deeper/empty.toml", "");
    std::filesystem::current_path(folder.path() / "deeper");
    BOOST_TEST(Configuration::load(folder.path() / kFile).origin_of("machine") ==
               (folder.path() / kFile).string() + ":1");
}

BOOST_AUTO_TEST_CASE(a_missing_description_is_told_with_the_problems_of_the_settings)
{
    folder.write("a.toml", "machine = \"wulfkit\"\ntopology.nodes = 1\n");
    folder.write("o.toml", "clock = 5\n");
    Configuration configuration = Configuration::load("a.toml");
    configuration.overlay("o.toml");
    BOOST_TEST(error_of([&] { read(configuration); }) ==
               "a.toml:1: no description; write description = \"one sentence\" at the top\n"
               "o.toml:1: no description; write description = \"one sentence\" at the top\n"
               "a.toml:2: topology.nodes = 1 is below 2, the smallest allowed value; write a value from 2 to 4096\n"
               "o.toml:1: clock = 5: a frequency needs a unit; write \"5 MHz\"");
    BOOST_TEST(error_of([] { Configuration::read_header("o.toml"); }) ==
               "o.toml:1: no description; write description = \"one sentence\" at the top");
}

BOOST_AUTO_TEST_CASE(a_header_that_is_missing_or_wrong_is_refused)
{
    const auto load = [&](const std::string& text) {
        return error_of([&] { Configuration::load(folder.write("a.toml", text)); });
    };
    BOOST_TEST(load("description = \"A\"\n") ==
               "a.toml: no machine; write machine = \"...\" at the top, as in the files of `ringmesh list platforms`");
    BOOST_TEST(load("description = 5\n") == "a.toml:1: description = 5: not a text; write description = \"...\"");
    BOOST_TEST(load("machine = [\"a\"]\n") == "a.toml:1: machine = [ 'a' ]: not a text; write machine = \"...\"");
    BOOST_TEST(load(kHeader + "applies_to = [\"wulfkit\"]\n") ==
               "a.toml:3: applies_to belongs to overlays; remove it, or use this file as an overlay");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
