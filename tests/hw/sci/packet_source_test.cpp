// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/packet_source.h"

#include <deque>
#include <utility>
#include <vector>

#include "tests/hw/journey_probe.h"
#include "tests/hw/printing.h"
#include "tests/hw/sci/blink/blink_chip.h"
#include "tests/hw/sci/packets.h"
#include "tests/support/cases.h"
#include "tlm/sci/packet.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using sci::Class;
using sci::Command;

constexpr sci::NodeId kMe = 3;

/// Offers a list, and records all calls.
class ListTraffic final : public TrafficModel {
public:
    struct Heard {
        OfferedPacket packet;
        Duration at;
    };
    Injection next(unsigned source) override
    {
        BOOST_TEST(source == kMe);
        if (offers.empty()) return {};
        const Injection first = offers.front();
        offers.pop_front();
        return first;
    }
    void delivered(const OfferedPacket& packet, Duration at) override { requests.push_back({packet, at}); }
    void answered(const OfferedPacket& packet, Duration at) override { responses.push_back({packet, at}); }
    void dropped(unsigned source, Duration born) override
    {
        BOOST_TEST(source == kMe);
        lost.push_back(born);
    }
    std::deque<Injection> offers;
    std::vector<Heard> requests, responses;
    std::vector<Duration> lost;
};

/// A packet source whose network is a probe.
/// All packets that come to a source are of one.
sci::Packet packet_of_source(Command command, sci::NodeId target, std::uint64_t id = 1)
{
    sci::Packet packet = make_packet(command, target, id);
    packet.tag = sci::tag_of_source(0);
    return packet;
}

