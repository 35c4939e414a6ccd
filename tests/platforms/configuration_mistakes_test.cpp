// SPDX-License-Identifier: Apache-2.0
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "platforms/configuration.h"
#include "tests/platforms/configuration_fixture.h"
#include "tests/platforms/user_error.h"

using namespace ringmesh;
using namespace ringmesh::platforms::test;
using ringmesh::platforms::Configuration;
using ringmesh::test::error_of;
namespace data = boost::unit_test::data;

namespace {

/// A mistake and its message.
struct Mistake {
    std::string written;
    std::string message;
    friend std::ostream& operator<<(std::ostream& out, const Mistake& mistake) { return out << mistake.written; }
};

const std::vector<Mistake> kMistakesInFiles{
    {"link.symbol_time = 5", ":3: link.symbol_time = 5: a duration needs a unit; write \"5 ns\""},
    {"[link]\nsymbol_time = 2.5", ":4: link.symbol_time = 2.5: a duration needs a unit; write \"2.5 ns\""},
    {"link.symbol_time = \"5 MHz\"",
     ":3: link.symbol_time = \"5 MHz\": 'MHz' is not a unit of time; write ps, ns, us, ms or s"},
    {"link.symbol_time = -5", ":3: link.symbol_time = -5: a duration must not be negative; write \"5 ns\""},
    {"link.symbol_time = \"-5 ns\"",
     ":3: link.symbol_time = \"-5 ns\" is below \"1 ps\", the smallest allowed value; "
     "write a value from \"1 ps\" to \"1 us\""},
    {"link.symbol_time = true",
     ":3: link.symbol_time = true: 'true' is not a duration; write a number and a unit, such as \"5 ns\""},
    {"link.symbol_time = \"2 us\"",
     ":3: link.symbol_time = \"2 us\" is above \"1 us\", the largest allowed value; "
     "write a value from \"1 ps\" to \"1 us\""},
    {"link.symbol_time = \"0 ns\"",
     ":3: link.symbol_time = \"0 ns\" is below \"1 ps\", the smallest allowed value; "
     "write a value from \"1 ps\" to \"1 us\""},
    {"link.cable = 3", ":3: link.cable = 3: a length needs a unit; write \"3 m\""},
    {"clock = 50", ":3: clock = 50: a frequency needs a unit; write \"50 MHz\""},
    {"fifo = 64", ":3: fifo = 64: a size needs a unit; write \"64 B\""},
    {"latency = 3", ":3: latency = 3: a number of cycles needs a unit; write \"3 cycles\""},
    {"topology.nodes = 1",
     ":3: topology.nodes = 1 is below 2, the smallest allowed value; write a value from 2 to 4096"},
    {"topology.nodes = 4097",
     ":3: topology.nodes = 4097 is above 4096, the largest allowed value; write a value from 2 to 4096"},
    {"topology.nodes = \"8\"",
     ":3: topology.nodes = \"8\": not a whole number; write it without quotes, unit and "
     "point, such as 8"},
    {"topology.nodes = 8.0",
     ":3: topology.nodes = 8.0: not a whole number; write it without quotes, unit and point, such as 8"},
    {"topology.nodes = [8, 8]",
     ":3: topology.nodes = [ 8, 8 ]: not a whole number; write it without quotes, unit and point, such as 8"},
    {"load = 1.5", ":3: load = 1.5 is above 1, the largest allowed value; write a value from 0 to 1"},
    {"load = 2.1", ":3: load = 2.1 is above 1, the largest allowed value; write a value from 0 to 1"},
    {"load = \"half\"", ":3: load = \"half\": not a number; write it without quotes and unit, such as 0.5"},
    {"load = nan", ":3: load = nan: not a number; write it without quotes and unit, such as 0.5"},
    {"checks = 1", ":3: checks = 1: neither true nor false; write one of them, without quotes"},
    {"sizes = 64", ":3: sizes = 64: not a text; write it in quotes"},
    {"link.arbiter = \"rond_robin\"", ":3: link.arbiter = \"rond_robin\": no such choice; did you mean 'round_robin'?"},
    {"link.arbiter = \"lottery\"", ":3: link.arbiter = \"lottery\": no such choice; known: round_robin, fixed"},
    {"link.arbiter = 1", ":3: link.arbiter = 1: no such choice; known: round_robin, fixed"},
    {"link.symbol_tiem = \"5 ns\"", ":3: unknown key 'link.symbol_tiem'; did you mean 'link.symbol_time'?"},
    {"[lnik]\nsymbol_time = \"5 ns\"", ":4: unknown key 'lnik.symbol_time'; did you mean 'link.symbol_time'?"},
    {"link.colour = 1", ":3: unknown key 'link.colour'; known: link.symbol_time, link.cable, link.arbiter"},
    {"colour = 1", ":3: unknown key 'colour'; known: clock, fifo, latency, load, checks, sizes, topology, link"},
    {"link.symbol_time.ns = 5", ":3: unknown key 'link.symbol_time.ns'; did you mean 'link.symbol_time'?"},
    {"[colour]", ":3: unknown key 'colour'; known: clock, fifo, latency, load, checks, sizes, topology, link"},
    {"link = 5",
     ":3: link = 5: 'link' is a group of keys; set one of them: link.symbol_time, link.cable, "
     "link.arbiter"},
};

const std::vector<Mistake> kMistakesInSyntax{
    {"link.symbol_time = 5 ns",
     ":3:22: Error while parsing key-value pair: expected a comment or whitespace, saw 'n'; "
     "write texts and quantities in quotes, as in \"5 ns\""},
    {"link.arbiter = fixed",
     ":3:17: Error while parsing boolean: expected 'false', saw 'fi'; "
     "write texts and quantities in quotes, as in \"5 ns\""},
    {"load = 1\nload = 1",
     ":4:8: Error while parsing key-value pair: cannot redefine existing integer 'load'; keep one of the two"},
    {"[link]\n[link]\n",
     ":4:1: Error while parsing table header: cannot redefine existing table 'link'; keep one of the two"},
    {"[link\n",
     ":3:6: Error while parsing table header: expected ']', saw '\\n'; "
     "write lines such as [table], key = 5 or key = \"5 ns\""},
};

const std::vector<Mistake> kMistakesOnTheCommandLine{
    {"topology.nodes=1", ": topology.nodes = 1 is below 2, the smallest allowed value; write a value from 2 to 4096"},
    {"link.symbol_time=5", ": link.symbol_time = 5: a duration needs a unit; write \"5 ns\""},
    {"link.symbol_time=5MHz", ": link.symbol_time = \"5MHz\": 'MHz' is not a unit of time; write ps, ns, us, ms or s"},
    {"link.symbol_tiem=5ns", ": unknown key 'link.symbol_tiem'; did you mean 'link.symbol_time'?"},
    {"topology.nodes=8 # nine",
     ": topology.nodes = \"8 # nine\": not a whole number; write it without quotes, unit and point, such as 8"},
    {"topology.nodes=8,",
     ": topology.nodes = \"8,\": not a whole number; write it without quotes, unit and point, such as 8"},
    {"topology.nodes=8]\nload=[0",
     ": topology.nodes = \"8]\\nload=[0\": not a whole number; write it without quotes, unit and point, such as 8"},
    {"topology.nodes=",
     ": topology.nodes = \"\": not a whole number; write it without quotes, unit and point, such "
     "as 8"},
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
    BOOST_TEST(error_of([&] { read(configuration); }) == kFile + mistake.message);
}

BOOST_DATA_TEST_CASE(a_mistake_in_syntax_is_told_with_line_column_and_cure, data::make(kMistakesInSyntax), mistake)
{
    BOOST_TEST(error_of([&] { with(mistake.written); }) == kFile + mistake.message);
}

BOOST_DATA_TEST_CASE(a_mistake_on_the_command_line_is_told_with_the_assignment, data::make(kMistakesOnTheCommandLine),
                     mistake)
{
    Configuration configuration = with("");
    const auto act = [&] {
        configuration.set(mistake.written);
        read(configuration);
    };
    BOOST_TEST(error_of(act) == "--set " + mistake.written + mistake.message);
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
                   ":4: topology.nodes = 1 is below 2, the smallest allowed value; write a value from 2 to "
                   "4096\n" +
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
