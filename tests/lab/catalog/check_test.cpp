// SPDX-License-Identifier: Apache-2.0
/// `ringmesh check`: what packets of each machine can wait for.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platforms/files/catalog.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;

nlohmann::json network_of(const Ended& ended) { return nlohmann::json::parse(ended.out)["networks"][0]; }

Ended check(const std::string& arguments) { return ringmesh::test::ringmesh(words("check " + arguments + " --json")); }

struct Circle {
    const char* arguments;
    const char* on_it;  ///< a channel
    std::size_t length;
};
std::ostream& operator<<(std::ostream& out, const Circle& circle) { return out << circle.arguments; }

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(check_command)

BOOST_AUTO_TEST_CASE(no_shipped_machine_can_deadlock)
{
    for (const auto& platform : platforms::list_platforms()) {
        for (const std::string nodes : {"", " --sources"}) {
            const Ended ended = check(platform.name + nodes);
            BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
            BOOST_TEST(network_of(ended)["circle"].empty(), platform.name);
            BOOST_TEST(network_of(ended)["waits"].get<int>() > 0, platform.name);
        }
    }
}

/// Each chip has four queues, each PC its own side. On a ring of n each send queue has all other receive queues of its
/// class on its ring, each receive queue of requests the host's side, and that the send queue for responses.
BOOST_DATA_TEST_CASE(a_ring_has_the_waits_that_can_be_counted, data::make({2, 5, 8}), nodes)
{
    const auto network = network_of(check("wulfkit-ring --set topology.dimensions=" + std::to_string(nodes)));
    BOOST_TEST(network["channels"] == 5 * nodes);
    BOOST_TEST(network["waits"] == 2 * nodes * (nodes - 1) + 2 * nodes);
}

/// n dimensions, 2^n nodes: a channel waits for those of the higher dimensions of the node that it leads to.
BOOST_AUTO_TEST_CASE(a_hypercube_has_the_waits_that_can_be_counted)
{
    const auto network = network_of(check("ncube-64 --set topology.dimension=4"));
    BOOST_TEST(network["channels"] == 4 * 16);
    BOOST_TEST(network["waits"] == 16 * (3 + 2 + 1));
}

/// With one class of channels the ring of a row would close a circle.
BOOST_AUTO_TEST_CASE(a_torus_of_routers_is_safe_by_its_two_classes_of_channels)
{
    for (const std::string settings :
         {"columns=4", "columns=5", "ring_classes=dateline", "ring_classes=at-entry", "ring_classes=balanced"}) {
        const Ended ended = check("mesh-8x8 --overlay wrap-links --set mesh." + settings);
        BOOST_TEST(ended.status == 0, ended.out);
    }
}

/// What a core asks can wait behind the answers for it, if both take the same channels.
BOOST_DATA_TEST_CASE(a_circle_is_named_channel_by_channel,
                     data::make(std::vector<Circle>{
                         {"scc --set mesh.detail=flit --set mesh.reserved_channels=0", " (terminal)", 3},
                     }),
                     circle)
{
    const Ended ended = check(circle.arguments);
    BOOST_TEST(ended.status == 1);
    const auto names = network_of(ended)["circle"];
    BOOST_TEST(names.size() >= circle.length);
    bool found = false;
    for (const auto& name : names) found = found || contains(name.get<std::string>(), circle.on_it);
    BOOST_TEST(found);
    BOOST_TEST(check(std::string(circle.arguments) + " --sources").status == 0);
}

BOOST_AUTO_TEST_CASE(the_table_says_what_the_verdict_rests_on)
{
    const Ended ended = ringmesh::test::ringmesh(words("check scc"));
    BOOST_TEST(ended.status == 0);
    BOOST_TEST(contains(ended.out, "no circle"));
    BOOST_TEST(contains(ended.out, "mesh: A terminal takes each response"), ended.out);
}

BOOST_AUTO_TEST_CASE(mistakes_are_told_before_anything_is_checked)
{
    BOOST_TEST(ringmesh::test::ringmesh({"check"}).status == 2);
    BOOST_TEST(check("wulfkit-rng").status == 2);
    const Ended circle = check("wulfkit-torus-3x3 --set topology.routing=shortest");
    BOOST_TEST(circle.status == 2);
    BOOST_TEST(contains(circle.err, "topology.routing"), circle.err);
    BOOST_TEST(contains(circle.err, "node0.lc2_"), circle.err);
    const Ended longer =
        check("mesh-8x8 --overlay wrap-links --set mesh.routes_by=up-down --set mesh.ring_classes=dateline");
    BOOST_TEST(longer.status == 2);
    BOOST_TEST(contains(longer.err, "mesh.ring_classes"), longer.err);
    BOOST_TEST(check("mesh-8x8 --set mesh.ring_classes=dateline").status == 2);
    BOOST_TEST(check("mesh-8x8 --set mesh.ring_classes=balanced").status == 0);  // as it is without
    const Ended large = check("mesh-8x8 --overlay wrap-links --set mesh.columns=64 --set mesh.rows=64");
    BOOST_TEST(large.status == 2);
    BOOST_TEST(contains(large.err, "mesh.columns"), large.err);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
