// SPDX-License-Identifier: Apache-2.0
#include "lab/store/index.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <boost/test/data/test_case.hpp>
#include <filesystem>
#include <fstream>

#include "lab/store/executor.h"
#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::lab;
using ringmesh::test::TemporaryFolder;
namespace data = boost::unit_test::data;

/// Two points that share a configuration, and one that does not.
void fill(Store& store)
{
    std::vector<Wish> wishes;
    for (const auto& [repetitions, symbol] : {std::pair{1, "5 ns"}, {2, "5 ns"}, {1, "4 ns"}}) {
        wishes.push_back(
            {.title = "",
             .request = {.platform = "wulfkit-ring",
                         .overlays = {},
                         .settings = {std::string("link.symbol_time=") + symbol},
                         .workload = "ping-pong:sizes=64,series=1,repetitions=" + std::to_string(repetitions)}});
    }
    for (const Granted& granted : grant(store, wishes, {})) granted.require_done("a point");
}

std::string only(const std::string& sql)
{
    SQLite::Database database("index.sqlite");
    return database.execAndGet(sql).getString();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(store_index)

BOOST_AUTO_TEST_CASE(an_index_has_what_the_points_have_with_numbers_in_base_units)
{
    const TemporaryFolder folder;
    Store store("store");
    fill(store);
    StoreIndex index("index.sqlite");
    BOOST_TEST(index.refresh(store).added == 3u);
    BOOST_TEST(only("SELECT count(*) FROM points WHERE state = 'done' AND program = 'ping-pong'") == "3");
    BOOST_TEST(only("SELECT count(DISTINCT configuration) FROM points") == "2");
    BOOST_TEST(only("SELECT group_concat(value) FROM (SELECT DISTINCT CAST(number AS INTEGER) || unit AS value "
                    "FROM parameters WHERE name = 'link.symbol_time' ORDER BY 1)") == "4000ps,5000ps");
    BOOST_TEST(only("SELECT count(*) FROM options WHERE name = 'repetitions' AND number = 2") == "1");
    BOOST_TEST(only("SELECT DISTINCT unit FROM results WHERE name = 'latency_min_ns'") == "ns");
    BOOST_TEST(only("SELECT count(*) FROM results WHERE name = 'latency_min_ns' AND value > 4000") == "3");
    BOOST_TEST(only("SELECT set_by FROM provenance WHERE name = 'host.library'") == "wulfkit.ping_pong.1_hop_64B");
    BOOST_TEST(only("SELECT count(*) > 0 FROM statistics WHERE modules = 'node*.psb'") == "1");
    BOOST_TEST(only("PRAGMA user_version") == "5");
}

BOOST_AUTO_TEST_CASE(a_refresh_adds_what_is_new_drops_what_is_gone_and_leaves_damaged_files_out)
{
    const TemporaryFolder folder;
    Store store("store");
    fill(store);
    StoreIndex index("index.sqlite");
    index.refresh(store);
    BOOST_TEST(index.refresh(store).added == 0u);
    const auto keys = store.keys();
    store.remove(keys[0]);
    std::filesystem::resize_file(store.file_of(keys[1]), 100);
    const auto changes = index.refresh(store);
    BOOST_TEST(changes.damaged == 1u);
    BOOST_TEST(changes.removed == 2u);
    BOOST_TEST(only("SELECT count(*) FROM points") == "1");
    BOOST_TEST(only("SELECT count(DISTINCT point) FROM results") == "1");
}

BOOST_AUTO_TEST_CASE(a_study_is_replaced_as_a_whole)
{
    const TemporaryFolder folder;
    StoreIndex index("index.sqlite");
    IndexedStudy study{
        .name = "mine",
        .members = {{"rings", "base", 1, "abc", {{"link.symbol_time", "5 ns"}}}, {"rings", "base", 2, "", {}}},
        .published = {.columns = {{"id", ""}, {"value", ""}}, .rows = {{"a", 1.5}}, .notes = {}},
        .ledger = {.columns = {{"id", ""}, {"role", ""}}, .rows = {{"a", "seen"}}, .notes = {}}};
    index.put(study);
    BOOST_TEST(only("SELECT number FROM axes") == "5000.0");
    BOOST_TEST(only("SELECT max(place) FROM members") == "1");
    study.members.pop_back();
    index.put(study);
    BOOST_TEST(only("SELECT count(*) FROM members") == "1");
    BOOST_TEST(only("SELECT role FROM ledger WHERE study = 'mine'") == "seen");
    BOOST_TEST(only("SELECT value FROM published") == "1.5");
}

BOOST_AUTO_TEST_CASE(the_index_of_a_newer_program_and_what_is_no_database_are_refused)
{
    const TemporaryFolder folder;
    {
        StoreIndex index("index.sqlite");
    }
    SQLite::Database("index.sqlite", SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 9");
    BOOST_CHECK_THROW(StoreIndex("index.sqlite"), UserError);
    folder.write("text", "this is no database, although it is long enough to be asked about");
    BOOST_CHECK_THROW(StoreIndex("text"), UserError);
}

BOOST_AUTO_TEST_CASE(an_index_to_which_another_process_writes_is_told)
{
    const TemporaryFolder folder;
    Store store("store");
    StoreIndex index("index.sqlite");
    SQLite::Database other("index.sqlite", SQLite::OPEN_READWRITE);
    other.exec("BEGIN EXCLUSIVE");
    BOOST_CHECK_EXCEPTION(index.refresh(store), UserError, [](const UserError& error) {
        return std::string(error.what()).find("wait for it") != std::string::npos;
    });
}

BOOST_AUTO_TEST_CASE(a_column_has_the_unit_of_the_machine_that_gave_it)
{
    const TemporaryFolder folder;
    Store store("store");
    std::vector<Wish> wishes;
    for (const char* platform : {"mesh-8x8", "wulfkit-ring"}) {
        wishes.push_back({.title = "traffic",
                          .request = {.platform = platform,
                                      .overlays = {},
                                      .settings = {},
                                      .workload = "traffic:load=0.1,duration=2us,warm_up=0ns"}});
    }
    for (const Granted& granted : grant(store, wishes, {})) granted.require_done("a point");
    StoreIndex("index.sqlite").refresh(store);
    const auto unit_on = [](const std::string& platform) {
        return only(
            "SELECT coalesce(unit, 'a part') FROM results JOIN points USING (point) WHERE name = 'offered_load' "
            "AND platform = '" +
            platform + "'");
    };
    BOOST_TEST(unit_on("mesh-8x8") == "flits/cycle");
    BOOST_TEST(unit_on("wulfkit-ring") == "a part");
}

BOOST_AUTO_TEST_CASE(a_point_that_was_written_again_within_a_second_is_read_again)
{
    const TemporaryFolder folder;
    Store store("store");
    fill(store);
    Point point = *store.find(store.keys().front());
    const Point done = point;
    point.header.state = PointState::kLate;
    point.record.outcome = {};
    store.put(point);
    StoreIndex index("index.sqlite");
    index.refresh(store);
    BOOST_TEST(only("SELECT count(*) FROM points WHERE state = 'done'") == "2");
    store.put(done);
    BOOST_TEST(index.refresh(store).added == 1u);
    BOOST_TEST(only("SELECT count(*) FROM points WHERE state = 'done'") == "3");
}

BOOST_DATA_TEST_CASE(the_index_of_an_older_program_is_made_again_with_what_somebody_added, data::xrange(1, 4), version)
{
    const TemporaryFolder folder;
    Store store("store");
    fill(store);
    StoreIndex("index.sqlite").refresh(store);
    {  // As older programs left it
        SQLite::Database old("index.sqlite", SQLite::OPEN_READWRITE);
        old.exec("PRAGMA application_id = 0");
        old.exec("PRAGMA user_version = " + std::to_string(version));
        if (version < 3) old.exec("DROP TABLE places; DROP TABLE place_samples");
        old.exec("CREATE TABLE remarks (text); INSERT INTO remarks VALUES ('mine')");
    }
    BOOST_TEST(StoreIndex("index.sqlite").refresh(store).added == 3u);
    BOOST_TEST(only("SELECT text FROM remarks") == "mine");
    BOOST_TEST(StoreIndex("index.sqlite").refresh(store).added == 0u);
}

BOOST_AUTO_TEST_CASE(a_database_that_lacks_a_table_of_an_old_index_is_refused)
{
    const TemporaryFolder folder;
    StoreIndex("index.sqlite").refresh(Store("store"));
    {
        SQLite::Database other("index.sqlite", SQLite::OPEN_READWRITE);
        other.exec("PRAGMA application_id = 0; PRAGMA user_version = 2; DROP TABLE axes");
    }
    BOOST_CHECK_THROW(StoreIndex("index.sqlite"), UserError);
    BOOST_TEST(only("SELECT count(*) FROM sqlite_schema WHERE name = 'members'") == "1");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
