// SPDX-License-Identifier: Apache-2.0
/// Faults of the hardware at the command line: who takes them, how a run ends that one of them ends.
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"
#include "tlm/simulation/fault_times.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;

constexpr const char* kCut = "where=node3.lc2,what=cut,when=20 us";

Program::Arguments with(const std::string& command, const std::vector<std::string>& faults)
{
    Program::Arguments all = words(command);
    for (const std::string& fault : faults) all.insert(all.end(), {"--fault", fault});
    return all;
}

struct Command {
    const char* text;
    bool stores = true;
    friend std::ostream& operator<<(std::ostream& out, const Command& command) { return out << command.text; }
};
const std::vector<Command> kCommands{
    {"run wulfkit-ring --workload ping-pong:sizes=64"},
    {"explain wulfkit-ring --from 0 --to 1", false},
    {"explain wulfkit-ring --workload ping-pong:sizes=64 --slowest 1", false},
    {"saturate mesh-8x8 --set mesh.columns=2 --set mesh.rows=2 --workload traffic:duration=1us,warm_up=200ns"},
    {"sweep wulfkit-ring --workload ping-pong:sizes=64 --axis link.idle_symbols=2,3"},
    {"whatif wulfkit-ring --workload ping-pong:sizes=64 --axis link.idle_symbols=2,3 --variant "
     "slow=link.symbol_time=9ns"},
    {"check wulfkit-ring", false}};

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(fault_commands)

/// None leaves a fault out silently.
BOOST_DATA_TEST_CASE(each_command_knows_the_words, data::make(kCommands), command)
{
    const TemporaryFolder folder;
    const Ended ended = ringmesh::test::ringmesh(
        with(command.text + std::string(command.stores ? " --store store" : ""), {"where=*,what=melt,when=5 us"}));
    BOOST_TEST(ended.status != 0);
    BOOST_TEST(contains(ended.err, "'melt'"), ended.err);
}

struct Mistake {
    std::vector<std::string> faults;
    const char* has;
    friend std::ostream& operator<<(std::ostream& out, const Mistake& mistake) { return out << mistake.has; }
};
const std::vector<Mistake> kMistakes{{{""}, "without where"},
                                     {{"where=*"}, "without what"},
                                     {{"where=*,what=cut"}, "without when"},
                                     {{"where=*,what=cut,when=1us,when=2us"}, "when is there twice"},
                                     {{"where=*,whta=cut,when=1us"}, "did you mean 'what'"},
                                     {{"where=*,what=cut,when=1us,lasts=0 us"}, "fault.fault1.lasts"},
                                     {{"where=*,what=cut,when=packet 3"}, "--fault where=*: fault.fault1.lasts"},
                                     {{"where=*,what=cut,when=1 us,seed=7"}, "fault.fault1.seed"},
                                     {{"where=*,what=lose-packet,when=1e-7/s"}, "fault.fault1.when"},
                                     {{"where=*,what=lose-packet,when=1e12/s"}, "fault.fault1.when"},
                                     {{"where=*,what=full,when=9000000 s,lasts=9000000 s"}, "fault.fault1.lasts"},
                                     {{"where=nod1.lc2,what=cut,when=1 us"}, "did you mean 'node1.lc2'"},
                                     {{"where=*,what=cud,when=1 us"}, "--fault what=cud: "},
                                     {{kCut, "where=nodes,what=cut,when=1/pakcet"}, "fault.fault2.when"}};

BOOST_DATA_TEST_CASE(a_mistake_names_the_option_and_the_key, data::make(kMistakes), mistake)
{
    const Ended ended =
        ringmesh::test::ringmesh(with("run wulfkit-ring --workload ping-pong:sizes=64", mistake.faults));
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(contains(ended.err, mistake.has), ended.err);
}

