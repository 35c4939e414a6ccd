// SPDX-License-Identifier: Apache-2.0
#include "lab/study/points.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "lab/study/study_text.h"
#include "tests/platforms/temporary_folder.h"
#include "tlm/error.h"

namespace {

namespace data = boost::unit_test::data;
using namespace ringmesh;
using namespace ringmesh::lab;

Study study_of(const std::string& text)
{
    const ringmesh::test::TemporaryFolder folder;
    return read_study(folder.write("study.toml", text));
}

/// The settings of each point, in order.
std::vector<std::string> settings_of(const std::string& text, const std::string& filter = {})
{
    std::vector<std::string> all;
    for (const StudyPoint& point : points_of(study_of(text), {.where = filter})) {
        std::string line = point.variant;
        for (const auto& overlay : point.wish.request.overlays) line += " +" + overlay;
        for (const auto& setting : point.wish.request.settings) line += " " + setting;
        all.push_back(line + " " + point.wish.request.workload + " seed " + std::to_string(point.wish.request.seed));
    }
    return all;
}

std::string error_of(const std::string& text, const std::string& filter = {})
{
    try {
        points_of(study_of(text), {.where = filter});
    } catch (const UserError& error) {
        return error.what();
    }
    return "no error";
}

const std::string kTest = "[test.t]\nplatform = \"wulfkit-ring\"\nprogram = \"ping-pong\"\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(study_points)

BOOST_AUTO_TEST_CASE(axes_variants_and_repetitions_multiply_the_last_fastest)
{
    const std::vector<std::string> expected{
        "base link.symbol_time=5 ns ping-pong:sizes=64 seed 7",
        "base link.symbol_time=5 ns ping-pong:sizes=64 seed 8",
        "fast +blink-100MHz link.symbol_time=5 ns ping-pong:sizes=64 seed 7",
        "fast +blink-100MHz link.symbol_time=5 ns ping-pong:sizes=64 seed 8",
        "base link.symbol_time=2.5 ns ping-pong:sizes=64 seed 7",
        "base link.symbol_time=2.5 ns ping-pong:sizes=64 seed 8",
        "fast +blink-100MHz link.symbol_time=2.5 ns ping-pong:sizes=64 seed 7",
        "fast +blink-100MHz link.symbol_time=2.5 ns ping-pong:sizes=64 seed 8",
    };
    BOOST_TEST(
        settings_of(kTest + "options = { sizes = 64 }\nrepeat = 2\nseed = 7\n"
                            "axes = { \"link.symbol_time\" = [\"5 ns\", \"2.5 ns\"] }\n"
                            "[test.t.variants]\nbase = {}\nfast = { overlays = [\"blink-100MHz\"] }\n") == expected,
        boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_name_stands_in_other_values_as_an_expression)
{
    const std::vector<std::string> expected{"base topology.dimensions=2 ping-pong seed 1",
                                            "base topology.dimensions=8 ping-pong seed 1"};
    BOOST_TEST(settings_of(kTest + "axes = { hops = \"1..4 x2\" }\nwhere = \"hops <> 2\"\n"
                                   "set = { \"topology.dimensions\" = \"${2*hops}\" }\n") == expected,
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(axes_that_go_together_are_walked_in_step)
{
    const std::vector<std::string> expected{"base a=1 b=3 ping-pong seed 1", "base a=2 b=4 ping-pong seed 1"};
    BOOST_TEST(settings_of(kTest + "axes = { x = [1, 2], y = [3, 4] }\ntogether = [\"x, y\"]\n"
                                   "set = { a = \"${x}\", b = \"${y}\" }\n") == expected,
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_stands_above_the_tests_holds_for_all_and_a_tests_own_wins)
{
    const auto points = settings_of(
        "platform = \"wulfkit-ring\"\nprogram = \"ping-pong\"\noptions = { sizes = 64, series = 1 }\n"
        "[test.a]\n[test.b]\noptions = { sizes = 128 }\n");
    const std::vector<std::string> expected{"base ping-pong:sizes=64,series=1 seed 1",
                                            "base ping-pong:sizes=128,series=1 seed 1"};
    BOOST_TEST(points == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_filter_of_the_command_line_leaves_what_meets_it)
{
    BOOST_TEST(settings_of(kTest + "axes = { x = [1, 2, 3] }\nset = { a = \"${x}\" }\n", "x >= 2").size() == 2u);
    BOOST_TEST(settings_of(kTest + "axes = { x = [1, 2, 3] }\nset = { a = \"${x}\" }\nrepeat = 2\n",
                           "repetition = 1 AND x = 1")
                   .size() == 1u);
}

BOOST_AUTO_TEST_CASE(an_axis_with_a_unit_is_a_number_whose_name_ends_in_the_unit)
{
    const AxisColumn duration = column_of({"link.symbol_time", {"5 ns", "2.5ns"}, ""});
    BOOST_TEST(duration.name == "link_symbol_time_ns");
    BOOST_TEST((duration.values.at(1) == workloads::Cell(2.5)));
    const AxisColumn mixed = column_of({"rule", {"5 ns", "any-free"}, ""});
    BOOST_TEST(mixed.name == "rule");
    BOOST_TEST((mixed.values.at(0) == workloads::Cell(std::string("5 ns"))));
}

struct Mistake {
    const char* text;
    const char* filter;
    const char* has;
};
std::ostream& operator<<(std::ostream& stream, const Mistake& mistake) { return stream << mistake.text; }
const std::vector<Mistake> kMistakes{
    {"axes = { x = [] }\n", "", "study.toml:4"},
    {"axes = { x = \"\" }\n", "", "empty value"},
    {"axes = { x = [1, 2] }\nset = { a = \"${x+y}\" }\n", "", "known: x"},
    {"axes = { x = [1, 2] }\nset = { a = \"${x\" }\n", "", "${x"},
    {"axes = { x = [1, 2], y = [1] }\ntogether = [\"x, y\"]\nset = { a = \"${x+y}\" }\n", "", "2 and 1 values"},
    {"axes = { x = [1, 2] }\ntogether = [\"x, z\"]\nset = { a = \"${x}\" }\n", "", "'z'"},
    {"axes = { x = [1, 2] }\nwhere = \"x > 5\"\nset = { a = \"${x}\" }\n", "", "study.toml:5"},
    {"axes = { x = [1, 2] }\nset = { a = \"${x}\" }\n", "x > 5", "--where"},
    {"axes = { x = [1, 2] }\n", "", "changes nothing"},
    {"axes = { \"options.sizes\" = [1, 2] }\n", "", "share one run"},
    {"repaet = 2\n", "", "'repeat'"},
    {"repeat = 0\n", "", "repeat = 0"},
    {"limit = \"5\"\n", "", "limit"},
    {"variants = { a = 5 }\n", "", "variant"},
    {"variants = { a = { sett = { b = 1 } } }\n", "", "sett"},
};

BOOST_DATA_TEST_CASE(a_mistake_is_told_with_its_place, data::make(kMistakes), mistake)
{
    const std::string error = error_of(kTest + mistake.text, mistake.filter);
    BOOST_TEST(error.find(mistake.has) != std::string::npos, error);
}

BOOST_AUTO_TEST_CASE(a_saved_study_has_the_same_points)
{
    const std::string text = kTest +
                             "library = \"scampi\"\noptions = { sizes = \"64,128\" }\nrepeat = 2\nwhere = \"x > 1\"\n"
                             "axes = { x = [1, 2, 3], \"link.symbol_time\" = [\"5 ns\"] }\n"
                             "set = { a = \"${x}\" }\n[test.t.variants]\nbase = {}\n"
                             "fast = { set = { b = \"7\" }, overlays = [\"blink-100MHz\"] }\n";
    const Study study = study_of(text);
    BOOST_TEST(settings_of(study_text(study)) == settings_of(text), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
