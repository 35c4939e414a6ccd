// SPDX-License-Identifier: Apache-2.0
/// Networks under a load near and far above saturation: what they carry, how long it takes, and that all of it arrives.

#include <algorithm>

#include "lab/process/child_process.h"
#include "tests/platforms/wulfkit/ring_bench.h"
#include "tests/support/cases.h"
#include "tests/workloads/fakes/fake_machine.h"
#include "tlm/units/quantity.h"
#include "workloads/traffic/traffic.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using platforms::WulfkitParams;
using workloads::TrafficOptions;

using Sizes = std::vector<std::int64_t>;

WulfkitParams machine(const Sizes& dimensions)
{
    WulfkitParams params;
    params.topology.dimensions = dimensions;
    return params;
}

TrafficOptions offered(double load, const std::string& pattern = "uniform", Duration duration = 200_us)
{
    TrafficOptions options;
    options.pattern = pattern;
    options.load = std::to_string(load);
    options.duration = to_string(duration);
    return options;
}

struct Outcome {
    workloads::Results results;
    double refused = 0;

    double number(const std::string& column) const { return cell<double>(results, 0, column); }
};

/// A run at whose end every packet is delivered and answered, echoed, and gone from everywhere.
Outcome run(const WulfkitParams& params, const TrafficOptions& options)
{
    SourceBench bench(params);
    workloads::Traffic traffic(options);
    traffic.start(bench.machine);
    bench.simulation.run();
    traffic.check();
    bench.simulation.require_drained();
    BOOST_TEST(bench.sum("", "sent") == bench.sum("", "echoes"));
    BOOST_TEST(bench.sum("", "sent") == bench.sum("", "stripped") + bench.sum("", "refused"));
    BOOST_TEST(bench.sum("", "scrubbed") == 0);
    Outcome outcome{traffic.results(), bench.sum("", "refused")};
    BOOST_TEST(cell<std::int64_t>(outcome.results, 0, "dropped") == 0);
    return outcome;
}

/// The same in a process of its own: SystemC builds one machine in each.
template <class Value>
std::vector<double> of_each_load(const std::vector<double>& loads, const Value& value)
{
    std::vector<lab::Job> jobs;
    for (const double load : loads) jobs.push_back([=] { return std::to_string(value(load)); });
    std::vector<double> values;
    for (const std::string& text : lab::run_in_children(jobs, 2)) values.push_back(std::stod(text));
    return values;
}

}  // namespace

BOOST_TEST_DONT_PRINT_LOG_VALUE(std::vector<std::int64_t>)

