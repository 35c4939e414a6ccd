// SPDX-License-Identifier: Apache-2.0
#include "workloads/broadcast/dopl_schedule.h"

#include <set>
#include <vector>

#include "analytic/scc.h"
#include "platforms/scc/layout.h"
#include "tests/support/cases.h"
#include "tests/workloads/broadcast/schedule_bench.h"
#include "workloads/broadcast/parts.h"

namespace ringmesh::workloads::broadcast::dopl_schedule_test {
namespace {

constexpr auto kCounts = {12, 24, 36, 48};

/// Links between the tiles of two cores.
unsigned hops(unsigned a, unsigned b) { return platforms::SccLayout(6, 4).hops(a, b); }

/// All cores' rounds and the parts each core has. A line forwards a part piece by piece, so a core can send in the same
/// round what it receives.
struct Run {
    Run(unsigned cores, std::int64_t part_count, unsigned source = 0) : parts(part_count), has(cores)
    {
        for (std::int64_t part = 0; part < parts; ++part) has[source].insert(part);
        const DoplSchedule any(DoplGrid::of_tiles(cores), 0, parts, source);
        for (std::int64_t i = 0; i < any.rounds(); ++i) round(i, source);
    }
    void round(std::int64_t number, unsigned source)
    {
        std::vector<DoplRound> all;
        for (unsigned core = 0; core < has.size(); ++core) {
            all.push_back(
                DoplSchedule(DoplGrid::of_tiles(static_cast<unsigned>(has.size())), core, parts, source).at(number));
        }
        const auto before = has;
        for (unsigned core = 0; core < has.size(); ++core) {
            const DoplRound& one = all[core];
            const bool passes_on = one.sent >= 0 && one.sent == one.received;
            if (one.sent >= 0 && !passes_on && before[core].count(one.sent) == 0) ++sent_without_having;
            if (one.sent >= 0) {
                const DoplRound& next = all[one.next];
                if (next.previous != core || next.received != one.sent || next.receives_whole != one.sends_whole) {
                    ++unmatched;
                }
            }
            if (one.received >= 0) {
                if (all[one.previous].sent != one.received) ++unmatched;
                if (passes_on && one.receives_whole) ++unmatched;
                has[core].insert(one.received);
            }
        }
    }

