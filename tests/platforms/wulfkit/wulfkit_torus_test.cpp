// SPDX-License-Identifier: Apache-2.0
/// Quiet tori and switches: the latency between any two nodes is the sum of the stages between them.
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "platforms/configuration.h"
#include "platforms/files/catalog.h"
#include "tests/platforms/wulfkit/ring_bench.h"
#include "tests/support/cases.h"
#include "tests/support/policies.h"
#include "workloads/probes/latency_map.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using hw::BLinkParams;
using platforms::WulfkitParams;
using sci::Class;

constexpr auto kMessage = sci::Command::kWrite64;

struct Shape {
    std::string kind;
    std::vector<std::int64_t> dimensions;
    friend std::ostream& operator<<(std::ostream& out, const Shape& shape)
    {
        for (const auto size : shape.dimensions) out << size << ' ';
        return out << "kind " << shape.kind;
    }
};

const auto kShapes =
    data::make({Shape{"torus", {5}}, Shape{"torus", {4, 3}}, Shape{"torus", {3, 2, 4}}, Shape{"torus", {2, 3, 2, 2}},
                Shape{"counter-rotating", {6}}, Shape{"counter-rotating", {3, 2, 4}}, Shape{"switch", {2, 4}},
                Shape{"switch", {3, 3}}});

/// A processor whose poll loop is fast enough to be negligible.
WulfkitParams with(WulfkitParams params, const Shape& shape)
{
    params.topology = {shape.kind, shape.dimensions};
    params.host.clock = 10'000_MHz;
    params.host.poll_loop = 1_cycles;
    return params;
}

Duration rest(const WulfkitParams& params) { return params.link.symbol_time * (sci::symbols(kMessage) - 1); }
Duration cycles(const BLinkParams& blink, std::int64_t count) { return Cycles(count) * Clock(blink.clock); }
std::int64_t data_cycles(const BLinkParams& blink) { return blink.data(kMessage).count(); }
/// From a request for the bus to the last byte.
Duration over(const BLinkParams& blink)
{
    return cycles(blink, blink.arbitration.count()) +
           cycles(blink, blink.header.count() + data_cycles(blink) + blink.trailer.count());
}
/// The remaining wait if the bus begins its last data cycle with the last symbol.
Duration tail(const WulfkitParams& params, const BLinkParams& blink)
{
    const auto before = blink.arbitration.count() + blink.header.count() + data_cycles(blink) - 1;
    return std::max(Duration(), rest(params) - cycles(blink, before));
}

// The stages of a packet that comes from a ring, up to the next one or up to the bridge [000 ch.4, SCINET].

Duration to_blink(const WulfkitParams& params, const BLinkParams& blink)
{
    const bool whole = params.lc2.switching == "store-and-forward";
    return params.lc2.decode + (whole ? rest(params) : tail(params, blink)) + params.lc2.in_fifo_to_blink;
}
/// At these speeds the next link follows the head in all cut-through modes.
Duration blink_to_link(const WulfkitParams& params, const BLinkParams& blink)
{
    const bool head = params.lc2.switching == "cut-through";
    const Duration header = cycles(blink, blink.arbitration.count()) + cycles(blink, blink.header.count());
    return (head ? header : over(blink)) + params.lc2.blink_to_out_fifo;
}
Duration switching(const WulfkitParams& params, const BLinkParams& blink)
{
    return nanoseconds((to_blink(params, blink) + blink_to_link(params, blink)).ns() * params.lc2.transit_share);
}

/// From the call at the sender to the first symbol on the first ring.
Duration sending(const WulfkitParams& params)
{
    const Clock pci(params.pci.clock);
    const Duration store = (params.pci.address_phase + params.pci.write_wait + params.pci.data_phase) * pci;
    const std::int64_t stores = 64 / params.host.memcpy_gather.count();
    return params.host.library + params.host.store_issue * Clock(params.host.clock) + params.host.crossing +
           store * stores + params.pci.turnaround * pci * (stores - 1) + params.psb.crossing +
           blink_to_link(params, params.blink);
}

/// From the head on the last ring to the return at the receiver, without the phase of its poll loop.
Duration receiving(const WulfkitParams& params)
{
    const Clock pci(params.pci.clock);
    const std::int64_t phases = 64 / params.pci.width.count();
    const Cycles write = params.pci.address_phase + params.pci.write_wait + params.pci.data_phase * phases;
    return to_blink(params, params.blink) + over(params.blink) + params.psb.crossing + params.pci.arbitration * pci +
           write * pci + params.host.crossing + params.host.poll_miss + params.host.library;
}

/// From the head's leaving to its arrival at the far end of some links of one ring.
Duration along(const WulfkitParams& params, unsigned hops)
{
    const Duration bypass = params.link.symbol_time * params.lc2.bypass.count();
    return params.cable.propagation() * hops + bypass * (std::int64_t{hops} - 1);
}

