// SPDX-License-Identifier: Apache-2.0
#include "lab/table/answer.h"

#include <cstdint>
#include <string>

#include "tests/support/cases.h"
#include "tests/support/program.h"

namespace {

using namespace ringmesh::lab;
using ringmesh::test::contains;
using ringmesh::workloads::Cell;
using ringmesh::workloads::Results;

Cell whole(std::int64_t number) { return number; }

Results ping_pong()
{
    return {.columns = {{"size_bytes", "bytes"},
                        {"from", ""},
                        {"latency_min_ns", "ns"},
                        {"latency_avg_ns", "ns"},
                        {"throughput_mb_per_s", "MB/s"}},
            .rows = {{whole(64), whole(0), 90.0, 100.0, 640.0}, {whole(128), whole(0), 140.0, 150.0, 853.0}},
            .notes = {}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(answer)

BOOST_AUTO_TEST_CASE(of_several_rows_the_ends_of_the_first_mean_and_rate_are_said_with_their_places)
{
    const Answer answer = answer_of(ping_pong());
    BOOST_TEST_REQUIRE(answer.sentences.size() == 2u);
    BOOST_TEST(answer.sentences[0] == "Latency avg: 100 ns (size 64 bytes) to 150 ns (size 128 bytes).");
    BOOST_TEST(contains(answer.sentences[1], "853 MB/s (size 128 bytes)"));
}

BOOST_AUTO_TEST_CASE(what_was_offered_is_no_result_and_a_missing_one_is_none)
{
    Results results{.columns = {{"offered_mb_per_s", "MB/s"}, {"accepted_load", ""}, {"latency_ns", "ns"}},
                    .rows = {{10.0, 0.5, std::monostate()}},
                    .notes = {}};
    const Answer answer = answer_of(results);
    BOOST_TEST_REQUIRE(answer.sentences.size() == 1u);
    BOOST_TEST(contains(answer.sentences[0], "Accepted load: 0.5"));
    BOOST_TEST(answer_of(Results{}).empty());
}

BOOST_AUTO_TEST_CASE(axes_name_the_rows_whatever_they_are_called)
{
    const Results results{.columns = {{"options_load", ""},
                                      {"doubt", ""},
                                      {"offered_load", ""},
                                      {"zero_load_mean_ns", "ns"},
                                      {"latency_min_ns", "ns"},
                                      {"latency_mean_ns", "ns"}},
                          .rows = {{0.1, std::monostate(), 0.1, 20.0, 12.0, 34.0},
                                   {0.9, std::string("saturated"), 0.9, 20.0, 12.0, 900.0}},
                          .notes = {}};
    const Answer answer = answer_of(results, {}, 1);
    BOOST_TEST_REQUIRE(answer.sentences.size() == 1u);
    BOOST_TEST(answer.sentences[0] ==
               "Latency mean: 34 ns (options load 0.100) to 900 ns (options load 0.900, doubt saturated).");
}

BOOST_AUTO_TEST_CASE(a_result_that_is_the_same_in_all_rows_has_no_place)
{
    Results results = ping_pong();
    for (auto& row : results.rows) row[3] = 100.0;
    BOOST_TEST(answer_of(results).sentences.front() == "Latency avg: 100 ns throughout.");
}

BOOST_AUTO_TEST_CASE(traffic_says_what_is_accepted_of_what_is_offered_and_what_is_used_most)
{
    const Results results{
        .columns = {{"senders", ""},
                    {"offered_mb_per_s", "MB/s"},
                    {"accepted_mb_per_s", "MB/s"},
                    {"accepted_part", ""},
                    {"latency_mean_ns", "ns"},
                    {"link_use_highest", ""},
                    {"busiest_link", ""},
                    {"blink_use_highest", ""},
                    {"busiest_blink", ""}},
        .rows = {{whole(16), 40.0, 30.0, 0.75, 900.0, 0.25, std::string("node1.lc2"), 0.5, std::string("node2.blink")}},
        .notes = {}};
    Answer answer = answer_of(results);
    BOOST_TEST_REQUIRE(answer.sentences.size() == 2u);
    for (const char* part : {"16 senders", "30 MB/s", "40 MB/s", "75 %", "900 ns"}) {
        BOOST_TEST(contains(answer.sentences[0], part), part);
    }
    BOOST_TEST(contains(answer.sentences[1], "node2.blink: 50 %"));
    answer = answer_of(results, "The bottleneck is x.");
    BOOST_TEST_REQUIRE(answer.sentences.size() == 2u);
    BOOST_TEST(answer.sentences[1] == "The bottleneck is x.");
}

BOOST_AUTO_TEST_CASE(text_and_json_have_the_same_sentences_first)
{
    const Answer answer{{"One.", "Two."}, {"Published numbers: none."}};
    BOOST_TEST(answer_lines(answer, Room(80)) == "One. Two.\nPublished numbers: none.\n\n");
    BOOST_TEST(answer_lines({}, Room(80)).empty());
    const Json json = with_answer({{"ringmesh", 1}, {"rows", 2}}, answer);
    BOOST_TEST_REQUIRE(json.members().size() == 4u);
    BOOST_TEST(json.members()[1].first == "answer");
    BOOST_TEST((json.members()[1].second.as_texts() == answer.sentences));
    BOOST_TEST((json.at("evidence").as_texts() == answer.evidence));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
