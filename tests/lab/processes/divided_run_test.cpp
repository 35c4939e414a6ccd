// SPDX-License-Identifier: Apache-2.0
#include <sys/types.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"

namespace {

using namespace ringmesh::test;

Ended run(const std::string& line) { return ringmesh::test::ringmesh(words(line)); }

std::string fresh(const std::string& machine_and_options) { return "run " + machine_and_options + " --fresh"; }
/// mesh-8x8, which `with` changes.
std::string small_mesh(const std::string& with) { return fresh("mesh-8x8 " + with); }

struct DividedCase {
    unsigned processes;
    std::string with;
};
std::ostream& operator<<(std::ostream& out, const DividedCase& each)
{
    return out << each.processes << ' ' << each.with;
}
const std::vector<DividedCase> kDividedCases{
    {2, "mesh-8x8 --statistics --every-block --workload traffic:load=0.3,flits=5,duration=3us"},
    {3, "mesh-8x8 --workload traffic:load=0.6,flits=5,duration=2us"},
    {4, "mesh-8x8 --set mesh.wrap=true --workload traffic:load=0.4,duration=2us,kind=mixed"},
    {2, "mesh-8x8 --set mesh.clock=3GHz --workload traffic:load=0.3,flits=5,arrivals=poisson,duration=1us"},
    {3,
     "mesh-8x8 --set mesh.routing=west-first --workload "
     "traffic:load=0.3,pattern=transpose,duration=2us,show=distances"},
    {2,
     "mesh-8x8 --set mesh.columns=5 --set mesh.rows=3 --set mesh.arbitration=oldest "
     "--workload traffic:load=0.5,duration=2us,pattern=hot-spot,show=histogram"},
    {2,
     "mesh-8x8 --set mesh.columns=2 --set mesh.rows=1 --set mesh.link=3cycles --workload "
     "traffic:load=0.3,duration=2us"},
    {2, "wulfkit-torus-2d --statistics --every-block --workload traffic:load=0.5,duration=20us"},
    {3, "wulfkit-torus-3d --workload traffic:load=0.9,command=move64,duration=10us,show=distances"},
    {2, "wulfkit-ring --set link.flow_control=off --workload traffic:load=0.7,duration=50us"},
    {4, "wulfkit-switch --workload traffic:load=0.4,duration=50us"},
    {2, "ncube-64 --workload traffic:load=0.5,duration=20ms"},
};

/// How often a text tells this.
std::size_t told(const std::string& text, const std::string& what)
{
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
    return count;
}

/// State and parent of a process, from /proc/PID/stat, behind its name in parentheses.
struct Standing {
    char state = 'X';  ///< X: there is none
    pid_t parent = 0;
};
Standing standing_of(const std::filesystem::path& process)
{
    std::ifstream file(process / "stat");
    std::string line;
    std::getline(file, line);
    const std::size_t behind = line.rfind(')');
    if (behind == std::string::npos) return {};
    return {.state = line.at(behind + 2), .parent = std::stoi(line.substr(behind + 4))};
}

std::vector<pid_t> children_of(pid_t parent)
{
    std::vector<pid_t> children;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        if (standing_of(entry.path()).parent == parent) children.push_back(std::stoi(entry.path().filename()));
    }
    return children;
}

/// Not as a zombie that nobody has waited for.
bool runs(pid_t process)
{
    const char state = standing_of("/proc/" + std::to_string(process)).state;
    return state != 'X' && state != 'Z';
}

}  // namespace

BOOST_AUTO_TEST_SUITE(divided_run)

BOOST_TEST_DECORATOR(*boost::unit_test::timeout(120))
BOOST_DATA_TEST_CASE(gives_what_one_process_gives, kDividedCases)
{
    const std::string command = fresh(sample.with) + " --no-wall-time --json -";
    const Ended one = run(command);
    const Ended several = run(command + " --processes " + std::to_string(sample.processes));
    BOOST_TEST_REQUIRE(one.status == 0);
    BOOST_TEST(several.status == 0);
    BOOST_TEST(several.out == one.out);
    BOOST_TEST(!contains(several.err, "one process runs it"));
}

BOOST_AUTO_TEST_CASE(prints_what_one_process_prints)
{
    const std::string command = small_mesh("--workload traffic:load=0.3,duration=1us --statistics --every-block");
    const Ended one = run(command);
    const Ended several = run(command + " --processes 2");
    BOOST_TEST(one.status == 0);
    BOOST_TEST(!contains(several.err, "one process runs it"));
    BOOST_TEST(several.out == one.out);
}

