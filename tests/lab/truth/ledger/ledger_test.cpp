// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/ledger/ledger.h"

#include <array>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::lab;
using ringmesh::test::TemporaryFolder;

/// Made of a published.csv and the SELECTs of its views.
class LedgerBench {
public:
    explicit LedgerBench(const std::string& rows)
    {
        const TemporaryFolder folder;
        folder.write("published.csv", "id,quantity,unit,value,tolerance,chose,repeats,miss,why_not,long\n" + rows);
        published_ = Published("published.csv");
    }

    LedgerBench& finding(const std::string& select)
    {
        const std::string name = "finding_" + std::to_string(views_.views.size() + 1);
        database_.execute("CREATE VIEW " + name + " AS " + select);
        views_.views.push_back({name, "part", "a.sql:" + std::to_string(views_.views.size() + 1)});
        return *this;
    }

    Ledger make() const
    {
        const auto findings = found_views(database_, views_, "finding_");
        return ledger_of({.findings = findings,
                          .published = published_,
                          .calibrations = calibrations,
                          .alternatives = {"fast"},
                          .whole = whole,
                          .with_long = with_long});
    }

    /// What making it complains of; empty: nothing.
    std::string problem() const
    {
        try {
            make();
        } catch (const UserError& error) {
            return error.what();
        }
        return "";
    }

    Calibrations calibrations;
    bool whole = true;
    bool with_long = true;

private:
    Published published_;
    Database database_;
    MadeViews views_;
};

