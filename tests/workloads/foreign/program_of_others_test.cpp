// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "lab/process/outside.h"
#include "tests/support/program.h"
#include "workloads/foreign/program_of_others.h"

namespace ringmesh::workloads {
namespace {

namespace files = std::filesystem;
using test::contains;
using test::Ended;
using test::ringmesh;

const std::string kSources = RINGMESH_SOURCE_DIR "/tests/workloads/foreign/programs/";

struct Folder {
    Folder()
    {
        std::string name = (files::temp_directory_path() / "ringmesh-foreign-XXXXXX").string();
        BOOST_REQUIRE(::mkdtemp(name.data()) != nullptr);
        folder = name;
    }
    ~Folder() { files::remove_all(folder); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    files::path folder;
};

/// A folder of its own for what a case compiles. What ringmesh fc makes once is for all of them.
struct Workshop : Folder {
    Workshop()
    {
        static const Folder cache;
        ::setenv("XDG_CACHE_HOME", cache.folder.c_str(), 1);
    }

    std::string compiled(const std::string& source)
    {
        const std::string program = (folder / files::path(source).stem()).string();
        test::Program::Arguments words{"cc", "-g", "-O1", "-Wall", "-Wextra", kSources + source, "-o", program};
        if (source.ends_with(".cc")) words.front() = "c++";
        if (source.ends_with(".f90")) {
            words.front() = "fc";
            words.insert(words.end(), {"-Wno-unused-dummy-argument", "-Wno-compare-reals", "-J", folder.string()});
        }
        // One call with arguments of many types
        if (source.ends_with(".f")) words = {"fc", "-g", "-O1", "-w", kSources + source, "-o", program};
        const Ended ended = ringmesh(words);
        BOOST_TEST(ended.status == 0);
        BOOST_TEST(ended.err == "");
        return program;
    }
};

Ended run(const std::string& platform, const std::string& library, const std::string& program, int ranks,
          const test::Program::Arguments& arguments = {}, const std::string& setting = "")
{
    test::Program::Arguments all{"run",       platform, "--library", library,
                                 "--program", program,  "--ranks",   std::to_string(ranks)};
    if (!setting.empty()) all.insert(all.end(), {"--set", setting});
    if (!arguments.empty()) all.emplace_back("--");
    all.insert(all.end(), arguments.begin(), arguments.end());
    return ringmesh(all);
}

void runs_well(const std::string& source, const std::string& platform, const std::string& library, int ranks,
               const std::string& setting = "", const std::string& last = "MPI_Finalize")
{
    Workshop workshop;
    const Ended ended = run(platform, library, workshop.compiled(source), ranks, {}, setting);
    BOOST_TEST(ended.out == "all is well\n");
    BOOST_TEST(ended.status == 0);
    BOOST_TEST(contains(ended.err, last));
}

/// What a ping-pong has printed: a time for each size.
std::map<int, double> latencies(const Ended& ended)
{
    std::map<int, double> all;
    std::istringstream lines(ended.out);
    int size = 0;
    double latency = 0;
    while (lines >> size >> latency) all[size] = latency;
    return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(programs_of_others)

BOOST_AUTO_TEST_CASE(messages_keep_bytes_order_and_meaning)
{
    runs_well("messages.c", "wulfkit-torus-2d", "scampi", 3);
    runs_well("messages.c", "wulfkit-ring", "sci-mpich:eager_limit=1024,slots=8", 5);
    runs_well("messages.c", "scc", "rcce", 4);
}

BOOST_AUTO_TEST_CASE(collective_calls_move_and_combine_what_they_must)
{
    for (const int ranks : {1, 2, 3, 8, 11}) runs_well("collectives.c", "wulfkit-torus-2d", "scampi", ranks);
    runs_well("collectives.c", "scc", "ircce", 6);
}

BOOST_AUTO_TEST_CASE(messages_over_deck_keep_their_meaning)
{
    const std::string eight = "topology.dimensions=8";
    for (const int ranks : {2, 8}) runs_well("messages.c", "deck-cluster", "deck", ranks, eight);
    // Whatever stalls: a full ring, a full buffer, acknowledgements that are late
    runs_well("messages.c", "deck-cluster", "deck:slots=8,acknowledge=4,limit=100", 3);
    runs_well("messages.c", "deck-cluster", "deck:buffer=4096,slots=8", 3);
    runs_well("messages.c", "wulfkit-ring", "deck:stores=memcpy", 3);
    runs_well("messages.c", "wulfkit-ring", "deck:transfer=dma", 3);
    for (const int ranks : {1, 4}) runs_well("collectives.c", "deck-cluster", "deck", ranks);
    runs_well("requests.c", "deck-cluster", "deck", 3);
    runs_well("windows.c", "deck-cluster", "deck", 3);
    runs_well("kinds.c", "deck-cluster", "deck", 5, eight);
    runs_well("neighbors.c", "deck-cluster", "deck", 6, eight);
    Workshop workshop;
    const std::string program = workshop.compiled("ping_pong.c");
    for (const char* const option : {"protocol=2", "notification=interrupt"}) {
        const Ended refused = run("deck-cluster", std::string("deck:") + option, program, 2);
        BOOST_TEST(refused.status == 2);
        BOOST_TEST(contains(refused.err, std::string("; write ") + std::string(option).substr(0, 8)), refused.err);
    }
    const Ended large = run("deck-cluster", "deck", program, 2, {"16777216"}, "host.memory=16MiB");
    BOOST_TEST(large.status == 2);
    BOOST_TEST(contains(large.err, "left for messages"), large.err);
    const Ended noted = run("deck-cluster", "deck", program, 2, {"8"});
    BOOST_TEST(contains(noted.err, "an envelope that the model adds"), noted.err);
    BOOST_TEST(!contains(noted.err, "carries no length"), noted.err);  // here it does
    // What is lost is sent again by software
    const Ended struck = ringmesh({"run", "wulfkit-ring", "--library", "deck", "--set", "recovery.tries=0", "--set",
                                   "recovery.echo_timeout=20us", "--set", "recovery.response_timeout=100us", "--fault",
                                   "where=*.lc2,what=lose-packet,when=1e-4/packet", "--program",
                                   workshop.compiled("messages.c"), "--ranks", "3"});
    BOOST_TEST(struck.out == "all is well\n", struck.err);
    BOOST_TEST(struck.status == 0);
}

BOOST_AUTO_TEST_CASE(messages_over_vertex_keep_their_meaning)
{
    const std::string memory = "memory.size=16MiB";
    for (const int ranks : {2, 3, 8}) runs_well("messages.c", "ncube-64", "vertex", ranks, memory);
    for (const int ranks : {1, 4, 7}) runs_well("collectives.c", "ncube-64", "vertex", ranks, memory);
    for (const int ranks : {2, 3, 8}) runs_well("requests.c", "ncube-64", "vertex", ranks, memory);
    runs_well("kinds.c", "ncube-64", "vertex", 5);
    runs_well("neighbors.c", "ncube-64", "vertex", 6);
    Workshop workshop;
    const Ended small = run("ncube-64", "vertex", workshop.compiled("messages.c"), 8);
    BOOST_TEST(small.status == 2);
    BOOST_TEST(contains(small.err, "memory.size"));
}

BOOST_AUTO_TEST_CASE(collective_calls_give_the_same_by_each_algorithm)
{
    Workshop workshop;
    const std::string program = workshop.compiled("collectives.c");
    std::set<double> times;
    for (const int ranks : {3, 8}) {
        for (const std::string algorithms :
             {"bcast=binomial,reduce=binomial,allreduce=doubling,allgather=doubling,alltoall=pairwise,"
              "reduce_scatter=pairwise",
              "bcast=scatter-doubling,reduce=scatter-gather,allreduce=scatter-allgather,allgather=bruck,alltoall=bruck,"
              "reduce_scatter=halving",
              "bcast=scatter-ring,allgather=ring,alltoall=scattered", "bcast=cube", "bcast=dopl"}) {
            const Ended ended =
                ringmesh({"run", "wulfkit-torus-2d", "--library", "scampi", "--workload",
                          fmt::format("program:file={},ranks={},{}", program, ranks, algorithms), "--json", "-"});
            BOOST_TEST_CONTEXT(ranks << " ranks, " << algorithms)
            {
                BOOST_TEST(ended.status == 0);
                BOOST_TEST(contains(ended.err, "all is well\n"));
                const auto json = nlohmann::json::parse(ended.out);
                const std::string notes = json["results"]["notes"].dump();
                // There is no grid of 3, and no doubling
                BOOST_TEST(contains(notes, "bcast = ") ==
                           (ranks == 3 && (algorithms == "bcast=dopl" || contains(algorithms, "bcast=scatter-d"))));
                BOOST_TEST(contains(notes, "allgather = ") == (ranks == 3 && contains(algorithms, "allgather=d")));
                times.insert(json["simulated_ns"].get<double>());
            }
        }
    }
    BOOST_TEST(times.size() == 10U);  // each took its own way
    BOOST_TEST(ringmesh({"run", "wulfkit-torus-2d", "--library", "scampi", "--workload",
                         "program:file=" + program + ",ranks=2,bcast=fastest"})
                   .status == 2);
}

/// "send 64b", "recv 64b": how often a trace has each.
std::map<std::string, std::size_t> messages_in(const std::string& trace)
{
    std::map<std::string, std::size_t> found;
    std::istringstream lines(test::read_file(trace));
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string label, word, bytes;
        if (words >> label >> word >> bytes && (word == "send" || word == "recv")) ++found[word + ' ' + bytes];
    }
    return found;
}

/// The replay of a trace sends the same messages.
BOOST_DATA_TEST_CASE(messages_of_a_program_are_recorded_and_replayed,
                     boost::unit_test::data::make({"messages.c", "collectives.c", "two_groups.c"}), source)
{
    Workshop shop;
    const std::string program = shop.compiled(source);
    const std::string trace = (shop.folder / "program.goal").string();
    const std::string again = (shop.folder / "again.goal").string();
    const Ended recorded = ringmesh({"run", "wulfkit-ring", "--library", "scampi", "--program", program, "--ranks", "4",
                                     "--record", "goal=" + trace});
    BOOST_TEST_REQUIRE(recorded.status == 0, recorded.err);
    const auto messages = messages_in(trace);
    BOOST_TEST(messages.size() > 4u);
    for (const auto& [message, times] : messages) {
        const std::string other = (message.starts_with("send") ? "recv" : "send") + message.substr(4);
        BOOST_TEST(messages.at(other) == times, message);
    }
    const Ended replayed = ringmesh({"run", "wulfkit-ring", "--library", "scampi", "--workload", "replay:goal=" + trace,
                                     "--record", "goal=" + again});
    BOOST_TEST_REQUIRE(replayed.status == 0, replayed.err);
    BOOST_TEST((messages_in(again) == messages));
    const Ended elsewhere =
        ringmesh({"run", "deck-cluster", "--library", "deck", "--workload", "replay:goal=" + trace});
    BOOST_TEST(elsewhere.status == 0, elsewhere.err);
}

/// RCCE sends nothing if a message has no bytes, as those of a barrier.
BOOST_AUTO_TEST_CASE(a_trace_is_replayed_over_rcce)
{
    Workshop shop;
    const std::string trace = (shop.folder / "program.goal").string();
    const Ended recorded = ringmesh({"run", "scc", "--library", "rcce", "--program", shop.compiled("bytes.c"),
                                     "--ranks", "4", "--record", "goal=" + trace});
    BOOST_TEST_REQUIRE(recorded.status == 0, recorded.err);
    const Ended replayed = ringmesh({"run", "scc", "--library", "rcce", "--workload", "replay:goal=" + trace});
    BOOST_TEST(replayed.status == 0, replayed.err);
}

BOOST_AUTO_TEST_CASE(bytes_of_calls_are_those_of_messages_and_results_are_apart_from_what_it_prints)
{
    Workshop workshop;
    const Ended ended = ringmesh({"run", "wulfkit-ring", "--library", "scampi", "--program",
                                  workshop.compiled("bytes.c"), "--ranks", "2", "--json", "-"});
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    BOOST_TEST(contains(ended.err, "done\n"));
    const auto json = nlohmann::json::parse(ended.out);
    std::map<std::string, int> bytes;
    for (const auto& row : json["results"]["rows"]) {
        if (row["bytes"].is_number()) bytes[row["call"]] = row["bytes"];
    }
    BOOST_TEST(bytes["MPI_Send"] == 800);  // nothing goes to MPI_PROC_NULL
    BOOST_TEST(bytes["MPI_Recv"] == 800);
    BOOST_TEST(bytes["MPI_Sendrecv"] == 3200);  // what both send and what both get
    BOOST_TEST(bytes["MPI_Start"] == 1600);
    BOOST_TEST(!bytes.contains("MPI_Send_init"));  // sends nothing
}

BOOST_AUTO_TEST_CASE(ranks_that_wait_for_each_other_are_named_by_their_number_in_the_world)
{
    Workshop workshop;
    const Ended ended = run("wulfkit-ring", "scampi", workshop.compiled("bytes.c"), 4, {"circle"});
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(contains(ended.err, "rank 0: in MPI_Send with rank 2 (1 of its communicator)"), ended.err);
    BOOST_TEST(contains(ended.err, "rank 3: in MPI_Send with rank 1 (0 of its communicator)"), ended.err);
}

BOOST_AUTO_TEST_CASE(a_point_whose_program_ends_with_an_error_has_failed)
{
    Workshop workshop;
    const std::string program = workshop.compiled("bytes.c");
    const Ended ended = ringmesh({"sweep", "wulfkit-ring", "--library", "scampi", "--program", program, "--axis",
                                  "options.ranks=2,3", "--store", (workshop.folder / "store").string(), "--", "three"});
    BOOST_TEST(ended.status == 1);
    BOOST_TEST(contains(ended.err, "exit status 3"), ended.err);
    BOOST_TEST(run("wulfkit-ring", "scampi", program, 2, {"three"}).status == 3);
}

BOOST_AUTO_TEST_CASE(a_file_that_an_argument_names_is_part_of_the_run)
{
    Workshop workshop;
    const std::string input = (workshop.folder / "barriers").string();
    const std::string program = workshop.compiled("bytes.c");
    const auto barriers = [&](const char* text) {
        std::FILE* const file = std::fopen(input.c_str(), "w");
        std::fputs(text, file);
        std::fclose(file);
        const Ended ended =
            ringmesh({"sweep", "wulfkit-ring", "--library", "scampi", "--program", program, "--axis", "options.ranks=2",
                      "--store", (workshop.folder / "store").string(), "--json", "-", "--", input});
        BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
        int calls = 0;
        const auto json = nlohmann::json::parse(ended.out);
        for (const auto& row : json["rows"]) {
            if (row["call"] == "MPI_Barrier") calls = row["calls"];
        }
        return calls;
    };
    BOOST_TEST(barriers("5") == 10);
    BOOST_TEST(barriers("50") == 100);
}

BOOST_AUTO_TEST_CASE(what_a_trace_of_messages_cannot_say_is_refused)
{
    Workshop shop;
    const std::string windows = shop.compiled("windows.c");
    const std::string trace = (shop.folder / "program.goal").string();
    const Ended one_sided = ringmesh({"run", "wulfkit-ring", "--library", "scampi", "--program", windows, "--ranks",
                                      "4", "--record", "goal=" + trace});
    BOOST_TEST(one_sided.status == 2);
    BOOST_TEST(contains(one_sided.err, "--record goal"), one_sided.err);
    BOOST_TEST(!files::exists(trace));
    const std::string rcce = shop.compiled("rcce_messages.c");
    const Ended of_rcce =
        ringmesh({"run", "scc", "--library", "rcce", "--program", rcce, "--ranks", "4", "--record", "goal=" + trace});
    BOOST_TEST(of_rcce.status == 2);
    BOOST_TEST(contains(of_rcce.err, "calls RCCE"), of_rcce.err);
    BOOST_TEST(!files::exists(trace));
}

BOOST_AUTO_TEST_CASE(computation_takes_the_time_that_was_recorded)
{
    Workshop workshop;
    const std::string program = workshop.compiled("computes.c");
    const std::string file = (workshop.folder / "times.csv").string();
    const auto us = [&](const std::string& compute, int status = 0, int ranks = 2) {
        const Ended ended = ringmesh({"run", "wulfkit-ring", "--library", "scampi", "--program", program, "--ranks",
                                      std::to_string(ranks), "--compute", compute});
        BOOST_TEST(ended.status == status);
        std::istringstream lines(ended.out);
        std::vector<double> all;
        for (double each = 0; lines >> each;) all.push_back(each);
        return all;
    };
    const auto is_clock = [](double each) { return std::abs(each - 0.1) < 0.001; };
    BOOST_TEST(std::ranges::all_of(us("none"), is_clock));
    const std::vector<double> measured = us("record:" + file);
    const std::vector<double> again = us("file:" + file);
    BOOST_TEST(measured.size() == 3U);
    BOOST_TEST(std::ranges::none_of(measured, is_clock));
    BOOST_TEST(measured == again, boost::test_tools::per_element());
    const auto swept = nlohmann::json::parse(
        ringmesh({"sweep", "wulfkit-ring", "--library", "scampi", "--program", program, "--ranks", "2", "--axis",
                  "options.compute_factor=1,2", "--compute", "file:" + file, "--json", "-"})
            .out);
    std::vector<double> times;
    for (const auto& row : swept["rows"]) {
        if (row["call"] == "all") times.push_back(row["rank_time_ns"]);
    }
    BOOST_TEST_REQUIRE(times.size() == 2U);
    BOOST_TEST(times[1] > 1.5 * times[0]);
    us("file:" + file, 2, 3);  // of other ranks
    us("file:" + program, 2);
    us("record:" + program, 2);  // not ours to replace
    us("quickly", 2);
}

BOOST_AUTO_TEST_CASE(times_are_of_one_content_of_the_inputs)
{
    Workshop workshop;
    const std::string program = workshop.compiled("computes.c");
    const std::string times = (workshop.folder / "times.csv").string();
    const std::string input = (workshop.folder / "input.txt").string();
    const auto run_with = [&](const std::string& compute, const std::string& content) {
        std::ofstream(input) << content;
        return ringmesh({"run", "wulfkit-ring", "--library", "scampi", "--program", program, "--ranks", "2",
                         "--compute", compute, "--", input})
            .status;
    };
    BOOST_TEST(run_with("record:" + times, "3") == 0);
    BOOST_TEST(run_with("file:" + times, "3") == 0);
    BOOST_TEST(run_with("file:" + times, "5") == 2);
}

BOOST_AUTO_TEST_CASE(a_program_declares_what_it_computes_and_has_one_thread_of_openmp)
{
    Workshop workshop;
    const std::string program = (workshop.folder / "computed").string();
    const Ended compiled = ringmesh({"cc", "-fopenmp", "-O1", kSources + "computed.c", "-o", program});
    BOOST_TEST_REQUIRE(compiled.status == 0, compiled.err);
    const Ended with = ringmesh({"run", "wulfkit-ring", "--workload",
                                 "program:file=" + program + ",ranks=3,flops_per_cycle=2", "--library", "scampi"});
    BOOST_TEST(with.status == 0);
    BOOST_TEST(with.out == "all is well\n", with.err);
    for (const char* const flag : {"-static", "-fsanitize=address"}) {
        BOOST_TEST(ringmesh({"cc", flag, kSources + "computed.c", "-o", program}).status == 2);
    }
}

BOOST_AUTO_TEST_CASE(mpiexec_runs_rcce_on_the_scc_and_tells_what_cannot_be_written)
{
    Workshop workshop;
    const std::string rcce = workshop.compiled("rcce_messages.c");
    BOOST_TEST(ringmesh({"mpiexec", "-n", "4", rcce}).out == "all is well\n");
    const std::string full = fmt::format("'{}' mpiexec -n 4 '{}' >/dev/full", RINGMESH_EXECUTABLE, rcce);
    const lab::OutsideEnd ended = lab::run_outside({"sh", "-c", full});
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(contains(ended.output, "No space left on device"), ended.output);
}

BOOST_AUTO_TEST_CASE(datatypes_communicators_attributes_and_topologies)
{
    runs_well("kinds.c", "wulfkit-torus-2d", "scampi", 6);
    runs_well("kinds.c", "scc", "rcce", 5);
}

BOOST_AUTO_TEST_CASE(communicators_of_two_groups)
{
    for (const int ranks : {4, 5, 7}) runs_well("two_groups.c", "wulfkit-torus-2d", "scampi", ranks);
    runs_well("two_groups.c", "scc", "rcce", 6);
}

BOOST_AUTO_TEST_CASE(graphs_and_collective_calls_of_neighbors)
{
    for (const int ranks : {3, 6}) runs_well("neighbors.c", "wulfkit-torus-2d", "scampi", ranks);
    runs_well("neighbors.c", "scc", "ircce", 4);
}

BOOST_AUTO_TEST_CASE(matched_probes_own_requests_and_persistent_collective_calls)
{
    for (const int ranks : {2, 3}) runs_well("requests.c", "wulfkit-torus-2d", "scampi", ranks);
    runs_well("requests.c", "scc", "rcce", 3);
}

BOOST_AUTO_TEST_CASE(what_few_programs_do_is_right_too)
{
    for (const int ranks : {1, 2, 5}) runs_well("rare.c", "wulfkit-torus-2d", "scampi", ranks);
    runs_well("rare.c", "scc", "rcce", 3);
    runs_well("rare.c", "ncube-64", "vertex", 4, "memory.size=16MiB");
}

/// Three ranks send 4.8 MB before rank 0 receives any of it.
BOOST_AUTO_TEST_CASE(messages_that_are_not_expected_take_bounded_memory)
{
    Workshop workshop;
    const std::string program = workshop.compiled("unexpected.c");
    const auto flooded = [&](const std::string& platform, const std::string& library, const std::string& most,
                             const std::string& memory) {
        return ringmesh({"run", platform, "--library", library, "--set", memory, "--workload",
                         "program:ranks=4,unexpected=" + most + ",file=" + program});
    };
    BOOST_TEST(flooded("wulfkit-ring", "scampi", "1GiB", "host.memory=4MiB").status == 2);
    const auto is_well = [&](const std::string& platform, const std::string& library, const std::string& memory) {
        const Ended ended = flooded(platform, library, "64KiB", memory);
        BOOST_TEST(ended.out == "all is well\n", platform << ": " << ended.out << ended.err);
        BOOST_TEST(ended.status == 0);
    };
    is_well("wulfkit-ring", "scampi", "host.memory=4MiB");
    is_well("deck-cluster", "deck", "host.memory=64MiB");
    is_well("scc", "ircce", "mesh.clock=800MHz");
    is_well("ncube-64", "vertex", "memory.size=16MiB");
}

/// Linear: 4 times as much for 4 times as many. Each call that looked at all of them would make it 16.
BOOST_AUTO_TEST_CASE(many_requests_are_under_way_at_once)
{
    Workshop workshop;
    const std::string program = workshop.compiled("rare.c");
    BOOST_TEST(run("wulfkit-torus-2d", "scampi", program, 2, {"2000", "16000"}).out == "all is well\n");
    // Nearly all of them wait until their receiver calls for them
    for (const auto& [platform, library] : {std::pair{"wulfkit-torus-2d", "scampi"}, {"deck-cluster", "deck"}}) {
        const Ended ended = ringmesh({"run", platform, "--library", library, "--workload",
                                      "program:ranks=2,unexpected=4KiB,arguments=1 16000 late,file=" + program});
        BOOST_TEST(ended.out == "all is well\n", ended.err);
    }
}

/// GNU C has code on the stack for a nested function whose address is taken.
BOOST_AUTO_TEST_CASE(nested_functions_run_on_the_stack_of_a_rank)
{
    Workshop workshop;
    const std::string source = (workshop.folder / "nested.c").string();
    const std::string program = (workshop.folder / "nested").string();
    std::ofstream(source) << R"(#include <mpi.h>
#include <stdio.h>
static int called(int (*function)(int)) { return function(1); }
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int add(int number) { return number + argc; }
    printf("%d\n", called(add));
    MPI_Finalize();
    return 0;
}
)";
    BOOST_REQUIRE(ringmesh({"cc", source, "-o", program}).status == 0);
    const Ended ended = ringmesh({"mpiexec", "-n", "2", program, "a"});
    BOOST_TEST(ended.out == "3\n3\n", ended.err);
    BOOST_TEST(ended.status == 0);
}

BOOST_AUTO_TEST_CASE(info_and_what_datatypes_tell_of_themselves)
{
    for (const int ranks : {1, 4}) runs_well("more_kinds.c", "wulfkit-torus-2d", "scampi", ranks);
}

BOOST_AUTO_TEST_CASE(one_sided_calls_move_and_synchronize)
{
    for (const int ranks : {1, 2, 3, 8}) runs_well("windows.c", "wulfkit-torus-2d", "scampi", ranks);
    for (const int ranks : {1, 2, 3, 8}) runs_well("windows.c", "scc", "rcce", ranks);
}

/// A rank that computes for a millisecond answers no message.
BOOST_AUTO_TEST_CASE(cards_put_into_memory_that_mpi_gave_out_without_its_rank)
{
    Workshop workshop;
    const std::string program = workshop.compiled("card_windows.c");
    const auto microseconds = [&](const std::string& platform, const std::string& library, int ranks, bool by_card,
                                  const std::string& setting = "") {
        const Ended ended = run(platform, library, program, ranks, {}, setting);
        BOOST_TEST_CONTEXT(platform << ", " << library << ", " << ranks << " ranks, " << setting)
        {
            BOOST_TEST(ended.status == 0, ended.err);
            BOOST_TEST(ended.out.ends_with("all is well\n"), ended.out);
            BOOST_TEST(contains(ended.err, "done by cards, without the target") == by_card);
        }
        return std::atof(ended.out.c_str());
    };
    microseconds("wulfkit-torus-2d", "scampi", 1, false);
    for (const int ranks : {2, 3, 8}) BOOST_TEST(microseconds("wulfkit-torus-2d", "scampi", ranks, true) < 20);
    BOOST_TEST(microseconds("wulfkit-ring", "sci-mpich", 3, true) < 20);
    BOOST_TEST(microseconds("deck-cluster", "deck", 3, true) < 20);
    BOOST_TEST(microseconds("scc", "ircce", 3, false) > 1000);
    BOOST_TEST(microseconds("ncube-64", "vertex", 3, false, "memory.size=16MiB") > 1000);
    // Cards send again what was lost; where software has to, it sends messages
    const auto with_losses = [&](const std::string& tries) {
        const Ended ended =
            ringmesh({"run", "wulfkit-ring", "--library", "scampi", "--ranks", "3", "--program", program, "--fault",
                      "where=node0.lc2,what=lose-packet,when=1e-3/packet", "--set", "recovery.tries=" + tries});
        BOOST_TEST(ended.out.ends_with("all is well\n"), ended.out);
        return std::atof(ended.out.c_str());
    };
    BOOST_TEST(with_losses("8") < 20);
    BOOST_TEST(with_losses("0") > 1000);
    // Two ranks on each node, whose card does not reach the other one
    microseconds("wulfkit-ring", "scampi", 16, true, "host.processors=2");

    const auto gets = [&](const std::string& most) {
        const Ended ended = ringmesh({"run", "wulfkit-ring", "--library", "scampi", "--workload",
                                      "program:ranks=2,card_get=" + most + ",file=" + program});
        BOOST_TEST(ended.out.ends_with("all is well\n"), ended.out);
        const std::size_t place = ended.err.find(" MPI_Put, ", ended.err.find("done by cards"));
        BOOST_REQUIRE(place != std::string::npos);
        return std::atoi(ended.err.c_str() + place + 10);
    };
    BOOST_TEST(gets("0 B") == 0);
    BOOST_TEST(gets("16 B") > 0);
    BOOST_TEST(gets("64 KiB") > gets("16 B"));
}

BOOST_AUTO_TEST_CASE(numbers_that_a_program_prints_are_results)
{
    Workshop workshop;
    const std::string source = (workshop.folder / "prints.c").string();
    const std::string program = (workshop.folder / "prints").string();
    std::ofstream(source) << R"(#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        printf("nothing here, version v2\n");
        fprintf(stderr, "1 to standard error\n");
        printf("Mop/s total     =   12.50\n(3, -0.1D+02) of 100%%\n");
        printf("1,000 of (12,345.5), 64 at 0x10\n64,128\n");
        printf("1 2 3 4 5\na=1,b=2 caf\xe9 +-5 1.5d3\nat last: 7");
    }
    MPI_Finalize();
    return 0;
}
)";
    BOOST_REQUIRE(ringmesh({"cc", source, "-o", program}).status == 0);
    const auto json = nlohmann::json::parse(ringmesh({"run", "wulfkit-ring", "--library", "scampi", "--ranks", "2",
                                                      "--program", program, "--numbers", "--json", "-"})
                                                .out);
    const auto& rows = json["results"]["rows"];
    BOOST_REQUIRE(rows.size() == 7U);
    const auto is_row = [&](std::size_t row, const std::string& words, const std::vector<nlohmann::json>& numbers) {
        BOOST_TEST(rows[row]["words"] == words);
        const std::array<const char*, 4> names{"first", "second", "third", "fourth"};
        for (std::size_t i = 0; i < names.size(); ++i) {
            BOOST_TEST(rows[row][names.at(i)] == (i < numbers.size() ? numbers[i] : nlohmann::json()));
        }
        BOOST_TEST(rows[row]["rank"] == 1);
    };
    is_row(0, "Mop/s total", {12.5});
    is_row(1, "of", {3, -10.0, 100});
    is_row(2, "of at", {1000, 12345.5, 64, 16});
    is_row(3, "", {64, 128});
    is_row(4, "", {1, 2, 3, 4});
    is_row(5, "a b caf? +-5", {1, 2, 1500.0});
    is_row(6, "at last:", {7});
    BOOST_TEST(json["answer"].dump().find("Lines with numbers: 7; rank 1 printed the last after") != std::string::npos);
    BOOST_TEST(ringmesh({"run", "wulfkit-ring", "--workload", "ping-pong", "--numbers"}).status == 2);

    const Ended judged = ringmesh({"whatif",
                                   "wulfkit-ring",
                                   "--library",
                                   "scampi",
                                   "--program",
                                   workshop.compiled("ping_pong.c"),
                                   "--ranks",
                                   "2",
                                   "--numbers",
                                   "--by",
                                   "second",
                                   "--overlay",
                                   "half-switching",
                                   "--store",
                                   (workshop.folder / "store").string(),
                                   "--json",
                                   "-",
                                   "--",
                                   "64",
                                   "1024"});
    BOOST_TEST(judged.status == 0, judged.err);
    const auto places = nlohmann::json::parse(judged.out)["places"];
    BOOST_REQUIRE(places.size() == 2U);
    BOOST_TEST(places[0]["at"]["first"] == 64);
    BOOST_TEST(places[1]["at"]["first"] == 1024);
}

