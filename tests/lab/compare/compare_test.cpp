// SPDX-License-Identifier: Apache-2.0
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "lab/compare/comparison.h"
#include "lab/table/welch.h"
#include "lab/table/writers/text_table.h"
#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/program.h"
#include "tlm/statistics/student_t.h"

namespace {

namespace data = boost::unit_test::data;
using namespace ringmesh::lab;
using ringmesh::test::contains;
using ringmesh::test::Ended;
using ringmesh::test::TemporaryFolder;
using ringmesh::test::words;
using ringmesh::workloads::Cell;

Ended start(const ringmesh::test::Program::Arguments& arguments) { return ::ringmesh::test::ringmesh(arguments); }

/// A run that gave a row for each of the numbers.
Point point(const std::vector<double>& latencies, const std::string& symbol_time = "5 ns", std::uint64_t seed = 1)
{
    Point made;
    made.header.model = "m1";
    made.record.workload = "ping-pong";
    made.record.request.seed = seed;
    made.record.parameters = {{.key = "link.symbol_time", .value = symbol_time}};
    auto& results = made.record.outcome.results;
    results.columns = {{"size_bytes", ""}, {"latency_ns", "ns"}};
    for (const double latency : latencies) results.rows.push_back({std::int64_t{1} << results.rows.size(), latency});
    return made;
}

ComparedPlace repeated(const std::vector<double>& a, const std::vector<double>& b)
{
    ComparedPlace place;
    for (const double value : a) place.a.push_back(point({value}));
    for (const double value : b) place.b.push_back(point({value}));
    return place;
}

Noise verdict_of(const ComparedPlace& place) { return compare("a", "b", {{place}}).results.at(0).difference.noise; }

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(comparison)

BOOST_AUTO_TEST_CASE(the_interval_of_two_means_is_welchs)
{
    const auto interval =
        welch_interval(sample_of(std::vector<double>{1, 2, 3}), sample_of(std::vector<double>{4, 6, 8, 10}));
    BOOST_TEST_REQUIRE(interval.has_value());
    // variances 1 and 20/3: s.e. sqrt(1/3 + 5/3) = 1.41421, 4.0755 degrees of freedom
    BOOST_TEST(*interval == ringmesh::student_975(4.0 / (1.0 / 18 + 25.0 / 27)) * 1.4142135623730951,
               boost::test_tools::tolerance(1e-9));
    BOOST_TEST(!welch_interval(sample_of(std::vector<double>{1}), sample_of(std::vector<double>{4, 6})).has_value());
}

BOOST_AUTO_TEST_CASE(what_two_runs_owe_to_their_seed_cancels)
{
    const std::vector<double> a{10, 30, 20, 40};
    const std::vector<double> b{11, 32, 21, 42};  // 1, 2, 1, 2 more
    const MeanDifference paired = mean_difference(a, b, Pairing::kBySeed);
    BOOST_TEST(*paired.interval == ringmesh::student_975(3) * std::sqrt(1.0 / 3 / 4),
               boost::test_tools::tolerance(1e-9));
    BOOST_TEST((paired.noise == Noise::kBeyond));
    BOOST_TEST((mean_difference(a, b).noise == Noise::kWithin));
    // A run is missing: nothing to pair
    const std::vector<double> fewer{11, 32, 21};
    BOOST_TEST(*mean_difference(a, fewer, Pairing::kBySeed).interval == *mean_difference(a, fewer).interval);
}

BOOST_AUTO_TEST_CASE(a_difference_is_beyond_noise_when_it_exceeds_the_interval)
{
    BOOST_TEST((verdict_of(repeated({10, 11, 12}, {20, 21, 22})) == Noise::kBeyond));
    BOOST_TEST((verdict_of(repeated({10, 20, 30}, {11, 21, 33})) == Noise::kWithin));
    BOOST_TEST((verdict_of(repeated({10}, {11})) == Noise::kUnknown));
    BOOST_TEST((verdict_of(repeated({10}, {10})) == Noise::kEqual));
    BOOST_TEST((verdict_of(repeated({0.1, 0.1, 0.1}, {0.1, 0.1})) == Noise::kEqual));
    BOOST_TEST((verdict_of(repeated({10, 10}, {11, 11})) == Noise::kBeyond));  // no noise at all
}

BOOST_AUTO_TEST_CASE(means_differences_and_what_differs_in_configuration_are_told)
{
    const ComparedPlace place{.title = "here", .a = {point({10, 20})}, .b = {point({10, 15}, "4 ns", 2)}};
    const Comparison comparison = compare("one", "two", {{place}});
    BOOST_TEST_REQUIRE(comparison.configuration.size() == 2u);
    BOOST_TEST(comparison.configuration[0].name == "link.symbol_time");
    BOOST_TEST(comparison.configuration[0].values[1] == "4 ns");
    BOOST_TEST(comparison.configuration[1].name == "seed");
    BOOST_TEST_REQUIRE(comparison.results.size() == 2u);
    BOOST_TEST((comparison.results[0].difference.noise == Noise::kEqual));
    BOOST_TEST(comparison.results[1].row == "size_bytes=2");
    BOOST_TEST(*comparison.results[1].difference.percent == -25.0);
    BOOST_TEST(comparison_csv(comparison).find("result,here,size_bytes=2,latency_ns,ns,20,15,-25,,unknown\n") !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_one_side_alone_has_is_listed_by_name_and_not_compared)
{
    Point other = point({10});
    other.record.parameters = {{.key = "mesh.clock", .value = "1 GHz"}};
    other.record.outcome.results.columns[1].name = "rate_mb_per_s";
    const Comparison found = compare("a", "b", {{{.title = {}, .a = {point({12})}, .b = {other}}}});
    BOOST_TEST(found.configuration.empty());
    BOOST_TEST(found.results.empty());
    BOOST_TEST((found.only_a == std::vector<std::string>{"link.symbol_time", "latency_ns"}));
    BOOST_TEST((found.only_b == std::vector<std::string>{"mesh.clock"}));
    const std::string text = comparison_text(found, Room(80));
    BOOST_TEST(contains(text, "only a has 2: link.symbol_time, latency_ns\n"));
}

BOOST_AUTO_TEST_CASE(the_answer_says_what_b_has_and_which_result_differs_most)
{
    const Comparison found =
        compare("a", "b", {{{.title = {}, .a = {point({10, 20})}, .b = {point({10, 30}, "4 ns")}}}});
    const auto sentences = answer_of(found).sentences;
    BOOST_TEST_REQUIRE(sentences.size() == 2u);
    BOOST_TEST(contains(sentences[0], "link.symbol_time 4 ns in place of 5 ns"));
    BOOST_TEST(contains(sentences[1], "2 results that both have, 1 are equal; latency_ns (size_bytes=2)"));
    BOOST_TEST(contains(sentences[1], "+50 %"));
}

BOOST_AUTO_TEST_CASE(rows_of_tables_of_other_lengths_are_matched_by_what_they_begin_with)
{
    const ComparedPlace place{.title = "here", .a = {point({10, 20, 30})}, .b = {point({11, 22})}};
    const Comparison comparison = compare("one", "two", {{place}});
    BOOST_TEST(comparison.results.size() == 2u);
    BOOST_TEST(comparison.notes.size() == 1u);  // size_bytes=4
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(comparisons)

namespace {

void run_study(const TemporaryFolder& folder)
{
    folder.write("study/study.toml",
                 "platform = \"mesh-8x8\"\n[test.load]\nprogram = \"traffic\"\nrepeat = 3\n"
                 "options = { duration = \"2 us\", load = 0.3 }\n"
                 "[test.load.variants]\nbase = {}\nslow = { set = { \"mesh.pipeline\" = \"8 cycles\" } }\n");
}

}  // namespace

BOOST_AUTO_TEST_CASE(variants_stores_and_points_are_compared)
{
    const TemporaryFolder folder;
    run_study(folder);
    const Ended run = start(words("study run study --store store"));
    BOOST_TEST_REQUIRE(run.status == 0, run.err);
    const Ended variants = start(words("study compare study base slow --store store"));
    BOOST_TEST(variants.status == 0, variants.err);
    BOOST_TEST(contains(variants.out, "mesh.pipeline"));
    BOOST_TEST(variants.out.find("Configuration") < variants.out.find("Results"));
    BOOST_TEST(contains(variants.out, "latency_mean_ns"));
    BOOST_TEST(contains(variants.out, "differ beyond noise"));
    start(words("study merge study --from store --store copy"));
    const Ended stores = start(words("compare store copy"));
    BOOST_TEST(contains(stores.out, "nothing differs"));
    BOOST_TEST(!contains(stores.out, "beyond"));
    BOOST_TEST(contains(start(words("study compare study --with copy --store store")).out, "nothing differs"));
    BOOST_TEST(start(words("study compare study --with copy --with store --store store")).status == 2);
    const std::string keys = start(words("study list study --store store --csv -")).out;
    const std::string a = keys.substr(keys.find('\n') + 1, 32);
    const std::string b = keys.substr(keys.rfind('\n', keys.size() - 2) + 1, 32);
    const Ended points = start({"compare", a.substr(0, 10), b, "--store", "store"});
    BOOST_TEST(points.status == 0, points.err);
    BOOST_TEST(contains(points.out, "Noise is unknown"));
    for (const std::string& text : {points.out.substr(points.out.find("\n\n"))})
        BOOST_TEST(widest_line(text) <= kTextWidth);
}

BOOST_AUTO_TEST_CASE(points_of_another_model_version_are_found)
{
    const TemporaryFolder folder;
    run_study(folder);
    start(words("study run study --store store"));
    // The same points as another program would have left them
    for (const std::string& part : ringmesh::test::files_in("store/points")) {
        for (const std::string& name : ringmesh::test::files_in("store/points/" + part)) {
            std::string text = ringmesh::test::read_file("store/points/" + part + "/" + name);
            const std::string key = name.substr(0, 32);
            const std::string other = "0000" + key.substr(4);
            text.replace(text.find(key), 32, other);
            const std::size_t model = text.find("\"model\":\"") + 9;
            text.replace(model, text.find('"', model) - model, "feed");
            folder.write("store/points/00/" + other + ".json", text);
        }
    }
    const Ended ended = start(words("study compare study --model fee --store store"));
    BOOST_TEST(ended.status == 0, ended.err);
    BOOST_TEST(contains(ended.out, "feed"));
    BOOST_TEST(contains(ended.out, " equal\n"));
    BOOST_TEST(contains(start(words("study compare study --model beef --store store")).err, "feed"));
}

BOOST_DATA_TEST_CASE(
    mistakes_are_told,
    data::make({"compare", "compare aa", "compare aa bb --store store", "compare study study --store store",
                "study compare study --store store", "study compare study base --store store",
                "study compare study base fats --store store", "study compare study base slow --store store",
                "study compare study base slow --with store --store store",
                "study compare study --with nowhere --store store"}),
    arguments)
{
    const TemporaryFolder folder;
    run_study(folder);
    const Ended ended = start(words(std::string(arguments)));
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(ended.err.starts_with("ringmesh: "));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
