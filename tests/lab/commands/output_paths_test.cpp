// SPDX-License-Identifier: Apache-2.0
// What lies already where a command writes: docs/reference/results/formats.md, "Where a file is there already".
#include <SQLiteCpp/SQLiteCpp.h>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <ostream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/program.h"

namespace {

namespace data = boost::unit_test::data;
namespace files = std::filesystem;
using namespace ringmesh::test;

const std::string kNotes = "somebody's notes of ten years, of which no copy is left, and more than a header's bytes\n";

enum class Outcome { kReplaced, kRefused, kKept };

struct OutputPath {
    std::string arguments;
    std::string path;  ///< of the file that is there
    Outcome outcome;
};

std::ostream& operator<<(std::ostream& stream, const OutputPath& row)
{
    return stream << "ringmesh " << row.arguments << " over " << row.path;
}

const std::string kProgram = "wulfkit-ring --workload ping-pong:sizes=64,repetitions=1,series=1 ";
const std::string kRun = "run " + kProgram;
const std::string kSweep = "sweep " + kProgram + "--store store --axis link.symbol_time=4ns,5ns ";
const std::string kExplain = "explain wulfkit-ring --from 0 --to 1 ";

const std::vector<OutputPath> kPaths{
    {kRun + "--json out", "out", Outcome::kRefused},
    {kRun + "--csv out", "out", Outcome::kReplaced},
    {kRun + "--report out.html", "out.html", Outcome::kRefused},
    {kRun + "--vcd out.vcd", "out.vcd", Outcome::kRefused},
    {kRun + "--fst out.fst", "out.fst", Outcome::kRefused},
    {kRun + "--timeline out", "out", Outcome::kRefused},
    {kRun + "--status out", "out", Outcome::kRefused},
    {kRun + "--packets out", "out", Outcome::kReplaced},
    {kRun + "--record goal=out", "out", Outcome::kReplaced},
    {kRun + "--json study/study.toml", "study/study.toml", Outcome::kRefused},
    // Nobody named the views
    {kRun + "--vcd out.vcd", "out.gtkw", Outcome::kKept},
    {kRun + "--fst out.fst", "out.packet.gtkw", Outcome::kKept},
    // What a run reads
    {kRun + "--overlay own.toml --json own.toml", "own.toml", Outcome::kRefused},
    {kSweep + "--csv out", "out", Outcome::kReplaced},
    {kSweep + "--markdown out", "out", Outcome::kRefused},
    {"validate mine --store store --csv out", "out", Outcome::kReplaced},
    {"validate mine --store store --accuracy out", "out", Outcome::kReplaced},
    {kSweep + "--json out", "out", Outcome::kRefused},
    {kSweep + "--save saved", "saved/study.toml", Outcome::kRefused},
    {kExplain + "--json out", "out", Outcome::kRefused},
    {kExplain + "--csv out", "out", Outcome::kReplaced},
    {kExplain + "--svg out", "out", Outcome::kRefused},
    {kSweep + "--png out", "out", Outcome::kRefused},
    {"validate mine --store store --pdf out", "out", Outcome::kRefused},
    {"store status --store store --json out", "out", Outcome::kRefused},
    {"store index --store store --sqlite out", "out", Outcome::kRefused},
    {"store index --store store", "store/index.sqlite", Outcome::kRefused},
    {"store clean --store store --failed", "store/memos/notes", Outcome::kKept},
    {"study run mine --store store --csv out", "out", Outcome::kReplaced},
    {"study export mine --store store --sqlite out", "out", Outcome::kRefused},
    {"validate mine --store store --json out", "out", Outcome::kRefused},
    {"validate mine --store store --markdown out", "out", Outcome::kRefused},
    {"calibrate mine --store store --free host.crossing --row ring.one -o out", "out", Outcome::kRefused},
    {"report store -o out.html", "out.html", Outcome::kRefused},
    {"reproduce mine -o out", "out", Outcome::kRefused},
    {"reproduce mine -o out", "out/notes", Outcome::kRefused},
    {"new study out", "out", Outcome::kRefused},
    {"new study out", "out/study.toml", Outcome::kRefused},
};

/// A study of three points, which have run.
void write_study(const TemporaryFolder& folder)
{
    folder.write("mine/study.toml",
                 "[test.rings]\nplatform = \"wulfkit-ring\"\nprogram = \"ping-pong\"\n"
                 "options = { sizes = 64, repetitions = 1, series = 1 }\naxes = { hops = [1, 2] }\n"
                 "set = { \"topology.dimensions\" = \"${2*hops}\" }\n");
    folder.write("mine/published.csv", "id,quantity,unit,value,tolerance\nring.one,one hop,ns,4177,1 %\n");
    folder.write("mine/10_rings.sql",
                 "CREATE VIEW finding_one AS SELECT 'ring.one' AS id, latency_min_ns AS simulated FROM rings "
                 "WHERE hops = 1;\n");
    BOOST_TEST_REQUIRE(ringmesh::test::ringmesh(words("study run mine --store store")).status == 0);
}

/// A database of somebody else, whose program counts versions, too.
std::string write_database(const std::string& path, int version, unsigned id = 0)
{
    {
        SQLite::Database database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        database.exec("CREATE TABLE points (x, y); INSERT INTO points VALUES (1, 2)");
        database.exec("PRAGMA user_version = " + std::to_string(version));
        database.exec("PRAGMA application_id = " + std::to_string(id));
    }
    return read_file(path);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(output_paths)

BOOST_DATA_TEST_CASE(what_is_there_already_is_replaced_refused_or_kept, data::make(kPaths), row)
{
    const TemporaryFolder folder;
    if (row.arguments.find("mine") != std::string::npos || row.arguments.find("store ") != std::string::npos) {
        write_study(folder);
    }
    const bool is_overlay = row.path == "own.toml";
    const std::string content = is_overlay ? "description = \"mine\"\n[link]\nsymbol_time = \"5 ns\"\n" : kNotes;
    folder.write(row.path, content);
    const Ended ended = ringmesh::test::ringmesh(words(row.arguments));
    BOOST_TEST(ended.status == (row.outcome == Outcome::kRefused ? 2 : 0), ended.out + ended.err);
    BOOST_TEST((read_file(row.path) == content) == (row.outcome != Outcome::kReplaced), ended.err);
}

BOOST_AUTO_TEST_CASE(what_ringmesh_wrote_is_replaced_by_its_own_kind_alone)
{
    const TemporaryFolder folder;
    write_study(folder);
    const std::vector<std::string> lines{kRun + "--json 0",     kRun + "--report 1",
                                         kRun + "--vcd 2",      kRun + "--fst 3",
                                         kRun + "--timeline 4", "validate mine --store store --markdown 5"};
    for (int i = 0; i < 2; ++i) {
        for (const std::string& line : lines) {
            const Ended ended = ringmesh::test::ringmesh(words(line));
            BOOST_TEST(ended.status == 0, line << ": " << ended.err);
        }
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string other = std::to_string((i + 1) % lines.size());
        const std::string line = lines[i].substr(0, lines[i].size() - 1) + other;
        const std::string before = read_file(other);
        BOOST_TEST(ringmesh::test::ringmesh(words(line)).status == 2, line);
        BOOST_TEST((read_file(other) == before), line);
    }
    // The status is another JSON document
    BOOST_TEST(ringmesh::test::ringmesh(words(kRun + "--status status")).status == 0);
    BOOST_TEST(ringmesh::test::ringmesh(words(kRun + "--status status")).status == 0);
}

/// A document that speaks of Ringmesh, and one that is no text.
BOOST_DATA_TEST_CASE(what_looks_like_an_output_is_refused_and_stays,
                     data::make({"--json", "--status", "--csv", "--packets", "--record goal="}), option)
{
    const TemporaryFolder folder;
    const std::string name = option;
    const bool is_json = name == "--json" || name == "--status";
    const std::string content = is_json ? "{\"compared\": {\"ringmesh\": {\"version\": \"1\", \"schema\": 3}}}\n"
                                        : std::string("SQLite format 3\0 and more", 24);
    folder.write("mine", content);
    const std::string line = kRun + name + (name.ends_with('=') ? "" : " ") + "mine";
    BOOST_TEST(ringmesh::test::ringmesh(words(line)).status == 2);
    BOOST_TEST((read_file("mine") == content));
}

BOOST_DATA_TEST_CASE(a_script_is_refused_and_stays, data::make({"--csv", "--packets", "--record goal="}), option)
{
    const TemporaryFolder folder;
    const std::string content = "#!/bin/sh\nringmesh run mesh-8x8 --workload traffic\n";
    folder.write("run.sh", content);
    const std::string name = option;
    BOOST_TEST(ringmesh::test::ringmesh(words(kRun + name + (name.ends_with('=') ? "" : " ") + "run.sh")).status == 2);
    BOOST_TEST(read_file("run.sh") == content);
}

BOOST_DATA_TEST_CASE(a_database_of_somebody_else_is_refused_and_stays,
                     data::make({"store index --store store --sqlite", "study export mine --store store --sqlite"}) *
                         data::make({0, 1, 2, 3, 4, 9}) * data::make({0u, 0x12345678u}),
                     command, version, id)
{
    const TemporaryFolder folder;
    write_study(folder);
    files::create_directory("theirs");
    const std::string before = write_database("theirs/data.sqlite", version, id);
    const Ended ended = ringmesh::test::ringmesh(words(std::string(command) + " theirs/data.sqlite"));
    BOOST_TEST(ended.status == 2, ended.out + ended.err);
    BOOST_TEST(read_file("theirs/data.sqlite") == before);
    BOOST_TEST(files_in("theirs") == std::vector<std::string>{"data.sqlite"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_index_and_an_exported_study_are_replaced_by_their_own_kind_alone)
{
    const TemporaryFolder folder;
    write_study(folder);
    const std::string index = "store index --store store --sqlite ";
    const std::string exported = "study export mine --store store --sqlite ";
    for (int i = 0; i < 2; ++i) {
        for (const std::string& line : {index + "index", exported + "study"}) {
            BOOST_TEST(ringmesh::test::ringmesh(words(line)).status == 0, line);
        }
    }
    for (const std::string& line : {index + "study", exported + "index"}) {
        BOOST_TEST(ringmesh::test::ringmesh(words(line)).status == 2, line);
    }
}

BOOST_AUTO_TEST_CASE(a_folder_that_is_no_store_is_not_cleaned)
{
    const TemporaryFolder folder;
    folder.write("home/memos/0123456789abcdef0123456789abcdef", kNotes);
    folder.write("home/points/ab/abc.json", kNotes);
    ::setenv("RINGMESH_STORE", "home", 1);
    const Ended ended = ringmesh::test::ringmesh(words("store clean --failed --other-models"));
    ::unsetenv("RINGMESH_STORE");
    BOOST_TEST(ended.status == 0, ended.err);
    BOOST_TEST(read_file("home/memos/0123456789abcdef0123456789abcdef") == kNotes);
    BOOST_TEST(read_file("home/points/ab/abc.json") == kNotes);
}

BOOST_AUTO_TEST_CASE(the_table_of_the_docs_has_every_option_that_names_an_output)
{
    const std::string page = read_file(RINGMESH_SOURCE_DIR "/docs/reference/results/formats.md");
    const std::size_t begin = page.find("## Where a file is there already");
    BOOST_TEST_REQUIRE((begin != std::string::npos));
    const std::string table = page.substr(begin, page.find("\n## ", begin + 1) - begin);
    const std::set<std::string> inputs{"--overlay", "--store", "--from", "--with"};
    std::set<std::string> seen;
    const std::regex option(R"((--[a-z-]+) (?:FILE|DIR|FOLDER)\b)");
    std::vector<std::string> commands = words(
        "run validate sensitivity calibrate whatif explain saturate sweep compare report reproduce check new list");
    for (const char* action : {"run", "list", "status", "query", "export", "submit", "merge", "clean", "compare"}) {
        commands.push_back(std::string("study ") + action);
    }
    for (const char* action : {"status", "index", "clean"}) commands.push_back(std::string("store ") + action);
    for (const std::string& command : commands) {
        const std::string help = out_of(command + " --help");
        for (std::sregex_iterator found(help.begin(), help.end(), option), end; found != end; ++found) {
            const std::string name = (*found)[1];
            if (inputs.contains(name) || !seen.insert(name).second) continue;
            BOOST_TEST((table.find('`' + name) != std::string::npos || table.find(name + '`') != std::string::npos ||
                        table.find(name + ' ') != std::string::npos),
                       command << ": " << name);
        }
    }
    BOOST_TEST(seen.size() > 10u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
