// SPDX-License-Identifier: Apache-2.0
#include "tlm/sci/ring_load.h"

#include <algorithm>

#include "tests/support/cases.h"
#include "tests/workloads/fakes/fake_machine.h"
#include "workloads/traffic/pattern.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;
using sci::Command;
using test::FakeMachine;
using Sizes = std::vector<std::int64_t>;

struct Bench {
    Simulation simulation{1};
    FakeMachine machine;

    explicit Bench(const Sizes& sizes) : machine(simulation, TorusShape(sizes).nodes())
    {
        machine.shape = TorusShape(sizes);
    }
    sci::RingLoad load_of(const std::string& pattern, Command command = Command::kWrite64,
                          PatternOptions options = {}) const
    {
        sci::RingLoad load(machine, command);
        PatternChoice(pattern)->make(machine.layout(), options)->expect(load);
        return load;
    }
    double ns(Command command) const { return machine.link_time(command).ns(); }
    /// What a transaction keeps busy on the links of one ring if its request takes h of n links.
    double transaction_ns(double h, double n, Command command = Command::kWrite64) const
    {
        const double there = h * ns(command) + (n - h) * ns(Command::kEcho);
        if (command == Command::kMove64) return there;
        return there + (n - h) * ns(Command::kResponse0) + h * ns(Command::kEcho);
    }
};

/// To the picosecond.
const auto kClose = boost::test_tools::tolerance(1e-5);

}  // namespace

BOOST_TEST_DONT_PRINT_LOG_VALUE(std::vector<std::int64_t>)

BOOST_TEST_DONT_PRINT_LOG_VALUE(ringmesh::sci::Command)

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(ring_load)

// N sources, N links, N / 2 hops on average: each source's transaction fills half a circle.
BOOST_DATA_TEST_CASE(a_uniform_ring_is_loaded_by_half_a_circle,
                     data::make({2, 3, 8, 31}) * data::make({Command::kWrite64, Command::kWrite16, Command::kMove64}),
                     nodes, command)
{
    const Bench bench({nodes});
    BOOST_TEST(
        bench.load_of("uniform", command).gap_at_full_load().ns() == bench.transaction_ns(nodes / 2.0, nodes, command),
        kClose);
}

// A packet uses a ring of side n in 1 - 1/n of the cases (over all nodes, itself included), there with n / 2 hops.
BOOST_DATA_TEST_CASE(an_oblong_torus_is_loaded_by_its_larger_dimension,
                     data::make({Sizes{3, 5}, Sizes{5, 3}, Sizes{2, 4, 3}}), sizes)
{
    const Bench bench(sizes);
    const double nodes = bench.machine.nodes();
    const auto n = static_cast<double>(*std::max_element(sizes.begin(), sizes.end()));
    const double uses = (1 - 1 / n) * nodes / (nodes - 1);
    BOOST_TEST(bench.load_of("uniform").gap_at_full_load().ns() == uses * bench.transaction_ns(n / 2, n), kClose);
}

/// What makes large tori fast must not change the sum.
BOOST_DATA_TEST_CASE(symmetry_gives_what_all_flows_give, data::make({Sizes{4, 4}, Sizes{3, 5}, Sizes{2, 3, 4}}), sizes)
{
    const Bench bench(sizes);
    sci::RingLoad all(bench.machine, Command::kWrite64);
    const unsigned nodes = bench.machine.nodes();
    for (unsigned from = 0; from < nodes; ++from) {
        for (unsigned to = 0; to < nodes; ++to) {
            if (from != to) all.flow(from, to, 1.0 / (nodes - 1));
        }
    }
    const auto fast = bench.load_of("uniform");
    BOOST_TEST(fast.gap_at_full_load().ns() == all.gap_at_full_load().ns(), kClose);
    BOOST_TEST(fast.source_limit().gap.ns() == all.source_limit().gap.ns(), kClose);
    BOOST_TEST(fast.senders() == all.senders());
    BOOST_TEST(fast.longest_circle() == all.longest_circle());
}

BOOST_AUTO_TEST_CASE(neighbours_share_a_link_over_the_dimensions)
{
    const Bench bench({4, 8});
    const auto load = bench.load_of("nearest-neighbour");
    BOOST_TEST(load.gap_at_full_load().ns() == bench.transaction_ns(1, 8) / 2, kClose);
    BOOST_TEST(load.source_limit().gap.ns() == bench.ns(Command::kWrite64) / 2, kClose);
    BOOST_TEST(load.longest_circle() == 8u);
}

// All of 7 nodes send everything to node 0: the request's hops and the response's add up to circles.
BOOST_AUTO_TEST_CASE(a_hot_spot_loads_its_own_ring_most)
{
    const Bench ring({8});
    double sum = 0;
    for (int hops = 1; hops < 8; ++hops) sum += ring.transaction_ns(hops, 8) / 8;
    for (int hops = 1; hops < 8; ++hops) sum += ring.transaction_ns(hops, 8) / 7 / 8;  // of the hot node itself
    BOOST_TEST(ring.load_of("hot-spot", Command::kWrite64, {.hot_part = 1}).gap_at_full_load().ns() == sum, kClose);
    const Bench torus({8, 8});
    BOOST_TEST((torus.load_of("hot-spot").gap_at_full_load() > torus.load_of("uniform").gap_at_full_load()));
}

BOOST_AUTO_TEST_CASE(silent_nodes_are_no_senders)
{
    const Bench bench({5, 5});
    BOOST_TEST(bench.load_of("transpose").senders() == 20u);
    BOOST_TEST(bench.load_of("tornado").senders() == 25u);
}

// Rows of 4: node (x, y) sends x - y steps along its row, then along the column of y; of each row 3 nodes send.
BOOST_AUTO_TEST_CASE(transpose_loads_each_row_by_its_distances)
{
    const Bench bench({4, 4});
    const double requests = (1 + 2 + 3) * bench.ns(Command::kWrite64) + (3 + 2 + 1) * bench.ns(Command::kEcho);
    const double responses = (1 + 2 + 3) * bench.ns(Command::kResponse0) + (3 + 2 + 1) * bench.ns(Command::kEcho);
    BOOST_TEST(bench.load_of("transpose").gap_at_full_load().ns() == (requests + responses) / 4, kClose);
}

BOOST_AUTO_TEST_CASE(a_source_is_held_up_by_the_slower_of_link_and_bus)
{
    Bench bench({8});
    const Duration link = bench.machine.link_time(Command::kWrite64);
    for (const Duration bus : {Duration::zero(), link, link + 1_ns}) {
        bench.machine.bus_time = bus;
        const auto bottleneck = bench.load_of("uniform").source_limit();
        BOOST_TEST(bottleneck.resource == (bus > link ? "B-Link" : "link"));
        BOOST_TEST(bottleneck.gap.ns() == std::max(bus, link).ns(), kClose);
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
