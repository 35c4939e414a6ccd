// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <tuple>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"

namespace {

using namespace ringmesh::test;
using nlohmann::ordered_json;

constexpr const char* kShortRun = "run wulfkit-ring --workload ping-pong:sizes=64,128,repetitions=5,series=2";

Ended run(const std::string& more = "")
{
    const Ended ended = ringmesh::test::ringmesh(words(kShortRun + (" " + more)));
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    return ended;
}

ordered_json run_to_json(const std::string& more = "") { return ordered_json::parse(run("--json - " + more).out); }

const char* kPlatform = R"(
machine = "wulfkit"
description = "a ring of our own"
[topology]
dimensions = [4]
)";

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(run_command)

BOOST_AUTO_TEST_CASE(shows_a_table_and_says_how_long_it_took)
{
    const Ended ended = run("--set topology.dimensions=4");
    BOOST_TEST(ended.out.starts_with("Latency avg: "));
    BOOST_TEST(contains(ended.out,
                        "\n\nping-pong:sizes=64,128,repetitions=5,series=2 over raw on wulfkit-ring, "
                        "topology.dimensions=4, seed 1\n\n"));
    BOOST_TEST(ended.out.find("\n size  from  to  hops      min  ") != std::string::npos, ended.out);
    BOOST_TEST(ended.err.starts_with("ringmesh: simulated "));
    BOOST_TEST(ended.err.ends_with(" s\n"));
}

/// Retries that go round for ever (docs/reference/machines/deadlock.md) end the run, which says who holds what.
BOOST_DATA_TEST_CASE(a_livelock_of_one_slot_queues_is_told_and_is_that_of_the_echo_in_the_tail,
                     boost::unit_test::data::make({"decode", "tail"}), place)
{
    int told = 0;
    for (const char* seed : {"1", "2", "4"}) {
        const Ended ended = ringmesh::test::ringmesh(
            words("run deck-cluster --overlay equal-crossings --set topology.dimensions=8 --set lc2.receive_slots=1 "
                  "--workload all-to-all --library deck:call=246cycles --seed " +
                  std::string(seed) + " --set lc2.echo_place=" + place));
        if (ended.status == 0) continue;
        BOOST_TEST(ended.status == 3);
        BOOST_TEST(contains(ended.err, "ringmesh: livelock at "), ended.err);
        BOOST_TEST(contains(ended.err, ".lc2: "), ended.err);
        ++told;
    }
    BOOST_TEST((told > 0) == (std::string(place) == "tail"));
}

/// Latencies of the model before API, bridge, card and caches had values of their own.
BOOST_AUTO_TEST_CASE(equal_crossings_and_the_former_calls_give_the_former_results)
{
    for (const auto& [library, size, former] : {std::tuple{"deck:protocol=1,call=246cycles", 62, ",4665.01925,"},
                                                std::tuple{"deck:protocol=2,call=246cycles", 64, ",10343.41075,"},
                                                std::tuple{"scampi:call=1036cycles", 0, ",7602.04775,"}}) {
        const Ended ended = ringmesh::test::ringmesh(
            words(fmt::format("run deck-cluster --overlay equal-crossings --library {} --workload "
                              "ping-pong:sizes={},repetitions=16,series=1 --csv -",
                              library, size)));
        BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
        BOOST_TEST(contains(ended.out, former), ended.out);
    }
}

BOOST_AUTO_TEST_CASE(what_has_run_is_answered_from_the_store)
{
    const TemporaryFolder folder;
    const std::string store = "--store " + (folder.path() / "store").string();
    const auto is_stored = [](const Ended& ended) { return contains(ended.err, "from the store"); };
    const Ended first = run("--json - " + store);
    BOOST_TEST(!is_stored(first), first.err);
    const Ended second = run("--json - " + store);
    BOOST_TEST(is_stored(second), second.err);
    BOOST_TEST(second.out == first.out);  // wall_seconds, too
    BOOST_TEST(is_stored(run("--csv - --set link.symbol_time=5ns " + store)));
    BOOST_TEST(!is_stored(run("--seed 2 " + store)));
    BOOST_TEST(!is_stored(run("--fresh " + store)));
    BOOST_TEST(!is_stored(run("--log *=warning " + store)));
    const Ended blocks = run("--json - --statistics " + store);  // of which the first runs kept nothing
    BOOST_TEST(!is_stored(blocks));
    const Ended blocks_again = run("--json - --statistics " + store);
    BOOST_TEST(is_stored(blocks_again));
    BOOST_TEST(blocks_again.out == blocks.out);
    run("--fresh " + store);
    BOOST_TEST(is_stored(run("--json - --statistics " + store)));  // the shorter record does not replace it
}

