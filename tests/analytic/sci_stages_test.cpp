// SPDX-License-Identifier: Apache-2.0
#include "analytic/sci/components.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "tests/support/cases.h"

namespace ringmesh::analytic::sci_stages_test {
namespace {

const auto kClose = boost::test_tools::tolerance(1e-12);
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

SwitchStages with_cycle(double cycle_ns)
{
    SwitchStages stages;
    stages.blink.cycle_ns = cycle_ns;
    return stages;
}

SwitchStages with_width(Bytes bytes_per_cycle)
{
    SwitchStages stages;
    stages.blink.bytes_per_cycle = bytes_per_cycle;
    return stages;
}

SwitchStages with_half_the_fifo_delays(double cycle_ns)
{
    SwitchStages stages = with_cycle(cycle_ns);
    stages.in_fifo_ns /= 2;
    stages.out_fifo_ns /= 2;
    return stages;
}

double whole(const SwitchStages& stages) { return switching_latency(stages, SwitchMode::kStoreAndForward); }
double on_receive(const SwitchStages& stages) { return switching_latency(stages, SwitchMode::kCutThroughOnReceive); }
double full(const SwitchStages& stages) { return switching_latency(stages, SwitchMode::kFullCutThrough); }

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(sci_stages)

// Decode 20, 39 more symbols of 5, input FIFO 106, arbitration 20, 11 cycles of 20, output FIFO 82 [SCINET, 000 ch.4].
BOOST_DATA_TEST_CASE(a_faster_b_link_saves_in_all_its_twelve_cycles,
                     data::make({20.0, 40.0 / 3, 10.0, 0.0}) ^ data::make({643.0, 563.0, 523.0, 403.0}), cycle_ns,
                     expected_ns)
{
    BOOST_TEST(whole(with_cycle(cycle_ns)) == 20 + 195 + 106 + 12 * cycle_ns + 82, kClose);
    BOOST_TEST(whole(with_cycle(cycle_ns)) == expected_ns, kClose);
}

BOOST_DATA_TEST_CASE(a_wider_b_link_saves_data_cycles_only,
                     data::make({4, 8, 16, 32, 64, 128}) ^ data::make({16, 8, 4, 2, 1, 1}), bytes, data_cycles)
{
    BOOST_TEST(whole(with_width(Bytes(bytes))) == 403 + (1 + 2 + data_cycles + 1) * 20, kClose);
}

// 20 + 195 + 53 + 240 + 41
BOOST_AUTO_TEST_CASE(half_the_fifo_delays_give_549_ns)
{
    BOOST_TEST(whole(with_half_the_fifo_delays(20)) == 549.0, kClose);
}

BOOST_DATA_TEST_CASE(storing_waits_for_every_symbol,
                     data::make({0, 16, 64}) ^ data::make({7, 15, 39}) ^ data::make({4, 6, 12}), bytes, more_symbols,
                     cycles)
{
    SwitchStages stages;
    stages.payload = Bytes(bytes);
    BOOST_TEST(whole(stages) == 20 + more_symbols * 5 + 106 + cycles * 20 + 82, kClose);
}

// At 50 MHz the B-Link is no faster than the link and starts with the head: the 39 other symbols drop out.
BOOST_AUTO_TEST_CASE(cut_through_on_receive_gives_448_ns)
{
    BOOST_TEST(on_receive({}) == whole({}) - 39 * 5, kClose);
    BOOST_TEST(on_receive({}) == 448.0, kClose);
}

// The bound applies where 146 ns (head and arbitration at 50 MHz) + 9 cycles are less than 321 ns: from 19.5 ns a cycle
// down.
BOOST_DATA_TEST_CASE(the_b_link_starts_with_the_head_or_ends_with_the_tail,
                     data::make({0.0, 1.0, 10.0, 19.4, 19.5, 19.6}), cycle_ns)
{
    const double with_head = 20 + 106 + 12 * cycle_ns + 82;
    const double with_tail = 403 + 2 * cycle_ns;
    BOOST_TEST(on_receive(with_cycle(cycle_ns)) == std::max(with_head, with_tail), kClose);
    BOOST_TEST((with_head < with_tail) == (cycle_ns < 19.45));
}

// 20 + 195 + 53 = 268, then 2 cycles of 13.33 and 41 ns.
BOOST_AUTO_TEST_CASE(half_fifo_delays_at_75_mhz_give_335_7_ns)
{
    BOOST_TEST(on_receive(with_half_the_fifo_delays(40.0 / 3)) == 268 + 2 * 40.0 / 3 + 41, kClose);
}

// Head 126, arbitration 20, header 2 cycles, output FIFO 82.
BOOST_AUTO_TEST_CASE(full_cut_through_gives_268_ns) { BOOST_TEST(full({}) == 20 + 106 + 20 + 2 * 20 + 82.0, kClose); }

// A slow B-Link feeds the link: the last four symbols, of 36 before them, may not be due before the tenth cycle is
// over.
BOOST_DATA_TEST_CASE(the_link_waits_for_the_last_word_of_a_slow_b_link, data::make({23.0, 25.0, 40.0, 100.0}), cycle_ns)
{
    const double last_word = 20 + 106 + cycle_ns + 10 * cycle_ns + 82;
    BOOST_TEST(full(with_cycle(cycle_ns)) == last_word - 36 * 5, kClose);
}

BOOST_DATA_TEST_CASE(with_a_b_link_as_fast_as_the_link_the_head_does_not_wait, data::make({22.0, 20.0}), cycle_ns)
{
    BOOST_TEST(full(with_cycle(cycle_ns)) == 20 + 106 + 3 * cycle_ns + 82, kClose);
}

// Cut-through only removes waiting.
BOOST_DATA_TEST_CASE(cut_through_is_never_slower,
                     data::make({0.0, 5.0, 20.0, 50.0}) * data::make({4, 8, 16, 64}) * data::make({0, 16, 64}),
                     cycle_ns, width, payload)
{
    SwitchStages stages = with_cycle(cycle_ns);
    stages.blink.bytes_per_cycle = Bytes(width);
    stages.payload = Bytes(payload);
    BOOST_TEST(on_receive(stages) <= whole(stages) * (1 + 1e-12));
    BOOST_TEST(full(stages) <= on_receive(stages) * (1 + 1e-12));
}

BOOST_DATA_TEST_CASE(stages_below_zero_or_not_finite_are_refused, data::make({-0.001, kNotANumber}), bad)
{
    for (double SwitchStages::*member :
         {&SwitchStages::decode_ns, &SwitchStages::symbol_ns, &SwitchStages::in_fifo_ns, &SwitchStages::out_fifo_ns}) {
        SwitchStages stages;
        stages.*member = bad;
        BOOST_CHECK_THROW(whole(stages), std::domain_error);
        stages.*member = 0;
        BOOST_CHECK_NO_THROW(whole(stages));
    }
    for (double BLinkTiming::*member : {&BLinkTiming::cycle_ns, &BLinkTiming::arbitration_cycles,
                                        &BLinkTiming::header_cycles, &BLinkTiming::trailer_cycles}) {
        SwitchStages stages;
        stages.blink.*member = bad;
        BOOST_CHECK_THROW(full(stages), std::domain_error);
        stages.blink.*member = 0;
        BOOST_CHECK_NO_THROW(full(stages));
    }
}

BOOST_AUTO_TEST_CASE(invalid_packets_and_buses_are_refused)
{
    SwitchStages odd_payload;
    odd_payload.payload = 32_B;
    BOOST_CHECK_THROW(whole(odd_payload), std::domain_error);
    BOOST_CHECK_THROW(whole(with_width(0_B)), std::domain_error);
    BOOST_CHECK_THROW(BLinkTiming{}.data_cycles(Bytes(-1)), std::domain_error);
    BOOST_CHECK_THROW(switching_latency({}, static_cast<SwitchMode>(3)), std::domain_error);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::analytic::sci_stages_test
