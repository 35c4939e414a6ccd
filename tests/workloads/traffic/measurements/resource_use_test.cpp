// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/measurements/resource_use.h"

#include <boost/test/unit_test.hpp>

#include "tests/workloads/fakes/fake_machine.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;
using test::FakeMachine;

const auto kClose = boost::test_tools::tolerance(1e-9);

struct Bench {
    Simulation simulation{1};
    FakeMachine machine{simulation, 2};
    ResourceUse use{machine};
    const Duration packet = machine.link_time(sci::Command::kWrite64);

    void carry(std::size_t packets, Duration booked_ahead)
    {
        machine.injections.resize(machine.injections.size() + packets);
        machine.booked_ahead = booked_ahead;
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(resource_use)

BOOST_AUTO_TEST_CASE(use_is_the_busy_part_of_the_window)
{
    Bench bench;
    bench.use.begin(Duration::zero());
    bench.carry(3, Duration::zero());
    bench.use.end(bench.packet * 4);
    BOOST_TEST(bench.use.of(0)->mean == 0.75, kClose);
    BOOST_TEST(bench.use.of(0)->highest == 0.75, kClose);
    BOOST_TEST(!bench.use.of(1).has_value());
}

// Four packets fill a window of four; a fifth and a sixth have their places behind it already.
BOOST_AUTO_TEST_CASE(what_is_booked_ahead_of_the_end_makes_no_use_above_1)
{
    Bench bench;
    bench.use.begin(Duration::zero());
    bench.carry(6, bench.packet * 6);
    bench.use.end(bench.packet * 4);
    BOOST_TEST(bench.use.of(0)->highest == 1.0, kClose);
}

// The two that were booked before the window are no part of it.
BOOST_AUTO_TEST_CASE(what_was_booked_before_the_window_does_not_count_in_it)
{
    Bench bench;
    bench.carry(2, bench.packet * 2);
    bench.use.begin(Duration::zero());
    bench.carry(1, bench.packet * 3);
    bench.use.end(bench.packet * 4);
    BOOST_TEST(bench.use.of(0)->highest == 0.5, kClose);
}

BOOST_AUTO_TEST_CASE(a_link_whose_last_booking_covers_the_window_has_none_of_its_own)
{
    Bench bench;
    bench.carry(2, bench.packet * 2);
    bench.use.begin(Duration::zero());
    bench.use.end(bench.packet);
    BOOST_TEST(bench.use.of(0)->highest == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
