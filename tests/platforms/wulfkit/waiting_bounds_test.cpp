// SPDX-License-Identifier: Apache-2.0
/// The longest wait at an arbitration point under saturation: at most what docs/reference/machines/deadlock.md gives as
/// its bound, on random machines. RINGMESH_RANDOM_MACHINES=1000 tries so many of each kind.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "platforms/mesh/bare_mesh.h"
#include "tests/platforms/wulfkit/ring_bench.h"
#include "tests/support/cases.h"
#include "tlm/mesh/packet.h"
#include "tlm/sci/packet.h"
#include "tlm/simulation/journey.h"
#include "tlm/simulation/random.h"
#include "tlm/statistics/use.h"

namespace ringmesh::waiting_bounds_test {

using namespace ringmesh::literals;

/// Every source has all its packets at once, so that its queue is full until it has sent them.
class Rush final : public TrafficModel {
public:
    using Make = std::function<Injection(unsigned source)>;
    Rush(std::vector<unsigned> packets, Make make) : left_(std::move(packets)), make_(std::move(make)) {}

    Injection next(unsigned source) override
    {
        if (left_[source] == 0) return {};
        --left_[source];
        return make_(source);
    }
    void delivered(const OfferedPacket&, Duration) override { ++arrived; }
    void answered(const OfferedPacket&, Duration) override {}
    void dropped(unsigned, Duration) override { BOOST_TEST(false); }

    unsigned arrived = 0;

private:
    std::vector<unsigned> left_;
    Make make_;
};

unsigned machines()
{
    const char* wanted = std::getenv("RINGMESH_RANDOM_MACHINES");
    return wanted == nullptr ? 12U : static_cast<unsigned>(std::atol(wanted));
}

template <class Value>
Value one_of(Random& random, std::initializer_list<Value> values)
{
    return values.begin()[random.below(values.size())];
}

/// Of the places with these kinds, the longest wait of each.
std::map<std::string, Duration> longest_waits(const UseMeter& meter, std::string_view kind)
{
    std::map<std::string, Duration> longest;
    for (const auto& place : meter.places()) {
        if (place->kind().ends_with(kind)) longest[place->name()] = place->longest_wait();
    }
    return longest;
}

// Meshes: all nodes send to one, itself among them, so that the routes are a tree and each router has one output with
// waiting heads

struct Mesh {
    hw::MeshParams params;
    std::uint32_t target = 0;
    std::int64_t flits = 1;

    std::uint32_t routers() const { return static_cast<std::uint32_t>(params.columns * params.rows); }
    std::uint32_t x(std::uint32_t router) const { return router % static_cast<std::uint32_t>(params.columns); }
    std::uint32_t y(std::uint32_t router) const { return router / static_cast<std::uint32_t>(params.columns); }
    mesh::Port port(std::uint32_t router) const
    {
        const bool along_row = x(router) != x(target);
        const bool along_column = y(router) != y(target);
        if (along_row && (params.routing == "xy" || !along_column)) {
            return x(router) < x(target) ? mesh::Port::kEast : mesh::Port::kWest;
        }
        if (along_column) return y(router) < y(target) ? mesh::Port::kNorth : mesh::Port::kSouth;
        return mesh::Port::kLocal;
    }
    std::uint32_t next(std::uint32_t router) const
    {
        const auto columns = static_cast<std::uint32_t>(params.columns);
        switch (port(router)) {
            case mesh::Port::kEast: return router + 1;
            case mesh::Port::kWest: return router - 1;
            case mesh::Port::kNorth: return router + columns;
            case mesh::Port::kSouth: return router - columns;
            case mesh::Port::kLocal: break;
        }
        return router;
    }
    std::string output(std::uint32_t router) const
    {
        return "r" + std::to_string(x(router)) + "_" + std::to_string(y(router)) + "." +
               std::string(mesh::word(port(router)));
    }

    // The bound, in cycles