BOOST_AUTO_TEST_CASE(windows_of_all_kinds_and_their_errors)
{
    for (const int ranks : {1, 2, 3, 8}) runs_well("more_windows.c", "wulfkit-torus-2d", "scampi", ranks);
    for (const int ranks : {1, 3, 8}) runs_well("more_windows.c", "scc", "rcce", ranks);
}

BOOST_AUTO_TEST_CASE(a_ping_pong_takes_the_time_of_our_own)
{
    Workshop workshop;
    const Ended ended =
        run("wulfkit-ring", "scampi", workshop.compiled("ping_pong.c"), 2, {"8", "128", "1024", "32768", "65536"});
    std::map<int, double> theirs = latencies(ended);
    BOOST_TEST(theirs.size() == 5U);
    const auto ours = test::json_of(
        "run wulfkit-ring --library scampi --workload ping-pong:to=1,ranks=2,sizes=8,128,1024,32768,65536");
    std::size_t compared = 0;
    for (const auto& row : ours["results"]["rows"]) {
        const int bytes = row["size_bytes"];
        const double own = row["latency_avg_ns"];
        BOOST_TEST_CONTEXT(bytes << " bytes: " << theirs[bytes] << " ns, ours " << own)
        {
            BOOST_TEST(std::abs(theirs[bytes] / own - 1) < 0.01);
        }
        ++compared;
    }
    BOOST_TEST(compared == 5U);
}

