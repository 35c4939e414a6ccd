// SPDX-License-Identifier: Apache-2.0
#include "traces/recorder.h"

#include <string>

#include "tests/support/cases.h"
#include "tlm/error.h"

using namespace ringmesh;

namespace {

std::string problem_with(const std::string& text)
{
    try {
        parse_window(text);
    } catch (const UserError& error) {
        return error.what();
    }
    return "none";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(window)

BOOST_AUTO_TEST_CASE(both_ends_are_read_with_their_units)
{
    BOOST_TEST((parse_window("900ns..4us").times == Window{900_ns, 4_us}));
    BOOST_TEST((parse_window("1.5 us..2 ms").times == Window{1500_ns, 2_ms}));
}

BOOST_AUTO_TEST_CASE(an_end_left_out_is_that_of_the_run)
{
    BOOST_TEST((parse_window("..4us").times == Window{0_ns, 4_us}));
    BOOST_TEST((parse_window("2us..").times == Window{2_us, Duration::never()}));
    BOOST_TEST((parse_window("..").times == Window{}));
}

BOOST_DATA_TEST_CASE(an_invalid_window_is_named,
                     data::make({"4us..2us", "2us..2000ns", "2us", "-2us..2us", "2..4us", "2us..4", "2us..4 MHz",
                                 "a..b", "2us...4us"}),
                     text)
{
    const std::string problem = problem_with(text);
    BOOST_TEST(problem.starts_with("--window " + std::string(text) + ": "), problem);
    BOOST_TEST(problem.size() > std::string(text).size() + 12);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
