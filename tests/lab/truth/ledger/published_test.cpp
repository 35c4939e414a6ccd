// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/rows/published.h"

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::lab;
using ringmesh::test::TemporaryFolder;

const std::string kHeader = "section,id,quantity,conditions,value,unit,tolerance,kind,repeats,long\n";

Published read(const std::string& text)
{
    const TemporaryFolder folder;
    folder.write("published.csv", text);
    return Published("published.csv");
}

/// What reading it complains of.
std::string problem_of(const std::string& text)
{
    try {
        read(text);
    } catch (const UserError& error) {
        return error.what();
    }
    return "";
}

const auto kClose = boost::test_tools::tolerance(1e-12);

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(published_csv)

BOOST_AUTO_TEST_CASE(a_row_is_read_as_printed_and_a_section_holds_until_the_next)
{
    const Published published =
        read(kHeader + "Rings,m.a,latency,64 B,4177,ns,0.25 %,measured,,\n,m.b,latency,,,ns,,,m.a,yes\n");
    BOOST_TEST_REQUIRE(published.rows().size() == 2u);
    const PublishedRow& first = published.rows()[0];
    BOOST_TEST(first.quantity_and_conditions() == "latency; 64 B");
    BOOST_TEST(first.value.value() == 4177.0);
    BOOST_TEST(first.machine() == "m");
    BOOST_TEST(published.value("m.a") == 4177.0);
    const PublishedRow& second = published.rows()[1];
    BOOST_TEST(second.section == "Rings");
    BOOST_TEST(!second.value);
    BOOST_TEST(second.repeats == "m.a");
    BOOST_TEST(second.is_long);
    BOOST_TEST(second.where.ends_with("published.csv:3"));
    BOOST_CHECK_THROW(published.value("m.b"), UserError);
    BOOST_CHECK_THROW(published.value("m.c"), UserError);
}

BOOST_AUTO_TEST_CASE(a_series_stands_for_all_ids_between_its_ends_and_a_row_of_its_own_comes_first)
{
    const Published published =
        read(kHeader + ",m.latency_*B,latency,* B,,ns,,,,\n,m.latency_64B,the least,,1,ns,,,,\n");
    const PublishedRow* member = published.find("m.latency_128B");
    BOOST_TEST_REQUIRE(member != nullptr);
    BOOST_TEST(member->of_series("m.latency_128B").quantity_and_conditions() == "latency; 128 B");
    BOOST_TEST(published.find("m.latency_64B")->quantity == "the least");
    BOOST_TEST(published.find("m.latency_B") == nullptr);  // nothing between them
    BOOST_TEST(published.find("m.latency_128") == nullptr);
}

namespace {

struct Mistake {
    const char* row;
    const char* told;  ///< where, what and a cure
    const char* cure;
};
std::ostream& operator<<(std::ostream& out, const Mistake& mistake) { return out << mistake.row; }

const std::vector<Mistake> kMistakes{
    {",m.a,q,,7,ns,abc,,,", "published.csv:2: tolerance = abc: ", "0.25 %, 1 ns, 2..13 ns"},
    {",m.a,q,,7,ns,-5%,,,", "published.csv:2: tolerance = -5%: ", "write 5 %"},
    {",m.a,q,,7,ns,10,,,", "published.csv:2: tolerance = 10: ", "write 10 ns or 10 %"},
    {",m.a,q,,7,ns,3 us,,,", "published.csv:2: tolerance = 3 us: ", "write 3 ns or 3 %"},
    {",m.a,q,,7,,3 us,,,", "published.csv:2: tolerance = 3 us: ", "write 3 or 3 %"},
    {",m.a,q,,7,ns,2..9 us,,,", "published.csv:2: tolerance = 2..9 us: ", "write 2..9 ns"},
    {",m.a,q,,7,ns,8..9 ns,,,", "published.csv:2: tolerance = 8..9 ns: ", "wider"},
    {",m.a,q,,0,ns,1 %,,,", "published.csv:2: tolerance = 1 %: ", "write an amount: 1 ns"},
    {",m.a,q,,\"1,5\",ns,,,,", "published.csv:2: value = 1,5: ", "with a point"},
    {",m.a,q,,1,ns,,guess,,", "published.csv:2: kind = guess: ", "measured, simulated, derived, figure, claim"},
    {",m.a,q,,1,ns,,,,\n,m.a,q,,1,ns,,,,", "published.csv:3: id = m.a: ", "published.csv:2"},
    {",m.a,q,,1,ns,,,m.z,", "published.csv:2: repeats = m.z: ", "no such row"},
    {",m.a,q,,1,ns,,,,maybe", "published.csv:2: long = maybe: ", "write yes"},
    {",m.*.*,q,,1,ns,,,,", "published.csv:2: id = m.*.*: ", "write printf()'s"},
    {",m.a,q,,x,ns,,guess,,", "published.csv:2: value = x: ", "published.csv:2: kind = guess"},  // all are told
    {",,q,,1,ns,,,,", "published.csv:2: id = : ", "write one"}};

}  // namespace

