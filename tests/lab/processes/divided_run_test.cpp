// SPDX-License-Identifier: Apache-2.0
#include <sys/types.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lab/process/outside.h"
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
    {2, "wulfkit-ring --statistics --every-block --workload ping-pong:sizes=64,repetitions=3,series=2"},
    {3, "wulfkit-torus-2d --library raw:window=512 --workload ping-pong:by=put,to=5,9,14,sizes=64,series=2"},
    {4, "wulfkit-ring --library deck --workload ping-pong:any_source=true,sizes=64,4096,series=2,repetitions=2"},
    {2, "wulfkit-ring --library sci-mpich --workload one-way:sizes=8,70000,repetitions=3,series=2"},
    {3, "wulfkit-torus-2d --library scampi --workload barrier:repetitions=2"},
    {2, "deck-cluster --library deck --workload delivery:messages=60,largest=9000"},
    {4, "wulfkit-ring --library scampi --workload all-to-all:overlap=false,sizes=64,repetitions=2"},
    {3, "wulfkit-ring --library scampi --workload chain:sizes=1024,repetitions=2"},
    {2, "wulfkit-ring --library deck --workload broadcast:size=20000,per_rank=true"},
    {3, "wulfkit-torus-2d --library sci-mpich --workload replay:goal=" RINGMESH_SOURCE_DIR
        "/traces/examples/stencil-16.goal"},
    {2, "wulfkit-ring --library raw --workload replay:goal=" RINGMESH_SOURCE_DIR
        "/traces/examples/relay-4.goal --set topology.dimensions=4"},
    {2,
     "wulfkit-ring --library deck --workload exchange:sizes=64,9000,repetitions=2 --set recovery.tries=0 "
     "--fault where=node1.lc2,what=corrupt-data,when=0.003/packet"},
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

/// A run that writes a file as it goes.
struct WatchedCase {
    unsigned processes;
    std::string with;
    std::string file;  ///< behind the option that writes it
};
std::ostream& operator<<(std::ostream& out, const WatchedCase& each)
{
    return out << each.processes << ' ' << each.with << ' ' << each.file;
}
const std::string kWatchedMesh = "mesh-8x8 --workload traffic:load=0.3,flits=5,duration=1us";
const std::string kWatchedTorus = "wulfkit-torus-2d --workload traffic:load=0.5,duration=5us";
const std::string kWatchedRing =
    "wulfkit-ring --set link.flow_control=go-bits --workload traffic:load=0.9,duration=20us";
const std::string kWatchedPcs =
    "wulfkit-ring --library scampi --workload exchange:sizes=64,repetitions=1 --set topology.dimensions=4";
const std::vector<WatchedCase> kWatchedCases{
    {2, kWatchedMesh, "--vcd run.vcd"},
    {3, kWatchedMesh, "--fst run.fst"},
    {4, kWatchedMesh + " --window 500ns..700ns", "--vcd run.vcd"},
    {2, kWatchedMesh + " --window last:200ns", "--vcd run.vcd"},
    {2, kWatchedMesh + " --window packet:40", "--vcd run.vcd"},
    {3, kWatchedMesh, "--timeline run.pftrace"},
    {3, kWatchedMesh, "--packets run.csv"},
    {2, kWatchedMesh, "--record packets=run.csv"},
    {3, kWatchedMesh + " --fault where=mesh.r*.local,what=half-width,when=0.3/packet,lasts=20ns", "--packets run.csv"},
    {2, kWatchedMesh + " --fault where=mesh.r*.east,what=corrupt,when=0.01/packet", "--timeline run.pftrace"},
    {4, kWatchedMesh + " --fault where=mesh.r3_3,what=stop,when=500ns..700ns", "--vcd run.vcd"},
    {2, kWatchedMesh + " --sample 50ns", "--json run.json"},
    {3, kWatchedMesh + " --set mesh.clock=3GHz --set mesh.link=2cycles", "--vcd run.vcd"},
    {2, kWatchedTorus, "--vcd run.vcd"},
    {3, kWatchedTorus + " --window slowest", "--vcd run.vcd"},
    {4, kWatchedTorus + " --trace node1*,node22.lc2_0", "--fst run.fst"},
    {2, kWatchedTorus, "--timeline run.pftrace"},
    {2, kWatchedTorus + " --window 1us..2us", "--timeline run.pftrace"},
    {3, kWatchedTorus + " --fault where=node*.lc2*,what=corrupt-data,when=0.02/packet", "--packets run.csv"},
    {2, kWatchedTorus + " --fault where=node9.lc2_0,what=cut,when=2us..3us", "--vcd run.vcd"},
    {3, kWatchedTorus, "--packets run.csv"},
    {2, kWatchedTorus, "--record packets=run.csv"},
    {3, kWatchedTorus + " --sample 100ns", "--json run.json"},
    {3, kWatchedRing, "--vcd run.vcd"},
    {2, kWatchedRing, "--timeline run.pftrace"},
    {2, kWatchedRing, "--packets run.csv"},
    {2, "ncube-64 --workload traffic:load=0.4,duration=5ms", "--packets run.csv"},
    {3, "ncube-64 --workload traffic:load=0.4,duration=5ms", "--record packets=run.csv"},
    {2, kWatchedPcs, "--vcd run.vcd"},
    {3, kWatchedPcs, "--timeline run.pftrace"},
    {2, kWatchedPcs + " --fault where=node2.lc2,what=corrupt-header,when=0.02/packet", "--fst run.fst"},
};

