// SPDX-License-Identifier: Apache-2.0
/// What a prediction says of how to get its number is true.
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"

namespace {

using nlohmann::ordered_json;
using ringmesh::test::TemporaryFolder;

/// The results of a command as a shell takes it, in a folder that has the program as ./ringmesh.
ordered_json results_of(const std::string& command)
{
    std::string out;
    FILE* pipe = ::popen((command + " --no-wall-time --json - 2>stderr.txt").c_str(), "r");
    BOOST_TEST_REQUIRE(pipe != nullptr);
    std::array<char, 4096> part{};
    for (std::size_t read = 0; (read = std::fread(part.data(), 1, part.size(), pipe)) > 0;) {
        out.append(part.data(), read);
    }
    BOOST_TEST_REQUIRE(::pclose(pipe) == 0, ringmesh::test::read_file("stderr.txt"));
    return ordered_json::parse(out)["results"]["rows"];
}

/// Predictions freeze six digits.
bool has_number(const ordered_json& rows, double number)
{
    for (const auto& row : rows) {
        for (const auto& cell : row) {
            if (cell.is_number() && std::abs(cell.get<double>() - number) <= 1e-6 * std::abs(number)) return true;
        }
    }
    return false;
}

/// The first two words of an id: "scc.mpb_read".
std::string kind_of(const std::string& id) { return id.substr(0, id.find('.', id.find('.') + 1)); }

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(prediction_commands)

// The first and the last of each kind.
BOOST_DATA_TEST_CASE(a_command_prints_its_number, data::make({"scc", "wulfkit", "ncube"}), study)
{
    const TemporaryFolder folder;
    std::filesystem::create_symlink(RINGMESH_EXECUTABLE, "ringmesh");
    const ringmesh::test::Ended ended =
        ringmesh::test::ringmesh({"validate", study, "--part", "predictions", "--json", "-", "--store", "store"});
    BOOST_TEST_REQUIRE(!ended.out.empty(), ended.err);
    const auto predictions = ordered_json::parse(ended.out)["predictions"];
    std::set<std::string> first, last;
    std::set<std::pair<std::string, double>> tried;
    const auto try_one = [&](const ordered_json& prediction, std::set<std::string>& seen) {
        const std::string command = prediction["command"];
        if (!seen.insert(kind_of(prediction["id"])).second || prediction["now"].is_null()) return;
        if (!tried.insert({command, prediction["now"]}).second) return;
        BOOST_TEST_CONTEXT(prediction["id"] << ": " << command)
        {
            const auto rows = results_of(command);
            BOOST_TEST(has_number(rows, prediction["now"]), prediction["now"] << " is not in " << rows.dump());
        }
    };
    for (auto each = predictions.begin(); each != predictions.end(); ++each) try_one(*each, first);
    for (auto each = predictions.rbegin(); each != predictions.rend(); ++each) try_one(*each, last);
    BOOST_TEST(!tried.empty());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