bool says(const LedgerBench& bench, const std::string& part)
{
    const std::string problem = bench.problem();
    BOOST_TEST_INFO(problem);
    return problem.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(ledger)

BOOST_AUTO_TEST_CASE(roles_follow_from_provenance_columns_and_variants)
{
    LedgerBench bench(
        "m.set,q,ns,10,5 %,,,,,\nm.again,q,ns,10,5 %,,m.set,,,\nm.seen,q,ns,10,5 %,the rule,,,,\n"
        "m.free,q,ns,10,5 %,,,,,\nm.other,q,ns,10,5 %,,,,,\nm.formula,q,ns,,5 %,,,,,\nm.shown,q,ns,,,,,,,\n"
        "m.equation,q,ns,10,5 %,,,,,\n");
    bench.calibrations["m.set"] = {"host.crossing"};
    bench.finding(
        "SELECT 'm.set' AS id, 10.2 AS simulated, NULL AS analytic, NULL AS alternative UNION ALL "
        "SELECT 'm.again', 10.2, NULL, NULL UNION ALL SELECT 'm.seen', 10.2, NULL, NULL UNION ALL "
        "SELECT 'm.free', 10.2, NULL, NULL UNION ALL SELECT 'm.other', 20, NULL, 'fast' UNION ALL "
        "SELECT 'm.formula', 10, 10.1, NULL UNION ALL SELECT 'm.shown', 3, NULL, NULL");
    bench.finding("SELECT 'm.equation' AS id, 9.9 AS analytic");
    const Ledger ledger = bench.make();
    std::vector<std::pair<Role, std::string>> roles;
    for (const Row& row : ledger.rows) roles.emplace_back(row.role, row.because);
    const std::vector<std::pair<Role, std::string>> expected{
        {Role::kCalibration, "sets host.crossing"},
        {Role::kCalibration, "repeats m.set, which sets host.crossing"},
        {Role::kSeen, "chose the rule"},
        {Role::kPrediction, ""},
        {Role::kAlternative, "variant fast"},
        {Role::kFormula, ""},
        {Role::kUnpublished, ""},
        {Role::kFormula, ""}};
    BOOST_TEST((roles == expected));
    BOOST_TEST(!pass(ledger.rows[4]).has_value());  // an alternative is never judged
    BOOST_TEST(pass(ledger.rows[7]).value());
}

BOOST_AUTO_TEST_CASE(a_finding_may_say_what_published_csv_would)
{
    LedgerBench bench("m.a,q,ns,10,5 %,,,,,\n");
    bench.finding("SELECT 'm.a' AS id, 11 AS simulated, 12 AS published, '20 %' AS tolerance, 'and so' AS remark");
    bench.finding("SELECT 'm.new' AS id, 1 AS simulated, 'what' AS quantity, 'us' AS unit");
    const Ledger ledger = bench.make();
    BOOST_TEST(ledger.rows[0].published.value() == 12.0);
    BOOST_TEST(tolerance_percent(ledger.rows[0]).value() == 20.0, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(ledger.rows[0].note == "and so");
    BOOST_TEST(ledger.rows[1].unit == "us");
}

BOOST_AUTO_TEST_CASE(a_finding_in_another_unit_than_the_published_number_is_refused)
{
    for (const char* unit : {"ns", ""}) {
        LedgerBench bench(std::string("m.a,q,") + unit + ",10,5 %,,,,,\n");
        bench.finding("SELECT 'm.a' AS id, 10 AS simulated, 'us' AS unit");
        BOOST_TEST(says(bench, std::string("published.csv:2: unit = ") + unit + ": "));
    }
    LedgerBench own("m.a,q,ns,10,5 %,,,,,\n");
    own.finding("SELECT 'm.a' AS id, 10 AS simulated, 'us' AS unit, 10 AS published");
    BOOST_TEST(own.make().rows.at(0).unit == "us");
}

BOOST_AUTO_TEST_CASE(rows_come_in_the_order_of_published_csv)
{
    LedgerBench bench("m.a,q,ns,1,5 %,,,,,\nm.b,q,ns,1,5 %,,,,,\n");
    bench.finding("SELECT 'm.b' AS id, 1 AS simulated").finding("SELECT 'm.a' AS id, 1 AS simulated");
    BOOST_TEST(bench.make().rows[0].id == "m.a");
}

BOOST_AUTO_TEST_CASE(what_joins_drop_and_what_does_not_fit_is_an_error)
{
    const std::string row = "m.a,q,ns,1,5 %,,,,,\n";
    const std::vector<std::array<std::string, 3>> mistakes{
        {row, "SELECT 'm.a' AS id, 1 AS simulated WHERE 0", "has no row"},
        {row, "SELECT 'm.a' AS id, NULL AS simulated", "is NULL"},
        {row, "SELECT NULL AS id, 1 AS simulated", "without an id"},
        {row, "SELECT 'm.b' AS id, 1 AS simulated", "'m.b'"},
        {row, "SELECT 'm.a' AS id, 1e999 AS simulated", "finite"},
        {row, "SELECT 'm.a' AS id, 'x' AS simulated", "a text"},
        {row, "SELECT 'm.a' AS id, 1 AS simlated", "simlated"},
        {row, "SELECT 'm.a' AS id, 1 AS simulated, 'base' AS alternative", "alternative = base"},
        {row, "SELECT 'm.b' AS id, 1 AS simulated, 1 AS published, 'q' AS quantity, 'ns' AS unit",
         "where published numbers belong"},
        {row + "m.b,q,ns,1,5 %,,,,,\n", "SELECT 'm.a' AS id, 1 AS simulated", "published.csv:3: 'm.b'"},
        {"m.a,q,ns,,5 %,,,,,\n", "SELECT 'm.a' AS id, 1 AS simulated, NULL AS published", "published of 'm.a'"},
        {"m.a,q,ns,,,,,lost,,\n", "SELECT 'm.a' AS id, 1 AS simulated", "states a miss"},
        {"m.a,q,ns,1,,,,,,\n", "SELECT 'm.a' AS id, 1 AS simulated", "published.csv:2: tolerance of 'm.a' is empty"}};
    for (const auto& [rows, select, told] : mistakes) BOOST_TEST(says(LedgerBench(rows).finding(select), told), select);
    BOOST_TEST(says(LedgerBench(""), "nothing to validate"));
    LedgerBench twice(row);
    twice.finding("SELECT 'm.a' AS id, 10 AS simulated").finding("SELECT 'm.a' AS id, 10 AS simulated");
    BOOST_TEST(says(twice, "a.sql:2: finding_2: 'm.a' is already found by a.sql:1"));
}

BOOST_AUTO_TEST_CASE(a_published_row_may_say_why_nothing_is_run)
{
    LedgerBench bench("m.a,q,ns,1,5 %,,,,,\nm.b,q,ns,1,,,,,a figure without numbers,\n");
    bench.finding("SELECT 'm.a' AS id, 1 AS simulated");
    BOOST_TEST(bench.problem() == "");
    bench.finding("SELECT 'm.b' AS id, 1 AS analytic");
    BOOST_TEST(says(bench, "why_not"));
}

BOOST_AUTO_TEST_CASE(long_rows_are_left_out_by_name_unless_they_are_wanted)
{
    LedgerBench bench("m.a,q,ns,1,5 %,,,,,\nm.b,q,ns,1,5 %,,,,,yes\n");
    bench.finding("SELECT 'm.a' AS id, 1 AS simulated");
    BOOST_TEST(says(bench, "'m.b'"));
    bench.with_long = false;
    BOOST_TEST(bench.make().left_out == std::vector<std::string>{"m.b"}, boost::test_tools::per_element());
    bench.whole = false;
    BOOST_TEST(bench.make().left_out.empty());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
