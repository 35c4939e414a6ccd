// SPDX-License-Identifier: Apache-2.0
/// Faults of the SCC, up to what RCCE sees.
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "platforms/scc/machine.h"
#include "tests/hw/printing.h"
#include "tests/platforms/faults/faulty_run.h"
#include "tests/support/cases.h"
#include "tlm/simulation/fault.h"
#include "tlm/time/kernel_time.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;

const std::vector<std::string> kLibraries{"rcce", "ircce"};

std::vector<std::string> messages(const std::string& library, const char* sizes = "64")
{
    return {"scc", "--workload", std::string("ping-pong:repetitions=5,sizes=") + sizes, "--library", library};
}

/// Between cores 0 and 1, so that what is said in the end names no others.
std::vector<std::string> messages_of_two(const std::string& library) { return messages(library, "64,ranks=2"); }

struct Repaired {
    const char* fault;
    friend std::ostream& operator<<(std::ostream& out, const Repaired& one) { return out << one.fault; }
};

/// A fault, and words of what it says in the end.
struct Ending {
    const char* fault;
    std::vector<std::string> says;
    friend std::ostream& operator<<(std::ostream& out, const Ending& one) { return out << one.fault; }
};

/// A chip with a fault, without library.
struct FaultyChip {
    explicit FaultyChip(const FaultParams& fault) : simulation(1)
    {
        simulation.faults().set({{"f", fault}}, 1);
        chip = std::make_unique<platforms::SccChip>(simulation, platforms::SccParams{});
    }
    void run()
    {
        simulation.run();
        simulation.require_drained();
    }
    Simulation simulation;
    std::unique_ptr<platforms::SccChip> chip;
};

