// SPDX-License-Identifier: Apache-2.0
/// Every program over every library on every sort of machine: it runs, and checks its bytes, or is refused.
#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "lab/run/suitable_platforms.h"
#include "platforms/builder.h"
#include "tests/lab/run/experiments.h"
#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/platforms/configuration/user_error.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"
#include "tlm/error.h"
#include "workloads/traffic/pattern.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::lab;

/// One small machine of each sort, and a torus beside the ring.
struct SmallMachine {
    std::string platform;
    std::vector<std::string> settings;
    std::vector<std::string> overlays = {};
};
const std::vector<SmallMachine> kMachines{{"wulfkit-ring", {"topology.dimensions=4"}},
                                          {"wulfkit-torus-3x3", {"topology.dimensions=2x2"}},
                                          {"deck-cluster", {}},
                                          {"scc", {}},
                                          {"ncube-64", {"topology.dimension=3"}},
                                          {"ncube-64", {"topology.dimension=3"}, {"unbuffered-messages"}},
                                          {"wulfkit-switch", {}},
                                          {"mesh-8x8", {}}};

/// Options that make a run short; of broadcast one for each algorithm.
const std::map<std::string, std::vector<std::string>> kShort{
    {"ping-pong",
     {"to=1,sizes=1,100,repetitions=1,series=2", "to=1,sizes=1,100,repetitions=2,series=2,by=put",
      "to=1,sizes=1,100,repetitions=2,series=2,by=get"}},
    {"one-way", {"to=1,sizes=4,100,repetitions=3,series=1"}},
    {"barrier", {"members=2,repetitions=1,ranks=4"}},
    {"broadcast",
     {"algorithm=linear,size=300,repetitions=1,ranks=4", "algorithm=binomial,size=300,repetitions=1,ranks=4",
      "algorithm=cube,size=300,part=100,repetitions=1,ranks=4",
      "algorithm=dopl,size=300,part=100,pipe=50,repetitions=1", "algorithm=own,size=300,repetitions=1,ranks=4",
      "algorithm=tree,size=300,repetitions=1,ranks=4"}},
    {"chain", {"sizes=1,200,repetitions=1,ranks=4"}},
    {"exchange", {"sizes=1,200,repetitions=1,ranks=4"}},
    {"all-to-all", {"sizes=1,200,repetitions=1,ranks=4", "sizes=1,200,repetitions=1,ranks=4,overlap=true"}},
    {"nearest-neighbour", {"sizes=1,200,repetitions=1,ranks=4,quiet=true"}},
    {"deck-stages", {"size=64"}},
    {"delivery", {"messages=20,largest=1000"}},
    {"vertex-timing", {"trials=1,sizes=16,200"}},
    {"replay",
     {"goal=" RINGMESH_SOURCE_DIR "/traces/examples/relay-4.goal",
      "goal=" RINGMESH_SOURCE_DIR "/tests/workloads/replay/pairs.goal"}},
    {"stream", {"sizes=1,200,repetitions=1,messages=3"}},
};

/// Options that not all libraries of a program have.
bool can(const workloads::LibraryInfo& library, const std::string& options)
{
    const auto made = library.make();
    const auto needs = [&](const char* option, workloads::Offer offer) {
        return !test::contains(options, option) || made->has(offer);
    };
    return needs("by=", workloads::Offer::kOneSided) && needs("tree", workloads::Offer::kOneSided) &&
           needs("own", workloads::Offer::kBroadcast) && needs("overlap", workloads::Offer::kBuffered) &&
           needs("pairs.goal", workloads::Offer::kQueues);
}

const platforms::MachineKind& kind_of(const SmallMachine& machine)
{
    return platforms::machine_kind(
        configuration_of({.platform = machine.platform, .overlays = machine.overlays, .settings = machine.settings}));
}

bool runs_on(const workloads::LibraryInfo& library, const platforms::MachineKind& kind)
{
    const auto offered = kind.offers();
    return std::find(offered.begin(), offered.end(), library.runs_on) != offered.end();
}

std::vector<std::string> programs()
{
    std::vector<std::string> names;
    for (const auto& info : workloads::catalog()) {
        // Programs of others are compiled first (tests/workloads/foreign)
        if (info.uses_library() && info.name != "program") names.push_back(info.name);
    }
    return names;
}

}  // namespace