BOOST_TEST_DECORATOR(*boost::unit_test::timeout(120))
BOOST_DATA_TEST_CASE(writes_the_files_that_one_process_writes, kWatchedCases)
{
    const TemporaryFolder folder;
    const std::size_t blank = sample.file.find(' ');
    std::string option = sample.file;
    option.insert(sample.file.find_first_of("=", blank) == std::string::npos ? blank + 1 : sample.file.find('=') + 1,
                  folder.path().string() + '/');
    const auto written = [&](const std::string& processes) {
        const Ended ended = run(fresh(sample.with) + " --no-wall-time " + option + processes);
        BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
        BOOST_TEST(!contains(ended.err, "one process runs it"));
        std::map<std::string, std::string> files;
        for (const std::string& name : files_in(folder.path())) {
            files[name] = read_file(folder.path() / name);
            std::filesystem::remove(folder.path() / name);
        }
        return std::pair(files, ended.err.substr(0, ended.err.find("simulated ")));
    };
    const auto one = written("");
    const auto several = written(" --processes " + std::to_string(sample.processes));
    BOOST_TEST(!one.first.empty());
    BOOST_TEST((several.first == one.first));
    BOOST_TEST(several.second == one.second);
}

BOOST_AUTO_TEST_CASE(log_lines_come_in_the_order_of_one_process)
{
    for (const std::string with : {"wulfkit-torus-2d --log *=trace --workload traffic:load=0.3,duration=1us",
                                   "mesh-8x8 --log mesh*=trace --workload traffic:load=0.3,duration=200ns"}) {
        const auto lines = [](const std::string& text) { return text.substr(0, text.rfind("simulated ")); };
        const Ended one = run(fresh(with));
        const Ended several = run(fresh(with) + " --processes 3");
        BOOST_TEST(told(one.err, " us] ") > 1000);
        BOOST_TEST((lines(several.err) == lines(one.err)), with);
    }
}