BOOST_AUTO_TEST_CASE(a_store_that_cannot_be_written_costs_no_result)
{
    const Ended ended = run("--csv - --store /dev/null/store");
    BOOST_TEST(ended.out == run("--csv -").out);
    BOOST_TEST(contains(ended.err, "the run is not kept: "), ended.err);
}

BOOST_AUTO_TEST_CASE(json_alone_goes_to_standard_output)
{
    const auto json = run_to_json();
    BOOST_TEST(json["platform"] == "wulfkit-ring");
    BOOST_TEST(json["workload"] == "ping-pong");
    BOOST_TEST(json["workload_options"]["sizes"] == "64,128");
    BOOST_TEST(json["library"] == "raw");
    BOOST_TEST(json["library_options"]["stores"] == "auto");
    BOOST_TEST(json["parameters"]["link"]["symbol_time"] == "5 ns");
    BOOST_TEST(json["results"]["rows"].size() == 2u);
    BOOST_TEST(json["results"]["rows"][1]["size_bytes"] == 128);
    BOOST_TEST(json["wall_seconds"].is_number_float());
    BOOST_TEST(json["statistics"].size() > 10u);
}

BOOST_AUTO_TEST_CASE(settings_overlays_and_files_reach_the_effective_configuration)
{
    const TemporaryFolder folder;
    folder.write("mine.toml", kPlatform);
    folder.write("slow.toml", "description = \"slower links\"\n[link]\nsymbol_time = \"8 ns\"\n");
    const Ended ended =
        ringmesh::test::ringmesh(words("run mine.toml --overlay slow.toml --overlay link-4.0Gbps --set pci.width=8B "
                                       "--set lc2.decode=21ns --seed 9 --workload one-way --json -"));
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    const auto json = ordered_json::parse(ended.out);
    BOOST_TEST(json["parameters"]["topology"]["dimensions"].dump() == "[4]");
    BOOST_TEST(json["parameters"]["link"]["symbol_time"] == "4 ns");
    BOOST_TEST(json["parameters"]["lc2"]["decode"] == "21 ns");
    BOOST_TEST(json["overlays"].dump() == R"(["slow.toml","link-4.0Gbps"])");
    BOOST_TEST(json["settings"].dump() == R"(["lc2.decode=21ns","pci.width=8B"])");
    BOOST_TEST(json["seed"] == 9);
}

BOOST_AUTO_TEST_CASE(equal_runs_are_equal_to_the_byte)
{
    const TemporaryFolder folder;
    for (const std::string name : {"a", "b"}) {
        run("--no-wall-time --statistics --json " + name + ".json --csv " + name + ".csv --vcd run.vcd");
        std::filesystem::rename("run.vcd", name + ".vcd");
        std::filesystem::rename("run.gtkw", name + ".gtkw");
    }
    for (const std::string kind : {".json", ".csv", ".vcd", ".gtkw"}) {
        BOOST_TEST((read_file("a" + kind) == read_file("b" + kind)), kind);
    }
}

BOOST_AUTO_TEST_CASE(another_seed_changes_traffic_and_the_same_one_does_not)
{
    const auto traffic = [](const std::string& seed) {
        const Ended ended = ringmesh::test::ringmesh(
            words("run wulfkit-ring --workload traffic:duration=50us --no-wall-time --json - --seed " + seed));
        BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
        return ordered_json::parse(ended.out)["results"].dump();
    };
    BOOST_TEST(traffic("1") == traffic("1"));
    BOOST_TEST(traffic("1") != traffic("2"));
}

/// An echo whose place is in the tail has not left the link controller when the window ends.
BOOST_AUTO_TEST_CASE(a_saturated_link_is_used_for_no_more_than_all_of_the_time)
{
    const Ended ended = ringmesh::test::ringmesh(
        words("run wulfkit-switch --set topology.dimensions=2,4 --seed 1095023042 --set lc2.echo_place=tail "
              "--workload traffic:pattern=hot-spot,load=1.5,duration=20us --json -"));
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    BOOST_TEST(ordered_json::parse(ended.out)["results"]["rows"][0]["link_use_highest"].get<double>() <= 1.0);
}