BOOST_DATA_TEST_CASE(a_mistake_is_told_with_place_column_value_and_cure, data::make(kMistakes))
{
    const std::string problem = problem_of(kHeader + sample.row + "\n");
    BOOST_TEST(problem.find(sample.told) != std::string::npos, problem);
    BOOST_TEST(problem.find(sample.cure) != std::string::npos, problem);
}

BOOST_AUTO_TEST_CASE(every_missing_column_is_told)
{
    const std::string problem = problem_of("quantity,units\nq,ns\n");
    BOOST_TEST(problem.find("published.csv:1: column 'id' is missing") != std::string::npos, problem);
    BOOST_TEST(problem.find("published.csv:1: column 'unit' is missing") != std::string::npos, problem);
    BOOST_TEST(problem.find("unknown column 'units'; did you mean 'unit'?") != std::string::npos, problem);
}

BOOST_AUTO_TEST_CASE(a_tolerance_is_a_part_of_the_reference_an_amount_or_bounds)
{
    const auto bounds = [](const char* text, double reference, const char* unit) {
        const Tolerance tolerance = tolerance_of(text, reference, unit);
        return std::vector{tolerance.low, tolerance.high};
    };
    BOOST_TEST((bounds("25 %", 4000, "ns") == std::vector{3000.0, 5000.0}));
    BOOST_TEST((bounds("25 %", -4000, "ns") == std::vector{-5000.0, -3000.0}));
    BOOST_TEST((bounds("5 ns", 200, "ns") == std::vector{195.0, 205.0}));
    BOOST_TEST((bounds("1", 8, "") == std::vector{7.0, 9.0}));
    BOOST_TEST((bounds("2 %", 10, "%") == std::vector{8.0, 12.0}));  // points
    BOOST_TEST((bounds("1 ns", 0, "ns") == std::vector{-1.0, 1.0}));
    BOOST_TEST((bounds("8..13 us", 10, "us") == std::vector{8.0, 13.0}));
}

BOOST_DATA_TEST_CASE(a_tolerance_that_cannot_be_read_is_refused,
                     data::make({"", "ns", "5", "-1 ns", "1 us", "3..2 ns", "3.. ns", "1..2 us", "five ns", "2..3 ns"}),
                     text)
{
    BOOST_CHECK_THROW(tolerance_of(text, 1, "ns"), UserError);
    BOOST_CHECK_THROW(tolerance_of("1 %", 0, "ns"), UserError);
}

BOOST_AUTO_TEST_CASE(rows_that_repeat_each_other_in_a_circle_are_refused)
{
    BOOST_TEST(problem_of(kHeader + ",m.a,q,,1,ns,,,m.b,\n,m.b,q,,1,ns,,,m.a,\n").find("published.csv:2: repeats") !=
               std::string::npos);
    BOOST_TEST(problem_of(kHeader + ",m.a,q,,1,ns,,,m.a,\n").find("published.csv:2: repeats") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(of_two_series_that_match_the_one_that_says_more_counts)
{
    const Published published = read(kHeader + ",m.*B,all,,,ns,,,,\n,m.pp_*B,ping-pongs,,,ns,,,,\n");
    BOOST_TEST(published.find("m.pp_64B")->quantity == "ping-pongs");
    BOOST_TEST(published.find("m.ow_64B")->quantity == "all");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