    std::int64_t parts;
    std::vector<std::set<std::int64_t>> has;
    int sent_without_having = 0;
    int unmatched = 0;
};

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(dopl_schedule)

BOOST_AUTO_TEST_CASE(the_cores_stand_as_the_thesis_prints_them)
{
    // [004 6.2]
    const std::vector<std::vector<unsigned>> printed{
        {0, 2, 4, 6, 8, 10},      {1, 3, 5, 7, 9, 11},      {12, 14, 16, 18, 20, 22}, {13, 15, 17, 19, 21, 23},
        {24, 26, 28, 30, 32, 34}, {25, 27, 29, 31, 33, 35}, {36, 38, 40, 42, 44, 46}, {37, 39, 41, 43, 45, 47}};
    const DoplGrid grid = DoplGrid::of_tiles(48);
    BOOST_TEST(grid.rows() == 8u);
    for (unsigned row = 0; row < 8; ++row) {
        for (unsigned column = 0; column < 6; ++column) {
            BOOST_TEST(grid.rank({row, column}) == printed[row][column]);
            BOOST_TEST((grid.place(printed[row][column]) == DoplGrid::Place{row, column}));
        }
    }
    BOOST_TEST(!DoplGrid::fits_tiles(0));
    BOOST_TEST(!DoplGrid::fits_tiles(18));
    BOOST_TEST(DoplGrid::fits_tiles(36));
}

BOOST_AUTO_TEST_CASE(five_rounds_of_four_parts_go_as_the_thesis_explains_them)
{
    // [004 6.2]. In its words round 1 to 5: the source always brings in a new part, the others carry the one before,
    // and from round 3 on tails wrap around what their heads lack. Its program goes over the rows first, its drawing
    // over the columns.
    struct Expected {
        bool over_rows;
        std::int64_t of_source;
        std::int64_t of_others;
        std::int64_t wrapped;
    };
    const std::vector<Expected> rounds{
        {true, 0, -1, -1}, {false, 1, 0, -1}, {true, 2, 1, 0}, {false, 3, 2, 1}, {true, 3, 3, 2}};
    const DoplGrid grid = DoplGrid::of_tiles(48);
    BOOST_TEST(DoplSchedule(DoplGrid::of_tiles(48), 0, 4).rounds() == 5);
    for (std::size_t i = 0; i < rounds.size(); ++i) {
        const Expected& expected = rounds[i];
        const unsigned length = expected.over_rows ? 8 : 6;
        for (unsigned core = 0; core < 48; ++core) {
            const auto place = grid.place(core);
            const unsigned along = expected.over_rows ? place.row : place.column;
            const bool line_of_source = (expected.over_rows ? place.column : place.row) == 0;
            const std::int64_t part = line_of_source ? expected.of_source : expected.of_others;
            const std::int64_t wrapped = line_of_source ? -1 : expected.wrapped;
            const DoplRound round = DoplSchedule(DoplGrid::of_tiles(48), core, 4).at(static_cast<std::int64_t>(i));
            const bool first = along == 0;
            const bool last = along == length - 1;
            BOOST_TEST(round.received == (first ? wrapped : part), "round " << i << ", core " << core);
            BOOST_TEST(round.sent == (last ? wrapped : part), "round " << i << ", core " << core);
            BOOST_TEST(round.receives_whole == (first && wrapped >= 0));
            BOOST_TEST(round.sends_whole == (last && wrapped >= 0));
            const auto moved = [&](unsigned by) {
                const unsigned at = (along + by) % length;
                return expected.over_rows ? grid.rank({at, place.column}) : grid.rank({place.row, at});
            };
            BOOST_TEST(round.next == moved(1));
            BOOST_TEST(round.previous == moved(length - 1));
        }
    }
}

BOOST_DATA_TEST_CASE(every_core_gets_every_part_and_every_send_has_its_receive, data::make(kCounts), core_count)
{
    for (const std::int64_t parts : {1, 2, 3, 4, 7, 24, 101}) {
        const Run run(static_cast<unsigned>(core_count), parts);
        BOOST_TEST(run.sent_without_having == 0, parts << " parts");
        BOOST_TEST(run.unmatched == 0, parts << " parts");
        for (const auto& one : run.has) BOOST_TEST(one.size() == static_cast<std::size_t>(parts));
    }
}

BOOST_DATA_TEST_CASE(pieces_never_deadlock, data::make(kCounts) * data::make({1, 2, 5, 32}), core_count, count)
{
    for (const std::int64_t size : {1, 31, 32, 33, 64, 100, 320, 333}) {
        const std::int64_t pipe = (32 + count - 1) / count;
        const test::ScheduleRun run({.algorithm = Algorithm::kDopl,
                                     .cores = static_cast<unsigned>(core_count),
                                     .size = size,
                                     .part = 32,
                                     .pipe = pipe,
                                     .final_exchange = FinalExchange::kThesis});
        // A wrapped part has the number of its first piece
        for (std::int64_t part = 0; part < cut(size, 32).count; ++part) {
            for (const auto& one : run.has) BOOST_TEST(one.count(part * cut(32, pipe).count) == 1u);
        }
    }
}

BOOST_DATA_TEST_CASE(any_core_can_be_the_source, data::xrange(0, 24), source)
{
    const Run run(24, 5, static_cast<unsigned>(source));
    BOOST_TEST(run.sent_without_having == 0);
    BOOST_TEST(run.unmatched == 0);
    for (const auto& one : run.has) BOOST_TEST(one.size() == 5u);
}

BOOST_DATA_TEST_CASE(only_neighbours_communicate_except_at_the_wrap_around, data::make(kCounts), core_count)
{
    const auto cores = static_cast<unsigned>(core_count);
    unsigned longest_wrap = 0;
    for (unsigned core = 0; core < cores; ++core) {
        const DoplSchedule schedule(DoplGrid::of_tiles(cores), core, 9);
        BOOST_TEST(schedule.rounds() == analytic::dopl_rounds(9));
        for (std::int64_t i = 0; i < schedule.rounds(); ++i) {
            const DoplRound round = schedule.at(i);
            if (round.sent < 0) continue;
            if (round.sends_whole) longest_wrap = std::max(longest_wrap, hops(core, round.next));
            if (!round.sends_whole) BOOST_TEST(hops(core, round.next) <= 1u);
        }
    }
    BOOST_TEST(longest_wrap == 5u);
}

BOOST_AUTO_TEST_CASE(a_part_is_cut_as_each_of_the_two_programs_does_it)
{
    const Cut of_pipe_size = cut(8192, 2048);
    BOOST_TEST(of_pipe_size.count == 4);
    BOOST_TEST(of_pipe_size.size(3) == 2048);
    const Cut short_part = cut(848, 2048);
    BOOST_TEST(short_part.count == 1);
    BOOST_TEST(short_part.size(0) == 848);
    const Cut longer = cut(7648, 2048);
    BOOST_TEST(longer.count == 4);
    BOOST_TEST(longer.size(3) == 7648 - 3 * 2048);
    // The last part of 1.9 MB into 32: pieces of 239 bytes, of 190 kB of 50 bytes, of which 32 suffice
    const Cut equal = cut_equally(7648, 32);
    BOOST_TEST(equal.count == 32);
    BOOST_TEST(equal.piece == 239);
    const Cut uneven = cut_equally(1584, 32);
    BOOST_TEST(uneven.piece == 50);
    BOOST_TEST(uneven.count == 32);
    BOOST_TEST(uneven.size(31) == 34);
    BOOST_TEST(whole(8192).size(0) == 8192);
}

BOOST_AUTO_TEST_CASE(all_pieces_together_are_the_part_and_none_is_empty)
{
    for (std::int64_t total = 1; total < 300; ++total) {
        for (const std::int64_t count : {1, 2, 7, 32}) {
            const Cut pieces = cut_equally(total, count);
            BOOST_TEST(pieces.count <= count);
            std::int64_t sum = 0;
            for (std::int64_t i = 0; i < pieces.count; ++i) {
                BOOST_TEST(pieces.offset(i) == sum);
                BOOST_TEST(pieces.size(i) >= 1);
                sum += pieces.size(i);
            }
            BOOST_TEST(sum == total);
        }
    }
}

BOOST_DATA_TEST_CASE(a_short_part_has_as_many_pieces_as_a_whole_one_if_they_are_equal, data::make({true, false}), equal)
{
    const test::ScheduleRun run(
        {.algorithm = Algorithm::kDopl, .cores = 12, .size = 896, .part = 8192, .pipe = 2048, .equal_pieces = equal});
    BOOST_TEST(run.all == (equal ? 8192u / 2048u : 1u));
    BOOST_TEST(run.complete());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace ringmesh::workloads::broadcast::dopl_schedule_test
