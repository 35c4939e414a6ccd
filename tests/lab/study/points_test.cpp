// SPDX-License-Identifier: Apache-2.0
#include "lab/study/points/points.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "lab/study/description/study.h"
#include "tests/platforms/configuration/temporary_folder.h"
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

BOOST_AUTO_TEST_CASE(a_list_among_options_is_read_as_behind_a_name)
{
    const std::vector<std::string> expected{"base ping-pong:sizes=16,64 seed 1"};
    BOOST_TEST(settings_of(kTest + "options = { sizes = [16, 64] }\n") == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_variant_changes_options_of_the_library)
{
    const auto points =
        points_of(study_of(kTest + "library = \"deck\"\nlibrary_options = { protocol = 1, call = \"put\" }\n"
                                   "variants = { base = {}, p3 = { library_options = { protocol = 3 } } }\n"));
    BOOST_TEST_REQUIRE(points.size() == 2u);
    BOOST_TEST(points[0].wish.request.library == "deck:protocol=1,call=put");
    BOOST_TEST(points[1].wish.request.library == "deck:call=put,protocol=3");
}

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

/// With a file cells.csv beside it.
Study study_with_cells(const std::string& cells, const std::string& text)
{
    const ringmesh::test::TemporaryFolder folder;
    folder.write("cells.csv", cells);
    return read_study(folder.write("study.toml", text));
}

std::vector<std::string> workloads_of(const Study& study)
{
    std::vector<std::string> all;
    for (const StudyPoint& point : points_of(study)) {
        const auto& settings = point.wish.request.settings;
        all.push_back((settings.empty() ? "" : settings.front() + " ") + point.wish.request.workload);
    }
    return all;
}

BOOST_AUTO_TEST_CASE(each_row_of_a_table_of_cells_is_a_point)
{
    const Study study = study_with_cells("nodes,options.series,measured\n4,1,17.5\n8,2,19\n",
                                         kTest +
                                             "cells = { csv = \"cells.csv\" }\n"
                                             "set = { \"topology.dimensions\" = \"${nodes}\" }\n");
    const std::vector<std::string> expected{"topology.dimensions=4 ping-pong:series=1",
                                            "topology.dimensions=8 ping-pong:series=2"};
    BOOST_TEST(workloads_of(study) == expected, boost::test_tools::per_element());
    BOOST_TEST(column_of(study.tests[0].axes[2]).name == "measured");  // it changes nothing and is only shown
}

BOOST_AUTO_TEST_CASE(cells_take_the_columns_that_are_named_and_multiply_with_axes)
{
    const Study study = study_with_cells("nodes,options.series\n4,1\n8,2\n",
                                         kTest +
                                             "cells = { csv = \"cells.csv\", columns = [\"options.series\"] }\n"
                                             "axes = { \"options.repetitions\" = [1, 2] }\n");
    BOOST_TEST(points_of(study).size() == 4u);
    BOOST_TEST(study.tests[0].axes.size() == 2u);
}

BOOST_AUTO_TEST_CASE(paths_are_taken_from_the_folder_of_the_study)
{
    const ringmesh::test::TemporaryFolder folder;
    const Study study = read_study(folder.write("study/study.toml",
                                                "[test.t]\nplatform = \"own.toml\"\nprogram = \"ping-pong\"\n"
                                                "overlays = [\"../other.toml\", \"cut-through\"]\n"));
    const ExperimentRequest request = points_of(study).at(0).wish.request;
    BOOST_TEST(request.platform == "study/own.toml");
    BOOST_TEST(request.overlays == (std::vector<std::string>{"other.toml", "cut-through"}),
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

BOOST_AUTO_TEST_CASE(a_tests_own_axis_wins_over_what_stands_above_the_tests)
{
    const auto points = settings_of(
        "platform = \"wulfkit-ring\"\nprogram = \"ping-pong\"\noptions = { sizes = 64, series = 5 }\n"
        "set = { \"topology.dimensions\" = 2 }\n"
        "[test.a]\naxes = { \"options.series\" = [1, 2] }\n[test.b]\naxes = { \"topology.dimensions\" = [4] }\n");
    const std::vector<std::string> expected{"base topology.dimensions=2 ping-pong:sizes=64,series=1 seed 1",
                                            "base topology.dimensions=2 ping-pong:sizes=64,series=2 seed 1",
                                            "base topology.dimensions=4 ping-pong:sizes=64,series=5 seed 1"};
    BOOST_TEST(points == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_axis_may_be_a_range_of_decimals_or_with_a_unit)
{
    const std::vector<std::string> expected{
        "base link.symbol_time=2ns ping-pong:load=0.1 seed 1", "base link.symbol_time=2.5ns ping-pong:load=0.1 seed 1",
        "base link.symbol_time=2ns ping-pong:load=0.2 seed 1", "base link.symbol_time=2.5ns ping-pong:load=0.2 seed 1"};
    BOOST_TEST(settings_of(kTest + "[test.t.axes]\n\"options.load\" = \"0.1..0.2 step 0.1\"\n"
                                   "\"link.symbol_time\" = \"2ns..2.5ns step 500ps\"\n") == expected,
               boost::test_tools::per_element());
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
    {"axes = { x = [1, 2, 1] }\nset = { a = \"${x}\" }\n", "", "study.toml:4: x = 1 is there already"},
    {"axes = { \"link.symbol_time\" = [\"5 ns\", \"5ns\"] }\n", "", "study.toml:4: link.symbol_time = 5ns"},
    {"axes = { x = [1], y = [2] }\ntogether = [\"x, y\", \"x\"]\nset = { a = \"${x+y}\" }\n", "", "'x' twice"},
    {"axes = { hops = [1, 2] }\nset = { a = \"${2*hps}\" }\n", "", "study.toml:5: 2*hps"},
    {"cells = { csv = \"none.csv\" }\n", "", "study.toml:4: cells: none.csv: no such file"},
    {"cells = { csv = \"/dev/zero\" }\n", "", "study.toml:4: cells: /dev/zero: outside of the study's folder"},
    {"axes = { \"options.series\" = [1, 2] }\noptions = { series = 5 }\n", "",
     "study.toml:4: axis options.series: options sets series = 5, too, in study.toml:5"},
    {"set = { \"link.symbol_time\" = \"4 ns\" }\naxes = { \"link.symbol_time\" = \"2ns..4ns step 1ns\" }\n", "",
     "study.toml:5: axis link.symbol_time: set sets link.symbol_time = 4 ns, too, in study.toml:4"},
    {"library = \"scampi\"\nlibrary_options = { call = \"mpi\" }\naxes = { \"library_options.call\" = [\"mpi\"] }\n",
     "", "library_options sets call = mpi, too, in study.toml:5"},
    {"axes = { \"options.series\" = [1, 2] }\n[test.t.variants]\nbase = {}\nmore = { options = { series = 9 } }\n", "",
     "study.toml:4: axis options.series: variant more sets series = 9, too, in study.toml:7"},
    {"axes = { x = \"0.1..0.3 step 0.5\" }\nset = { a = \"${x}\" }\n", "", "study.toml:4: x = \"0.1..0.3 step 0.5\""},
    {"cells = { columns = [\"x\"] }\n", "", "study.toml:4: cells without a table"},
    {"cells = { csv = \"cells.csv\", colums = [\"x\"] }\n", "", "'columns'"},
    {"repaet = 2\n", "", "'repeat'"},
    {"repeat = 0\n", "", "repeat = 0"},
    {"repeat = 1001\naxes = { \"options.repetitions\" = \"1..1000 step 1\" }\n", "", "study.toml:2: test.t has more"},
    {"axes = { a = \"1..9999 step 1\", b = \"1..9999 step 1\", c = \"1..9999 step 1\" }\n", "", "test.t has more"},
    {"limit = \"5\"\n", "", "limit"},
    {"variants = { a = 5 }\n", "", "variant"},
    {"variants = { a = { sett = { b = 1 } } }\n", "", "sett"},
};

BOOST_DATA_TEST_CASE(a_mistake_is_told_with_its_place, data::make(kMistakes), mistake)
{
    const std::string error = error_of(kTest + mistake.text, mistake.filter);
    BOOST_TEST(error.find(mistake.has) != std::string::npos, error);
}

const std::vector<Mistake> kMistakesInCells{
    {"x,y\n1,2\n", "csv = \"cells.csv\", columns = [\"z\"]", "cells.csv:1: no column 'z'"},
    {"x,y\n1\n", "csv = \"cells.csv\"", "cells.csv:2: 1 cell "},
    {"x,y\n1,\n", "csv = \"cells.csv\"", "cells.csv:2: column 'y' is empty"},
    {"x,y\n", "csv = \"cells.csv\"", "study.toml:4: cells: cells.csv has no rows"},
    {"x,y\n1,2\n3,4\n1,2\n", "csv = \"cells.csv\"", "cells.csv:4: x, y = 1, 2 is there already in cells.csv:2"},
    {"x,y\n1,2\n", "csv = \"cells.csv\"", "axis x changes nothing"},
};

BOOST_DATA_TEST_CASE(a_mistake_in_cells_is_told_with_its_place, data::make(kMistakesInCells), mistake)
{
    std::string told;
    try {
        points_of(study_with_cells(mistake.text, kTest + "cells = { " + mistake.filter + " }\n"));
    } catch (const UserError& error) {
        told = error.what();
    }
    BOOST_TEST(told.find(mistake.has) != std::string::npos, told);
}

const std::vector<Mistake> kMistakesOfRuns{
    {"set = { \"link.symbl\" = \"5 ns\" }\n", "", "study.toml:4: t: link.symbl=5 ns"},
    {"options = { size = 5 }\n", "", "study.toml:4: t: options.size=5: unknown key"},
    {"library = \"scampi\"\nlibrary_options = { cal = 5 }\n", "",
     "study.toml:5: t: library_options.cal=5: unknown key"},
    {"axes = { \"options.to\" = [1, 2] }\noptions = { size = 5 }\n", "",
     "study.toml:5: t, options.to=1: options.size=5"},
    {"axes = { \"options.to\" = [1, 2] }\noverlays = [\"haf\"]\n", "",
     "study.toml:5: t, options.to=1: unknown overlay"},
    {"axes = { \"options.repetitions\" = [0] }\n", "",
     "study.toml:4: t, options.repetitions=0: options.repetitions=0: "},
    {"axes = { \"topology.kind\" = [\"torus\"] }\nset = { \"switch_blink.clock\" = \"50MHz\" }\n", "",
     "study.toml:5: t, topology.kind=torus: switch_blink.clock=50MHz: "},
    {"library = \"scamp\"\n", "", "study.toml:4: t: unknown library"},
    {"overlays = [\"cut-through\", \"haf\"]\n", "", "study.toml:4: t: unknown overlay"},
    {"axes = { x = [1] }\n[test.t.variants.v]\nset = { a = \"${x}\" }\n", "", "study.toml:6: t, x=1: a=1"},
    {"[test.u]\nplatform = \"nowhere\"\nprogram = \"ping-pong\"\n", "", "study.toml:5: u: unknown platform"},
    {"[test.u]\nplatform = \"scc\"\nprogram = \"ping-pog\"\n", "", "study.toml:6: u: unknown workload"},
};

BOOST_DATA_TEST_CASE(what_cannot_run_is_told_with_the_line_that_says_so, data::make(kMistakesOfRuns), mistake)
{
    std::string told;
    try {
        for (const StudyPoint& point : points_of(study_of(kTest + mistake.text))) KeyFinder().key_of(point.wish);
    } catch (const UserError& error) {
        told = error.what();
    }
    BOOST_TEST(told.starts_with(mistake.has), told);
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
