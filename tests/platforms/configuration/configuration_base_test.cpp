// SPDX-License-Identifier: Apache-2.0
/// Platform files that are based on another one.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>

#include "platforms/configuration.h"
#include "tests/platforms/configuration/configuration_fixture.h"
#include "tests/platforms/configuration/user_error.h"

using namespace ringmesh;
using namespace ringmesh::platforms::test;
using ringmesh::platforms::Configuration;
using ringmesh::test::error_of;

namespace {

struct Fixture : ConfigurationFixture {
    /// A file based on kFile; its own settings begin in line 4.
    std::string derived(const std::string& text, const std::string& base = "wulfkit-ring.toml") const
    {
        return folder.write("platforms/torus.toml",
                            "machine = \"wulfkit\"\ndescription = \"A torus\"\nbased_on = \"" + base + "\"\n" + text);
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_FIXTURE_TEST_SUITE(configuration_base, Fixture)

BOOST_AUTO_TEST_CASE(settings_of_the_base_come_first_and_own_ones_later)
{
    folder.write(kFile, kHeader + "load = 0.2\nclock = \"2 MHz\"\ntopology.nodes = 3\n");
    folder.write("o.toml", "description = \"O\"\ntopology.nodes = 5\n");
    Configuration configuration = Configuration::load(derived("load = 0.3\ntopology.nodes = 4\n"));
    BOOST_TEST(read(configuration).load == 0.3);
    BOOST_TEST(read(configuration).nodes == 4);
    BOOST_TEST((read(configuration).clock == 2_MHz));
    BOOST_TEST((read(configuration).fifo == MachineParams{}.fifo));
    configuration.overlay("o.toml");
    BOOST_TEST(read(configuration).nodes == 5);
    configuration.set("topology.nodes=6");
    BOOST_TEST(read(configuration).nodes == 6);
}

BOOST_AUTO_TEST_CASE(each_key_knows_in_which_of_the_two_it_stands)
{
    folder.write(kFile, kHeader + "load = 0.2\nclock = \"2 MHz\"\n");
    const Configuration configuration = Configuration::load(derived("load = 0.3\n"));
    read(configuration);
    BOOST_TEST(configuration.description() == "A torus");
    BOOST_TEST(configuration.machine() == "wulfkit");
    BOOST_TEST(configuration.origin_of("machine") == "platforms/torus.toml:1");
    BOOST_TEST(configuration.origin_of("load") == "platforms/torus.toml:4");
    BOOST_TEST(configuration.origin_of("clock") == kFile + ":4");
    BOOST_TEST(configuration.origin_of("fifo") == "default");
    BOOST_TEST(std::string(configuration.problem("fifo", "odd", "mend").what()) ==
               "platforms/torus.toml: fifo = \"2 KiB\" (default): odd; mend");
}

BOOST_AUTO_TEST_CASE(the_base_lies_beside_its_file_wherever_one_stands)
{
    folder.write(kFile, kHeader + "load = 0.2\n");
    folder.write("deeper/empty.toml", "");
    derived("");
    std::filesystem::current_path(folder.path() / "deeper");
    BOOST_TEST(read(Configuration::load("../platforms/torus.toml")).load == 0.2);
}

BOOST_AUTO_TEST_CASE(all_mistakes_of_both_are_told_each_with_its_place)
{
    folder.write(kFile, kHeader + "laod = 0.2\n");
    const Configuration configuration = Configuration::load(derived("topology.nodes = 1\n"));
    BOOST_TEST(error_of([&] { read(configuration); }) ==
               kFile + ":3: unknown key 'laod'; did you mean 'load'?\n" +
                   "platforms/torus.toml:4: topology.nodes = 1 is below 2, the smallest allowed value; write a value "
                   "from 2 to 4096");
}

BOOST_AUTO_TEST_CASE(a_base_may_be_a_platform_by_its_name)
{
    const auto configuration = Configuration::load(derived("", "wulfkit-ring"));
    BOOST_TEST(configuration.origin_of("link.symbol_time").find("wulfkit-ring.toml") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_base_may_be_based_on_another)
{
    folder.write("platforms/second.toml", kHeader + "based_on = \"wulfkit-ring\"\n[link]\nsymbol_time = \"4 ns\"\n");
    const auto configuration = Configuration::load(derived("", "second.toml"));
    BOOST_TEST(configuration.origin_of("link.symbol_time") == "platforms/second.toml:5");
    BOOST_TEST(configuration.origin_of("lc2.bypass").find("wulfkit-ring.toml") != std::string::npos);
    BOOST_TEST(configuration.files().size() == 3u);
}

BOOST_AUTO_TEST_CASE(a_base_that_is_missing_or_cannot_be_one_is_refused)
{
    const auto load = [this](const std::string& base) {
        return error_of([&] { Configuration::load(derived("", base)); });
    };
    const std::string here = "platforms/torus.toml:3: based_on = ";
    BOOST_TEST(load("none.toml").starts_with(here + "\"none.toml\": no such file beside this one; "));
    BOOST_TEST(load("wulfkit-rign").find("'wulfkit-ring'") != std::string::npos);
    folder.write(kFile, kHeader);
    folder.write("platforms/second.toml", kHeader + "based_on = \"wulfkit-ring.toml\"\n");
    BOOST_TEST(load("torus.toml") ==
               here +
                   "\"torus.toml\": 8 files are based on each other, or on themselves; write the settings into fewer");
    folder.write("platforms/scc.toml", "machine = \"scc\"\ndescription = \"A chip\"\n");
    BOOST_TEST(
        load("scc.toml") ==
        "platforms/torus.toml:1: machine = \"wulfkit\": this file is based on one with machine = \"scc\"; write the "
        "same");
    folder.write("platforms/o.toml", "description = \"O\"\napplies_to = [\"wulfkit\"]\n");
    BOOST_TEST(load("o.toml") ==
               "platforms/o.toml:2: applies_to belongs to overlays; remove it, or use this file as an overlay");
    BOOST_TEST(load("") == "platforms/torus.toml:3: based_on = \"\": not a text; write based_on = \"...\"");
    BOOST_TEST(load("wulfkit-ring.toml") == "no error");
}

BOOST_AUTO_TEST_CASE(neither_an_overlay_nor_an_assignment_has_a_base)
{
    Configuration configuration = with("");
    folder.write("o.toml", "description = \"O\"\nbased_on = \"p.toml\"\n");
    BOOST_TEST(error_of([&] { configuration.overlay("o.toml"); }) ==
               "o.toml:2: based_on belongs to platform files; remove it and give several --overlay");
    BOOST_TEST(error_of([&] { configuration.set("based_on=p.toml"); }) ==
               "--set based_on=p.toml: 'based_on' belongs to files alone; choose another platform or overlay");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
