// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/evidence.h"

#include <filesystem>
#include <set>
#include <string>

#include "lab/study/description/catalog.h"
#include "lab/table/writers/csv.h"
#include "lab/truth/rows/frozen.h"
#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh::lab;
using namespace ringmesh::test;

/// A study of three numbers, of which the second is a bound: it is frozen, and not counted.
class StudyFolder {
public:
    StudyFolder()
    {
        folder_.write("published.csv", "id,value,repeats\nm.a,100,m.c\nm.c,200,m.b\nm.b,100,\n");
        folder_.write("counted.csv", "id,group,why\nm.a,,\nm.c,,\n");
        folder_.write("frozen.csv",
                      "id,machine,command,quantity,unit,value,low,high,published,role,seen,model,date\n"
                      "m.a,m,,,ns,102,101,103,100,calibration,,1,2026-01-01\n"
                      "m.b,m,,,ns,900,800,1000,100,seen,,1,2026-01-01\n"
                      "m.c,m,,,ns,192,191,193,200,prediction,,1,2026-01-01\n");
    }
    std::filesystem::path path() const { return folder_.path(); }
    PublishedEvidence only(const std::string& line) const
    {
        folder_.write("evidence.csv", "about,platform,program,library,bytes,rows,use\n" + line + '\n');
        return evidence_of(path()).at(0);
    }

private:
    TemporaryFolder folder_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(evidence)

BOOST_AUTO_TEST_CASE(the_typical_error_is_the_median_of_the_frozen_numbers_that_count)
{
    const StudyFolder study;
    const PublishedEvidence all = study.only("x,m,,,64..512,m.*,yes");
    BOOST_TEST(all.errors.size() == 2u);
    BOOST_TEST(all.calibrated == 1u);
    BOOST_TEST(all.repeated == 1u);  // what sets a parameter is told as that alone
    BOOST_TEST(all.typical_error() == "3 %");
    BOOST_TEST((all.covers(64) && all.covers(512) && !all.covers(63) && !all.covers(513)));
    BOOST_TEST(study.only("x,m,,,,,no").typical_error() == "-");
}

BOOST_AUTO_TEST_CASE(bounds_and_unknown_rows_are_refused)
{
    const StudyFolder study;
    for (const char* line : {"x,m,,,,m.b,yes", "x,m,,,,m.d,yes", "x,m,,,512..64,m.a,yes", ",m,,,,m.a,yes"}) {
        BOOST_CHECK_EXCEPTION(study.only(line), ringmesh::UserError, [](const ringmesh::UserError& error) {
            return contains(error.what(), "evidence.csv:2");
        });
    }
}

BOOST_AUTO_TEST_CASE(lines_say_what_is_covered_what_is_not_and_that_the_machine_was_changed)
{
    const auto line_of = [](const EvidenceScope& asked, const std::vector<std::int64_t>& bytes, bool changed) {
        return evidence_lines(asked, bytes, changed).at(0);
    };
    const std::string known = line_of({"wulfkit-ring", "ping-pong", "raw"}, {64}, false);
    BOOST_TEST(contains(known, "typical error"));
    BOOST_TEST(!contains(known, "none"));
    BOOST_TEST(contains(line_of({"wulfkit-ring", "ping-pong", "raw"}, {64, 65536}, false), "65,536 B: none"));
    BOOST_TEST(contains(line_of({"wulfkit-ring", "ping-pong", "raw"}, {64}, true), "changed machine: none"));
    BOOST_TEST(contains(line_of({"scc", "all-to-all", "rcce"}, {4096}, false), "48 cores sending at once: none"));
    BOOST_TEST(contains(line_of({"my.toml", "chain", "rcce"}, {}, false), "chain over rcce on my.toml: none"));
}

/// A study without counted.csv counts all its rows; a line for an option is of runs with it alone.
BOOST_AUTO_TEST_CASE(patterns_of_traffic_have_their_rows_beside_another_simulator)
{
    const auto line_of = [](const std::vector<std::string>& options) {
        return evidence_lines({"mesh-8x8", "traffic", "", options}, {}, false).at(0);
    };
    const std::string transpose = line_of({"pattern=transpose"});
    const std::size_t at = transpose.find("transpose on a mesh and a torus");
    BOOST_TEST_REQUIRE(at != std::string::npos, transpose);
    BOOST_TEST(transpose.find(": 4", transpose.find("(another simulator)", at)) != std::string::npos, transpose);
    BOOST_TEST(!contains(transpose, "shuffle on"));
    BOOST_TEST(contains(line_of({"pattern=shuffle", "pattern=transpose"}), "shuffle on"));
    BOOST_TEST(!contains(line_of({"pattern=quadrant"}), "on a mesh and a torus"));
    for (const auto& each : evidence_of(find_study("mesh") / "patterns"))
        BOOST_TEST(each.errors.size() > 30u, each.about);
    const Ended swept = ringmesh::test::ringmesh(
        words("sweep mesh-8x8 --workload traffic:duration=500ns --axis options.pattern=shuffle,tornado --axis "
              "options.load=0.05,0.1"));
    BOOST_TEST(contains(swept.out, "shuffle on"), swept.out);
    BOOST_TEST(contains(swept.out, "tornado on"));
    BOOST_TEST(!contains(swept.out, "transpose on"));
}

// A count of cases has no error that could be typical
BOOST_AUTO_TEST_CASE(counts_are_no_evidence_and_the_table_has_ten_lines)
{
    const std::set<std::string> counts{"cases", "packets", "sizes", "libraries", "routers"};
    std::size_t lines = 0;
    for (const std::string& name : list_studies()) {
        const auto folder = find_study(name);
        for (const PublishedEvidence& each : evidence_of(folder)) lines += each.use.empty() ? 0U : 1U;
        if (!std::filesystem::exists(folder / kEvidenceFile)) continue;
        const CsvTable table = read_csv(folder / kEvidenceFile);
        for (const auto& [id, number] : read_frozen(folder).rows) {
            if (!counts.contains(number.unit)) continue;
            for (const CsvTable::Row& row : table.rows) {
                BOOST_TEST(!contains(row.cells[table.column("rows")], id), id);
            }
        }
    }
    BOOST_TEST(lines == 10u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
