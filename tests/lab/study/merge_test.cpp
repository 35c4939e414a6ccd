// SPDX-License-Identifier: Apache-2.0
#include "lab/study/running/execution.h"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "tests/platforms/configuration/temporary_folder.h"

namespace {

using namespace ringmesh::lab;
using ringmesh::test::TemporaryFolder;

Point point(const std::string& key, double result, PointState state = PointState::kDone)
{
    Point made;
    made.header = {.key = key, .model = "m", .state = state};
    made.record.workload = "ping-pong";
    made.record.wall_seconds = result / 7;  // differs between equal runs
    made.record.outcome.results = {.columns = {{"latency_ns", "ns"}}, .rows = {{result}}, .notes = {}};
    return made;
}

const std::vector<std::string> kKeys{"aa01", "aa02", "aa03"};

struct Stores {
    TemporaryFolder folder;
    Store here{folder.path() / "here"};
    std::vector<Store> others{Store(folder.path() / "a"), Store(folder.path() / "b")};
};

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(study_merge)

BOOST_AUTO_TEST_CASE(points_are_copied_once_and_skipped_the_next_time)
{
    Stores stores;
    stores.others[0].put(point("aa01", 1));
    stores.others[1].put(point("aa01", 1));
    stores.others[1].put(point("aa02", 2));
    stores.others[1].put(point("ffff", 2));  // not of the study
    const Merged first = merge(stores.here, stores.others, kKeys);
    BOOST_TEST(first.copied == 2u);
    BOOST_TEST(first.missing == 1u);
    BOOST_TEST(first.refused.empty());
    BOOST_TEST(stores.here.keys().size() == 2u);
    BOOST_TEST(*stores.here.find_text("aa02") == *stores.others[1].find_text("aa02"));
    const Merged second = merge(stores.here, stores.others, kKeys);
    BOOST_TEST(second.copied == 0u);
    BOOST_TEST(second.there == 2u);
}

BOOST_AUTO_TEST_CASE(what_is_done_replaces_what_was_not)
{
    Stores stores;
    stores.here.put(point("aa01", 0, PointState::kLate));
    stores.here.put(point("aa02", 2));
    stores.others[0].put(point("aa01", 1));
    stores.others[0].put(point("aa02", 0, PointState::kFailed));
    BOOST_TEST(merge(stores.here, stores.others, kKeys).copied == 1u);
    BOOST_TEST((stores.here.find("aa01")->header.state == PointState::kDone));
    BOOST_TEST((stores.here.find("aa02")->header.state == PointState::kDone));
}

BOOST_AUTO_TEST_CASE(damaged_points_are_refused_by_name_and_taken_from_elsewhere)
{
    Stores stores;
    std::string text = point_text(point("aa01", 1));
    text[text.size() - 10] ^= 1;
    stores.others[0].put_text("aa01", text);
    stores.others[1].put(point("aa01", 1));
    const Merged merged = merge(stores.here, stores.others, kKeys);
    BOOST_TEST(merged.copied == 1u);
    BOOST_TEST_REQUIRE(merged.refused.size() == 1u);
    BOOST_TEST(merged.refused.front().find("aa01.json") != std::string::npos);
    BOOST_TEST(stores.here.find("aa01").has_value());
}

BOOST_AUTO_TEST_CASE(other_results_under_the_same_key_are_refused)
{
    Stores stores;
    stores.here.put(point("aa01", 1));
    stores.others[0].put(point("aa01", 2));
    const Merged merged = merge(stores.here, stores.others, kKeys);
    BOOST_TEST(merged.refused.size() == 1u);
    BOOST_TEST(merged.there == 1u);
    BOOST_TEST((stores.here.find("aa01")->record.outcome.results.rows.at(0).at(0) == ringmesh::workloads::Cell(1.0)));
}

BOOST_AUTO_TEST_CASE(each_key_counts_once)
{
    Stores stores;
    stores.here.put(point("aa02", 0, PointState::kFailed));
    stores.others[0].put(point("aa01", 0, PointState::kFailed));
    stores.others[1].put(point("aa01", 1));
    const Merged merged = merge(stores.here, stores.others, kKeys);
    BOOST_TEST(merged.copied == 1u);  // the failed one, then the done one
    BOOST_TEST(merged.there == 1u);   // has failed, and nobody has better
    BOOST_TEST(merged.missing == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
