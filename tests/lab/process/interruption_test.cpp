// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

#include "lab/table/writers/json.h"
#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"
#include "tests/traces/read_vcd.h"

namespace {

/// A result of an earlier run.
const std::string kBefore = "{\n  \"ringmesh\": {\n    \"version\": \"as it was\"\n  }\n}\n";

using namespace ringmesh::literals;
using namespace ringmesh::test;

/// Waits for a condition; gives up after a hundred seconds, which a sanitized program may need to begin on a busy
/// machine.
bool comes_true(const std::function<bool()>& thing)
{
    for (int i = 0; i < 10'000; ++i) {
        if (thing()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
}

bool holds(const std::string& file, std::string_view text)
{
    return std::filesystem::exists(file) && read_file(file).find(text) != std::string::npos;
}

/// A run that would take minutes and writes three files.
const Program::Arguments kLongRun{"run",    "wulfkit-ring", "--workload", "ping-pong:repetitions=1000000",
                                  "--json", "run.json",     "--csv",      "run.csv",
                                  "--vcd",  "run.vcd",      "--packets",  "packets.csv"};

std::vector<pid_t> children_of(pid_t pid)
{
    const std::string number = std::to_string(pid);
    std::ifstream file("/proc/" + number + "/task/" + number + "/children");
    return {std::istream_iterator<pid_t>(file), {}};
}

/// Gone, or a zombie that its new parent has not reaped yet.
bool is_dead(pid_t pid)
{
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string line;
    if (!std::getline(file, line)) return true;
    const auto end_of_name = line.rfind(") ");
    return end_of_name != std::string::npos && line.substr(end_of_name + 2, 1) == "Z";
}

/// One that others have filled leaves nothing to run.
const char* const kNewStore = "store";

/// Processor time that a process has used, in the kernel's ticks of 10 ms.
long ticks_of(pid_t pid)
{
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string line;
    std::getline(file, line);
    std::istringstream after_name(line.substr(std::min(line.size(), line.rfind(") ") + 2)));
    std::string skipped;
    for (int i = 0; i < 11; ++i) after_name >> skipped;
    long user = 0;
    after_name >> user;
    return user;
}

/// Children of a validation, stopped in the middle of their work so that they cannot end by themselves.
std::vector<pid_t> stopped_children_of(const Program& program)
{
    std::vector<pid_t> stopped;
    BOOST_TEST_REQUIRE(comes_true([&] {
        for (const pid_t child : children_of(program.pid())) {
            if (ticks_of(child) < 2) continue;
            ::kill(child, SIGSTOP);
            stopped.push_back(child);
        }
        return !stopped.empty();
    }));
    return stopped;
}

/// Whether all are dead soon; kills those that are not.
bool die(const std::vector<pid_t>& processes)
{
    return std::all_of(processes.begin(), processes.end(), [](pid_t process) {
        const bool dead = comes_true([process] { return is_dead(process); });
        if (!dead) ::kill(process, SIGKILL);
        return dead;
    });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(interruption)

/// Results are of whole runs alone; what was recorded says where it ends.
BOOST_DATA_TEST_CASE(a_run_that_is_interrupted_keeps_what_it_recorded_and_no_results,
                     data::make({SIGINT, SIGTERM, SIGHUP}) ^ data::make({130, 143, 129}), signal, status)
{
    const TemporaryFolder folder;
    folder.write("run.json", kBefore);
    Program program(kLongRun);
    // The files are opened before the run, which is under way when its waveform has something
    BOOST_TEST_REQUIRE(comes_true([] {
        const auto files = files_in(".");
        return files.size() >= 6 && std::any_of(files.begin(), files.end(), [](const std::string& file) {
                   return file.starts_with("run.vcd") && std::filesystem::file_size(file) > 0;
               });
    }));
    program.signal(signal);
    const Ended ended = program.wait();
    BOOST_TEST(ended.status == status);
    BOOST_TEST(contains(ended.err, "ringmesh: interrupted at "), ended.err);
    BOOST_TEST(ended.out == "");
    BOOST_TEST(read_file("run.json") == kBefore);
    BOOST_TEST(!std::filesystem::exists("run.csv"));
    for (const std::string& file : files_in(".")) BOOST_TEST(!contains(file, "partial"), file);
    BOOST_TEST(holds("run.vcd", "$comment interrupted at "));
    BOOST_TEST(contains(read_file("packets.csv"), "\n# interrupted at "));
    BOOST_TEST(holds("run.vcd", "$enddefinitions"));
}

BOOST_AUTO_TEST_CASE(a_run_that_is_interrupted_says_where_it_stopped_and_what_was_under_way)
{
    const TemporaryFolder folder;
    Program program({"run", "wulfkit-ring", "--workload", "traffic:load=0.6,duration=1s", "--status", "status.json"});
    // The file is there from the beginning; it is written again a second later
    BOOST_TEST_REQUIRE(comes_true([] { return holds("status.json", "SCI packets"); }));
    program.signal(SIGINT);
    const Ended ended = program.wait();
    BOOST_TEST(ended.status == 130);
    BOOST_TEST(ended.err.find(" SCI packets; the oldest is ") != std::string::npos);
    BOOST_TEST(ended.err.find("\n  node0.") != std::string::npos);
    const auto status = ringmesh::lab::Json::parse(read_file("status.json"));
    BOOST_TEST(status.at("state").as_text() == "interrupted");
    BOOST_TEST(ended.err.find(status.at("message").as_text()) != std::string::npos);
    BOOST_TEST(status.at("simulated_ns").as_number() > 0);
    BOOST_TEST(status.at("steps").as_number() > 0);
    const auto& oldest = status.at("under_way").values().at(0).at("oldest");
    BOOST_TEST(
        oldest.at("born_ns").as_number() + oldest.at("age_ns").as_number() == status.at("simulated_ns").as_number(),
        boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_run_over_its_limit_keeps_what_it_recorded)
{
    const TemporaryFolder folder;
    Program program({"run", "wulfkit-ring", "--workload", "traffic:load=0.6,duration=1s", "--limit", "500ms", "--fst",
                     "run.fst", "--timeline", "run.pftrace", "--window", "5us..10us"});
    const Ended ended = program.wait();
    BOOST_TEST(ended.status == 2);
    for (const char* file : {"run.fst", "run.pftrace"}) {
        BOOST_TEST(contains(read_file(file), "interrupted at "), file);
        BOOST_TEST(contains(read_file(file), ": --limit"), file);
    }
}

BOOST_AUTO_TEST_CASE(an_interrupted_run_keeps_its_last_microseconds)
{
    const TemporaryFolder folder;
    Program program({"run", "wulfkit-ring", "--workload", "traffic:load=0.6,duration=1s", "--status", "status.json",
                     "--vcd", "run.vcd", "--trace", "*.lc2", "--window", "last:50us"});
    BOOST_TEST_REQUIRE(comes_true([] { return holds("status.json", "SCI packets"); }));
    program.signal(SIGINT);
    const Ended ended = program.wait();
    BOOST_TEST(ended.status == 130);
    BOOST_TEST(ended.err.find("waveform in run.vcd; ") != std::string::npos, ended.err);
    const auto status = ringmesh::lab::Json::parse(read_file("status.json"));
    const auto end = ringmesh::Duration::picoseconds(std::llround(status.at("simulated_ns").as_number() * 1000));
    const auto begin = end - 50_us;
    BOOST_TEST_REQUIRE((begin > 0_us));
    std::size_t links = 0;
    for (const auto& [signal, changes] : read_vcd("run.vcd")) {
        BOOST_TEST_REQUIRE(!changes.empty(), signal);
        BOOST_TEST((changes.front().first == begin), signal);
        if (!signal.ends_with(".link_out")) continue;
        ++links;
        // At this load the longest rest of a link in 20 ms is 2 us
        for (std::size_t i = 1; i < changes.size(); ++i) {
            BOOST_TEST((changes[i].first - changes[i - 1].first < 10_us), signal);
        }
        BOOST_TEST((changes.back().first > end - 10_us), signal);
    }
    BOOST_TEST(links == 8u);
}

BOOST_AUTO_TEST_CASE(a_run_that_is_asked_says_where_it_stands_and_goes_on)
{
    const TemporaryFolder folder;
    Program program({"run", "mesh-8x8", "--workload", "traffic:load=0.3,duration=300us", "--status", "status.json"});
    BOOST_TEST_REQUIRE(comes_true([] { return std::filesystem::exists("status.json"); }));
    program.signal(SIGUSR1);
    const Ended ended = program.wait();
    BOOST_TEST(ended.status == 0);
    BOOST_TEST(ended.err.find("ringmesh: traffic: ") == 0u);
    BOOST_TEST(ended.err.find(" mesh packets; the oldest is ") != std::string::npos);
    BOOST_TEST(ringmesh::lab::Json::parse(read_file("status.json")).at("state").as_text() == "done");
}

BOOST_AUTO_TEST_CASE(the_status_of_a_run_does_not_change_its_results)
{
    const TemporaryFolder folder;
    const Program::Arguments run{"run", "wulfkit-ring", "--workload", "traffic:load=0.4", "--no-wall-time", "--json",
                                 "-"};
    Program::Arguments watched = run;
    watched.insert(watched.end(), {"--status", "status.json"});
    BOOST_TEST(Program(run).wait().out == Program(watched).wait().out);
}

BOOST_AUTO_TEST_CASE(a_validation_that_is_interrupted_leaves_neither_child_nor_file)
{
    const TemporaryFolder folder;
    Program program({"validate", "--json", "rows.json", "--store", kNewStore});
    const auto children = stopped_children_of(program);
    program.signal(SIGINT);
    const Ended ended = program.wait();
    BOOST_TEST(ended.status == 130);
    BOOST_TEST(ended.err == "ringmesh: interrupted\n");
    BOOST_TEST((files_in(".") == std::vector<std::string>{kNewStore}));
    BOOST_TEST(die(children));
}

BOOST_AUTO_TEST_CASE(an_interruption_from_the_terminal_is_reported_once)
{
    const TemporaryFolder folder;
    Program program({"validate", "--store", kNewStore});
    BOOST_TEST_REQUIRE(comes_true([&] { return !children_of(program.pid()).empty(); }));
    program.signal_group(SIGINT);
    const Ended ended = program.wait();
    BOOST_TEST(ended.status == 130);
    BOOST_TEST(ended.err == "ringmesh: interrupted\n");
}

BOOST_AUTO_TEST_CASE(children_do_not_outlive_a_validation_that_is_killed)
{
    const TemporaryFolder folder;
    Program program({"validate", "--store", kNewStore});
    const auto children = stopped_children_of(program);
    program.signal(SIGKILL);
    BOOST_TEST(die(children));
    BOOST_TEST(program.wait().status == 128 + SIGKILL);
}

BOOST_AUTO_TEST_CASE(a_closed_pipe_ends_the_program_silently)
{
    Program program({"run", "wulfkit-ring", "--workload", "ping-pong:repetitions=200", "--json", "-"});
    program.stop_reading();  // long before the run is over
    const Ended ended = program.wait();
    BOOST_TEST(ended.status == 128 + SIGPIPE);
    BOOST_TEST(ended.err == "");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