BOOST_AUTO_TEST_CASE(says_why_it_takes_one_process)
{
    for (const std::string with :
         {"--workload traffic:load=0.2,duration=1us --set mesh.detail=path", "--workload traffic:load=0.2,packets=20",
          "--workload traffic:load=0.2,duration=1us --check-order",
          "--workload traffic:load=0.2,duration=1us --status /dev/null"}) {
        const Ended ended = run(small_mesh(with) + " --processes 2");
        BOOST_TEST(ended.status == 0);
        BOOST_TEST(contains(ended.err, "one process runs it: "), with);
    }
    for (const std::string with : {"scc --workload ping-pong:sizes=32,to=1", "ncube-64 --workload ping-pong:sizes=16",
                                   "ncube-64 --statistics --workload traffic:load=0.2,duration=5ms",
                                   "wulfkit-ring --workload traffic:load=0.2,duration=5us --fault "
                                   "where=node1.lc2,what=lost-go,when=1us..2us",
                                   "ncube-64 --workload traffic:load=0.2,duration=5ms --fault "
                                   "where=node1.channels.out_0,what=parity,when=1ms"}) {
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
    BOOST_TEST(told(unwritable.err, "ringmesh: ") == 1, unwritable.err);
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
BOOST_AUTO_TEST_CASE(different_command_lines_of_one_mpirun_are_refused)
{
    const TemporaryFolder folder;
    const std::string all = small_mesh("--workload traffic:load=0.2,duration=500ns");
    const std::string waveform = all + " --vcd " + (folder.path() / "run.vcd").string();
    for (const auto& [first, second] :
         {std::pair(waveform, all), {all, waveform}, {all, fresh("scc --workload ping-pong:to=1,sizes=32")}}) {
        std::vector<std::string> line{"mpirun", "-q", "--oversubscribe", "--allow-run-as-root"};
        for (const std::string& part : {first, second}) {
            line.insert(line.end(), {"-np", "1", RINGMESH_EXECUTABLE});
            for (const std::string& word : words(part)) line.push_back(word);
            line.emplace_back(":");
        }
        line.pop_back();
        const ringmesh::lab::OutsideEnd ended = ringmesh::lab::run_outside(line);
        BOOST_TEST(ended.status == 2);
        BOOST_TEST(told(ended.output, "different runs") == 1, ended.output);
        BOOST_TEST(files_in(folder.path()).empty());
    }
}

BOOST_AUTO_TEST_CASE(faults_and_deadlocks_are_told_as_by_one_process)
{
    for (const std::string with :
         {"mesh-8x8 --workload traffic:load=0.3,duration=500ns --fault where=mesh.r3_3,what=stop,when=300ns",
          "mesh-8x8 --workload traffic:load=0.3,flits=5,duration=500ns --fault "
          "where=mesh.r1_*.north,what=down,when=1us",
          "wulfkit-torus-2d --workload traffic:load=0.4,duration=5us --fault where=node9.lc2_0,what=stop,when=1us"}) {
        const TemporaryFolder folder;
        const std::string command =
            fresh(with) + " --verbose --record packets=" + (folder.path() / "packets.csv").string();
        const Ended one = run(command);
        const Ended several = run(command + " --processes 3");
        BOOST_TEST(one.status == 1);
        BOOST_TEST(several.status == 1);
        BOOST_TEST(contains(one.err, "no progress at"), one.err);
        BOOST_TEST(several.err == one.err);
        BOOST_TEST(files_in(folder.path()).empty());  // of a trace that is not whole
    }
}

/// Two processes that have opened the file that they write at the end.
struct LongRun {
    LongRun() : program(command())
    {
        for (int look = 0; look < 200 && children.size() < 2; ++look) {
            ::usleep(50'000);
            const std::vector<pid_t> mpirun = children_of(program.pid());
            if (!mpirun.empty()) children = children_of(mpirun.front());
        }
        BOOST_TEST_REQUIRE(children.size() == 2U);
        while (files_in(folder.path()).empty()) ::usleep(50'000);
    }
    std::vector<std::string> command() const
    {
        std::vector<std::string> all = words(small_mesh("--workload traffic:load=0.3,duration=100ms --processes 2"));
        all.insert(all.end(), {"--json", folder.path() / "result.json"});
        return all;
    }

    TemporaryFolder folder;
    std::vector<pid_t> children;
    Program program;
};

BOOST_TEST_DECORATOR(*boost::unit_test::timeout(120))
BOOST_AUTO_TEST_CASE(a_killed_process_ends_all_and_is_told)
{
    for (const std::size_t killed : {std::size_t{0}, std::size_t{1}}) {
        LongRun run;
        ::kill(run.children[killed], SIGKILL);
        const Ended ended = run.program.wait();
        BOOST_TEST(ended.status == 128 + SIGKILL);
        BOOST_TEST(told(ended.err, "ringmesh: ") == 1, ended.err);
        BOOST_TEST(contains(ended.err, "killed a process"), ended.err);
        // Nobody is left to remove those of process 0
        if (killed != 0) BOOST_TEST(files_in(run.folder.path()).empty());
        for (const pid_t child : run.children) BOOST_TEST(!runs(child));
    }
}

BOOST_TEST_DECORATOR(*boost::unit_test::timeout(120))
BOOST_AUTO_TEST_CASE(a_signal_ends_all_with_the_status_of_one_process)
{
    for (const int signal : {SIGINT, SIGTERM}) {
        LongRun run;
        run.program.signal(signal);
        const Ended ended = run.program.wait();
        BOOST_TEST(ended.status == 128 + signal);
        BOOST_TEST(told(ended.err, "ringmesh: ") == 1, ended.err);
        BOOST_TEST(contains(ended.err, "interrupted"), ended.err);
        BOOST_TEST(files_in(run.folder.path()).empty());
        for (const pid_t child : run.children) BOOST_TEST(!runs(child));
    }
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
