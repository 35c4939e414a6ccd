// SPDX-License-Identifier: Apache-2.0
#include "tlm/simulation/simulation.h"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

#include "tests/tlm/alarm.h"
#include "tlm/error.h"
#include "tlm/pools/pool.h"
#include "tlm/time/kernel_time.h"

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
               "no progress at 0.000 us; these blocks are not idle:\n"
               "  node7.block: 3 requests wait for their echo");
}

struct Frames : Pool<int> {
    static constexpr std::string_view kKind = "frames";
};
struct Orders : Pool<int> {
    static constexpr std::string_view kKind = "orders";
};

BOOST_AUTO_TEST_CASE(a_leaked_pool_object_is_detected_and_its_kind_named)
{
    Simulation simulation(1);
    int& frame = simulation.pool<Frames>().acquire();
    BOOST_TEST(drain_error(simulation) == "neither delivered nor held by any block: 1 frames");
    int& order = simulation.pool<Orders>().acquire();
    BOOST_TEST(drain_error(simulation) == "neither delivered nor held by any block: 1 frames, 1 orders");
    BOOST_TEST(simulation.objects_in_use() == 2u);
    simulation.pool<Frames>().release(frame);
    BOOST_TEST(drain_error(simulation) == "neither delivered nor held by any block: 1 orders");
    simulation.pool<Orders>().release(order);
    BOOST_TEST(drain_error(simulation) == "");
}

struct Parcel {
    std::uint64_t id = 0;
    std::int64_t born_ps = 0;
};
struct Parcels : Pool<Parcel> {
    static constexpr std::string_view kKind = "parcels";
    static std::string describe(const Parcel& parcel) { return "parcel " + std::to_string(parcel.id); }
};

BOOST_AUTO_TEST_CASE(the_standing_of_a_run_names_its_oldest_packet)
{
    Simulation simulation(1);
    BOOST_TEST(text_of(simulation.standing()) == "all blocks are idle");
    auto& pool = simulation.pool<Parcels>();
    std::vector<Parcel*> parcels;
    for (const std::int64_t born_us : {5, 2, 9}) {
        parcels.push_back(&pool.acquire());
        *parcels.back() = {static_cast<std::uint64_t>(born_us + 10), born_us * 1'000'000};
    }
    simulation.pool<Frames>().acquire();
    BOOST_TEST(text_of(simulation.standing()) ==
               "under way: 3 parcels, 1 frames; the oldest is 12, a parcel 12, born at 2.000 us; all blocks are idle");
    pool.release(*parcels[1]);
    const Standing standing = simulation.standing();
    BOOST_REQUIRE(standing.under_way.size() == 2u);
    BOOST_TEST(standing.under_way[0].count == 2u);
    BOOST_TEST(standing.under_way[0].oldest == 15u);
    BOOST_TEST((standing.under_way[0].born == 5_us));
    BOOST_TEST(standing.under_way[1].oldest == 0u);
}

BOOST_AUTO_TEST_CASE(there_is_one_pool_of_each_type)
{
    Simulation simulation(1);
    BOOST_TEST(&simulation.pool<Frames>() == &simulation.pool<Frames>());
    simulation.pool<Orders>();
    BOOST_TEST(&simulation.pool<Frames>() == &simulation.pool<Frames>());
}

BOOST_AUTO_TEST_CASE(a_failure_inside_the_kernel_is_thrown_by_run)
{
    Simulation simulation(1);
    Alarm alarm(simulation, [&] { simulation.fail(std::make_exception_ptr(ModelError("as planned"))); });
    alarm.wakeup.at(5_ns);
    BOOST_CHECK_EXCEPTION(simulation.run(), ModelError,
                          [](const ModelError& error) { return std::string(error.what()) == "as planned"; });
}

BOOST_AUTO_TEST_CASE(running_until_a_time_includes_what_is_due_then_and_nothing_later)
{
    Simulation simulation(1);
    int rings = 0;
    Alarm alarm(simulation, [&] {
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
BOOST_AUTO_TEST_SUITE_END()
