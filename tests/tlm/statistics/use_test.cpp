// SPDX-License-Identifier: Apache-2.0
#include "tlm/statistics/use.h"

#include <array>
#include <numeric>
#include <vector>

#include "tests/support/cases.h"
#include "tlm/simulation/random.h"
#include "tlm/statistics/activity.h"
#include "tlm/statistics/component.h"

namespace {

using namespace ringmesh;

/// A block with a place of each sort.
class Block final : public Component {
public:
    std::string component_name() const override { return "block"; }
    void statistics(StatisticsVisitor&) const override {}
    std::string pending() const override { return ""; }
    void places(PlaceVisitor& visitor) const override
    {
        static constexpr std::array<std::string_view, 1> kIdle{"idle"};
        visitor.busy("link", "link", link);
        visitor.level("queue", "queue", queue, 400);
        visitor.state("state", "processor", state, kIdle);
    }

    Activity link;
    Level queue;
    StateWord state;
};

struct Bench {
    explicit Bench(Duration every = Duration::zero()) : meter(every)
    {
        meter.attach({&block});
        link = meter.places()[0].get();
        queue = meter.places()[1].get();
        state = meter.places()[2].get();
    }
    Block block;
    UseMeter meter;
    PlaceUse* link = nullptr;
    PlaceUse* queue = nullptr;
    PlaceUse* state = nullptr;
};

template <class Member>
auto sum_of(const PlaceUse& use, Member member)
{
    using Value = std::remove_cvref_t<decltype(PlaceUse::Sample{}.*member)>;
    return std::accumulate(use.samples().begin(), use.samples().end(), Value{},
                           [member](Value sum, const PlaceUse::Sample& sample) { return sum + sample.*member; });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(use)

BOOST_AUTO_TEST_CASE(a_place_that_is_not_measured_records_nothing)
{
    Block block;
    block.link.busy(1_ns, 2_ns, "request", 1, {.bytes = 16});
    block.link.wait(3_ns);
    ++block.queue;
    block.state = "computing";
    BOOST_TEST(!block.link.measured());
    BOOST_TEST(block.queue == 1u);
    BOOST_TEST(block.state.word() == "computing");
}

BOOST_AUTO_TEST_CASE(places_have_the_names_and_kinds_that_blocks_give)
{
    const Bench bench;
    BOOST_TEST_REQUIRE(bench.meter.places().size() == 3u);
    BOOST_TEST(bench.link->name() == "block.link");
    BOOST_TEST(bench.link->kind() == "link");
    BOOST_TEST(bench.link->has_busy());
    BOOST_TEST(!bench.link->has_level());
    BOOST_TEST(bench.queue->has_level());
    BOOST_TEST(!bench.queue->has_busy());
    BOOST_TEST(bench.state->has_busy());
}

BOOST_AUTO_TEST_CASE(busy_periods_add_up)
{
    const Bench bench;
    bench.block.link.busy(1_ns, 4_ns, "request", 1, {.bytes = 16});
    bench.block.link.busy(6_ns, 7_ns, "request", 2, {.bytes = 32});
    bench.block.link.busy(7_ns, 8_ns, "rest", 2, {.bytes = 0, .packets = 0});
    BOOST_TEST(bench.link->busy_time().ps() == 5'000);
    BOOST_TEST(bench.link->bytes() == 48u);
    BOOST_TEST(bench.link->packets() == 2u);
    BOOST_TEST(bench.link->samples().empty());
}

BOOST_AUTO_TEST_CASE(waits_count_if_there_was_one_and_refusals_always)
{
    const Bench bench;
    for (const Duration span : {5_ns, 0_ns, 2_ns}) bench.block.link.wait(span);
    bench.block.link.refuse();
    BOOST_TEST(bench.link->waits() == 2u);
    BOOST_TEST(bench.link->refusals() == 1u);
    BOOST_TEST(bench.link->waited().ps() == 7'000);
    BOOST_TEST(bench.link->longest_wait().ps() == 5'000);
}

BOOST_AUTO_TEST_CASE(a_queue_has_a_mean_a_highest_and_the_time_at_each_length)
{
    Bench bench;
    bench.queue->level(500, 10_ns);  // for no time
    bench.queue->level(2, 10_ns);
    bench.queue->level(1, 14_ns);
    bench.queue->level(300, 15_ns);
    bench.queue->level(0, 16_ns);
    bench.meter.finish(20_ns);
    BOOST_TEST(bench.queue->highest() == 300u);
    BOOST_TEST(bench.queue->room() == 400u);
    BOOST_TEST(bench.queue->level_area() == 2 * 4'000 + 1'000 + 300 * 1'000);
    const auto& times = bench.queue->levels_ps();
    BOOST_TEST_REQUIRE(times.size() == PlaceUse::kLevels);
    BOOST_TEST(times[0] == 14'000);
    BOOST_TEST(times[1] == 1'000);
    BOOST_TEST(times[2] == 4'000);
    BOOST_TEST(times.back() == 1'000);  // for all that are longer
    BOOST_TEST(std::accumulate(times.begin(), times.end(), std::int64_t{0}) == 20'000);
}

BOOST_AUTO_TEST_CASE(a_processor_is_busy_in_the_states_that_are_work)
{
    Bench bench;
    bench.state->state("computing", false, 3_ns);
    bench.state->state("idle", true, 10_ns);
    bench.state->state("computing", false, 12_ns);
    bench.meter.finish(13_ns);
    const auto& states = bench.state->states_ps();
    BOOST_TEST_REQUIRE(states.size() == 2u);
    BOOST_TEST(states[0].first == "idle");
    BOOST_TEST(states[0].second == 5'000);
    BOOST_TEST(states[1].first == "computing");
    BOOST_TEST(states[1].second == 8'000);
    BOOST_TEST(bench.state->busy_time().ps() == 8'000);
    BOOST_TEST(bench.state->packets() == 0u);
}

BOOST_AUTO_TEST_CASE(a_period_is_cut_at_the_borders_of_samples)
{
    const Bench bench(10_ns);
    bench.block.link.busy(8_ns, 31_ns, "request", 1, {.bytes = 64});
    const auto& samples = bench.link->samples();
    BOOST_TEST_REQUIRE(samples.size() == 4u);
    BOOST_TEST(samples[0].busy_ps == 2'000);
    BOOST_TEST(samples[1].busy_ps == 10'000);
    BOOST_TEST(samples[2].busy_ps == 10'000);
    BOOST_TEST(samples[3].busy_ps == 1'000);
    BOOST_TEST(samples[0].bytes == 64u);  // counts where it begins
    BOOST_TEST(samples[0].packets == 1u);
    BOOST_TEST(samples[1].packets == 0u);
}

BOOST_AUTO_TEST_CASE(a_period_that_ends_at_a_border_begins_no_sample)
{
    const Bench bench(10_ns);
    bench.block.link.busy(0_ns, 10_ns, "request", 1);
    BOOST_TEST(bench.link->samples().size() == 1u);
}

BOOST_AUTO_TEST_CASE(samples_add_up_to_the_whole)
{
    Random random(7);
    for (const std::int64_t every : {1, 999, 10'000, 1'000'000}) {
        Bench bench(Duration::picoseconds(every));
        std::int64_t time = 0;
        for (int i = 0; i < 200; ++i) {
            const auto gap = static_cast<std::int64_t>(random.below(5'000));
            const auto span = static_cast<std::int64_t>(random.below(20'000));
            const Duration from = Duration::picoseconds(time + gap);
            const Duration to = from + Duration::picoseconds(span);
            bench.block.link.busy(from, to, "request", 1, {.bytes = static_cast<std::uint32_t>(random.below(100))});
            bench.queue->level(static_cast<std::uint32_t>(random.below(9)), from);
            bench.state->state(random.below(2) == 0 ? "a" : "b", false, from);
            time = to.ps();
        }
        bench.meter.finish(Duration::picoseconds(time));
        BOOST_TEST(sum_of(*bench.link, &PlaceUse::Sample::busy_ps) == bench.link->busy_time().ps());
        BOOST_TEST(sum_of(*bench.link, &PlaceUse::Sample::bytes) == bench.link->bytes());
        BOOST_TEST(sum_of(*bench.link, &PlaceUse::Sample::packets) == bench.link->packets());
        BOOST_TEST(sum_of(*bench.queue, &PlaceUse::Sample::level_ps) == bench.queue->level_area());
        BOOST_TEST(sum_of(*bench.state, &PlaceUse::Sample::busy_ps) == bench.state->busy_time().ps());
    }
}

BOOST_AUTO_TEST_CASE(too_many_samples_are_merged_in_pairs)
{
    Bench bench(1_ps);
    const auto end = Duration::picoseconds(3 * static_cast<std::int64_t>(UseMeter::kMostSamples));
    bench.block.link.busy(5_ps, 7_ps, "request", 1, {.bytes = 3});
    bench.block.link.busy(end, end + 2_ps, "request", 1, {.bytes = 4});
    BOOST_TEST(bench.meter.asked().ps() == 1);
    const std::int64_t every = bench.meter.every().ps();
    BOOST_TEST(every >= 3 * 3);  // of three places
    BOOST_TEST((every & (every - 1)) == 0);
    BOOST_TEST(bench.link->samples().size() <= UseMeter::kMostSamples / 3);
    BOOST_TEST(sum_of(*bench.link, &PlaceUse::Sample::busy_ps) == 4);
    BOOST_TEST(sum_of(*bench.link, &PlaceUse::Sample::bytes) == 7u);
    BOOST_TEST(bench.link->samples().front().bytes == 3u);
    BOOST_TEST(bench.link->samples().back().bytes == 4u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
