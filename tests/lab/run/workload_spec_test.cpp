// SPDX-License-Identifier: Apache-2.0
#include "lab/run/workload_spec.h"

#include <boost/test/unit_test.hpp>

#include "tlm/error.h"

namespace {

using namespace ringmesh;
using lab::parse_workload_spec;

using Options = std::vector<std::string>;

void require_options(std::string_view text, const Options& expected)
{
    const auto spec = parse_workload_spec("--workload", text);
    BOOST_TEST(spec.name == "ping-pong");
    BOOST_TEST(spec.options == expected, boost::test_tools::per_element());
}

std::string error_of(std::string_view text)
{
    try {
        parse_workload_spec("--workload", text);
    } catch (const UserError& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(workload_spec)

BOOST_AUTO_TEST_CASE(a_name_alone_has_no_options) { require_options("ping-pong", {}); }

BOOST_AUTO_TEST_CASE(options_are_separated_by_commas)
{
    require_options("ping-pong:sizes=64,repetitions=10", {"sizes=64", "repetitions=10"});
}

BOOST_AUTO_TEST_CASE(a_part_without_an_equals_sign_continues_the_value_before_it)
{
    require_options("ping-pong:sizes=64,128,256,repetitions=10,series=1,x",
                    {"sizes=64,128,256", "repetitions=10", "series=1,x"});
}

BOOST_AUTO_TEST_CASE(a_value_may_hold_colons_blanks_and_nothing)
{
    require_options("ping-pong:a=b:c,sizes=64..512 step 64,empty=", {"a=b:c", "sizes=64..512 step 64", "empty="});
}

BOOST_AUTO_TEST_CASE(a_first_part_without_an_equals_sign_is_refused)
{
    BOOST_TEST(error_of("ping-pong:64,sizes=1") ==
               "--workload ping-pong:64,sizes=1: '64' is not an option; write --workload ping-pong:KEY=VALUE,...");
}

BOOST_AUTO_TEST_CASE(an_option_given_twice_is_refused)
{
    BOOST_TEST(error_of("ping-pong:sizes=64,128,to=1,sizes=64") ==
               "--workload ping-pong:sizes=64,128,to=1,sizes=64: sizes is given twice; keep one");
}

BOOST_AUTO_TEST_CASE(a_comma_at_the_end_is_refused)
{
    BOOST_TEST(
        error_of("ping-pong:sizes=64,") ==
        "--workload ping-pong:sizes=64,: nothing comes after the last comma; write it there, or leave the comma out");
}

BOOST_AUTO_TEST_CASE(a_missing_name_is_refused)
{
    BOOST_TEST(error_of(":sizes=1") ==
               "--workload :sizes=1: no name; write --workload NAME or --workload NAME:KEY=VALUE,...");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