/// Names of --fault are no others': neither takes keys of the other.
BOOST_AUTO_TEST_CASE(an_option_does_not_replace_a_fault_of_the_same_name)
{
    const TemporaryFolder folder;
    const auto overlay = folder.write("mine.toml",
                                      "description = \"mine\"\napplies_to = [\"wulfkit\"]\n[fault.fault1]\n"
                                      "where = \"*\"\nwhat = \"full\"\nwhen = \"1us..2us\"\n");
    const std::string run = "run wulfkit-ring --workload ping-pong:sizes=64 ";
    for (const auto& [text, key] : {std::pair(run + "--set fault.fault1.what=cut", "--set fault.fault1.what=cut"),
                                    std::pair(run + "--overlay " + overlay, "mine.toml:4: fault.fault1.where")}) {
        for (const auto& faults : {std::vector<std::string>{}, std::vector<std::string>{kCut}}) {
            const Ended ended = ringmesh::test::ringmesh(with(text, faults));
            BOOST_TEST(ended.status == 2);
            BOOST_TEST(contains(ended.err, key), ended.err);
        }
    }
}

/// Each of several faults, also one that has not struck.
BOOST_AUTO_TEST_CASE(results_say_how_often_each_fault_struck)
{
    const Ended ended = ringmesh::test::ringmesh(
        with("run wulfkit-ring --workload traffic:load=0.1,packets=50 --csv -",
             {"where=node1.lc2,what=lose-packet,when=packet 3", "where=node2.lc2,what=cut,when=1 s"}));
    BOOST_TEST(ended.status == 0);
    BOOST_TEST(contains(ended.out, "fault1 (lose-packet) struck 1 time at node1.lc2, fault2 (cut) struck 0 times"),
               ended.out);
}

/// Of 48 cores nearly each has something that waits.
BOOST_AUTO_TEST_CASE(why_a_run_failed_is_said_in_twelve_lines_unless_all_is_asked_for)
{
    const std::string run =
        "run scc --workload barrier:ranks=48 --library rcce --fault where=mesh.r2_1,what=stop,when=1us";
    const auto lines_of = [](const std::string& text) {
        std::vector<std::string> lines;
        std::istringstream all(text);
        for (std::string line; std::getline(all, line);) lines.push_back(line);
        return lines;
    };
    const Ended ended = ringmesh::test::ringmesh(words(run));
    BOOST_TEST(ended.status == 1, ended.err);
    const auto said = lines_of(ended.err);
    BOOST_TEST(said.size() <= 12u, ended.err);
    for (const std::string& line : said) BOOST_TEST(line.size() <= 200u, line);
    const Ended all = ringmesh::test::ringmesh(words(run + " --verbose"));
    BOOST_TEST(all.status == 1);
    BOOST_TEST(lines_of(all.err).size() > 40u, all.err);
}

BOOST_DATA_TEST_CASE(who_waits_for_a_link_that_is_down_is_told_how_routes_do_without_it, data::make({"path", "flit"}),
                     detail)
{
    const std::string run = "run mesh-8x8 --workload traffic:load=0.1,duration=3us --set mesh.detail=";
    const Ended ended =
        ringmesh::test::ringmesh(words(run + std::string(detail) + " --fault where=mesh.r1_1.east,what=down,when=0us"));
    BOOST_TEST(ended.status == 1, ended.err);
    for (const char* key : {"mesh.cut_links=\"r1_1.east\"", "mesh.routes_by=\"up-down\""}) {
        BOOST_TEST(contains(ended.err, key), ended.err);
    }
    const Ended cured = ringmesh::test::ringmesh(
        words(run + std::string(detail) + " --set mesh.cut_links=r1_1.east --set mesh.routes_by=up-down"));
    BOOST_TEST(cured.status == 0, cured.err);
}

/// Those that help and lists show.
BOOST_AUTO_TEST_CASE(each_form_of_when_that_is_listed_is_taken)
{
    const auto listed = nlohmann::json::parse(out_of("list faults wulfkit-ring --json"));
    BOOST_TEST(listed.at("times").size() == kFaultTimeForms.size());
    for (const FaultTimeForm& form : kFaultTimeForms) {
        std::string when(form.when);
        std::erase(when, '"');
        const Ended ended =
            ringmesh::test::ringmesh(with("check wulfkit-ring", {"where=node1.lc2,what=lose-packet," + when}));
        BOOST_TEST(ended.status == 0, ended.err);
    }
}

