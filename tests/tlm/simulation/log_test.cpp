// SPDX-License-Identifier: Apache-2.0
#include "tlm/simulation/log.h"

#include <boost/test/unit_test.hpp>

#include <string>

#include "tlm/error.h"

namespace {
using namespace ringmesh;
using spdlog::level::level_enum;

std::string error_of_levels(const char* assignments)
{
    try {
        set_log_levels(assignments);
    } catch (const UserError& error) {
        return error.what();
    }
    return {};
}
}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(log)

BOOST_AUTO_TEST_CASE(without_a_rule_warnings_are_wanted_and_less_is_not)
{
    BOOST_TEST(log_wanted(level_enum::warn));
    BOOST_TEST(!log_wanted(level_enum::info));
    BOOST_TEST((logger_of("node0.lc2").level() == level_enum::warn));
}

BOOST_AUTO_TEST_CASE(a_pattern_sets_the_loggers_it_matches_made_before_or_after)
{
    auto& before = logger_of("node0.lc2");
    set_log_levels("node0.*=debug,*.blink=trace");
    BOOST_TEST((before.level() == level_enum::debug));
    BOOST_TEST((logger_of("node0.cpu").level() == level_enum::debug));
    BOOST_TEST((logger_of("node3.blink").level() == level_enum::trace));
    BOOST_TEST((logger_of("node3.lc2").level() == level_enum::warn));
    BOOST_TEST(log_wanted(level_enum::trace));
}

BOOST_AUTO_TEST_CASE(a_later_rule_beats_an_earlier_one)
{
    set_log_levels("*=trace,node0.*=error");
    BOOST_TEST((logger_of("node0.lc2").level() == level_enum::err));
    BOOST_TEST((logger_of("node1.lc2").level() == level_enum::trace));
}

BOOST_AUTO_TEST_CASE(a_level_alone_counts_for_all)
{
    set_log_levels("info");
    BOOST_TEST((logger_of("anything").level() == level_enum::info));
}

BOOST_AUTO_TEST_CASE(an_unknown_level_names_the_nearest)
{
    BOOST_TEST(error_of_levels("*=debgu") == "--log: unknown level 'debgu'; did you mean 'debug'?");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
