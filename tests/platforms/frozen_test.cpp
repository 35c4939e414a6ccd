// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/cases.h"
#include "tests/support/program.h"

/// What the shipped kinds of machines printed before machines became graphs, to the digit.
namespace {

using namespace ringmesh::test;

const std::string kFolder = RINGMESH_SOURCE_DIR "/tests/platforms/frozen/";

/// A name and its arguments.
std::vector<std::string> frozen_runs()
{
    std::istringstream lines(read_file(kFolder + "runs"));
    std::vector<std::string> runs;
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty() && line.front() != '#') runs.push_back(line);
    }
    return runs;
}

/// Without the configuration above the table, whose provenance and version may change, and without the answer above the
/// text of `explain`.
std::string results_of(const std::string& output, bool is_text)
{
    std::istringstream lines(is_text ? output.substr(output.find("\n\n") + 2) : output);
    std::string results;
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with('#')) results += line + '\n';
    }
    return results;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(platforms)
BOOST_AUTO_TEST_SUITE(frozen)

BOOST_DATA_TEST_CASE(results_are_those_of_before_machines_were_graphs, data::make(frozen_runs()), run)
{
    const std::size_t bar = run.find('|');
    const Ended ended = ringmesh::test::ringmesh(words(run.substr(bar + 1)));
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    const bool is_text = run.find("|explain ") != std::string::npos;
    BOOST_TEST(results_of(ended.out, is_text) == read_file(kFolder + run.substr(0, bar) + ".txt"));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