Duration latency(const WulfkitParams& params, const Route& route)
{
    const bool by_switch = params.topology.kind == "switch";
    Duration sum = sending(params) + receiving(params);
    for (const RingUse& use : route) sum += along(params, use.hops);
    const auto changes = static_cast<std::int64_t>(route.count) - 1;
    return sum + switching(params, by_switch ? params.switch_blink : params.blink) * changes;
}

/// Measures all pairs on the real machine.
struct MapBench : RingBench {
    using RingBench::RingBench;

    workloads::Results measure()
    {
        workloads::LatencyMap map;
        platforms::read_assignments({"from=-1", "rows=pairs"}, "--workload",
                                    [&map](ParameterVisitor& visitor) { map.visit(visitor); });
        map.start(machine);
        simulation.run();
        simulation.require_drained();
        map.check();
        return map.results();
    }
    /// Every pair takes the sum of its stages and at most one period of the poll loop more.
    void check(const workloads::Results& results) const
    {
        BOOST_TEST_REQUIRE(results.rows.size() == nodes() * (nodes() - 1));
        const double turn = (params.host.poll_loop * Clock(params.host.clock)).ns();
        for (const auto& row : results.rows) {
            const auto from = static_cast<unsigned>(std::get<std::int64_t>(row[0]));
            const auto to = static_cast<unsigned>(std::get<std::int64_t>(row[1]));
            const double excess =
                std::get<double>(row[4]) - latency(params, machine.route(from, to, Class::kRequest)).ns();
            BOOST_TEST_CONTEXT(from << " to " << to)
            {
                BOOST_TEST(excess > -1e-6);
                BOOST_TEST(excess < turn + 1e-6);
            }
        }
    }
    /// Every packet put on a ring gets an echo, accepted or refused.
    void check_conservation() const
    {
        const auto chips = [this](const std::string& statistic) {
            double all = 0;
            for (const char* name : {"lc2", "lc2_0", "lc2_1", "lc2_2", "lc2_3", "lc2_0_up", "lc2_0_down", "lc2_1_up",
                                     "lc2_1_down", "lc2_2_up", "lc2_2_down"}) {
                all += sum(name, statistic);
            }
            return all;
        };
        BOOST_TEST(chips("echoes") == chips("stripped") + chips("refused"));
        BOOST_TEST(chips("sent") == chips("echoes"));
        BOOST_TEST(chips("retries") == chips("refused"));
        BOOST_TEST(chips("scrubbed") == 0);
        BOOST_TEST(chips("sent") > 0);
    }
};

Task<> store_to_all(PcProcessor& cpu, unsigned nodes, unsigned rounds)
{
    const auto bytes = message(64, cpu.rank());
    for (unsigned i = 0; i < rounds * (nodes - 1); ++i) {
        const unsigned to = (cpu.rank() + 1 + i % (nodes - 1)) % nodes;
        const std::uint64_t inbox = RingBench::map_inbox(cpu, to, 64 * cpu.rank(), 64);
        const StoreRequest store{StoreKind::kMmx, inbox, bytes.data(), 64};
        co_await cpu.store(store);
    }
}

}  // namespace

