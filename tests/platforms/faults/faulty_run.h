// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/cases.h"
#include "tests/support/program.h"

namespace ringmesh::test {

/// The sum of a counter over all blocks.
inline double sum_of(const nlohmann::json& run, const std::string& name)
{
    double sum = 0;
    for (const auto& statistic : run["statistics"]) {
        if (statistic["name"] == name) sum += statistic["mean"].get<double>() * statistic["count"].get<double>();
    }
    return sum;
}

/// `ringmesh run`, which has to succeed.
inline nlohmann::json run_of(const std::vector<std::string>& arguments)
{
    std::vector<std::string> all{"run"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    for (const char* word : {"--json", "-", "--no-wall-time"}) all.emplace_back(word);
    const Ended ended = ringmesh(all);
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    return nlohmann::json::parse(ended.out);
}

/// The same, which has to end by a fault. @return what it says
inline std::string end_of(const std::vector<std::string>& arguments)
{
    std::vector<std::string> all{"run"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Ended ended = ringmesh(all);
    BOOST_TEST(ended.status == 1, ended.err);
    BOOST_TEST(ended.out == "");
    return ended.err;
}

/// Its arguments, and a fault.
inline std::vector<std::string> with_fault(std::vector<std::string> arguments, const std::string& fault)
{
    arguments.emplace_back("--fault");
    arguments.push_back(fault);
    return arguments;
}

}  // namespace ringmesh::test