/// What it struck comes first, whoever gives up.
BOOST_DATA_TEST_CASE(
    who_ends_by_a_fault_names_it,
    data::make({"wulfkit-ring --workload ping-pong:sizes=64,repetitions=50 --library deck "
                "--fault where=node3.lc2,what=cut,when=20us",
                "scc --workload barrier:ranks=8 --library rcce --fault where=core1,what=halt,when=1us",
                "mesh-8x8 --workload traffic:load=0.1,duration=3us --fault where=mesh.r1_1,what=stop,when=1us",
                "ncube-64 --set topology.dimension=2 --workload ping-pong:sizes=8 --library vertex "
                "--fault where=node*.channels.out_*,what=parity,when=1/packet"}),
    machine)
{
    for (const std::string command : {"run ", "explain "}) {
        const Ended ended = ringmesh::test::ringmesh(words(command + machine));
        BOOST_TEST(ended.status == 1, ended.err);
        BOOST_TEST(contains(ended.err, "the run ended by a fault: fault1 ("), ended.err);
    }
}

/// What arrived before is shown, and what was struck.
BOOST_DATA_TEST_CASE(explain_shows_a_run_that_a_fault_ends,
                     data::make({"explain wulfkit-ring --from 0 --to 1 --fault where=node0.lc2,what=cut,when=0us",
                                 "explain wulfkit-ring --workload ping-pong:sizes=64,repetitions=50 --slowest 2 "
                                 "--fault where=node3.lc2,what=cut,when=20us"}),
                     command)
{
    const Ended ended = ringmesh::test::ringmesh(words(std::string(command) + " --json -"));
    BOOST_TEST(ended.status == 1, ended.err);
    const auto json = nlohmann::json::parse(ended.out);
    BOOST_TEST(contains(json.value("ended_by_fault", ""), "fault1 (cut) struck"));
    BOOST_TEST(!json["legs"].empty());
    BOOST_TEST(contains(json["notes"].dump(), "struck by a fault: cut of node"));
}

/// Also if it was not slow.
BOOST_AUTO_TEST_CASE(explain_names_struck_packets_that_are_not_among_the_slowest)
{
    const std::string run = "explain wulfkit-ring --workload traffic:load=0.3,packets=50 --slowest 1 --json -";
    const auto json =
        nlohmann::json::parse(ringmesh::test::ringmesh(with(run, {"where=node1.lc2,what=slow,when=packet 3",
                                                                  "where=node2.lc2,what=full,when=3us..3100ns"}))
                                  .out);
    BOOST_TEST(contains(json["notes"].dump(), "arrived and are not among these"));
    BOOST_TEST(contains(json["notes"].dump(), "slow of node1.lc2"));
}

/// Which of the blocks knows a word shows when the machine is built.
BOOST_AUTO_TEST_CASE(check_takes_faults)
{
    const std::string good = "check wulfkit-ring --fault where=node1.lc2,what=cut,when=1us";
    const std::string bad = "check scc --set fault.a={where='core1',what='holt',when='1us'}";
    BOOST_TEST(ringmesh::test::ringmesh(words(good)).status == 0);
    const Ended ended = ringmesh::test::ringmesh(words(bad));
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(contains(ended.err, "fault.a.what"), ended.err);
}

/// Before the many blocks that only wait.
BOOST_AUTO_TEST_CASE(the_end_of_a_mesh_names_the_culprit_first)
{
    const Ended ended = ringmesh::test::ringmesh(with("run mesh-8x8 --verbose --workload traffic:load=0.1,duration=3us",
                                                      {"where=mesh.r1_1,what=stop,when=1us"}));
    BOOST_TEST(ended.status == 1);
    BOOST_TEST(contains(ended.err, "mesh.holes=\"r1_1\""), ended.err);
    const std::size_t mesh = ended.err.find("\n  mesh: ");
    BOOST_TEST_REQUIRE(mesh != std::string::npos, ended.err);
    const std::string first = ended.err.substr(mesh, ended.err.find('\n', mesh + 1) - mesh);
    BOOST_TEST(first.find("wait for r1_1.") < first.find("requests wait to enter"), first);
    BOOST_TEST(contains(ended.err, "and 60 more like these"), ended.err);
}

/// What led to its end can be looked at.
BOOST_AUTO_TEST_CASE(a_run_that_a_fault_ends_keeps_its_waveform)
{
    const TemporaryFolder folder;
    const Ended ended = ringmesh::test::ringmesh(
        with("run wulfkit-ring --workload ping-pong --library deck --vcd cut.vcd --window 10us..30us", {kCut}));
    BOOST_TEST(ended.status == 1, ended.err);
    BOOST_TEST(contains(read_file("cut.vcd"), "$enddefinitions"));
}

