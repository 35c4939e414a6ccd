// SPDX-License-Identifier: Apache-2.0
#include "tlm/parameters/names.h"

#include <chrono>
#include <string>
#include <vector>

#include "tests/support/cases.h"

using namespace ringmesh;

namespace {

const std::vector<std::string> kKnown{"link.symbol_time", "link.bypass", "topology.nodes", "ring"};

enum class Colour { kRed, kGreen, kBlue };
constexpr NameTable<Colour, 2> kColours{{{{"red", Colour::kRed}, {"green", Colour::kGreen}}}};

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(names)

BOOST_DATA_TEST_CASE(a_letter_swapped_missing_doubled_wrong_or_in_capitals_finds_the_name,
                     data::make({"link.symbol_tiem", "link.symbol_tme", "link.symboll_time", "link.symbol-time",
                                 "Link.Symbol_Time", "link.symbol_time"}),
                     typed)
{
    BOOST_TEST(nearest_name(typed, kKnown) == "link.symbol_time");
}

BOOST_DATA_TEST_CASE(two_letters_swapped_count_as_one_error, data::make({"rnig", "irng", "rign"}), typed)
{
    // Two errors would be more than a third of four letters
    BOOST_TEST(nearest_name(typed, kKnown) == "ring");
}

BOOST_DATA_TEST_CASE(capitals_are_no_errors, data::make({"RING", "Ring"}), typed)
{
    BOOST_TEST(nearest_name(typed, kKnown) == "ring");
}

BOOST_AUTO_TEST_CASE(a_third_of_the_longer_name_may_differ_and_no_more)
{
    const std::vector<std::string> known{"abcdef"};
    BOOST_TEST(nearest_name("abcdxy", known) == "abcdef");
    BOOST_TEST(nearest_name("abcxyz", known) == "");
    BOOST_TEST(nearest_name("abcd", known) == "abcdef");
    BOOST_TEST(nearest_name("abc", known) == "");
    BOOST_TEST(nearest_name("abcdefxyz", known) == "abcdef");
    BOOST_TEST(nearest_name("abcdefwxyz", known) == "");
}

BOOST_AUTO_TEST_CASE(the_nearest_of_several_wins_and_the_first_of_equals)
{
    const std::vector<std::string> known{"bypass_a", "bypass_b", "bypasses"};
    BOOST_TEST(nearest_name("bypass_b", known) == "bypass_b");
    BOOST_TEST(nearest_name("bypass_c", known) == "bypass_a");
}

/// A file may be a key of a megabyte, and a machine has hundreds.
BOOST_AUTO_TEST_CASE(a_text_of_any_length_is_refused_at_once)
{
    const std::vector<std::string> known(1000, "link.symbol_time");
    const auto begin = std::chrono::steady_clock::now();
    BOOST_TEST(nearest_name(std::string(1'000'000, 'k'), known) == "");
    BOOST_TEST((std::chrono::steady_clock::now() - begin < std::chrono::seconds(2)));
}

BOOST_AUTO_TEST_CASE(nothing_is_similar_to_an_empty_name)
{
    BOOST_TEST(nearest_name("", kKnown) == "");
    BOOST_TEST(nearest_name("ring", {}) == "");
}

BOOST_AUTO_TEST_CASE(a_suggestion_names_the_nearest_or_else_all)
{
    BOOST_TEST(suggestion("rign", kKnown) == "; did you mean 'ring'?");
    BOOST_TEST(suggestion("zzz", kKnown) == "; known: link.symbol_time, link.bypass, topology.nodes, ring");
    BOOST_TEST(suggestion("link", kKnown) == "; write more of it: link.symbol_time, link.bypass");
    BOOST_TEST(suggestion("zzz", {}) == "; none is known");
}

BOOST_AUTO_TEST_CASE(a_name_table_reads_both_ways)
{
    BOOST_TEST(kColours.name(Colour::kGreen) == "green");
    BOOST_TEST_REQUIRE(kColours.find("green") != nullptr);
    BOOST_TEST((*kColours.find("green") == Colour::kGreen));
    BOOST_TEST(kColours.names() == (std::vector<std::string>{"red", "green"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_name_table_has_no_other_names_or_values)
{
    BOOST_TEST(kColours.find("blue") == nullptr);
    BOOST_TEST(kColours.find("Green") == nullptr);
    BOOST_TEST(kColours.name(Colour::kBlue) == "?");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
