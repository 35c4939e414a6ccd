// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "lab/published.h"
#include "tests/lab/program.h"
#include "tests/platforms/temporary_folder.h"

namespace {

using namespace ringmesh::test;
using nlohmann::ordered_json;

/// The platforms of the source tree with one value changed.
void use_changed_platforms(const TemporaryFolder& folder, const std::string& from, const std::string& to)
{
    std::filesystem::copy(RINGMESH_SOURCE_DIR "/platforms", folder.path() / "platforms",
                          std::filesystem::copy_options::recursive);
    std::string platform = read_file(RINGMESH_SOURCE_DIR "/platforms/wulfkit-ring.toml");
    const auto place = platform.find(from);
    BOOST_TEST_REQUIRE(place != std::string::npos);
    folder.write("platforms/wulfkit-ring.toml", platform.replace(place, from.size(), to));
    ::setenv("RINGMESH_PLATFORMS", (folder.path() / "platforms").c_str(), 1);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(validate_command)

BOOST_AUTO_TEST_CASE(rows_about_rings_are_within_their_tolerances)
{
    const Ended ended = ringmesh::test::ringmesh({"validate", "wulfkit", "--part", "rings", "--json", "-"});
    BOOST_TEST(ended.status == 0, ended.out + ended.err);
    const auto json = ordered_json::parse(ended.out);
    const std::set<std::string> expected{"id",       "machine",   "quantity",      "unit",  "published",         "kind",
                                         "analytic", "simulated", "error_percent", "role",  "tolerance_percent", "pass",
                                         "source",   "note",      "stated_miss",   "result"};
    std::set<std::string> ids;
    std::vector<std::string> calibrated;
    for (const auto& row : json["rows"]) {
        std::set<std::string> keys;
        for (const auto& [key, value] : row.items()) keys.insert(key);
        BOOST_TEST(keys == expected, boost::test_tools::per_element());
        BOOST_TEST(ids.insert(row["id"]).second, "two rows have this id: " << row["id"]);
        BOOST_TEST(row["machine"] == "wulfkit");
        BOOST_TEST((row["tolerance_percent"].is_null() == row["pass"].is_null()));
        BOOST_TEST(row["result"].is_null() == row["pass"].is_null());
        BOOST_TEST((row["role"] == "information") == row["pass"].is_null());
        if (row["role"] == "calibration") calibrated.push_back(row["id"]);
    }
    for (const char* id : {"wulfkit.ping_pong.1_hop_64B", "wulfkit.component.hop", "wulfkit.one_way.api_1B"}) {
        BOOST_TEST(ids.contains(id), id);
    }
    const std::vector<std::string> expected_calibrated{"wulfkit.ping_pong.1_hop_64B",
                                                       "wulfkit.component.overhead_slope", "wulfkit.one_way.mpi_1B"};
    BOOST_TEST(calibrated == expected_calibrated, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(every_published_number_has_its_row_on_the_page_of_its_machine)
{
    using namespace ringmesh::lab;
    const std::vector<std::pair<const char*, std::span<const PublishedRow>>> machines{{"wulfkit", published_wulfkit()},
                                                                                      {"deck", published_deck()},
                                                                                      {"scc", published_scc()},
                                                                                      {"mesh", published_mesh()},
                                                                                      {"ncube", published_ncube()}};
    for (const auto& [machine, rows] : machines) {
        const std::string page = read_file(std::string(RINGMESH_SOURCE_DIR "/docs/validation/") + machine + ".md");
        for (const auto& row : rows) {
            // The report's second table and its lines stand beside the simulated ones in tables below the rows
            if (row.id.starts_with("ncube.float.") || row.id.starts_with("ncube.line.")) continue;
            BOOST_TEST(page.find(std::string(row.id)) != std::string::npos, row.id);
        }
    }
}

BOOST_AUTO_TEST_CASE(an_unknown_part_is_named_with_the_known_ones)
{
    const Ended ended = ringmesh::test::ringmesh({"validate", "--part", "wheels"});
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(ended.err ==
               "ringmesh: validate: --part wheels: no such part; known: rings, tori, topologies, load, claims, raw, "
               "protocols, mpi, alternatives, latency, caches, ping-pong, part-sizes, pipe-sizes, broadcasts, grid, "
               "times, channels, programs, discussion\n");
}

BOOST_AUTO_TEST_CASE(a_row_out_of_its_tolerance_is_named_and_the_status_is_1)
{
    const TemporaryFolder folder;
    use_changed_platforms(folder, "bypass = \"12 cycles\"", "bypass = \"13 cycles\"");
    const Ended ended = ringmesh::test::ringmesh({"validate", "--part", "rings", "--json", "rows.json"});
    BOOST_TEST(ended.status == 1);
    BOOST_TEST(ended.out.find("\nFAIL wulfkit.component.hop: ") != std::string::npos);
    BOOST_TEST(std::filesystem::exists("rows.json"));
}

BOOST_AUTO_TEST_CASE(a_cycle_more_on_the_blink_takes_the_switching_latency_out_of_its_tolerance)
{
    const TemporaryFolder folder;
    use_changed_platforms(folder, "header = \"2 cycles\"", "header = \"3 cycles\"");
    const Ended ended = ringmesh::test::ringmesh({"validate", "--part", "tori"});
    BOOST_TEST(ended.status == 1);
    for (const char* id : {"wulfkit.component.switching", "wulfkit.switching.corrected", "wulfkit.switching.stages"}) {
        BOOST_TEST(ended.out.find(std::string("\nFAIL ") + id + ": ") != std::string::npos, id);
    }
    // The equations hold on such a machine as well
    BOOST_TEST(ended.out.find("\nFAIL wulfkit.request.") == std::string::npos, ended.out);
    const Ended topologies = ringmesh::test::ringmesh({"validate", "--part", "topologies"});
    BOOST_TEST(topologies.out.find("\nFAIL wulfkit.crossover.") == std::string::npos, topologies.out);
}

BOOST_AUTO_TEST_CASE(bad_input_in_a_platform_is_the_users_error)
{
    const TemporaryFolder folder;
    use_changed_platforms(folder, "decode = \"20 ns\"", "decode = \"20 MHz\"");
    const Ended ended = ringmesh::test::ringmesh({"validate", "--part", "rings"});
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(ended.err.find("platforms/wulfkit-ring.toml:") != std::string::npos, ended.err);
    BOOST_TEST(ended.err.ends_with("'MHz' is not a unit of time; write ps, ns, us, ms or s\n"));
    BOOST_TEST(ended.out == "");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
