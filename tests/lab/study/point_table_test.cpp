// SPDX-License-Identifier: Apache-2.0
#include "lab/study/points/point_table.h"

#include <string>
#include <vector>

#include "tests/support/cases.h"

namespace {

using namespace ringmesh::lab;
using ringmesh::workloads::Cell;
using ringmesh::workloads::Results;

StudyTest test_of(std::size_t variants, unsigned repeat)
{
    StudyTest test{.name = "t"};
    test.axes.push_back({.name = "link.symbol_time", .values = {"4 ns", "5 ns"}, .where = {}});
    test.variants.resize(variants);
    test.repeat = repeat;
    return test;
}

DonePoint point(const std::string& axis, std::vector<ringmesh::workloads::Column> columns, std::vector<Cell> cells)
{
    DonePoint done;
    done.point.variant = "base";
    done.point.axes = {axis};
    done.granted.key = "key of " + axis;
    done.outcome.results = {.columns = std::move(columns), .rows = {std::move(cells)}, .notes = {}};
    return done;
}

std::vector<std::string> names_of(const Results& table)
{
    std::vector<std::string> names;
    for (const auto& column : table.columns) names.push_back(column.name);
    return names;
}

const auto kEach = boost::test_tools::per_element();

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(point_table)

BOOST_AUTO_TEST_CASE(a_tidy_table_has_what_differs_before_the_programs_columns)
{
    const std::vector<DonePoint> points{point("5 ns", {{"latency_ns", "ns"}}, {7.5})};
    const auto tidy = [&](std::size_t variants, unsigned repeat) {
        return names_of(tidy_points(test_of(variants, repeat), points));
    };
    using Names = std::vector<std::string>;
    BOOST_TEST(tidy(1, 1) == (Names{"link_symbol_time_ns", "latency_ns"}), kEach);
    BOOST_TEST(tidy(2, 1) == (Names{"link_symbol_time_ns", "variant", "latency_ns"}), kEach);
    BOOST_TEST(tidy(2, 2) == (Names{"link_symbol_time_ns", "variant", "repetition", "seed", "latency_ns"}), kEach);
}

BOOST_AUTO_TEST_CASE(a_doubt_about_a_point_is_a_column_of_all_its_rows)
{
    std::vector<DonePoint> points{point("4 ns", {{"latency_ns", "ns"}}, {7.5}),
                                  point("5 ns", {{"latency_ns", "ns"}}, {9.5})};
    points.back().outcome.results.doubt = "saturated";
    const StudyTest test = test_of(1, 1);
    const Results tidy = tidy_points(test, points);
    BOOST_TEST(names_of(tidy) == (std::vector<std::string>{"link_symbol_time_ns", "doubt", "latency_ns"}), kEach);
    BOOST_TEST((tidy.rows[0][1] == Cell(std::monostate())));
    BOOST_TEST((tidy.rows[1][1] == Cell("saturated")));
    const Results whole = whole_points(test, points);
    BOOST_TEST((whole.rows[1][layout_of(test).doubt.value()] == Cell("saturated")));
}

BOOST_AUTO_TEST_CASE(a_whole_table_has_every_column_where_its_layout_says)
{
    const StudyTest test = test_of(1, 1);
    const std::vector<DonePoint> points{point("5 ns", {{"latency_ns", "ns"}}, {7.5})};
    const Results whole = whole_points(test, points);
    const PointLayout layout = layout_of(test);
    const auto& row = whole.rows.front();
    BOOST_TEST(whole.columns[layout.program].name == "latency_ns");
    BOOST_TEST((row[layout.key] == Cell("key of 5 ns")));
    BOOST_TEST((row[layout.variant] == Cell("base")));
    BOOST_TEST((row[layout.axes] == Cell(5.0)));
    BOOST_TEST((row[layout.program] == Cell(7.5)));
}

// Points of one test may run different machines, whose programs have other columns
BOOST_AUTO_TEST_CASE(points_with_other_columns_share_a_table_and_leave_the_others_empty)
{
    const std::vector<DonePoint> points{point("4 ns", {{"a", ""}, {"link_symbol_time_ns", ""}}, {1.0, 2.0}),
                                        point("5 ns", {{"b", ""}, {"a", ""}}, {3.0, 4.0})};
    const Results tidy = tidy_points(test_of(1, 1), points);
    const std::vector<std::string> names{"axis_link_symbol_time_ns", "a", "link_symbol_time_ns", "b"};
    BOOST_TEST(names_of(tidy) == names, kEach);
    BOOST_TEST((tidy.rows[1] == std::vector<Cell>{5.0, 4.0, std::monostate(), 3.0}));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
