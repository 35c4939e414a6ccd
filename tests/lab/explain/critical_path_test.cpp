// SPDX-License-Identifier: Apache-2.0
#include "lab/explain/critical_path.h"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

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
        stages_.push_back({std::move(where), {what, packet, leg, StageKind::kWork, from * 1_ns, to * 1_ns}});
        return *this;
    }
    std::vector<PathPart> path(std::int64_t begin = 0) const
    {
        return critical_path(stages_, stages_.size() - 1, begin * 1_ns);
    }

private:
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
    for (const FoldedPart& part : path) all.push_back(fmt::format("{} ({})", line(part.part), part.waiting.ns()));
    return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(critical_path_)

BOOST_AUTO_TEST_CASE(stages_that_touch_are_the_path)
{
    const auto path =
        Journal().add("cpu", "library", 0, 0, 10).add("bus", "write", 0, 10, 30).add("chip", "work", 1, 30, 35).path();
    const Lines expected{"cpu library 0-10", "bus write 10-30", "chip work 30-35"};
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
                          .add("a.cpu", "library", 0, 0, 5)
                          .add("b.bridge", "write", 4, 5, 9)
                          .add("c.bridge", "write", 3, 5, 10)
                          .add("b.cpu", "poll miss", 4, 9, 10)
                          .add("b.cpu", "library", 0, 10, 12)
                          .path();
    const Lines expected{"a.cpu library 0-5", "b.bridge write 5-9", "b.cpu poll miss 9-10", "b.cpu library 10-12"};
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

BOOST_AUTO_TEST_CASE(repeated_work_before_a_packet_becomes_one_row)
{
    const auto path = Journal()
                          .add("n.cpu", "store", 0, 0, 1)
                          .add("n.pci", "write", 0, 1, 3)
                          .add("n.pci", "retry", 0, 3, 4)
                          .add("n.pci", "write", 0, 6, 8)
                          .add("n.pci", "write", 0, 8, 10)
                          .add("n.psb", "work", 1, 10, 12)
                          .add("n.psb", "work", 1, 12, 14)
                          .path();
    const Lines expected{"n.cpu store 0-1 (0)", "n.pci 3 x write, 1 x retry 1-10 (2)", "n.psb work 10-12 (0)",
                         "n.psb work 12-14 (0)"};
    BOOST_TEST(lines(fold(path)) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(work_that_alternates_between_blocks_becomes_one_row_too)
{
    const auto path = Journal()
                          .add("n.cpu", "library", 0, 0, 5)
                          .add("n.cpu", "store", 0, 5, 6)
                          .add("n.pci", "write", 0, 6, 8)
                          .add("n.cpu", "store", 0, 8, 9)
                          .add("n.pci", "write", 0, 9, 11)
                          .path();
    const Lines expected{"n.cpu library 0-5 (0)", "n.* 2 x store, 1 x write 5-9 (0)", "n.pci write 9-11 (0)"};
    BOOST_TEST(lines(fold(path)) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
