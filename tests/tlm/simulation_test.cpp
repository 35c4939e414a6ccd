// SPDX-License-Identifier: Apache-2.0
#include "tlm/simulation.h"

#include <boost/test/unit_test.hpp>

#include <string>

#include "tlm/error.h"
#include "tlm/kernel_time.h"
#include "tlm/wakeup.h"

namespace {

using namespace ringmesh;

class Block final : public Component {
public:
    explicit Block(std::string held) : held_(std::move(held)) {}
    std::string component_name() const override { return "node7.block"; }
    void statistics(StatisticsVisitor&) const override {}
    std::string pending() const override { return held_; }

private:
    std::string held_;
};

/// Runs a function at given times.
class Alarm final : public sc_core::sc_module {
public:
    SC_HAS_PROCESS(Alarm);
    Alarm(const sc_core::sc_module_name& name, std::function<void()> ring) : sc_module(name), ring_(std::move(ring))
    {
        SC_METHOD(wake);
        sensitive << wakeup.event();
        dont_initialize();
    }
    Wakeup wakeup{"wakeup"};

private:
    void wake()
    {
        wakeup.taken(now());
        ring_();
    }
    std::function<void()> ring_;
};

std::string drain_error(const Simulation& simulation)
{
    try {
        simulation.require_drained();
    } catch (const ModelError& error) {
        return error.what();
    }
    return {};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(simulation)

BOOST_AUTO_TEST_CASE(the_kernel_counts_picoseconds)
{
    const Simulation simulation(1);
    BOOST_TEST(sc_core::sc_get_time_resolution().to_seconds() == 1e-12);
    BOOST_TEST(to_kernel(1_ns).value() == 1000u);
    BOOST_CHECK_THROW(to_kernel(-1_ps), std::domain_error);
}

BOOST_AUTO_TEST_CASE(a_drained_run_is_one_with_every_block_idle)
{
    Simulation simulation(1);
    Block idle("");
    simulation.add(idle);
    BOOST_TEST(drain_error(simulation) == "");
    Block stuck("3 requests wait for their echo");
    simulation.add(stuck);
    BOOST_TEST(drain_error(simulation) ==
               "nothing moves any more at 0.000 us, but these blocks are not idle:\n"
               "  node7.block: 3 requests wait for their echo");
}

BOOST_AUTO_TEST_CASE(a_packet_that_nobody_holds_is_missed)
{
    Simulation simulation(1);
    sci::Packet& packet = simulation.packets.acquire();
    BOOST_TEST(drain_error(simulation) ==
               "1 packets and 0 bus transactions are neither delivered nor held by any block");
    simulation.packets.release(packet);
    BOOST_TEST(drain_error(simulation) == "");
}

BOOST_AUTO_TEST_CASE(a_failure_inside_the_kernel_is_thrown_by_run)
{
    Simulation simulation(1);
    Alarm alarm("alarm", [&] { simulation.fail(std::make_exception_ptr(ModelError("as planned"))); });
    alarm.wakeup.at(5_ns);
    BOOST_CHECK_EXCEPTION(simulation.run(), ModelError,
                          [](const ModelError& error) { return std::string(error.what()) == "as planned"; });
}

BOOST_AUTO_TEST_CASE(running_until_a_time_includes_what_is_due_then_and_nothing_later)
{
    Simulation simulation(1);
    int rings = 0;
    Alarm alarm("alarm", [&] {
        ++rings;
        alarm.wakeup.at(now() + 1_ns);
    });
    alarm.wakeup.at(1_ns);
    simulation.run_until(10_ns);
    BOOST_TEST(rings == 10);
}

BOOST_AUTO_TEST_CASE(the_same_name_and_seed_give_the_same_numbers)
{
    const Simulation simulation(42);
    const Simulation other(43);
    BOOST_TEST(simulation.random_for("node0.cpu").next() == simulation.random_for("node0.cpu").next());
    BOOST_TEST(simulation.random_for("node0.cpu").next() != simulation.random_for("node1.cpu").next());
    BOOST_TEST(simulation.random_for("node0.cpu").next() != other.random_for("node0.cpu").next());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(wakeup)

BOOST_AUTO_TEST_CASE(the_earliest_request_counts_whatever_the_order)
{
    Simulation simulation(1);
    std::vector<Duration> times;
    Alarm alarm("alarm", [&] { times.push_back(now()); });
    alarm.wakeup.at(30_ns);
    alarm.wakeup.at(10_ns);
    alarm.wakeup.at(20_ns);
    BOOST_TEST(alarm.wakeup.armed());
    simulation.run();
    BOOST_TEST_REQUIRE(times.size() == 1u);
    BOOST_TEST((times[0] == 10_ns));
    BOOST_TEST(!alarm.wakeup.armed());
}

BOOST_AUTO_TEST_CASE(a_request_for_the_past_wakes_now_and_never_asks_for_nothing)
{
    Simulation simulation(1);
    std::vector<Duration> times;
    Alarm alarm("alarm", [&] {
        times.push_back(now());
        alarm.wakeup.at(times.size() == 1 ? 5_ns : Duration::never());
    });
    alarm.wakeup.at(10_ns);
    simulation.run();
    BOOST_TEST_REQUIRE(times.size() == 2u);
    BOOST_TEST((times[1] == 10_ns));
}

BOOST_AUTO_TEST_CASE(a_request_whose_time_has_not_come_is_not_used_up)
{
    Simulation simulation(1);
    Alarm alarm("alarm", [] {});
    alarm.wakeup.at(10_ns);
    BOOST_TEST(!alarm.wakeup.taken(9_ns));
    BOOST_TEST(alarm.wakeup.armed());
    BOOST_TEST(alarm.wakeup.taken(10_ns));
    BOOST_TEST(!alarm.wakeup.armed());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