BOOST_AUTO_TEST_CASE(a_waveform_changes_no_result_and_has_its_view_beside_it)
{
    const TemporaryFolder folder;
    const auto plain = run_to_json("--no-wall-time");
    const auto watched = run_to_json("--no-wall-time --vcd run.vcd --trace node0,*.lc2 --window 5us..20us");
    BOOST_TEST((plain == watched));
    const std::vector<std::string> expected{"run.gtkw", "run.library.gtkw", "run.links.gtkw", "run.packet.gtkw",
                                            "run.vcd"};
    BOOST_TEST(files_in(".") == expected, boost::test_tools::per_element());
}

/// What has no packet of its own stands before the first bus and behind the last one.
BOOST_AUTO_TEST_CASE(the_view_of_a_packet_begins_at_its_processor_and_ends_at_memory)
{
    const TemporaryFolder folder;
    BOOST_TEST_REQUIRE(run("--vcd run.vcd --window packet:9").status == 0);
    const std::string view = read_file("run.packet.gtkw");
    const auto at = [&view](const char* signal) { return view.find(std::string("\n") + signal + '\n'); };
    BOOST_TEST(at("node0.cpu.state") < at("node0.pci.phase"));
    BOOST_TEST(at("node0.pci.phase") < at("node0.psb.stream_buffers"));
    BOOST_TEST(at("node0.psb.stream_buffers") < at("node0.blink.owner"));
    BOOST_TEST(at("node4.blink.owner") < at("node4.psb.inbound"));
    BOOST_TEST(at("node4.psb.inbound") < at("node4.pci.phase"));
    BOOST_TEST(at("node4.pci.phase") < at("node4.cpu.state"));
    BOOST_TEST(at("node4.cpu.state") != std::string::npos);
    BOOST_TEST(at("node2.cpu.state") == std::string::npos);
}

BOOST_DATA_TEST_CASE(a_window_that_the_run_does_not_have_is_a_mistake_and_leaves_no_file,
                     boost::unit_test::data::make({"1s..2s", "first:busy-ecko", "packet:99999999", "call:99999999"}),
                     window)
{
    const TemporaryFolder folder;
    const Ended ended = ringmesh::test::ringmesh(
        words(std::string("run wulfkit-ring --workload ping-pong:sizes=64 --fst a.fst --vcd b.vcd --timeline c.pftrace "
                          "--window ") +
              window));
    BOOST_TEST(ended.status == 2, ended.err);
    BOOST_TEST(contains(ended.err, std::string("--window ") + window), ended.err);
    BOOST_TEST(contains(ended.out, "latency"));  // what was measured is not lost
    BOOST_TEST(files_in(".").empty());
}

/// The marker of the view stands where the word was first seen.
BOOST_AUTO_TEST_CASE(a_window_round_the_first_time_of_a_word_says_when_that_was)
{
    const TemporaryFolder folder;
    const Ended ended = run("--vcd run.vcd --window first:response");
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    const auto said = ended.err.find("--window first:response: at ");
    BOOST_TEST_REQUIRE(said != std::string::npos, ended.err);
    const double us = std::stod(ended.err.substr(said + 28));
    BOOST_TEST(us > 0.1);
    const std::string view = read_file("run.gtkw");
    const std::string line = view.substr(view.find("\n*") + 2);
    BOOST_TEST(std::stod(line.substr(line.find(' '))) == us * 1e6, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_window_in_which_nothing_changes_is_told)
{
    const TemporaryFolder folder;
    const Ended ended = run("--vcd run.vcd --trace *.lc2 --window 1ps..2ps");
    BOOST_TEST(ended.status == 0, ended.err);
    BOOST_TEST(contains(ended.err, "no signal changes"), ended.err);
    BOOST_TEST(!contains(run("--vcd other.vcd --window 1us..9us").err, "no signal changes"));
}

BOOST_AUTO_TEST_CASE(statistics_are_shown_when_asked)
{
    BOOST_TEST(run().out.find("node*.lc2") == std::string::npos);
    const std::string out = run("--statistics").out;
    BOOST_TEST(out.find("\nnode*.lc2\n") != std::string::npos);
    BOOST_TEST(out.find("own packets put on") != std::string::npos);
    BOOST_TEST(run_to_json("--statistics")["statistics"][0]["values"].contains("node0.lc2"));
}

BOOST_AUTO_TEST_CASE(a_big_machine_ends_without_being_destroyed)
{
    const Ended ended = ringmesh::test::ringmesh(
        words("run wulfkit-ring --set topology.dimensions=1024 --workload traffic:packets=1,warm_up=0ns --json -"));
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    BOOST_TEST(ordered_json::parse(ended.out)["results"]["rows"][0]["delivered"] == 1024);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