/// A connection is made once, and then messages take the time that they take on a machine with room for all.
BOOST_AUTO_TEST_CASE(ranks_connect_when_they_first_send_where_memory_has_no_room_for_all)
{
    Workshop workshop;
    const std::string program = workshop.compiled("ping_pong.c");
    const test::Program::Arguments sizes{"8", "1024", "32768"};
    const Ended roomy = run("wulfkit-torus-2d", "scampi", program, 16, sizes, "host.memory=16MiB");
    const Ended narrow = run("wulfkit-torus-2d", "scampi", program, 16, sizes, "host.memory=3MiB");
    BOOST_TEST(narrow.status == 0);
    BOOST_TEST(contains(narrow.err, "two of them connect when one first sends to the other"));
    BOOST_TEST(!contains(roomy.err, "two of them connect"));
    const std::map<int, double> of_roomy = latencies(roomy);
    std::map<int, double> of_narrow = latencies(narrow);
    BOOST_TEST(of_roomy.size() == sizes.size());
    for (const auto& [size, latency] : of_roomy) BOOST_TEST(std::abs(of_narrow[size] / latency - 1) < 0.01);
}

/// Without flow control retries starve a node (docs/reference/machines/deadlock.md), for which no rank is to blame.
BOOST_AUTO_TEST_CASE(a_livelock_of_the_machine_is_told_as_one)
{
    Workshop workshop;
    const Ended ended = ringmesh({"run", "deck-cluster", "--library", "scampi", "--program",
                                  workshop.compiled("messages.c"), "--ranks", "8", "--set", "topology.dimensions=8",
                                  "--set", "lc2.receive_slots=1", "--set", "link.flow_control=off"});
    BOOST_TEST(ended.status == 3);
    BOOST_TEST(contains(ended.err, "livelock at "), ended.err);
    BOOST_TEST(!contains(ended.err, "wait for each other"), ended.err);
}

