// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/program.h"

namespace {

using namespace ringmesh::test;
using nlohmann::ordered_json;

/// The platforms of the source tree with one value changed.
void use_changed_platforms(const TemporaryFolder& folder, const std::string& from, const std::string& to)
{
    std::filesystem::copy(RINGMESH_SOURCE_DIR "/platforms/machines", folder.path() / "platforms",
                          std::filesystem::copy_options::recursive);
    std::string platform = read_file(RINGMESH_SOURCE_DIR "/platforms/machines/wulfkit-ring.toml");
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
    std::set<std::string> ids;
    std::set<std::string> calibrated;
    for (const auto& row : json["rows"]) {
        BOOST_TEST(ids.insert(row["id"]).second, "two rows have this id: " << row["id"]);
        BOOST_TEST(row["machine"] == "wulfkit");
        BOOST_TEST((row["tolerance_percent"].is_null() == row["verdict"].is_null()));
        if (!row["published"].is_null() && !row["simulated"].is_null()) {
            BOOST_TEST(((row["role"] == "alternative") == row["verdict"].is_null()), row["id"]);
        }
        if (row["role"] == "calibration") calibrated.insert(row["id"]);
    }
    for (const char* id : {"wulfkit.ping_pong.1_hop_64B", "wulfkit.component.hop", "wulfkit.one_way.api_1B"}) {
        BOOST_TEST(ids.contains(id), id);
    }
    // Provenance names three; the other two repeat one of them
    const std::set<std::string> expected{"wulfkit.ping_pong.1_hop_64B", "wulfkit.component.overhead_slope",
                                         "wulfkit.one_way.api_1B", "wulfkit.component.overhead_64B",
                                         "wulfkit.component.overhead_512B"};
    BOOST_TEST(calibrated == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_study_has_the_name_of_its_folder_however_that_is_written)
{
    const TemporaryFolder folder;
    BOOST_TEST_REQUIRE(ringmesh::test::ringmesh({"new", "study", "mine"}).status == 0);
    std::filesystem::current_path("mine");
    for (const char* path : {".", "./study.toml", "../mine/."}) {
        const Ended ended = ringmesh::test::ringmesh({"validate", path, "--json", "-", "--store", "../store"});
        const auto json = ordered_json::parse(ended.out);
        BOOST_TEST_REQUIRE(json["rows"].size() > 0u, path);
        for (const auto& row : json["rows"]) BOOST_TEST(row["machine"] == "mine", path);
    }
    std::filesystem::current_path("..");
}

BOOST_AUTO_TEST_CASE(a_study_of_ones_own_is_validated_against_its_own_numbers_and_formula)
{
    const TemporaryFolder folder;
    folder.write("mine/study.toml",
                 "[test.rings]\nplatform = \"wulfkit-ring\"\nprogram = \"ping-pong\"\n"
                 "options = { sizes = 64, repetitions = 5, series = 1 }\naxes = { hops = [1, 2] }\n"
                 "set = { \"topology.dimensions\" = \"${2*hops}\" }\n");
    folder.write("mine/bench.csv", "hops,us\n1,4.2\n2,4.2\n");
    folder.write("mine/published.csv", "id,quantity,unit,tolerance\nring.h*,half a round trip; * hops,ns,1 %\n");
    folder.write(
        "mine/findings.sql",
        "CREATE VIEW finding_rings AS SELECT printf('ring.h%d', rings.hops) AS id, latency_min_ns AS simulated, "
        "sci_ping_pong_ns(rings.hops, 64) AS analytic, 1e3 * us AS published "
        "FROM rings JOIN \"bench.csv\" USING (hops);\n");
    const Ended ended = ringmesh::test::ringmesh({"validate", "mine", "--json", "-"});
    BOOST_TEST(ended.status == 1, ended.err);
    const auto json = ordered_json::parse(ended.out);
    BOOST_TEST_REQUIRE(json["rows"].size() == 2u);
    BOOST_TEST(json["rows"][0]["verdict"] == "pass");  // 4177 against 4200
    BOOST_TEST(json["rows"][1]["verdict"] == "fail");  // 4244
    BOOST_TEST(json["rows"][1]["formula_error_percent"].get<double>() > 1);
    BOOST_TEST(json["rows"][1]["role"] == "prediction");
}

/// The published number of the only row.
double published_in(const std::string& study)
{
    const Ended ended = ringmesh::test::ringmesh({"validate", study, "--json", "-", "--store", "store"});
    BOOST_TEST(ended.status == 0, ended.err);
    return ordered_json::parse(ended.out)["rows"][0]["published"];
}

BOOST_AUTO_TEST_CASE(a_report_is_made_again_when_anything_that_it_was_made_of_has_changed)
{
    const TemporaryFolder folder;
    folder.write("mine/study.toml",
                 "[test.rings]\nplatform = \"wulfkit-ring\"\nprogram = \"ping-pong\"\n"
                 "options = { sizes = 64, repetitions = 1, series = 1 }\n"
                 "cells = { csv = \"data/cells.csv\" }\nset = { \"topology.dimensions\" = \"${2*hops}\" }\n");
    folder.write("mine/data/cells.csv", "hops,measured_ns\n1,4000\n");
    folder.write("mine/published.csv", "id,quantity,unit,tolerance\nring.h1,half a round trip,ns,50 %\n");
    folder.write("mine/picture.png", std::string("\0\xFF", 2));
    const auto find = [&folder](const std::string& published) {
        folder.write("mine/10.sql", "CREATE VIEW finding_h AS SELECT 'ring.h1' AS id, latency_min_ns AS simulated, " +
                                        published + " AS published FROM rings;\n");
    };
    find("measured_ns");
    BOOST_TEST(published_in("mine") == 4000.0);
    BOOST_TEST(published_in("mine") == 4000.0);
    folder.write("mine/data/cells.csv", "hops,measured_ns\n1,4100\n");  // changes no run
    BOOST_TEST(published_in("mine") == 4100.0);
    find("4200");
    BOOST_TEST(published_in("mine") == 4200.0);
    find("us * 1000 AS published FROM rings, \"own.csv\"; CREATE VIEW other AS SELECT 1");
    folder.write("mine/own.csv", "us\n4.3\n");
    BOOST_TEST(published_in("mine") == 4300.0);
    folder.write("mine/own.csv", "us\n4.4\n");
    BOOST_TEST(published_in("mine") == 4400.0);
}

BOOST_AUTO_TEST_CASE(an_unknown_part_or_study_is_named_with_the_known_ones)
{
    const Ended part = ringmesh::test::ringmesh({"validate", "wulfkit", "--part", "ring"});
    BOOST_TEST(part.status == 2);
    BOOST_TEST(contains(part.err, "'rings'"), part.err);
    const Ended study = ringmesh::test::ringmesh({"validate", "wulfkt"});
    BOOST_TEST(study.status == 2);
    BOOST_TEST(contains(study.err, "'wulfkit'"), study.err);
}

BOOST_AUTO_TEST_CASE(why_shows_one_row_what_is_predicted_and_what_is_not_run)
{
    const TemporaryFolder folder;
    folder.write("mine/study.toml",
                 "[test.rings]\nplatform = \"wulfkit-ring\"\nprogram = \"ping-pong\"\n"
                 "options = { sizes = 64, repetitions = 1, series = 1 }\naxes = { hops = [1, 2] }\n"
                 "set = { \"topology.dimensions\" = \"${2*hops}\" }\nlong = \"hops > 1\"\n"
                 "[test.other]\nplatform = \"wulfkit-ring\"\nprogram = \"ping-pong\"\n"
                 "options = { sizes = 128, repetitions = 1, series = 1 }\n");
    folder.write(
        "mine/published.csv",
        "id,quantity,unit,value,tolerance,note,why_not,long\nring.h1,half a round trip,ns,4000,50 %,by hand,,\n"
        "ring.h2,half a round trip,ns,4000,50 %,,,yes\nring.colour,a colour,,,,,not modelled,\n");
    folder.write(
        "mine/10.sql",
        "CREATE VIEW finding_h AS SELECT printf('ring.h%d', hops) AS id, latency_min_ns AS simulated FROM "
        "rings;\nCREATE VIEW prediction_p AS SELECT 'ring.p' AS id, latency_min_ns AS simulated, 'a number' AS "
        "quantity, 'ns' AS unit, 'ringmesh run' AS command FROM rings WHERE hops = 1;\n");
    const auto why = [](const std::string& id) {
        return ringmesh::test::ringmesh({"validate", "mine", "--why", id, "--store", "store"});
    };
    const Ended row = why("ring.h1");
    BOOST_TEST(row.status == 0, row.err);
    BOOST_TEST(contains(row.out, "by hand"), row.out);
    BOOST_TEST(contains(row.out, "on wulfkit-ring: ping-pong:sizes=64,repetitions=1,series=1"), row.out);
    BOOST_TEST(!contains(row.out, "other"), row.out);
    BOOST_TEST(contains(row.out, "pass"), row.out);
    BOOST_TEST(!contains(row.out, "ring.h2"), row.out);
    BOOST_TEST(contains(why("ring.h2").out, "--full"));
    BOOST_TEST(contains(why("ring.colour").out, "not modelled"));
    BOOST_TEST(contains(why("ring.p").out, " new\n"));
    const Ended unknown = why("ring.h3");
    BOOST_TEST(unknown.status == 2);
    BOOST_TEST(contains(unknown.err, "'ring.h1'"), unknown.err);
    // Without a study those that ship are asked; nothing is run for an id that no machine has
    const Ended nowhere = ringmesh::test::ringmesh({"validate", "--why", "wulfkt.hop", "--store", "other"});
    BOOST_TEST(nowhere.status == 2);
    BOOST_TEST(contains(nowhere.err, "wulfkit."), nowhere.err);
}

BOOST_AUTO_TEST_CASE(why_runs_only_the_part_of_its_row)
{
    const TemporaryFolder folder;
    const std::string test =
        "platform = \"wulfkit-ring\"\nprogram = \"ping-pong\"\n"
        "options = { sizes = 64, repetitions = 1, series = 1 }\naxes = { \"options.to\" = [1, 2] }\n";
    folder.write("mine/study.toml",
                 "[test.near]\n" + test + "[test.far]\n" + test + "set = { \"lc2.bypass\" = \"13 cycles\" }\n");
    folder.write("mine/published.csv",
                 "id,quantity,unit,value,tolerance,note,why_not,long\nring.near1,half a round trip,ns,4000,50 %,,,\n"
                 "ring.far1,half a round trip,ns,4000,50 %,,,\nring.far2,half a round trip,ns,4000,50 %,,,\n");
    const auto view = [](const std::string& name, const std::string& id) {
        return "CREATE VIEW finding_" + name + " AS SELECT " + id + " AS id, latency_min_ns AS simulated FROM " + name;
    };
    folder.write("mine/10_near.sql", view("near", "'ring.near1'") + " WHERE options_to = 1;\n");
    folder.write("mine/20_far.sql", view("far", "'ring.' || 'far' || options_to") + ";\n");
    const auto why = [](const std::string& id) {
        return ringmesh::test::ringmesh({"validate", "mine", "--why", id, "--store", "store"});
    };
    const Ended near = why("ring.near1");
    BOOST_TEST(contains(near.out, "ring.near1"), near.out);
    BOOST_TEST(contains(near.err, "2 points, 2 of them run now"), near.err);
    // No script has this id or its beginning alone: all are asked
    const Ended far = why("ring.far2");
    BOOST_TEST(contains(far.out, "ring.far2"), far.out);
    BOOST_TEST(contains(far.err, "4 points, 2 of them run now"), far.err);
}

BOOST_AUTO_TEST_CASE(a_row_that_is_worse_than_frozen_is_named_and_the_status_is_1)
{
    const TemporaryFolder folder;
    use_changed_platforms(folder, "bypass = \"12 cycles\"", "bypass = \"13 cycles\"");
    const Ended ended = ringmesh::test::ringmesh({"validate", "--part", "rings", "--json", "rows.json"});
    BOOST_TEST(ended.status == 1);
    BOOST_TEST(ended.out.find("\nworse wulfkit.component.hop (") != std::string::npos);
    BOOST_TEST(std::filesystem::exists("rows.json"));
}

BOOST_AUTO_TEST_CASE(a_cycle_more_on_the_blink_makes_the_switching_latency_worse)
{
    const TemporaryFolder folder;
    use_changed_platforms(folder, "header = \"2 cycles\"", "header = \"3 cycles\"");
    const Ended ended = ringmesh::test::ringmesh({"validate", "--part", "tori"});
    BOOST_TEST(ended.status == 1);
    BOOST_TEST(contains(ended.out, "\nworse wulfkit.switching.stages ("), ended.out);
    // The equations hold on such a machine as well
    BOOST_TEST(ended.out.find("\nworse wulfkit.request.") == std::string::npos, ended.out);
    const Ended topologies = ringmesh::test::ringmesh({"validate", "--part", "topologies"});
    BOOST_TEST(topologies.out.find("\nworse wulfkit.crossover.") == std::string::npos, topologies.out);
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
