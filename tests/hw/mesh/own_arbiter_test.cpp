// SPDX-License-Identifier: Apache-2.0
/// Arbiters from outside hw/mesh.
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "hw/mesh/flit/flit_network.h"
#include "hw/mesh/policies/arbiters/oldest.h"
#include "hw/mesh/policies/arbiters/round_robin.h"
#include "tests/hw/mesh/mesh_bench.h"
#include "tests/support/cases.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using hw::ArbitrationPolicy;
using hw::ArbitrationRequest;

/// Compiled in, with before() only.
struct Youngest {
    static constexpr PolicyName kPolicy{"youngest", "the packet that was born last"};

    static bool before(const ArbitrationRequest& a, const ArbitrationRequest& b, const hw::Contest& contest)
    {
        return hw::arbiters::Oldest::before(b, a, contest);
    }
};

/// A compiled arbiter's decisions by virtual calls.
template <class Arbiter>
class Virtual final : public hw::MeshArbiter {
public:
    static constexpr PolicyName kPolicy = Arbiter::kPolicy;

    bool before(const ArbitrationRequest& a, const ArbitrationRequest& b, const hw::Contest& contest) const override
    {
        return Arbiter::before(a, b, contest);
    }
};

/// A matrix arbiter: serves the least recently served competitor.
class LeastRecentlyServed final : public hw::MeshArbiter {
public:
    static constexpr PolicyName kPolicy{"least-recently-served", "the one that was served least recently"};

    bool before(const ArbitrationRequest& a, const ArbitrationRequest& b, const hw::Contest& contest) const override
    {
        return served_at(contest, a.number) < served_at(contest, b.number);
    }
    void served(const hw::Contest& contest, std::uint32_t number) override
    {
        served_[{contest.stage, contest.place, number}] = ++count_;
    }

private:
    std::uint64_t served_at(const hw::Contest& contest, std::uint32_t number) const
    {
        const auto found = served_.find({contest.stage, contest.place, number});
        return found == served_.end() ? 0 : found->second;
    }

    std::map<std::tuple<hw::Contest::Stage, std::uint32_t, std::uint32_t>, std::uint64_t> served_;
    std::uint64_t count_ = 0;
};

constexpr ArbitrationPolicy kYoungest = ArbitrationPolicy::of<Youngest>();
constexpr ArbitrationPolicy kVirtualYoungest = ArbitrationPolicy::of_own<Virtual<Youngest>>();
constexpr ArbitrationPolicy kVirtualOldest = ArbitrationPolicy::of_own<Virtual<hw::arbiters::Oldest>>();
constexpr ArbitrationPolicy kVirtualRoundRobin = ArbitrationPolicy::of_own<Virtual<hw::arbiters::RoundRobin>>();
constexpr ArbitrationPolicy kLeastRecentlyServed = ArbitrationPolicy::of_own<LeastRecentlyServed>();

hw::MeshParams mesh_of(std::int64_t columns, std::int64_t rows, hw::Arbitration arbitration)
{
    hw::MeshParams params;
    params.columns = columns;
    params.rows = rows;
    params.detail = hw::MeshDetail::kFlit;
    params.arbitration = arbitration;
    return params;
}

/// Arrivals at each probe: source and time.
std::vector<std::vector<std::pair<mesh::Terminal, Duration>>> arrivals(const MeshBench& bench)
{
    std::vector<std::vector<std::pair<mesh::Terminal, Duration>>> all;
    for (const auto& probe : bench.probes) {
        auto& here = all.emplace_back();
        for (const auto& seen : probe->seen) here.emplace_back(seen.packet.from, seen.at);
    }
    return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(mesh_own_arbiter)

BOOST_DATA_TEST_CASE(an_arbiter_from_outside_decides_which_packet_goes_first, data::make({false, true}), by_calls)
{
    MeshBench bench(mesh_of(3, 1, by_calls ? kVirtualYoungest : kYoungest));
    const mesh::Terminal to = bench.tile(1, 0);
    MeshProbe& older = bench.at(0, 0);
    MeshProbe& younger = bench.at(2, 0);
    bench.at_cycle(10, [&] { older.offer(to, 3, mesh::Class::kRequest, bench.cycles(10)); });
    bench.at_cycle(20, [&] { younger.offer(to, 3); });
    bench.run();
    const auto& seen = bench.at(1, 0).seen;
    BOOST_TEST_REQUIRE(seen.size() == 2u);
    BOOST_TEST(seen[0].packet.from == younger.place);
}

/// Every packet of a loaded mesh arrives at the same time, whether the arbiter is compiled in or called.
BOOST_DATA_TEST_CASE(virtual_calls_change_no_decision, data::make({0, 1, 2}), which)
{
    const std::vector<std::pair<hw::Arbitration, hw::Arbitration>> pairs{
        {"round-robin", kVirtualRoundRobin}, {"oldest", kVirtualOldest}, {kYoungest, kVirtualYoungest}};
    const auto& [compiled, called] = pairs.at(static_cast<std::size_t>(which));
    MeshBench first(mesh_of(4, 4, compiled));
    MeshBench second(first, "second_", mesh_of(4, 4, called));
    for (MeshBench* bench : {&first, &second}) {
        bench->load(0.4, 3, 2000, [bench](MeshProbe& probe, Random& random) {
            const auto kind = random.below(2) == 0 ? mesh::Class::kRequest : mesh::Class::kResponse;
            probe.offer(bench->any_tile(random), 3, kind);
        });
    }
    first.run();
    BOOST_TEST(first.taken() > 1000u);
    BOOST_TEST((arrivals(first) == arrivals(second)));
}

/// Three inputs always have a packet for one output: an arbiter with state serves them in turn.
BOOST_AUTO_TEST_CASE(a_user_defined_arbiter_may_keep_state)
{
    hw::MeshParams params = mesh_of(3, 3, kLeastRecentlyServed);
    params.virtual_channels = 1;  // so that all compete for the same
    params.reserved_channels = 0;
    MeshBench bench(params);
    constexpr int kEach = 30;
    const std::vector<mesh::Terminal> sources{bench.tile(0, 1), bench.tile(2, 1), bench.tile(1, 0)};
    for (const auto& source : sources) {
        for (int i = 0; i < kEach; ++i) bench.at(source.x, source.y).offer(bench.tile(1, 1), 4);
    }
    bench.run();
    std::map<mesh::Terminal, int> served;
    const auto& seen = bench.at(1, 1).seen;
    BOOST_TEST_REQUIRE(seen.size() == sources.size() * kEach);
    for (const auto& each : seen) {
        ++served[each.packet.from];
        for (const auto& source : sources) BOOST_TEST(served[each.packet.from] - served[source] <= 2);
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