BOOST_AUTO_TEST_CASE(rcce_messages_flags_and_requests_keep_bytes_and_order)
{
    for (const int ranks : {1, 2, 3, 48}) {
        runs_well("rcce_messages.c", "scc", "rcce", ranks, "", "RCCE_finalize");
        runs_well("rcce_gory.c", "scc", "rcce", ranks, "", "RCCE_finalize");
        runs_well("ircce.c", "scc", "ircce", ranks, "", "RCCE_finalize");
    }
    runs_well("rcce_messages.c", "scc", "ircce:preset=rcce-1.0.13", 4, "", "RCCE_finalize");
    runs_well("rcce_gory.c", "scc", "rcce:preset=rcce-1.0.13", 4, "", "RCCE_finalize");
}

BOOST_AUTO_TEST_CASE(a_ping_pong_of_rcce_takes_the_time_of_our_own)
{
    Workshop workshop;
    const std::string program = workshop.compiled("rcce_ping_pong.c");
    std::map<int, double> theirs =
        latencies(run("scc", "rcce", program, 2, {"r", "1", "32", "100", "256", "4096", "8192"}));
    const auto ours = test::json_of(
        "run scc --library rcce --workload ping-pong:to=1,ranks=2,sizes=1,32,100,256,4096,8192,meet=false,"
        "pause=0cycles,repetitions=20,series=1");
    std::size_t compared = 0;
    for (const auto& row : ours["results"]["rows"]) {
        const int bytes = row["size_bytes"];
        const double own = row["latency_avg_ns"];
        BOOST_TEST_CONTEXT(bytes << " bytes: " << theirs[bytes] << " ns, ours " << own << " ns")
        {
            BOOST_TEST(std::abs(theirs[bytes] / own - 1) < 0.01);
        }
        ++compared;
    }
    BOOST_TEST(compared == 6U);
    const auto requests = latencies(run("scc", "ircce", program, 2, {"i", "4096", "8192"}));
    for (const auto& [bytes, time] : requests) BOOST_TEST(std::abs(time / theirs[bytes] - 1) < 0.01);
    BOOST_TEST(requests.size() == 2U);
}

