// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>
#include <variant>

#include "lab/sql/database.h"
#include "tests/cases.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::lab;

/// Over a table of the rows (x, a, b).
workloads::Cell over_curve(const std::string& expression)
{
    Database database;
    database.execute("CREATE TABLE curve (x, a, b)");
    database.execute("INSERT INTO curve VALUES (4, 8.0, 5.0), (1, 2.0, 4.0), (2, 4.0, 4.5), (3, 5.0, NULL)");
    return database.query("SELECT " + expression + " FROM curve").rows.at(0).at(0);
}

double number(const std::string& expression) { return std::get<double>(over_curve(expression)); }
bool is_null(const std::string& expression) { return std::holds_alternative<std::monostate>(over_curve(expression)); }

const auto kClose = boost::test_tools::tolerance(1e-9);

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(curve_functions)

BOOST_AUTO_TEST_CASE(aggregates_leave_rows_with_null_out_and_do_not_depend_on_the_order_of_rows)
{
    BOOST_TEST(number("slope(x, b)") == 0.32142857142857, kClose);  // through (1, 4), (2, 4.5), (4, 5)
    BOOST_TEST(number("intercept(x, b)") == 3.75, kClose);
    BOOST_TEST(number("mean(b)") == 4.5, kClose);
    BOOST_TEST(number("median(a)") == 4.5, kClose);
    BOOST_TEST(number("quantile(a, 0.25)") == 3.5, kClose);
    BOOST_TEST(number("deviation(b)") == 0.5, kClose);
    BOOST_TEST(number("at_least(x, a)") == 1.0);
    BOOST_TEST(number("at_most(x, a)") == 4.0);
    BOOST_TEST(number("slope(min(x, 2), a)") == 11.0 / 3, kClose);  // a line may have several y for an x
    BOOST_TEST(number("rises_after(x, a)") == 3.0);
    BOOST_TEST(is_null("drops_after(x, a)"));
    BOOST_TEST(is_null("mean(CASE WHEN x > 9 THEN x END)"));
}

BOOST_AUTO_TEST_CASE(two_curves_cross_on_straight_lines_between_points_that_both_have)
{
    // a - b is -2, -0.5 at 1 and 2, and 3 at 4, as 3 has no b
    BOOST_TEST(number("crossover(x, a, b)") == 2 + 2 * 0.5 / 3.5, kClose);
    BOOST_TEST(is_null("crossover(x, a, a + 1)"));
    BOOST_TEST(is_null("crossover(x, a, a)"));
    // Equal at the first point, then one is lower: they have not changed places
    BOOST_TEST(is_null("crossover(x, a, CASE WHEN x = 1 THEN a ELSE a + 1 END)"));
}

BOOST_AUTO_TEST_CASE(one_rule_says_what_is_saturated)
{
    const auto is = [](const std::string& arguments) {
        return std::get<std::int64_t>(over_curve("saturated(" + arguments + ")"));
    };
    BOOST_TEST(is("0.94, 10, 10") == 1);
    BOOST_TEST(is("0.95, 101, 10") == 1);
    BOOST_TEST(is("0.95, 100, 10") == 0);
}

BOOST_AUTO_TEST_CASE(a_number_is_a_text_with_as_many_decimals_as_asked_for)
{
    BOOST_TEST(std::get<std::string>(over_curve("fixed(1832.577, 2)")) == "1,832.58");
    BOOST_TEST(std::get<std::string>(over_curve("fixed(100, 0)")) == "100");
}

// Student's t of one degree of freedom is 12.7062 [any table]
BOOST_AUTO_TEST_CASE(an_interval_of_batch_means_goes_by_the_order_of_places)
{
    const auto kTable = boost::test_tools::tolerance(1e-5);
    BOOST_TEST(number("batch_ci95(x, a, 2)") == 12.7062 * 3.5 / 2, kTable);  // means of batches: 3 and 6.5
    BOOST_TEST(number("batch_ci95(-x, a, 2)") == 12.7062 * 3.5 / 2, kTable);
    BOOST_TEST(number("batch_ci95(x, b, 2)") == 12.7062 * 0.5 / 2, kTable);  // the first of three is dropped
    BOOST_TEST(is_null("batch_ci95(x, a, 5)"));
}

// Student's t of 3 degrees of freedom is 3.18245, of 60 2.000 [any table]
BOOST_AUTO_TEST_CASE(an_interval_of_95_percent_is_students)
{
    BOOST_TEST(number("ci95(x)") == 3.182446305284263 * std::sqrt(5.0 / 3 / 4), kClose);
    BOOST_TEST(is_null("ci95(CASE WHEN x = 1 THEN x END)"));
    Database database;
    const auto found = database.query(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 61) "
        "SELECT ci95(i) / deviation(i) * sqrt(61) FROM n");
    BOOST_TEST(std::abs(std::get<double>(found.rows[0][0]) - 2.000) < 0.001);  // 60 degrees
}

BOOST_AUTO_TEST_CASE(a_curve_with_a_bend_is_uneven_by_how_much_its_steepest_part_differs)
{
    Database database;
    const auto of = [&database](const std::string& points) {
        return std::get<double>(
            database.query("SELECT unevenness(column1, column2) FROM (VALUES " + points + ")").rows[0][0]);
    };
    BOOST_TEST(of("(0, 0), (1, 1), (2, 2)") == 0.0);
    BOOST_TEST(of("(0, 0), (1, 3), (2, 4)") == 0.5, kClose);
}

BOOST_DATA_TEST_CASE(a_text_a_wrong_part_or_an_x_that_is_there_twice_is_an_error_with_the_functions_name,
                     data::make({"mean('x')", "quantile(a, 2)", "slope(x)", "quantile(a, x / 4.0)",
                                 "crossover(min(x, 2), a, b)", "rises_after(min(x, 2), a)", "drops_after(min(x, 2), a)",
                                 "unevenness(min(x, 2), a)", "batch_ci95(min(x, 2), a, 2)", "batch_ci95(x, a, 1)",
                                 "batch_ci95(x, a, x)"}),
                     expression)
{
    const std::string text = expression;
    BOOST_CHECK_EXCEPTION(over_curve(text), UserError, [&text](const UserError& error) {
        return std::string(error.what()).find(text.substr(0, text.find('('))) != std::string::npos;
    });
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
