// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "tests/cases.h"
#include "tests/lab/program.h"

namespace {

using nlohmann::ordered_json;
using ringmesh::test::Ended;

/// A part of `validate ncube`, some of its judged rows, and numbers of the null model in some.
struct NcubePart {
    const char* name;
    std::vector<std::string> judged;
    std::map<std::string, double> analytic;
};

std::ostream& operator<<(std::ostream& stream, const NcubePart& part) { return stream << part.name; }

/// Interrupts alone slow a computation by 1.19, 1.45 and 1.75 [001 5.2].
const std::vector<NcubePart> kNcubeParts{
    {"times",
     {"ncube.R.16B", "ncube.R_S.2000B", "ncube.F_S.16B", "ncube.F_E_U.500B", "ncube.A_U.2000B", "ncube.idle_gain"},
     {}},
    {"channels",
     {"ncube.channels2.time", "ncube.channels2.slowdown", "ncube.channels4.time", "ncube.channels4.slowdown"},
     {{"ncube.channels2.slowdown", 1.19}, {"ncube.channels4.slowdown", 1.45}, {"ncube.channels6.slowdown", 1.75}}},
    {"programs", {"ncube.program.message.2000B", "ncube.program.chain.2000B", "ncube.program.broadcast.2000B"}, {}},
    {"discussion", {"ncube.unbuffered.send", "ncube.natural.send", "ncube.natural.forward"}, {}},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(published)
BOOST_AUTO_TEST_SUITE(ncube)

BOOST_DATA_TEST_CASE(every_judged_row_is_within_its_tolerance, data::make(kNcubeParts), part)
{
    const Ended ended = ringmesh::test::ringmesh({"validate", "ncube", "--part", part.name, "--json", "-"});
    BOOST_TEST(ended.status == 0, ended.out + ended.err);
    const auto json = ordered_json::parse(ended.out);
    std::set<std::string> judged;
    std::size_t compared = 0;
    for (const auto& row : json["rows"]) {
        const std::string id = row["id"];
        BOOST_TEST(row["machine"] == "ncube");
        BOOST_TEST((row["role"] == "information") == row["pass"].is_null(), id);
        const auto expected = part.analytic.find(id);
        if (expected != part.analytic.end()) {
            ++compared;
            BOOST_TEST(std::abs(row["analytic"].get<double>() - expected->second) < 0.005, id);
        }
        if (row["pass"].is_null()) continue;
        BOOST_TEST((row["pass"] == true), id << " is out of its tolerance");
        judged.insert(id);
    }
    BOOST_TEST(compared == part.analytic.size());
    for (const std::string& id : part.judged) BOOST_TEST(judged.contains(id), id << " is not judged");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
