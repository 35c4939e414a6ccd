// SPDX-License-Identifier: Apache-2.0
#include "lab/explain/critical_path.h"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <deque>

#include "lab/explain/folding.h"
#include "tests/hw/printing.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::lab;
using Lines = std::vector<std::string>;

/// Stages in nanoseconds.
class Journal {
public:
    Journal& add(std::string where, std::string_view what, std::uint64_t packet, std::int64_t from, std::int64_t to,
                 Leg leg = Leg::kRequest)
    {
        return add(std::move(where), {what, packet, leg, StageKind::kWork, from * 1_ns, to * 1_ns});
    }
    Journal& add(std::string where, const Stage& stage)
    {
        stages_.push_back({names_.emplace_back(std::move(where)), stage});
        return *this;
    }
    std::vector<PathPart> path(const Programs& programs = {}) const
    {
        return critical_path(stages_, stages_.size() - 1, 0_ns, programs);
    }

private:
    std::deque<std::string> names_;
    std::vector<RecordedStage> stages_;
};

std::string line(const PathPart& part)
{
    return fmt::format("{} {} {}-{}", part.where, part.what, part.from.ns(), part.to.ns());
}
Lines lines(const std::vector<PathPart>& path)
{
    Lines all;
    for (const PathPart& part : path) all.push_back(line(part));
    return all;
}
Lines lines(const std::vector<FoldedPart>& path)
{
    Lines all;
    for (const FoldedPart& part : path) {
        all.push_back(fmt::format("{} {} {}-{} ({}+{})", part.where, part.what, part.from.ns(), part.to.ns(),
                                  part.working.ns(), part.waiting.ns()));
    }
    return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(critical_path_)

BOOST_AUTO_TEST_CASE(stages_that_touch_are_the_path)
{
    const auto path =
        Journal().add("cpu", "library", 0, 0, 5).add("cpu", "store", 1, 5, 10).add("bus", "write", 1, 10, 30).path();
    const Lines expected{"cpu library 0-5", "cpu store 5-10", "bus write 10-30"};
    BOOST_TEST(lines(path) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(time_between_stages_is_a_waiting_of_the_block_that_begins_next)
{
    const auto path = Journal().add("a", "one", 1, 3, 10).add("b", "two", 1, 14, 20).path();
    const Lines expected{"a waits 0-3", "a one 3-10", "b waits 10-14", "b two 14-20"};
    BOOST_TEST(lines(path) == expected, boost::test_tools::per_element());
    BOOST_TEST(path[0].waiting);
    BOOST_TEST(!path[1].waiting);
    BOOST_TEST(path[2].waiting);
}

BOOST_AUTO_TEST_CASE(of_several_stages_before_the_one_that_ended_last_counts)
{
    const auto path = Journal().add("a", "early", 1, 0, 8).add("b", "late", 1, 0, 9).add("c", "end", 1, 10, 12).path();
    const Lines expected{"b late 0-9", "c waits 9-10", "c end 10-12"};
    BOOST_TEST(lines(path) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(other_packets_and_responses_are_not_on_the_path)
{
    const auto path = Journal()
                          .add("a", "mine", 1, 0, 5)
                          .add("a", "other", 2, 0, 10)
                          .add("a", "answer", 1, 0, 10, Leg::kResponse)
                          .add("b", "end", 1, 10, 12)
                          .path();
    const Lines expected{"a mine 0-5", "b waits 5-10", "b end 10-12"};
    BOOST_TEST(lines(path) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_stage_that_was_reported_later_is_no_predecessor)
{
    const auto path = Journal()
                          .add("a", "first", 1, 0, 5)
                          .add("b", "end", 1, 5, 9)
                          .add("c", "empty", 1, 9, 9)
                          .add("d", "last", 1, 9, 12)
                          .path();
    const Lines expected{"a first 0-5", "b end 5-9", "d last 9-12"};
    BOOST_TEST(lines(path) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_program_that_has_the_message_follows_from_the_packet_at_its_own_block)
{
    const auto path = Journal()
                          .add("a.cpu", "library", 0, 0, 4)
                          .add("a.cpu", "store", 4, 4, 5)
                          .add("b.bridge", "write", 4, 5, 9)
                          .add("c.bridge", "write", 3, 5, 10)
                          .add("b.cpu", "poll miss", 4, 9, 10)
                          .add("b.cpu", "library", 0, 10, 12)
                          .path({"a.cpu", "b.cpu"});
    const Lines expected{"a.cpu library 0-4", "a.cpu store 4-5", "b.bridge write 5-9", "b.cpu poll miss 9-10",
                         "b.cpu library 10-12"};
    BOOST_TEST(lines(path) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(parts_always_fill_the_time_from_begin_to_end)
{
    // Every stage waits a different time, and each fourth begins before the one it follows has ended
    Journal journal;
    std::int64_t time = 0;
    for (int i = 0; i < 100; ++i) {
        const std::int64_t from = i % 4 == 3 ? time - 2 : time + i % 3;
        journal.add("block" + std::to_string(i % 7), "work", i < 50 ? 0 : 1, std::max<std::int64_t>(from, 0),
                    time + 10);
        time += 10;
    }
    const auto path = journal.path();
    BOOST_TEST(path.front().from == 0_ns);
    BOOST_TEST(path.back().to == 1000_ns);
    for (std::size_t i = 1; i < path.size(); ++i) BOOST_TEST(path[i].from == path[i - 1].to);
}

BOOST_AUTO_TEST_CASE(a_stage_that_ends_before_it_begins_is_a_model_error)
{
    BOOST_CHECK_THROW(Journal().add("a", "wrong", 1, 5, 4).path(), ModelError);
}

BOOST_AUTO_TEST_CASE(a_response_follows_from_its_request)
{
    const auto path = Journal()
                          .add("core", "load", 1, 0, 2)
                          .add("memory", "read", 1, 2, 5)
                          .add("core", "load", 1, 5, 6, Leg::kResponse)
                          .path();
    const Lines expected{"core load 0-2", "memory read 2-5", "core load 5-6"};
    BOOST_TEST(lines(path) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_stage_follows_also_from_the_packet_that_it_names)
{
    const auto path = Journal()
                          .add("cpu", "store", 1, 0, 2)
                          .add("pci", "write", 1, 2, 8)
                          .add("cpu", {.what = "store", .transaction = 2, .from = 8_ns, .to = 9_ns, .other = 1})
                          .path({"cpu"});
    const Lines expected{"cpu store 0-2", "pci write 2-8", "cpu store 8-9"};
    BOOST_TEST(lines(path) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_program_works_when_it_has_come_there_and_the_packet_too)
{
    const auto path_of = [](std::int64_t arrival, const Programs& programs) {
        return lines(Journal()
                         .add("cpu", "call", 0, 0, 6)
                         .add("channel", "data", 1, 0, arrival)
                         .add("cpu", "copy", 1, 8, 9)
                         .path(programs));
    };
    const Lines by_packet{"channel data 0-7", "cpu waits 7-8", "cpu copy 8-9"};
    const Lines by_program{"cpu call 0-6", "cpu waits 6-8", "cpu copy 8-9"};
    const Lines by_early_packet{"channel data 0-5", "cpu waits 5-8", "cpu copy 8-9"};
    BOOST_TEST(path_of(7, {"cpu"}) == by_packet, boost::test_tools::per_element());
    BOOST_TEST(path_of(5, {"cpu"}) == by_program, boost::test_tools::per_element());
    BOOST_TEST(path_of(5, {}) == by_early_packet, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_block_that_knows_says_for_what_and_for_whom_a_packet_waits)
{
    const auto path = Journal()
                          .add("a", "one", 1, 0, 4)
                          .add("b", {.what = "output taken",
                                     .transaction = 1,
                                     .kind = StageKind::kWaiting,
                                     .from = 4_ns,
                                     .to = 7_ns,
                                     .other = 12})
                          .add("b", "two", 1, 7, 9)
                          .path();
    const Lines expected{"a one 0-4", "b output taken 4-7", "b two 7-9"};
    BOOST_TEST(lines(path) == expected, boost::test_tools::per_element());
    BOOST_TEST(path[1].waiting);
    BOOST_TEST(path[1].behind == 12u);
    BOOST_TEST(path[0].behind == 0u);
}

BOOST_AUTO_TEST_CASE(reported_waiting_counts_from_the_end_of_the_work_before_it)
{
    const Stage wait{.what = "behind others", .transaction = 1, .kind = StageKind::kWaiting, .from = 3_ns, .to = 9_ns};
    const auto path = Journal()
                          .add("cpu", "store", 1, 0, 3)
                          .add("bus", "write", 1, 3, 7)
                          .add("bridge", wait)
                          .add("bus", "write", 1, 9, 12)
                          .path();
    const Lines expected{"cpu store 0-3", "bus write 3-7", "bridge behind others 7-9", "bus write 9-12"};
    BOOST_TEST(lines(path) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_repeated_becomes_one_row_with_its_waiting)
{
    const auto path = Journal()
                          .add("n.cpu", "store", 1, 0, 1)
                          .add("n.pci", "write", 1, 1, 3)
                          .add("n.pci", "write", 1, 6, 8)
                          .add("n.pci", "write", 1, 8, 10)
                          .add("n.psb", "work", 1, 11, 12)
                          .path();
    const std::vector<Step> steps{{.number = 1, .group = "o", .parts = path}};
    const Lines expected{"n.cpu store 0-1 (1+0)", "n.pci 3 x write 1-10 (6+3)", "n.psb waits 10-11 (0+1)",
                         "n.psb work 11-12 (1+0)"};
    BOOST_TEST(lines(fold(steps)) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_sequence_that_is_repeated_becomes_a_row_for_each_part)
{
    std::vector<PathPart> all;
    const auto part = [&all](std::string where, std::string what, std::int64_t from, std::int64_t to, bool waits) {
        all.push_back({.where = std::move(where),
                       .what = std::move(what),
                       .waiting = waits,
                       .from = from * 1_ns,
                       .to = to * 1_ns});
    };
    part("n.cpu", "library", 0, 5, false);
    part("n.cpu", "store", 5, 6, false);
    part("n.pci", "write", 6, 8, false);
    part("n.cpu", "store", 8, 9, false);
    part("n.pci", std::string(kWaits), 9, 10, true);
    part("n.pci", "write", 10, 12, false);
    part("n.cpu", "end", 12, 13, false);
    const std::vector<Step> steps{{.number = 1, .group = "o", .parts = all}};
    const Lines expected{"n.cpu library 0-5 (5+0)", "n.cpu 2 x store 5-9 (2+0)", "n.pci 2 x write 6-12 (4+1)",
                         "n.cpu end 12-13 (1+0)"};
    BOOST_TEST(lines(fold(steps)) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(rows_sum_to_the_whole)
{
    std::vector<PathPart> all;
    for (std::int64_t i = 0; i < 500; ++i) {
        all.push_back({.where = "block" + std::to_string(i % 9 % 4),
                       .what = i % 3 == 0 ? std::string(kWaits) : "work",
                       .waiting = i % 3 == 0,
                       .from = i * 1_ns,
                       .to = (i + 1) * 1_ns});
    }
    Duration sum;
    for (const FoldedPart& row : fold(std::vector<Step>{{.number = 1, .group = "o", .parts = all}})) {
        sum += row.working + row.waiting;
    }
    BOOST_TEST(sum == 500_ns);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
