// SPDX-License-Identifier: Apache-2.0
#include "lab/study/running/shard.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <set>
#include <string>
#include <vector>

#include "tlm/error.h"

namespace {

namespace data = boost::unit_test::data;
using namespace ringmesh;
using namespace ringmesh::lab;

/// Points with the keys 00, 37, 74, ... modulo 101; the last has the key of the first.
std::vector<StudyPoint> points_with_keys(unsigned count)
{
    std::vector<StudyPoint> points(count);
    for (unsigned i = 0; i < count; ++i) points[i].wish.key = std::to_string(100 + i * 37 % 101);
    points.back().wish.key = points.front().wish.key;
    return points;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(study_shards)

BOOST_DATA_TEST_CASE(shares_are_disjoint_cover_all_and_differ_by_one_at_most, data::make({1u, 2u, 3u, 7u, 60u}), count)
{
    const auto all = points_with_keys(50);  // 49 keys
    std::set<std::string> seen;
    for (unsigned number = 1; number <= count; ++number) {
        auto share = all;
        keep_share(share, {number, count});
        std::set<std::string> keys;
        for (const StudyPoint& point : share) keys.insert(point.wish.key);
        BOOST_TEST(keys.size() >= 49 / count);
        BOOST_TEST(keys.size() <= 49 / count + (49 % count == 0 ? 0 : 1));
        for (const std::string& key : keys) BOOST_TEST(seen.insert(key).second);
    }
    BOOST_TEST(seen.size() == 49u);
}

BOOST_AUTO_TEST_CASE(a_share_is_written_as_number_and_count)
{
    BOOST_TEST(shard_from("2/8").number == 2u);
    BOOST_TEST(shard_from("2/8").count == 8u);
    BOOST_TEST(shard_from("1/1").is_all());
}

BOOST_DATA_TEST_CASE(what_is_no_share_is_refused,
                     data::make({"", "1", "0/4", "5/4", "1/0", "a/b", "1/4x", "-1/4", "1/", "slurm"}), text)
{
    BOOST_CHECK_THROW(shard_from(text), UserError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