BOOST_AUTO_TEST_CASE(trouble_of_rcce_is_told_with_the_rank_and_its_call)
{
    Workshop workshop;
    const std::string program = workshop.compiled("rcce_trouble.c");
    struct Trouble {
        const char* what;
        int status;
        const char* told;
        const char* library = "rcce";
    };
    const std::string buffer = "rank 1 crashed: a load or store in the message-passing buffer of rank 1";
    const std::array<Trouble, 17> all{{
        {"early", 2, "rank 0: RCCE_barrier before RCCE_init"},
        {"late", 2, "RCCE_barrier after RCCE_finalize"},
        {"deadlock", 2, "rank 1: in RCCE_recv with rank 0, 40 bytes"},
        {"flag", 2, "rank 1: in RCCE_wait_until"},
        {"load", 2, "reach, after RCCE_barrier"},
        {"store", 2, "reach, after RCCE_barrier"},
        {"buffer", 2, "reach in RCCE_send with rank 0, 40 bytes"},
        {"free", 2, "rank 1: RCCE_free of what RCCE_malloc has not given"},
        {"itself", 2, "core 1: send: it is the core itself"},
        {"power", 2, "rank 1 called RCCE_power_domain, but the simulated chip keeps its clocks"},
        {"both", 2, "rank 1 calls MPI and RCCE"},
        {"exit", 2, "rank 1: has ended with exit status 6"},
        {"ircce", 2, "rank 1: iRCCE_init: this library has no iRCCE; take --library ircce"},
        {"request", 2, "rank 1: a request of iRCCE that was never begun", "ircce"},
        {"list", 2, "rank 1: iRCCE_wait_any on an empty list waits for ever", "ircce"},
        {"again", 2, "rank 1: iRCCE_irecv with a request that is under way", "ircce"},
        {"nothing", 0, "RCCE_finalize", "ircce"},
    }};
    for (const Trouble& trouble : all) {
        BOOST_TEST_CONTEXT(trouble.what)
        {
            const Ended ended = run("scc", trouble.library, program, 2, {trouble.what});
            BOOST_TEST_CONTEXT(ended.err)
            {
                BOOST_TEST(ended.status == trouble.status);
                BOOST_TEST(contains(ended.err, trouble.told));
                if (contains(trouble.told, "reach")) BOOST_TEST(contains(ended.err, buffer));
            }
        }
    }
    const Ended debug = run("scc", "rcce", program, 2, {"debug"});
    BOOST_TEST(contains(debug.out, "rank 1: RCCE_send: no such rank\n"));
    BOOST_TEST(debug.status == 0);
    const Ended elsewhere = run("wulfkit-ring", "scampi", program, 2);
    BOOST_TEST(elsewhere.status == 2);
    BOOST_TEST(contains(elsewhere.err, "rank 0: RCCE_init: RCCE needs message-passing buffers"));
    BOOST_TEST(contains(elsewhere.err, "--library rcce or ircce"));
}

BOOST_AUTO_TEST_CASE(each_rank_of_a_cxx_program_has_variables_clocks_and_streams_of_its_own)
{
    Workshop workshop;
    const std::string program = workshop.compiled("own.cc");
    const Ended ended = run("wulfkit-ring", "scampi", program, 4, {"-a", "-b", "a word, of=two"});
    BOOST_TEST(ended.status == 0);
    for (int rank = 0; rank < 4; ++rank) {
        BOOST_TEST(contains(ended.out, fmt::format("rank {}\n", rank)));
        BOOST_TEST(contains(ended.out, fmt::format("rank {} is taken down\n", rank)));
    }
    BOOST_TEST(contains(ended.out, "all is well\n"));
    BOOST_TEST(contains(ended.err, "MPI_Send"));  // whose error handler has thrown
    const Ended again = run("wulfkit-ring", "scampi", program, 4, {"-a", "-b", "a word, of=two"});
    BOOST_TEST(again.out == ended.out);
}

/// Each of its ranks goes into another folder, with another file mask.
BOOST_AUTO_TEST_CASE(what_a_rank_changes_of_its_process_concerns_no_file_of_the_simulator)
{
    Workshop workshop;
    workshop.compiled("own.cc");
    const std::string line = fmt::format(
        "cd '{}' && umask 022 && '{}' run wulfkit-ring --library scampi --program ./own --ranks 4 --json results.json "
        "--status status.json --store points -- -a -b 'a word, of=two'",
        workshop.folder.string(), RINGMESH_EXECUTABLE);
    const lab::OutsideEnd ended = lab::run_outside({"sh", "-c", line});
    BOOST_TEST(ended.status == 0, ended.output);
    BOOST_TEST(contains(ended.output, "all is well\n"), ended.output);
    for (const char* const file : {"results.json", "status.json"}) {
        BOOST_TEST_REQUIRE(files::exists(workshop.folder / file));
        BOOST_TEST((files::status(workshop.folder / file).permissions() == files::perms(0644)));
    }
}

