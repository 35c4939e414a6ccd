// SPDX-License-Identifier: Apache-2.0
#include "lab/explain/steps.h"

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

/// "1o2l_p": numbers and groups.
std::string shape(const std::vector<Step>& steps)
{
    std::string text;
    for (const Step& step : steps) text += std::to_string(step.number).append(step.group);
    return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(steps_)

BOOST_AUTO_TEST_CASE(overhead_lies_before_the_first_cable_and_after_the_last)
{
    BOOST_TEST(shape(sci_steps(parts("wwcww"), 1)) == "1o2l_p3o");
    BOOST_TEST(shape(sci_steps(parts("c"), 4)) == "4l_p");
}

BOOST_AUTO_TEST_CASE(a_bypass_between_cables_is_forwarding_and_anything_else_switching)
{
    BOOST_TEST(shape(sci_steps(parts("wcbcw"), 1)) == "1o2l_p3l_f4l_p5o");
    BOOST_TEST(shape(sci_steps(parts("wcwwcw"), 1)) == "1o2l_p3l_s4l_p5o");
    BOOST_TEST(shape(sci_steps(parts("wc bcw"), 1)) == "1o2l_p3l_f4l_p5o");
    BOOST_TEST(shape(sci_steps(parts("wcbwcw"), 1)) == "1o2l_p3l_s4l_p5o");
}

BOOST_AUTO_TEST_CASE(steps_hold_every_part_once)
{
    const auto steps = sci_steps(parts("ww wcbcw  wcw"), 1);
    Duration end;
    for (const Step& step : steps) {
        BOOST_TEST(step.from() == end);
        end = step.to();
    }
    BOOST_TEST(end == 13_ns);
}

BOOST_AUTO_TEST_CASE(a_way_sums_its_groups_and_its_waiting)
{
    const Way way{.name = "request", .packet = 1, .from = 0_ns, .to = 8_ns, .steps = sci_steps(parts("wwcb c w"), 1)};
    BOOST_TEST(way.sum("o") == 4_ns);
    BOOST_TEST(way.sum("l_p") == 2_ns);
    BOOST_TEST(way.sum("l_f") == 2_ns);
    BOOST_TEST(way.sum("l_s") == 0_ns);
    BOOST_TEST(way.waiting() == 2_ns);
    BOOST_TEST(way.steps_of("l_p") == 2u);
}

BOOST_AUTO_TEST_CASE(between_the_cables_of_two_packets_is_overhead)
{
    auto path = parts("cwwc");
    path[3].packet = 1;
    BOOST_TEST(shape(sci_steps(path, 1)) == "1l_p2o3l_p");
}

BOOST_AUTO_TEST_CASE(a_path_without_cable_is_a_model_error)
{
    BOOST_CHECK_THROW(sci_steps(parts("www"), 1), ModelError);
}

BOOST_AUTO_TEST_CASE(a_gap_an_overlap_and_another_end_are_model_errors)
{
    const auto whole = parts("wcw");
    BOOST_CHECK_NO_THROW(require_sum(whole, 0_ns, 3_ns));
    for (const std::size_t broken : {0UL, 1UL, 2UL}) {
        for (const Duration by : {1_ps, -1_ps}) {
            auto other = whole;
            other[broken].from += by;
            BOOST_CHECK_THROW(require_sum(other, 0_ns, 3_ns), ModelError);
            other = whole;
            other[broken].to += by;
            BOOST_CHECK_THROW(require_sum(other, 0_ns, 3_ns), ModelError);
        }
    }
    BOOST_CHECK_THROW(require_sum(whole, 0_ns, 4_ns), ModelError);
}

BOOST_AUTO_TEST_CASE(waiting_belongs_to_the_unit_that_works_next)
{
    auto path = parts("w w");
    path[0].what = "MPB";
    path[1].where = path[2].where = "core1";
    path[2].what = "look";
    BOOST_TEST(shape(steps_by_unit(path, 1)) == "1MPB2poll");
    const auto steps = steps_by_unit(path, 1);
    BOOST_TEST(steps[1].parts.size() == 2u);
    BOOST_TEST(steps[1].span() == 2_ns);
}

BOOST_AUTO_TEST_CASE(a_path_that_ends_with_waiting_keeps_it)
{
    auto path = parts("w  ");
    for (PathPart& part : path) part.where = "node0.cpu.handlers";
    const auto steps = steps_by_unit(path, 1);
    BOOST_TEST(steps.back().to() == 3_ns);
    BOOST_TEST(shape(steps) == "1handler");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
