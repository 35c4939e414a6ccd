// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/routing/routing.h"

#include <algorithm>
#include <ostream>
#include <vector>

#include "tests/hw/printing.h"
#include "tests/hw/sci/link_controller/walk.h"
#include "tests/support/cases.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using hw::TorusCard;
using sci::Class;
using sci::NodeId;

constexpr TorusCard::Ports kPorts{.host = 3, .first_link = 5};

struct Torus {
    std::vector<std::int64_t> sizes;
    bool counter_rotating = false;

    std::shared_ptr<const TorusShape> shape() const { return std::make_shared<const TorusShape>(sizes); }
    friend std::ostream& operator<<(std::ostream& out, const Torus& torus)
    {
        return out << TorusShape(torus.sizes).text() << (torus.counter_rotating ? " counter-rotating" : "");
    }
};

std::vector<Torus> tori(const std::vector<bool>& kinds)
{
    std::vector<Torus> all;
    for (const bool counter_rotating : kinds) {
        for (const auto& sizes : std::vector<std::vector<std::int64_t>>{
                 {2}, {3}, {6}, {7}, {3, 3}, {4, 5}, {4, 3, 2}, {2, 2, 2, 2}, {3, 2, 4, 5}}) {
            all.push_back({sizes, counter_rotating});
        }
    }
    return all;
}

const auto kAllTori = data::make(tori({false, true}));
const auto kOneWayTori = data::make(tori({false}));
const auto kClasses = data::make({Class::kRequest, Class::kResponse});

TorusCard card_of(const Torus& torus, unsigned node)
{
    return {torus.shape(), static_cast<NodeId>(node), kPorts, torus.counter_rotating};
}

unsigned dimension_of(const Torus& torus, unsigned link) { return torus.counter_rotating ? link / 2 : link; }
bool downwards(const Torus& torus, unsigned link) { return torus.counter_rotating && link % 2 == 1; }

Wiring wiring_of(const Torus& torus)
{
    const auto shape = torus.shape();
    Wiring wiring;
    wiring.card = [torus](unsigned node) { return std::make_shared<const TorusCard>(card_of(torus, node)); };
    wiring.routing = [torus, shape](unsigned node, unsigned link) {
        return std::make_unique<hw::TorusRouting>(shape, static_cast<NodeId>(node), dimension_of(torus, link),
                                                  std::make_shared<const TorusCard>(card_of(torus, node)));
    };
    wiring.next = [torus, shape](unsigned node, unsigned link) {
        const unsigned d = dimension_of(torus, link);
        if (!downwards(torus, link)) return shape->next(node, d);
        return shape->moved(node, d, (shape->coordinate(node, d) + shape->size(d) - 1) % shape->size(d));
    };
    wiring.on_port = [](unsigned node, std::uint8_t port) -> std::optional<Entry> {
        if (port == kPorts.host) return std::nullopt;
        return Entry{.node = node, .link = unsigned{port} - kPorts.first_link, .hops = 0};
    };
    return wiring;
}