BOOST_AUTO_TEST_CASE(trouble_is_told_with_the_rank_and_its_call)
{
    Workshop workshop;
    const std::string program = workshop.compiled("trouble.c");
    struct Trouble {
        const char* what;
        int status;
        const char* told;
    };
    const std::array<Trouble, 29> all{{
        {"deadlock", 2, "rank 1: in MPI_Recv with rank 0, tag 7, 4 bytes, main at "},
        {"crash", 2, "rank 1 crashed: Segmentation fault at address 0x10, after MPI_Barrier\nringmesh:   main at "},
        {"pointer", 2, "rank 1 crashed: Segmentation fault at address 0x20 in MPI_Send with rank 0, tag 1, 4 bytes"},
        {"place", 2, "rank 1 crashed: Segmentation fault at address 0x30 in MPI_Recv with rank 0, tag 1, 4 bytes"},
        {"large", 2, "rank 1 sends 4294967296 bytes to rank 0; a message can have 2 GiB"},
        {"stack", 2, "rank 1 has used up its stack of 8388608 bytes"},
        {"frame", 2, "rank 1 has used up its stack of 8388608 bytes"},
        {"operation", 2, "has used up its stack of 8388608 bytes"},
        {"sleep", 2, "rank 1 sleeps or computes for 1e+07 s, but simulated time ends"},
        {"compute", 2, "but simulated time ends"},
        {"thread", 2, "rank 1 called thrd_create"},
        {"assert", 2, "rank 1 crashed: Aborted"},
        {"abort", 7, "rank 1 called MPI_Abort with error code 7\nringmesh:   main at "},
        {"exit", 5, "rank 1 ended with exit status 5 without MPI_Finalize"},
        {"fork", 2, "rank 1 called fork"},
        {"exec", 2, "rank 1 called execlp"},
        {"system", 2, "rank 1 called system"},
        {"popen", 2, "rank 1 called popen"},
        {"alarm", 2, "rank 1 called alarm"},
        {"raise", 2, "rank 1 raised a signal for which it has no handler: Terminated\nringmesh:   main at "},
        {"kill", 2, "rank 1 raised a signal for which it has no handler: Floating point exception"},
        {"quick", 6, "rank 1 ended with exit status 6 without MPI_Finalize"},
        {"truncate", 2,
         "rank 1: MPI_Recv: a message of 4 bytes from rank 0, tag 1, is larger than the 0 of the receive "
         "(MPI_ERR_TRUNCATE)\nringmesh:   main at "},
        {"fence", 2, "rank 0: in MPI_Win_fence"},
        {"window", 2, "rank 1: MPI_Put: bytes 8 to 12 of rank 0, whose window has 4 (MPI_ERR_RMA_RANGE)"},
        {"own", 2, "error 64 of the program's own: no more coffee"},
        {"early", 2, "rank 0: MPI_Barrier before MPI_Init"},
        {"status", 9, "MPI_Finalize"},
        {"nothing", 0, "MPI_Finalize"},
    }};
    for (const Trouble& trouble : all) {
        BOOST_TEST_CONTEXT(trouble.what)
        {
            const Ended ended = run("wulfkit-ring", "scampi", program, 2, {trouble.what});
            BOOST_TEST_CONTEXT(ended.err)
            {
                BOOST_TEST(ended.status == trouble.status);
                BOOST_TEST(contains(ended.err, trouble.told));
            }
            if (trouble.what == std::string("early")) continue;
            BOOST_TEST(ended.out == "rank 0 is there\nrank 1 is there\n");
        }
    }
    for (const char* const where : {"compute-own", "compute-library"}) {
        const Ended forever = ringmesh({"run", "wulfkit-ring", "--library", "scampi", "--limit", "1s", "--program",
                                        program, "--ranks", "2", "--", where});
        BOOST_TEST(forever.status == 2);
        BOOST_TEST(contains(forever.err, "rank 1 computes since MPI_Barrier"), forever.err);
        BOOST_TEST(contains(forever.err, "--limit"), forever.err);
        BOOST_TEST(contains(forever.err, "main at "), forever.err);
    }
    const Ended tests = ringmesh({"run", "wulfkit-ring", "--library", "scampi", "--limit", "1s", "--program", program,
                                  "--ranks", "3", "--", "tests"});
    BOOST_TEST(tests.status == 2);
    BOOST_TEST(contains(tests.err, "--limit allows 1"), tests.err);
    BOOST_TEST(contains(tests.err, "\nringmesh:   rank 0: in MPI_Test, main at "), tests.err);
    BOOST_TEST(contains(tests.err, "rank 1: in MPI_Iprobe with rank 0, tag 8, main at "), tests.err);
    BOOST_TEST(contains(tests.err, "rank 2: in sleep, main at "), tests.err);
    const Ended waits = ringmesh({"run", "wulfkit-ring", "--library", "scampi", "--limit", "1s", "--program", program,
                                  "--ranks", "2", "--", "wait"});
    BOOST_TEST(waits.status == 2);  // in the system
    BOOST_TEST(contains(waits.err, "--limit"), waits.err);
    // Stacks that nothing touches are no memory
    const Ended many = ringmesh({"run", "wulfkit-ring", "--library", "scampi", "--memory", "1GiB", "--program", program,
                                 "--ranks", "2", "--", "many"});
    BOOST_TEST(many.status == 0, many.err);
}

BOOST_AUTO_TEST_CASE(what_is_done_after_main_is_done_by_the_rank)
{
    Workshop workshop;
    const std::string program = workshop.compiled("ends.c");
    const std::string line = fmt::format("echo A | '{}' mpiexec -n 3 '{}'", RINGMESH_EXECUTABLE, program);
    const std::string output = lab::run_outside({"sh", "-c", line}).output;
    for (int rank = 0; rank < 3; ++rank) {
        BOOST_TEST(contains(output, fmt::format("rank {} reads {}\n", rank, rank == 0 ? int{'A'} : -1)), output);
    }
    for (const auto& arguments : {test::Program::Arguments{"mpiexec", "-n", "3", program, "close"},
                                  test::Program::Arguments{"mpiexec", "-n", "1", program, "close"}}) {
        const Ended ended = ringmesh(arguments);
        BOOST_TEST(ended.status == 0, ended.err);
        for (int rank = 0; rank < std::stoi(arguments[2]); ++rank) {
            BOOST_TEST(contains(ended.out, fmt::format("rank {} has finalized\n", rank)));
        }
    }
    const std::string folder = workshop.folder.string();
    const Ended ended = ringmesh({"mpiexec", "-n", "2", program, "write", folder});
    BOOST_TEST(ended.status == 0, ended.err);
    BOOST_TEST(ended.out == "");
    const auto text = [&folder](const std::string& name) {
        std::ifstream stream(folder + "/" + name);
        return std::string(std::istreambuf_iterator<char>(stream), {});
    };
    BOOST_TEST(text("0.out") == "rank 0 has finalized\n");
    BOOST_TEST(text("1.out") == "rank 1 has finalized\n");
    BOOST_TEST(text("1.left") == "left open by 1\n");
}

BOOST_AUTO_TEST_CASE(what_ranks_would_share_is_refused)
{
    Workshop workshop;
    const std::string folder = workshop.folder.string();
    const auto write = [&folder](const std::string& name, const std::string& text) {
        std::ofstream(folder + "/" + name) << text;
    };
    write("thread.cc", "#include <thread>\nint main() { std::thread([] {}).join(); }\n");
    BOOST_TEST(ringmesh({"c++", folder + "/thread.cc", "-o", folder + "/thread"}).status == 0);
    const Ended thread = ringmesh({"mpiexec", folder + "/thread"});
    BOOST_TEST(thread.status == 2);
    BOOST_TEST(contains(thread.err, "rank 0 called std::thread"));
    ::setenv("RINGMESH_CXX", "clang++", 1);
    BOOST_TEST(!contains(ringmesh({"c++", "-show", "thread.cc"}).out, "gnu-unique"));  // which that does not know
    ::unsetenv("RINGMESH_CXX");
    write("count.c", "int count(void) { static int all; return ++all; }\n");
    write("counts.c", "int count(void);\nint main(void) { return count() != 1; }\n");
    write("words", "-c \"" + folder + "/count.c\" -o '" + folder + "/count.o'\n");
    BOOST_TEST(ringmesh({"cc", "@" + folder + "/words"}).status == 0);
    BOOST_TEST(files::file_size(folder + "/count.o") < 4096U);  // not linked
    const std::string library = folder + "/libcount.so";
    BOOST_TEST(ringmesh({"cc", "-shared", folder + "/count.o", "-o", library}).status == 0);
    BOOST_TEST(ringmesh({"cc", folder + "/counts.c", library, "-o", folder + "/counts"}).status == 0);
    const Ended shared = ringmesh({"mpiexec", "-n", "2", folder + "/counts"});
    BOOST_TEST(shared.status == 2);
    BOOST_TEST(contains(shared.err, "all ranks would share the variables of " + library));
    BOOST_TEST(ringmesh({"cc", folder + "/counts.c", folder + "/count.o", "-o", folder + "/counts"}).status == 0);
    BOOST_TEST(ringmesh({"mpiexec", "-n", "2", folder + "/counts"}).status == 0);
}

BOOST_AUTO_TEST_CASE(values_of_options_become_no_other_options)
{
    for (const test::Program::Arguments& words :
         {test::Program::Arguments{"--algorithm", "prefix=true"}, test::Program::Arguments{"--algorithm", "foo"},
          test::Program::Arguments{"--algorithm", "bcast=ring,prefix=true"},
          test::Program::Arguments{"-n", "2,prefix=true"}, test::Program::Arguments{"--stack", "8MiB,prefix=true"},
          test::Program::Arguments{"--compute", "measured:1,prefix=true"}}) {
        test::Program::Arguments all{"mpiexec"};
        all.insert(all.end(), words.begin(), words.end());
        all.push_back(RINGMESH_EXECUTABLE);  // it does not come to that
        const Ended ended = ringmesh(all);
        BOOST_TEST(ended.status == 2);
        BOOST_TEST(contains(ended.err, words[1]));
        BOOST_TEST(contains(ended.err, "; write "));
    }
}

