// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/findings.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lab/store/executor.h"
#include "tests/platforms/configuration/temporary_folder.h"
#include "tlm/error.h"

namespace {

namespace data = boost::unit_test::data;
using namespace ringmesh;
using namespace ringmesh::lab;
using ringmesh::test::TemporaryFolder;

/// Two tests, of which the second has a long point, a script for each, and one that needs neither.
class StudyBench {
public:
    StudyBench()
    {
        folder_.write("study.toml",
                      "title = \"rings\"\nplatform = \"wulfkit-ring\"\nprogram = \"ping-pong\"\nnotes = \"a line\"\n"
                      "options = { sizes = 64, repetitions = 1, series = 1 }\n"
                      "[tables]\nHop = \"what a hop costs\"\n"
                      "[test.ring]\naxes = { hops = [1, 2] }\nset = { \"topology.dimensions\" = \"${2*hops}\" }\n"
                      "[test.large]\naxes = { hops = [3, 4] }\nset = { \"topology.dimensions\" = \"${2*hops}\" }\n"
                      "long = \"hops > 3\"\n");
        folder_.write("10_rings.sql",
                      "CREATE VIEW hop AS SELECT max(latency_min_ns) - min(latency_min_ns) AS ns FROM ring;\n"
                      "CREATE VIEW finding_hop AS SELECT 'm.hop' AS id, ns AS simulated FROM hop;\n"
                      "CREATE VIEW table_Hop AS SELECT 1 AS hops, ns AS \"time (ns)\" FROM hop;\n"
                      "CREATE VIEW note_hop AS SELECT 'by ' || published('m.hop') AS words;\n");
        folder_.write("20_large.sql",
                      "CREATE VIEW finding_large AS\n"
                      "SELECT printf('m.large_%d', hops) AS id, latency_min_ns AS simulated FROM large;\n");
        folder_.write("30_own.sql",
                      "CREATE VIEW finding_own AS SELECT 'm.own' AS id, sum(us) AS analytic FROM \"own.csv\";\n");
        folder_.write("own.csv", "us\n1\n2\n");
        folder_.write("published.csv",
                      "id,quantity,unit,value,tolerance,why_not,long\nm.own,a sum,us,3,1 %,,\n"
                      "m.hop,a hop,ns,67,50 %,,\nm.large_3,far,ns,,,,\nm.large_4,farther,ns,,,,yes\n"
                      "m.other,a colour,,,,not modelled,\n");
    }

    const TemporaryFolder& folder() const { return folder_; }

    static Findings findings(const std::string& part = "") { return {read_study("study.toml"), part}; }

    /// Its report over all points that it asks for.
    Report report(const std::string& part, bool with_long)
    {
        made_.emplace(findings(part));
        const auto points = made_->points(with_long);
        find(points);
        return made_->report(points, with_long);
    }

    void find(const std::vector<StudyPoint>& points)
    {
        if (!made_) made_.emplace(findings());
        Store store(folder_.path() / "store");
        std::vector<Wish> wishes;
        for (const StudyPoint& point : points) wishes.push_back(point.wish);
        made_->find(points, grant(store, wishes, {}), store);
    }

