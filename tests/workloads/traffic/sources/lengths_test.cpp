// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/sources/lengths.h"

#include <array>
#include <cmath>
#include <fstream>
#include <map>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;

constexpr int kDraws = 200'000;

std::map<std::int64_t, int> drawn_lengths(const Lengths& lengths)
{
    Random random{11};
    std::map<std::int64_t, int> counts;
    for (int i = 0; i < kDraws; ++i) ++counts[lengths.draw(random)];
    return counts;
}

/// Of the draws within four standard errors of the mean that is said, all within the bounds.
void check_mean(const Lengths& lengths, double mean)
{
    BOOST_TEST(lengths.mean() == mean, boost::test_tools::tolerance(1e-9));
    double sum = 0;
    double squares = 0;
    const auto counts = drawn_lengths(lengths);
    for (const auto& [length, count] : counts) {
        sum += double(length) * count;
        squares += double(length) * double(length) * count;
    }
    const double variance = squares / kDraws - sum / kDraws * sum / kDraws;
    BOOST_TEST(std::abs(sum / kDraws - mean) <= 4 * std::sqrt(variance / kDraws));
    BOOST_TEST(counts.begin()->first == lengths.least());
    BOOST_TEST(counts.rbegin()->first <= lengths.most());
}

Lengths lengths_in(const std::string& text) { return Lengths::parse("flits", text).value(); }

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(lengths)

BOOST_AUTO_TEST_CASE(each_form_has_the_mean_it_says)
{
    check_mean(lengths_in("1:0.8,5:0.2"), 1.8);
    check_mean(lengths_in("uniform:1..8"), 4.5);
    check_mean(lengths_in("exponential:5:1..64"), 5);
    check_mean(lengths_in("exponential:1.5:1..3"), 1.5);
    check_mean(lengths_in("exponential:30:2..64"), 30);
    check_mean(lengths_in("exponential:4000:64..16384"), 4000);
}

BOOST_AUTO_TEST_CASE(exponential_lengths_fall_by_one_ratio)
{
    const auto counts = drawn_lengths(lengths_in("exponential:3:1..64"));
    const double ratio = double(counts.at(2)) / counts.at(1);
    BOOST_TEST(ratio < 0.75);
    for (std::int64_t n = 2; n < 6; ++n) BOOST_TEST(std::abs(double(counts.at(n + 1)) / counts.at(n) - ratio) < 0.03);
}

BOOST_AUTO_TEST_CASE(a_histogram_of_a_file_is_drawn_by_its_counts)
{
    const test::TemporaryFolder folder;
    const std::string file = folder.path() / "lengths.csv";
    std::ofstream(file) << "length,count\r\n# packets\r\n\r\n9,1\r\n1, 2\r\n5,1\r\n7,0\r\n";
    const Lengths lengths = Lengths::read(file);
    check_mean(lengths, 4);
    BOOST_TEST(drawn_lengths(lengths).size() == 3u);
}

BOOST_AUTO_TEST_CASE(other_texts_are_no_distributions)
{
    for (const auto* text : {"5", "auto", "", "1..8", "5,7"}) BOOST_TEST(!Lengths::parse("flits", text));
}

BOOST_DATA_TEST_CASE(distributions_that_make_no_sense_are_refused,
                     data::make({"1:0.5", "1:0.5,5:0.6", "0:1", "1:0.5,1:0.5", "uniform:8..1", "uniform:5",
                                 "uniform:0..4", "exponential:5", "exponential:1:1..64", "exponential:40:1..64",
                                 "exponential:x:1..64", "exponential:5:1..", "uniform:1..8x"}),
                     text)
{
    BOOST_CHECK_THROW(Lengths::parse("flits", text), UserError);
}

BOOST_AUTO_TEST_CASE(a_histogram_with_a_mistake_is_refused_with_its_place)
{
    const test::TemporaryFolder folder;
    for (const auto& [text, place] : std::vector<std::array<std::string, 2>>{{"5,1\n5,1\n", ":2:1: length 5"},
                                                                             {"0,1\n", ":1:1: length = 0"},
                                                                             {"5,-1\n", ":1:3: count = -1"},
                                                                             {"5\n", ":1: 1 cells"},
                                                                             {"5,0\n", ": no length"}}) {
        const std::string file = folder.path() / "lengths.csv";
        std::ofstream(file) << text;
        try {
            Lengths::read(file);
            BOOST_ERROR("not refused: " + text);
        } catch (const UserError& error) {
            BOOST_TEST(std::string(error.what()).starts_with(file + place), error.what());
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