/// Of an option of the workload that only --program makes, the user knows nothing.
BOOST_AUTO_TEST_CASE(what_is_wrong_is_told_of_the_option_that_was_typed)
{
    Workshop workshop;
    const std::string program = workshop.compiled("computes.c");
    const auto told = [&](const test::Program::Arguments& words, const std::string& text) {
        test::Program::Arguments all{"run", "wulfkit-ring"};
        all.insert(all.end(), words.begin(), words.end());
        const Ended ended = ringmesh(all);
        BOOST_TEST(ended.status == 2);
        BOOST_TEST(ended.err.starts_with("ringmesh: " + text), ended.err);
    };
    told({"--program", program, "--stack", "8"}, "--stack 8: a size needs a unit; write \"8 B\"\n");
    told({"--program", program, "--compute", "measured:x"}, "--compute measured:x: not a number; write it ");
    told({"--program", program, "--compute", "measured:1e9"},
         "--compute measured:1e9: 1000000000.0 is above 1000000, ");
    told({"--program", program, "--compute", "file:nothing"}, "--compute file:nothing: cannot read 'nothing': ");
    told({"--program", program, "--algorithm", "bcast=x"}, "--algorithm bcast=x: no such choice; known: table, ");
    told({"--program", "./nothing"}, "--program ./nothing: cannot read './nothing': ");
    BOOST_TEST(ringmesh({"mpiexec", "./nothing"}).err.starts_with("ringmesh: mpiexec ./nothing: cannot read "));
    told({"--program", "a,b=c"}, "--program a,b=c: a name with a comma");
    told({"--workload", "program:file=" + program, "--", "a", "b,c"},
         "run: unexpected argument 'a'; those of --workload program are its option: write --workload 'program:file=" +
             program + ",arguments=a b%2cc'");
}

BOOST_AUTO_TEST_CASE(a_program_runs_alone_and_by_mpiexec)
{
    Workshop workshop;
    const std::string program = workshop.compiled("trouble.c");
    const Ended four = ringmesh({"mpiexec", "-np", "4", "--prefix", program, "nothing"});
    BOOST_TEST(four.status == 0);
    BOOST_TEST(four.err == "");
    BOOST_TEST(contains(four.out, "[3 "));
    BOOST_TEST(contains(four.out, " us] rank 3 is there\n"));
    const Ended by_run =
        ringmesh({"run", "wulfkit-torus-2d", "--program", program, "--ranks", "4", "--prefix", "--", "nothing"});
    BOOST_TEST(by_run.out == four.out);
    const lab::OutsideEnd alone = lab::run_outside({program, "status"});
    BOOST_TEST(alone.output == "rank 0 is there\n");
    BOOST_TEST(alone.status == 0);
}

BOOST_AUTO_TEST_CASE(main_may_be_in_a_library)
{
    Workshop workshop;
    const std::string folder = workshop.folder.string();
    BOOST_TEST(ringmesh({"cc", "-c", kSources + "ping_pong.c", "-o", folder + "/main.o"}).status == 0);
    BOOST_TEST(lab::run_outside({"ar", "rcs", folder + "/libmain.a", folder + "/main.o"}).status == 0);
    BOOST_TEST(ringmesh({"cc", "-o", folder + "/program", folder + "/libmain.a"}).status == 0);
    BOOST_TEST(ringmesh({"mpiexec", "-n", "2", folder + "/program", "8"}).status == 0);
}

BOOST_AUTO_TEST_CASE(one_run_among_many_prints_nothing)
{
    Workshop workshop;
    const std::string program = workshop.compiled("ping_pong.c");
    const Ended ended = ringmesh({"whatif", "wulfkit-ring", "--library", "scampi", "--workload",
                                  "program:file=" + program + ",ranks=2,arguments=64", "--set",
                                  "link.symbol_time=2.5ns", "--store", (workshop.folder / "store").string()});
    BOOST_TEST(ended.status == 0, ended.err);
    BOOST_TEST(contains(ended.out, "MPI_Recv"));
    BOOST_TEST(!contains(ended.out, "\n64 "));
    BOOST_TEST(!contains(ended.out, "MPI_Comm_size"), ended.out);  // it took no time
}

BOOST_AUTO_TEST_CASE(variants_are_judged_by_the_whole_program_and_say_that_their_ranks_differ)
{
    Workshop workshop;
    const std::string program = workshop.compiled("collectives.c");
    const auto compare = [&](const test::Program::Arguments& more) {
        test::Program::Arguments all{"whatif",    "wulfkit-ring",
                                     "--library", "scampi",
                                     "--program", program,
                                     "--variant", "large=topology.dimensions=6",
                                     "--store",   (workshop.folder / "store").string(),
                                     "--json",    "-"};
        all.insert(all.end(), more.begin(), more.end());
        const Ended ended = ringmesh(all);
        BOOST_TEST(ended.status == 0, ended.err);
        return nlohmann::json::parse(ended.out);
    };
    const auto judged = compare({});
    std::optional<double> of_all;
    for (const auto& place : judged["places"]) {
        if (place["at"]["call"] == "all") of_all = place["variants"]["large"]["change_percent"].get<double>();
    }
    BOOST_REQUIRE(of_all.has_value());
    const std::string answer = judged["answer"].dump();
    BOOST_TEST(contains(answer, fmt::format("large changes rank_time_ns by {:+.2g} %", *of_all)), answer);
    BOOST_TEST(contains(answer, "option ranks by the machine: "), answer);
    BOOST_TEST(contains(answer, "6 with large"), answer);
    BOOST_TEST(!contains(compare({"--ranks", "4"})["answer"].dump(), "option ranks"));
    // Told before the run
    const Ended nothing = ringmesh({"whatif", "wulfkit-ring", "--library", "scampi", "--program", program, "--axis",
                                    "options.ranks=2", "--store", (workshop.folder / "store").string()});
    BOOST_TEST(nothing.status == 2);
    BOOST_TEST(nothing.err.starts_with("ringmesh: whatif: nothing to compare"), nothing.err);
    const Ended no_parameter = ringmesh({"whatif", "wulfkit-ring", "--program", program, "--set", "options.ranks=2"});
    BOOST_TEST(no_parameter.status == 2);
    BOOST_TEST(contains(no_parameter.err, "--variant NAME=options.ranks=2"), no_parameter.err);
    // A sweep compares the times of the whole program too
    const Ended swept = ringmesh({"sweep", "wulfkit-ring", "--library", "scampi", "--program", program, "--axis",
                                  "options.ranks=2,4", "--store", (workshop.folder / "store").string()});
    BOOST_TEST(swept.out.starts_with("Time of the program: "), swept.out);
    BOOST_TEST(contains(swept.out, " ns (options ranks 2) to "), swept.out);
    // Without variants the curves are those of the calls, of which there are few
    const Ended alone =
        ringmesh({"whatif", "wulfkit-ring", "--library", "scampi", "--program", workshop.compiled("ping_pong.c"),
                  "--axis", "options.ranks=2,4", "--store", (workshop.folder / "store").string(), "--", "64"});
    BOOST_TEST(alone.status == 0, alone.err);
    BOOST_TEST(alone.out.starts_with("Rank time: "), alone.out);
    // Of bytes there is no sum
    for (const auto& place : compare({"--by", "bytes"})["places"]) BOOST_TEST(place["at"]["call"] != "all");
}

BOOST_AUTO_TEST_CASE(calls_that_are_not_there_fail_at_link_time)
{
    Workshop workshop;
    const std::string source = (workshop.folder / "spawn.c").string();
    const std::string program = (workshop.folder / "spawn").string();
    const auto write = [&source](const std::string& text) {
        std::FILE* const file = std::fopen(source.c_str(), "w");
        std::fputs(text.c_str(), file);
        std::fclose(file);
    };
    write("int MPI_Comm_spawn(void);\nint main(void) { return MPI_Comm_spawn(); }\n");
    const Ended ended = ringmesh({"cc", source, "-o", program});
    BOOST_TEST(ended.status != 0);
    BOOST_TEST(contains(ended.err, "MPI_Comm_spawn"));
    BOOST_TEST(!files::exists(program));
    write("int main(void) { return 0; }\n");
    BOOST_TEST(ringmesh({"cc", "-c", source, "-o", program}).status == 0);
    const Ended object = run("wulfkit-ring", "scampi", program, 2);
    BOOST_TEST(object.status == 2);
    BOOST_TEST(contains(object.err, "not made by ringmesh cc, c++ or fc"));
    const Ended raw = run("wulfkit-ring", "raw", program, 2);
    BOOST_TEST(raw.status == 2);
    BOOST_TEST(contains(raw.err, "raw has no messages with envelopes"), raw.err);
    BOOST_TEST(contains(raw.err, "take one of: scampi, sci-mpich, deck"), raw.err);
    // What it shows can be typed
    files::remove(program);
    BOOST_TEST(std::system(ringmesh({"cc", "-show", source, "-o", program}).out.c_str()) == 0);
    BOOST_TEST(files::exists(program));
    files::remove(program);
    const std::string part = (workshop.folder / "spawn.o").string();
    const auto typed = [](const test::Program::Arguments& words) { return std::system(ringmesh(words).out.c_str()); };
    BOOST_TEST(typed({"cc", "-show", "-c", source, "-o", part}) == 0);
    files::remove(part);
    BOOST_TEST(typed({"cc", "-compile-info", "-c", source, "-o", part}) == 0);
    BOOST_TEST(typed({"cc", "-link-info", part, "-o", program}) == 0);
    BOOST_TEST(ringmesh({"mpiexec", program}).status == 0);
    // As Open MPI's mpicc answers to those who write a command line of their own
    files::remove(program);
    const std::string line = fmt::format(
        "cc $('{0}' cc -showme:compile) -c '{1}' -o '{2}' && cc '{2}' -o '{3}' $('{0}' cc "
        "-showme:link)",
        RINGMESH_EXECUTABLE, source, part, program);
    BOOST_TEST(std::system(line.c_str()) == 0);
    BOOST_TEST(ringmesh({"mpiexec", program}).status == 0);
    BOOST_TEST(contains(ringmesh({"cc", "-showme:incdirs"}).out, "workloads/foreign/program\n"));
    BOOST_TEST(ringmesh({"cc", "-showme:libs"}).out == "m\n");
}

