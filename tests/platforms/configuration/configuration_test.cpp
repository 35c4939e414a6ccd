// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>

#include "platforms/configuration.h"
#include "tests/platforms/configuration/configuration_fixture.h"
#include "tests/platforms/configuration/user_error.h"
#include "tests/support/cases.h"

using namespace ringmesh;
using namespace ringmesh::platforms::test;
using ringmesh::platforms::Configuration;
using ringmesh::test::error_of;

BOOST_AUTO_TEST_SUITE(unit)
BOOST_FIXTURE_TEST_SUITE(configuration, ConfigurationFixture)

BOOST_AUTO_TEST_CASE(a_platform_file_names_its_machine_and_describes_itself)
{
    const Configuration configuration = with("");
    BOOST_TEST(configuration.machine() == "wulfkit");
    BOOST_TEST(configuration.description() == "A ring");
}

BOOST_AUTO_TEST_CASE(parameters_that_no_layer_sets_keep_their_default)
{
    MachineParams params;
    params.nodes = 5;
    with("load = 0.25").read_into(params);
    BOOST_TEST(params.nodes == 5);
    BOOST_TEST(params.load == 0.25);
}

BOOST_AUTO_TEST_CASE(every_type_of_parameter_is_read)
{
    const MachineParams params =
        read(with("clock = \"33.3 MHz\"\nfifo = \"1 KiB\"\nlatency = \"1 cycle\"\nload = 1\n"
                  "checks = false\nsizes = \"64,128\"\n[topology]\nnodes = 16\n[link]\n"
                  "symbol_time = \"66.7 ns\"\ncable = \"30 cm\"\narbiter = \"round_robin\"\n"));
    BOOST_TEST((params.clock == Frequency::hertz(33'300'000)));
    BOOST_TEST((params.fifo == 1_KiB));
    BOOST_TEST((params.latency == 1_cycles));
    BOOST_TEST(params.load == 1.0);
    BOOST_TEST(!params.checks);
    BOOST_TEST(params.sizes == "64,128");
    BOOST_TEST(params.nodes == 16);
    BOOST_TEST((params.link.symbol_time == 66'700_ps));
    BOOST_TEST((params.link.cable == Length::micrometres(300'000)));
    BOOST_TEST((params.link.arbiter == Arbiter::kRoundRobin));
}

BOOST_DATA_TEST_CASE(bounds_are_allowed_values, data::make({2, 4096}), nodes)
{
    BOOST_TEST(read(with("topology.nodes = " + std::to_string(nodes))).nodes == nodes);
}

BOOST_DATA_TEST_CASE(an_empty_table_of_a_group_is_no_mistake, data::make({"[link]", "link = {}"}), text)
{
    BOOST_TEST((read(with(text)).link.symbol_time == LinkParams{}.symbol_time));
}

BOOST_DATA_TEST_CASE(quotes_and_spaces_may_be_left_out_on_the_command_line,
                     data::make({"link.symbol_time=5ns", "link.symbol_time=5 ns", "link.symbol_time=\"5 ns\"",
                                 "link.symbol_time = '5 ns'", "link={symbol_time=\"5 ns\"}"}),
                     assignment)
{
    Configuration configuration = with("");
    configuration.set(assignment);
    BOOST_TEST((read(configuration).link.symbol_time == 5_ns));
}

BOOST_AUTO_TEST_CASE(numbers_booleans_names_and_texts_are_read_from_the_command_line)
{
    Configuration configuration = with("");
    for (const auto* assignment :
         {"topology.nodes=16", "load=0.25", "checks=false", "link.arbiter=round_robin", "sizes=64,128"}) {
        configuration.set(assignment);
    }
    const MachineParams params = read(configuration);
    BOOST_TEST(params.nodes == 16);
    BOOST_TEST(params.load == 0.25);
    BOOST_TEST(!params.checks);
    BOOST_TEST((params.link.arbiter == Arbiter::kRoundRobin));
    BOOST_TEST(params.sizes == "64,128");
}

BOOST_DATA_TEST_CASE(a_text_on_the_command_line_may_look_like_another_value,
                     data::make({"64", "1.50", "true", "[64, 128]", "2024-01-01", "8 # nine"}), text)
{
    Configuration configuration = with("");
    configuration.set(std::string("sizes=") + text);
    BOOST_TEST(read(configuration).sizes == text);
}

BOOST_AUTO_TEST_CASE(the_last_layer_that_sets_a_key_counts)
{
    folder.write("faster.toml", "description = \"Faster\"\ntopology.nodes = 3\nload = 0.3\n");
    folder.write("again.toml", "description = \"Again\"\ntopology.nodes = 4\n");
    Configuration configuration = with("topology.nodes = 2\nload = 0.2\nclock = \"2 MHz\"\n");
    configuration.overlay("faster.toml");
    configuration.overlay("again.toml");
    BOOST_TEST(read(configuration).nodes == 4);
    configuration.set("topology.nodes=5");
    configuration.set("topology.nodes=6");
    const MachineParams params = read(configuration);
    BOOST_TEST(params.nodes == 6);
    BOOST_TEST(params.load == 0.3);
    BOOST_TEST((params.clock == 2_MHz));
    BOOST_TEST(configuration.description() == "A ring");
}

BOOST_AUTO_TEST_CASE(each_key_knows_the_layer_that_set_it)
{
    folder.write("faster.toml", "description = \"Faster\"\n\nload = 0.3\n");
    Configuration configuration = with("load = 0.2\n[link]\ncable = \"2 m\"\n");
    configuration.overlay("faster.toml");
    configuration.set("topology.nodes=5");
    BOOST_TEST(configuration.origin_of("link.cable") == kFile + ":5");
    BOOST_TEST(configuration.origin_of("load") == "faster.toml:3");
    BOOST_TEST(configuration.origin_of("topology.nodes") == "--set topology.nodes=5");
    BOOST_TEST(configuration.origin_of("clock") == "default");
    BOOST_TEST(configuration.origin_of("machine") == kFile + ":1");
}

BOOST_AUTO_TEST_CASE(a_problem_found_elsewhere_cites_the_layer)
{
    Configuration configuration = with("load = 0.2\n");
    configuration.set("link.symbol_time=5ns");
    read(configuration);
    const auto text = [&](std::string_view key) {
        return std::string(configuration.problem(key, "odd", "mend").what());
    };
    BOOST_TEST(text("load") == kFile + ":3: load = 0.2: odd; mend");
    BOOST_TEST(text("link.symbol_time") == "--set link.symbol_time=5ns: link.symbol_time = \"5ns\": odd; mend");
    BOOST_TEST(text("clock") == kFile + ": clock = \"50 MHz\" (default): odd; mend");
    BOOST_TEST(text("topology.nodes") == kFile + ": topology.nodes = 8 (default): odd; mend");
    BOOST_TEST(text("machine") == kFile + ":1: machine = \"wulfkit\": odd; mend");
    BOOST_TEST(std::string(configuration.problem("load", "odd").what()) == kFile + ":3: load = 0.2: odd");
}

BOOST_AUTO_TEST_CASE(of_keys_that_do_not_fit_together_the_last_one_set_is_named)
{
    Configuration configuration = with("load = 0.2\nclock = \"2 MHz\"\n");
    BOOST_TEST(configuration.last_set({"fifo", "latency"}) == "fifo");
    BOOST_TEST(configuration.last_set({"fifo", "load", "clock"}) == "clock");
    configuration.set("load=0.3");
    BOOST_TEST(configuration.last_set({"fifo", "load", "clock"}) == "load");
}

BOOST_AUTO_TEST_CASE(a_problem_leaves_all_parameters_as_they_were)
{
    MachineParams params;
    const Configuration configuration = with("load = 0.25\ntopology.nodes = 1\n");
    BOOST_CHECK_THROW(configuration.read_into(params), UserError);
    BOOST_TEST(params.load == MachineParams{}.load);
}

BOOST_AUTO_TEST_CASE(an_overlay_is_for_its_machines_alone)
{
    const auto overlay = [&](const std::string& text) {
        Configuration configuration = with("");
        folder.write("o.toml", "description = \"O\"\n" + text);
        return error_of([&] { configuration.overlay("o.toml"); });
    };
    BOOST_TEST(overlay("") == "no error");
    BOOST_TEST(overlay("applies_to = [\"scc\", \"wulfkit\"]\n") == "no error");
    BOOST_TEST(overlay("applies_to = [\"scc\", \"ncube\"]\n") ==
               "o.toml:2: this overlay is for machine scc or ncube, and platforms/wulfkit-ring.toml has machine = "
               "\"wulfkit\"; leave the overlay out or choose another platform");
    BOOST_TEST(overlay("applies_to = \"scc\"\n") ==
               "o.toml:2: applies_to = \"scc\": not a list of machines; write applies_to = [\"...\"]");
    BOOST_TEST(overlay("machine = \"scc\"\n") ==
               "o.toml:2: an overlay cannot choose the machine; write applies_to = [\"scc\"] instead");
}

BOOST_AUTO_TEST_CASE(assignments_without_a_file_are_read_and_refused_alike)
{
    LinkParams params;
    const auto walk = [&params](ParameterVisitor& visitor) { params.visit(visitor); };
    platforms::read_assignments({"symbol_time=5ns", "cable=2 m"}, "--option", walk);
    BOOST_TEST((params.symbol_time == 5_ns));
    BOOST_TEST((params.cable == 2_m));
    BOOST_TEST(error_of([&] {
                   platforms::read_assignments({"cabel=2m", "cable=2"}, "--option", walk);
               }) ==
               "--option cabel=2m: unknown key 'cabel'; did you mean 'cable'?\n"
               "--option cable=2: cable = 2: a length needs a unit; write \"2 m\"");
    BOOST_TEST(error_of([&] { platforms::read_assignments({"cable"}, "--option", walk); }) ==
               "--option cable: not an assignment; write --option KEY=VALUE");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
