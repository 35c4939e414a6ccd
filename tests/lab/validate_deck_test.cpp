// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>

#include "lab/validation/deck_parts.h"
#include "lab/validation/validation.h"
#include "tests/lab/program.h"
#include "tests/platforms/temporary_folder.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::lab;
using namespace ringmesh::test;
using nlohmann::ordered_json;

/// The rows' ids; each row that is judged has passed.
std::set<std::string> ids_of(const std::string& text)
{
    std::set<std::string> ids;
    const auto json = ordered_json::parse(text);
    BOOST_TEST(!json["rows"].empty());
    for (const auto& row : json["rows"]) {
        const std::string id = row["id"];
        BOOST_TEST(ids.insert(id).second, "two rows have this id: " << id);
        BOOST_TEST(row["machine"] == "deck");
        BOOST_TEST((row["role"] == "information") == row["pass"].is_null(), id);
        BOOST_TEST((row["pass"].is_null() || row["pass"] == true), id << " is out of its tolerance");
    }
    return ids;
}

using Name = std::pair<std::string, std::string>;  // figure and curve

/// The figures of [002] and the sizes on their axes.
std::map<Name, std::vector<std::int64_t>> expected_sizes()
{
    const auto steps = [](std::int64_t from, std::int64_t to, std::int64_t step) {
        std::vector<std::int64_t> sizes;
        for (std::int64_t size = from; size <= to; size += step) sizes.push_back(size);
        return sizes;
    };
    const auto doubled = [](std::int64_t from, std::int64_t to) {
        std::vector<std::int64_t> sizes;
        for (std::int64_t size = from; size <= to; size *= 2) sizes.push_back(size);
        return sizes;
    };
    const auto both = [](std::vector<std::int64_t> sizes, const std::vector<std::int64_t>& more) {
        sizes.insert(sizes.end(), more.begin(), more.end());
        return sizes;
    };
    const auto blocks = both(steps(64, 1024, 64), doubled(2048, 64 << 10));
    const auto short_messages = steps(64, 2048, 64);
    const auto mpi = both(steps(0, 64, 4), steps(128, 2048, 64));
    const auto long_messages = doubled(1024, 1 << 20);
    return {{{"1", "remote write"}, steps(1, 256, 1)},
            {{"1", "remote read"}, steps(8, 256, 8)},
            {{"1", "remote read, prefetch"}, steps(8, 256, 8)},
            {{"2", "MMX stores"}, blocks},
            {{"2", "memcpy"}, blocks},
            {{"4, 6, 7", "protocol 1"}, steps(0, 62, 1)},
            {{"4, 7", "protocol 2"}, short_messages},
            {{"4, 7", "protocol 3"}, short_messages},
            {{"6, 7", "ScaMPI"}, mpi},
            {{"6, 7", "SCI-MPICH"}, mpi},
            {{"5, 8", "protocol 2"}, long_messages},
            {{"5, 8", "protocol 3"}, long_messages},
            {{"8", "ScaMPI"}, long_messages},
            {{"8", "SCI-MPICH"}, long_messages}};
}

/// What stands between quotes or commas in `line`, from `place` on.
std::string field(const std::string& line, std::size_t& place)
{
    const bool quoted = line.at(place) == '"';
    const std::size_t begin = place + (quoted ? 1 : 0);
    const std::size_t end = std::min(line.find(quoted ? '"' : ',', begin), line.size());
    place = std::min(end + (quoted ? 2 : 1), line.size());
    return line.substr(begin, end - begin);
}

