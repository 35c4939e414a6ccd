// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/measurements/pair_latencies.h"

#include "tests/support/cases.h"
#include "tests/workloads/fakes/fake_machine.h"
#include "tests/workloads/traffic/fake_network.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using test::FakeMachine;
using test::FakeNetwork;
using workloads::PairLatencies;

const PacketForm kPackets{.size = 3, .kinds = {1, 1}};

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(pair_latencies)

BOOST_AUTO_TEST_CASE(every_pair_has_the_unloaded_latency_of_its_distance)
{
    Simulation simulation{1};
    FakeNetwork network(simulation, 3, 2);
    PairLatencies map(network, kPackets, {0, 1, 2, 3, 4, 5});
    map.start();
    simulation.run();
    map.check();
    BOOST_TEST_REQUIRE(map.pairs().size() == 30u);
    for (const PairLatencies::Pair& pair : map.pairs()) {
        BOOST_TEST((pair.latency == network.unloaded_latency(network.hops(pair.from, pair.to), kPackets)));
    }
}

BOOST_AUTO_TEST_CASE(a_packet_is_born_after_the_last_one_has_arrived_and_on_an_edge_of_the_clock)
{
    Simulation simulation{1};
    FakeNetwork network(simulation, 3, 2, 300_MHz);
    PairLatencies map(network, kPackets, {4});
    map.start();
    simulation.run();
    BOOST_TEST_REQUIRE(network.injections.size() == 5u);
    Duration last;
    for (std::size_t i = 0; i < 5; ++i) {
        const Duration born = network.injections[i].at;
        if (i > 0) BOOST_TEST((born > last));
        BOOST_TEST((born == network.clock().edge_from(born) * network.clock()));
        last = born + map.pairs()[i].latency;
    }
}

BOOST_AUTO_TEST_CASE(where_packets_are_answered_the_next_one_waits_for_the_response)
{
    Simulation simulation{1};
    FakeMachine machine(simulation, 4);
    PacketOptions options;
    PairLatencies map(machine, machine.packets(options), {0, 2});
    map.start();
    machine.carry_traffic();
    simulation.run();
    map.check();
    BOOST_TEST_REQUIRE(machine.injections.size() == 6u);
    const Duration flight = machine.costs.flight(0);
    for (std::size_t i = 0; i < 6; ++i) {
        BOOST_TEST((map.pairs()[i].latency == flight));
        if (i > 0) BOOST_TEST((machine.injections[i].at > machine.injections[i - 1].at + flight * 2));
    }
}

BOOST_DATA_TEST_CASE(a_packet_that_is_lost_or_comes_twice_is_found, data::make({0, 2}), times)
{
    Simulation simulation{1};
    FakeNetwork network(simulation, 3, 2);
    network.deliveries = [times](std::size_t n) { return n == 4 ? times : 1; };
    PairLatencies map(network, kPackets, {0});
    const auto run = [&] {
        map.start();
        simulation.run();
        map.check();
    };
    BOOST_CHECK_THROW(run(), ModelError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
