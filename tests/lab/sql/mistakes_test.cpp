// SPDX-License-Identifier: Apache-2.0
#include "lab/sql/mistakes.h"

#include <chrono>
#include <string>

#include "lab/sql/database.h"
#include "lab/table/writers/text_table.h"
#include "tests/support/cases.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::lab;

/// Two tests with their statistics and a measurement of the user.
Database with_tables()
{
    Database database;
    database.execute("CREATE TABLE rings (point, hops, latency_min_ns)");
    database.execute("CREATE TABLE rings_statistics (point, modules, mean)");
    database.execute("CREATE TABLE slow (point, rate)");
    database.execute("CREATE TABLE \"my-own.csv\" (hops, \"link.symbol_time\")");
    database.execute("CREATE TABLE \"cells.csv\" (hops)");
    return database;
}

std::string error_of(const Database& database, const std::string& sql)
{
    try {
        database.query(sql);
    } catch (const UserError& error) {
        return error.what();
    }
    return "no error";
}

std::string error_of(const std::string& sql) { return error_of(with_tables(), sql); }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(sql_mistakes)

BOOST_AUTO_TEST_CASE(an_unknown_table_is_told_with_the_names_of_tables_and_no_columns)
{
    const std::string error = error_of("SELECT * FROM ring");
    BOOST_TEST(has(error, "no such table: ring; did you mean rings?"), error);
    BOOST_TEST(has(error, "slow"), error);
    BOOST_TEST(!has(error, "latency_min_ns"), error);
    BOOST_TEST(!has(error, "rings_statistics"), error);
    BOOST_TEST(has(error_of("SELECT * FROM rings_statistic"), "did you mean rings_statistics?"));
}

BOOST_AUTO_TEST_CASE(an_unknown_column_is_told_with_the_columns_of_the_tables_that_are_named)
{
    const std::string error = error_of("SELECT r.latency_mn_ns FROM rings r");
    BOOST_TEST(has(error, "no such column: r.latency_mn_ns; did you mean latency_min_ns?"), error);
    BOOST_TEST(has(error, "rings: point, hops, latency_min_ns"), error);
    BOOST_TEST(!has(error, "rate"), error);
    BOOST_TEST(has(error_of("SELECT latency FROM rings"), "did you mean latency_min_ns?"));
    BOOST_TEST(!has(error, "modules"), error);
}

BOOST_DATA_TEST_CASE(a_name_that_needs_quotation_marks_and_has_none_is_told_so,
                     data::make({"SELECT * FROM my-own.csv", "SELECT * FROM cells.csv",
                                 "SELECT \"link.symbol_time\" FROM My-Own.csv -- \"my-own.csv\"",
                                 "SELECT link.symbol_time FROM \"my-own.csv\""}) ^
                         data::make({"my-own.csv", "cells.csv", "my-own.csv", "link.symbol_time"}),
                     sql, name)
{
    const std::string error = error_of(sql);
    BOOST_TEST(has(error, "write \"" + std::string(name) + "\" in quotation marks"), error);
}

BOOST_AUTO_TEST_CASE(a_view_over_a_name_without_its_quotation_marks_is_told_so)
{
    Database database = with_tables();
    BOOST_CHECK_EXCEPTION(
        database.execute("CREATE VIEW v AS SELECT * FROM cells.csv"), UserError,
        [](const UserError& error) { return has(error.what(), "write \"cells.csv\" in quotation marks"); });
}

BOOST_AUTO_TEST_CASE(the_columns_of_a_views_tables_are_told_where_it_is_made)
{
    Database database = with_tables();
    BOOST_CHECK_EXCEPTION(
        database.execute("CREATE VIEW v AS SELECT absent FROM slow"), UserError,
        [](const UserError& error) { return has(error.what(), "no such column: absent\n  slow: point, rate"); });
}

BOOST_AUTO_TEST_CASE(a_wrong_number_of_arguments_is_told_with_the_signature)
{
    BOOST_TEST(has(error_of("SELECT slope(hops) FROM rings"), "slope(); write slope(x, y)"));
    BOOST_TEST(error_of("SELECT sqrt(1, 2)") == "SQL: wrong number of arguments to function sqrt()");
}

BOOST_AUTO_TEST_CASE(an_unknown_function_is_told_with_the_nearest_of_ours_or_of_sqlite)
{
    BOOST_TEST(has(error_of("SELECT slop(1, 2)"), "no such function: slop; did you mean slope(x, y)?"));
    BOOST_TEST(has(error_of("SELECT coalesc(1, 2)"), "did you mean coalesce()?"));
    BOOST_TEST(has(error_of("SELECT xxxxxxxxxxxxxx(1)"), "list functions"));
    Database database;
    database.define(formula("published", {"id"}, "", "a number", "", [](const std::string& /*id*/) { return 1.0; }));
    BOOST_TEST(has(error_of(database, "SELECT publisht('a')"), "published(id)"));
}

BOOST_AUTO_TEST_CASE(other_mistakes_are_told_in_sqlites_words_alone)
{
    BOOST_TEST(error_of("SELECT FROM rings") == "SQL: near \"FROM\": syntax error");
    BOOST_TEST(error_of("SELECT point FROM rings, slow") == "SQL: ambiguous column name: point");
}

BOOST_AUTO_TEST_CASE(many_tables_of_many_columns_make_some_lines)
{
    Database database;
    std::string columns = "x";
    for (int i = 0; i < 200; ++i) columns += ", a_column_with_a_long_name_" + std::to_string(i);
    for (int i = 0; i < 200; ++i)
        database.execute("CREATE TABLE a_long_name_" + std::to_string(i) + "(" + columns + ")");
    for (const char* sql : {"SELECT 1 FROM nothing",
                            "SELECT nothing FROM a_long_name_1 UNION SELECT 1 FROM "
                            "a_long_name_2, a_long_name_3, a_long_name_4, a_long_name_5"}) {
        const std::string error = error_of(database, sql);
        BOOST_TEST(std::ranges::count(error, '\n') <= 18, error);
        BOOST_TEST(widest_line(error) <= 94u, error);
    }
}

BOOST_DATA_TEST_CASE(recursion_without_an_end_stops_and_so_does_a_view_and_a_table_of_it,
                     data::make({"", "CREATE VIEW v AS ", "CREATE TABLE t AS "}), made)
{
    Database database;
    database.limit_statements(std::chrono::milliseconds(50));
    const std::string sql =
        std::string(made) + "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n";
    const auto begin = std::chrono::steady_clock::now();
    const auto run = [&] {
        if (std::string(made).empty()) {
            database.query(sql);
        } else {
            database.execute(sql);
        }
    };
    BOOST_CHECK_EXCEPTION(run(), UserError, [](const UserError& error) { return has(error.what(), "0.05 s"); });
    BOOST_TEST((std::chrono::steady_clock::now() - begin < std::chrono::seconds(20)));
    BOOST_TEST(database.query("SELECT 1").rows.size() == 1u);  // the next has its own time
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
