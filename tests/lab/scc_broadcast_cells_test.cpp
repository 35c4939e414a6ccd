// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "lab/published_broadcast.h"
#include "tests/lab/program.h"

/// The quickest cells of the thesis' tables; `ringmesh validate scc` has the others.
namespace {

using namespace ringmesh::lab;
using namespace ringmesh::test;

constexpr std::int64_t kBytes = 50'000;
constexpr double kPercent = 30;  // as in validate

double published_seconds(std::span<const PublishedTime> times, std::int64_t cut)
{
    const auto cell = std::find_if(times.begin(), times.end(),
                                   [cut](const auto& time) { return time.size == kBytes && time.cut == cut; });
    return cell->seconds;
}

double simulated_seconds(const std::string& options)
{
    const auto json = json_of("run scc --library ircce --workload broadcast:size=50000,repetitions=1," + options);
    return json["results"]["rows"][0]["declared_min_s"];
}

}  // namespace

BOOST_AUTO_TEST_SUITE(published)
BOOST_AUTO_TEST_SUITE(scc_broadcasts)

BOOST_AUTO_TEST_CASE(cube_with_its_best_part_size_takes_what_was_published)
{
    BOOST_TEST(simulated_seconds("algorithm=cube,method=part-size,part=1024") ==
                   published_seconds(published_part_sizes(), 1024),
               boost::test_tools::tolerance(kPercent / 100));
}

BOOST_AUTO_TEST_CASE(dopl_with_its_best_pipe_size_takes_what_was_published)
{
    BOOST_TEST(simulated_seconds("algorithm=dopl,method=pipe-size,pipe=2048") ==
                   published_seconds(published_pipe_sizes(), 2048),
               boost::test_tools::tolerance(kPercent / 100));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
