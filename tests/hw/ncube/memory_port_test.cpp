// SPDX-License-Identifier: Apache-2.0
#include "hw/ncube/memory_port.h"

#include <memory>

#include "tests/support/cases.h"

namespace {

using namespace ringmesh;
using hw::NcubeMemoryPort;
using hw::NcubeNodeParams;
using hw::PortCode;
using hw::PortContention;
using hw::PortPriority;

constexpr double kWord = 18;  // clocks of a word of 16 bits on the wire
constexpr double kNoise = 1e-3;

/// Without refresh and branches: a loop whose turn is a sum.
NcubeNodeParams plain()
{
    NcubeNodeParams params;
    params.memory.refresh = 100'000_cycles;
    params.processor.instruction = 1_cycles;
    params.loop = {.instructions = 4, .code = 8_B, .reads = 3, .writes = 2, .arithmetic = 0_cycles};
    return params;
}

/// Nothing but data: the processor always wants the port.
NcubeNodeParams hungry()
{
    NcubeNodeParams params = plain();
    params.loop = {.instructions = 1, .code = 8_B, .reads = 1000, .writes = 0, .arithmetic = 0_cycles};
    return params;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(ncube_memory_port)

// Two accesses a word; an instruction executes before it accesses
BOOST_DATA_TEST_CASE(a_turn_is_its_instructions_and_its_accesses, data::make({1, 2, 3}) * data::make({0, 32}), access,
                     arithmetic)
{
    NcubeNodeParams params = plain();
    params.memory.access = Cycles(access);
    params.loop.arithmetic = Cycles(arithmetic);
    const double clocks = 4 + arithmetic + 2.0 * (3 + 2) * access;
    BOOST_TEST(PortContention(params).turn() == clocks, boost::test_tools::tolerance(kNoise));
}

// The rest is fetched beside what else the processor does, but never less than the port can give
BOOST_AUTO_TEST_CASE(code_that_does_not_fit_into_the_buffer_is_fetched_in_each_turn)
{
    NcubeNodeParams params = plain();
    params.loop.reads = params.loop.writes = 0;
    params.loop.code = 16_B;
    BOOST_TEST(PortContention(params).turn() == 4.0, boost::test_tools::tolerance(kNoise));
    params.loop.code = 64_B;
    BOOST_TEST(PortContention(params).turn() > 64.0 / 2 * 2);
}

// It begins when its last word has come; its words cannot come faster than the port gives them
BOOST_AUTO_TEST_CASE(an_instruction_may_be_longer_than_the_buffer)
{
    NcubeNodeParams params = plain();
    params.loop = {.instructions = 1, .code = 64_B, .reads = 0, .writes = 0, .arithmetic = 0_cycles};
    for (const Bytes code : {params.processor.instruction_buffer, 63_B, 64_B}) {
        params.loop.code = Bytes(code.count() + 1);
        const double words = static_cast<double>((code.count() + 2) / 2);
        const double access = static_cast<double>(params.memory.access.count());
        BOOST_TEST(PortContention(params).turn() > words * access);
        BOOST_TEST(PortContention(params).turn() < (words + 1) * access + 2);
    }
    params.system.code = 64_B;
    const double speed = PortContention(params).speed(1, 1, PortCode::kSystem);
    BOOST_TEST(speed > 0.02);
    BOOST_TEST(speed < 1.0);
}

BOOST_AUTO_TEST_CASE(a_branch_back_throws_away_what_was_fetched_ahead)
{
    NcubeNodeParams params = plain();
    params.processor.instruction = 10_cycles;
    params.loop = {.instructions = 4, .code = 64_B, .reads = 0, .writes = 0, .arithmetic = 0_cycles};
    const double once = PortContention(params).turn();
    params.loop.instructions *= 2;
    params.loop.code = 128_B;
    BOOST_TEST(PortContention(params).turn() < 2 * once - 2);
}

BOOST_AUTO_TEST_CASE(a_refresh_takes_an_access_of_a_processor_that_always_wants_the_port)
{
    NcubeNodeParams params = hungry();
    const double alone = PortContention(params).turn();
    params.memory.refresh = 100_cycles;
    BOOST_TEST(PortContention(params).turn() == alone / (1 - 2.0 / 100), boost::test_tools::tolerance(kNoise));
}

BOOST_DATA_TEST_CASE(dma_takes_its_accesses_from_a_processor_that_always_wants_the_port,
                     data::make({1u, 2u, 3u}) * data::make({false, true}), channels, first)
{
    NcubeNodeParams params = hungry();
    params.memory.priority = first ? PortPriority::kChannels : PortPriority::kInputs;
    const PortContention contention(params);
    const double taken = channels * 2 / kWord;
    BOOST_TEST(contention.speed(channels, 0) == 1 - taken, boost::test_tools::tolerance(2 * kNoise));
    // Outputs that wait for a gap in the processor's data get none
    BOOST_TEST(contention.speed(0, channels) == (first ? 1 - taken : 1), boost::test_tools::tolerance(2 * kNoise));
}

BOOST_AUTO_TEST_CASE(a_processor_that_executes_more_loses_less_and_to_outputs_that_wait_the_least)
{
    NcubeNodeParams params;
    const PortContention measured(params);
    params.processor.instruction = 40_cycles;
    const PortContention slow(params);
    for (const auto& [receiving, sending] : {std::pair{1u, 0u}, {0u, 1u}, {2u, 2u}}) {
        BOOST_TEST(slow.speed(receiving, sending) > measured.speed(receiving, sending));
        BOOST_TEST(measured.speed(receiving, sending) < 1);
    }
    BOOST_TEST(measured.speed(0, 1) > measured.speed(1, 0));
}

/// [001 Table 1], slope of R from 16 to 2000 bytes at 7 clocks a microsecond, which has set processor.instruction.
BOOST_AUTO_TEST_CASE(one_input_takes_per_byte_what_the_published_slope_says)
{
    const PortContention contention{NcubeNodeParams{}};
    BOOST_TEST((1 - contention.speed(1, 0)) * kWord / 2 == 0.293, boost::test_tools::tolerance(0.03));
}

BOOST_DATA_TEST_CASE(each_more_channel_takes_more, data::xrange(5u), channels)
{
    const PortContention contention{NcubeNodeParams{}};
    BOOST_TEST(contention.speed(channels + 1, 0) < contention.speed(channels, 0));
    BOOST_TEST(contention.speed(channels + 1, channels) < contention.speed(channels, channels));
}

// A word takes vertex.access, 13 clocks; with six channels its code gets what they and the refresh leave
BOOST_AUTO_TEST_CASE(the_systems_code_moves_a_word_in_13_clocks_and_wants_the_port_more_than_the_loop)
{
    const PortContention contention{NcubeNodeParams{}};
    constexpr double kInstructions = 20;
    constexpr double kAccesses = kInstructions * (2 + 7.0 / 2);
    BOOST_TEST(contention.turn(PortCode::kSystem) / kInstructions == 13, boost::test_tools::tolerance(0.02));
    for (const unsigned pairs : {1u, 2u, 3u}) {
        BOOST_TEST(contention.speed(pairs, pairs, PortCode::kSystem) < contention.speed(pairs, pairs));
    }
    const double left = 1 - 6 * 2 / kWord - 2.0 / 104;
    BOOST_TEST(contention.speed(3, 3, PortCode::kSystem) == left * contention.turn(PortCode::kSystem) / (kAccesses * 2),
               boost::test_tools::tolerance(0.07));
}

BOOST_AUTO_TEST_CASE(without_code_of_its_own_the_system_is_slowed_as_the_program)
{
    NcubeNodeParams params;
    params.system.code = 0_B;
    const PortContention contention(params);
    BOOST_TEST(contention.speed(2, 1, PortCode::kSystem) == contention.speed(2, 1));
}

BOOST_AUTO_TEST_CASE(a_full_port_leaves_a_little_so_that_a_run_goes_on)
{
    const PortContention contention{NcubeNodeParams{}};
    BOOST_TEST(contention.speed(11, 11) > 0);
    BOOST_TEST(contention.speed(11, 11) < 0.1);
    BOOST_TEST(contention.speed(1024, 1024) == contention.speed(11, 11));
}

BOOST_AUTO_TEST_CASE(dma_without_cost_slows_no_processor)
{
    NcubeNodeParams params;
    params.memory.priority = PortPriority::kNone;
    BOOST_TEST(PortContention(params).speed(11, 11) == 1.0);
}

BOOST_AUTO_TEST_CASE(a_working_processor_is_notified_before_and_after_each_change)
{
    const auto contention = std::make_shared<const PortContention>(NcubeNodeParams{});
    NcubeMemoryPort port(contention);
    std::vector<double> before, after;
    port.connect([&] { before.push_back(port.speed(PortCode::kProgram)); },
                 [&] { after.push_back(port.speed(PortCode::kProgram)); });
    port.receiving(true);
    port.sending(true);
    port.receiving(false);
    port.sending(false);
    const std::vector<double> levels{1, contention->speed(1, 0), contention->speed(1, 1), contention->speed(0, 1), 1};
    BOOST_TEST(before == std::vector<double>(levels.begin(), levels.end() - 1), boost::test_tools::per_element());
    BOOST_TEST(after == std::vector<double>(levels.begin() + 1, levels.end()), boost::test_tools::per_element());
    BOOST_TEST(port.active() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
