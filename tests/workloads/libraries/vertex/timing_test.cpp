// SPDX-License-Identifier: Apache-2.0
/// The report's tests on a machine whose DMA costs nothing and whose timer is fine: what they find are sums of actions.
#include "workloads/libraries/vertex/timing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <ostream>

#include "platforms/ncube/machine.h"
#include "tests/platforms/configuration/user_error.h"
#include "tests/platforms/ncube/ncube_bench.h"
#include "tests/support/cases.h"

namespace ringmesh::test::timing_test {
namespace {

using workloads::Results;
using workloads::vertex::Measure;
using workloads::vertex::TimingOptions;
using workloads::vertex::Underlying;
using workloads::vertex::VertexTiming;

constexpr std::int64_t kFineGrain = 7;  // a microsecond

struct TimingRun {
    explicit TimingRun(const platforms::NcubeParams& params, const TimingOptions& options)
        : machine(simulation, params), timing(options)
    {
        timing.start(machine);
        simulation.run();
        simulation.require_drained();
        timing.check();
        results = timing.results();
    }
    double cell(std::size_t row, std::string_view column) const
    {
        for (std::size_t i = 0; i < results.columns.size(); ++i) {
            if (results.columns[i].name == column) return std::get<double>(results.rows.at(row).at(i));
        }
        throw std::out_of_range("no such column");
    }
    Simulation simulation{1};
    platforms::NcubeCube machine;
    VertexTiming timing;
    Results results;
};

platforms::NcubeParams fine(std::int64_t dimension)
{
    auto params = NcubeBench::cube(dimension);
    params.vertex.timer_grain = Cycles(kFineGrain);
    return params;
}

/// Sums of actions in microseconds, by [001 3.5].
struct Expected {
    Expected(const platforms::NcubeParams& params, std::uint32_t size)
    {
        const VertexActions p = params.vertex.actions();
        const auto byte = static_cast<double>(params.node.channel.byte.count());
        const auto us = [](Cycles clocks) { return static_cast<double>(clocks.count()) / 7; };
        const double copy = us(params.vertex.copy_time(size));
        const double interrupt = us(p.interrupt_entry + p.interrupt_return);
        const double start = us(p.channel_start);
        const double control =
            byte * static_cast<double>(params.vertex.request.count() + params.vertex.reply.count()) / 7;
        const double s = 2 * start + 2 * interrupt + us(p.leave + p.release);
        const double f = us(p.system_entry + p.allocate + p.route) + copy;
        const double u = us(p.deliver + p.release + p.system_return) + copy;
        e = 4 * start + control + 3 * us(p.interrupt_entry) + us(p.allocate + p.arm + p.route) + byte * size / 7;
        r = 2 * interrupt + us(p.allocate + p.arm + p.file) + 2 * start;
        const double detour = us(p.route) - us(p.file);  // a node that forwards looks for the way in place of filing
        rs = r + s + detour;
        fs = f + s + us(p.system_return);
        feu = f + e - detour + us(p.interrupt_return) + u;
        au = us(p.system_entry + p.match) + u;
    }
    double e, r, rs, fs, feu, au;
};

struct Slow {
    const char* what;
    std::int64_t byte;  // clocks on the wire
    std::int64_t copy;  // clocks of the loop for a word
};

std::ostream& operator<<(std::ostream& stream, const Slow& slow) { return stream << slow.what; }

/// 2000 bytes then take 8.6 ms on the wire, or to copy, and the short computation 5.9 ms.
const std::vector<Slow> kSlow{{"the wire", 30, 17}, {"the copy loops", 9, 120}};

platforms::NcubeParams slowed(const Slow& slow)
{
    auto params = fine(2);
    params.node.channel.byte = Cycles(slow.byte);
    params.vertex.copy = Cycles(slow.copy);
    return params;
}

/// What Vertex counted, over all nodes and the host, or on those whose name begins so.
double counted(const Simulation& simulation, std::string_view name, std::string_view node = "")
{
    struct Sum final : StatisticsVisitor {
        std::string_view wanted;
        double sum = 0;
        void value(std::string_view key, double value, std::string_view, std::string_view) override
        {
            if (key == wanted) sum += value;
        }
    } reader;
    reader.wanted = name;
    for (const Component* component : simulation.components()) {
        const std::string where = component->component_name();
        if (where.ends_with(".vertex") && where.starts_with(node)) component->statistics(reader);
    }
    return reader.sum;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(vertex_timing)

BOOST_DATA_TEST_CASE(the_tests_measure_the_sums_of_actions, data::make({false, true}) * data::make({true, false}),
                     floating, offset_trials)
{
    const auto params = fine(3);
    const TimingRun run(params, {.underlying = floating ? Underlying::kFloat : Underlying::kInteger,
                                 .sizes = "16,700,2000",
                                 .trials = 4,
                                 .offset_trials = offset_trials});
    const TimingOptions usual;
    const double long_us = 25.0 * static_cast<double>(floating ? 18 * usual.float_turn : 40 * usual.integer_turn) / 7;
    constexpr std::string_view kSaid = "the long computation ";
    const std::string notes = fmt::format("{}", fmt::join(run.results.notes, "\n"));
    const std::size_t at = notes.find(kSaid);
    BOOST_TEST_REQUIRE((at != std::string::npos), notes);
    BOOST_TEST(std::abs(std::stod(notes.substr(at + kSaid.size())) - long_us) < 0.1);
    const std::uint32_t sizes[] = {16, 700, 2000};
    for (std::size_t i = 0; i < 3; ++i) {
        const Expected expected(params, sizes[i]);
        constexpr double kGrain = 1.0;  // us
        BOOST_TEST(std::abs(run.cell(i, "E_us") - expected.e) < kGrain);
        BOOST_TEST(std::abs(run.cell(i, "R_us") - expected.r) < kGrain);
        BOOST_TEST(std::abs(run.cell(i, "R_S_us") - expected.rs) < kGrain);
        BOOST_TEST(std::abs(run.cell(i, "F_S_us") - expected.fs) < kGrain);
        BOOST_TEST(std::abs(run.cell(i, "F_E_U_us") - expected.feu) < kGrain);
        BOOST_TEST(std::abs(run.cell(i, "A_U_us") - expected.au) < kGrain);
        BOOST_TEST(std::abs(run.cell(i, "E_idle_us") - expected.e) < kGrain);
    }
}

/// The timer's grain of 146 us disappears in the mean because the trials begin all over it.
BOOST_DATA_TEST_CASE(a_coarse_timer_finds_the_same_within_its_grain_over_the_trials, data::make({20, 100}), trials)
{
    auto params = fine(2);
    params.vertex.timer_grain = Cycles(1024);
    const TimingRun run(params, {.sizes = "500", .trials = trials});
    const Expected expected(params, 500);
    const double grain = 1024.0 / 7 / trials;
    BOOST_TEST(std::abs(run.cell(0, "R_us") - expected.r) < 1.5 * grain);
    BOOST_TEST(std::abs(run.cell(0, "A_U_us") - expected.au) < 1.5 * grain);
    BOOST_TEST(std::abs(run.cell(0, "F_E_U_us") - expected.feu) < 1.5 * grain);
}

/// Trials that all begin at the same place of the grain read it all wrong in the same direction.
BOOST_AUTO_TEST_CASE(trials_that_are_not_spread_keep_the_grain_in_the_mean)
{
    auto params = fine(2);
    params.vertex.timer_grain = Cycles(1024);
    const TimingRun run(params, {.sizes = "16,500,900", .trials = 20, .offset_trials = false});
    const std::uint32_t sizes[] = {16, 500, 900};
    const double grain = 1024.0 / 7 / 20;
    double worst = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const Expected expected(params, sizes[i]);
        worst =
            std::max({worst, std::abs(run.cell(i, "R_us") - expected.r), std::abs(run.cell(i, "A_U_us") - expected.au),
                      std::abs(run.cell(i, "F_E_U_us") - expected.feu)});
    }
    BOOST_TEST(worst > 1.5 * grain);
    BOOST_TEST(worst < 20 * grain);
}

BOOST_DATA_TEST_CASE(computations_that_do_not_cover_the_transfers_end_the_run, data::make(kSlow), slow)
{
    Simulation simulation(1);
    platforms::NcubeCube machine(simulation, slowed(slow));
    VertexTiming timing({.sizes = "500,2000", .trials = 1});
    timing.start(machine);
    BOOST_TEST(error_of([&] { simulation.run(); }) ==
               "vertex-timing: the computations, 5857 us the short one, do not cover the transfers of messages of 2000 "
               "bytes; raise integer_turn or float_turn, or write smaller sizes");
}

BOOST_DATA_TEST_CASE(longer_computations_measure_the_sums_of_slow_actions, data::make(kSlow), slow)
{
    const auto params = slowed(slow);
    const TimingRun run(params, {.sizes = "2000", .trials = 4, .integer_turn = 410});
    const Expected expected(params, 2000);
    constexpr double kGrain = 1.0;  // us
    BOOST_TEST(std::abs(run.cell(0, "R_us") - expected.r) < kGrain);
    BOOST_TEST(std::abs(run.cell(0, "R_S_us") - expected.rs) < kGrain);
    BOOST_TEST(std::abs(run.cell(0, "F_S_us") - expected.fs) < kGrain);
    BOOST_TEST(std::abs(run.cell(0, "F_E_U_us") - expected.feu) < kGrain);
    BOOST_TEST(std::abs(run.cell(0, "A_U_us") - expected.au) < kGrain);
}

BOOST_AUTO_TEST_CASE(each_pair_of_channels_slows_the_computation_more)
{
    platforms::NcubeParams params;
    const TimingRun run(params, {.measure = Measure::kChannels, .channel_blocks = 10});
    BOOST_TEST_REQUIRE(run.results.rows.size() == 3u);
    double before = 1;
    for (std::size_t i = 0; i < 3; ++i) {
        BOOST_TEST(run.cell(i, "slowdown") > before);
        before = run.cell(i, "slowdown");
        BOOST_TEST(run.cell(i, "us_per_message") > 2000 * 9.0 / 7);
    }
}

/// With buffers for three messages requests are refused from four channels on.
BOOST_AUTO_TEST_CASE(refusals_are_those_of_the_time_in_which_node_0_was_timed)
{
    platforms::NcubeParams params;
    params.vertex.buffer_memory = 6_KiB;
    params.vertex.full_buffers = FullBuffers::kRepeat;
    const TimingRun run(params, {.measure = Measure::kChannels, .channel_blocks = 10});
    double refusals = 0;
    for (const auto& row : run.results.rows) refusals += static_cast<double>(std::get<std::int64_t>(row.at(4)));
    BOOST_TEST(std::get<std::int64_t>(run.results.rows.at(1).at(4)) > 0);
    BOOST_TEST(refusals <= counted(run.simulation, "refused", "node0."));
}

BOOST_AUTO_TEST_CASE(the_statistics_count_each_message_where_it_is_written_forwarded_and_read)
{
    const TimingRun run(fine(2), {.measure = Measure::kDistances, .sizes = "500", .trials = 2});
    // Echoes of nodes 1 and 3, loaded and idle, of three trials, one of them not timed; one to the host, then a stop
    // to each
    constexpr double kEchoes = 2 * 2 * 3;
    BOOST_TEST(counted(run.simulation, "sent") == 2 * kEchoes + 1 + 3 + 1);
    BOOST_TEST(counted(run.simulation, "received") == counted(run.simulation, "sent"));
    BOOST_TEST(counted(run.simulation, "sent_bytes") == 2 * kEchoes * 500 + 12 + 4 * 4);
    BOOST_TEST(counted(run.simulation, "received_bytes") == counted(run.simulation, "sent_bytes"));
    // To and from node 3, and its stop
    BOOST_TEST(counted(run.simulation, "forwarded") == kEchoes + 1);
    BOOST_TEST(counted(run.simulation, "buffers_highest", "node3.") >= 500);
}

BOOST_AUTO_TEST_CASE(the_first_distance_has_an_echo_and_no_difference)
{
    const TimingRun run(fine(2), {.measure = Measure::kDistances, .sizes = "16", .trials = 2});
    BOOST_TEST_REQUIRE(run.results.rows.size() == 2u);
    for (const std::size_t column : {3u, 4u}) {
        BOOST_TEST(std::holds_alternative<std::monostate>(run.results.rows[0].at(column)));
        BOOST_TEST(std::get<double>(run.results.rows[1].at(column)) > 0);
    }
    BOOST_TEST(run.cell(0, "echo_us") > 0);
}

/// Messages go on coming, so that nothing else would ever end these runs.
BOOST_DATA_TEST_CASE(messages_so_short_that_node_0_only_forwards_end_the_run, data::make({1, 16, 100, 400}), bytes)
{
    Simulation simulation(1);
    platforms::NcubeCube machine(simulation, platforms::NcubeParams{});
    VertexTiming timing({.measure = Measure::kChannels, .channel_bytes = bytes, .channel_blocks = 2});
    timing.start(machine);
    const std::string error = error_of([&] { simulation.run(); });
    BOOST_TEST(error.starts_with(fmt::format("vertex-timing: channel_bytes = {}: with ", bytes)), error);
    BOOST_TEST((error.find("write channel_bytes=1500 or more") != std::string::npos), error);
}

BOOST_AUTO_TEST_CASE(longer_messages_do_not_end_the_run)
{
    const TimingRun run({}, {.measure = Measure::kChannels, .channel_bytes = 1500, .channel_blocks = 2});
    BOOST_TEST(run.results.rows.size() == 3u);
}

BOOST_AUTO_TEST_CASE(messages_over_only_two_channels_do_not_end_the_run)
{
    platforms::NcubeParams square;
    square.topology.dimension = 2;
    const TimingRun run(square, {.measure = Measure::kChannels, .channel_bytes = 1, .channel_blocks = 2});
    BOOST_TEST(run.results.rows.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_cube_without_two_neighbours_is_refused)
{
    Simulation simulation(1);
    platforms::NcubeCube machine(simulation, NcubeBench::cube(1));
    VertexTiming timing;
    BOOST_TEST(
        error_of([&] { timing.start(machine); }) ==
        "vertex-timing: a cube of dimension 1 is too small: node 0 needs two neighbours; set topology.dimension to "
        "2 or more");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::test::timing_test