struct Taken {
    const char* run;
    const char* fault;
    friend std::ostream& operator<<(std::ostream& out, const Taken& taken) { return out << taken.run; }
};

/// Packets and bytes that a fault took are missing, at the end or when a program looks: no broken law of the model.
BOOST_DATA_TEST_CASE(what_a_fault_took_is_no_mistake_of_the_model,
                     data::make(std::vector<Taken>{
                         {"ncube-64 --set topology.dimension=1 --seed 1869715941 "
                          "--workload traffic:pattern=all-to-all,window=2",
                          "where=node1,what=stop,when=500us"},
                         {"scc --seed 828048380 --workload broadcast:size=4 --library ircce",
                          "where=tile*.mpb,what=lose-write,when=1/packet"},
                         {"scc --seed 1424795574 --workload broadcast:size=65 --library ircce",
                          "where=tile*.mpb,what=lose-write,when=packet 9"},
                     }),
                     taken)
{
    const Ended ended = ringmesh::test::ringmesh(with(std::string("run ") + taken.run, {taken.fault}));
    BOOST_TEST(ended.status == 1, ended.err);
    BOOST_TEST(contains(ended.err, "the run ended by a fault: fault1 ("), ended.err);
}

constexpr const char* kSmallMesh =
    "saturate mesh-8x8 --set mesh.columns=2 --set mesh.rows=2 --set recovery.tries=1 "
    "--workload traffic:duration=1us,warm_up=200ns --store s --json -";

/// Then there is nothing to search for.
BOOST_AUTO_TEST_CASE(saturate_ends_if_a_fault_ends_the_run_of_the_lowest_load)
{
    const TemporaryFolder folder;
    const Ended ended = ringmesh::test::ringmesh(with(kSmallMesh, {"where=mesh.r1_1,what=stop,when=0 us"}));
    BOOST_TEST(ended.status == 1, ended.err);
    BOOST_TEST(ended.out == "");
    BOOST_TEST(contains(ended.err, "fault1 (stop) struck"), ended.err);
}

/// The link is down for ever once one packet was corrupted, which short runs at low loads do not live to see.
BOOST_AUTO_TEST_CASE(a_load_at_which_a_fault_ends_the_run_is_not_carried)
{
    const TemporaryFolder folder;
    const Ended ended =
        ringmesh::test::ringmesh(with(kSmallMesh, {"where=mesh.r0_0.east,what=corrupt,when=packet 150"}));
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    const auto json = nlohmann::json::parse(ended.out);
    std::set<std::string> states;
    for (const auto& point : json["points"]) {
        states.insert(point["state"].get<std::string>());
        if (point["state"] == "fault") BOOST_TEST(point["saturated"].get<bool>());
    }
    BOOST_TEST(states.contains("fault"));
    BOOST_TEST(states.contains("below"));
    BOOST_TEST(contains(json["results"]["notes"].dump(), "fault: a fault ended the run"));
}

/// It is the answer for these inputs, and is not run again.
BOOST_AUTO_TEST_CASE(a_point_that_a_fault_ended_is_kept_with_its_state)
{
    const TemporaryFolder folder;
    const auto sweep = with(
        "sweep wulfkit-ring --workload ping-pong:sizes=64,repetitions=50 --library deck "
        "--axis link.idle_symbols=2,3 --store store",
        {kCut});
    const Ended first = ringmesh::test::ringmesh(sweep);
    BOOST_TEST(first.status == 1, first.err);
    BOOST_TEST(contains(first.err, ": fault: fault1 (cut) struck"), first.err);
    BOOST_TEST(first.out == "");  // no table without rows
    const Ended second = ringmesh::test::ringmesh(sweep);
    BOOST_TEST(contains(second.err, ": 0 run in"), second.err);
}

/// Retries on a PCI bus while all wait for a response time-out of 10 ms, the default, are no livelock.
BOOST_DATA_TEST_CASE(who_waits_long_for_a_time_out_is_not_stuck, data::make({"deck", "scampi"}), library)
{
    const Ended ended = ringmesh::test::ringmesh(
        with(std::string("run wulfkit-ring --workload exchange:sizes=64 --set recovery.tries=0 --library ") + library,
             {"where=node*.lc2,what=lose-packet,when=packet 5"}));
    BOOST_TEST(ended.status == 0, ended.err);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
