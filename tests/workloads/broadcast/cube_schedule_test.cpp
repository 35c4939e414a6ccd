// SPDX-License-Identifier: Apache-2.0
#include "workloads/broadcast/cube_schedule.h"

#include <bit>
#include <map>

#include "analytic/scc.h"
#include "tests/support/cases.h"
#include "tests/workloads/broadcast/schedule_bench.h"

namespace ringmesh::workloads::broadcast {

std::ostream& operator<<(std::ostream& out, const Transfer& transfer)
{
    return out << (transfer.sends ? "sends " : "receives ") << transfer.part << ", peer " << transfer.peer;
}

namespace {

using test::cube_case;
using test::ScheduleRun;

constexpr auto kBoth = {FinalExchange::kThesis, FinalExchange::kCorrect};

/// Number of pairs: each core from 2^q up is paired with one below.
unsigned pairs(unsigned cores) { return cores - std::bit_floor(cores); }

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(cube_schedule)

BOOST_AUTO_TEST_CASE(distances_and_switches_of_core_406_of_512_are_those_of_the_thesis)
{
    // [004 5.2, 5.3], whose tables go from bit 8 down
    const std::vector<unsigned> dis{1, 1, 2, 1, 3, 2, 1, 1, 2};
    const std::vector<unsigned> changes{0, 1, 2, 2, 3, 3, 3, 4, 5};
    BOOST_TEST(distances(406, 9) == dis, boost::test_tools::per_element());
    BOOST_TEST(switches(406, 9) == changes, boost::test_tools::per_element());
    BOOST_TEST(distances(0, 3) == (std::vector<unsigned>{3, 3, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(two_parts_reach_eight_cores_as_the_thesis_draws_it)
{
    // [004 fig. 7]: sender, receiver and part of each transfer, by round
    using Arrow = std::pair<unsigned, unsigned>;
    const std::vector<std::map<Arrow, std::int64_t>> rounds{
        {{{0, 1}, 0}},
        {{{0, 2}, 1}, {{1, 3}, 0}},
        {{{0, 4}, 1}, {{1, 5}, 0}, {{2, 6}, 1}, {{3, 7}, 0}},
        {{{0, 1}, 1}, {{2, 3}, 1}, {{3, 2}, 0}, {{4, 5}, 1}, {{5, 4}, 0}, {{6, 7}, 1}, {{7, 6}, 0}}};
    BOOST_TEST(CubeSchedule(8, 0, 2, FinalExchange::kThesis).rounds() == 4);
    for (std::size_t round = 0; round < rounds.size(); ++round) {
        std::map<Arrow, std::int64_t> sent;
        std::map<Arrow, std::int64_t> received;
        for (unsigned core = 0; core < 8; ++core) {
            for (const Transfer& call :
                 CubeSchedule(8, core, 2, FinalExchange::kThesis).at(static_cast<std::int64_t>(round))) {
                if (call.sends) sent[{core, call.peer}] = call.part;
                if (!call.sends) received[{call.peer, core}] = call.part;
            }
        }
        BOOST_TEST((sent == rounds[round]), "round " << round);
        BOOST_TEST((received == rounds[round]), "round " << round);
    }
}

BOOST_AUTO_TEST_CASE(of_two_single_cores_the_one_with_the_lower_number_sends_first)
{
    const Calls lower = CubeSchedule(8, 2, 2, FinalExchange::kThesis).at(3);
    const Calls higher = CubeSchedule(8, 3, 2, FinalExchange::kThesis).at(3);
    BOOST_TEST_REQUIRE(lower.size() == 2u);
    BOOST_TEST_REQUIRE(higher.size() == 2u);
    BOOST_TEST(lower[0] == (Transfer{true, 3, 1}));
    BOOST_TEST(lower[1] == (Transfer{false, 3, 0}));
    BOOST_TEST(higher[0] == (Transfer{false, 2, 1}));
    BOOST_TEST(higher[1] == (Transfer{true, 2, 0}));
}

BOOST_AUTO_TEST_CASE(in_a_pair_out_sends_then_takes_from_in_which_receives_then_passes_on)
{
    // Of 7 cores: {0}, {1, 4}, {2, 5}, {3, 6}. Unit 1 has not changed roles before round 0, so 4 is out there; once
    // after
    const CubeSchedule one(7, 1, 20, FinalExchange::kThesis);
    const CubeSchedule four(7, 4, 20, FinalExchange::kThesis);
    BOOST_TEST(one.companion(1) == 4u);
    BOOST_TEST(one.companion(0) == 0u);
    BOOST_TEST(one.out(0) == 4u);
    BOOST_TEST(one.out(1) == 1u);
    for (std::int64_t round = 4; round < one.rounds(); ++round) {
        const bool one_is_out = one.out(round) == 1;
        const Calls out = one_is_out ? one.at(round) : four.at(round);
        const Calls in = one_is_out ? four.at(round) : one.at(round);
        const unsigned out_core = one_is_out ? 1 : 4;
        BOOST_TEST_REQUIRE(out.size() == 2u);
        BOOST_TEST_REQUIRE(in.size() == 2u);
        BOOST_TEST((out[0].sends && !out[1].sends && !in[0].sends && in[1].sends));
        BOOST_TEST(out[1] == (Transfer{false, 5 - out_core, round - 3}));
        BOOST_TEST(in[1] == (Transfer{true, out_core, round - 3}));
    }
}

BOOST_DATA_TEST_CASE(every_core_gets_every_part_without_deadlock, data::xrange(2, 49), core_count)
{
    const auto cores = static_cast<unsigned>(core_count);
    for (const std::int64_t parts : {1, 2, 3, 4, 5, 6, 7, 13, 64, 129}) {
        for (const FinalExchange final_exchange : kBoth) {
            const ScheduleRun run(cube_case(cores, parts, final_exchange));
            BOOST_TEST(run.complete(), parts << " parts");
            BOOST_TEST(run.all == static_cast<std::size_t>(parts));
            BOOST_TEST(run.sent_without_having == 0, parts << " parts");
        }
    }
}

BOOST_DATA_TEST_CASE(more_cores_than_the_chip_has_work_too, data::make({64, 100, 127, 129, 511}), core_count)
{
    for (const std::int64_t parts : {1, 9, 30}) {
        BOOST_TEST(ScheduleRun(cube_case(static_cast<unsigned>(core_count), parts, FinalExchange::kThesis)).complete());
    }
}

BOOST_DATA_TEST_CASE(with_one_part_each_pair_passes_on_what_lies_in_front_of_the_buffer, data::xrange(2, 49),
                     core_count)
{
    const auto cores = static_cast<unsigned>(core_count);
    BOOST_TEST(ScheduleRun(cube_case(cores, 1, FinalExchange::kThesis)).useless == pairs(cores));
    BOOST_TEST(ScheduleRun(cube_case(cores, 1, FinalExchange::kCorrect)).useless == 0);
    BOOST_TEST(ScheduleRun(cube_case(cores, 2, FinalExchange::kThesis)).useless == 0);
}

BOOST_AUTO_TEST_CASE(on_48_cores_sixteen_transfers_are_useless)
{
    BOOST_TEST(ScheduleRun(cube_case(48, 1, FinalExchange::kThesis)).useless == 16);
}

BOOST_DATA_TEST_CASE(the_root_receives_all_but_the_last_part_unless_the_cores_are_a_power_of_two, data::xrange(2, 49),
                     core_count)
{
    const auto cores = static_cast<unsigned>(core_count);
    const ScheduleRun run(cube_case(cores, 20, FinalExchange::kThesis));
    BOOST_TEST(run.received[0] == (std::has_single_bit(cores) ? 0 : 19));
    // No other core gets its part
    for (unsigned core = 1; core < cores; ++core) BOOST_TEST(run.received_again[core] == 0);
}

BOOST_DATA_TEST_CASE(the_rounds_are_those_of_the_formula, data::xrange(2, 49), core_count)
{
    const auto cores = static_cast<unsigned>(core_count);
    for (const std::int64_t parts : {1, 2, 464}) {
        const CubeSchedule schedule(cores, cores - 1, parts, FinalExchange::kThesis);
        BOOST_TEST(schedule.rounds() == analytic::cube_rounds(cores, parts));
    }
}

BOOST_DATA_TEST_CASE(two_to_three_transfers_stand_in_series_in_each_round, data::xrange(3, 49), core_count)
{
    const auto cores = static_cast<unsigned>(core_count);
    const std::int64_t parts = 400;
    const auto rounds = static_cast<double>(analytic::cube_rounds(cores, parts));
    const auto series = [&](double put) {
        return ScheduleRun(cube_case(cores, parts, FinalExchange::kCorrect), put).time / rounds;
    };
    BOOST_TEST(series(0) > 1.95);
    BOOST_TEST(series(0) < 3.0);
    if (std::has_single_bit(cores)) BOOST_TEST(series(0) < 2.0);
    if (cores % 12 == 0) {
        BOOST_TEST(series(0) > 2.95);
        // Puts overlap with waiting
        BOOST_TEST(series(0.5) > 2.15);
        BOOST_TEST(series(0.5) < 2.5);
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace ringmesh::workloads::broadcast