BOOST_AUTO_TEST_CASE(says_why_it_takes_one_process)
{
    for (const std::string with :
         {"--workload traffic:load=0.2,duration=1us --set mesh.detail=path", "--workload traffic:load=0.2,packets=20",
          "--workload traffic:load=0.2,duration=1us --sample 100ns",
          "--workload traffic:load=0.2,duration=1us --fault where=mesh.r1_1.east,what=down,when=5us..9us"}) {
        const Ended ended = run(small_mesh(with) + " --processes 2");
        BOOST_TEST(ended.status == 0);
        BOOST_TEST(contains(ended.err, "one process runs it: "), with);
    }
    for (const std::string with :
         {"wulfkit-ring --workload ping-pong", "ncube-64 --statistics --workload traffic:load=0.2,duration=5ms",
          "wulfkit-ring --workload traffic:load=0.2,duration=5us --fault "
          "where=node1.lc2,what=corrupt-data,when=1us..2us"}) {
        const Ended ended = run(fresh(with) + " --processes 2");
        BOOST_TEST(ended.status == 0);
        BOOST_TEST(contains(ended.err, "one process runs it: "), with);
    }
}

BOOST_AUTO_TEST_CASE(keeps_the_result_and_finds_it_again)
{
    const TemporaryFolder folder;
    const std::string command = "run mesh-8x8 --workload traffic:load=0.2,duration=1us --store " +
                                (folder.path() / "store").string() + " --processes 2";
    const Ended first = run(command);
    const Ended second = run(command);
    BOOST_TEST(first.status == 0);
    BOOST_TEST(!contains(first.err, "from the store"));
    BOOST_TEST(!contains(first.err, "one process runs it"));
    BOOST_TEST(contains(second.err, "from the store"));
    BOOST_TEST(second.out == first.out);
}

BOOST_AUTO_TEST_CASE(mistakes_are_told_once)
{
    const Ended unwritable = run(small_mesh("--workload traffic:load=0.2 --processes 2 --json /nowhere/result.json"));
    BOOST_TEST(unwritable.status == 2);
    BOOST_TEST(told(unwritable.err, "/nowhere/result.json") == 1);
    const Ended too_much = run(small_mesh("--workload traffic:load=5 --processes 2"));
    BOOST_TEST(too_much.status == 2);
    BOOST_TEST(told(too_much.err, "load=") == 1, too_much.err);
    const Ended too_many =
        run(small_mesh("--workload traffic:load=0.2 --set mesh.columns=2 --set mesh.rows=1 --processes 3"));
    BOOST_TEST(too_many.status == 2);
    BOOST_TEST(told(too_many.err, "--processes 3") == 1, too_many.err);
    const Ended limited = run(small_mesh("--workload traffic:load=0.3,duration=1ms --processes 2 --limit 1s"));
    BOOST_TEST(limited.status == 2);
    BOOST_TEST(contains(limited.err, "--limit"));
    BOOST_TEST(limited.out.empty());
    const Ended late = run(small_mesh("--workload traffic:load=0.3,duration=1us --processes 2 --limit 1ms"));
    BOOST_TEST(late.status == 2);
    BOOST_TEST(told(late.err, "--limit") == 1, late.err);
}

BOOST_TEST_DECORATOR(*boost::unit_test::timeout(120))
BOOST_AUTO_TEST_CASE(a_killed_process_ends_all_and_leaves_no_file)
{
    const TemporaryFolder folder;
    std::vector<std::string> command = words(small_mesh("--workload traffic:load=0.3,duration=100ms --processes 2"));
    command.insert(command.end(), {"--json", folder.path() / "result.json"});
    Program program(command);
    std::vector<pid_t> children;
    for (int look = 0; look < 200 && children.size() < 2; ++look) {
        ::usleep(50'000);
        children = children_of(program.pid());
    }
    BOOST_TEST_REQUIRE(children.size() == 2U);
    while (files_in(folder.path()).empty()) ::usleep(50'000);  // the one that is written at the end
    ::kill(children.back(), SIGKILL);
    const Ended ended = program.wait();
    BOOST_TEST(ended.status != 0);
    BOOST_TEST(files_in(folder.path()).empty());
    for (const pid_t child : children) BOOST_TEST(!runs(child));
}

BOOST_AUTO_TEST_CASE(list_shows_the_parts)
{
    const auto json = nlohmann::json::parse(run("list cut mesh-8x8 --processes 4 --json").out);
    double work = 0;
    int places = 0;
    for (const auto& process : json["processes"]) {
        work += process["work_percent"].get<double>();
        places += process["places"].get<int>();
        BOOST_TEST(process["work_percent"].get<double>() == 25., boost::test_tools::tolerance(0.15));
    }
    BOOST_TEST(work == 100., boost::test_tools::tolerance(1e-9));
    BOOST_TEST(places == 64);
    BOOST_TEST(json["window_ns"].get<double>() == 1.999);
    const auto torus = nlohmann::json::parse(run("list cut wulfkit-torus-2d --processes 2 --json").out);
    BOOST_TEST(torus["window_ns"].get<double>() == 6.671);  // a metre of cable
    BOOST_TEST(run("list cut scc").status == 2);
}

BOOST_AUTO_TEST_SUITE_END()
