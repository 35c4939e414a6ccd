// SPDX-License-Identifier: Apache-2.0
#include "tlm/simulation/fault.h"

#include <array>
#include <cmath>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "tests/support/cases.h"

namespace ringmesh::fault_test {
namespace {

constexpr std::array<FaultWord, 2> kWords{{{"lose", ""}, {"cut", ""}}};

FaultTimes times(const std::string& when, const std::string& lasts = "")
{
    return FaultTimes({.where = "*", .what = "cut", .when = when, .lasts = lasts}, Random(7));
}

std::string key_of(const std::function<void()>& call)
{
    try {
        call();
    } catch (const FaultProblem& problem) {
        BOOST_TEST(!problem.what.empty());
        BOOST_TEST(!problem.cure.empty());
        return problem.key;
    }
    return "none";
}

struct Wrong {
    const char* when;
    const char* lasts;
    const char* key;
    friend std::ostream& operator<<(std::ostream& out, const Wrong& wrong) { return out << wrong.when << wrong.lasts; }
};

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(fault)

BOOST_AUTO_TEST_CASE(a_time_holds_for_ever_or_as_long_as_it_lasts_and_a_window_to_its_end)
{
    auto for_ever = times("5 us");
    BOOST_TEST(!for_ever.strike(4999_ns, 1));
    BOOST_TEST(for_ever.strike(5_us, 1));
    BOOST_TEST(for_ever.strike(1_ms, 1));
    auto lasting = times("5 us", "1 us");
    BOOST_TEST(lasting.strike(5999_ns, 1));
    BOOST_TEST(!lasting.strike(6_us, 1));
    auto window = times("5us..9us");
    BOOST_TEST(!window.strike(4_us, 1));
    BOOST_TEST(window.strike(8_us, 1));
    BOOST_TEST(!window.strike(9_us, 1));
}

BOOST_AUTO_TEST_CASE(one_packet_is_struck_or_all_while_it_lasts)
{
    auto third = times("packet 3");
    std::string seen;
    for (int i = 1; i <= 5; ++i) seen += third.strike(1_us * std::int64_t{i}, 1) ? 'x' : '.';
    BOOST_TEST(seen == "..x..");
    auto lasting = times("packet 2", "2 us");
    seen.clear();
    for (int i = 1; i <= 5; ++i) seen += lasting.strike(1_us * std::int64_t{i}, 1) ? 'x' : '.';
    BOOST_TEST(seen == ".xx..");
}

/// Within four standard deviations of a binomial number.
BOOST_AUTO_TEST_CASE(rates_strike_as_often_as_they_say)
{
    constexpr int kPackets = 200'000;
    const auto struck = [&](FaultTimes fault, std::int64_t symbols, Duration gap) {
        int count = 0;
        for (int i = 0; i < kPackets; ++i) count += fault.strike(gap * std::int64_t{i}, symbols) ? 1 : 0;
        return count;
    };
    const auto near = [](double count, double expected) {
        return std::abs(count - expected) < 4 * std::sqrt(expected);
    };
    BOOST_TEST(near(struck(times("1e-3/packet"), 40, 1_us), kPackets * 1e-3));
    BOOST_TEST(near(struck(times("1e-4/symbol"), 40, 1_us), kPackets * 40e-4));
    BOOST_TEST(near(struck(times("1e4/s"), 40, 1_us), kPackets * 1e-2));
}

BOOST_DATA_TEST_CASE(what_is_no_time_is_refused,
                     data::make(std::vector<Wrong>{{"soon", "", "when"},
                                                   {"-1 us", "", "when"},
                                                   {"9us..5us", "", "when"},
                                                   {"1.5/packet", "", "when"},
                                                   {"0/packet", "", "when"},
                                                   {"1e-4/flit", "", "when"},
                                                   {"packet 0", "", "when"},
                                                   {"packet one", "", "when"},
                                                   {"5 us", "long", "lasts"},
                                                   {"5us..9us", "1 us", "lasts"}}),
                     wrong)
{
    BOOST_TEST(key_of([&] { times(wrong.when, wrong.lasts); }) == wrong.key);
}

BOOST_AUTO_TEST_CASE(blocks_get_the_faults_that_name_them)
{
    FaultPlan plan;
    BOOST_TEST(plan.empty());
    BOOST_TEST((plan.of("node0.lc2", kWords) == nullptr));
    plan.set({{"a", {.where = "node?.lc2", .what = "cut", .when = "1 us"}},
              {"b", {.where = "node1*", .what = "lose", .when = "2 us"}}},
             1);
    const auto first = plan.of("node0.lc2", kWords);
    BOOST_TEST_REQUIRE(first != nullptr);
    BOOST_TEST(first->strike(1, 1_us));
    BOOST_TEST(!first->strike(0, 5_us));
    BOOST_TEST(first->struck().count() == 1u);
    BOOST_TEST(key_of([&] { plan.require_found(); }) == "b.where");
    BOOST_TEST(plan.of("node1.lc2", kWords)->strike(0, 5_us));
    BOOST_TEST((plan.of("switch.lc2_0", kWords) == nullptr));
    plan.require_found();
}

/// What is missing after others is a mistake of the model.
BOOST_AUTO_TEST_CASE(bytes_are_taken_by_a_struck_fault_of_such_a_word_alone)
{
    constexpr std::array<FaultWord, 2> kTaking{{{"late", ""}, {"lose", "", FaultSpan::kAny, true}}};
    FaultPlan plan;
    plan.set({{"a", {.where = "*", .what = "late", .when = "packet 1"}},
              {"b", {.where = "*", .what = "lose", .when = "packet 2"}}},
             1);
    const auto block = plan.of("tile0.mpb", kTaking);
    BOOST_TEST(block->strike(0, 1_us));
    BOOST_TEST(!block->strike(1, 1_us));
    BOOST_TEST(!plan.took());
    BOOST_TEST(block->strike(1, 2_us));
    BOOST_TEST(plan.took());
}

BOOST_AUTO_TEST_CASE(a_fault_that_nobody_knows_is_named)
{
    FaultPlan plan;
    plan.set({{"a", {.where = "node0*", .what = "melt", .when = "1 us"}}}, 1);
    BOOST_TEST((plan.of("node0.lc2", kWords) == nullptr));
    BOOST_TEST(key_of([&] { plan.require_found(); }) == "a.what");
    BOOST_TEST(key_of([&] { plan.set({{"a", {.where = "", .what = "cut", .when = "1 us"}}}, 1); }) == "a.where");
    BOOST_TEST(key_of([&] { plan.set({{"a", {.where = "*", .what = "", .when = "1 us"}}}, 1); }) == "a.what");
    BOOST_TEST(key_of([&] { plan.set({{"a", {.where = "*", .what = "cut", .when = ""}}}, 1); }) == "a.when");
}

/// Another seed of the fault, of the run, or another block: other packets.
BOOST_AUTO_TEST_CASE(rates_of_each_block_and_seed_are_their_own)
{
    const auto pattern = [](std::int64_t seed, std::uint64_t run, const char* block) {
        FaultPlan plan;
        plan.set({{"a", {.where = "*", .what = "cut", .when = "0.5/packet", .lasts = "", .seed = seed}}}, run);
        const auto faults = plan.of(block, kWords);
        std::string seen;
        for (int i = 0; i < 60; ++i) seen += faults->strike(1, 1_us * std::int64_t{i}) ? 'x' : '.';
        return seen;
    };
    BOOST_TEST(pattern(1, 1, "b") == pattern(1, 1, "b"));
    BOOST_TEST(pattern(1, 1, "b") != pattern(2, 1, "b"));
    BOOST_TEST(pattern(1, 1, "b") != pattern(1, 2, "b"));
    BOOST_TEST(pattern(1, 1, "b") != pattern(1, 1, "c"));
}

BOOST_AUTO_TEST_CASE(a_state_says_until_when_it_holds)
{
    auto window = times("5us..9us");
    BOOST_TEST(window.until(4_us).ps() == 0);
    BOOST_TEST((window.until(5_us) == 9_us));
    BOOST_TEST(window.until(9_us).ps() == 0);
    BOOST_TEST((window.begins() == 5_us));
    BOOST_TEST(window.is_state());
    BOOST_TEST(!window.is_for_ever());
    auto for_ever = times("5 us");
    BOOST_TEST((for_ever.until(1_ms) == Duration::never()));
    BOOST_TEST(for_ever.is_for_ever());
    auto lasting = times("packet 2", "2 us");
    BOOST_TEST(lasting.is_state());
    BOOST_TEST((lasting.begins() == Duration::never()));
    lasting.strike(1_us, 1);
    BOOST_TEST(lasting.until(1_us).ps() == 0);
    lasting.strike(3_us, 1);
    BOOST_TEST((lasting.until(4_us) == 5_us));
    BOOST_TEST(!times("packet 2").is_state());
}

/// Nothing is drawn when something meets a state, and the plan counts all blocks together.
BOOST_AUTO_TEST_CASE(the_plan_says_what_has_struck)
{
    FaultPlan plan;
    plan.set({{"a", {.where = "*", .what = "cut", .when = "2 us"}},
              {"b", {.where = "*", .what = "lose", .when = "packet 1"}}},
             1);
    const auto first = plan.of("first", kWords);
    const auto second = plan.of("second", kWords);
    BOOST_TEST(plan.struck() == "");
    BOOST_TEST(first->meets(1, 1_us).ps() == 0);
    BOOST_TEST(plan.struck() == "");
    BOOST_TEST((first->meets(1, 3_us) == Duration::never()));
    BOOST_TEST((second->until(1, 3_us) == Duration::never()));
    second->strike(1, 3_us);
    BOOST_TEST(first->struck().count() == 1u);
    const std::string struck = plan.struck();
    BOOST_TEST(struck.find("a (cut)") != std::string::npos);
    BOOST_TEST(struck.find("2 times") != std::string::npos);
    BOOST_TEST(struck.find("b (lose)") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(words_hold_as_long_as_they_can)
{
    constexpr std::array<FaultWord, 3> kSpans{
        {{"any", "", FaultSpan::kAny}, {"down", "", FaultSpan::kTime}, {"halt", "", FaultSpan::kForEver}}};
    const auto key = [&](const std::string& what, const std::string& when, const std::string& lasts = "") {
        FaultPlan plan;
        plan.set({{"a", {.where = "*", .what = what, .when = when, .lasts = lasts}}}, 1);
        return key_of([&] { plan.of("block", kSpans); });
    };
    BOOST_TEST(key("any", "packet 3") == "none");
    BOOST_TEST(key("down", "packet 3") == "a.lasts");
    BOOST_TEST(key("down", "packet 3", "1 us") == "none");
    BOOST_TEST(key("down", "1us..2us") == "none");
    BOOST_TEST(key("halt", "1us..2us") == "a.when");
    BOOST_TEST(key("halt", "1 us", "2 us") == "a.when");
    BOOST_TEST(key("halt", "1 us") == "none");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace ringmesh::fault_test
