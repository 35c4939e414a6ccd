// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>

#include <set>

#include "tests/platforms/configuration/user_error.h"
#include "tlm/error.h"
#include "tlm/parameters/parameter_list.h"
#include "workloads/libraries/library.h"

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
        BOOST_TEST(names.insert(info.name + info.chosen_by).second);
        BOOST_TEST(&find_workload(info.name, {info.chosen_by + "=x"}) == &info);
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
    BOOST_TEST(test::error_of([&] { find_library("dekc"); }) == "unknown library 'dekc'; did you mean 'deck'?");
}

BOOST_AUTO_TEST_CASE(each_calibrated_or_assumed_option_of_a_library_has_a_range_or_alternatives_with_a_reason)
{
    for (const auto& info : libraries()) {
        const auto library = info.make();
        for (const auto& row : list_parameters_of([&](ParameterVisitor& visitor) { library->visit(visitor); })) {
            const Origin& origin = row.origin;
            if (origin.from != Provenance::kAssumed && origin.from != Provenance::kCalibrated) continue;
            BOOST_TEST_CONTEXT(info.name << ": " << row.key)
            {
                BOOST_TEST((!origin.low.empty() && !origin.high.empty()) == origin.alternatives.empty());
                BOOST_TEST(!origin.note.empty());
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(former_names_are_refused_with_the_new_ones)
{
    for (const std::string name : {"deck-delivery", "vertex-program"}) {
        BOOST_CHECK_EXCEPTION(find_workload(name), UserError, [&name](const auto& error) {
            return std::string(error.what()).starts_with(name + " is now ");
        });
    }
}

BOOST_AUTO_TEST_CASE(a_wrong_name_gets_the_nearest_match_or_the_list)
{
    BOOST_TEST(test::error_of([&] { find_workload("pingpong"); }) ==
               "unknown workload 'pingpong'; did you mean 'ping-pong'?");
    BOOST_CHECK_EXCEPTION(find_workload("broadcast-tree"), UserError, [](const auto& error) {
        const std::string expected = "unknown workload 'broadcast-tree'; known: ";
        BOOST_TEST(std::string(error.what()).substr(0, expected.size()) == expected);
        return true;
    });
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
