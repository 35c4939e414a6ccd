// SPDX-License-Identifier: Apache-2.0
#include "workloads/sizes.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "tlm/error.h"

namespace {

namespace data = boost::unit_test::data;
using ringmesh::workloads::kLargestMessage;
using ringmesh::workloads::parse_sizes;
using Sizes = std::vector<std::uint32_t>;

void check_sizes(const std::string& text, const Sizes& expected)
{
    const auto sizes = parse_sizes(text);
    BOOST_TEST_CONTEXT(text) { BOOST_TEST(sizes == expected, boost::test_tools::per_element()); }
}

void check_refused(const std::string& text, const std::string& message)
{
    BOOST_CHECK_EXCEPTION(parse_sizes(text), ringmesh::UserError, [&message](const auto& error) {
        BOOST_TEST(error.what() == "sizes: " + message);
        return true;
    });
}

const std::string kHow =
    "; sizes are plain numbers of bytes: write for example '64', '1,2,4,8', '64..512 step 64' or '1..4096 x2'";

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(sizes)

BOOST_AUTO_TEST_CASE(one_size_stands_for_itself)
{
    check_sizes("64", {64});
    check_sizes("1", {1});
    check_sizes("1048576", {kLargestMessage});
}

BOOST_AUTO_TEST_CASE(a_list_keeps_its_order_and_repeats) { check_sizes("8,1, 4 ,1", {8, 1, 4, 1}); }

BOOST_DATA_TEST_CASE(a_step_is_added_up_to_the_last_size_and_no_further, data::make({127, 128, 129, 191, 192}), last)
{
    Sizes expected;
    for (int size = 64; size <= last; size += 64) expected.push_back(static_cast<std::uint32_t>(size));
    check_sizes("64.." + std::to_string(last) + " step 64", expected);
    check_sizes("64.." + std::to_string(last) + "/64", expected);
}

BOOST_DATA_TEST_CASE(a_factor_is_multiplied_up_to_the_last_size_and_no_further, data::make({26, 27, 28}), last)
{
    check_sizes("1.." + std::to_string(last) + " x3", last < 27 ? Sizes{1, 3, 9} : Sizes{1, 3, 9, 27});
}

BOOST_AUTO_TEST_CASE(ranges_reach_the_largest_message_without_overflow)
{
    check_sizes("524288..1048576 x2", {kLargestMessage / 2, kLargestMessage});
    check_sizes("1..1048576 x18446744073709551615", {1});
    check_sizes("1..1048576 step 18446744073709551615", {1});
    check_sizes("1048576..1048576/1", {kLargestMessage});
}

BOOST_AUTO_TEST_CASE(blanks_do_not_matter)
{
    check_sizes(" 64 .. 192  step  64 ,1..4x2, 8..16 / 8\t", {64, 128, 192, 1, 2, 4, 8, 16});
}

BOOST_DATA_TEST_CASE(anything_else_is_refused_with_examples,
                     data::make({"", "x", "64 B", "-1", "1.5", "1..2 3", "1..8 x2 4", "..4", "1..", "1..4 step",
                                 "1..4 x", "1 2", "1..4 by 2", "0x40"}),
                     text)
{
    check_refused(text, std::string("cannot read '") + text + "'" + kHow);
}

BOOST_AUTO_TEST_CASE(an_empty_item_is_refused)
{
    check_refused("1,,2", "cannot read ''" + kHow);
    check_refused("1,", "cannot read ''" + kHow);
}

BOOST_DATA_TEST_CASE(sizes_out_of_bounds_are_refused,
                     data::make({"0", "1048577", "1..1048577 x2", "99999999999999999999"}), text)
{
    check_refused(text, std::string("'") + text + "' is out of bounds; a message has 1 to 1048576 bytes");
}

BOOST_AUTO_TEST_CASE(a_range_without_step_is_told_both_ways_to_write_it)
{
    check_refused("1,64..512", "'64..512' lacks a step; write '64..512 step 64' or '64..512 x2'");
}

BOOST_AUTO_TEST_CASE(steps_that_lead_nowhere_are_refused)
{
    check_refused("1..8 step 0", "the step of '1..8 step 0' must be at least 1");
    check_refused("1..8 x1", "the factor of '1..8 x1' must be at least 2");
    check_refused("8..1 step 1", "'8..1 step 1' runs downwards; write the smaller size first");
}

BOOST_AUTO_TEST_CASE(ten_thousand_sizes_are_enough)
{
    BOOST_TEST(parse_sizes("1..10000 step 1").size() == 10'000u);
    check_refused("1..10001 step 1", "the list has more than 10000 sizes; take a larger step");
}

BOOST_AUTO_TEST_CASE(lists_of_other_things_speak_of_them)
{
    const ringmesh::workloads::SizeRules nodes{.name = "whatif: --sizes",
                                               .owner = "a machine to compare",
                                               .unit = "nodes",
                                               .examples = "'16,64'",
                                               .step = 1,
                                               .smallest = 2,
                                               .largest = 16};
    BOOST_TEST((parse_sizes("2..16 x2", nodes) == Sizes{2, 4, 8, 16}));
    const auto refused = [&nodes](const std::string& text, const std::string& message) {
        BOOST_CHECK_EXCEPTION(parse_sizes(text, nodes), ringmesh::UserError, [&message](const auto& error) {
            BOOST_TEST(error.what() == "whatif: --sizes: " + message);
            return true;
        });
    };
    refused("1", "'1' is out of bounds; a machine to compare has 2 to 16 nodes");
    refused("17", "'17' is out of bounds; a machine to compare has 2 to 16 nodes");
    refused("many", "cannot read 'many'; sizes are plain numbers of nodes: write for example '16,64'");
    refused("4..9", "'4..9' lacks a step; write '4..9 step 1' or '4..9 x2'");
    refused("4..9 step 0", "the step of '4..9 step 0' must be at least 1");
    refused("4..9 x1", "the factor of '4..9 x1' must be at least 2");
    refused("9..4 step 1", "'9..4 step 1' runs downwards; write the smaller size first");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