template <class Function>
void for_all_pairs(unsigned nodes, const Function& function)
{
    for (unsigned from = 0; from < nodes; ++from) {
        for (unsigned to = 0; to < nodes; ++to) {
            BOOST_TEST_CONTEXT(from << " to " << to) { function(from, to); }
        }
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(routing)

BOOST_AUTO_TEST_CASE(a_card_with_one_link_gives_it_all_that_is_not_for_its_own_host)
{
    const hw::SingleLinkCard card(4, 2, 9);
    for (const Class kind : {Class::kRequest, Class::kResponse}) {
        for (NodeId target = 0; target < 10; ++target) BOOST_TEST(card.port(target, kind) == (target == 4 ? 2 : 9));
    }
}

BOOST_AUTO_TEST_CASE(a_node_of_one_ring_strips_packets_addressed_to_itself)
{
    const hw::RingRouting routing(4, 2);
    for (NodeId target = 0; target < 10; ++target) BOOST_TEST(routing.strips(target) == (target == 4));
    for (const Class kind : {Class::kRequest, Class::kResponse}) BOOST_TEST(routing.blink_port(4, kind) == 2);
}

BOOST_DATA_TEST_CASE(a_card_delivers_only_its_own_packets_to_its_host, kAllTori* kClasses, torus, kind)
{
    for_all_pairs(torus.shape()->nodes(), [&](unsigned from, unsigned to) {
        const auto port = card_of(torus, from).port(static_cast<NodeId>(to), kind);
        BOOST_TEST((port == kPorts.host) == (from == to));
    });
}

/// The first ring of a request is that of the lowest dimension in which the nodes differ, of a response the highest.
BOOST_DATA_TEST_CASE(requests_take_the_dimensions_upwards_and_responses_downwards, kAllTori, torus)
{
    const auto shape = torus.shape();
    for_all_pairs(shape->nodes(), [&](unsigned from, unsigned to) {
        std::vector<unsigned> differing;
        for (unsigned d = 0; d < shape->dimensions(); ++d) {
            if (shape->distance(from, to, d) > 0) differing.push_back(d);
        }
        for (const Class kind : {Class::kRequest, Class::kResponse}) {
            std::vector<unsigned> taken;
            for (const Entry& entry : walk(wiring_of(torus), from, to, kind).entries) {
                taken.push_back(dimension_of(torus, entry.link));
            }
            BOOST_TEST(taken == differing, boost::test_tools::per_element());
            std::reverse(differing.begin(), differing.end());
        }
    });
}

BOOST_DATA_TEST_CASE(every_packet_reaches_its_host_by_the_shorter_ring, kAllTori* kClasses, torus, kind)
{
    const auto shape = torus.shape();
    for_all_pairs(shape->nodes(), [&](unsigned from, unsigned to) {
        const Walk way = walk(wiring_of(torus), from, to, kind);
        BOOST_TEST(way.end == to);
        for (const Entry& entry : way.entries) {
            const unsigned d = dimension_of(torus, entry.link);
            const unsigned up = shape->distance(from, to, d);
            const unsigned down = shape->distance(to, from, d);
            BOOST_TEST(entry.hops == (torus.counter_rotating ? std::min(up, down) : up));
            if (up == down) BOOST_TEST(!downwards(torus, entry.link));
        }
    });
}

/// So each agent handles both, and knows the transaction [000 Fig. 3].
BOOST_DATA_TEST_CASE(a_response_comes_back_through_the_agents_of_its_request, kAllTori, torus)
{
    const Wiring wiring = wiring_of(torus);
    for_all_pairs(torus.shape()->nodes(), [&](unsigned from, unsigned to) {
        auto back = walk(wiring, to, from, Class::kResponse).agents();
        std::reverse(back.begin(), back.end());
        BOOST_TEST(back == walk(wiring, from, to, Class::kRequest).agents(), boost::test_tools::per_element());
    });
}

/// A request and its response together circle a unidirectional ring once.
BOOST_DATA_TEST_CASE(request_and_response_circle_each_ring_of_their_route_once, kOneWayTori, torus)
{
    const Wiring wiring = wiring_of(torus);
    for_all_pairs(torus.shape()->nodes(), [&](unsigned from, unsigned to) {
        const Walk request = walk(wiring, from, to, Class::kRequest);
        const Walk response = walk(wiring, to, from, Class::kResponse);
        BOOST_TEST_REQUIRE(request.entries.size() == response.entries.size());
        for (std::size_t i = 0; i < request.entries.size(); ++i) {
            const Entry& out = request.entries[i];
            const Entry& home = response.entries[request.entries.size() - 1 - i];
            BOOST_TEST(out.link == home.link);
            BOOST_TEST(out.hops + home.hops == torus.shape()->size(out.link));
        }
    });
}

/// An echo goes to the chip that put the packet on this ring, whatever the packet's source.
BOOST_DATA_TEST_CASE(an_echo_gets_back_to_the_chip_that_sent_its_packet, kAllTori* kClasses, torus, kind)
{
    const Wiring wiring = wiring_of(torus);
    for_all_pairs(torus.shape()->nodes(), [&](unsigned from, unsigned to) {
        for (const Entry& entry : walk(wiring, from, to, kind).entries) {
            unsigned at = entry.node;
            for (unsigned i = 0; i < entry.hops; ++i) at = wiring.next(at, entry.link);
            unsigned links = entry.hops;
            do {
                at = wiring.next(at, entry.link);
                BOOST_TEST_REQUIRE(++links <= 100u);
            } while (!wiring.routing(at, entry.link)->strips(static_cast<NodeId>(entry.node)));
            BOOST_TEST(at == entry.node);
            BOOST_TEST(links == torus.shape()->size(dimension_of(torus, entry.link)));
        }
    });
}

BOOST_DATA_TEST_CASE(a_switch_port_strips_packets_for_other_rings_and_its_own_echoes,
                     data::make({2u, 3u}) * data::make({2u, 4u, 8u}), nodes_per_ring, rings)
{
    const unsigned nodes = nodes_per_ring * rings;
    for (unsigned ring = 0; ring < rings; ++ring) {
        const hw::SwitchRouting port({nodes_per_ring, rings}, ring);
        for (unsigned target = 0; target < nodes; ++target) {
            const unsigned its_ring = target / nodes_per_ring;
            BOOST_TEST(port.strips(static_cast<NodeId>(target)) == (its_ring != ring));
            for (const Class kind : {Class::kRequest, Class::kResponse}) {
                BOOST_TEST(port.blink_port(static_cast<NodeId>(target), kind) == its_ring);
            }
        }
        for (unsigned other = 0; other < rings; ++other) {
            BOOST_TEST(port.strips(static_cast<NodeId>(nodes + other)) == (other == ring));
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