    std::int64_t channels() const { return params.virtual_channels - params.reserved_channels; }
    std::int64_t inputs(std::uint32_t router) const
    {
        std::int64_t count = 1;  // its own source
        for (std::uint32_t other = 0; other < routers(); ++other) count += other != target && next(other) == router;
        return count;
    }
    /// Packets before a head in its buffer.
    std::int64_t ahead() const { return (params.buffer_flits - 1 + flits - 1) / flits; }
    /// Of a flit with a channel and a credit until it has the switch, for which as many compete as there are channels
    /// behind it, and then until a credit is back.
    std::int64_t turns() const
    {
        const std::int64_t turn = params.switch_hold == "packet" ? flits : 1;
        return channels() * turn + round_trip();
    }
    std::int64_t round_trip() const { return params.pipeline.count() + 2 * params.link.count() + 2; }
    /// The same of all routers on the longest way to this one.
    std::int64_t turns_above(std::uint32_t router) const
    {
        std::int64_t most = params.terminal.count() + round_trip();
        for (std::uint32_t other = 0; other < routers(); ++other) {
            if (other != target && next(other) == router) most = std::max(most, turns_above(other));
        }
        return most + turns();
    }
    /// From a head's coming to the front of its buffer until its tail has left.
    std::int64_t service(std::uint32_t router) const
    {
        const bool last = router == target;
        const std::int64_t behind = last ? 0 : (ahead() + 1) * service(next(router));
        const std::int64_t holds = last ? flits * turns_above(router) : behind;
        const std::int64_t room = params.flow == "cut-through" ? behind : 0;
        return (inputs(router) * channels() + 1) * (holds + room + round_trip());
    }
    std::int64_t bound(std::uint32_t router) const { return (ahead() + 1) * service(router); }
};

/// A machine of which no bound is so long that a run must be long to exceed it.
Mesh random_mesh(std::uint64_t seed, std::int64_t most)
{
    Random random(seed_for(seed, "waiting bounds"));
    while (true) {
        Mesh mesh;
        hw::MeshParams& params = mesh.params;
        params.detail = hw::MeshDetail::kFlit;
        params.columns = one_of(random, {1, 2, 3, 4});
        params.rows = one_of(random, {1, 2, 3});
        params.pipeline = Cycles(one_of(random, {1, 2, 3, 5}));
        params.link = Cycles(one_of(random, {1, 2, 3}));
        params.terminal = Cycles(one_of(random, {0, 1, 4}));
        params.reserved_channels = one_of(random, {0, 1});
        params.virtual_channels = params.reserved_channels * 2 + one_of(random, {1, 2, 3});
        params.buffer_flits = one_of(random, {1, 2, 3, 4, 8});
        params.speculation = random.below(2) == 0;
        params.routing = random.below(2) == 0 ? "xy" : "yx";
        params.flow = random.below(2) == 0 ? "cut-through" : "wormhole";
        params.switch_hold = random.below(2) == 0 ? "packet" : "flit";
        params.channel_choice = random.below(2) == 0 ? "per-input" : "per-output";
        mesh.flits = one_of(random, {1, 2, 3, 5, 8});
        mesh.target = static_cast<std::uint32_t>(random.below(mesh.routers()));
        if (mesh.routers() < 2 || !params.problem().empty()) continue;
        std::int64_t longest = 0;
        for (std::uint32_t router = 0; router < mesh.routers(); ++router) {
            longest = std::max(longest, mesh.bound(router));
        }
        if (longest <= most) return mesh;
    }
}

/// Runs until nothing is under way. @return of each router: the longest wait for its output, in cycles
std::vector<std::int64_t> waits_of(const Mesh& mesh, std::int64_t cycles)
{
    Simulation simulation(1);
    platforms::BareMesh machine(simulation, mesh.params);
    UseMeter meter;
    meter.attach(simulation.components());
    std::vector<unsigned> packets(mesh.routers(), static_cast<unsigned>(cycles / mesh.flits / mesh.routers()) + 1);
    Rush rush(packets, [&](unsigned) {
        return mesh::injection(Duration::zero(), mesh.target, static_cast<std::uint32_t>(mesh.flits),
                               mesh::Class::kRequest);
    });
    machine.start_traffic(rush, {.size = static_cast<std::uint32_t>(mesh.flits)});
    simulation.run();
    simulation.require_drained();
    meter.finish(now());
    BOOST_TEST(rush.arrived == packets[0] * mesh.routers());
    std::vector<std::int64_t> waits(mesh.routers());
    const auto longest = longest_waits(meter, "link");
    for (std::uint32_t router = 0; router < mesh.routers(); ++router) {
        const auto place = std::find_if(longest.begin(), longest.end(),
                                        [&](const auto& each) { return each.first.ends_with(mesh.output(router)); });
        BOOST_TEST_REQUIRE((place != longest.end()), mesh.output(router));
        waits[router] = place->second.ps() / (1_cycles * Clock(mesh.params.clock)).ps();
    }
    return waits;
}

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(waiting_bounds)

BOOST_DATA_TEST_CASE(no_head_waits_longer_than_the_bound_of_its_output, data::xrange(machines()), seed)
{
    constexpr std::int64_t kMost = 20'000;
    const Mesh mesh = random_mesh(seed, kMost);
    const auto waits = waits_of(mesh, 2 * kMost);
    for (std::uint32_t router = 0; router < mesh.routers(); ++router) {
        BOOST_TEST(waits[router] <= mesh.bound(router), mesh.output(router));
    }
}

/// That the bound is one of round-robin, not of every arbiter.
BOOST_AUTO_TEST_CASE(with_a_fixed_order_a_head_waits_longer_than_any_bound)
{
    constexpr std::int64_t kMost = 40'000;
    Mesh mesh;
    mesh.params.detail = hw::MeshDetail::kFlit;
    mesh.params.columns = 3;
    mesh.params.rows = 1;
    mesh.params.virtual_channels = 4;
    mesh.params.switch_hold = "flit";
    mesh.params.flow = "wormhole";
    mesh.target = 2;
    mesh.flits = 4;
    BOOST_TEST_REQUIRE(mesh.bound(1) < kMost);
    mesh.params.arbitration = "fixed";
    const auto waits = waits_of(mesh, 4 * kMost);
    BOOST_TEST(waits[1] > mesh.bound(1));
}

// Rings with go bits

struct Ring {
    platforms::WulfkitParams params;
    sci::Command command = sci::Command::kMove64;
    unsigned packets = 0;      // of each node
    unsigned senders = 0;      // the first nodes of the ring
    bool to_the_last = false;  // all of them; else to any other
};

Ring random_ring(std::uint64_t seed)
{
    Random random(seed_for(seed, "rings"));
    const auto nodes = static_cast<unsigned>(2 + random.below(11));
    Ring ring{.params = test::SourceBench::nodes(nodes), .packets = 24'000 / nodes / nodes + 100, .senders = nodes};
    ring.params.link.symbol_time = one_of(random, {2_ns, 4_ns, 5_ns});
    ring.params.link.idle_symbols = one_of(random, {1, 2, 5});
    ring.params.cable.length = Length(one_of(random, {1_m, 3_m, 10_m}));
    ring.params.lc2.bypass = Cycles(one_of(random, {4, 12, 30}));
    ring.params.lc2.send_slots = one_of(random, {1, 2, 8});
    ring.params.lc2.receive_slots = one_of(random, {2, 4, 8});
    return ring;
}

/// Of an own packet, from when it could go: a turn for each that may be before it in its queue, and for itself.
Duration bound_of(const Ring& ring, const platforms::BareRings& machine)
{
    const Duration lap = machine.hop_time() * machine.nodes();
    const Duration turn = (lap + machine.link_time(ring.command) * machine.nodes()) * 2;
    return turn * ring.params.lc2.send_slots;
}

struct RingWait {
    Duration longest;
    Duration bound;
};

RingWait wait_of(const Ring& ring)
{
    test::SourceBench bench(ring.params);
    UseMeter meter;
    meter.attach(bench.simulation.components());
    const unsigned nodes = bench.nodes();
    Random random(7);
    std::vector<unsigned> packets(nodes, 0);
    std::fill_n(packets.begin(), ring.senders, ring.packets);
    Rush rush(packets, [&](unsigned source) {
        const auto other = ring.to_the_last ? nodes - 1 : (source + 1 + random.below(nodes - 1)) % nodes;
        return sci::injection(Duration::zero(), static_cast<sci::NodeId>(other), ring.command);
    });
    bench.machine.start_traffic(rush, {});
    bench.simulation.run();
    bench.simulation.require_drained();
    meter.finish(now());
    BOOST_TEST(rush.arrived == ring.packets * ring.senders);
    RingWait wait{Duration::zero(), bound_of(ring, bench.machine)};
    for (const auto& [place, longest] : longest_waits(meter, "link")) wait.longest = std::max(wait.longest, longest);
    return wait;
}

BOOST_DATA_TEST_CASE(with_go_bits_no_packet_waits_longer_than_the_bound, data::xrange(machines()), seed)
{
    const Ring ring = random_ring(seed);
    const RingWait wait = wait_of(ring);
    BOOST_TEST((wait.longest <= wait.bound), wait.longest.us() << " us, bound " << wait.bound.us());
}

/// That the bound is one of go bits, not of every ring: the first node fills the link behind the second one.
BOOST_DATA_TEST_CASE(without_go_bits_a_packet_waits_longer_than_any_bound, data::make({"go-bits", "off"}), flow)
{
    Ring ring{.params = test::SourceBench::nodes(4), .packets = 2000, .senders = 2, .to_the_last = true};
    ring.params.link.flow_control = flow;
    const RingWait wait = wait_of(ring);
    BOOST_TEST((wait.longest <= wait.bound) == (ring.params.link.flow_control == "go-bits"));
}

// Receive queues with A/B ageing: the overtakings of a refused packet

/// Of requests to one node: how many arrived between a packet's first refusal and its own arrival.
class Overtaken final : public JourneyListener {
public:
    void stage(const Component& /*where*/, const Stage& stage) override
    {
        if (stage.leg == Leg::kRequest && stage.what.starts_with("refused"))
            refused_.try_emplace(stage.transaction, arrived_);
    }
    void arrived(const Component& /*where*/, std::uint64_t packet, Leg leg, Duration /*at*/) override
    {
        if (leg != Leg::kRequest) return;
        if (const auto found = refused_.find(packet); found != refused_.end()) {
            most = std::max(most, arrived_ - found->second);
            refused_.erase(found);
        }
        ++arrived_;
    }

    std::uint64_t most = 0;

private:
    std::uint64_t arrived_ = 0;
    std::map<std::uint64_t, std::uint64_t> refused_;  // packet -> arrivals before its first refusal
};

std::uint64_t most_overtaken(const Ring& ring)
{
    test::SourceBench bench(ring.params);
    Overtaken overtaken;
    bench.simulation.on_journey(overtaken);
    const unsigned nodes = bench.nodes();
    std::vector<unsigned> packets(nodes, ring.packets);
    packets.back() = 0;
    Rush rush(packets, [&](unsigned) {
        return sci::injection(Duration::zero(), static_cast<sci::NodeId>(nodes - 1), sci::Command::kWrite64);
    });
    bench.machine.start_traffic(rush, {});
    bench.simulation.run();
    bench.simulation.require_drained();
    BOOST_TEST(rush.arrived == ring.packets * (nodes - 1));
    return overtaken.most;
}

/// Two generations of all that can be sent, and what the receive queue held.
std::uint64_t overtaking_bound(const Ring& ring)
{
    const auto senders = static_cast<std::uint64_t>(ring.params.topology.dimensions.front()) - 1;
    return 2 * senders * static_cast<std::uint64_t>(ring.params.lc2.send_slots) +
           static_cast<std::uint64_t>(ring.params.lc2.receive_slots);
}

BOOST_DATA_TEST_CASE(with_ageing_no_packet_is_overtaken_more_often_than_the_bound, data::xrange(machines()), seed)
{
    Ring ring = random_ring(seed);
    ring.packets = 300;
    ring.params.lc2.receive_slots = 1 + seed % 2;  // so that some are refused
    BOOST_TEST(most_overtaken(ring) <= overtaking_bound(ring));
}

/// That the bound is one of ageing, not of every admission.
BOOST_DATA_TEST_CASE(with_any_free_slot_a_packet_is_overtaken_more_often, data::make({"ageing", "free-slot"}),
                     admission)
{
    Ring ring{.params = test::SourceBench::nodes(8), .packets = 2000};
    ring.params.lc2.send_slots = 1;
    ring.params.lc2.receive_slots = 2;
    ring.params.lc2.admission = admission;
    const auto most = most_overtaken(ring);
    BOOST_TEST(most > 0);  // some were refused
    BOOST_TEST((most <= overtaking_bound(ring)) == (ring.params.lc2.admission == "ageing"), most);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::waiting_bounds_test
