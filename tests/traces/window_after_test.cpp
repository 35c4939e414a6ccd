// SPDX-License-Identifier: Apache-2.0
/// Windows that are known only after the run.
#include <functional>
#include <string>

#include "tests/support/cases.h"
#include "tests/traces/read_vcd.h"
#include "tests/traces/recorder_bench.h"
#include "tlm/error.h"
#include "tlm/statistics/component.h"

using namespace ringmesh;
using namespace ringmesh::test;

namespace {

class Chip final : public Component {
public:
    std::string component_name() const override { return "chip"; }
    void statistics(StatisticsVisitor&) const override {}
    std::string pending() const override { return ""; }
};

/// Packet 1 from 1 to 4 us, 2 from 5 to 9 us and once more from 15 to 16 us, 3 from 17 to 18 us; a busy echo of packet
/// 2 at 8 us.
struct Run {
    RecorderBench bench;
    Chip chip;
    std::string missed;

    std::map<std::string, Changes> record(const std::string& window, std::int64_t until_us = 20)
    {
        Recorder file(to_vcd("run.vcd"), parse_window(window));
        bench.block.trace(&file);
        bench.block.at(1_us, [this] { bench.block.link.busy(1_us, 4_us, "request", 1); });
        bench.block.at(5_us, [this] { bench.block.link.busy(5_us, 6_us, "request", 2); });
        bench.block.at(7_us, [this] {
            bench.block.fill = 7;
            bench.block.link.busy(8_us, 9_us, "busy echo", 2);
        });
        bench.block.at(14_us, [&] {
            file.stage(chip, {"send", 0, Leg::kRequest, StageKind::kCall, 10_us, 14_us});
            file.stage(chip, {"send", 0, Leg::kRequest, StageKind::kCall, 9_us, 13_us});
            file.stage(chip, {"rank", 0, Leg::kRequest, StageKind::kCall, 8_us, 8_us});  // takes no time
        });
        bench.block.at(15_us, [&] { file.stage(chip, {"copy", 2, Leg::kRequest, StageKind::kWork, 15_us, 16_us}); });
        bench.block.at(17_us, [this] {
            bench.block.phase = "sending";
            bench.block.link.busy(17_us, 18_us, "request", 3);
        });
        sc_core::sc_start(to_kernel(Duration::picoseconds(until_us * 1'000'000)));
        file.close();
        missed = file.missed();
        recorded = file.recorded();
        if (!missed.empty()) return {};  // no file
        return read_vcd("run.vcd");
    }
    std::optional<Window> recorded;
};

bool about(Duration time, Duration expected)
{
    const std::int64_t apart = time.ps() - expected.ps();
    return apart >= -600'000 && apart <= 600'000;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(window_after)

using Case = std::tuple<std::string, Duration, Duration>;

BOOST_DATA_TEST_CASE(the_window_is_that_of_what_was_asked_for, data::make({0, 1, 2, 3, 4, 5, 6}), i)
{
    const Case cases[] = {{"packet:1", 1_us, 4_us},         {"packet:2", 5_us, 16_us},       {"slowest", 5_us, 16_us},
                          {"first:busy-echo", 5_us, 16_us}, {"first:sending", 16_us, 18_us}, {"packet:3", 17_us, 18_us},
                          {"call:2", 10_us, 14_us}};
    const auto& [window, from, to] = cases[i];
    Run run;
    const auto changes = run.record(window);
    BOOST_REQUIRE(run.recorded.has_value());
    BOOST_TEST(about(run.recorded->from, from), window << " from " << run.recorded->from.ps());
    BOOST_TEST(about(run.recorded->to, to), window << " to " << run.recorded->to.ps());
    BOOST_TEST((changes.at("block.fill").back().second == (to > 7_us ? "111" : "0")));
}

BOOST_AUTO_TEST_CASE(the_state_at_the_start_of_a_window_is_known)
{
    Run run;
    const auto changes = run.record("packet:3");
    BOOST_TEST(changes.at("block.fill").size() == 1u);
    BOOST_TEST(changes.at("block.fill").front().second == "111");
    BOOST_TEST(changes.at("block.link").front().second == "idle");
}

using Miss = std::pair<std::string, std::string>;

BOOST_DATA_TEST_CASE(a_window_that_catches_nothing_says_what_there_is, data::make({0, 1, 2}), i)
{
    const Miss misses[] = {{"packet:99", "nearest is 3"}, {"first:retry", "busy-echo"}, {"call:3", "1 to 2"}};
    Run run;
    const auto changes = run.record(misses[i].first);
    BOOST_TEST(run.missed.find(misses[i].second) != std::string::npos, run.missed);
    BOOST_TEST(!run.recorded);
    BOOST_TEST(changes.empty());
}

BOOST_DATA_TEST_CASE(the_last_microseconds_are_those_before_the_end, data::make({false, true}), is_long)
{
    Run run;
    // Long: of many blocks, most of which are dropped
    std::uint64_t count = 0;
    Actor other("other");
    const std::function<void()> toggle = [&] {
        run.bench.block.busy = !run.bench.block.busy;
        if (++count < 400'000) other.at(now() + 40_ps, toggle);
    };
    if (is_long) other.at(1_ns, toggle);
    const auto changes = run.record("last:4us");
    BOOST_REQUIRE(run.recorded.has_value());
    BOOST_TEST((*run.recorded == Window{16_us, 20_us}));
    BOOST_TEST(changes.at("block.fill").front().second == "111");
    BOOST_TEST((first_time(changes.at("block.link"), "request") == 17_us));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
