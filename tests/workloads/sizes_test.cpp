// SPDX-License-Identifier: Apache-2.0
#include "workloads/sizes.h"

#include <string>
#include <vector>

#include "tlm/error.h"

#include "tests/support/cases.h"

namespace {

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
    BOOST_CHECK_EXCEPTION(parse_sizes(text), ringmesh::UserError, [&](const auto& error) {
        BOOST_TEST(error.what() == "sizes = " + message);
        return true;
    });
}

const std::string kHow =
    " cannot be read; write plain numbers of bytes, for example '64', '1,2,4,8', '64..512 step 64' or '1..4096 x2'";

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

BOOST_AUTO_TEST_CASE(blanks_are_ignored)
{
    check_sizes(" 64 .. 192  step  64 ,1..4x2, 8..16 / 8\t", {64, 128, 192, 1, 2, 4, 8, 16});
}

BOOST_DATA_TEST_CASE(anything_else_is_refused_with_examples,
                     data::make({"x", "64 B", "-1", "1.5", "1..2 3", "1..8 x2 4", "..4", "1..", "1..4 step", "1..4 x",
                                 "1 2", "1..4 by 2", "0x40"}),
                     text)
{
    check_refused(text, text + kHow);
    check_refused(std::string("8,") + text, std::string("8,") + text + ": '" + text + "'" + kHow);
}

BOOST_AUTO_TEST_CASE(no_list_at_all_is_refused) { check_refused("", "''" + kHow); }

BOOST_DATA_TEST_CASE(a_comma_has_numbers_on_both_sides, data::make({"1,,2", "1,", ",1", "1,2, ", ","}), text)
{
    std::string shown = text;
    shown.erase(shown.find_last_not_of(' ') + 1);
    check_refused(text, shown + ": a comma has no number on one of its sides; write one there, or leave the comma out");
}

BOOST_DATA_TEST_CASE(sizes_out_of_bounds_are_refused,
                     data::make({"0", "1048577", "1..1048577 x2", "0..8 step 1", "1..1048577", "99999999999999999999"}),
                     text)
{
    check_refused(text, std::string(text) + " is out of bounds; a message has 1 to 1048576 bytes");
    check_refused(std::string("1, ") + text,
                  std::string("1, ") + text + ": '" + text + "' is out of bounds; a message has 1 to 1048576 bytes");
}

BOOST_AUTO_TEST_CASE(the_error_of_a_range_without_step_shows_both_forms)
{
    check_refused("1,64..512", "1,64..512: '64..512' lacks a step; write '64..512 step 64' or '64..512 x2'");
}

BOOST_DATA_TEST_CASE(the_proposed_step_gives_more_than_one_size,
                     data::make({"64..128", "64..127", "1000..1063", "5..9", "5..6", "7..7"}) ^
                         data::make({"'64..128 step 64' or '64..128 x2'", "'64..127 step 10'", "'1000..1063 step 10'",
                                     "'5..9 step 1'", "'5..6 step 1'", "'7'"}),
                     range, cure)
{
    check_refused(range, std::string(range) + " lacks a step; write " + cure);
}

BOOST_AUTO_TEST_CASE(steps_without_progress_are_refused)
{
    check_refused("1..8 step 0", "1..8 step 0 has a step of 0; write at least 1");
    check_refused("1..8 x1", "1..8 x1 has a factor of 1; write at least 2");
}

BOOST_AUTO_TEST_CASE(the_error_of_a_descending_range_shows_it_reversed)
{
    check_refused("8..1 step 2", "8..1 step 2 runs downwards; write '1..8 step 2'");
    check_refused("3,8..1/2", "3,8..1/2: '8..1/2' runs downwards; write '1..8 /2'");
    check_refused("8..1 x2", "8..1 x2 runs downwards; write '1..8 x2'");
    check_refused("5..1", "5..1 runs downwards; write '1..5 step 1' or '1..5 x2'");
}

BOOST_AUTO_TEST_CASE(more_than_10000_sizes_are_refused)
{
    BOOST_TEST(parse_sizes("1..10000 step 1").size() == 10'000u);
    check_refused("1..10001 step 1", "1..10001 step 1 makes more than 10000 numbers; take a larger step");
}

BOOST_AUTO_TEST_CASE(errors_name_the_unit_of_the_list)
{
    const ringmesh::workloads::SizeRules nodes{.name = "whatif: --sizes",
                                               .equals = " ",
                                               .owner = "a machine to compare",
                                               .unit = "nodes",
                                               .examples = "'16,64'",
                                               .step = 1,
                                               .smallest = 2,
                                               .largest = 16};
    BOOST_TEST((parse_sizes("2..16 x2", nodes) == Sizes{2, 4, 8, 16}));
    const auto refused = [&nodes](const std::string& text, const std::string& message) {
        BOOST_CHECK_EXCEPTION(parse_sizes(text, nodes), ringmesh::UserError, [&](const auto& error) {
            BOOST_TEST(error.what() == "whatif: --sizes " + text + message);
            return true;
        });
    };
    refused("1", " is out of bounds; a machine to compare has 2 to 16 nodes");
    refused("many", " cannot be read; write plain numbers of nodes, for example '16,64'");
    refused("4..9", " lacks a step; write '4..9 step 1' or '4..9 x2'");
    refused("9..4 step 1", " runs downwards; write '4..9 step 1'");
}

BOOST_AUTO_TEST_CASE(errors_of_lists_without_steps_propose_none)
{
    const ringmesh::workloads::SizeRules widths{.step = 0, .smallest = 0};
    const auto refused = [&widths](const std::string& text, const std::string& message) {
        BOOST_CHECK_EXCEPTION(parse_sizes(text, widths), ringmesh::UserError, [&](const auto& error) {
            BOOST_TEST(error.what() == "sizes = " + text + message);
            return true;
        });
    };
    refused("1..8", " lacks a step; write '1..8 x2'");
    refused("5..7", " lacks a step; write the numbers one by one, '5,7'");
    refused("0..7", " lacks a step; write the numbers one by one, '0,7'");
    refused("0..7 x2", " never leaves 0; begin at 1, or write a step");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
