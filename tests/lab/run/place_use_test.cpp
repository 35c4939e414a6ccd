// SPDX-License-Identifier: Apache-2.0
#include "lab/run/record/place_use.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "lab/run/experiment.h"
#include "lab/run/record/statistics_summary.h"
#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::lab;
using namespace ringmesh::test;
using nlohmann::ordered_json;

/// A run whose places are measured, and its accounts.
class Measured {
public:
    explicit Measured(const ExperimentRequest& request) : experiment_(request)
    {
        experiment_.measure_use(Duration::picoseconds(777'777));
        experiment_.prepare_simulation();
        experiment_.build();
        experiment_.run();
        rows_ = collect_statistics(experiment_.simulation());
        check_samples();
    }

    /// Over all places of a kind, or of a name that ends so.
    struct Sum {
        std::int64_t busy_ps = 0;
        std::uint64_t bytes = 0;
        std::uint64_t packets = 0;
        std::int64_t area_ps = 0;
        std::size_t places = 0;
    };
    Sum places(std::string_view kind, std::string_view ending = "") const
    {
        Sum sum;
        for (const auto& use : experiment_.use()->places()) {
            if (use->kind() != kind || !use->name().ends_with(ending)) continue;
            sum.busy_ps += use->busy_time().ps();
            sum.bytes += use->bytes();
            sum.packets += use->packets();
            sum.area_ps += use->level_area();
            ++sum.places;
        }
        BOOST_TEST_REQUIRE(sum.places != 0u, "no place of kind " << kind);
        return sum;
    }
    /// Of all blocks that count this.
    double counted(std::string_view statistic) const
    {
        double sum = 0;
        bool is_there = false;
        for (const StatisticRow& row : rows_) {
            if (row.name != statistic) continue;
            is_there = true;
            for (const auto& value : row.values) sum += value.value;
        }
        BOOST_TEST_REQUIRE(is_there, "no statistic " << statistic);
        return sum;
    }
    std::uint64_t count(std::string_view statistic) const
    {
        return static_cast<std::uint64_t>(std::llround(counted(statistic)));
    }
    std::int64_t picoseconds(std::string_view statistic) const { return std::llround(counted(statistic) * 1e3); }
    std::string parameter(std::string_view key) const
    {
        for (const ParameterRow& row : experiment_.parameters()) {
            if (row.key == key) return row.value;
        }
        return "";
    }

private:
    void check_samples() const
    {
        for (const auto& use : experiment_.use()->places()) {
            PlaceUse::Sample sum;
            for (const PlaceUse::Sample& sample : use->samples()) {
                sum.busy_ps += sample.busy_ps;
                sum.bytes += sample.bytes;
                sum.packets += sample.packets;
                sum.level_ps += sample.level_ps;
            }
            BOOST_TEST_REQUIRE(sum.busy_ps == use->busy_time().ps(), use->name());
            BOOST_TEST_REQUIRE(sum.bytes == use->bytes(), use->name());
            BOOST_TEST_REQUIRE(sum.packets == use->packets(), use->name());
            BOOST_TEST_REQUIRE(sum.level_ps == use->level_area(), use->name());
        }
    }

    Experiment experiment_;
    std::vector<StatisticRow> rows_;
};

/// Links of SCI rings against what the link controllers count and what a symbol takes.
void check_sci_links(const Measured& run)
{
    const auto links = run.places("link", "link_out");
    BOOST_TEST(links.busy_ps == run.picoseconds("link_busy"));
    BOOST_TEST(links.packets == run.count("forwarded") + run.count("sent") + run.count("echoes"));
    BOOST_TEST_REQUIRE(run.parameter("link.symbol_time") == "5 ns");
    constexpr std::int64_t kByteTime = 2'500;  // two bytes a symbol
    BOOST_TEST(static_cast<std::int64_t>(links.bytes) * kByteTime == links.busy_ps);
    BOOST_TEST(links.packets > 100u);
}

void check_mesh_links(const Measured& run, std::uint64_t flits_of_packet, std::int64_t cycle_ps)
{
    const auto links = run.places("link");
    const std::uint64_t flits = run.count("flit_hops");
    BOOST_TEST(links.bytes == 16 * flits);
    BOOST_TEST(links.busy_ps == static_cast<std::int64_t>(flits) * cycle_ps);
    if (flits_of_packet != 0) BOOST_TEST(links.packets * flits_of_packet == flits);
    BOOST_TEST(run.places("ejection link").packets == run.count("delivered"));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(place_use)

namespace {

/// A core that works 420 of 1000 ns and polls for 500, and a bus that is busy 300 ns.
PlaceUseTable core_and_bus()
{
    PlaceUseTable use;
    use.places.push_back({.name = "core0.state",
                          .kind = "core",
                          .carries = true,
                          .busy_ns = 420,
                          .states_ns = {{"idle", 80}, {"computing", 420}, {"polling", 500}}});
    use.places.push_back({.name = "mc0.bus",
                          .kind = "memory bus",
                          .carries = true,
                          .busy_ns = 300,
                          .packets = 9,
                          .waits = 4,
                          .waited_ns = 60});
    return use;
}
constexpr Duration kRun = Duration::picoseconds(1'000'000);

}  // namespace

BOOST_AUTO_TEST_CASE(processors_stand_among_the_busiest_places_and_can_be_the_bottleneck)
{
    PlaceUseTable use = core_and_bus();
    const std::string text = place_use_text(use, kRun, 16, kUnbroken);
    const std::string busiest = text.substr(text.find("the busiest places"));
    BOOST_TEST(busiest.find("core0.state") < busiest.find("mc0.bus"));
    BOOST_TEST(contains(bottleneck_text(use, kRun), "core0.state (core): busy 42 % of the run, waiting 50 %"));
    BOOST_TEST(contains(bottleneck_text(use, kRun),
                        "mc0.bus (memory bus) is the busiest: 30 %, 9 packets waited for it 4 times"));
    use.places[0].busy_ns = 200;
    BOOST_TEST(contains(bottleneck_text(use, kRun),
                        "mc0.bus (memory bus): busy 30 % of the run; 9 packets waited for it 4 times"));
    BOOST_TEST(bottleneck_text({}, kRun).empty());
}

BOOST_AUTO_TEST_CASE(a_processor_that_stalls_is_no_bottleneck_but_what_it_waits_for)
{
    PlaceUseTable use;
    use.places = {{.name = "node0.cpu.state",
                   .kind = "processor",
                   .carries = true,
                   .busy_ns = 920,
                   .states_ns = {{"idle", 80}, {"computing", 30}, {"storing", 890}}},
                  {.name = "node1.pci.phase", .kind = "bus", .carries = true, .busy_ns = 870, .packets = 9}};
    BOOST_TEST(bottleneck_text(use, kRun).starts_with("The bottleneck is node1.pci.phase (bus): busy 87 %"));
    use.places.push_back({.name = "node1.psb.buffers", .kind = "buffer", .is_queue = true, .refusals = 50});
    BOOST_TEST(bottleneck_text(use, kRun).starts_with("The bottleneck is node1.pci.phase (bus): busy 87 %"));
    use.places.push_back({.name = "node0.psb.buffers",
                          .kind = "buffer",
                          .is_queue = true,
                          .refusals = 40,
                          .queue_mean = 2,
                          .queue_room = 8});
    const std::string text = bottleneck_text(use, kRun);
    BOOST_TEST(text.starts_with("The bottleneck is node0.psb.buffers (buffer): it refused 40 times"), text);
    BOOST_TEST(contains(text, "node0.cpu.state stalled there, 89 % of the run"), text);
    BOOST_TEST(contains(text, "node1.pci.phase (bus) is the busiest: 87 %"), text);
    use.places.resize(1);  // nothing else is known
    BOOST_TEST(bottleneck_text(use, kRun).starts_with("The bottleneck is node0.cpu.state (processor): busy 92 %"));
}

BOOST_AUTO_TEST_CASE(the_most_used_places_keep_their_order_and_their_use_over_time)
{
    PlaceUseTable use = core_and_bus();
    use.places.insert(use.places.begin(), {.name = "mc1.bus", .kind = "memory bus", .carries = true, .busy_ns = 10});
    for (const PlaceRow& place : use.places) use.series.push_back({.name = place.name, .busy = {0.5}});
    BOOST_TEST(most_used(use, 3).places.size() == 3u);
    const PlaceUseTable few = most_used(use, 2);
    BOOST_TEST_REQUIRE(few.places.size() == 2u);
    BOOST_TEST_REQUIRE(few.series.size() == 2u);
    for (const std::size_t i : {0U, 1U}) {
        BOOST_TEST(few.places[i].name == use.places[i + 1].name);
        BOOST_TEST(few.series[i].name == use.places[i + 1].name);
    }
    BOOST_TEST(most_used(use, 1).places.front().name == "core0.state");  // busy or waiting for the whole run
}

BOOST_AUTO_TEST_CASE(waiting_is_of_packets_for_a_place_and_of_a_program_in_its_processor)
{
    const PlaceUseTable use = core_and_bus();
    BOOST_TEST(waiting_ns(use.places[0]) == 500);
    BOOST_TEST(waiting_ns(use.places[1]) == 60);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(place_use)

BOOST_AUTO_TEST_CASE(the_links_of_a_ring_add_up_to_its_accounts)
{
    const Measured run({.platform = "wulfkit-ring", .workload = "traffic:load=0.5,duration=50us"});
    check_sci_links(run);
}

BOOST_AUTO_TEST_CASE(the_links_of_a_torus_add_up_to_its_accounts)
{
    const Measured run({.platform = "wulfkit-torus-2d", .workload = "traffic:load=0.3,duration=20us"});
    check_sci_links(run);
}

BOOST_AUTO_TEST_CASE(the_buses_of_cards_and_pcs_add_up_to_their_accounts)
{
    const Measured run(
        {.platform = "wulfkit-ring", .workload = "all-to-all:sizes=64,repetitions=1", .library = "deck"});
    check_sci_links(run);
    const auto pci = run.places("bus", "pci.phase");
    BOOST_TEST(pci.busy_ps == run.picoseconds("busy") - run.places("bus", "blink.packet").busy_ps);
    BOOST_TEST(pci.packets == run.count("transactions"));
    BOOST_TEST(run.places("bus", "blink.packet").packets == run.count("transfers"));
}

BOOST_AUTO_TEST_CASE(the_links_of_a_mesh_of_flits_add_up_to_its_accounts)
{
    const Measured run({.platform = "mesh-8x8", .workload = "traffic:load=0.3,duration=5us,flits=5"});
    check_mesh_links(run, 5, 1'000);
    BOOST_TEST(run.places("buffer").area_ps > 0);
}

BOOST_AUTO_TEST_CASE(the_links_of_a_mesh_of_paths_add_up_to_its_accounts)
{
    const Measured run({.platform = "mesh-8x8",
                        .settings = {"mesh.detail=path"},
                        .workload = "traffic:load=0.3,duration=5us,flits=5"});
    check_mesh_links(run, 5, 1'000);
}

BOOST_AUTO_TEST_CASE(the_chip_adds_up_to_its_accounts)
{
    const Measured run({.platform = "scc", .workload = "broadcast:size=4096,repetitions=1,ranks=8", .library = "rcce"});
    check_mesh_links(run, 0, 1'250);
    const auto mpb = run.places("memory port", "mpb.port");
    BOOST_TEST(mpb.packets == run.count("mpb_turns"));
    BOOST_TEST(mpb.busy_ps == run.picoseconds("mpb_busy"));
    const auto bus = run.places("memory bus");
    BOOST_TEST(bus.busy_ps == run.picoseconds("data_bus_busy"));
    const auto banks = run.places("bank");
    BOOST_TEST(banks.packets == bus.packets);
    BOOST_TEST(banks.bytes == bus.bytes);
    BOOST_TEST(banks.busy_ps >= bus.busy_ps);
}

BOOST_AUTO_TEST_CASE(the_channels_of_a_hypercube_add_up_to_their_accounts)
{
    const Measured run(
        {.platform = "ncube-64", .workload = "all-to-all:sizes=64,repetitions=1,ranks=8", .library = "vertex"});
    const auto links = run.places("link");
    BOOST_TEST(links.bytes == run.count("bytes"));
    BOOST_TEST(links.packets == run.count("transfers") + run.count("controls"));
    BOOST_TEST(run.places("DMA").busy_ps == run.picoseconds("receiving"));
    BOOST_TEST(run.places("DMA").packets == run.count("transfers"));
    // Each active channel loads the memory of its two nodes
    BOOST_TEST(run.places("memory port").area_ps == run.picoseconds("sending") + run.picoseconds("receiving"));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(places)

namespace {

constexpr const char* kTraffic = "run mesh-8x8 --workload traffic:load=0.2,duration=3us,flits=2";

}  // namespace

BOOST_AUTO_TEST_CASE(measuring_changes_no_result)
{
    for (const std::string& run :
         {std::string(kTraffic),
          std::string("run wulfkit-ring --workload all-to-all:sizes=64,repetitions=1 --library scampi"),
          std::string("run scc --workload ping-pong:sizes=64"), std::string("run ncube-64 --workload barrier")}) {
        const auto plain = json_of(run + " --fresh");
        const auto measured = json_of(run + " --fresh --every-block --sample 1us");
        BOOST_TEST(plain.at("results") == measured.at("results"), run);
        BOOST_TEST(plain.at("simulated_ns") == measured.at("simulated_ns"), run);
        BOOST_TEST(!plain.contains("places"));
        BOOST_TEST(measured.at("places").size() > 10u);
    }
}

BOOST_AUTO_TEST_CASE(the_busiest_places_are_shown_first)
{
    const Ended ended = ringmesh::test::ringmesh(words(std::string(kTraffic) + " --every-block"));
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    std::istringstream lines(ended.out.substr(ended.out.find("the busiest places")));
    double before = 100;
    int rows = 0;
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("mesh.")) continue;
        std::istringstream cells(line);
        std::string place, kind;
        double busy = 0;
        cells >> place >> kind;
        if (kind == "ejection") cells >> kind;
        cells >> busy;
        BOOST_TEST(busy <= before);
        before = busy;
        ++rows;
    }
    BOOST_TEST(rows == 16);
    BOOST_TEST(contains(ended.out, " places more that were used"), ended.out);
}

BOOST_AUTO_TEST_CASE(the_store_keeps_places_and_samples)
{
    const TemporaryFolder folder;
    const std::string run = std::string(kTraffic) + " --store " + (folder.path() / "store").string() + " --json -";
    const auto stored = [](const Ended& ended) { return contains(ended.err, "from the store"); };
    const Ended first = ringmesh::test::ringmesh(words(run + " --sample 500ns"));
    BOOST_TEST_REQUIRE(first.status == 0, first.err);
    const Ended again = ringmesh::test::ringmesh(words(run + " --sample 500ns"));
    BOOST_TEST(stored(again));
    BOOST_TEST(first.out == again.out);
    BOOST_TEST(stored(ringmesh::test::ringmesh(words(run + " --every-block"))));
    BOOST_TEST(!stored(ringmesh::test::ringmesh(words(run + " --sample 1us"))));  // another interval is another answer
    const std::string index = (folder.path() / "index.sqlite").string();
    const Ended made = ringmesh::test::ringmesh(
        words("store index --store " + (folder.path() / "store").string() + " --sqlite " + index));
    BOOST_TEST_REQUIRE(made.status == 0, made.err);
    const SQLite::Database database(index);
    SQLite::Statement sums(database,
                           "SELECT (SELECT sum(bytes) FROM places), (SELECT sum(bytes) FROM place_samples), (SELECT "
                           "count(*) FROM places WHERE queue_room > 0)");
    BOOST_TEST_REQUIRE(sums.executeStep());
    BOOST_TEST(sums.getColumn(0).getInt64() == sums.getColumn(1).getInt64());
    BOOST_TEST(sums.getColumn(0).getInt64() > 1000);
    BOOST_TEST(sums.getColumn(2).getInt() >= 64);  // a buffer of each router among them
    const auto json = ordered_json::parse(again.out);
    BOOST_TEST(json.at("series").at("every_ns").get<double>() == 500);
    const auto& links = json.at("places");
    std::map<std::string, double> busy;
    for (const auto& place : links) {
        if (place.contains("busy_ns")) busy[place.at("name")] = place.at("busy_ns");
    }
    for (const auto& place : json.at("series").at("places")) {
        if (!place.contains("busy")) continue;
        double sum = 0;
        for (const auto& part : place.at("busy")) sum += 500 * part.get<double>();
        BOOST_TEST(sum == busy.at(place.at("name")), boost::test_tools::tolerance(1e-9));
    }
}

BOOST_AUTO_TEST_CASE(a_report_has_the_use_of_places)
{
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "run.html").string();
    const Ended ended = ringmesh::test::ringmesh(words(std::string(kTraffic) + " --sample 1us --report " + file));
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    const std::string page = read_file(file);
    BOOST_TEST(contains(page, "busy_percent"));
    BOOST_TEST(contains(page, "\"every_ns\":1000"));
}

BOOST_AUTO_TEST_CASE(an_interval_is_a_time_above_zero)
{
    for (const std::string& bad : std::vector<std::string>{"0ns", "-1us", "often", "5"}) {
        const Ended ended = ringmesh::test::ringmesh(words(std::string(kTraffic) + " --sample " + bad));
        BOOST_TEST(ended.status == 2, bad);
        BOOST_TEST(contains(ended.err, "--sample " + bad), ended.err);
    }
}

BOOST_AUTO_TEST_CASE(each_packet_has_a_line_with_its_outcome)
{
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "packets.csv").string();
    for (const auto& [run, injects] :
         {std::pair(std::string(kTraffic), true),
          std::pair(std::string("run wulfkit-ring --workload traffic:load=0.4,duration=20us"), true),
          std::pair(std::string("run mesh-8x8 --workload traffic:load=0.7,duration=1us,flits=5"), true),
          std::pair(std::string("run wulfkit-ring --set topology.dimensions=4 --workload "
                                "store-traffic:pattern=hot-spot,hot_part=0.9,duration=20us"),
                    true),
          std::pair(std::string("run wulfkit-ring --workload ping-pong:sizes=64,repetitions=3"), true),
          std::pair(std::string("run scc --workload ping-pong:sizes=64,repetitions=3"), false),  // to the own MPB
          std::pair(std::string("run ncube-64 --workload ping-pong:sizes=64,repetitions=3"), true)}) {
        const Ended ended = ringmesh::test::ringmesh(words(run + " --packets " + file));
        BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
        std::istringstream lines(read_file(file));
        std::string line;
        std::getline(lines, line);
        BOOST_TEST(line ==
                   "packet,leg,source,target,bytes,born_ns,injected_ns,arrived_ns,latency_ns,waited_ns,waits,stream");
        std::size_t rows = 0;
        while (std::getline(lines, line)) {
            ++rows;
            std::vector<std::string> cells(1);
            bool quoted = false;
            for (const char c : line) {
                if (c == '"') {
                    quoted = !quoted;
                } else if (c == ',' && !quoted) {
                    cells.emplace_back();
                } else {
                    cells.back() += c;
                }
            }
            BOOST_TEST_REQUIRE(cells.size() == 12u, line);
            BOOST_TEST_REQUIRE(cells[11] == "workload", line);
            BOOST_TEST_REQUIRE(!cells[2].empty(), run << ": " << line);
            BOOST_TEST_REQUIRE(cells[2] != cells[3].substr(0, cells[3].find('.') + 1), line);
            if (injects) BOOST_TEST_REQUIRE(!cells[6].empty(), run << ": " << line);
            const double born = std::stod(cells[5]);
            const double arrived = std::stod(cells[7]);
            if (!cells[6].empty()) {
                BOOST_TEST_REQUIRE(born <= std::stod(cells[6]), line);
                BOOST_TEST_REQUIRE(std::stod(cells[6]) < arrived, line);
            }
            BOOST_TEST_REQUIRE(std::abs(arrived - born - std::stod(cells[8])) < 1e-6, line);
            double waited = 0;
            for (std::size_t at = cells[10].find('='); at != std::string::npos; at = cells[10].find('=', at + 1)) {
                waited += std::stod(cells[10].substr(at + 1));
            }
            BOOST_TEST_REQUIRE(std::abs(waited - std::stod(cells[9])) < 1e-6, line);
            BOOST_TEST_REQUIRE(waited <= std::stod(cells[8]) + 1e-6, line);
        }
        BOOST_TEST(rows > 5u, run);
        BOOST_TEST(contains(ended.err, std::to_string(rows) + " packets in "), ended.err);
    }
}

BOOST_AUTO_TEST_CASE(the_packets_of_a_mesh_take_what_its_results_say)
{
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "packets.csv").string();
    const auto json =
        json_of("run mesh-8x8 --workload traffic:load=0.05,duration=2us,warm_up=0us,flits=3 --packets " + file);
    std::istringstream lines(read_file(file));
    std::string line;
    std::getline(lines, line);
    double least = 1e9;
    while (std::getline(lines, line)) {
        std::vector<std::string> cells;
        std::istringstream of_line(line);
        for (std::string cell; std::getline(of_line, cell, ',');) cells.push_back(cell);
        least = std::min(least, std::stod(cells[8]));
    }
    BOOST_TEST(least == json.at("results").at("rows").at(0).at("latency_min_ns").get<double>());
}

BOOST_AUTO_TEST_CASE(packets_need_a_file_that_can_be_written)
{
    BOOST_TEST(ringmesh::test::ringmesh(words(std::string(kTraffic) + " --packets -")).status == 2);
    const Ended ended = ringmesh::test::ringmesh(words(std::string(kTraffic) + " --packets /dev/null/p.csv"));
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(contains(ended.err, "/dev/null/p.csv"), ended.err);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
