// SPDX-License-Identifier: Apache-2.0
/// Faults of links and link controllers, from the command line to what software sees.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/platforms/faults/faulty_run.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;

struct Rate {
    const char* what;
    const char* counter;  ///< that names it
    friend std::ostream& operator<<(std::ostream& out, const Rate& rate) { return out << rate.what; }
};
const std::vector<Rate> kRates{{"lose-packet", "lost"},
                               {"lose-echo", "lost"},
                               {"corrupt-data", "crc_errors"},
                               {"corrupt-echo", "crc_errors"},
                               {"corrupt-header", "faults"}};

const std::vector<std::string> kLibraries{"raw", "deck", "scampi", "sci-mpich"};
const std::vector<std::string> kLibrariesThatCheck{"deck", "scampi", "sci-mpich"};

std::string fault(const std::string& what, const std::string& when)
{
    return "where=node*.lc2*,what=" + what + ",when=" + when;
}

bool of_echo(const Rate& rate) { return std::string(rate.what).ends_with("echo"); }

std::vector<std::string> with(std::vector<std::string> all, const std::vector<std::string>& more)
{
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

const std::vector<std::string> kSoftwareRepairs{
    "--set", "recovery.tries=0", "--set", "recovery.echo_timeout=20us", "--set", "recovery.response_timeout=100us"};

/// Recovery is refused without a fault.
const char* const kNever = "where=*.lc2,what=cut,when=1 s";

constexpr int kRoundTrips = 20;

/// Every byte is checked by the program.
std::vector<std::string> messages(const std::string& library, const std::string& workload = "ping-pong:sizes=64")
{
    return {"wulfkit-ring", "--workload",
            workload + (workload.starts_with("ping") ? fmt::format(",repetitions={},series=1", kRoundTrips) : ""),
            "--library", library};
}

double simulated(const nlohmann::json& run) { return run["simulated_ns"].get<double>(); }

/// A fault, and what it costs all round trips at least.
struct Passing {
    const char* fault;
    const char* counter;
    double longer_ns = 0;
    friend std::ostream& operator<<(std::ostream& out, const Passing& one) { return out << one.fault; }
};

/// When node 0 of two has taken a request and not answered it yet.
struct Unanswered {
    const char* library;
    const char* stop;
    friend std::ostream& operator<<(std::ostream& out, const Unanswered& one) { return out << one.library; }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(platforms)
BOOST_AUTO_TEST_SUITE(faults)

/// On a ring, a switch and a torus: each packet comes once, although one in fifty is lost.
BOOST_DATA_TEST_CASE(packets_come_once_whatever_is_lost_on_the_way,
                     data::make(kRates) * data::make({"wulfkit-ring", "wulfkit-switch", "wulfkit-torus-3x3"}), rate,
                     machine)
{
    const auto run =
        run_of({machine, "--workload", "traffic:load=0.1,duration=200us", "--fault", fault(rate.what, "0.02/packet"),
                "--set", "recovery.echo_timeout=20us", "--set", "recovery.tries=64"});
    BOOST_TEST(sum_of(run, "faults") > 10);
    BOOST_TEST(sum_of(run, rate.counter) > 10);
    BOOST_TEST(sum_of(run, "echo_timeouts") > 10);
    BOOST_TEST(run["results"]["rows"][0]["lost"] == 0);  // and the accounts of all packets are balanced
    if (of_echo(rate)) BOOST_TEST(sum_of(run, "duplicates") > 5);
}

/// Every byte of every message is checked by the programs. A lost echo need not delay any.
BOOST_DATA_TEST_CASE(messages_of_each_library_arrive_intact, data::make(kRates) * data::make(kLibraries), rate, library)
{
    const auto base = with(messages(library, library == "raw" ? "ping-pong:sizes=4096" : "exchange:sizes=4096"),
                           {"--set", "recovery.echo_timeout=20us", "--set", "recovery.tries=64"});
    const auto run = run_of(with_fault(base, fault(rate.what, "0.01/packet")));
    BOOST_TEST(sum_of(run, "faults") > 10);
    BOOST_TEST(sum_of(run, rate.counter) > 10);
    BOOST_TEST(sum_of(run, "echo_timeouts") > 10);
    if (!of_echo(rate)) BOOST_TEST(simulated(run) > simulated(run_of(with_fault(base, kNever))) + 20'000);
}

BOOST_DATA_TEST_CASE(messages_of_each_library_outlast_what_passes,
                     data::make(std::vector<Passing>{
                         {"where=node3.lc2,what=cut,when=20us..320us", "lost", 250'000},
                         {"where=*.lc2,what=full,when=20us..120us", "faults", 90'000},
                         {"where=*.lc2,what=slow,when=20us..120us", "faults", 2'000},
                         {"where=*.lc2,what=lost-go,when=20us..120us", "lost_go", 90'000},
                         // One packet at a time waits for few go bits
                         {"where=*.lc2,what=lost-go,when=0.1/packet", "lost_go", 0},
                     }) * data::make(kLibraries),
                     passing, library)
{
    const auto run = run_of(with_fault(messages(library), passing.fault));
    BOOST_TEST(sum_of(run, passing.counter) > 0);
    const auto took = [](const nlohmann::json& of) {
        return kRoundTrips * of["results"]["rows"][0]["round_trip_avg_ns"].get<double>();
    };
    BOOST_TEST(took(run) >= took(run_of(messages(library))) + passing.longer_ns);
}

/// Packet and target are those of the first that gives up, which need not be near.
BOOST_DATA_TEST_CASE(what_is_open_for_ever_ends_the_run_by_name,
                     data::make({"where=node3.lc2,what=cut", "where=node4.lc2,what=stop",
                                 "where=node1.lc2,what=stop"}) *
                         data::make(kLibraries),
                     open, library)
{
    const std::string end = end_of(with_fault(messages(library), std::string(open) + ",when=20 us"));
    BOOST_TEST(contains(end, ".lc2: re"), end);  // request or response
    BOOST_TEST(contains(end, " for node "), end);
    BOOST_TEST(contains(end, " was sent 8 times"), end);
}

/// Hardware cannot repair it: the request has its echo, and nobody is left to answer.
BOOST_DATA_TEST_CASE(who_stops_before_the_answer_is_noticed_by_each_library,
                     data::make(std::vector<Unanswered>{
                         {"raw", "15700 ns"}, {"deck", "12400 ns"}, {"scampi", "13000 ns"}, {"sci-mpich", "13000 ns"}}),
                     unanswered)
{
    const std::string end =
        end_of(with_fault(with(messages(unanswered.library),
                               {"--set", "topology.dimensions=2", "--set", "recovery.response_timeout=2ms"}),
                          std::string("where=node0.lc2,what=stop,when=") + unanswered.stop));
    BOOST_TEST(contains(end, "node1.psb: request "), end);
    BOOST_TEST(contains(end, " to node 0 had no response"), end);
}

/// A way of a library, whose messages are checked byte by byte by their program.
struct Way {
    const char* library;
    const char* sizes;
    friend std::ostream& operator<<(std::ostream& out, const Way& way) { return out << way.library << way.sizes; }
};
const std::vector<Way> kWays{{"deck", "62"},
                             {"deck", "4096"},
                             {"deck:limit=1024", "16384"},
                             {"deck:limit=1024,transfer=dma", "16384"},
                             {"deck:notification=interrupt", "60"},
                             {"scampi", "8"},
                             {"scampi", "4096"},
                             {"scampi", "65536"},
                             {"sci-mpich", "8"},
                             {"sci-mpich", "4096"}};

/// Link controllers send once: the libraries' own checks find what is lost.
BOOST_DATA_TEST_CASE(libraries_send_again_what_no_link_controller_does, data::make(kRates) * data::make(kWays), rate,
                     way)
{
    // A transfer of hundreds of packets must now and then arrive whole
    const char* chance = std::string(way.sizes).size() > 4 ? "0.002/packet" : "0.02/packet";
    const auto run = run_of(with(
        {"wulfkit-ring", "--set", "topology.dimensions=4", "--workload", std::string("exchange:sizes=") + way.sizes,
         "--library", way.library, "--fault", fault(rate.what, chance), "--set", "recovery.transfer_tries=1000"},
        kSoftwareRepairs));
    BOOST_TEST(sum_of(run, "faults") > 0);
    if (!of_echo(rate)) BOOST_TEST(sum_of(run, "response_timeouts") > 0);
    // The packet has come, and so has its response
    if (of_echo(rate)) BOOST_TEST(sum_of(run, "given_up") > 0);
    if (of_echo(rate)) BOOST_TEST(sum_of(run, "response_timeouts") == 0);
}

/// On two nodes a message of 64 packets is whole with a chance of (1 - p)^128: 0.77, then 0.02.
BOOST_DATA_TEST_CASE(how_often_software_tries_bounds_size_and_rate, data::make(kLibrariesThatCheck), library)
{
    const auto base =
        with(with(messages(library, "ping-pong:sizes=4096"), {"--set", "topology.dimensions=2"}), kSoftwareRepairs);
    const auto run = run_of(with_fault(base, fault("lose-packet", "0.002/packet")));
    BOOST_TEST(sum_of(run, "response_timeouts") > 0);
    const std::string end = end_of(with_fault(base, fault("lose-packet", "0.03/packet")));
    BOOST_TEST(contains(end, "sent 8 times"), end);
    run_of(with_fault(with(base, {"--set", "recovery.transfer_tries=1000"}), fault("lose-packet", "0.03/packet")));
}

/// Raw segments have nobody who looks: only the echo may be missing, since the response tells.
BOOST_DATA_TEST_CASE(raw_segments_end_with_the_first_request_without_a_response, data::make(kRates), rate)
{
    const auto struck = with_fault(with(messages("raw"), kSoftwareRepairs), fault(rate.what, "0.02/packet"));
    if (of_echo(rate)) {
        const auto run = run_of(struck);
        BOOST_TEST(sum_of(run, "given_up") > 0);
        BOOST_TEST(sum_of(run, "response_timeouts") == 0);
    } else {
        const std::string end = end_of(struck);
        BOOST_TEST(contains(end, ".psb: request "), end);
        BOOST_TEST(contains(end, " to node "), end);
    }
}

/// What is sent again is counted, and costs its time-out.
BOOST_DATA_TEST_CASE(a_lost_message_costs_a_response_time_out, data::make(kLibrariesThatCheck), library)
{
    const std::vector<std::string> base{
        "wulfkit-ring", "--set", "topology.dimensions=2", "--workload", "ping-pong:sizes=8,repetitions=4,series=1",
        "--library",    library};
    const auto alone = run_of(with(with_fault(base, kNever), kSoftwareRepairs));
    const auto struck =
        run_of(with(with(base, {"--fault", "where=node0.lc2,what=lose-packet,when=packet 1"}), kSoftwareRepairs));
    BOOST_TEST(sum_of(alone, "response_timeouts") == 0);
    BOOST_TEST(sum_of(struck, "response_timeouts") == 1);
    const double longer = struck["simulated_ns"].get<double>() - alone["simulated_ns"].get<double>();
    BOOST_TEST(longer > 95'000);
    BOOST_TEST(longer < 125'000);
}

/// A response that comes when nobody waits for it any more belongs to no other request.
BOOST_DATA_TEST_CASE(late_responses_count_for_nothing, data::make(kLibrariesThatCheck), library)
{
    const auto base = with(with(messages(library, "exchange:sizes=4096"), {"--set", "recovery.transfer_tries=1000"}),
                           kSoftwareRepairs);
    const auto run = run_of(with_fault(base, "where=node*.lc2,what=full,when=20us..320us"));
    BOOST_TEST(sum_of(run, "response_timeouts") > 0);
    BOOST_TEST(sum_of(run, "late_responses") > 0);
    const auto alone = run_of(with_fault(base, kNever));
    BOOST_TEST(simulated(run) > simulated(alone) + 200'000);
}

BOOST_AUTO_TEST_CASE(raw_segments_end_when_a_queue_is_full_for_longer_than_the_time_out)
{
    const std::string end =
        end_of(with_fault(with(messages("raw"), kSoftwareRepairs), "where=*.lc2,what=full,when=20us..320us"));
    BOOST_TEST(contains(end, ".psb: request "), end);
    BOOST_TEST(contains(end, " to node "), end);
}

/// Who has no check, and who has sent often enough, ends the run: the message, or request, and both ends are named.
BOOST_DATA_TEST_CASE(what_software_does_not_repair_ends_the_run_by_name,
                     data::make({"where=node3.lc2,what=cut", "where=node4.lc2,what=stop",
                                 "where=node1.lc2,what=stop"}) *
                         data::make({"raw", "deck", "scampi", "sci-mpich", "scampi:check=false"}),
                     open, library)
{
    const std::string end =
        end_of(with_fault(with(messages(library), kSoftwareRepairs), std::string(open) + ",when=20 us"));
    const bool checks = std::string(library) != "raw" && std::string(library) != "scampi:check=false";
    if (checks) BOOST_TEST(contains(end, ": message "), end);
    if (checks) BOOST_TEST(contains(end, " of rank "), end);
    if (checks) BOOST_TEST(contains(end, " to rank "), end);
    if (!checks) BOOST_TEST(contains(end, "psb: request "), end);
    if (!checks) BOOST_TEST(contains(end, " to node "), end);
}

/// Hardware cannot repair it: the request has its echo, and nobody is left to answer.
BOOST_DATA_TEST_CASE(who_stops_before_the_answer_is_noticed_by_the_card_that_waits,
                     data::make({"remote-write:sizes=64,repetitions=1,series=1", "remote-read:sizes=64,repetitions=1"}),
                     workload)
{
    const Ended ended = ringmesh::test::ringmesh({"run", "wulfkit-ring", "--set", "topology.dimensions=2", "--workload",
                                                  workload, "--fault", "where=node1.lc2,what=stop,when=1400 ns"});
    BOOST_TEST(ended.status == 1);
    BOOST_TEST(contains(ended.err, "node0.psb: request "), ended.err);
    BOOST_TEST(contains(ended.err, "to node 1 "), ended.err);
}

/// As long as the card's bypass takes, for each packet that leaves it.
BOOST_AUTO_TEST_CASE(a_slow_link_controller_sends_later_by_its_bypass)
{
    const auto latency = [](const std::string& where) {
        std::vector<std::string> all{"wulfkit-ring", "--workload",
                                     "traffic:load=0.001,packets=50,pattern=nearest-neighbour"};
        if (!where.empty()) all.insert(all.end(), {"--fault", "where=" + where + ",what=slow,when=0 ns"});
        return run_of(all)["results"]["rows"][0]["latency_mean_ns"].get<double>();
    };
    BOOST_TEST(latency("node*.lc2") == latency("") + 60, boost::test_tools::tolerance(1e-6));
}

/// Behind a slow time packets come as close as they may.
BOOST_DATA_TEST_CASE(a_link_controller_that_is_slow_now_and_then_loses_nothing,
                     data::make({"wulfkit-ring", "wulfkit-switch", "wulfkit-torus-3x3"}), machine)
{
    const auto run = run_of({machine, "--workload", "traffic:load=0.9,duration=100us", "--fault",
                             "where=node*.lc2*,what=slow,when=1e5/s,lasts=2 us"});
    BOOST_TEST(run["results"]["rows"][0]["lost"] == 0);
    BOOST_TEST(sum_of(run, "faults") > 10);
}

/// Those behind the cable wait until idle symbols bring go bits again.
BOOST_AUTO_TEST_CASE(lost_go_bits_hold_up_those_who_wait_for_them)
{
    const std::vector<std::string> base{"wulfkit-ring", "--workload", "traffic:load=0.5,duration=200us"};
    const auto alone = run_of(base);
    const auto seldom = run_of(with(base, {"--fault", "where=node*.lc2,what=lost-go,when=0.1/packet"}));
    const auto long_time = run_of(with(base, {"--fault", "where=node3.lc2,what=lost-go,when=50us..150us"}));
    for (const auto& run : {seldom, long_time}) {
        BOOST_TEST(run["results"]["rows"][0]["lost"] == 0);
        BOOST_TEST(sum_of(run, "lost_go") > 0);
    }
    const auto waited = [](const nlohmann::json& run) { return sum_of(run, "go_wait"); };
    BOOST_TEST(waited(seldom) > waited(alone));
    BOOST_TEST(waited(long_time) > waited(alone) + 80'000);
}

/// A time-out for each loss, which is most of what a message takes longer.
BOOST_AUTO_TEST_CASE(a_lost_packet_costs_its_time_out)
{
    const std::vector<std::string> base{"wulfkit-ring", "--set", "topology.dimensions=2", "--workload",
                                        "remote-write:sizes=64,repetitions=1,series=1"};
    const double alone = run_of(base)["simulated_ns"].get<double>();
    auto struck = base;
    struck.insert(struck.end(),
                  {"--fault", "where=node0.lc2,what=lose-packet,when=packet 1", "--set", "recovery.echo_timeout=30us"});
    const auto run = run_of(struck);
    BOOST_TEST(sum_of(run, "lost") == 1);
    BOOST_TEST(sum_of(run, "echo_timeouts") == 1);
    BOOST_TEST(run["simulated_ns"].get<double>() > alone + 29'000);
}

/// The rings of the others go on; what was for it, or went over it, is counted.
BOOST_AUTO_TEST_CASE(a_torus_lives_without_a_node)
{
    const auto run = run_of({"wulfkit-torus-2d", "--set", "topology.dimensions=3x3", "--workload",
                             "traffic:load=0.1,duration=100us", "--fault", "where=node4.lc2_*,what=stop,when=50 us",
                             "--set", "recovery.echo_timeout=20us", "--set", "recovery.tries=3"});
    const auto row = run["results"]["rows"][0];
    BOOST_TEST(row["lost"].get<int>() > 10);
    BOOST_TEST(row["delivered"].get<int>() > 10);
    BOOST_TEST(sum_of(run, "given_up") == row["lost"].get<double>());
}

BOOST_AUTO_TEST_CASE(a_fault_in_a_file_is_the_one_of_settings)
{
    const TemporaryFolder folder;
    const auto overlay = folder.write("noise.toml",
                                      "description = \"noise\"\napplies_to = [\"wulfkit\"]\n[fault.noise]\n"
                                      "where = \"node*.lc2*\"\nwhat = \"lose-packet\"\nwhen = \"1e-2/packet\"\n");
    const std::vector<std::string> traffic{"wulfkit-ring", "--workload", "traffic:load=0.2,duration=50us"};
    auto by_file = traffic;
    by_file.insert(by_file.end(), {"--overlay", overlay});
    auto by_option = traffic;
    for (const char* setting : {"where=node*.lc2*", "what=lose-packet", "when=1e-2/packet"}) {
        by_option.insert(by_option.end(), {"--set", std::string("fault.noise.") + setting});
    }
    BOOST_TEST(run_of(by_file)["results"].dump() == run_of(by_option)["results"].dump());
}

/// A fault that never strikes changes no result.
BOOST_AUTO_TEST_CASE(without_a_strike_nothing_changes)
{
    const std::vector<std::string> traffic{"wulfkit-torus-3x3", "--workload", "traffic:load=0.5,duration=50us"};
    auto later = traffic;
    later.insert(later.end(), {"--fault", "where=*,what=cut,when=1 s"});
    auto expected = run_of(traffic)["results"]["rows"][0];
    auto seen = run_of(later)["results"]["rows"][0];
    seen.erase("lost");
    BOOST_TEST(seen.dump() == expected.dump());
}

struct Mistake {
    const char* fault;
    const char* key;
    const char* set = "link.idle_symbols=2";
    friend std::ostream& operator<<(std::ostream& out, const Mistake& mistake) { return out << mistake.fault; }
};

BOOST_DATA_TEST_CASE(a_wrong_fault_is_refused_before_the_run,
                     data::make(std::vector<Mistake>{
                         {"where=node99*,what=cut,when=1us", "fault.fault1.where"},
                         {"where=*,what=melt,when=1us", "fault.fault1.what"},
                         {"where=*,what=cut,when=never", "fault.fault1.when"},
                         {"where=*,what=cut", "--fault"},
                         {"where=*,what=cut,when=1us,lasts=x", "fault.fault1.lasts"},
                         {"where=*,what=lost-go,when=1us", "fault.fault1.what", "link.flow_control=off"},
                         {"where=*,what=cut,until=1us", "--fault"},
                         {"cut", "--fault"},
                     }),
                     mistake)
{
    const Ended ended = ringmesh::test::ringmesh(
        {"run", "wulfkit-ring", "--workload", "traffic:duration=5us", "--fault", mistake.fault, "--set", mistake.set});
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(ended.out == "");
    BOOST_TEST(contains(ended.err, std::string(mistake.key)), ended.err);
}

/// A response time-out before the last try would give up what yet arrives.
BOOST_AUTO_TEST_CASE(a_response_time_out_is_longer_than_all_tries)
{
    const Ended ended =
        ringmesh::test::ringmesh({"run", "wulfkit-ring", "--workload", "ping-pong:sizes=8", "--fault",
                                  "where=*,what=cut,when=1 s", "--set", "recovery.response_timeout=800us"});
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(contains(ended.err, "recovery.response_timeout"), ended.err);
}

BOOST_AUTO_TEST_CASE(each_word_that_a_machine_knows_is_listed_and_can_be_used)
{
    const Ended listed = ringmesh::test::ringmesh({"list", "faults", "wulfkit-ring", "--json"});
    BOOST_TEST_REQUIRE(listed.status == 0, listed.err);
    const auto faults = nlohmann::json::parse(listed.out)["faults"];
    BOOST_TEST(faults.size() == 10u);
    for (const auto& each : faults) {
        run_of({"wulfkit-ring", "--workload", "traffic:duration=5us", "--fault",
                "where=node0.lc2,when=1 s,what=" + each["what"].get<std::string>()});
    }
    BOOST_TEST(ringmesh::test::ringmesh({"list", "faults"}).status == 2);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