namespace ringmesh::test::wulfkit_torus_test {  // outside it, `system` is a function of the C library

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(wulfkit_torus)

namespace {

/// A message is 64 bytes, a transaction one request and one response; per dimension, because agents change rings.
void check_agents(MapBench& bench)
{
    const TorusShape& torus = *bench.machine.torus();
    std::vector<std::vector<std::uint64_t>> expected(torus.nodes(), std::vector<std::uint64_t>(torus.dimensions()));
    for (unsigned from = 0; from < torus.nodes(); ++from) {
        for (unsigned to = 0; to < torus.nodes(); ++to) {
            unsigned at = from;
            for (unsigned d = 0; d < torus.dimensions(); ++d) {
                if (torus.distance(from, to, d) == 0) continue;
                ++expected[at][d];  // the response leaves this ring where the request came to it
                at = torus.moved(at, d, torus.coordinate(to, d));
                ++expected[at][d];
            }
        }
    }
    for (unsigned node = 0; node < torus.nodes(); ++node) {
        for (unsigned d = 0; d < torus.dimensions(); ++d) {
            BOOST_TEST_CONTEXT("node " << node << ", dimension " << d)
            {
                BOOST_TEST(bench.machine.host(node).lc2(d).stats().stripped.count() == expected[node][d]);
            }
        }
    }
}

}  // namespace

/// And responses come back through the agents of their requests.
BOOST_DATA_TEST_CASE(a_latency_is_the_sum_of_its_stages, kShapes* data::make(all_policies<hw::SwitchingPolicy>()),
                     shape, mode)
{
    WulfkitParams params;
    params.lc2.switching = mode;
    MapBench bench(with(params, shape));
    bench.check(bench.measure());
    bench.check_conservation();
    if (shape.kind == "torus") check_agents(bench);
}

namespace {

/// An overlay, or none, and the resulting change of ring, stage by stage.
struct Change {
    std::string overlay;
    std::function<Duration(const WulfkitParams&)> stages;
    friend std::ostream& operator<<(std::ostream& out, const Change& change)
    {
        return out << (change.overlay.empty() ? "none" : change.overlay);
    }
};

Duration whole(const WulfkitParams& p)
{
    return p.lc2.decode + rest(p) + p.lc2.in_fifo_to_blink + over(p.blink) + p.lc2.blink_to_out_fifo;
}

const std::vector<Change> kChanges{
    {"", whole},
    {"blink-100MHz", whole},
    {"blink-128bit", whole},
    {"blink-unlimited", whole},
    {"lc2-fast-fifos", whole},
    {"link-4.0Gbps", whole},
    {"pci-64bit-66MHz", whole},
    {"stream-16x128", whole},
    {"cut-through-receive", [](const WulfkitParams& p) { return whole(p) - rest(p); }},
    {"cut-through",
     [](const WulfkitParams& p) {
         return whole(p) - rest(p) - cycles(p.blink, data_cycles(p.blink) + p.blink.trailer.count());
     }},
    {"half-switching", [](const WulfkitParams& p) { return whole(p) - rest(p) + tail(p, p.blink); }},
    {"enhanced", [](const WulfkitParams& p) { return nanoseconds(whole(p).ns() * p.lc2.transit_share); }},
};

WulfkitParams params_with(const std::string& overlay)
{
    auto configuration = platforms::Configuration::load(platforms::find_platform("wulfkit-torus-3x3"));
    if (!overlay.empty()) configuration.overlay(platforms::find_overlay(overlay));
    WulfkitParams params;
    configuration.read_into(params);
    return params;
}

}  // namespace

/// From node 0 to node 4 compared with node 0 to node 1: one link more, and the change of ring.
BOOST_DATA_TEST_CASE(each_overlay_changes_the_switching_latency_in_its_stages, data::make(kChanges), change)
{
    const WulfkitParams params = params_with(change.overlay);
    MapBench bench(with(params, {"torus", params.topology.dimensions}));
    const auto results = bench.measure();
    double along_ring = 0;
    double round_corner = 0;
    for (const auto& row : results.rows) {
        if (std::get<std::int64_t>(row[0]) != 0) continue;
        if (std::get<std::int64_t>(row[1]) == 1) along_ring = std::get<double>(row[4]);
        if (std::get<std::int64_t>(row[1]) == 4) round_corner = std::get<double>(row[4]);
    }
    const double turn = (bench.params.host.poll_loop * Clock(bench.params.host.clock)).ns();
    const double expected = (params.cable.propagation() + change.stages(params)).ns();
    BOOST_TEST(round_corner - along_ring > expected - turn);
    BOOST_TEST(round_corner - along_ring < expected + turn);
    bench.check(results);
}

/// With which the papers calculate the enhanced switch.
BOOST_AUTO_TEST_CASE(the_enhanced_overlay_changes_dimension_in_335_ns)
{
    const WulfkitParams params = params_with("enhanced");
    BOOST_TEST(whole(params).ns() * params.lc2.transit_share == 335, boost::test_tools::tolerance(2e-3));
}

/// The machine's real poll loop adds at most one period.
BOOST_AUTO_TEST_CASE(the_real_poll_loop_adds_less_than_a_turn)
{
    MapBench bench(params_with(""));
    bench.check(bench.measure());
}

/// Queues so short that packets are refused on every ring.
BOOST_DATA_TEST_CASE(all_packets_arrive_and_are_answered_when_queues_are_short, kShapes, shape)
{
    constexpr unsigned kRounds = 3;
    WulfkitParams params = with({}, shape);
    params.lc2.send_slots = 1;
    params.lc2.receive_slots = 1;
    params.psb.inbound_slots = 1;
    MapBench bench(params);
    bench.open_inboxes(64 * bench.nodes());
    for (unsigned rank = 0; rank < bench.nodes(); ++rank) {
        PcProcessor& cpu = bench.machine.processor(rank);
        cpu.run(store_to_all(cpu, bench.nodes(), kRounds), "stores");
    }
    bench.simulation.run();
    bench.simulation.require_drained();
    const double messages = kRounds * bench.nodes() * (bench.nodes() - 1.0);
    BOOST_TEST(bench.sum("psb", "written") == messages);
    BOOST_TEST(bench.sum("psb", "responses") == messages);
    bench.check_conservation();
    for (unsigned rank = 0; rank < bench.nodes(); ++rank) {
        for (unsigned from = 0; from < bench.nodes(); ++from) {
            std::vector<std::byte> place(64);
            bench.machine.processor(rank).peek(0x10000 + 64 * std::uint64_t{from}, place);
            BOOST_TEST((place == (from == rank ? std::vector<std::byte>(64) : message(64, from))));
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::test::wulfkit_torus_test