Outcome latencies(const std::vector<std::pair<std::int64_t, double>>& points)
{
    Outcome outcome;
    outcome.results.columns = {{"size_bytes", "bytes"}, {"latency_avg_ns", "ns"}};
    for (const auto& [size, latency] : points) outcome.results.rows.push_back({size, latency});
    return outcome;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(validation_deck_crossover)

const Outcome kProtocol2 = latencies({{64, 10.0}, {128, 12.0}, {192, 14.0}});

BOOST_AUTO_TEST_CASE(it_is_0_if_protocol_3_is_faster_from_the_first_size)
{
    for (const double first : {9.0, 10.0}) {
        const auto found = deck::crossover(kProtocol2, latencies({{64, first}, {128, 11.0}, {192, 12.0}}));
        BOOST_TEST_REQUIRE(found.has_value());
        BOOST_TEST(*found == 0.0);
    }
}

BOOST_AUTO_TEST_CASE(it_is_where_straight_lines_between_two_sizes_meet)
{
    // Slower by 2 at 64 bytes, faster by 1 at 128: two thirds of the way; later sizes do not matter
    const auto between = deck::crossover(kProtocol2, latencies({{64, 12.0}, {128, 11.0}, {192, 20.0}}));
    BOOST_TEST_REQUIRE(between.has_value());
    BOOST_TEST(*between == 64 + 64 * 2.0 / 3, boost::test_tools::tolerance(1e-12));
    const auto at_a_size = deck::crossover(kProtocol2, latencies({{64, 12.0}, {128, 12.5}, {192, 14.0}}));
    BOOST_TEST_REQUIRE(at_a_size.has_value());
    BOOST_TEST(*at_a_size == 192.0, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(there_is_none_if_protocol_3_is_slower_up_to_the_last_size)
{
    BOOST_TEST(!deck::crossover(kProtocol2, latencies({{64, 12.0}, {128, 13.0}, {192, 14.1}})).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(validate_deck)

BOOST_AUTO_TEST_CASE(a_table_of_curves_has_a_line_for_each_point_with_its_name_in_quotes)
{
    BOOST_TEST(curves_csv({}) == "figure,curve,size_bytes,latency_us,mb_per_s\n");
    BOOST_TEST(curves_csv({{"4, 7", "protocol 2", 64, 8.56, 7.4766}, {"5", "x", 1048576, 12500.0, 83.886}}) ==
               "figure,curve,size_bytes,latency_us,mb_per_s\n"
               "\"4, 7\",\"protocol 2\",64,8.5600,7.477\n"
               "\"5\",\"x\",1048576,12500.0000,83.886\n");
}

BOOST_AUTO_TEST_CASE(raw_accesses_have_the_documented_rows_and_every_curve_all_of_its_sizes)
{
    const TemporaryFolder folder;
    const Ended ended =
        ringmesh::test::ringmesh({"validate", "deck", "--part", "raw", "--json", "-", "--csv", "curves.csv"});
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    const auto ids = ids_of(ended.out);
    for (const char* id :
         {"deck.raw_write_bandwidth_mmx", "deck.raw_write_bandwidth_mmx_MiB", "deck.raw_write_bandwidth_memcpy",
          "deck.raw_write_bandwidth_memcpy_MiB", "deck.raw_write.from_512B", "deck.raw_write.drops",
          "deck.transactions_60B", "deck.remote_read_over_write"}) {
        BOOST_TEST(ids.contains(id), id);
    }

    std::istringstream table(read_file("curves.csv"));
    std::string line;
    std::getline(table, line);
    BOOST_TEST(line == "figure,curve,size_bytes,latency_us,mb_per_s");
    std::map<Name, std::vector<std::int64_t>> sizes;
    while (std::getline(table, line)) {
        std::size_t place = 0;
        const std::string figure = field(line, place);
        const std::string curve = field(line, place);
        const std::int64_t size = std::stoll(field(line, place));
        sizes[{figure, curve}].push_back(size);
        BOOST_TEST(std::stod(field(line, place)) > 0, line);
        BOOST_TEST((std::stod(field(line, place)) > 0) == (size > 0), line);
    }
    BOOST_TEST((sizes == expected_sizes()));
    for (const auto& [name, of_this] : expected_sizes()) {
        BOOST_TEST(sizes[name] == of_this, "figure " << name.first << ", " << name.second);
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(published)
BOOST_AUTO_TEST_SUITE(deck_mpi)

BOOST_AUTO_TEST_CASE(every_row_about_the_mpis_is_within_its_tolerance)
{
    const Ended ended = ringmesh::test::ringmesh({"validate", "deck", "--part", "mpi", "--json", "-"});
    BOOST_TEST(ended.status == 0, ended.out + ended.err);
    const auto ids = ids_of(ended.out);
    for (const char* id : {"deck.scampi_min_latency", "deck.scampi_peak_bandwidth", "deck.scimpich_min_latency",
                           "deck.scimpich_peak_bandwidth"}) {
        BOOST_TEST(ids.contains(id), id);
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