namespace ringmesh::test::matrix_test {  // outside it, `system` is a function of the C library

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(program_library_machine)

BOOST_DATA_TEST_CASE(each_cell_runs_and_finds_all_bytes_right_or_is_refused, data::make(programs()), program)
{
    const auto& info = workloads::find_workload(program);
    BOOST_TEST_REQUIRE(kShort.contains(program), program << " needs a short run in this test");
    Store store(Store::usual_folder());
    Experiments experiments;
    std::vector<std::string> planned;
    for (const SmallMachine& machine : kMachines) {
        const auto& kind = kind_of(machine);
        for (const auto& library : workloads::libraries()) {
            const std::string name(library.name);
            BOOST_TEST_CONTEXT(program << " over " << name << " on " << machine.platform)
            {
                const std::string reason = !runs_on(library, kind) ? "it runs on " + std::string(library.runs_on)
                                                                   : lacks(info, library).value_or("");
                if (!reason.empty()) {
                    const std::string refusal =
                        test::error_of([&] { choose_library(info, name, machine.platform, kind); });
                    BOOST_TEST(refusal.starts_with("--library " + name + ": " + reason), refusal);
                    continue;
                }
                BOOST_TEST(choose_library(info, name, machine.platform, kind) == &library);
                for (const std::string& options : kShort.at(program)) {
                    if (!can(library, options)) continue;
                    planned.push_back(program + ":" + options + " over " + name + " on " + machine.platform);
                    for (const std::string& overlay : machine.overlays) planned.back() += " with " + overlay;
                    experiments.plan(planned.back(), {.platform = machine.platform,
                                                      .overlays = machine.overlays,
                                                      .settings = machine.settings,
                                                      .workload = program + ":" + options,
                                                      .seed = 1,
                                                      .library = name});
                }
            }
        }
    }
    BOOST_TEST(!planned.empty());
    experiments.run(store, 2);  // throws if a byte is wrong or a rank's program does not end
    for (const std::string& name : planned) BOOST_TEST(!experiments.outcome(name).results.rows.empty(), name);
}

/// Networks with packet sources, with what a pattern must find there.
struct SmallNetwork {
    std::string platform;
    std::vector<std::string> settings = {};
    std::vector<std::string> overlays = {};
    bool is_square = true;  ///< sizes read the same backwards
    bool is_power_of_two = true;
    bool is_long = true;  ///< three nodes or more in a dimension
};
const std::vector<SmallNetwork> kNetworks{
    {.platform = "mesh-8x8"},
    {.platform = "mesh-8x8", .overlays = {"wrap-links"}},
    {.platform = "scc", .is_square = false, .is_power_of_two = false},
    {.platform = "wulfkit-ring", .settings = {"topology.dimensions=8"}, .is_square = false},
    {.platform = "wulfkit-torus-2d", .settings = {"topology.dimensions=4x4"}},
    {.platform = "wulfkit-torus-3d", .settings = {"topology.dimensions=3x2x3"}, .is_power_of_two = false},
    {.platform = "ncube-64", .settings = {"topology.dimension=4"}, .is_long = false},
};

BOOST_AUTO_TEST_CASE(each_traffic_pattern_runs_on_each_network_that_it_fits)
{
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "rates.csv") << "0,1,1\n1,0,2\n2,0,1\n";
    const std::set<std::string> of_bits{"bit-complement", "bit-reversal", "shuffle", "bit-rotation", "butterfly"};
    Store store(Store::usual_folder());
    Experiments experiments;
    std::vector<std::string> planned;
    for (const SmallNetwork& network : kNetworks) {
        for (const std::string& pattern : workloads::open_patterns().names()) {
            if (of_bits.contains(pattern) && !network.is_power_of_two) continue;
            if (pattern == "transpose" && !network.is_square) continue;
            if ((pattern == "tornado" || pattern == "quadrant") && !network.is_long) continue;
            std::string workload = "traffic:load=0.02,pattern=" + pattern;
            if (pattern == "table") workload += ",rates=" + (folder.path() / "rates.csv").string();
            planned.push_back(pattern + " on " + network.platform +
                              (network.overlays.empty() ? "" : " with wrap links"));
            experiments.plan(planned.back(), {.platform = network.platform,
                                              .overlays = network.overlays,
                                              .settings = network.settings,
                                              .workload = workload});
        }
    }
    experiments.run(store, 2);  // throws if a packet is lost
    for (const std::string& name : planned) {
        BOOST_TEST(column(experiments.outcome(name), "accepted_part").at(0) > 0.8, name);
    }
}

BOOST_AUTO_TEST_CASE(the_first_suitable_library_is_the_default)
{
    const auto chosen = [](const char* program, const SmallMachine& machine) {
        return std::string(
            choose_library(workloads::find_workload(program), "", machine.platform, kind_of(machine))->name);
    };
    BOOST_TEST(chosen("ping-pong", kMachines[0]) == "raw");
    BOOST_TEST(chosen("broadcast", kMachines[0]) == "deck");
    BOOST_TEST(chosen("ping-pong", kMachines[3]) == "rcce");
    BOOST_TEST(chosen("barrier", kMachines[4]) == "vertex");
}

BOOST_AUTO_TEST_CASE(the_page_of_programs_has_a_row_for_each_program_and_says_what_each_library_offers)
{
    const std::string page = read_file(RINGMESH_SOURCE_DIR "/docs/reference/programs/programs.md");
    for (const std::string& program : programs()) BOOST_TEST(contains(page, "\n| `" + program + "` |"), program);
    for (const auto& library : workloads::libraries()) {
        std::string offers;
        for (const auto offer : library.make()->offers()) {
            offers += (offers.empty() ? " " : ", ") + std::string(workloads::kOfferNames.name(offer));
        }
        const std::size_t name = page.find("`" + std::string(library.name) + "`");
        BOOST_TEST_REQUIRE(name != std::string::npos, library.name);
        const std::string row = page.substr(name, page.find('\n', name) - name);
        BOOST_TEST(row.ends_with("| " + std::string(library.runs_on) + " |" + offers + " |"), row);
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::test::matrix_test