    Findings& made() { return *made_; }

private:
    TemporaryFolder folder_;
    std::optional<Findings> made_;
};

std::vector<std::string> ids_of(const std::vector<Row>& rows)
{
    std::vector<std::string> ids;
    for (const Row& row : rows) ids.push_back(row.id);
    return ids;
}

std::set<std::string> views_of(const MadeViews& made)
{
    std::set<std::string> names;
    for (const auto& view : made.views) names.insert(view.name);
    return names;
}

std::string problem_of(const std::string& part = "")
{
    try {
        StudyBench::findings(part);
    } catch (const UserError& error) {
        return error.what();
    }
    return "none";
}

using Texts = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(study_findings)

BOOST_AUTO_TEST_CASE(a_part_needs_the_points_of_its_tests_and_long_ones_come_if_asked)
{
    const StudyBench bench;
    BOOST_TEST(StudyBench::findings().points(false).size() == 3u);
    BOOST_TEST(StudyBench::findings().points(true).size() == 4u);
    const auto rings = StudyBench::findings("rings").points(true);
    BOOST_TEST(rings.size() == 2u);
    for (const StudyPoint& point : rings) BOOST_TEST(point.test == 0u);
    BOOST_TEST(StudyBench::findings("large").points(false).size() == 1u);
    BOOST_TEST(problem_of("ring").find("'rings'") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_report_joins_what_was_found_with_what_was_published)
{
    StudyBench bench;
    const Report report = bench.report("", true);
    BOOST_TEST(ids_of(report.rows) == (Texts{"m.own", "m.hop", "m.large_3", "m.large_4"}),
               boost::test_tools::per_element());
    BOOST_TEST(report.rows[0].analytic.value() == 3.0);
    BOOST_TEST((report.rows[1].role == Role::kPrediction));
    BOOST_TEST(report.rows[1].simulated.value() > 0.0);
    BOOST_TEST(report.left_out.empty());
    BOOST_TEST(report.not_run == (Texts{"m.other: not modelled"}), boost::test_tools::per_element());
    BOOST_TEST(report.notes == (Texts{"a line"}), boost::test_tools::per_element());
    BOOST_TEST(!report.ships);
    BOOST_TEST(bench.made().database().query("SELECT id FROM ledger WHERE verdict = 'pass'").rows.size() == 2u);
}

BOOST_AUTO_TEST_CASE(long_rows_are_left_out_unless_asked)
{
    StudyBench bench;
    const Report report = bench.report("", false);
    BOOST_TEST(ids_of(report.rows) == (Texts{"m.own", "m.hop", "m.large_3"}), boost::test_tools::per_element());
    BOOST_TEST(report.left_out == (Texts{"m.large_4"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_part_has_its_own_views_alone_and_asks_for_no_other_row)
{
    StudyBench bench;
    const Report report = bench.report("large", true);
    BOOST_TEST((views_of(bench.made().views()) == std::set<std::string>{"finding_large"}));
    BOOST_TEST(ids_of(report.rows) == (Texts{"m.large_3", "m.large_4"}), boost::test_tools::per_element());
    BOOST_TEST(report.tables.empty());
    BOOST_TEST(report.not_run.empty());
}

BOOST_AUTO_TEST_CASE(views_of_a_test_without_points_are_not_made_and_the_others_are)
{
    StudyBench bench;
    std::vector<StudyPoint> points = StudyBench::findings().points(false);
    std::erase_if(points, [](const StudyPoint& point) { return point.test == 0; });
    bench.find(points);
    BOOST_TEST((views_of(bench.made().views()) == std::set<std::string>{"finding_large", "finding_own", "note_hop"}));
    BOOST_TEST(bench.made().tables().empty());
    BOOST_TEST(bench.made().database().query("SELECT * FROM ring").rows.empty());
}

BOOST_AUTO_TEST_CASE(a_table_has_its_title_units_and_notes_whatever_the_case_of_its_name)
{
    StudyBench bench;
    const auto tables = bench.report("rings", false).tables;
    BOOST_TEST_REQUIRE(tables.size() == 1u);
    BOOST_TEST(tables[0].title == "what a hop costs");
    BOOST_TEST(tables[0].table.columns().at(1).title == "time");
    BOOST_TEST(tables[0].table.columns().at(1).unit == "ns");
    BOOST_TEST(tables[0].notes == (Texts{"by 67.0"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_was_published_is_a_table_and_a_function)
{
    StudyBench bench;
    bench.report("large", false);
    const auto ask = [&bench](const std::string& sql) { return bench.made().database().query(sql).rows.at(0).at(0); };
    BOOST_TEST(bench.made().has_published());
    BOOST_TEST((ask("SELECT value FROM published WHERE id = 'm.hop'") == workloads::Cell(67.0)));
    BOOST_TEST((ask("SELECT published('m.own')") == workloads::Cell(3.0)));
    BOOST_TEST((ask("SELECT value IS NULL AND why_not = 'not modelled' FROM published WHERE id = 'm.other'") ==
                workloads::Cell(std::int64_t{1})));
    BOOST_CHECK_THROW(ask("SELECT published('m.large_3')"), UserError);
    BOOST_CHECK_THROW(ask("SELECT published('m.nothing')"), UserError);
}

BOOST_AUTO_TEST_CASE(titles_and_notes_of_tables_that_there_are_not_are_told_with_file_and_line)
{
    const StudyBench bench;
    bench.folder().write("40_more.sql", "\nCREATE VIEW note_nothing AS SELECT 1;\n");
    bench.folder().write("study.toml",
                         "[tables]\nhops = \"a title\"\nhop = \"another\"\n[test.ring]\nplatform = \"wulfkit-ring\"\n"
                         "program = \"ping-pong\"\n");
    const std::string problem = problem_of();
    BOOST_TEST(problem.find("study.toml:2: tables.hops = \"a title\": ") == 0u, problem);
    BOOST_TEST(problem.find("'hop'") != std::string::npos, problem);
    BOOST_TEST(problem.find("40_more.sql:2: note_nothing: ") != std::string::npos, problem);
}

BOOST_AUTO_TEST_CASE(an_answer_that_cannot_be_had_is_told_with_the_views_file_and_line)
{
    StudyBench bench;
    bench.folder().write("own.csv", "us\nmuch\n");
    bench.folder().write("30_own.sql",
                         "\n\nCREATE VIEW finding_own AS SELECT 'm.own' AS id, slope(us, us) AS analytic "
                         "FROM \"own.csv\";\n");
    BOOST_CHECK_EXCEPTION(bench.report("", false), UserError, [](const UserError& error) {
        return std::string(error.what()).find("30_own.sql:3: SQL: slope: ") != std::string::npos;
    });
}

BOOST_DATA_TEST_CASE(files_that_are_no_texts_are_told_with_file_and_line,
                     data::make({"published.csv", "own.csv", "30_own.sql", "study.toml"}) *
                         data::make({std::string("# a\n#\0b\n", 7), std::string("# a\n# \xB5s\n")}),
                     name, text)
{
    StudyBench bench;
    bench.folder().write(name, text);
    BOOST_CHECK_EXCEPTION(bench.report("", false), UserError, [&](const UserError& error) {
        BOOST_TEST_INFO(error.what());
        return std::string(error.what()).find(std::string(name) + ":2:") != std::string::npos;
    });
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