/// Takes core 0's lock and gives it back. @param taken when it was taken
Task<> lock(SccProcessor& core, Duration& taken)
{
    const PollRequest until_taken{.address = core.test_and_set(0), .size = 4, .value = 1};
    co_await core.poll(until_taken);
    taken = core.time();
    const std::array<std::byte, 4> zero{};
    const StoreRequest release{.address = core.test_and_set(0), .data = zero.data(), .size = 4};
    co_await core.store(release);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(platforms)
BOOST_AUTO_TEST_SUITE(faults_of_the_scc)

/// Every byte is checked by the program.
BOOST_DATA_TEST_CASE(messages_arrive_intact_and_later,
                     data::make(kLibraries) * data::make(std::vector<Repaired>{
                                                  {"where=mesh.r0_0.*,what=corrupt,when=0.05/packet"},
                                                  {"where=mesh.r0_0.*,what=half-width,when=0 ns"},
                                                  {"where=mesh.r0_0.*,what=down,when=20us..40us"},
                                                  {"where=mesh.r0_0,what=stop,when=20us..40us"},
                                                  {"where=mc*,what=slow,when=0 ns"},
                                              }),
                     library, repaired)
{
    const nlohmann::json alone = run_of(messages(library, "64,4096"));
    const nlohmann::json struck = run_of(with_fault(messages(library, "64,4096"), repaired.fault));
    BOOST_TEST(sum_of(struck, "faults") > 0);
    BOOST_TEST(struck["simulated_ns"].get<double>() > alone["simulated_ns"].get<double>());
}

BOOST_DATA_TEST_CASE(
    what_nothing_repairs_ends_the_run_by_name,
    data::make(kLibraries) *
        data::make(std::vector<Ending>{
            {"where=mesh.r0_0.local,what=down,when=22 us",
             {"mesh: request ", "waits for r0_0.local", "core 0 waits", "core 1 polls", "core 0's ready flag"}},
            {"where=mesh.r0_0,what=stop,when=22 us",
             {"mesh: request ", "waits for r0_0.local", "core 0 waits", "core 1 polls", "core 0's ready flag"}},
            {"where=core1,what=halt,when=22 us", {"core1: core 1 has halted", "core 0 polls", "core 1's ready flag"}},
            {"where=tile0.mpb,what=lose-flag,when=22 us",
             {"fault1 (lose-flag)", "core 0 polls", "core 1 polls", "core 1's ready flag", "core 0's ready flag"}},
            {"where=tile0.mpb,what=lose-flag,when=packet 14",
             {"fault1 (lose-flag)", "core 0 polls", "core 1 polls", "core 1's sent flag", "core 0's ready flag"}},
        }),
    library, ending)
{
    const std::string end = end_of(with_fault(messages_of_two(library), ending.fault));
    for (const std::string& word : ending.says) BOOST_TEST(contains(end, word), end);
}

/// Two cores that share a tile and have all in their caches need none.
BOOST_DATA_TEST_CASE(a_dead_controller_ends_the_run_when_a_core_needs_it, data::make(kLibraries), library)
{
    const char* const dead = "where=mc0,what=stop,when=20 us";
    const std::string end = end_of(with_fault(messages(library), dead));
    BOOST_TEST(contains(end, "mc0: has stopped"), end);
    BOOST_TEST(contains(end, "core 0 waits for the response"), end);
    run_of(with_fault(messages_of_two(library), dead));
}

/// It held already what was written, or was written once more before anybody looked.
BOOST_DATA_TEST_CASE(a_flag_lost_that_nobody_waits_for_goes_unseen, data::make(kLibraries), library)
{
    const auto run = run_of(with_fault(messages(library), "where=tile0.mpb,what=lose-flag,when=packet 5"));
    BOOST_TEST(sum_of(run, "writes_lost") == 1);
}

/// Their messages take none.
BOOST_DATA_TEST_CASE(rcce_does_not_notice_locks, data::make(kLibraries) * data::make({"taken", "lose-release"}),
                     library, what)
{
    const auto run = run_of(with_fault(messages(library), std::string("where=tile*.registers,when=0 us,what=") + what));
    BOOST_TEST(run["simulated_ns"] == run_of(messages(library))["simulated_ns"]);
}

/// A line of a message of other bytes than the one before in the same place.
BOOST_DATA_TEST_CASE(bytes_that_are_lost_are_found, data::make(kLibraries), library)
{
    const std::string end =
        end_of(with_fault(messages(library, "4096"), "where=tile0.mpb,what=lose-write,when=packet 60"));
    BOOST_TEST(contains(end, "lose-write"), end);
    BOOST_TEST(contains(end, "instead of"), end);
}

BOOST_AUTO_TEST_CASE(a_lock_that_reads_as_taken_is_had_when_it_does_not)
{
    FaultyChip bench({.where = "tile0.registers", .what = "taken", .when = "0us..50us", .lasts = ""});
    Duration taken;
    bench.chip->processor(2).run(lock(bench.chip->processor(2), taken), "locks");
    bench.run();
    BOOST_TEST(taken > 50_us);
    BOOST_TEST(taken < 52_us);
}

BOOST_AUTO_TEST_CASE(a_lock_that_is_never_released_ends_the_run)
{
    FaultyChip bench({.where = "tile0.registers", .what = "lose-release", .when = "packet 1", .lasts = ""});
    Duration first, second;
    bench.chip->processor(0).run(lock(bench.chip->processor(0), first), "first");
    bench.chip->processor(47).run(lock(bench.chip->processor(47), second), "second");
    std::string end;
    try {
        bench.run();
    } catch (const FaultError& error) {
        end = error.what();
    }
    BOOST_TEST(contains(end, "second: core 47 polls"), end);
    BOOST_TEST(first > Duration::zero());
    BOOST_TEST(second == Duration::zero());
}

BOOST_AUTO_TEST_CASE(without_a_strike_nothing_changes)
{
    const nlohmann::json expected = run_of(messages("rcce"));
    auto faulty = messages("rcce");
    for (const char* fault : {"where=core*,what=halt", "where=mc*,what=stop", "where=mc*,what=slow",
                              "where=tile*.mpb,what=lose-write", "where=tile*.registers,what=taken"}) {
        faulty = with_fault(faulty, std::string(fault) + ",when=1 s");
    }
    const nlohmann::json seen = run_of(faulty);
    BOOST_TEST(seen["results"]["rows"].dump() == expected["results"]["rows"].dump());
    BOOST_TEST(seen["simulated_ns"] == expected["simulated_ns"]);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