BOOST_AUTO_TEST_CASE(cmake_finds_it_as_mpi)
{
    Workshop workshop;
    const auto write = [&workshop](const std::string& name, const std::string& text) {
        std::ofstream(workshop.folder / name) << text;
    };
    write("CMakeLists.txt",
          "cmake_minimum_required(VERSION 3.18)\nproject(a LANGUAGES C)\nfind_package(MPI REQUIRED)\n"
          "add_executable(prints prints.c)\ntarget_link_libraries(prints MPI::MPI_C)\n");
    write("prints.c",
          "#include <mpi.h>\n#include <stdio.h>\nint main(int argc, char **argv)\n{\n    "
          "MPI_Init(&argc, &argv);\n    fprintf(stderr, \"there\\n\");\n    return MPI_Finalize();\n}\n");
    const std::string folder = workshop.folder.string();
    const std::vector<std::string> configure{"cmake",
                                             "-G",
                                             "Ninja",
                                             "-S",
                                             folder,
                                             "-B",
                                             folder + "/build",
                                             "-DCMAKE_C_FLAGS=-fPIC",
                                             std::string("-DMPI_C_COMPILER=") + RINGMESH_EXECUTABLE,
                                             "-DMPI_C_COMPILER_FLAGS=cc"};
    const lab::OutsideEnd configured = lab::run_outside(configure);
    BOOST_TEST_REQUIRE(configured.status == 0, configured.output);
    const lab::OutsideEnd built = lab::run_outside({"cmake", "--build", folder + "/build"});
    BOOST_TEST_REQUIRE(built.status == 0, built.output);
    const Ended ended = ringmesh({"mpiexec", "-n", "2", folder + "/build/prints"});
    BOOST_TEST(ended.err == "there\nthere\n");
    BOOST_TEST(ended.status == 0);
}

BOOST_AUTO_TEST_CASE(fortran_of_fixed_form_by_mpif_h)
{
    for (const int ranks : {1, 3, 6}) runs_well("old_fortran.f", "wulfkit-torus-2d", "scampi", ranks);
    runs_well("old_fortran.f", "scc", "rcce", 4);
}

BOOST_AUTO_TEST_CASE(fortran_of_free_form_by_the_module_mpi)
{
    for (const int ranks : {1, 5}) runs_well("new_fortran.f90", "wulfkit-ring", "sci-mpich", ranks);
    runs_well("new_fortran.f90", "scc", "ircce", 3);
    Workshop workshop;
    const std::string program = workshop.compiled("new_fortran.f90");
    const std::string line = fmt::format("echo input | '{}' mpiexec -n 3 '{}' 'a word'", RINGMESH_EXECUTABLE, program);
    BOOST_TEST(lab::run_outside({"sh", "-c", line}).output == "all is well\n");
}

BOOST_AUTO_TEST_CASE(each_end_of_a_rank_in_fortran_is_its_own)
{
    Workshop workshop;
    const std::string program = workshop.compiled("stops.f90");
    struct Ending {
        const char* how;
        int status;
        const char* told;
    };
    const std::array<Ending, 9> all{{
        {"nothing", 0, ""},
        {"early", 4, "STOP 4\nringmesh: rank 1 ended with exit status 4 without MPI_Finalize"},
        {"file", 2, "Cannot open file '/nowhere/none'"},
        {"crash", 2, "rank 1 crashed: Segmentation fault at address 0x10"},
        {"error unit", 0, "on the error unit\n"},
        {"stop", 3, "STOP 3\n"},
        {"text", 0, "STOP that was it\n"},
        {"error", 1, "ERROR STOP broken\n"},
        {"exit", 5, ""},
    }};
    for (const Ending& ending : all) {
        BOOST_TEST_CONTEXT(ending.how)
        {
            const Ended ended = ringmesh({"mpiexec", "-n", "2", program, ending.how});
            BOOST_TEST(ended.status == ending.status);
            BOOST_TEST(contains(ended.err, ending.told), ended.err);
            BOOST_TEST(contains(ended.out, "rank 1 is there\n"));
            const bool is_early = contains(ended.err, "without MPI_Finalize") || contains(ended.err, "crashed");
            BOOST_TEST((is_early || contains(ended.out, "rank 0 is there\n")));
        }
    }
}

BOOST_AUTO_TEST_CASE(what_fortran_cannot_have_is_told_when_it_is_compiled)
{
    Workshop workshop;
    const auto compile = [&workshop](const std::string& text) {
        const std::string source = (workshop.folder / "wrong.f90").string();
        std::FILE* const file = std::fopen(source.c_str(), "w");
        std::fputs(text.c_str(), file);
        std::fclose(file);
        return ringmesh({"fc", source, "-o", (workshop.folder / "wrong").string()});
    };
    const Ended other_module = compile("use mpi_f08\ncall MPI_Init()\nend\n");
    BOOST_TEST(other_module.status != 0);
    BOOST_TEST(contains(other_module.err, "there is no module mpi_f08; write use mpi"));
    const Ended unknown = compile("use mpi\ncall MPI_Session_init()\nend\n");
    BOOST_TEST(unknown.status != 0);
    BOOST_TEST(contains(unknown.err, "mpi_session_init_"));
    // The module knows the types of all but buffers
    const Ended real_count = compile(
        "use mpi\ninteger :: e\ncall MPI_Bcast('a', 1.0, MPI_CHARACTER, 0, "
        "MPI_COMM_WORLD, e)\nend\n");
    BOOST_TEST(real_count.status != 0);
    BOOST_TEST(contains(real_count.err, "count"));
    ::setenv("RINGMESH_FC", "true", 1);
    const Ended no_compiler = compile("end\n");
    ::unsetenv("RINGMESH_FC");
    BOOST_TEST(no_compiler.status == 2);
    BOOST_TEST(contains(no_compiler.err, "set RINGMESH_FC"));
}

BOOST_AUTO_TEST_CASE(two_compilations_at_once_share_what_they_make)
{
    Workshop workshop;
    ::setenv("XDG_CACHE_HOME", (workshop.folder / "cache").c_str(), 1);
    const std::string source = kSources + "stops.f90";
    const auto start = [&](const std::string& name) {
        return test::Program(test::Program::Arguments{"fc", "-J", workshop.folder.string(), source, "-o",
                                                      (workshop.folder / name).string()});
    };
    auto one = start("one");
    auto other = start("other");
    BOOST_TEST(one.wait().status == 0);
    BOOST_TEST(other.wait().status == 0);
    BOOST_TEST(std::distance(files::directory_iterator(workshop.folder / "cache/ringmesh"), {}) == 1);
    // What it shows can be typed
    const std::string shown =
        ringmesh({"fc", "-show", "-J", workshop.folder.string(), source, "-o", (workshop.folder / "third").string()})
            .out;
    BOOST_TEST(std::system(shown.c_str()) == 0);
    BOOST_TEST(contains(ringmesh({"mpiexec", (workshop.folder / "third").string(), "nothing"}).out, "rank 0 is there"));
}

BOOST_AUTO_TEST_CASE(arguments_come_back_as_they_were)
{
    const std::vector<std::string> all{"-m", "a word", "k=1,2", "100%", ""};
    BOOST_TEST(arguments_of(arguments_text(all)) == all, boost::test_tools::per_element());
    BOOST_TEST(arguments_text({"-m", "4096"}) == "-m 4096");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::workloads
