// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/measurements/latency_table.h"

#include <boost/test/unit_test.hpp>

#include "tests/workloads/traffic/fake_network.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;
using test::cell;

struct TableBench {
    Simulation simulation{1};
    test::FakeNetwork machine;
    LatencyTable table;

    explicit TableBench(Show rows, unsigned columns = 4)
        : machine(simulation, columns, 1), table(rows, machine, {1, {1, 1}, 1})
    {}
    /// Of node `from`, to the neighbour and to the one behind: 1000 packets each, of which one takes ten times as long.
    void fill(unsigned from)
    {
        for (unsigned i = 0; i < 1'000; ++i) {
            table.add(from, from + 1, 1, i == 7 ? 100_ns : 10_ns);
            table.add(from, from + 2, 2, i == 7 ? 200_ns : 20_ns);
        }
    }
    Results results() const
    {
        Results results{.columns = {{"summary", ""}}, .rows = {{std::int64_t{1}}}, .notes = {"note"}, .doubt = "doubt"};
        table.put_into(results);
        return results;
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(latency_table)

BOOST_AUTO_TEST_CASE(a_row_of_each_distance_has_percentiles_and_the_latency_without_load)
{
    TableBench bench(Show::kDistances);
    bench.fill(0);
    bench.fill(1);
    const Results results = bench.results();
    BOOST_TEST_REQUIRE(results.rows.size() == 2u);
    for (std::size_t row = 0; row < 2; ++row) {
        const double each = 10.0 * static_cast<double>(row + 1);
        BOOST_TEST(cell<std::int64_t>(results, row, "hops") == static_cast<std::int64_t>(row + 1));
        BOOST_TEST(cell<std::int64_t>(results, row, "packets") == 2'000);
        BOOST_TEST(cell<double>(results, row, "zero_load_ns") == each + 1);
        BOOST_TEST(cell<double>(results, row, "latency_p50_ns") == each);
        BOOST_TEST(cell<double>(results, row, "latency_p99_ns") == each);
        BOOST_TEST(cell<double>(results, row, "latency_p999_ns") == each);
        BOOST_TEST(cell<double>(results, row, "latency_max_ns") == 10 * each);
    }
    BOOST_TEST(results.doubt == "doubt");
    BOOST_TEST(results.notes.front() == "note");
}

BOOST_AUTO_TEST_CASE(a_row_of_each_pair_has_percentiles)
{
    TableBench bench(Show::kPairs);
    bench.fill(1);
    bench.fill(0);
    const Results results = bench.results();
    BOOST_TEST_REQUIRE(results.rows.size() == 4u);
    BOOST_TEST(cell<std::int64_t>(results, 1, "from") == 0);
    BOOST_TEST(cell<std::int64_t>(results, 1, "to") == 2);
    BOOST_TEST(cell<std::int64_t>(results, 1, "packets") == 1'000);
    BOOST_TEST(cell<double>(results, 1, "latency_p999_ns") == 20.0, boost::test_tools::tolerance(0.01));
    BOOST_TEST(cell<double>(results, 1, "latency_max_ns") == 200.0);
}

BOOST_AUTO_TEST_CASE(pairs_beyond_the_bound_have_one_row_together)
{
    constexpr unsigned kNodes = 80;
    TableBench bench(Show::kPairs, kNodes);
    for (unsigned from = 0; from < kNodes; ++from) {
        for (unsigned to = 0; to < kNodes; ++to) bench.table.add(from, to, 1, 10_ns);
    }
    const Results results = bench.results();
    BOOST_TEST_REQUIRE(results.rows.size() == LatencyTable::kMostPairs + 1);
    BOOST_TEST(cell<std::int64_t>(results, LatencyTable::kMostPairs, "packets") ==
               std::int64_t{kNodes * kNodes - LatencyTable::kMostPairs});
    BOOST_TEST(std::holds_alternative<std::monostate>(results.rows.back().front()));
}

BOOST_AUTO_TEST_CASE(a_histogram_counts_each_packet_once)
{
    TableBench bench(Show::kHistogram);
    for (int i = 1; i <= 1'000; ++i) bench.table.add(0, 1, 1, 1_ns * i);
    const Results results = bench.results();
    BOOST_TEST(results.rows.size() > 15u);
    BOOST_TEST(results.rows.size() < 70u);
    std::int64_t sum = 0;
    for (std::size_t row = 0; row < results.rows.size(); ++row) {
        const auto packets = cell<std::int64_t>(results, row, "packets");
        sum += packets;
        BOOST_TEST(cell<double>(results, row, "part_up_to") == static_cast<double>(sum) / 1'000);
        if (row + 1 < results.rows.size()) {
            BOOST_TEST(static_cast<double>(packets) ==
                       cell<double>(results, row, "to_ns") - cell<double>(results, row, "from_ns"));
            BOOST_TEST(cell<double>(results, row, "to_ns") == cell<double>(results, row + 1, "from_ns"));
        }
    }
    BOOST_TEST(sum == 1'000);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