namespace ringmesh::test::traffic_under_load_test {  // outside it, `system` is a function of the C library

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(traffic_under_load)

namespace {

const auto kNodes = data::make({2u, 3u, 8u, 64u});

/// What a ring far above saturation carries in all, by what one link does. A 64-byte write takes 64 symbols of two
/// bytes on each link of a circle, N / 2 circles for N nodes: all nodes together can get the rate of one link, whatever
/// their number.
double part_of_the_link_rate(unsigned nodes, hw::FlowControl flow_control,
                             hw::OwnBeforePassing reading = hw::OwnBeforePassing::kLeaves)
{
    WulfkitParams params = RingBench::nodes(nodes);
    params.link.flow_control = flow_control;
    params.lc2.own_before_passing = reading;
    const double link_mb_per_s = 2 / params.link.symbol_time.us();
    return run(params, offered(1.3)).number("accepted_total_mb_per_s") / link_mb_per_s;
}

constexpr std::int64_t kSendSlots = 8;
constexpr Duration kRequestAndResponse = 560_ns;  // on the slow receiver's B-Link: 12 and 4 cycles

/// MB/s that a slow node of two takes from the other, which offers a third more; links of 500 MB/s.
double taken_by_a_slow_node(Duration retry_interval, sci::Phase first)
{
    WulfkitParams params = machine({2});
    params.link.symbol_time = 4_ns;
    params.blink.clock = 75_MHz;
    params.lc2.retry_interval = retry_interval;
    params.lc2.first_phase = first;
    params.lc2.send_slots = kSendSlots;
    params.one_node.emplace(1, params);
    params.one_node.at(1).blink.clock = Frequency::hertz(28'571'429);
    TrafficOptions options = offered(0.3, "between", 1'000_us);
    options.load = TrafficOptions::kAuto;
    options.rate = "152.4";
    options.arrivals = "periodic";
    options.warm_up = "200 us";
    options.packet.inject = "blink";
    Simulation simulation{1};
    platforms::BareRings rings(simulation, params, NodeKind::kCardSource);
    workloads::Traffic traffic(options);
    traffic.start(rings);
    simulation.run();
    traffic.check();
    return cell<double>(traffic.results(), 0, "accepted_mb_per_s");
}

const auto kFirstPhases = data::make({sci::Phase::kDoTry, sci::Phase::kNoTry});

}  // namespace

/// As long as the refused packets of a full send queue come back before the receiver has emptied its queue.
BOOST_DATA_TEST_CASE(a_slow_receiver_takes_its_rate_whatever_the_retry_interval,
                     data::make({1_ns, 100_ns, 1_us}) * kFirstPhases, interval, first)
{
    const double rate = 64 / kRequestAndResponse.us();
    BOOST_TEST(taken_by_a_slow_node(interval, first) == rate, boost::test_tools::tolerance(0.002));
}

/// A refused packet keeps its slot for one interval at least, two if its first retry has to ask for a place.
BOOST_DATA_TEST_CASE(behind_a_long_retry_interval_the_send_slots_are_the_limit,
                     data::make({10_us, 20_us}) * kFirstPhases, interval, first)
{
    const double taken = taken_by_a_slow_node(interval, first);
    const double most = kSendSlots * 64 / interval.us();
    BOOST_TEST(taken <= most);
    BOOST_TEST(taken >= 0.4 * most);
}

BOOST_DATA_TEST_CASE(a_saturated_ring_without_flow_control_approaches_the_link_rate, kNodes, nodes)
{
    const double part = part_of_the_link_rate(nodes, hw::FlowControl("off"));
    BOOST_TEST(part >= 0.85);
    BOOST_TEST(part <= 1.005);  // a packet or two in the window that began before it
}

/// Rings of 8 to 64 nodes carry 0.70 to 0.75 of it, by either reading of whether own packets go before a head in the
/// bypass: what fairness costs (docs/reference/machines/timing_model.md). The window has some 900 packets, a percent of
/// which may be under way at its ends.
BOOST_DATA_TEST_CASE(a_saturated_ring_with_go_bits_carries_seven_tenths_of_the_link_rate,
                     kNodes* data::make({false, true}), nodes, other)
{
    const double part = part_of_the_link_rate(nodes, hw::FlowControl("go-bits"),
                                              other ? hw::OwnBeforePassing::kArrives : hw::OwnBeforePassing::kLeaves);
    BOOST_TEST(part >= 0.7 * 0.99);
    BOOST_TEST(part <= 1.005);
}

/// With uniform traffic the accepted load stays the same for any higher offered load.
BOOST_DATA_TEST_CASE(uniform_traffic_loses_nothing_past_saturation, data::make({Sizes{8}, Sizes{4, 4}}), dimensions)
{
    const std::vector<double> loads{0.2, 0.7, 1.0, 1.6};  // the last one twice that of saturation and more
    const auto accepted = of_each_load(
        loads, [&](double load) { return run(machine(dimensions), offered(load)).number("accepted_total_mb_per_s"); });
    BOOST_TEST(accepted[0] < 0.5 * accepted.back());
    BOOST_TEST(accepted.back() >= 0.95 * *std::max_element(accepted.begin(), accepted.end()));
}

BOOST_AUTO_TEST_CASE(mean_latency_rises_with_the_load_from_the_unloaded_one)
{
    const std::vector<double> loads{0.002, 0.02, 0.05, 0.2, 0.4, 0.6, 0.7};
    const auto latency = of_each_load(loads, [](double load) {
        const Duration for_6000_packets = nanoseconds(1e6 / load);
        return run(machine({8}), offered(load, "uniform", for_6000_packets)).number("latency_mean_ns");
    });
    BOOST_TEST(latency[1] <= 1.02 * latency[0]);
    for (std::size_t i = 2; i < latency.size(); ++i) BOOST_TEST(latency[i] > latency[i - 1]);
}

/// No link is busy for longer than the window lasts, however far packets have their places on it ahead of time.
BOOST_DATA_TEST_CASE(no_link_is_busy_for_more_than_all_the_time,
                     data::make({Sizes{2}, Sizes{4, 4}}) * data::make({10_us, 100_us}), dimensions, duration)
{
    WulfkitParams params = machine(dimensions);
    // Without go bits a ring is fuller; a torus would stand still
    if (dimensions.size() == 1) params.link.flow_control = "off";
    SourceBench bench(params);
    workloads::Traffic traffic(offered(1.5, "uniform", duration));
    traffic.start(bench.machine);
    bench.simulation.run();
    const auto results = traffic.results();
    BOOST_TEST(cell<double>(results, 0, "link_use_highest") <= 1.0);
    BOOST_TEST(cell<double>(results, 0, "link_use_highest") > 0.7);
    if (dimensions.size() > 1) BOOST_TEST(cell<double>(results, 0, "blink_use_highest") <= 1.0);
}

namespace {

/// One slot in every queue.
WulfkitParams tight(const Sizes& dimensions, const std::string& kind = "torus")
{
    WulfkitParams params = machine(dimensions);
    params.topology.kind = kind;
    params.lc2.send_slots = 1;
    params.lc2.receive_slots = 1;
    return params;
}

}  // namespace

/// Far beyond saturation, packets on all of a network's rings: a cyclic wait of queues would be a deadlock
/// (docs/reference/machines/deadlock.md).
BOOST_DATA_TEST_CASE(a_flooded_torus_always_makes_progress,
                     data::make({"uniform", "tornado", "bit-complement"}) ^ data::make({8, 1, 1}), name, slots)
{
    WulfkitParams params = tight({4, 4, 4});
    params.lc2.send_slots = slots;
    params.lc2.receive_slots = slots;
    BOOST_TEST(run(params, offered(2, name, 30_us)).refused > 1000);
}

BOOST_DATA_TEST_CASE(no_other_flooded_network_ever_stops,
                     (data::make({"counter-rotating", "switch"}) ^ data::make({Sizes{3, 4, 3}, Sizes{4, 4}})) *
                         data::make({"uniform", "hot-spot"}) * data::make({false, true}),
                     kind, dimensions, name, cut_through)
{
    WulfkitParams params = tight(dimensions, kind);
    params.lc2.switching = cut_through ? hw::Switching("cut-through") : hw::Switching("store-and-forward");
    // More than 1.14 a B-Link cannot offer to rings that run both ways
    const double load = kind == "counter-rotating" ? 1.1 : 1.5;
    BOOST_TEST(run(params, offered(load, name, 30_us)).refused > 100);
}

BOOST_DATA_TEST_CASE(a_flooded_torus_makes_progress_for_a_long_time, data::make({"uniform", "hot-spot"}), name)
{
    BOOST_TEST(run(tight({4, 4, 4}), offered(1.5, name, 120_us)).refused > 1000);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::test::traffic_under_load_test
