// SPDX-License-Identifier: Apache-2.0
#include "lab/study/running/scripts.h"

#include <chrono>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::lab;
using ringmesh::test::TemporaryFolder;

/// Three tests; `rings.sql` needs the first, `tori.sql` the second and over a view of rings the first as well.
Study study_in(const TemporaryFolder& folder)
{
    folder.write("10_rings.sql",
                 "-- not tori\nCREATE VIEW hop AS SELECT ns FROM ring; -- 'load'\n\n"
                 "CREATE VIEW table_hop AS SELECT ns AS \"in all; (ns)\" FROM hop;\n");
    folder.write("20_tori.sql", "CREATE VIEW finding_torus AS\nSELECT torus_statistics.ns FROM torus_statistics, hop");
    Study study;
    study.folder = ".";
    for (const char* name : {"ring", "torus", "load"}) {
        StudyTest test;
        test.name = name;
        study.tests.push_back(test);
    }
    return study;
}

Database with_tables()
{
    Database database;
    database.execute("CREATE TABLE ring (ns)");
    database.execute("CREATE TABLE torus_statistics (ns)");
    return database;
}

std::vector<std::string> names_of(const std::vector<MadeViews::View>& views)
{
    std::vector<std::string> names;
    for (const auto& view : views) names.push_back(view.name);
    return names;
}

using Names = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(study_scripts)

BOOST_AUTO_TEST_CASE(residuals_give_a_table_of_where_a_formula_leaves_5_percent)
{
    const TemporaryFolder folder;
    folder.write(
        "80_residuals.sql",
        "CREATE VIEW residuals AS SELECT 1 AS place, 'f' AS formula, 'near' AS curve, 'bytes' AS over, ns AS at, "
        "ns AS residual_percent FROM ring UNION ALL SELECT 2, 'f', 'far', 'bytes', ns, -ns / 2 FROM ring;\n");
    Study study;
    study.folder = ".";
    Database database;
    database.execute("CREATE TABLE ring AS SELECT 8 AS ns UNION SELECT 4 UNION SELECT 6");
    const auto made = run_scripts(database, scripts_of(study), "residuals", {});
    BOOST_TEST(names_of(made.views) == (Names{"residuals", "table_residuals"}), boost::test_tools::per_element());
    const auto rows = rows_of(database, made.views.back()).rows;
    BOOST_TEST_REQUIRE(rows.size() == 2u);
    using workloads::Cell;
    BOOST_TEST((rows[0] == std::vector<Cell>{"f", "near", "3, 4 to 8 bytes", "+4.00", "+8.00", "6 bytes"}));
    BOOST_TEST((rows[1] == std::vector<Cell>{"f", "far", "3, 4 to 8 bytes", "-4.00", "-2.00", "not in these"}));
}

BOOST_AUTO_TEST_CASE(a_script_with_a_table_of_residuals_of_its_own_keeps_it)
{
    const TemporaryFolder folder;
    folder.write("10_fit.sql",
                 "CREATE VIEW residuals AS SELECT 1 AS x; CREATE VIEW table_residuals AS SELECT x FROM residuals");
    Study study;
    study.folder = ".";
    Database database;
    const auto made = run_scripts(database, scripts_of(study), "", {});
    BOOST_TEST(rows_of(database, made.views.back()).columns.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_part_is_a_file_and_needs_the_tests_that_its_views_mention)
{
    const TemporaryFolder folder;
    const Study study = study_in(folder);
    const auto scripts = scripts_of(study);
    BOOST_TEST_REQUIRE(scripts.size() == 2u);
    BOOST_TEST(scripts[0].part == "rings");
    BOOST_TEST(scripts[0].statements.at(1).line == 4u);
    BOOST_TEST(scripts[0].statements.at(1).makes == "table_hop");
    BOOST_TEST((tests_for("rings", study, scripts) == std::set<std::string>{"ring"}));
    BOOST_TEST((tests_for("tori", study, scripts) == std::set<std::string>{"ring", "torus"}));
    BOOST_TEST((tests_for("", study, scripts) == std::set<std::string>{"ring", "torus"}));
}

BOOST_AUTO_TEST_CASE(a_part_makes_its_own_views_and_the_steps_that_they_need)
{
    const TemporaryFolder folder;
    const auto scripts = scripts_of(study_in(folder));
    Database database = with_tables();
    const MadeViews made = run_scripts(database, scripts, "tori", {});
    BOOST_TEST(names_of(made.views) == Names{"finding_torus"}, boost::test_tools::per_element());
    BOOST_TEST(names_of(made.beginning("finding_")) == Names{"finding_torus"}, boost::test_tools::per_element());
    BOOST_TEST(database.has_table("hop"));
    BOOST_TEST(!database.has_table("table_hop"));
}

BOOST_AUTO_TEST_CASE(a_statement_that_needs_a_missing_test_is_left_out_with_what_depends_on_it)
{
    const TemporaryFolder folder;
    const auto scripts = scripts_of(study_in(folder));
    Database database;
    database.execute("CREATE TABLE torus_statistics (ns)");
    BOOST_TEST(run_scripts(database, scripts, "", {"ring"}).views.empty());
}

BOOST_AUTO_TEST_CASE(an_error_names_file_and_line_of_the_statement)
{
    const TemporaryFolder folder;
    const auto scripts = scripts_of(study_in(folder));
    Database database;
    database.execute("CREATE TABLE ring (us)");
    BOOST_CHECK_EXCEPTION(run_scripts(database, scripts, "rings", {}), UserError, [](const UserError& error) {
        return std::string(error.what()).find("10_rings.sql:2: ") != std::string::npos;
    });
}

BOOST_AUTO_TEST_CASE(recursion_without_an_end_is_told_with_file_and_line)
{
    const TemporaryFolder folder;
    folder.write("10.sql",
                 "\nCREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
                 "SELECT i FROM n;\n");
    Study study;
    study.folder = ".";
    Database database;
    database.limit_statements(std::chrono::milliseconds(50));
    BOOST_CHECK_EXCEPTION(run_scripts(database, scripts_of(study), "", {}), UserError, [](const UserError& error) {
        return std::string(error.what()).find("10.sql:2: ") != std::string::npos;
    });
}

BOOST_AUTO_TEST_CASE(what_a_view_holds_is_had_by_its_name_and_its_place_told)
{
    Database database;
    database.execute("CREATE TABLE own (x)");
    database.execute("INSERT INTO own VALUES (7)");
    BOOST_TEST(rows_of(database, {"own", "", "a.sql:1"}).rows.size() == 1u);
    BOOST_CHECK_EXCEPTION(rows_of(database, {"absent", "", "a.sql:1"}), UserError, [](const UserError& error) {
        return std::string(error.what()).starts_with("a.sql:1: absent: ");
    });
}

BOOST_AUTO_TEST_CASE(statements_end_at_semicolons_outside_of_texts_and_comments)
{
    const auto statements = statements_of("SELECT ';' ; /* one; */ -- two;\nSELECT 2 -- three;\n, 3;;\nSELECT \"a;b\"");
    BOOST_TEST_REQUIRE(statements.size() == 3u);
    BOOST_TEST(statements[0] == "SELECT ';' ;");
    BOOST_TEST(statements[1] == "SELECT 2 -- three;\n, 3;");
    BOOST_TEST(statements[2] == "SELECT \"a;b\"");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