struct SourceBench {
    SourceBench()
        : network("network", simulation),
          source("source", simulation, kMe,
                 std::make_shared<const hw::SingleLinkCard>(kMe, std::uint8_t{1}, std::uint8_t{0}))
    {
        source.to_network.bind(network.in);
        network.out.bind(source.from_network);
    }
    void run()
    {
        source.start(traffic);
        simulation.run();
    }
    Simulation simulation{1};
    ListTraffic traffic;
    BLinkChip network;
    hw::SciPacketSource source;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(packet_source)

BOOST_AUTO_TEST_CASE(offers_each_packet_when_the_model_says)
{
    SourceBench bench;
    const std::vector<Injection> offers{
        sci::injection(0_ns, 1, Command::kWrite64), sci::injection(7_ns, 2, Command::kMove64),
        sci::injection(7_ns, 4, Command::kRead16), sci::injection(7_ns + 1_ps, 1, Command::kRead64),
        sci::injection(100_us, 2, Command::kWrite16)};
    bench.traffic.offers.assign(offers.begin(), offers.end());
    bench.run();
    BOOST_TEST_REQUIRE(bench.network.arrived.size() == offers.size());
    for (std::size_t i = 0; i < offers.size(); ++i) {
        const BLinkChip::Arrival& arrival = bench.network.arrived[i];
        BOOST_TEST(arrival.begin == offers[i].at);
        BOOST_TEST(arrival.packet.target == offers[i].to);
        BOOST_TEST(arrival.packet.source == kMe);
        BOOST_TEST(arrival.packet.command == sci::command_of(offers[i]));
        BOOST_TEST(arrival.packet.born_ps == offers[i].at.ps());
        BOOST_TEST(!arrival.packet.old);
        BOOST_TEST(arrival.packet.id == i + 1);
    }
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_CASE(packets_wait_in_order_until_the_network_has_room)
{
    SourceBench bench;
    JourneyProbe journey;
    bench.simulation.on_journey(journey);
    bench.network.has_room = {false, true};
    for (int i = 0; i < 10; ++i) bench.traffic.offers.push_back(sci::injection(1_us * i, 1, Command::kWrite64));
    bench.network.grant_at(20_us, Class::kRequest);
    bench.network.grant_at(30_us, Class::kRequest, true);
    bench.run();
    BOOST_TEST_REQUIRE(bench.network.arrived.size() == 10u);
    for (std::size_t i = 0; i < 10; ++i) {
        BOOST_TEST(bench.network.arrived[i].packet.id == i + 1);
        BOOST_TEST(bench.network.arrived[i].packet.born_ps == (1_us * static_cast<std::int64_t>(i)).ps());
        BOOST_TEST(bench.network.arrived[i].begin == (i == 0 ? 20_us : 30_us));
    }
    // Each waits for the one before it, until that has gone
    BOOST_TEST_REQUIRE(journey.waits.size() == 9u);
    for (std::size_t i = 0; i < 9; ++i) {
        const Stage& wait = journey.waits[i];
        BOOST_TEST(wait.what == "source queue");
        BOOST_TEST(wait.transaction == i + 2);
        BOOST_TEST(wait.other == i + 1);
        BOOST_TEST(wait.from == 1_us * static_cast<std::int64_t>(i + 1));
        BOOST_TEST(wait.to == (i == 0 ? 20_us : 30_us));
    }
}

BOOST_AUTO_TEST_CASE(a_request_is_answered_in_kind_and_a_move_is_not)
{
    SourceBench bench;
    const std::vector<std::pair<Command, Command>> pairs{{Command::kWrite64, Command::kResponse0},
                                                         {Command::kWrite16, Command::kResponse0},
                                                         {Command::kRead16, Command::kResponse16},
                                                         {Command::kRead64, Command::kResponse64}};
    bench.network.sending_takes = 33_ns;
    std::uint64_t id = 10;
    for (const auto& [request, response] : pairs) {
        bench.network.send_at(1_us * static_cast<std::int64_t>(id), packet_of_source(request, kMe, id));
        ++id;
    }
    bench.network.send_at(100_us, packet_of_source(Command::kMove64, kMe, 99));
    bench.run();
    BOOST_TEST_REQUIRE(bench.network.arrived.size() == pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const sci::Packet request = packet_of_source(pairs[i].first, kMe, 10 + i);
        const sci::Packet& response = bench.network.arrived[i].packet;
        BOOST_TEST(response.command == pairs[i].second);
        BOOST_TEST(response.target == request.source);
        BOOST_TEST(response.id == request.id);
        BOOST_TEST(response.tag == request.tag);
        BOOST_TEST(response.born_ps == request.born_ps);
    }
    BOOST_TEST_REQUIRE(bench.traffic.requests.size() == pairs.size() + 1);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        BOOST_TEST(bench.traffic.requests[i].packet.target == kMe);
        BOOST_TEST(bench.traffic.requests[i].at == 1_us * static_cast<std::int64_t>(10 + i) + 33_ns);  // the last byte
    }
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_CASE(responses_are_reported_to_the_model)
{
    SourceBench bench;
    bench.network.sending_takes = 12_ns;
    bench.network.send_at(5_us, packet_of_source(Command::kResponse0, kMe, 8));
    bench.run();
    BOOST_TEST_REQUIRE(bench.traffic.responses.size() == 1u);
    BOOST_TEST(bench.traffic.responses[0].packet.source == kMe);
    BOOST_TEST(bench.traffic.responses[0].at == 5_us + 12_ns);
    BOOST_TEST(bench.network.arrived.empty());
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_CASE(a_request_without_room_does_not_block_a_response)
{
    SourceBench bench;
    bench.network.has_room = {false, true};
    bench.traffic.offers.push_back(sci::injection(1_us, 1, Command::kWrite64));
    bench.network.send_at(2_us, packet_of_source(Command::kWrite64, kMe, 8));
    bench.run();
    BOOST_TEST_REQUIRE(bench.network.arrived.size() == 1u);
    BOOST_TEST(bench.network.arrived[0].packet.id == 8u);
    BOOST_TEST(bench.network.arrived[0].begin == 2_us);
    BOOST_TEST(bench.source.pending() == "1 requests and 0 responses wait for the link controller");
}

BOOST_AUTO_TEST_CASE(a_full_response_queue_holds_requests_back_until_a_response_has_left)
{
    constexpr std::size_t kMore = 5;
    SourceBench bench;
    bench.network.has_room = {true, false};
    for (std::uint64_t id = 0; id < hw::SciPacketSource::kResponseQueue + kMore; ++id) {
        bench.network.send_at(1_us, packet_of_source(Command::kWrite64, kMe, id));
    }
    bench.network.send_at(2_us, packet_of_source(Command::kResponse0, kMe, 999));  // responses are always taken
    for (int i = 1; i <= 3; ++i) bench.network.grant_at(10_us * i, Class::kResponse, i == 3);
    bench.run();
    const auto& sent = bench.network.sent;
    BOOST_TEST_REQUIRE(sent.size() == hw::SciPacketSource::kResponseQueue + kMore + 1);
    for (std::size_t i = 0; i < hw::SciPacketSource::kResponseQueue; ++i) BOOST_TEST(sent[i].granted == 1_us);
    const auto* late = &sent[hw::SciPacketSource::kResponseQueue];
    BOOST_TEST(late[0].granted == 2_us);
    BOOST_TEST(late[1].granted == 10_us);
    BOOST_TEST(late[2].granted == 20_us);
    for (std::size_t i = 3; i <= kMore; ++i) BOOST_TEST(late[i].granted == 30_us);
    BOOST_TEST(bench.network.arrived.size() == hw::SciPacketSource::kResponseQueue + kMore);
    BOOST_TEST(bench.traffic.requests.size() == hw::SciPacketSource::kResponseQueue + kMore);
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_CASE(a_packet_to_a_full_source_queue_is_dropped_and_reported_to_the_model)
{
    constexpr std::size_t kMore = 3;
    SourceBench bench;
    bench.network.has_room = {false, true};
    for (std::size_t i = 0; i < hw::SciPacketSource::kSourceQueue + kMore; ++i) {
        bench.traffic.offers.push_back(sci::injection(1_ns * static_cast<std::int64_t>(i), 1, Command::kRead64));
    }
    bench.network.grant_at(1_ms, Class::kRequest, true);
    bench.run();
    BOOST_TEST(bench.network.arrived.size() == hw::SciPacketSource::kSourceQueue);
    BOOST_TEST_REQUIRE(bench.traffic.lost.size() == kMore);
    for (std::size_t i = 0; i < kMore; ++i) {
        BOOST_TEST(bench.traffic.lost[i] == 1_ns * static_cast<std::int64_t>(hw::SciPacketSource::kSourceQueue + i));
    }
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
