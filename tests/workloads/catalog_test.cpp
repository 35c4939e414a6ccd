// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>

#include <set>

#include "tlm/error.h"
#include "tlm/parameter_list.h"
#include "workloads/library.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(workload_catalog)

BOOST_AUTO_TEST_CASE(every_workload_is_found_by_its_own_name_and_has_options_within_their_bounds)
{
    std::set<std::string> names;
    for (const auto& info : catalog()) {
        BOOST_TEST(names.insert(info.name).second);
        BOOST_TEST(&find_workload(info.name) == &info);
        BOOST_TEST(!info.description.empty());
        if (!info.uses_library()) {
            const auto workload = info.make(nullptr);
            BOOST_TEST(workload->library() == nullptr);
            BOOST_CHECK_NO_THROW(list_parameters_of([&](ParameterVisitor& visitor) { workload->visit(visitor); }));
        }
        for (const auto& library : libraries()) {
            if (!info.uses_library() || lacks(info, library)) continue;
            const auto workload = info.make(&library);
            BOOST_TEST_REQUIRE(workload->library() != nullptr);
            BOOST_CHECK_NO_THROW(list_parameters_of([&](ParameterVisitor& visitor) { workload->visit(visitor); }));
        }
    }
}

BOOST_AUTO_TEST_CASE(every_library_is_found_by_name_and_a_wrong_name_gets_the_nearest)
{
    for (const auto& info : libraries()) {
        BOOST_TEST(&find_library(std::string(info.name)) == &info);
        const auto library = info.make();
        BOOST_CHECK_NO_THROW(list_parameters_of([&](ParameterVisitor& visitor) { library->visit(visitor); }));
    }
    BOOST_TEST(find_library("mpi").name == "scampi");
    BOOST_CHECK_EXCEPTION(find_library("dekc"), UserError, [](const auto& error) {
        BOOST_TEST(error.what() == std::string("unknown library 'dekc'; did you mean 'deck'?"));
        return true;
    });
}

BOOST_AUTO_TEST_CASE(a_wrong_name_gets_the_nearest_match_or_the_list)
{
    BOOST_CHECK_EXCEPTION(find_workload("pingpong"), UserError, [](const auto& error) {
        BOOST_TEST(error.what() == std::string("unknown workload 'pingpong'; did you mean 'ping-pong'?"));
        return true;
    });
    BOOST_CHECK_EXCEPTION(find_workload("broadcast-tree"), UserError, [](const auto& error) {
        const std::string expected = "unknown workload 'broadcast-tree'; known: ";
        BOOST_TEST(std::string(error.what()).substr(0, expected.size()) == expected);
        return true;
    });
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
