// SPDX-License-Identifier: Apache-2.0
#include "lab/explain/transaction.h"

#include <boost/test/unit_test.hpp>

#include "tests/hw/printing.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::lab;

/// Parts of 1 ns each, a letter each: c cable, b bypass, w other work, space waiting.
std::vector<PathPart> parts(std::string_view letters)
{
    std::vector<PathPart> all;
    for (const char letter : letters) {
        const Duration from = static_cast<std::int64_t>(all.size()) * 1_ns;
        all.push_back({.where = "here",
                       .what = std::string(1, letter),
                       .kind = letter == 'c'   ? StageKind::kPropagation
                               : letter == 'b' ? StageKind::kForwarding
                                               : StageKind::kWork,
                       .waiting = letter == ' ',
                       .from = from,
                       .to = from + 1_ns});
    }
    return all;
}

/// "1o2l_p": numbers and components.
std::string shape(const std::vector<Step>& steps)
{
    std::string text;
    for (const Step& step : steps) text += std::to_string(step.number).append(kLatencyComponents.name(step.component));
    return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(transaction)

BOOST_AUTO_TEST_CASE(overhead_lies_before_the_first_cable_and_after_the_last)
{
    BOOST_TEST(shape(steps_of(parts("wwcww"), 1)) == "1o2l_p3o");
    BOOST_TEST(shape(steps_of(parts("c"), 4)) == "4l_p");
}

BOOST_AUTO_TEST_CASE(a_bypass_between_cables_is_forwarding_and_anything_else_switching)
{
    BOOST_TEST(shape(steps_of(parts("wcbcw"), 1)) == "1o2l_p3l_f4l_p5o");
    BOOST_TEST(shape(steps_of(parts("wcwwcw"), 1)) == "1o2l_p3l_s4l_p5o");
    BOOST_TEST(shape(steps_of(parts("wc bcw"), 1)) == "1o2l_p3l_f4l_p5o");
    BOOST_TEST(shape(steps_of(parts("wcbwcw"), 1)) == "1o2l_p3l_s4l_p5o");
}

BOOST_AUTO_TEST_CASE(steps_hold_every_part_once)
{
    const auto steps = steps_of(parts("ww wcbcw  wcw"), 1);
    Duration end;
    for (const Step& step : steps) {
        BOOST_TEST(step.from() == end);
        end = step.to();
    }
    BOOST_TEST(end == 13_ns);
}

BOOST_AUTO_TEST_CASE(a_leg_sums_its_components_and_its_waiting)
{
    const LegSteps leg{.packet = 1, .from = 0_ns, .to = 8_ns, .steps = steps_of(parts("wwcb c w"), 1)};
    BOOST_TEST(leg.sum(LatencyComponent::kOverhead) == 4_ns);
    BOOST_TEST(leg.sum(LatencyComponent::kPropagation) == 2_ns);
    BOOST_TEST(leg.sum(LatencyComponent::kForwarding) == 2_ns);
    BOOST_TEST(leg.sum(LatencyComponent::kSwitching) == 0_ns);
    BOOST_TEST(leg.waiting() == 2_ns);
    BOOST_TEST(leg.steps_of(LatencyComponent::kPropagation) == 2u);
}

BOOST_AUTO_TEST_CASE(a_gap_an_overlap_and_a_path_without_cable_are_model_errors)
{
    auto gap = parts("wcw");
    gap[2].from += 1_ps;
    BOOST_CHECK_THROW(steps_of(gap, 1), ModelError);
    auto overlap = parts("wcw");
    overlap[2].from -= 1_ps;
    BOOST_CHECK_THROW(steps_of(overlap, 1), ModelError);
    BOOST_CHECK_THROW(steps_of(parts("www"), 1), ModelError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
